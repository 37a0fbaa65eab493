//! Feedback without a tree, for fragments.

use super::feedback::Feedback;
use super::special::{Special, special};
use super::token::{Content, StartTag};

/// Feedback from element names alone. In a conditional comment, elements may lack their start or end tags.
#[derive(Debug)]
pub(crate) struct TokenLevel;

impl Feedback for TokenLevel {
    fn start_tag(&mut self, _document: &[u8], tag: &StartTag) -> Content {
        match special(tag.element) {
            Some(Special::Text(content)) => content,
            _ => Content::Markup,
        }
    }
}
