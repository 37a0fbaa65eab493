//! The references of a document as html5ever, xml5ever and a few lines of the plainest kind see them.

use std::collections::HashSet;

use absolve_links::{Document, DocumentType, Grammar, Row, Syntax, Table, When};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// The references of a document.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// At the places of a table, decoded, in no certain order.
    pub(crate) all: Vec<String>,
    /// Those that the tree may have several times for one tag: of the elements that HTML calls formatting.
    pub(crate) cloned: HashSet<String>,
}

/// Finds the references of a document.
pub(crate) fn references(document: &Document<'_>, document_type: DocumentType, table: &Table) -> References {
    let text = document.encoding().decode(document.bytes()).0;
    let mut found = References::default();
    match document_type {
        DocumentType::Html => of_html(&text, table, &mut found),
        DocumentType::Css => of_css(&text, &mut found.all),
        DocumentType::Xml => {
            let tree = xml5ever::driver::parse_document(RcDom::default(), Default::default()).one(&*text);
            of_tree(&tree.document, table, &mut found);
        }
        _ => of_text(&text, &mut found.all),
    }
    found
}

fn of_html(text: &str, table: &Table, found: &mut References) {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(text);
    of_tree(&tree.document, table, found);
}

fn of_tree(root: &Handle, table: &Table, found: &mut References) {
    const FORMATTING: [&str; 14] =
        ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
    let mut nodes: Vec<Handle> = vec![root.clone()];
    while let Some(node) = nodes.pop() {
        if let NodeData::Element { name, attrs, template_contents, .. } = &node.data {
            let element = name.local.to_ascii_lowercase().to_string();
            for attribute in attrs.borrow().iter() {
                if let Some(row) = row_of(&element, attribute, &attrs.borrow(), table) {
                    let first = found.all.len();
                    of_value(row.grammar, &attribute.value, table, found);
                    if FORMATTING.contains(&&*element) {
                        found.cloned.extend(found.all[first..].iter().cloned());
                    }
                }
            }
            if element == "style" {
                of_css(&text_of(&node), &mut found.all);
            }
            nodes.extend(template_contents.borrow().iter().cloned());
        }
        nodes.extend(node.children.borrow().iter().cloned());
    }
}

pub(crate) fn row_of<'t>(element: &str, attribute: &Attribute, all: &[Attribute], table: &'t Table) -> Option<&'t Row> {
    let name = qualified(attribute);
    let is_of = |row: &&Row| row.syntax == Syntax::Any && row.attribute == name;
    let own: Vec<&Row> = table.rows().iter().filter(is_of).filter(|row| row.element == element).collect();
    let holds = |row: &&&Row| match row.when {
        When::Holds(names, values) => all.iter().any(|other| {
            names.contains(&&*qualified(other))
                && values.iter().any(|value| value.eq_ignore_ascii_case(other.value.trim()))
        }),
        When::Lists(name, values) => all.iter().any(|other| {
            let listed = || other.value.split_ascii_whitespace();
            qualified(other) == name && listed().any(|one| values.iter().any(|value| value.eq_ignore_ascii_case(one)))
        }),
        _ => true,
    };
    match own.is_empty() {
        false => own.iter().find(holds).copied(),
        true => table.rows().iter().filter(is_of).find(|row| row.element == "*"),
    }
}

fn qualified(attribute: &Attribute) -> String {
    let local = attribute.name.local.to_ascii_lowercase();
    attribute.name.prefix.as_ref().map_or(local.to_string(), |prefix| format!("{prefix}:{local}"))
}

pub(crate) fn text_of(node: &Handle) -> String {
    let texts = node.children.borrow();
    texts
        .iter()
        .map(
            |child| {
                if let NodeData::Text { contents } = &child.data {
                    contents.borrow().to_string()
                } else {
                    String::new()
                }
            },
        )
        .collect()
}

