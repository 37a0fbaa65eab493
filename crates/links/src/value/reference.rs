//! A reference decoded from its document.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use super::decoded::encode;
use super::delimiter::{delimiter, may_continue};
use super::edits::Edits;
use super::unwrapped::Unwrapped;
use super::wrapping::Wrapping;
use super::wrappings::Wrappings;
use crate::markup::attributes::Quote;

/// The decoded reference of a link, which can be replaced.
///
/// ```
/// use absolve_links::{Document, DocumentType, Edits, Table};
/// let document = Document::new(b"<a href='x?a&amp;b'>", DocumentType::Html);
/// let scan = document.scan(&Table::default())?;
/// let reference = document.reference(&scan.links[0]);
/// assert_eq!(reference.text(), "x?a&b");
/// let mut edits = Edits::default();
/// reference.edit_to("http://h/x?a&b", &mut edits);
/// assert_eq!(edits, Edits::from([(9..9, "http://h/")]));
/// # Ok::<(), absolve_links::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reference<'d> {
    unwrapped: Unwrapped<'d>,
    wrappings: Wrappings,
    /// The encoding of the document, or `None` if the reference is ASCII. Then non-ASCII characters are written as
    /// escapes, which fit into every encoding.
    encoding: Option<&'static Encoding>,
    /// The document before it, and the reference as it is written.
    written: [&'d [u8]; 2],
}

impl<'d> Reference<'d> {
    /// Reads the range of a document in `encoding`. `None` means that the range is ASCII.
    #[inline]
    pub(crate) fn read(
        document: &'d [u8],
        range: Range<usize>,
        wrappings: Wrappings,
        encoding: Option<&'static Encoding>,
    ) -> Self {
        let written = [&document[..range.start], &document[range.clone()]];
        let unwrapped = Unwrapped::read(written[1], range.start, wrappings, encoding.unwrap_or(UTF_8));
        Self { unwrapped, wrappings, encoding, written }
    }

    /// Returns the reference, decoded from all wrappings.
    ///
    /// ```
    /// # use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<a href=x&#46;html>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// assert_eq!(document.reference(&scan.links[0]).text(), "x.html");
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[inline]
    pub fn text(&self) -> &str {
        self.unwrapped.text()
    }

    /// Adds to `edits` the smallest edit of the document that changes the reference to `target`.
    ///
    /// The longest common end of reference and target stays as it is written. It never begins within a character
    /// reference, an escape or a character. Usually the edit is an insertion.
    ///
    /// ```
    /// # use absolve_links::{Document, DocumentType, Edits, Table};
    /// let document = Document::new(b"<a href=../x&#46;html>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// let mut edits = Edits::default();
    /// document.reference(&scan.links[0]).edit_to("http://h/x.html", &mut edits);
    /// assert_eq!(edits, Edits::from([(8..10, "http://h")]));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[inline]
    pub fn edit_to(&self, target: &str, edits: &mut Edits) {
        let text = self.text();
        if text == target {
            return;
        }
        let mut kept = common_suffix(text, target);
        let raw_end = loop {
            match self.unwrapped.raw_position(text.len() - kept) {
                Some(raw_end) => break raw_end,
                None => kept -= 1,
            }
        };
        let is_unquoted = || self.wrappings.iter().next_back() == Some(Wrapping::Attribute(Quote::Unquoted));
        let new = match target.is_empty() && is_unquoted() {
            // Without quotes, the next attribute would be its value.
            true => Cow::Owned(self.encoded(self.wrapped("\"\"".to_owned()))),
            false => self.escape(&target[..target.len() - kept]),
        };
        let [before, raw] = self.written;
        let new = match may_continue(before) {
            true => {
                let delimiter = delimiter(before, raw, &new, self.wrappings, self.encoding.unwrap_or(UTF_8));
                Cow::Owned([self.encoded(delimiter), new.into_owned()].concat())
            }
            false => new,
        };
        edits.push(self.unwrapped.start()..raw_end, &new);
    }

    fn escape<'t>(&self, text: &'t str) -> Cow<'t, [u8]> {
        // Needs no escape in any wrapping, as nearly all of a URL, or at least not in these.
        let is_plain = |byte: u8| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'/' | b':' | b'.' | b'-' | b'_' | b'~' | b'%' | b'?' | b'=' | b'+' | b'#')
                || (byte.is_ascii() && !self.wrappings.iter().any(|wrapping| wrapping.needs_escape(byte.into())))
        };
        let is_absent = |wrapping: Wrapping| wrapping == Wrapping::Attribute(Quote::Absent);
        let needs_no_escape = !self.wrappings.iter().any(is_absent) && text.bytes().all(is_plain);
        let escaped = match needs_no_escape {
            true => Cow::Borrowed(text),
            false => {
                let innermost = self.wrappings.iter().next_back().unwrap_or(Wrapping::Plain);
                // Between quotes that have no escape, it is one of the attribute around them.
                let is_left = matches!(innermost, Wrapping::Quoted(_)) && self.wrappings.iter().count() > 1;
                let escaped = innermost.escape_where(text, |character| !is_left && !self.is_encodable(character));
                Cow::Owned(self.wrapped(escaped))
            }
        };
        match escaped {
            Cow::Borrowed(text) if self.encoding.is_none() => Cow::Borrowed(text.as_bytes()),
            escaped => Cow::Owned(self.encoded(escaped.into_owned())),
        }
    }

    /// Escapes what is escaped in the innermost layer in the others.
    #[cold]
    fn wrapped(&self, escaped: String) -> String {
        self.wrappings.iter().rev().skip(1).fold(escaped, |escaped, wrapping| {
            wrapping.escape_where(&escaped, |character| !self.is_encodable(character))
        })
    }

    fn encoded(&self, text: String) -> Vec<u8> {
        match self.encoding {
            Some(encoding) => encode(&text, encoding),
            None => text.into_bytes(),
        }
    }

    fn is_encodable(&self, character: char) -> bool {
        let mut bytes = [0; 4];
        let text = character.encode_utf8(&mut bytes);
        character.is_ascii() || self.encoding.is_some_and(|encoding| !encoding.encode(text).2)
    }
}

/// Returns the length in bytes of the longest common end of whole characters.
#[inline]
fn common_suffix(text: &str, target: &str) -> usize {
    let mut length = text.bytes().rev().zip(target.bytes().rev()).take_while(|(one, other)| one == other).count();
    while !text.is_char_boundary(text.len() - length) {
        length -= 1;
    }
    length
}
