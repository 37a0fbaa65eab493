//! Edits of bytes.

use std::io::{self, Write};
use std::ops::Range;

/// Ranges of bytes and their replacements.
///
/// The ranges are in order and do not overlap. One buffer contains all replacements.
///
/// ```
/// use absolve_links::Edits;
/// let mut edits = Edits::default();
/// edits.push(8..8, b"http://h/");
/// assert_eq!(edits.splice(b"<a href=x>"), b"<a href=http://h/x>");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    edits: Vec<Edit>,
    text: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    range: Range<usize>,
    /// The end of the replacement in `text`. It starts at the end of the one before.
    text_end: usize,
}

impl Edits {
    /// Creates an empty list with a capacity for edits and bytes of text.
    ///
    /// ```
    /// assert!(absolve_links::Edits::with_capacity(10, 200).is_empty());
    /// ```
    pub fn with_capacity(edits: usize, bytes_of_text: usize) -> Self {
        Self { edits: Vec::with_capacity(edits), text: Vec::with_capacity(bytes_of_text) }
    }

    /// Adds an edit after all others, which replaces `range` by `text`. An empty range inserts.
    ///
    /// # Panics
    ///
    /// If `range` begins before the end of the last edit.
    ///
    /// ```
    /// let mut edits = absolve_links::Edits::default();
    /// edits.push(0..1, b"b");
    /// assert_eq!(edits.splice(b"a"), b"b");
    /// ```
    #[inline]
    pub fn push(&mut self, range: Range<usize>, text: &[u8]) {
        let end = self.edits.last().map_or(0, |edit| edit.range.end);
        assert!(end <= range.start && range.start <= range.end, "edits are in order and do not overlap");
        self.text.extend_from_slice(text);
        self.edits.push(Edit { range, text_end: self.text.len() });
    }

