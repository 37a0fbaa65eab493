#![doc = include_str!("../README.md")]
// What only XML needs of other modules is small.
#![cfg_attr(not(feature = "xml"), allow(dead_code))]

mod css;
mod document;
mod document_type;
mod gather;
mod html;
mod limits;
mod markdown;
mod markup;
mod scan;
mod scanner;
mod table;
mod text;
mod value;
#[cfg(feature = "xml")]
mod xml;

pub use document::Document;
pub use document_type::DocumentType;
pub use gather::codebase::is_of_plug_in;
pub use gather::grammar::{ForScripts, refresh_url};
pub use html::budget::Budgeted;
pub use html::head::Head;
pub use limits::{NESTED_XML_BASES, inserted_bytes};
pub use markdown::budget::{is_markdown_too_large, markdown_cut};
pub use markdown::front_matter::front_matter_end;
pub use markdown::pieces::is_text_in_markdown;
pub use markup::attributes::Quote;
pub use markup::commentable::commentable;
pub use scan::{Annotation, Link, MarkdownPlace, Obstacle, Place, Refusal, Remark, RemarkKind, Scan, Scope};
pub use table::Table;
pub use table::row::{
    Grammar, Group, ResolvesIn, Row, SameDocument, Syntax, UnknownRow, When, declares_base, embeds_image,
};
pub use table::vocabulary::Vocabulary;
pub use text::field::field_references;
pub use value::character_reference::{Context as ReferenceContext, decode as character_reference};
pub use value::decoded::Decoded;
pub use value::edits::Edits;
pub use value::patterns::{InvalidPattern, Patterns};
pub use value::placeholder::{
    EXPRESSIONS, PLACEHOLDERS, first_placeholder, holds_expression, holds_placeholder, placeholder_around, placeholders,
};
pub use value::reference::Reference;
pub use value::wrapping::{Wrapping, css_escape};
pub use value::wrappings::Wrappings;
#[cfg(feature = "xml")]
pub use xml::entities::Entities;
#[cfg(feature = "xml")]
pub use xml::namespaces::Namespaces;

/// Laws that need the inside of this crate, for its tests and for fuzzing.
#[cfg(any(test, fuzzing))]
pub mod laws {
    pub use crate::css::laws::finds_what_cssparser_finds;
    pub use crate::html::laws::{common_tags_hold_the_same_links, tags_are_those_of_html5ever};
}