pub(crate) fn of_value(grammar: Grammar, value: &str, table: &Table, references: &mut References) {
    let found = &mut references.all;
    let space = |character: char| character.is_ascii_whitespace();
    let value = value.trim_matches(space);
    match grammar {
        Grammar::SpaceList => found.extend(value.split_ascii_whitespace().map(str::to_owned)),
        Grammar::CommaList | Grammar::SemicolonList => {
            let separator = if grammar == Grammar::CommaList { ',' } else { ';' };
            let items = value.split(separator).map(|item| item.trim_matches(space)).filter(|item| !item.is_empty());
            found.extend(items.map(str::to_owned));
        }
        Grammar::Srcset => of_srcset(value, found),
        Grammar::UrlOrSrcset if value.starts_with(['[', '{']) => {}
        Grammar::UrlOrSrcset if value.to_ascii_lowercase().starts_with("url(") => of_css(value, found),
        Grammar::UrlOrSrcset if is_list(value) => of_srcset(value, found),
        Grammar::Css => of_css(value, found),
        Grammar::Html => of_html(value, table, references),
        Grammar::Refresh => of_refresh(value, found),
        Grammar::KeyValue => {
            for (key, url) in value.split(';').filter_map(|pair| pair.split_once('=')) {
                if key.trim().ends_with("-uri") {
                    found.push(url.trim_matches(space).to_owned());
                }
            }
        }
        Grammar::UrlOrCurie if value.starts_with('[') => {}
        _ => found.push(value.to_owned()),
    }
}

/// Candidates are recognised by what they are made of: a URL is what holds no white space.
fn of_srcset(value: &str, found: &mut Vec<String>) {
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == ',');
        if rest.is_empty() {
            return;
        }
        let end = rest.find(|character: char| character.is_ascii_whitespace()).unwrap_or(rest.len());
        let url = rest[..end].trim_end_matches(',');
        found.push(url.to_owned());
        rest = &rest[end..];
        if url.len() == end {
            let (mut depth, mut after) = (0, rest.len());
            for (at, character) in rest.char_indices() {
                match character {
                    '(' => depth = 1,
                    ')' => depth = 0,
                    ',' if depth == 0 => {
                        after = at + 1;
                        break;
                    }
                    _ => {}
                }
            }
            rest = &rest[after..];
        }
    }
}

/// Whether each piece between a comma and white space is one word, or one and descriptors.
fn is_list(value: &str) -> bool {
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    let is_descriptor = |word: &str| {
        word.split(',')
            .filter(|part| !part.is_empty())
            .all(|part| part.strip_suffix(['w', 'h', 'x']).is_some_and(|number| number.parse::<f64>().is_ok()))
    };
    words.len() > 1 && words.windows(2).all(|pair| pair[0].ends_with(',') || is_descriptor(pair[1]))
}

fn of_refresh(value: &str, found: &mut Vec<String>) {
    let after_time = value.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    let is_separator = |character: char| character == ';' || character == ',' || character.is_ascii_whitespace();
    if after_time.len() == value.len() || !after_time.starts_with(is_separator) {
        return;
    }
    let mut url = after_time.trim_start();
    url = url.strip_prefix([';', ',']).unwrap_or(url).trim_start();
    if url.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("url"))
        && let Some(after) = url[3..].trim_start().strip_prefix('=')
    {
        url = after.trim_start();
    }
    if let Some(quote) = url.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        url = url[1..].split(quote).next().unwrap_or_default();
    }
    if !url.trim().is_empty() {
        found.push(url.trim().to_owned());
    }
}

