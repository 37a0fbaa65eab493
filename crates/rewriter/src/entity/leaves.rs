//! The leaves of a message, whatever their type, and what is around them.

use std::ops::Range;
use std::sync::Arc;

use absolve_base::url_of_field_value;
use absolve_framing::{Transfer, attached_name};
use absolve_links::DocumentType;

use crate::entity::header::{Disposition, Header, disposition};
use crate::entity::header_chain::HeaderChain;

/// A body that is neither a multipart nor a message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leaf {
    /// The path of the part, as in `1.2.1`.
    pub path: String,
    /// Its media type, in lower case.
    pub media_type: String,
    /// The charset label of its header.
    pub charset: Option<String>,
    /// Its `Content-ID`, without brackets.
    pub content_id: Option<String>,
    /// The file name that its header proposes, decoded and otherwise as it is.
    pub file_name: Option<String>,
    /// Whether it is declared an attachment.
    pub disposition: Disposition,
    /// The index of the innermost composite around it.
    pub composite: Option<usize>,
    /// The type of a document by its media type, or by its name if it has none.
    pub(crate) document_type: Option<DocumentType>,
    pub(crate) headers: Option<Arc<HeaderChain>>,
    /// The transfer encoding, if it is known.
    pub(crate) transfer: Option<Transfer>,
    pub(crate) body: Range<usize>,
    pub(crate) text: usize,
}

/// A multipart or a nested message (RFC 2046, section 5).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Composite {
    /// Its media type, as in `multipart/related`.
    pub media_type: String,
    /// The `Content-ID` of its root, if its header declares one (RFC 2387), without brackets.
    pub start: Option<String>,
    /// Its `Content-ID`, without brackets.
    pub content_id: Option<String>,
    /// The index of the composite around it.
    pub around: Option<usize>,
    /// The leaves and composites directly in it.
    pub children: Vec<Child>,
    pub(crate) headers: Option<Arc<HeaderChain>>,
}

/// The index of a leaf or composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Child {
    /// Of [`crate::internal::Contents::leaves`].
    Leaf(usize),
    /// Of [`crate::internal::Contents::composites`].
    Composite(usize),
}

/// The leaves and composites that were read so far.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) composites: Vec<Composite>,
    /// The innermost composite that is being read.
    open: Option<usize>,
}

/// The place of a body.
#[derive(Debug)]
pub(crate) struct Place<'p> {
    pub(crate) path: &'p str,
    /// The text that contains it.
    pub(crate) bytes: &'p [u8],
    /// The index of that text.
    pub(crate) text: usize,
    pub(crate) body: Range<usize>,
}

impl Tree {
    /// Begins a composite with the headers around it, unless these declare too much.
    pub(crate) fn open(
        &mut self,
        header: &Header,
        media_type: String,
        headers: Option<Arc<HeaderChain>>,
        bytes: &[u8],
    ) {
        let start = header.media_type.as_ref().and_then(|media_type| media_type.start.as_deref());
        let start = start.map(|start| url_of_field_value(start.as_bytes()));
        let content_id = header.content_id(bytes);
        let composite = Composite { media_type, start, content_id, around: self.open, children: Vec::new(), headers };
        self.add(Child::Composite(self.composites.len()));
        self.open = Some(self.composites.len());
        self.composites.push(composite);
    }

    /// Ends the innermost composite.
    pub(crate) fn close(&mut self) {
        self.open = self.open.and_then(|open| self.composites[open].around);
    }

    /// Adds a leaf with the headers around it, unless these declare too much.
    pub(crate) fn leaf(
        &mut self,
        header: &Header,
        media_type: &str,
        headers: Option<Arc<HeaderChain>>,
        place: &Place<'_>,
    ) {
        let fields = header.bytes(place.bytes);
        let (file_name, disposition) = (attached_name(fields), disposition(fields));
        self.add(Child::Leaf(self.leaves.len()));
        self.leaves.push(Leaf {
            path: place.path.to_owned(),
            media_type: media_type.to_owned(),
            charset: header.media_type.as_ref().and_then(|media_type| media_type.charset.clone()),
            content_id: header.content_id(place.bytes),
            file_name,
            disposition,
            composite: self.open,
            document_type: DocumentType::of_media_type(media_type).or(header.named_type),
            headers,
            transfer: header.transfer(),
            body: place.body.clone(),
            text: place.text,
        });
    }

    fn add(&mut self, child: Child) {
        if let Some(composite) = self.open.and_then(|open| self.composites.get_mut(open)) {
            composite.children.push(child);
        }
    }
}
