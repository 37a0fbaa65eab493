//! The tests of what the crate exports, as one program.

mod features;
mod public_names;
mod rewriter;
#[cfg(feature = "xml")]
mod vectors;
