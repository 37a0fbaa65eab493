//! URLs in custom properties, which browsers resolve at different stylesheets.
//!
//! Chromium 156 and Firefox 153 resolve a URL in `--name: url(…)` at the stylesheet that uses `var(--name)`, and WebKitGTK 2.50 at the one
//! that declares it, as do all three if an `@property` registers it as `<url>` or `<image>`. Where the document itself uses or registers the
//! name, both are the same.

mod code;

use std::borrow::Borrow;
use std::collections::HashSet;
use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::{may_contain_references, token};
use crate::markup::attributes::attributes;
use crate::markup::name::Name;

/// What a document says of its custom properties.
#[derive(Debug)]
pub(crate) struct KnownProperties {
    /// Those that it uses, or registers as URLs; `None` if no other stylesheet can use any.
    names: Option<HashSet<Vec<u8>>>,
    /// Whether it names a stylesheet by its host, which may be another.
    has_foreign_sheet: bool,
}

impl KnownProperties {
    /// Returns what a stylesheet says of its custom properties.
    pub(crate) fn of(css: &[u8]) -> Self {
        let mut code = Vec::with_capacity(css.len());
        code::push_without_comments(css, &mut code);
        Self::of_code(&code)
    }

    /// Returns what styles, attributes and scripts say of custom properties.
    fn of_code(document: &[u8]) -> Self {
        /// The most bytes of an `@property` that are searched.
        const RULE: usize = 1024;
        let behind = |word: &[u8]| {
            let finder = memmem::Finder::new(word);
            finder.find_iter(document).map(|at| document[at + word.len()..].trim_ascii_start()).collect::<Vec<_>>()
        };
        let used = ["var(", "VAR("].into_iter().flat_map(|word| behind(word.as_bytes()));
        let registered = behind(b"@property").into_iter().filter(|rule| {
            let rule = &rule[..rule.len().min(RULE)];
            holds_one(&rule[..memchr(b'}', rule).unwrap_or(rule.len())], &["<url>", "<image>"])
        });
        let names = Some(used.chain(registered).map(|text| text[..name_length(text)].to_owned()).collect());
        let has_foreign_sheet =
            ["@import", "@IMPORT"].into_iter().any(|word| behind(word.as_bytes()).into_iter().any(is_of_host));
        Self { names, has_foreign_sheet }
    }

    /// Returns those of a page. A page that names no stylesheet and has no script uses all of its properties itself.
    pub(crate) fn of_page(page: &[u8]) -> Self {
        let text = page.to_ascii_lowercase();
        let tags = || text.split(|byte| *byte == b'<');
        let is_whole = holds_one(&text, &["<!doctype", "<html"]);
        if is_whole && !holds_one(&text, &["stylesheet", "@import"]) && !tags().any(runs) {
            return Self { names: None, has_foreign_sheet: false };
        }
        let known = Self::of_code(&code::of_markup(page));
        let is_foreign =
            |tag: &[u8]| holds_one(tag, &["stylesheet"]) && attribute_of(tag, "href").is_some_and(is_of_host);
        Self { has_foreign_sheet: known.has_foreign_sheet || tags().any(is_foreign), ..known }
    }

    fn contain(&self, name: &[u8]) -> bool {
        self.names.as_ref().is_none_or(|known| known.contains(name))
    }
}

/// Returns whether a tag, without its `<`, begins a script that runs: one without a type, or with one of scripts. Others are data.
fn runs(tag: &[u8]) -> bool {
    let is_of_scripts = |kind: &[u8]| kind.is_empty() || kind == b"module" || holds_one(kind, &["script"]);
    tag.starts_with(b"script") && attribute_of(tag, "type").is_none_or(is_of_scripts)
}

/// Returns the value of an attribute of a tag, without its `<`.
fn attribute_of<'t>(tag: &'t [u8], wanted: &'static str) -> Option<&'t [u8]> {
    let name_end = tag.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' | b'>'))?;
    let (name, mut value) = (Name::of(wanted), None);
    attributes(tag, name_end, |attribute| {
        if attribute.name == name {
            value = value.or(Some(tag[attribute.value].trim_ascii()));
        }
    });
    value
}

/// Returns whether a URL, as `href` or behind `@import`, names a host.
fn is_of_host(text: &[u8]) -> bool {
    let text = match text.get(..4) {
        Some(function) if function.eq_ignore_ascii_case(b"url(") => &text[4..],
        _ => text,
    };
    let url = text.trim_ascii_start();
    let url = url.strip_prefix(b"\"").or(url.strip_prefix(b"'")).unwrap_or(url).trim_ascii_start();
    let begins = |start: &[u8]| url.get(..start.len()).is_some_and(|url| url.eq_ignore_ascii_case(start));
    [&b"//"[..], b"http:", b"https:"].into_iter().any(begins)
}

fn holds_one(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| memmem::find(text, word.as_bytes()).is_some())
}

/// The values of custom properties that stylesheets of other documents may use, in their order.
#[derive(Debug)]
pub(crate) struct ForeignValues {
    ranges: Vec<Range<usize>>,
    /// Whether a path from the root is not the same for all that may use them.
    are_of_hosts: bool,
}

