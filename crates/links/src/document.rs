//! A document: its bytes, its type, its encoding.

use std::cell::OnceCell;
use std::ops::Range;
use std::{error, fmt};

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_16BE, UTF_16LE};
use memchr::memchr_iter;

use crate::document_type::{DocumentType, is_binary, is_data};
use crate::limits::PRESCAN_BYTES;
use crate::value::reference::Reference;
use crate::value::wrapping::Wrapping;
use crate::{Decoded, Table, charset, css, html};

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
    encoding: OnceCell<&'static Encoding>,
    /// The encoding, if it is a wide one.
    wide: OnceCell<Option<&'static Encoding>>,
}

/// Everything found in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The links in the order of their tags. Ranges do not overlap.
    pub links: Vec<Link>,
    /// The stretches with a base of their own; a link names its scope by its index here.
    pub scopes: Vec<Scope>,
    /// The link that is the embedded BASE: in HTML the first `<base href>` of the document tree.
    pub base: Option<usize>,
}

/// A reference at a known place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The bytes of the document that hold the reference, without surrounding white space.
    pub range: Range<usize>,
    /// What wraps the reference there, outermost first.
    pub wrappings: [Wrapping; 2],
    /// The place it stands in.
    pub place: Place,
    /// Which of [`Scan::scopes`] it resolves in.
    pub scope: usize,
}

/// What a link belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// An attribute of the tag that begins at byte `tag`, by a row of the [`Table`].
    Attribute {
        /// The `<` of the tag.
        tag: usize,
        /// The index of the row.
        row: u16,
    },
    /// The text of the style element whose tag begins at byte `tag`.
    StyleElement {
        /// The `<` of the tag.
        tag: usize,
    },
    /// A stylesheet of its own.
    Stylesheet,
}

/// A stretch of a document with one base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The document: its embedded BASE counts.
    Document,
    /// What stands outside the document: the BASE element itself resolves here.
    Outside,
    /// An element with a `codebase`, itself a link of the document; the index of that link.
    Codebase(usize),
}

/// Why a document was left unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// Its encoding cannot be edited byte by byte.
    Charset(&'static str),
    /// Only its tree could tell its tags, and the tree took more work than a document of this size may.
    TreeTooLarge,
    /// Its stylesheets nest too deep.
    NestingTooDeep,
    /// Its content is not of its type.
    NotItsType,
}

impl<'d> Document<'d> {
    /// A document of this type; its encoding is found in its own bytes.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"<p>", DocumentType::Html).encoding().name(), "UTF-8");
    /// ```
    pub const fn new(bytes: &'d [u8], document_type: DocumentType) -> Self {
        Self { bytes, document_type, label: None, encoding: OnceCell::new(), wide: OnceCell::new() }
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

    /// All bytes of the document.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"<p>", DocumentType::Html).bytes(), b"<p>");
    /// ```
    pub const fn bytes(&self) -> &'d [u8] {
        self.bytes
    }

    /// The encoding: of the byte order mark, else the label, else the declaration in the document, else
    /// UTF-8 where the bytes are valid UTF-8, else windows-1252.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let document = Document::new(b"<meta charset=shift_jis>", DocumentType::Html);
    /// assert_eq!(document.encoding().name(), "Shift_JIS");
    /// ```
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding.get_or_init(|| {
            charset::of_byte_order_mark(self.bytes).unwrap_or_else(|| match self.document_type {
                DocumentType::Html => charset::of_html(self.bytes, self.label),
                DocumentType::Css => charset::of_css(self.bytes, self.label),
            })
        })
    }

    /// Finds the links of the document by `table`.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] when the links cannot be told for sure; the document is to be left as it is.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Refusal, Table};
    /// let image = Document::new(b"GIF89a...", DocumentType::Html);
    /// assert_eq!(image.scan(&Table::default()), Err(Refusal::NotItsType));
    /// ```
    pub fn scan(&self, table: &Table) -> Result<Scan, Refusal> {
        if is_binary(self.bytes) || (self.document_type == DocumentType::Html && is_data(self.bytes)) {
            return Err(Refusal::NotItsType);
        }
        match self.wide_encoding() {
            Some(encoding) if encoding == REPLACEMENT => Err(Refusal::Charset(encoding.name())),
            Some(encoding) => self.scan_decoded(encoding, table),
            None => match self.document_type {
                DocumentType::Html => html::scan(self, table),
                DocumentType::Css => css::scan(self),
            },
        }
    }

    /// Scans the text of a document whose bytes are no text, and finds the bytes of what was found.
    fn scan_decoded(&self, encoding: &'static Encoding, table: &Table) -> Result<Scan, Refusal> {
        let mark = Encoding::for_bom(self.bytes).map_or(0, |(_, length)| length);
        let decoded = Decoded::from_charset(&self.bytes[mark..], encoding);
        let text = Document::new(decoded.text.as_bytes(), self.document_type).with_label("utf-8");
        let mut scan = text.scan(table)?;
        let raw = |range: Range<usize>| {
            let raw = decoded.raw_range(range);
            mark + raw.start..mark + raw.end
        };
        for link in &mut scan.links {
            link.range = raw(link.range.clone());
            if let Place::Attribute { tag, .. } | Place::StyleElement { tag } = &mut link.place {
                *tag = raw(*tag..*tag).start;
            }
        }
        Ok(scan)
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
            None => Reference::read(raw, link.range.start, link.wrappings, || self.encoding()),
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
        match link.place {
            Place::Attribute { tag, .. } | Place::StyleElement { tag } => match self.wide_encoding() {
                Some(encoding) => {
                    let start = &self.bytes[tag..self.bytes.len().min(tag + 256)];
                    html::element_name(Decoded::from_charset(start, encoding).text.as_bytes(), 0)
                }
                None => html::element_name(self.bytes, tag),
            },
            Place::Stylesheet => String::new(),
        }
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
            Place::Attribute { tag, .. } if self.wide_encoding().is_none() => {
                html::tag_and_attributes(self.bytes, tag, &link.range)
            }
            _ => None,
        }
    }

    /// The encoding, if it is one whose bytes may look like markup without being it: UTF-16, ISO-2022-JP, and those
    /// that the Encoding Standard replaces.
    fn wide_encoding(&self) -> Option<&'static Encoding> {
        *self.wide.get_or_init(|| {
            let wide = [UTF_16BE, UTF_16LE, ISO_2022_JP, REPLACEMENT];
            let may_be_wide = self.may_declare_wide_encoding();
            may_be_wide.then(|| self.encoding()).filter(|encoding| wide.contains(encoding))
        })
    }

    /// Whether it is worth while to find out the encoding before it is needed: a byte order mark, a label, or
    /// a declaration that names one of the family `iso-2022-*` or `hz-gb-2312`.
    fn may_declare_wide_encoding(&self) -> bool {
        let start = &self.bytes[..self.bytes.len().min(PRESCAN_BYTES)];
        self.label.is_some()
            || matches!(start.first(), Some(b'\xFE' | b'\xFF'))
            || memchr_iter(b'2', start)
                .any(|at| matches!(start[at..], [_, b'0', b'2', b'2', ..] | [_, b'3', b'1', b'2', ..]))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Charset(name) => write!(formatter, "documents in {name} are not edited"),
            Self::TreeTooLarge => formatter.write_str("the document tree takes too much work to build"),
            Self::NestingTooDeep => formatter.write_str("the blocks of a stylesheet nest too deep"),
            Self::NotItsType => formatter.write_str("the content is not of the type that its name or label says"),
        }
    }
}

impl error::Error for Refusal {}
