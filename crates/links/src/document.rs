//! A document: its bytes, its type, its encoding.

mod charset;

use std::cell::OnceCell;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use crate::document_type::DocumentType;
use crate::markup::tag;
use crate::scan::{Link, Place};
use crate::value::decoded::Decoded;
use crate::value::edits::Edits;
use crate::value::reference::Reference;
use crate::value::unwrapped::Unwrapped;
use crate::value::wrappings::Wrappings;

/// The bytes of one document.
///
/// ```
/// use absolve_links::{Document, DocumentType, Table};
/// let document = Document::new(b"<img src=cat.png>", DocumentType::Html);
/// let scan = document.scan(&Table::default())?;
/// assert_eq!(&document.bytes()[scan.links[0].range.clone()], b"cat.png");
/// # Ok::<(), absolve_links::Refusal>(())
/// ```
#[derive(Debug)]
pub struct Document<'d> {
    bytes: &'d [u8],
    document_type: DocumentType,
    label: Option<&'d str>,
    /// How many documents this one stands in.
    depth: usize,
    encoding: OnceCell<&'static Encoding>,
    /// The encoding, if it is a wide one.
    wide: OnceCell<Option<&'static Encoding>>,
}

impl<'d> Document<'d> {
    /// A document of this type; its encoding is found in its own bytes.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"<p>", DocumentType::Html).encoding().name(), "UTF-8");
    /// ```
    pub const fn new(bytes: &'d [u8], document_type: DocumentType) -> Self {
        Self { bytes, document_type, label: None, depth: 0, encoding: OnceCell::new(), wide: OnceCell::new() }
    }

    /// The same document with the charset label of its header, which outranks its own declaration.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let document = Document::new(b"<p>", DocumentType::Html).with_label("euc-kr");
    /// assert_eq!(document.encoding().name(), "EUC-KR");
    /// ```
    #[must_use]
    pub const fn with_label(self, label: &'d str) -> Self {
        Self { label: Some(label), ..self }
    }

    /// An HTML document within another one.
    pub(crate) fn nested(text: &'d str, depth: usize) -> Self {
        Self { depth, ..Self::new(text.as_bytes(), DocumentType::Html).with_label("utf-8") }
    }

    /// What it was said to be.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"a{}", DocumentType::Css).document_type(), DocumentType::Css);
    /// ```
    pub const fn document_type(&self) -> DocumentType {
        self.document_type
    }

