//! The laws over generated input, over fixtures, and over what fuzzing has found.

mod bodies;
mod references;