impl ForeignValues {
    /// Returns those in a stylesheet or in declarations. What the document knows is not asked for if there cannot be any.
    pub(crate) fn of<K: Borrow<KnownProperties>>(css: &[u8], known: impl FnOnce() -> K) -> Self {
        if !may_declare_references(css) {
            return Self { ranges: Vec::new(), are_of_hosts: false };
        }
        let known = known();
        let known = known.borrow();
        Self { ranges: foreign_values(css, known), are_of_hosts: known.has_foreign_sheet }
    }

    /// Returns whether the target of a reference depends on who uses it. A path from the root is the same for all of one host.
    pub(crate) fn contain(&self, css: &[u8], reference: &Range<usize>) -> bool {
        let next = self.ranges.partition_point(|value| value.end <= reference.start);
        self.ranges.get(next).is_some_and(|value| value.start <= reference.start)
            && (self.are_of_hosts || css.get(reference.start) != Some(&b'/'))
    }
}

/// Returns whether values of custom properties may contain references.
fn may_declare_references(css: &[u8]) -> bool {
    // Each stretch up to a semicolon or the end of a block is searched once.
    let (mut end, mut may_hold) = (0, false);
    memmem::find_iter(css, b"--").any(|at| {
        if at >= end {
            let rest = &css[at..];
            let stretch = &rest[..memchr2(b';', b'}', rest).unwrap_or(rest.len())];
            let count = |one: [u8; 2]| stretch.iter().filter(|byte| one.contains(byte)).count();
            may_hold = may_contain_references(stretch)
                || memchr3(b'"', b'\'', b'{', stretch).is_some()
                || count(*b"([") != count(*b")]");
            end = at + stretch.len();
        }
        let begins = may_hold && (at == 0 || name_length(&css[at - 1..at]) == 0);
        let behind = || css[at + name_length(&css[at..])..].trim_ascii_start().first();
        begins && matches!(behind(), Some(b':' | b'/'))
    })
}

/// Returns the values of those custom properties that are not known, in their order.
fn foreign_values(css: &[u8], known: &KnownProperties) -> Vec<Range<usize>> {
    let (mut values, mut at, mut begins) = (Vec::new(), 0, true);
    while let Some(byte) = css.get(at) {
        let behind = behind_space(css, at);
        if behind > at {
            at = behind;
        } else if begins && css[at..].starts_with(b"--") {
            let name = at..at + name_length(&css[at..]);
            at = behind_space(css, name.end);
            if css.get(at) == Some(&b':') {
                let value = at + 1..value_end(css, at + 1);
                at = value.end;
                values.extend((!known.contain(&css[name])).then_some(value));
            }
            begins = false;
        } else {
            begins = matches!(byte, b'{' | b'}' | b';');
            at = token::end(css, at);
        }
    }
    values
}

/// Returns the end of a value: a semicolon, or the end of the block around it.
fn value_end(css: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    while let Some(byte) = css.get(at) {
        match byte {
            b';' | b'}' if depth == 0 => return at,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = token::end(css, at);
    }
    at
}

/// Returns the first byte from `at` on that is neither white space nor in a comment.
fn behind_space(css: &[u8], mut at: usize) -> usize {
    loop {
        at += css[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if !css[at..].starts_with(b"/*") {
            return at;
        }
        at = token::end(css, at);
    }
}

/// Returns the length of the name that begins a text.
fn name_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += match byte {
            b'\\' => 2,
            byte if token::is_name(*byte) => 1,
            _ => break,
        };
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::{KnownProperties, foreign_values, may_declare_references};

    fn foreign(css: &str) -> Vec<&str> {
        let known = KnownProperties::of(css.as_bytes());
        let values = foreign_values(css.as_bytes(), &known);
        assert!(values.is_empty() || may_declare_references(css.as_bytes()), "{css}");
        values.into_iter().map(|range| &css[range]).collect()
    }

    #[test]
    fn values_of_declarations() {
        assert_eq!(foreign("a{--t:url(x);b:c}"), ["url(x)"]);
        assert_eq!(
            foreign("--t/**/ : 'a;b' url(d;e) /*;*/ [;] {;} \\; url(f)"),
            [" 'a;b' url(d;e) /*;*/ [;] {;} \\; url(f)"]
        );
        assert_eq!(foreign("a{b:url(--t:x);/*;--u:url(y)*/ c:';--v:url(z)'}.w--x:hover{b:url(c)}"), [""; 0]);
        assert_eq!(foreign("a{--t:url(x}--u:url(y)}"), ["url(x}--u:url(y)"]);
    }

    #[test]
    fn known_names() {
        assert_eq!(foreign("a{--t:url(x);b:var( --t, c)}"), [""; 0]);
        assert_eq!(foreign("a{--t:url(x);b:var(--tt)}"), ["url(x)"]);
        assert_eq!(foreign("a{--t:url(x);/*b:var(--t)*/c:'/*'}"), ["url(x)"]);
        assert_eq!(foreign("a{--t:url(x);c:'/*';d:url(/*);b:var(--t)/**/}"), [""; 0]);
        assert_eq!(foreign("@property --t{syntax:'<image>#'}a{--t:url(x)}"), [""; 0]);
        assert_eq!(foreign("@property --t{syntax:'*'}a{--t:url(x)}"), ["url(x)"]);
    }
}
