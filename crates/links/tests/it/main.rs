//! What is found in documents, by vectors and by the tables of others.

mod comments;
mod encodings;
mod foreign_styles;
mod peers_vectors;
mod table;
mod vectors;
