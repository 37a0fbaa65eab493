//! Changes to bytes.

use std::ops::Range;

/// Ranges of bytes and what replaces them.
///
/// The ranges are in order and do not overlap. All replacements stand in one buffer.
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
    /// Where the replacement ends in `text`; it starts where the one before ends.
    text_end: usize,
}

impl Edits {
    /// No edits yet, and room for some.
    ///
    /// ```
    /// assert!(absolve_links::Edits::with_capacity(10, 200).is_empty());
    /// ```
    pub fn with_capacity(edits: usize, bytes_of_text: usize) -> Self {
        Self { edits: Vec::with_capacity(edits), text: Vec::with_capacity(bytes_of_text) }
    }

    /// Adds an edit behind all others: `text` in place of `range`, or inserted there if it is empty.
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

    /// How many bytes the replacements have together.
    ///
    /// ```
    /// assert_eq!(absolve_links::Edits::from([(3..4, "xy"), (5..5, "z")]).inserted_bytes(), 3);
    /// ```
    #[inline]
    pub const fn inserted_bytes(&self) -> usize {
        self.text.len()
    }

    /// The edits in order: what is replaced and by what.
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

    /// How many edits there are.
    ///
    /// ```
    /// assert_eq!(absolve_links::Edits::default().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether there is nothing to change.
    ///
    /// ```
    /// assert!(absolve_links::Edits::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// `original` with the edits applied.
    ///
    /// ```
    /// assert_eq!(absolve_links::Edits::default().splice(b"same"), b"same");
    /// ```
    pub fn splice(&self, original: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.splice_into(original, &mut out);
        out
    }

    /// Appends `original` with the edits applied to `out`. Everything outside the edited ranges is copied as
    /// it is; without edits, all of it.
    ///
    /// ```
    /// let mut out = b"1: ".to_vec();
    /// absolve_links::Edits::from([(0..0, "x")]).splice_into(b"y", &mut out);
    /// assert_eq!(out, b"1: xy");
    /// ```
    pub fn splice_into(&self, original: &[u8], out: &mut Vec<u8>) {
        out.reserve(original.len() + self.text.len());
        let mut at = 0;
        for (range, text) in self.iter() {
            out.extend_from_slice(&original[at..range.start]);
            out.extend_from_slice(text);
            at = range.end;
        }
        out.extend_from_slice(&original[at..]);
    }

    /// The same edits, `offset` bytes further on: edits of a stretch as edits of the whole.
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

    /// Adds the edits of `other` behind these.
    ///
    /// # Panics
    ///
    /// If they begin before the end of these.
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

    /// These edits and those of `other`, which may stand anywhere between them.
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

    /// The edits within a stretch, as edits of that stretch.
    ///
    /// ```
    /// use absolve_links::Edits;
    /// assert_eq!(Edits::from([(0..1, "x"), (5..6, "z")]).within(5..9), Edits::from([(0..1, "z")]));
    /// ```
    #[must_use]
    pub fn within(&self, stretch: Range<usize>) -> Self {
        let first = self.edits.partition_point(|edit| edit.range.start < stretch.start);
        let mut text_start = first.checked_sub(1).map_or(0, |before| self.edits[before].text_end);
        let mut found = Self::default();
        for edit in self.edits[first..].iter().take_while(|edit| edit.range.end <= stretch.end) {
            let range = edit.range.start - stretch.start..edit.range.end - stretch.start;
            found.push(range, &self.text[text_start..edit.text_end]);
            text_start = edit.text_end;
        }
        found
    }
}

impl<T: AsRef<[u8]>, const N: usize> From<[(Range<usize>, T); N]> for Edits {
    fn from(edits: [(Range<usize>, T); N]) -> Self {
        let mut collected = Self::default();
        edits.into_iter().for_each(|(range, text)| collected.push(range, text.as_ref()));
        collected
    }
}
