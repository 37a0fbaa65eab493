//! What a call throws.

use absolve_rewriter::BaseError;
use wasm_bindgen::prelude::*;

/// Why a call fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An option has a wrong value.
    InvalidOption(String),
    /// A URL cannot be a base.
    InvalidUrl(String),
}

impl From<BaseError> for Failure {
    fn from(error: BaseError) -> Self {
        Self::InvalidUrl(error.to_string())
    }
}

impl From<Failure> for JsValue {
    /// Returns the code, a space and the message: the text that `engine.js` makes an `AbsolveError` of.
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::InvalidOption(message) => format!("invalid-option {message}"),
            Failure::InvalidUrl(message) => format!("invalid-url {message}"),
        }
        .into()
    }
}
