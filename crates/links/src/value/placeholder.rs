//! The marks of placeholders of template systems.

/// The opening and closing marks of placeholders. The first ones, [`EXPRESSIONS`], hold expressions.
///
/// ```
/// use absolve_links::{EXPRESSIONS, PLACEHOLDERS};
/// assert!(PLACEHOLDERS.contains(&("*|", "|*")) && !PLACEHOLDERS[..EXPRESSIONS].contains(&("*|", "|*")));
/// ```
pub const PLACEHOLDERS: [(&str, &str); 12] = [
    ("{{{", "}}}"),
    ("{{", "}}"),
    ("{%", "%}"),
    ("<%", "%>"),
    ("<?=", "?>"),
    ("<?php", "?>"),
    ("${", "}"),
    ("<?", "?>"),
    ("*|", "|*"),
    ("%%", "%%"),
    ("$(", ")"),
    ("@@", "@@"),
];

/// How many of them, the first ones, hold expressions with white space, commas and quotes, where the grammar of a value cuts them.
pub const EXPRESSIONS: usize = 7;
