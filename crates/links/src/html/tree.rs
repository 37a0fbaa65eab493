//! Feedback from the tree construction of html5ever, for the few documents that need a tree.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData};

use super::budget::{Budgeted, is_formatting};
use super::feedback::{Feedback, Hidden};
use super::token::{Content, StartTag};
use crate::gather::values::{attributes_of, value_of};
use crate::markup::attributes::attributes;
use crate::markup::name::Name;
use crate::value::character_reference;
use crate::value::character_reference::decode_all;

/// Feedback that builds the tree. It is always exact, but slow. A budget limits its work, because html5ever takes
/// quadratic time on hostile nesting.
pub(crate) struct Tree {
    builder: TreeBuilder<Handle, Budgeted>,
    /// The number of `<base href>` tags so far.
    bases: usize,
    hidden: Hidden,
    /// The open templates: whether each is a shadow root.
    open_templates: Vec<bool>,
    /// From where to where the outermost others reach, whose content browsers do not load.
    templates: Vec<Range<usize>>,
}

impl Tree {
    pub(crate) fn new(document: &[u8]) -> Self {
        let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let builder = TreeBuilder::new(Budgeted::new(document.len()), options);
        Self { builder, bases: 0, hidden: Hidden::default(), open_templates: Vec::new(), templates: Vec::new() }
    }

    /// Returns whether the work for this document exceeded its budget. The tokens are incomplete then.
    pub(crate) fn is_over_budget(&self) -> bool {
        self.builder.sink.is_spent()
    }

    /// Returns the first `<base href>` of the document tree, as an index among those of the source.
    pub(crate) fn first_base(&self) -> Option<usize> {
        let mut nodes = vec![self.builder.sink.tree.document.clone()];
        while let Some(node) = nodes.pop() {
            if let NodeData::Element { name, attrs, .. } = &node.data
                && name.expanded() == html5ever::expanded_name!(html "base")
                && let Some(href) = attrs.borrow().iter().find(|attribute| attribute.name.local == local_name!("href"))
            {
                return href.value.parse().ok();
            }
            nodes.extend(node.children.borrow().iter().rev().cloned());
        }
        None
    }

    /// Returns where the content of templates is, which browsers do not load.
    pub(crate) fn templates(&self) -> &[Range<usize>] {
        &self.templates
    }

    /// Ends the last template in front of a tag, if none is open. Its end tag has no place here.
    fn leave_templates(&mut self, tag: &StartTag) {
        if self.open_templates.iter().all(|is_shadow_root| *is_shadow_root)
            && let Some(last) = self.templates.last_mut()
        {
            last.end = last.end.min(tag.range.start);
        }
    }

    /// Follows the start tags of templates and `noscript` elements.
    fn enter(&mut self, tag: &StartTag, is_shadow_root: bool) {
        match tag.element {
            TEMPLATE => {
                if !is_shadow_root && self.open_templates.iter().all(|is_shadow_root| *is_shadow_root) {
                    self.templates.push(tag.range.end..usize::MAX);
                }
                self.open_templates.push(is_shadow_root);
            }
            NOSCRIPT => self.hidden.open(tag),
            _ => {}
        }
    }

    /// Processes a token that has no consequences for the tokenizer.
    fn process(&self, token: Token) {
        let _ = self.builder.process_token(token, 1);
    }

    fn process_text(&self, text: &'static str) {
        self.process(Token::CharacterTokens(StrTendril::from_slice(text)));
    }

    /// Processes text. Tree construction only distinguishes white space, NUL and other characters.
    fn process_characters(&self, characters: impl Iterator<Item = char>) {
        let mut class = ("", "");
        for character in characters {
            match character {
                '\0' => {
                    self.process_classes(std::mem::take(&mut class));
                    self.process(Token::NullCharacterToken);
                }
                ' ' | '\t' | '\n' | '\r' | '\x0c' => {
                    if class.1.is_empty() {
                        class.0 = " ";
                    }
                }
                _ => class.1 = "x",
            }
        }
        self.process_classes(class);
    }

    fn process_classes(&self, (space, other): (&'static str, &'static str)) {
        if !space.is_empty() {
            self.process_text(space);
        }
        if !other.is_empty() {
            self.process_text(other);
        }
    }
}

