//! The properties on generated input, on fixtures, and on what fuzzing has found.

mod bodies;
mod choices;
mod delimiters;
mod documents;
mod mutated;
mod references;