    /// How many documents this one stands in.
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// All bytes of the document.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"<p>", DocumentType::Html).bytes(), b"<p>");
    /// ```
    pub const fn bytes(&self) -> &'d [u8] {
        self.bytes
    }

    /// The encoding: of the byte order mark, else the label, else UTF-16 where the bytes look like nothing else, else
    /// the declaration in the document, else UTF-8 where the bytes are valid UTF-8, else windows-1252.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let document = Document::new(b"<meta charset=shift_jis>", DocumentType::Html);
    /// assert_eq!(document.encoding().name(), "Shift_JIS");
    /// ```
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding.get_or_init(|| charset::of_document(self.bytes, self.document_type, self.label))
    }

    /// Whether only its bytes tell its encoding, so that edits of them may make it another one: nothing around the document
    /// names it, and it is not UTF-8, which edits leave it.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert!(Document::new(b"caf\xE9", DocumentType::Html).has_unsure_encoding());
    /// assert!(!Document::new(b"caf\xE9", DocumentType::Html).with_label("latin1").has_unsure_encoding());
    /// ```
    pub fn has_unsure_encoding(&self) -> bool {
        let is_marked = || Encoding::for_bom(self.bytes).is_some();
        let is_plain = || self.bytes.is_ascii() && self.wide_encoding().is_none();
        let is_utf_8 = || self.encoding() == UTF_8 && str::from_utf8(self.bytes).is_ok();
        self.label.is_none() && !is_marked() && !is_plain() && !is_utf_8()
    }

    /// Whether the document would be read in another encoding after these edits, and say something else in that: its only
    /// bytes that are no UTF-8 go.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Edits};
    /// let document = Document::new(b"<a href='\xE9/../x'>\xC3\xA9", DocumentType::Html);
    /// assert!(document.changes_encoding(&Edits::from([(9..14, "http://h/")])));
    /// assert!(!document.changes_encoding(&Edits::from([(9..9, "http://h/")])));
    /// ```
    pub fn changes_encoding(&self, edits: &Edits) -> bool {
        !edits.is_empty()
            && self.has_unsure_encoding()
            && charset::differs(self.encoding(), &edits.splice(self.bytes), self.document_type)
    }

    /// What a range of the document says within `wrappings`.
    pub(crate) fn unwrapped(&self, range: Range<usize>, wrappings: Wrappings) -> Unwrapped<'d> {
        let raw = &self.bytes[range.clone()];
        Unwrapped::read(raw, range.start, wrappings, self.encoding_of(raw).unwrap_or(UTF_8))
    }

    /// The encoding, if it matters for these bytes of the document.
    #[inline]
    pub(crate) fn encoding_of(&self, raw: &[u8]) -> Option<&'static Encoding> {
        if raw.is_ascii() { None } else { Some(self.encoding()) }
    }

    /// Reads the reference that stands at a link of this document.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"a { background: url(x\\29 .png) }", DocumentType::Css);
    /// let scan = document.scan(&Table::default())?;
    /// assert_eq!(document.reference(&scan.links[0]).text(), "x).png");
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[inline]
    pub fn reference(&self, link: &Link) -> Reference<'d> {
        let raw = &self.bytes[link.range.clone()];
        match self.wide_encoding() {
            Some(encoding) => Reference::read_encoded(raw, link.range.start, link.wrappings, encoding),
            None => Reference::read(raw, link.range.start, link.wrappings, self.encoding_of(raw)),
        }
    }

    /// The name of the element that a link belongs to, in lower case; empty in a stylesheet.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<IMG src=x>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// assert_eq!(document.element(&scan.links[0]), "img");
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    pub fn element(&self, link: &Link) -> String {
        let (Place::Attribute { tag, nesting, .. } | Place::StyleElement { tag, nesting }) = link.place else {
            return String::new();
        };
        const ENOUGH: usize = 512;
        let start = &self.bytes[tag..self.bytes.len().min(tag + ENOUGH)];
        let charset = self.wide_encoding().map(|encoding| Decoded::from_charset(start, encoding).text.into_bytes());
        let around = link.wrappings.iter().take(nesting.into());
        let text = around.fold(charset.unwrap_or_else(|| start.to_owned()), |text, wrapping| {
            Decoded::unwrap(&String::from_utf8_lossy(&text), wrapping).text.into_bytes()
        });
        tag::element_name(&text, 0)
    }

    /// The bytes of the tag that a link stands in, and of its attribute there with the white space before it; if
    /// the tag has the attribute several times, of all of them. `None` for a link that stands in no attribute.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<base target=x href='y'>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// assert_eq!(document.tag_and_attributes(&scan.links[0]), Some((0..24, vec![14..23])));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    pub fn tag_and_attributes(&self, link: &Link) -> Option<(Range<usize>, Vec<Range<usize>>)> {
        match link.place {
            Place::Attribute { tag, nesting: 0, .. } if self.wide_encoding().is_none() => {
                tag::tag_and_attributes(self.bytes, tag, &link.range)
            }
            _ => None,
        }
    }

    /// The encoding, if it is one whose bytes may look like markup without being it.
    pub(crate) fn wide_encoding(&self) -> Option<&'static Encoding> {
        *self.wide.get_or_init(|| {
            let may_be_wide = self.label.is_some() || charset::may_be_wide(self.bytes);
            may_be_wide.then(|| self.encoding()).filter(|encoding| charset::is_wide(encoding))
        })
    }
}
