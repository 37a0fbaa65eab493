//! A document: its bytes, its type and its encoding.

mod charset;
mod sought;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::document::charset::Detected;
pub(crate) use crate::document::charset::behind_mark;
use crate::document::sought::Sought;
use crate::document_type::DocumentType;
use crate::limits::PRESCAN_BYTES;
use crate::markup::attributes::Attribute;
use crate::markup::tag;
use crate::scan::{Link, Place};
use crate::value::decoded::Decoded;
use crate::value::delimiter::may_continue;
use crate::value::edits::Edits;
use crate::value::reference::Reference;
use crate::value::unwrapped::Unwrapped;
use crate::value::wrapping::Wrapping;
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
    /// The number of documents around this one.
    depth: usize,
    sought: Sought,
    detected: OnceCell<Detected>,
    /// The encoding, if its bytes may look like markup without being markup.
    wide: OnceCell<Option<&'static Encoding>>,
}

impl<'d> Document<'d> {
    /// Creates a document of this type. Its bytes determine its encoding.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"<p>", DocumentType::Html).encoding().name(), "UTF-8");
    /// ```
    pub const fn new(bytes: &'d [u8], document_type: DocumentType) -> Self {
        let (detected, wide) = (OnceCell::new(), OnceCell::new());
        Self { bytes, document_type, label: None, depth: 0, sought: Sought::NOTHING, detected, wide }
    }

    /// Sets the charset label of its header, which outranks the declaration in the document.
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

    /// Returns whether the label cannot be right: the bytes are UTF-8, and in the encoding of the label they are invalid, or
    /// without markup.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let labelled = |label| Document::new("<p>“</p>".as_bytes(), DocumentType::Html).with_label(label);
    /// assert!(labelled("utf-16").has_wrong_label() && labelled("shift_jis").has_wrong_label());
    /// assert!(!labelled("utf-8").has_wrong_label() && !labelled("latin1").has_wrong_label());
    /// ```
    pub fn has_wrong_label(&self) -> bool {
        self.label.is_some_and(|label| charset::is_wrong(self.bytes, label))
    }

