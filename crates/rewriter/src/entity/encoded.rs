//! What all transfer encodings have in common that hide a document.

use std::fmt::Debug;

use absolve_links::Edits;

/// A body without its encoding, and the way back.
pub(crate) trait Encoded: Debug + Send + Sync {
    /// Returns the bytes of the document in it.
    fn bytes(&self) -> &[u8];

    /// Returns where a byte of the document stands in the raw bytes; in base64, their beginning.
    fn raw_byte(&self, byte: usize) -> usize;

    /// Returns whether the encoding is slightly malformed.
    fn is_irregular(&self) -> bool {
        false
    }

    /// Converts edits of the document to edits of the raw bytes, with this line end.
    fn lift(&self, raw: &[u8], edits: &Edits, end: &[u8]) -> Edits;
}
