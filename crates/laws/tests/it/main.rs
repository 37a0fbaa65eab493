//! The properties on generated input, on fixtures, and on what fuzzing has found.

#![allow(clippy::disallowed_methods)]

mod bodies;
mod choices;
mod delimiters;
mod documents;
mod mutated;
mod references;
