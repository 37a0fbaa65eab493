//! Tests of the links found in documents, by vectors and by third-party tables.

mod annotations;
mod comments;
mod encodings;
mod foreign_styles;
mod peers_vectors;
mod table;
mod vectors;
