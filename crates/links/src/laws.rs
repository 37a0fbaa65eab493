//! Laws that need the inside of this crate, for its tests and for fuzzing.

pub use crate::css::laws::finds_what_cssparser_finds;
pub use crate::html::laws::tags_are_those_of_html5ever;
