//! Laws that need private items of this crate, for its tests and for fuzzing.

mod marks;
mod short_way;
#[cfg(test)]
mod tests;
mod transfers;

pub use marks::marks_stand_in_the_page;
pub use short_way::short_way_makes_the_same_edits;
pub use transfers::{edits_in_base64, edits_in_lines, edits_in_quoted_printable};

#[cfg(test)]
pub(crate) use transfers::edits_are_made_inside;
