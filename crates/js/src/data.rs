//! What JavaScript passes and receives as a document.

use wasm_bindgen::prelude::*;

/// The memory of a document. JavaScript writes the document into it, so that it is copied once.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    is_text: bool,
}

#[wasm_bindgen]
impl Input {
    /// Returns memory for a string in UTF-8, with room for so many bytes.
    #[wasm_bindgen(js_name = ofText)]
    pub fn of_text(room: usize) -> Self {
        Self { bytes: vec![0; room], is_text: true }
    }

    /// Returns memory for so many bytes.
    #[wasm_bindgen(js_name = ofBytes)]
    pub fn of_bytes(length: usize) -> Self {
        Self { bytes: vec![0; length], is_text: false }
    }

    /// Returns where the memory begins, until it is resized.
    pub fn pointer(&self) -> usize {
        self.bytes.as_ptr() as usize
    }

    /// Sets its length in bytes, and keeps what stands in it.
    pub fn resize(&mut self, length: usize) {
        self.bytes.resize(length, 0);
    }
}

impl Input {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the text, if it is a string.
    pub(crate) fn text(&self) -> Option<&str> {
        if self.is_text { str::from_utf8(&self.bytes).ok() } else { None }
    }

    /// Returns the charset of a string, which is decoded already, whatever it declares.
    pub(crate) fn charset(&self) -> Option<&'static str> {
        self.is_text.then_some("utf-8")
    }

    /// Returns new content as JavaScript has it: a string for a string, bytes for bytes.
    pub(crate) fn result(&self, content: &[u8]) -> JsValue {
        if self.is_text {
            JsValue::from_str(&String::from_utf8_lossy(content))
        } else {
            js_sys::Uint8Array::from(content).into()
        }
    }
}
