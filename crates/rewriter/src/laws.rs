//! Laws that need the inside of this crate, for its tests and for fuzzing.

mod marks;
mod records;
mod short_way;
#[cfg(test)]
mod tests;
mod transfers;

pub use marks::marks_stand_in_the_page;
pub use records::{records_are_the_arc, records_are_the_mbox, records_are_the_warc};
pub use short_way::short_way_makes_the_same_edits;
pub use transfers::{edits_in_base64, edits_in_lines, edits_in_quoted_printable};

#[cfg(test)]
pub(crate) use records::{records_are_found, records_of};
#[cfg(test)]
pub(crate) use transfers::edits_are_made_inside;
