//! What the fields of results are made of.

pub use absolve_links::Edits;

pub use crate::finding::{Conflict, Done, KeptPlaceholder, Remedy, Values};
pub use crate::list::unsearched::Unsearched;
pub use crate::position::Position;
pub use crate::report::shown::{HostLinks, Shown, ShownLink};
pub use crate::report::{OutOfReach, Unclear};
