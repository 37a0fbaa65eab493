//! Offsets in strings of JavaScript.

/// Offsets in a string, in UTF-16 code units, of offsets in its UTF-8. They are looked up in rising order.
#[derive(Debug)]
pub(crate) struct Offsets<'t> {
    text: Option<&'t str>,
    byte: usize,
    unit: usize,
}

impl<'t> Offsets<'t> {
    /// Returns the offsets in a text, or in bytes, where they stay the same.
    pub(crate) fn new(text: Option<&'t str>) -> Self {
        Self { text: text.filter(|text| !text.is_ascii()), byte: 0, unit: 0 }
    }

    /// Returns the offset of a byte.
    pub(crate) fn of(&mut self, byte: usize) -> usize {
        let Some(text) = self.text else { return byte };
        if byte < self.byte {
            (self.byte, self.unit) = (0, 0);
        }
        self.unit += text.get(self.byte..byte).map_or(byte - self.byte, |between| between.encode_utf16().count());
        self.byte = byte;
        self.unit
    }
}
