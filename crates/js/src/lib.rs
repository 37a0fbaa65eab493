//! The WebAssembly module of the npm package `absolve`.
//!
//! What JavaScript calls stands in `package/absolve.js`, with types in `package/absolve.d.ts`. Options come as JSON, and reports
//! leave as JSON: one call over the border of the module is quicker than an object field by field.

mod data;
mod engine;
mod error;
mod offsets;
mod options;
mod results;
mod wording;

pub use data::Input;
pub use engine::Engine;

use absolve_rewriter::internal::target_of;
use absolve_rewriter::{BaseUrl, Standard};
use wasm_bindgen::prelude::*;

use crate::error::Failure;
use crate::options::named_value;

/// Prepares the module: a panic throws its message, and ends the instance.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Returns the URL that a reference means at a base, by the standard with this name.
///
/// # Errors
///
/// If there is no such standard, or the base cannot be one.
#[wasm_bindgen]
pub fn resolve(reference: &str, base: &str, standard: &str) -> Result<Option<String>, JsValue> {
    let standard = named_value("standard", standard, &Standard::ALL.map(|one| (one.name(), one)))?;
    let url = BaseUrl::parse(base, standard)
        .map_err(|error| Failure::InvalidUrl(format!("{base:?} cannot be a base: {error}")))?;
    Ok(target_of(&url, reference))
}

/// Returns the version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
