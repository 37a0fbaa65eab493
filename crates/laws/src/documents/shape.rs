//! The shape of a document: html5ever and cssparser see the same elements, attributes, texts and tokens before and after, and in
//! place of each reference its target. They decode all values, so that a character reference or an escape that is read
//! differently is a difference.

mod replaced;

use absolve_links::{Document, DocumentType, Grammar, Table};
use absolve_rewriter::{ListedLink, Status};
use cssparser::{ParseError, Parser, Token};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use url::{ParseError as UrlError, Url};

use crate::rewritten::verified::{BRACKETS, brackets};
use replaced::Replaced;

/// Checks a document and its result, whose links are `before` and `after`. Returns the links that stay relative, as html5ever
/// sees them.
#[track_caller]
pub(crate) fn check(
    [old, new]: [&Document<'_>; 2],
    table: &Table,
    [before, after]: [&[ListedLink]; 2],
    name: &str,
) -> Vec<String> {
    let changed = before.iter().zip(after).filter(|(old, _)| old.status == Status::Relative);
    let links = changed.map(|(old, new)| (&*old.reference, &*new.reference));
    let mut comparison = Comparison { links: Replaced::new(links), table, relative: Vec::new() };
    let [old_text, new_text] = [old, new].map(|document| document.encoding().decode(document.bytes()).0);
    let checked = match old.document_type() {
        DocumentType::Html => comparison.html(&old_text, &new_text),
        DocumentType::Css => comparison.css(&old_text, &new_text),
        _ => Ok(()),
    };
    if let Err(difference) = checked {
        panic!("{name}: {difference}\nbecame {new_text:?}");
    }
    comparison.relative
}

struct Comparison<'c> {
    links: Replaced,
    table: &'c Table,
    relative: Vec<String>,
}