/// `url(...)` and the strings of `@import`, outside comments and other strings.
pub(crate) fn of_css(css: &str, found: &mut Vec<String>) {
    let bytes = css.as_bytes();
    let mut at = 0;
    let mut importing = false;
    let mut naming = false;
    while at < bytes.len() {
        let rest = &css[at..];
        let is_word_before = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || b"-_\\".contains(&bytes[at - 1]));
        if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if rest.starts_with(['"', '\'']) {
            let (text, length) = string(rest);
            if importing {
                found.push(text);
                importing = false;
            }
            at += length;
        } else if !is_word_before && rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("url(")) {
            let inside = rest[4..].trim_ascii_start();
            let start = rest.len() - inside.len();
            let (text, length) = if inside.starts_with(['"', '\'']) { string(inside) } else { unquoted(inside) };
            let is_url = text.is_some_url() && !naming;
            if is_url {
                found.push(text);
            }
            importing = false;
            at += start + length;
        } else if let Some(after) = rest.strip_prefix('@') {
            let word: String = after.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
            importing = word.eq_ignore_ascii_case("import");
            naming = ["namespace", "-moz-document", "document"].iter().any(|name| word.eq_ignore_ascii_case(name));
            at += 1 + word.len();
        } else if let Some(after) = rest.strip_prefix('\\') {
            at += 1 + after.chars().next().map_or(0, char::len_utf8);
        } else {
            importing &= rest.starts_with(|character: char| character.is_ascii_whitespace());
            naming &= !rest.starts_with([';', '{']);
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
}

trait MayBeUrl {
    fn is_some_url(&self) -> bool;
}

impl MayBeUrl for String {
    /// A bad URL is marked by a NUL.
    fn is_some_url(&self) -> bool {
        !self.contains('\0')
    }
}

/// A string and its length, both quotes included.
fn string(text: &str) -> (String, usize) {
    let quote = text.chars().next().unwrap_or('"');
    let mut value = String::new();
    let mut at = 1;
    while let Some(character) = text[at..].chars().next() {
        at += character.len_utf8();
        match character {
            '\\' => at += escape(&text[at..], &mut value),
            '\n' | '\r' | '\x0c' => return (value + "\0", at),
            character if character == quote => return (value, at),
            character => value.push(character),
        }
    }
    (value, at)
}

/// What stands between `url(` and `)`, and its length.
fn unquoted(text: &str) -> (String, usize) {
    let end = text.char_indices().find(|(at, character)| *character == ')' && !text[..*at].ends_with('\\'));
    let end = end.map_or(text.len(), |(at, _)| at);
    let written = text[..end].trim_ascii_end();
    let mut value = String::new();
    let mut at = 0;
    while let Some(character) = written[at..].chars().next() {
        at += character.len_utf8();
        match character {
            '\\' if at == text.len() => value.push('\u{FFFD}'),
            '\\' if written[at..].starts_with(['\n', '\r', '\x0c']) => value.push('\0'),
            '\\' => at += escape(&written[at..], &mut value),
            '"' | '\'' | '(' | '\x0b' | '\x7f' => value.push('\0'),
            character if character <= ' ' && character != '\0' => value.push('\0'),
            character => value.push(character),
        }
    }
    (value, end)
}

/// What an escape behind its backslash reads; its length.
fn escape(text: &str, value: &mut String) -> usize {
    let digits = text.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        let character = text.chars().next();
        value.extend(character.filter(|character| *character != '\n'));
        return character.map_or(0, char::len_utf8);
    }
    let number = u32::from_str_radix(&text[..digits], 16).unwrap_or_default();
    value.push(char::from_u32(number).filter(|character| *character != '\0').unwrap_or('\u{FFFD}'));
    digits + usize::from(text[digits..].starts_with(|character: char| character.is_ascii_whitespace()))
}

fn of_text(text: &str, found: &mut Vec<String>) {
    for stretch in text.split('<').skip(1) {
        let is_marked = stretch.get(..4).is_some_and(|mark| mark.eq_ignore_ascii_case("url:"));
        if let (true, Some((url, _))) = (is_marked, stretch.split_once('>')) {
            let url: String = url[4..].split_ascii_whitespace().collect();
            found.extend((!url.is_empty()).then_some(url));
        }
    }
}
