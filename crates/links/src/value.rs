//! Decodes values, and encodes their replacements.

pub(crate) mod character_reference;
pub(crate) mod decoded;
pub(crate) mod delimiter;
pub(crate) mod edits;
pub(crate) mod json;
pub(crate) mod patterns;
pub(crate) mod placeholder;
pub(crate) mod reference;
pub(crate) mod unwrapped;
mod utf_16;
pub(crate) mod wrapping;
pub(crate) mod wrappings;
