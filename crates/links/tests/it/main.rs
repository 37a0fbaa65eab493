//! Tests of the links found in documents, by vectors and by third-party tables.

#![allow(clippy::disallowed_methods)]

mod annotations;
mod comments;
mod encodings;
mod foreign_styles;
mod peers_vectors;
mod table;
mod vectors;
