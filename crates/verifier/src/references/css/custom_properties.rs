//! Custom properties, whose URLs browsers resolve at different stylesheets.

use std::collections::HashSet;
use std::rc::Rc;

use absolve_links::DocumentType;
use cssparser::{Parser, Token};

use crate::references::attributes::{attributes, name_length};
use crate::references::found::Found;

/// The declaration of a custom property around the current token, if there is one.
#[derive(Debug, Default)]
pub(super) struct Declaration {
    /// Whether something stands between the start of the declaration and the token.
    has_begun: bool,
    /// A name that a colon may follow.
    name: Option<Rc<str>>,
    /// Its property, and the number of blocks around it.
    property: Option<(Rc<str>, usize)>,
}

impl Declaration {
    /// Passes a token with so many blocks around it; returns the property whose value it belongs to.
    pub(super) fn pass(&mut self, token: &Token<'_>, depth: usize) -> Option<Rc<str>> {
        let is_end = matches!(token, Token::Semicolon | Token::CloseCurlyBracket);
        match (&self.property, token) {
            (Some((_, around)), _) if !(is_end && depth <= *around) => {}
            (None, Token::Comment(_) | Token::WhiteSpace(_)) => {}
            (None, Token::Colon) if self.name.is_some() => self.property = self.name.take().zip(Some(depth)),
            (None, Token::Ident(name)) if !self.has_begun && name.starts_with("--") => {
                (self.has_begun, self.name) = (true, Some((**name).into()));
            }
            _ => {
                let has_begun = !is_end && !matches!(token, Token::CurlyBracketBlock);
                *self = Self { has_begun, ..Self::default() };
            }
        }
        self.property.as_ref().map(|(name, _)| Rc::clone(name))
    }
}

/// Marks the references of a document in those custom properties that nothing in its text uses, or registers as URLs. A path from the
/// root is the same at all stylesheets of one host, unless the document names one of another host.
pub(crate) fn mark_foreign(found: &mut Found, text: &str, document_type: DocumentType) {
    let is_declared = |property: &Option<Rc<str>>| property.is_some();
    if !found.references.iter().any(|one| is_declared(&one.property)) {
        return;
    }
    let mut code = String::new();
    // A stylesheet by itself has no tags.
    let markup = match document_type {
        DocumentType::Css => {
            push_without_comments(text, &mut code);
            ""
        }
        _ => {
            push_code(text, &mut code);
            text
        }
    };
    let (known, stands_alone) = (known_names(&code), stands_alone(markup));
    let is_of_one_host = !links_host(markup) && !imports_host(&code);
    for one in &mut found.references {
        let is_foreign = |property: Rc<str>| {
            let is_same = is_of_one_host && one.text.starts_with('/');
            !stands_alone && !known.contains(&*property) && !is_same
        };
        one.is_foreign |= one.property.take().is_some_and(is_foreign);
    }
}

/// Appends what of a page may use a property: the values of its attributes, and the texts of its styles and scripts.
fn push_code(page: &str, code: &mut String) {
    let mut rest = page;
    while let Some((_, behind)) = rest.split_once('<') {
        rest = behind;
        if behind.starts_with("!--") {
            // The dashes that open a comment may close it.
            rest = behind[1..].split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        if !behind.starts_with(|first: char| first.is_ascii_alphabetic()) {
            continue;
        }
        let name = &behind[..name_length(behind)];
        let tag = attributes(behind, name.len());
        let Some(inside) = behind.get(tag.end + 1..) else { return };
        tag.all.iter().for_each(|one| push_without_comments(&behind[one.value.clone()], code));
        let name = name.to_ascii_lowercase();
        rest = inside;
        if name.ends_with("style") || name.ends_with("script") {
            let is_end =
                |at: &usize| inside.get(at + 2..at + 2 + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(&name));
            let end = inside.match_indices("</").map(|(at, _)| at).find(is_end);
            let (text, behind) = inside.split_at(end.unwrap_or(inside.len()));
            rest = behind;
            match name.ends_with("style") {
                true => push_without_comments(text, code),
                false => code.extend([text, "\n"]),
            }
        }
    }
}

/// Appends the tokens of CSS, except for its comments, and a line end.
fn push_without_comments(css: &str, code: &mut String) {
    let mut at = 0;
    loop {
        let mut parser = Parser::new(&css[at..]);
        let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { break };
        let start = at;
        at += parser.position().byte_index();
        code.push_str(if matches!(token, Token::Comment(_)) { "" } else { &css[start..at] });
    }
    code.push('\n');
}

/// Reports whether a text is a page to which neither a stylesheet nor a script of another file belongs.
fn stands_alone(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut starts = ["<html", "<!doctype"].into_iter();
    starts.any(|start| text.contains(start))
        && ["stylesheet", "@import"].iter().all(|word| !text.contains(word))
        && text.split("<script").skip(1).all(is_data)
}

/// Reports whether a script, behind its name, has a type that no browser runs.
fn is_data(script: &str) -> bool {
    let kind = attribute(script, "type").unwrap_or_default().trim();
    !kind.is_empty() && kind != "module" && !kind.contains("script")
}

/// Returns the value of an attribute of a tag, behind its name. Another tag ends it.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let tag = tag.split('<').next().unwrap_or_default();
    let all = attributes(tag, 0).all;
    all.into_iter().find(|attribute| attribute.name == name).map(|attribute| &tag[attribute.value])
}

/// Reports whether what begins with a URL, in CSS or in an attribute in lower case, begins with one that names its host.
fn begins_host(url: &str) -> bool {
    let is_open = |one: char| one.is_ascii_whitespace() || ['"', '\''].contains(&one);
    let url = url.trim_start_matches(is_open);
    let url = url.strip_prefix("url(").unwrap_or(url).trim_start_matches(is_open);
    ["http:", "https:", "//"].iter().any(|host| url.starts_with(host))
}

/// Reports whether a stylesheet imports another one with its host.
fn imports_host(text: &str) -> bool {
    text.to_ascii_lowercase().split("@import").skip(1).any(begins_host)
}

/// Reports whether a page links a stylesheet with its host.
fn links_host(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut tags = text.split('<').filter(|tag| tag.contains("stylesheet"));
    tags.any(|tag| {
        let behind = tag.find(|one: char| !one.is_alphanumeric() && !"?-:".contains(one)).map(|end| &tag[end..]);
        behind.and_then(|behind| attribute(behind, "href")).is_some_and(begins_host)
    })
}

/// Returns the custom properties that a text names in `var()`, or in an `@property` for URLs.
fn known_names(text: &str) -> HashSet<&str> {
    let mut known = HashSet::new();
    for piece in text.split('(').zip(text.split('(').skip(1)) {
        if piece.0.get(piece.0.len().saturating_sub(3)..).is_some_and(|word| word == "var" || word == "VAR") {
            known.insert(name_of(piece.1));
        }
    }
    for rule in text.split("@property").skip(1) {
        let block = rule.split('}').next().unwrap_or_default();
        if block.contains("<url>") || block.contains("<image>") {
            known.insert(name_of(rule));
        }
    }
    known
}

fn name_of(text: &str) -> &str {
    let text = text.trim_ascii_start();
    let is_name = |one: char| one.is_alphanumeric() || !one.is_ascii() || matches!(one, '-' | '_');
    &text[..text.find(|one| !is_name(one)).unwrap_or(text.len())]
}