    /// Returns the total length of the replacements in bytes.
    ///
    /// ```
    /// assert_eq!(absolve_links::Edits::from([(3..4, "xy"), (5..5, "z")]).inserted_bytes(), 3);
    /// ```
    #[inline]
    pub const fn inserted_bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the edits in order: the ranges and their replacements.
    ///
    /// ```
    /// let edits = absolve_links::Edits::from([(3..4, "x")]);
    /// assert_eq!(edits.iter().next(), Some((3..4, &b"x"[..])));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, &[u8])> {
        let mut start = 0;
        self.edits.iter().map(move |edit| {
            let text = &self.text[start..edit.text_end];
            start = edit.text_end;
            (edit.range.clone(), text)
        })
    }

    /// Returns the number of edits.
    ///
    /// ```
    /// assert_eq!(absolve_links::Edits::default().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Returns whether there are no edits.
    ///
    /// ```
    /// assert!(absolve_links::Edits::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns `original` with the edits applied.
    ///
    /// ```
    /// assert_eq!(absolve_links::Edits::default().splice(b"same"), b"same");
    /// ```
    pub fn splice(&self, original: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.splice_into(original, &mut out);
        out
    }

    /// Returns what becomes of the first `length` bytes of `original`, or of those before an edit that crosses their end.
    pub(crate) fn splice_beginning(&self, original: &[u8], length: usize) -> Vec<u8> {
        let length = length.min(original.len());
        let crossing = self.iter().map(|(range, _)| range).find(|range| range.end > length);
        let end = crossing.map_or(length, |range| range.start.min(length));
        let mut out = Vec::with_capacity(2 * length);
        splice(self.iter().take_while(|(range, _)| range.end <= end), &original[..end], &mut out);
        out
    }

    /// Applies the edits to `original` and appends the result to `out`. Bytes outside of the edited ranges are copied.
    ///
    /// ```
    /// let mut out = b"1: ".to_vec();
    /// absolve_links::Edits::from([(0..0, "x")]).splice_into(b"y", &mut out);
    /// assert_eq!(out, b"1: xy");
    /// ```
    pub fn splice_into(&self, original: &[u8], out: &mut Vec<u8>) {
        out.reserve(original.len() + self.text.len());
        splice(self.iter(), original, out);
    }

    /// Writes `original` with the edits applied to `out`, in the order of the bytes and without a copy of it.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    ///
    /// ```
    /// let mut out = Vec::new();
    /// absolve_links::Edits::from([(0..1, "x")]).write_to(b"yz", &mut out)?;
    /// assert_eq!(out, b"xz");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_to(&self, original: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut at = 0;
        for (range, text) in self.iter() {
            out.write_all(&original[at..range.start])?;
            out.write_all(text)?;
            at = range.end;
        }
        out.write_all(&original[at..])
    }

    /// Shifts the edits by `offset` bytes, from those of a part to those of the whole.
    ///
    /// ```
    /// use absolve_links::Edits;
    /// assert_eq!(Edits::from([(0..1, "x")]).shifted(5), Edits::from([(5..6, "x")]));
    /// ```
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        for edit in self.edits.iter_mut().filter(|_| offset > 0) {
            edit.range.start += offset;
            edit.range.end += offset;
        }
        self
    }

    /// Adds the edits of `other` after these.
    ///
    /// # Panics
    ///
    /// If `other` begins before the end of these.
    ///
    /// ```
    /// use absolve_links::Edits;
    /// let mut edits = Edits::from([(0..1, "x")]);
    /// edits.append(Edits::from([(1..1, "y")]));
    /// assert_eq!(edits.len(), 2);
    /// ```
    pub fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
        } else {
            other.iter().for_each(|(range, text)| self.push(range, text));
        }
    }

    /// Merges these edits with those of `other`.
    ///
    /// # Panics
    ///
    /// If two of them overlap.
    ///
    /// ```
    /// use absolve_links::Edits;
    /// let edits = Edits::from([(0..1, "x"), (5..5, "z")]);
    /// assert_eq!(edits.merged(&Edits::from([(2..3, "y")])), Edits::from([(0..1, "x"), (2..3, "y"), (5..5, "z")]));
    /// ```
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let mut all: Vec<_> = self.iter().chain(other.iter()).collect();
        all.sort_by_key(|(range, _)| range.start);
        let mut merged = Self::with_capacity(all.len(), self.text.len() + other.text.len());
        all.into_iter().for_each(|(range, text)| merged.push(range, text));
        merged
    }

    /// Returns the edits within a range, relative to its start.
    ///
    /// ```
    /// use absolve_links::Edits;
    /// assert_eq!(Edits::from([(0..1, "x"), (5..6, "z")]).within(5..9), Edits::from([(0..1, "z")]));
    /// ```
    #[must_use]
    pub fn within(&self, part: Range<usize>) -> Self {
        let first = self.edits.partition_point(|edit| edit.range.start < part.start);
        let mut text_start = first.checked_sub(1).map_or(0, |before| self.edits[before].text_end);
        let mut found = Self::default();
        for edit in self.edits[first..].iter().take_while(|edit| edit.range.end <= part.end) {
            let range = edit.range.start - part.start..edit.range.end - part.start;
            found.push(range, &self.text[text_start..edit.text_end]);
            text_start = edit.text_end;
        }
        found
    }
}

#[inline]
fn splice<'e>(edits: impl Iterator<Item = (Range<usize>, &'e [u8])>, original: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    for (range, text) in edits {
        out.extend_from_slice(&original[at..range.start]);
        out.extend_from_slice(text);
        at = range.end;
    }
    out.extend_from_slice(&original[at..]);
}

impl<T: AsRef<[u8]>, const N: usize> From<[(Range<usize>, T); N]> for Edits {
    fn from(edits: [(Range<usize>, T); N]) -> Self {
        let mut collected = Self::default();
        edits.into_iter().for_each(|(range, text)| collected.push(range, text.as_ref()));
        collected
    }
}