impl Feedback for Tree {
    fn start_tag(&mut self, document: &[u8], tag: &StartTag) -> Content {
        let name = local_name(&document[tag.name.clone()]);
        self.builder.sink.count_formatting(&name, TagKind::StartTag);
        let token = Tag {
            kind: TagKind::StartTag,
            attrs: self.attributes_that_matter(document, tag, &name),
            name,
            self_closing: tag.self_closing,
            had_duplicate_attributes: false,
        };
        let shadow_roots = self.builder.sink.shadow_roots();
        let result = self.builder.process_token(Token::TagToken(token), 1);
        let is_shadow_root = self.builder.sink.shadow_roots() > shadow_roots;
        self.leave_templates(tag);
        // In a title of SVG, it is an element of HTML.
        if !self.allows_cdata() {
            self.enter(tag, is_shadow_root);
        }
        match result {
            TokenSinkResult::Plaintext => Content::Plaintext,
            TokenSinkResult::RawData(RawKind::Rcdata | RawKind::Rawtext) => Content::RawText,
            TokenSinkResult::RawData(_) => Content::Script,
            _ if tag.element == STYLE && !self.allows_cdata() => Content::Ignored,
            _ => Content::Markup,
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        let name = local_name(name);
        if name == local_name!("template") {
            self.open_templates.pop();
        }
        self.builder.sink.count_formatting(&name, TagKind::EndTag);
        let token = Tag {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        self.process(Token::TagToken(token));
    }

    fn allows_cdata(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    fn is_done(&self) -> bool {
        self.is_over_budget()
    }

    fn text(&mut self, document: &[u8], text: Range<usize>) {
        let text = String::from_utf8_lossy(&document[text]);
        let mut rest = &*text;
        while let Some((before, after)) = rest.split_once('&') {
            self.process_characters(before.chars());
            let reference = character_reference::decode(&rest[before.len()..], character_reference::Context::Text);
            let ((first, second), length) = reference.unwrap_or((('&', None), 1));
            self.process_characters(std::iter::once(first).chain(second));
            rest = &after[length - 1..];
        }
        self.process_characters(rest.chars());
    }

    fn cdata(&mut self, document: &[u8], text: Range<usize>) {
        self.process_characters(String::from_utf8_lossy(&document[text]).chars());
    }

    fn comment(&mut self) {
        self.process(Token::CommentToken(StrTendril::new()));
    }

    fn doctype(&mut self, doctype: &[u8]) {
        if let Some(doctype) = parse_doctype(doctype) {
            self.process(Token::DoctypeToken(doctype));
        }
    }

    fn end_of_document(&mut self) {
        self.process(Token::EOFToken);
    }
}

impl Tree {
    /// Returns the attributes that matter to tree construction, and for a base its index.
    fn attributes_that_matter(&mut self, document: &[u8], tag: &StartTag, name: &str) -> Vec<Attribute> {
        let mut found: Vec<Attribute> = Vec::new();
        let mut names = HashSet::new();
        if tag.is_base_with_href(document) {
            if !self.hidden.hides(document, tag.range.start) {
                found.push(attribute(local_name!("href"), self.bases.to_string()));
            }
            self.bases += 1;
        } else if tag.element == TEMPLATE {
            let attributes = attributes_of(document, tag.name.end);
            if let Some(mode) = value_of(document, &attributes, "shadowrootmode") {
                found.push(attribute(
                    local_name!("shadowrootmode"),
                    decode_all(&String::from_utf8_lossy(mode)).to_ascii_lowercase(),
                ));
            }
        } else if is_formatting(name) || matches!(name, "input" | "annotation-xml") {
            attributes(document, tag.name.end, |read| {
                let name = local_name(&document[read.name_range]);
                if names.insert(name.clone()) {
                    let value = decode_all(&String::from_utf8_lossy(&document[read.value]));
                    found.push(attribute(name, value));
                }
            });
        }
        found
    }
}

const NOSCRIPT: Name = Name::of("noscript");
const STYLE: Name = Name::of("style");
const TEMPLATE: Name = Name::of("template");

fn local_name(name: &[u8]) -> LocalName {
    LocalName::from(String::from_utf8_lossy(name).to_ascii_lowercase())
}

fn attribute(name: LocalName, value: String) -> Attribute {
    Attribute { name: QualName::new(None, ns!(), name), value: value.into() }
}

/// Parses a doctype with the tokenizer of html5ever. It decides about quirks mode.
pub(super) fn parse_doctype(doctype: &[u8]) -> Option<Doctype> {
    struct Keep(Cell<Option<Doctype>>);
    impl TokenSink for Keep {
        type Handle = ();
        fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
            if let Token::DoctypeToken(doctype) = token {
                self.0.set(Some(doctype));
            }
            TokenSinkResult::Continue
        }
    }
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(&String::from_utf8_lossy(doctype)));
    let tokenizer = Tokenizer::new(Keep(Cell::new(None)), TokenizerOpts::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.take()
}
