//! No tree at all: for stretches that are no whole document.

use super::feedback::Feedback;
use super::special::{Special, special};
use super::token::{Content, StartTag};

/// Feedback from the names of elements alone. In a conditional comment elements may begin that end elsewhere, and end
/// that began elsewhere.
#[derive(Debug)]
pub(crate) struct TokenLevel;

impl Feedback for TokenLevel {
    fn start_tag(&mut self, _document: &[u8], tag: &StartTag) -> Content {
        match special(tag.element) {
            Some(Special::Text(content)) => content,
            _ => Content::Markup,
        }
    }

    fn end_tag(&mut self, _name: &[u8]) {}

    fn allows_cdata(&self) -> bool {
        false
    }

    fn is_done(&self) -> bool {
        false
    }

    /// A base in a conditional comment never counts.
    fn first_base(&self) -> Option<usize> {
        None
    }
}
