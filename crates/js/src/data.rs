//! What JavaScript passes and receives as a document.

use wasm_bindgen::prelude::*;

/// The memory for documents, one after the other. JavaScript writes a document into it, so that it is copied once.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    is_text: bool,
}

#[wasm_bindgen]
impl Input {
    /// Returns memory without a document.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for so many bytes of a string in UTF-8, and returns where it begins.
    #[wasm_bindgen(js_name = ofText)]
    pub fn of_text(&mut self, length: usize) -> usize {
        self.is_text = true;
        self.resized(length)
    }

    /// Makes room for so many bytes, and returns where it begins.
    #[wasm_bindgen(js_name = ofBytes)]
    pub fn of_bytes(&mut self, length: usize) -> usize {
        self.is_text = false;
        self.resized(length)
    }
}

impl Input {
    /// Sets the length, and keeps what stands in it.
    fn resized(&mut self, length: usize) -> usize {
        self.bytes.resize(length, 0);
        self.bytes.as_ptr() as usize
    }

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
    pub(crate) fn result(&self, content: Vec<u8>) -> JsValue {
        if self.is_text { JsValue::from_str(&String::from_utf8_lossy(&content)) } else { content.into() }
    }
}
