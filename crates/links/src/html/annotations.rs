//! What a page says of its links: the text of an anchor, and the relation that it names.

use std::ops::Range;

use encoding_rs::UTF_8;

use super::feedback::Feedback;
use super::special::{Special, special};
use super::token::{Content, StartTag};
use super::tokenizer::{Visitor, tokenize};
use crate::document::Document;
use crate::document_type::DocumentType;
use crate::limits::ANNOTATION_CHARACTERS;
use crate::markup::attributes::attributes;
use crate::markup::name::Name;
use crate::markup::tag::name_length;
use crate::scan::{Annotation, Place, Scan};
use crate::value::character_reference::{self, Context};

const A: Name = Name::of("a");
const BODY: Name = Name::of("body");
const REL: Name = Name::of("rel");

/// Adds the annotations of the document's own links to those of nested documents.
pub(crate) fn annotate(document: &Document<'_>, scan: &mut Scan) {
    let tag_of = |index: usize| match scan.links.get(index)?.place {
        Place::Attribute { tag, nesting: 0, .. } => Some(tag),
        _ => None,
    };
    // From the last tag to the first: no anchor is read beyond the next one, so that none of its bytes is read twice.
    let (mut annotations, mut until, mut end) = (Vec::new(), document.bytes().len(), scan.links.len());
    while end > 0 {
        let Some(tag) = tag_of(end - 1) else {
            end -= 1;
            continue;
        };
        let first = (0..end).rev().take_while(|index| tag_of(*index) == Some(tag)).last().unwrap_or(end - 1);
        let annotation = annotation(document, tag, until, first..end);
        if annotation.as_ref().is_some_and(|annotation| annotation.text.is_some()) {
            until = tag;
        }
        annotations.extend(annotation);
        end = first;
    }
    scan.annotations.extend(annotations);
    scan.annotations.sort_by_key(|annotation| annotation.links.start);
}

/// Returns the annotation of the links in one tag, if it has any. Of its text, what is after byte `until` is left out.
fn annotation(document: &Document<'_>, tag: usize, until: usize, links: Range<usize>) -> Option<Annotation> {
    let bytes = document.bytes();
    let name_end = tag + 1 + name_length(&bytes[tag + 1..]);
    let name = bytes[tag + 1..name_end].rsplit(|byte| *byte == b':').next().unwrap_or_default();
    let element = Name::of_bytes(name);
    if !RELATED.contains(&element) {
        return None;
    }
    let mut rel = None;
    let end = attributes(bytes, name_end, |attribute| {
        if attribute.name == REL && rel.is_none() {
            rel = Some(attribute.value);
        }
    })?;
    let is_xml = document.document_type() == DocumentType::Xml;
    let rel = rel.map(|value| {
        let mut text = Collapsed::default();
        text.push(document, value, if is_xml { Context::Xml } else { Context::Attribute });
        text.text
    });
    let text = (element == A).then(|| match is_xml && end.self_closing {
        true => String::new(),
        false => text_within(document, end.end..until.max(end.end)),
    });
    (rel.is_some() || text.is_some()).then_some(Annotation { links, rel, text })
}

/// The elements that have a `rel`.
const RELATED: [Name; 4] = [A, Name::of("area"), Name::of("form"), Name::of("link")];

/// Returns the text of the anchor whose content begins with this range.
fn text_within(document: &Document<'_>, range: Range<usize>) -> String {
    let mut anchor = Anchor { document, text: Collapsed::default(), is_closed: false };
    tokenize(&document.bytes()[..range.end], range.start, &mut anchor, &mut Ignored);
    anchor.text.text
}

/// The content of an anchor, up to its end tag, the next anchor, or the end of the body.
struct Anchor<'c, 'd> {
    document: &'c Document<'d>,
    text: Collapsed,
    is_closed: bool,
}

impl Anchor<'_, '_> {
    fn is_xml(&self) -> bool {
        self.document.document_type() == DocumentType::Xml
    }
}

impl Feedback for Anchor<'_, '_> {
    fn start_tag(&mut self, document: &[u8], tag: &StartTag) -> Content {
        self.is_closed |= local_name(&document[tag.name.clone()]) == A;
        match special(tag.element) {
            Some(Special::Text(content)) if !self.is_xml() => content,
            _ => Content::Markup,
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        self.is_closed |= matches!(local_name(name), A | BODY);
    }

    fn allows_cdata(&self) -> bool {
        self.is_xml()
    }

    fn is_done(&self) -> bool {
        self.is_closed || self.text.is_full()
    }

    fn text(&mut self, _: &[u8], text: Range<usize>) {
        if !self.is_done() {
            self.text.push(self.document, text, if self.is_xml() { Context::Xml } else { Context::Text });
        }
    }

    fn cdata(&mut self, _: &[u8], text: Range<usize>) {
        let bytes = &self.document.bytes()[text];
        self.text.push_text(&String::from_utf8_lossy(bytes));
    }
}

/// Returns the name of an element without its prefix.
fn local_name(name: &[u8]) -> Name {
    Name::of_bytes(name.rsplit(|byte| *byte == b':').next().unwrap_or_default())
}

/// Text without white space at its ends and with single spaces in it, up to a length. Control characters count as white
/// space, but NUL is dropped as browsers drop it.
#[derive(Default)]
struct Collapsed {
    text: String,
    characters: usize,
    has_space_after: bool,
}

impl Collapsed {
    const fn is_full(&self) -> bool {
        self.characters == ANNOTATION_CHARACTERS
    }

    /// Adds a range of the document, without its character references.
    fn push(&mut self, document: &Document<'_>, range: Range<usize>, context: Context) {
        let raw = &document.bytes()[range];
        let (text, _) = document.encoding_of(raw).unwrap_or(UTF_8).decode_without_bom_handling(raw);
        let mut rest = &*text;
        while let Some(at) = rest.find('&').filter(|_| !self.is_full()) {
            self.push_text(&rest[..at]);
            rest = &rest[at..];
            let ((first, second), length) = character_reference::decode(rest, context).unwrap_or((('&', None), 1));
            self.push_character(first);
            second.into_iter().for_each(|second| self.push_character(second));
            rest = &rest[length..];
        }
        self.push_text(rest);
    }

    fn push_text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.chars().next().filter(|_| !self.is_full()) {
            self.push_character(first);
            rest = &rest[first.len_utf8()..];
            // The rest of a word, if it is ASCII: as much as there is room for.
            let room = ANNOTATION_CHARACTERS - self.characters;
            let length = rest.bytes().take(room).take_while(u8::is_ascii_graphic).count();
            if first.is_ascii_graphic() && length > 0 {
                self.text.push_str(&rest[..length]);
                self.characters += length;
                rest = &rest[length..];
            }
        }
    }

    fn push_character(&mut self, character: char) {
        if character == '\0' {
            return;
        }
        if character.is_whitespace() || character.is_control() {
            self.has_space_after = true;
            return;
        }
        let space = if self.has_space_after && !self.text.is_empty() { " " } else { "" };
        self.has_space_after = false;
        if self.characters + space.len() == ANNOTATION_CHARACTERS {
            // The next word begins after the limit, and no space ends the text.
            self.characters = ANNOTATION_CHARACTERS;
            return;
        }
        self.text.push_str(space);
        self.text.push(character);
        self.characters += space.len() + 1;
    }
}

/// Visits nothing: the text comes from the feedback.
struct Ignored;

impl Visitor for Ignored {}