impl Comparison<'_> {
    fn html(&mut self, old: &str, new: &str) -> Result<(), String> {
        let mut pairs = vec![(tree(old), tree(new))];
        while let Some((old, new)) = pairs.pop() {
            self.node(&old, &new)?;
            let (old_children, new_children) = (old.children.borrow(), new.children.borrow());
            if old_children.len() != new_children.len() {
                return Err(format!("{} children became {}", old_children.len(), new_children.len()));
            }
            pairs.extend(old_children.iter().cloned().zip(new_children.iter().cloned()));
            if let (
                NodeData::Element { template_contents: old, .. },
                NodeData::Element { template_contents: new, .. },
            ) = (&old.data, &new.data)
            {
                pairs.extend(old.borrow().iter().cloned().zip(new.borrow().iter().cloned()));
            }
        }
        Ok(())
    }

    fn node(&mut self, old: &Handle, new: &Handle) -> Result<(), String> {
        match (&old.data, &new.data) {
            (NodeData::Element { name, attrs: old, .. }, NodeData::Element { name: new_name, attrs: new, .. })
                if name == new_name =>
            {
                let (old, new) = (old.borrow(), new.borrow());
                let names = |attributes: &[html5ever::Attribute]| -> Vec<_> {
                    attributes.iter().map(|attribute| attribute.name.clone()).collect()
                };
                if names(&old) != names(&new) {
                    return Err(format!("{old:?} became {new:?}"));
                }
                for (old, new) in old.iter().zip(new.iter()) {
                    self.value(&name.local, &old.name.local, &old.value, &new.value)?;
                }
                Ok(())
            }
            (NodeData::Text { contents: text }, NodeData::Text { contents: new_text }) => {
                let (text, new_text) = (text.borrow(), new_text.borrow());
                match *text == *new_text {
                    true => Ok(()),
                    false if is_style(old) => self.css(&text, &new_text),
                    false => Err(format!("the text {text:?} became {new_text:?}")),
                }
            }
            (NodeData::Comment { contents: old }, NodeData::Comment { contents: new }) => match old == new {
                true => Ok(()),
                false if old.trim_start().starts_with("[if") => self.html(old, new),
                false => Err(format!("the comment {old:?} became {new:?}")),
            },
            (NodeData::Document, NodeData::Document) => Ok(()),
            (NodeData::Doctype { name, .. }, NodeData::Doctype { name: new_name, .. }) if name == new_name => Ok(()),
            _ => Err(format!("{:?} became {:?}", old.data, new.data)),
        }
    }

    /// Compares the values of an attribute, by its grammar.
    fn value(&mut self, element: &str, name: &str, old: &str, new: &str) -> Result<(), String> {
        if old == new {
            let is_relative = || Url::parse(old) == Err(UrlError::RelativeUrlWithoutBase);
            if matches!((element, name), ("a", "href") | ("img", "src")) && is_path(old) && is_relative() {
                self.relative.push(old.to_owned());
            }
            return Ok(());
        }
        let is_of = |grammar| self.table.rows().iter().any(|row| row.attribute == name && row.grammar == grammar);
        if is_of(Grammar::Html) {
            return self.html(old, new);
        }
        match self.links.turn(old, new) && !is_of(Grammar::Css) {
            true => Ok(()),
            false => self.css(old, new),
        }
    }

    /// Compares all tokens.
    fn css(&self, old: &str, new: &str) -> Result<(), String> {
        if brackets(old.as_bytes()) > BRACKETS {
            return Ok(());
        }
        let differ = || format!("{old:?} became {new:?}");
        let (old_tokens, new_tokens) = (tokens(old), tokens(new));
        if old_tokens.len() != new_tokens.len() {
            return Err(differ());
        }
        for (token, new_token) in old_tokens.iter().zip(&new_tokens) {
            match (token, new_token) {
                _ if token == new_token => {}
                (Some(Token::UnquotedUrl(url)), Some(Token::UnquotedUrl(new))) if self.links.turn(url, new) => {}
                // Placeholders of templates make a URL bad, which is not decoded.
                (Some(Token::BadUrl(url)), Some(Token::BadUrl(new)))
                    if self.links.turn(url, new) || self.css(&as_string(url), &as_string(new)).is_ok() => {}
                (Some(Token::QuotedString(text)), Some(Token::QuotedString(new)))
                    if self.links.turn(text, new) || self.css(text, new).is_ok() => {}
                _ => return Err(format!("{}: {token:?} became {new_token:?}", differ())),
            }
        }
        Ok(())
    }
}

/// Returns whether a value begins like a path: it is not empty, no fragment and no query.
fn is_path(value: &str) -> bool {
    value.trim_start_matches(|character| character <= ' ').starts_with(|first: char| first.is_ascii_alphanumeric())
}

fn is_style(text: &Handle) -> bool {
    let parent = text.parent.take();
    let element = parent.as_ref().and_then(std::rc::Weak::upgrade);
    text.parent.set(parent);
    matches!(element.as_ref().map(|element| &element.data), Some(NodeData::Element { name, .. }) if &*name.local == "style")
}

fn tree(text: &str) -> Handle {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let mut options = ParseOpts { tree_builder, ..ParseOpts::default() };
    // The text has no mark; html5ever drops one behind each script.
    options.tokenizer.discard_bom = false;
    parse_document(RcDom::default(), options).one(text).document
}

/// Returns what is between the parentheses of a bad URL as a string.
fn as_string(url: &str) -> String {
    format!("'{}'", url.trim_ascii_end().replace('\'', "\\'"))
}

/// Returns all tokens; `None` is the end of a block.
fn tokens(css: &str) -> Vec<Option<Token<'_>>> {
    let mut tokens = Vec::new();
    read(&mut Parser::new(css), &mut tokens);
    tokens
}

fn read<'c>(parser: &mut Parser<'c>, tokens: &mut Vec<Option<Token<'c>>>) {
    while let Ok(token) = parser.next_including_whitespace_and_comments() {
        tokens.push(Some(token.clone()));
        let is_block = matches!(
            token,
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock
        );
        if is_block {
            let _ = parser.parse_nested_block(|parser| {
                read(parser, tokens);
                Ok::<(), ParseError<()>>(())
            });
            tokens.push(None);
        }
    }
}