    /// Creates an HTML document that is nested in this one, in UTF-8.
    pub(crate) fn nested<'n>(&self, text: &'n [u8]) -> Document<'n> {
        let nested = Document::new(text, DocumentType::Html).with_label("utf-8");
        Document { depth: self.depth + 1, sought: self.sought, ..nested }
    }

    /// Creates an HTML document with the markup of this one, in UTF-8, at the same bytes.
    pub(crate) fn with_markup<'m>(&self, markup: &'m [u8]) -> Document<'m> {
        let sought = Sought { annotations: false, ..self.sought };
        Document { depth: self.depth, sought, ..Document::new(markup, DocumentType::Html).with_label("utf-8") }
    }

    /// Creates a document of the same type from the decoded text of this one.
    pub(crate) fn decoded<'t>(&self, text: &'t str) -> Document<'t> {
        let decoded = Document::new(text.as_bytes(), self.document_type).with_label("utf-8");
        Document { sought: self.sought, ..decoded }
    }

    /// Returns the type that the document was created with.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"a{}", DocumentType::Css).document_type(), DocumentType::Css);
    /// ```
    pub const fn document_type(&self) -> DocumentType {
        self.document_type
    }

    /// Returns the number of documents around this one.
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// Returns all bytes of the document.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert_eq!(Document::new(b"<p>", DocumentType::Html).bytes(), b"<p>");
    /// ```
    pub const fn bytes(&self) -> &'d [u8] {
        self.bytes
    }

    /// Returns the encoding: that of the byte order mark, else of the label, else UTF-16 if every other byte is NUL,
    /// else that of the declaration in the document, else UTF-8 if the bytes are valid UTF-8, else windows-1252.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let document = Document::new(b"<meta charset=shift_jis>", DocumentType::Html);
    /// assert_eq!(document.encoding().name(), "Shift_JIS");
    /// ```
    pub fn encoding(&self) -> &'static Encoding {
        self.detected().encoding
    }

    fn detected(&self) -> &Detected {
        self.detected.get_or_init(|| charset::of_document(self.bytes, self.document_type, self.label))
    }

    /// Returns whether edits may change the encoding that readers detect. This is so if the encoding follows from the
    /// bytes alone, without a label or a byte order mark, and is not UTF-8.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// assert!(Document::new(b"caf\xE9", DocumentType::Html).has_unsure_encoding());
    /// assert!(!Document::new(b"caf\xE9", DocumentType::Html).with_label("latin1").has_unsure_encoding());
    /// assert!(Document::new(b"caf\xE9", DocumentType::Html).with_label("of no name").has_unsure_encoding());
    /// ```
    pub fn has_unsure_encoding(&self) -> bool {
        self.has_unsure_encoding_at(0)
    }

    /// Returns whether an edit at this byte may change the encoding that readers detect.
    fn has_unsure_encoding_at(&self, edit: usize) -> bool {
        let is_labelled = self.label.is_some_and(|label| charset::for_label(label.as_bytes()).is_some());
        let is_marked = || Encoding::for_bom(self.bytes).is_some();
        let is_plain = || self.bytes.is_ascii() && self.wide_encoding().is_none();
        let is_decided = || edit >= self.detected().decided_by;
        let is_utf_8 = || self.encoding() == UTF_8 && charset::is_utf_8(self.bytes);
        !is_labelled && !is_marked() && !is_plain() && !is_decided() && !is_utf_8()
    }

    /// Returns whether the first kilobyte declares this encoding to browsers: by a byte order mark, or by a `<meta>` in HTML.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let declares = |html| Document::new(html, DocumentType::Html).declares(encoding_rs::UTF_8);
    /// assert!(declares(b"<meta charset=utf-8>") && !declares(b"<p>"));
    /// ```
    pub fn declares(&self, encoding: &'static Encoding) -> bool {
        let start = &self.bytes[..self.bytes.len().min(PRESCAN_BYTES)];
        match Encoding::for_bom(start) {
            Some((marked, _)) => marked == encoding,
            None => charset::declares(encoding, start, self.document_type),
        }
    }

    /// Returns whether readers would decode the edited document in another encoding, and to another text. This happens
    /// if the edits remove the only bytes that are invalid in UTF-8.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Edits};
    /// let document = Document::new(b"<a href='\xE9/../x'>\xC3\xA9", DocumentType::Html);
    /// assert!(document.changes_encoding(&Edits::from([(9..14, "http://h/")])));
    /// assert!(!document.changes_encoding(&Edits::from([(9..9, "http://h/")])));
    /// // A declaration before the edits decides.
    /// let document = Document::new(b"<meta charset=latin1><a href='\xE9/../x'>", DocumentType::Html);
    /// assert!(!document.changes_encoding(&Edits::from([(30..35, "http://h/")])));
    /// ```
    pub fn changes_encoding(&self, edits: &Edits) -> bool {
        edits.iter().next().is_some_and(|(first, _)| self.has_unsure_encoding_at(first.start))
            // This is found without a copy of the document.
            && !charset::declares(self.encoding(), &edits.splice_beginning(self.bytes, PRESCAN_BYTES), self.document_type)
            && charset::differs(self.encoding(), &edits.splice(self.bytes), self.document_type)
    }

    /// Decodes a range of the document that is written in `wrappings`.
    pub(crate) fn unwrapped(&self, range: Range<usize>, wrappings: Wrappings) -> Unwrapped<'d> {
        let raw = &self.bytes[range.clone()];
        Unwrapped::read(raw, range.start, wrappings, self.encoding_of(raw).unwrap_or(UTF_8))
    }

    /// Returns the encoding, or `None` if `raw` is ASCII.
    #[inline]
    pub(crate) fn encoding_of(&self, raw: &[u8]) -> Option<&'static Encoding> {
        if raw.is_ascii() { None } else { Some(self.encoding()) }
    }

    /// Reads the reference of a link of this document.
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
        let encoding = self.wide_encoding().or_else(|| self.encoding_of(&self.bytes[link.range.clone()]));
        Reference::read(self.bytes, link.range.clone(), link.wrappings, encoding)
    }

    /// Returns whether what is before a link cannot be taken for a part of what is written in its place.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<p style='background:url(&quot/x&quot)'>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// assert!(!document.is_delimited(&scan.links[0]));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[inline]
    pub fn is_delimited(&self, link: &Link) -> bool {
        !may_continue(&self.bytes[..link.range.start])
    }

    /// Returns the name of the element that a link belongs to, in lower case. It is empty in a stylesheet.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<IMG src=x>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// assert_eq!(document.element(&scan.links[0]), "img");
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    pub fn element(&self, link: &Link) -> Cow<'d, str> {
        let (Place::Attribute { tag, nesting, .. } | Place::StyleElement { tag, nesting }) = link.place else {
            return Cow::Borrowed("");
        };
        const ENOUGH: usize = 512;
        let start = &self.bytes[tag..self.bytes.len().min(tag + ENOUGH)];
        let charset = self.wide_encoding();
        if charset.is_none() && nesting == 0 {
            return tag::element_name(start, 0);
        }
        let charset = charset.map(|encoding| Decoded::from_charset(start, encoding).text.into_bytes());
        let around = link.wrappings.iter().take(nesting.into());
        let text = around.fold(charset.unwrap_or_else(|| start.to_owned()), |text, wrapping| {
            Decoded::unwrap(&String::from_utf8_lossy(&text), wrapping).text.into_bytes()
        });
        tag::element_name(&text, 0).into_owned().into()
    }

    /// Returns the range of the tag that contains a link, and the ranges of the link's attribute with the white space
    /// before it: several if the tag repeats the attribute. Returns `None` for a link outside of attributes.
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

    /// Returns the attributes of the tag that contains a link, by their names in lower case and their values, and which of them contains the
    /// link. Returns `None` for a link outside of attributes.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<img alt='&amp;' SRC=x>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// let attributes = vec![("alt".to_owned(), "&".to_owned()), ("src".to_owned(), "x".to_owned())];
    /// assert_eq!(document.attributes_around(&scan.links[0]), Some((1, attributes)));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    pub fn attributes_around(&self, link: &Link) -> Option<(usize, Vec<(String, String)>)> {
        let Place::Attribute { tag, nesting: 0, .. } = link.place else { return None };
        let all = if self.wide_encoding().is_some() { Vec::new() } else { tag::all_attributes(self.bytes, tag) };
        let own = all.iter().position(|one| one.value.start <= link.range.start && link.range.end <= one.value.end)?;
        let read = |one: Attribute| {
            let name = String::from_utf8_lossy(&self.bytes[one.name_range]).to_ascii_lowercase();
            let value = self.unwrapped(one.value, Wrappings::of(Wrapping::Attribute(one.quote)));
            (name, value.text().to_owned())
        };
        Some((own, all.into_iter().map(read).collect()))
    }

    /// Returns the range of the tag that contains a link, or that precedes the style text that contains it.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<p><style media=print>@import 'x';</style>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// assert_eq!(document.tag(&scan.links[0]), Some(3..22));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    pub fn tag(&self, link: &Link) -> Option<Range<usize>> {
        match link.place {
            Place::Attribute { tag, nesting: 0, .. } | Place::StyleElement { tag, nesting: 0 } => {
                if self.wide_encoding().is_some() { None } else { tag::tag(self.bytes, tag) }
            }
            _ => None,
        }
    }

    /// Returns the encoding if it is UTF-16, in which the bytes of a character are not alone.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let utf_16 = |bytes| Document::new(bytes, DocumentType::Html).utf_16().map(|encoding| encoding.name());
    /// assert_eq!((utf_16(b"\xFF\xFE<\0"), utf_16(b"<p>")), (Some("UTF-16LE"), None));
    /// ```
    pub fn utf_16(&self) -> Option<&'static Encoding> {
        self.wide_encoding().filter(|encoding| [UTF_16BE, UTF_16LE].contains(encoding))
    }

    /// Returns the encoding if its bytes may look like markup without being markup.
    pub(crate) fn wide_encoding(&self) -> Option<&'static Encoding> {
        *self.wide.get_or_init(|| {
            let may_be_wide = self.label.is_some() || charset::may_be_wide(self.bytes);
            may_be_wide.then(|| self.encoding()).filter(|encoding| charset::is_wide(encoding))
        })
    }
}
