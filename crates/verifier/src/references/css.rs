//! References in stylesheets, by the tokens of cssparser.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use cssparser::{ParseError, Parser, Token};

use crate::resolution::placeholders::cuts_a_url;
use crate::text::Text;
use crate::values::{is_space, within};

/// A reference in CSS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CssReference {
    /// Its bytes, without quotes and parentheses.
    pub(crate) range: Range<usize>,
    /// Its text without escapes.
    pub(crate) text: String,
    /// Whether it resolves against the base of the document that uses the stylesheet, as in filters of Internet
    /// Explorer.
    pub(crate) is_of_document: bool,
}

/// Returns the references of a stylesheet or of declarations, except for the names in `@namespace` and `@document`.
pub(crate) fn references(css: &str) -> Vec<CssReference> {
    let mut css = Cow::Borrowed(css);
    let mut found = Vec::new();
    for _ in 0..MISREAD {
        let misread = Cell::new(None);
        found.clear();
        walk(&mut Parser::new(&css), Walk { css: &css, strings: Strings::Text, misread: &misread }, &mut found);
        let Some(range) = misread.take() else { break };
        let blank = ",".repeat(range.len());
        css.to_mut().replace_range(range, &blank);
    }
    found
}

/// The number of bad URLs that cssparser misreads and that are blanked. After each, the stylesheet is parsed again.
const MISREAD: usize = 64;

/// Returns the range of a bad URL that cssparser ends too early, at an escaped parenthesis: it misses an escape
/// directly behind white space (CSS Syntax Level 3, section 4.3.14).
fn rest_of_bad_url(css: &str, token: Range<usize>) -> Option<Range<usize>> {
    let is_misread = css[token.clone()].strip_suffix(')').is_some_and(ends_with_escape);
    let ends = |at: &usize| css[*at..].starts_with(')') && !ends_with_escape(&css[..*at]);
    let end =
        || (token.end..css.len()).filter(|at| css.is_char_boundary(*at)).find(ends).map_or(css.len(), |at| at + 1);
    is_misread.then(|| token.start..end())
}

/// Returns the text of a reference with the place of each character; escapes in `range` are decoded (CSS Syntax Level
/// 3, section 4.3.7).
pub(crate) fn without_escapes<'t>(text: &'t Text<'_>, range: Range<usize>, says: &str) -> Text<'t> {
    let written = &text.text[range.clone()];
    if written == says {
        return text.within(range);
    }
    // A backslash at the end of a stylesheet is nothing in a string, and a replacement character in a URL.
    let read = |at_end: &str| {
        let mut at = 0;
        text.unwrapped(std::iter::from_fn(|| {
            let start = at;
            let (length, reads) = unit(&written[at..], at_end)?;
            at += length;
            Some((range.start + start..range.start + at, reads))
        }))
    };
    let whole = || text.unwrapped(std::iter::once((range.clone(), says.to_owned())));
    ["", "\u{FFFD}"].into_iter().map(read).find(|read| read.text == says).unwrap_or_else(whole)
}

/// Decodes the character or escape that `css` begins with; returns its length, and the text.
fn unit(css: &str, at_end: &str) -> Option<(usize, String)> {
    let newline = |text: &str| match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r' | b'\x0c', ..] => 1,
        _ => 0,
    };
    let first = css.chars().next()?;
    let read = |character: char| if character == '\0' { '\u{FFFD}' } else { character }.to_string();
    if first != '\\' {
        return Some((first.len_utf8(), read(first)));
    }
    let escaped = &css[1..];
    let digits = escaped.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if digits > 0 {
        let rest = &escaped[digits..];
        let space = newline(rest).max(usize::from(rest.starts_with([' ', '\t'])));
        let number = u32::from_str_radix(&escaped[..digits], 16).ok()?;
        return Some((1 + digits + space, read(char::from_u32(number).unwrap_or('\0'))));
    }
    Some(match (newline(escaped), escaped.chars().next()) {
        (0, Some(character)) => (1 + character.len_utf8(), read(character)),
        (0, None) => (1, at_end.to_owned()),
        (length, _) => (1 + length, String::new()),
    })
}

/// Returns the text of a bad URL.
fn decoded(written: &str) -> String {
    let mut at = 0;
    let read = || {
        let (length, reads) = unit(&written[at..], "\u{FFFD}")?;
        at += length;
        Some(reads)
    };
    std::iter::from_fn(read).collect()
}

#[derive(Clone, Copy)]
struct Walk<'c> {
    css: &'c str,
    strings: Strings,
    /// The first bad URL that cssparser ends too early.
    misread: &'c Cell<Option<Range<usize>>>,
}

/// The meaning of strings at the current position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    Text,
    /// Every string is a reference: in `url()`, `src()`, `image()` and `image-set()`.
    References,
    /// Strings behind `src=` are references: in a filter.
    OfFilter,
}

/// The at-rule whose prelude contains the current position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    None,
    Import,
    Naming,
}

fn walk(parser: &mut Parser<'_>, mut walk_of: Walk<'_>, found: &mut Vec<CssReference>) {
    let within = if walk_of.strings == Strings::OfFilter { Strings::OfFilter } else { Strings::Text };
    let mut rule = Rule::None;
    // The last two tokens that are not white space; empty if they do not matter.
    let mut last = [String::new(), String::new()];
    loop {
        let start = parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else { return };
        let token = token.clone();
        let end = parser.position().byte_index();
        let mut inner = None;
        match &token {
            Token::WhiteSpace(_) => continue,
            Token::AtKeyword(name) => {
                rule = match &*name.to_ascii_lowercase() {
                    "import" => Rule::Import,
                    "namespace" | "document" | "-moz-document" => Rule::Naming,
                    _ => rule,
                };
            }
            Token::UnquotedUrl(text) => {
                let range = inside_parentheses(walk_of.css, start..end);
                let reference = CssReference { range, text: text.to_string(), is_of_document: false };
                found.extend((rule != Rule::Naming).then_some(reference));
                rule = without_import(rule);
            }
            Token::BadUrl(_) => {
                if let Some(reference) = walk_of.in_bad_url(start..end).filter(|_| rule != Rule::Naming) {
                    found.push(reference);
                    rule = without_import(rule);
                }
            }
            Token::QuotedString(text) => {
                found.extend(walk_of.in_string(text, inside_quotes(walk_of.css, start..end), rule, &last));
                rule = without_import(rule);
            }
            Token::BadString(_) => {
                walk_of.strings = if walk_of.strings == Strings::References { Strings::Text } else { walk_of.strings };
                rule = without_import(rule);
            }
            Token::Function(name) => {
                inner = Some(strings_of(name, rule).unwrap_or(within));
                rule = without_import(rule);
            }
            Token::CurlyBracketBlock => (inner, rule) = (Some(within), Rule::None),
            Token::ParenthesisBlock | Token::SquareBracketBlock => inner = Some(within),
            Token::Semicolon | Token::CloseParenthesis | Token::CloseSquareBracket | Token::CloseCurlyBracket => {
                rule = Rule::None
            }
            _ => {}
        }
        if let Some(strings) = inner {
            let _ = parser.parse_nested_block(|parser| {
                walk(parser, Walk { strings, ..walk_of }, found);
                Ok::<(), ParseError<()>>(())
            });
        }
        last = [std::mem::take(&mut last[1]), word_of(&token)];
    }
}

impl Walk<'_> {
    /// Returns the reference in a bad URL, if one is cut off there, and notes where cssparser ends the first one too early.
    fn in_bad_url(&self, token: Range<usize>) -> Option<CssReference> {
        let first = self.misread.take().or_else(|| rest_of_bad_url(self.css, token.clone()));
        self.misread.set(first);
        let range = inside_parentheses(self.css, token);
        let written = &self.css[range.clone()];
        cuts_a_url(written).then(|| CssReference { text: decoded(written), range, is_of_document: false })
    }

    /// Returns the references in a string, whose text stands in this range behind the `last` tokens.
    fn in_string(&self, text: &str, range: Range<usize>, rule: Rule, last: &[String; 2]) -> Vec<CssReference> {
        let reference = |is_of_document| CssReference { range: range.clone(), text: text.to_owned(), is_of_document };
        match self.strings {
            Strings::References => vec![reference(false)],
            _ if rule == Rule::Import => vec![reference(false)],
            Strings::OfFilter if *last == ["src", "="] => vec![reference(true)],
            Strings::Text if is_filter(last, text) && self.css[range.clone()] == *text => {
                let mut inner = Vec::new();
                let walk_of = Walk { css: text, strings: Strings::OfFilter, misread: &Cell::default() };
                walk(&mut Parser::new(text), walk_of, &mut inner);
                for one in &mut inner {
                    one.range = one.range.start + range.start..one.range.end + range.start;
                }
                inner
            }
            _ => Vec::new(),
        }
    }
}

/// Returns what strings mean within a function, if it changes that.
fn strings_of(function: &str, rule: Rule) -> Option<Strings> {
    match &*function.to_ascii_lowercase() {
        "url" | "src" | "image" | "image-set" | "-webkit-image-set" if rule != Rule::Naming => {
            Some(Strings::References)
        }
        "alphaimageloader" => Some(Strings::OfFilter),
        _ => None,
    }
}

/// Returns the word of a token that may stand before a filter; empty for all others.
fn word_of(token: &Token<'_>) -> String {
    match token {
        Token::Ident(name) => name.to_ascii_lowercase(),
        Token::Delim('=') => "=".into(),
        Token::Colon => ":".into(),
        _ => String::new(),
    }
}

/// Reports whether a string behind these tokens contains filters of Internet Explorer.
fn is_filter(last: &[String; 2], text: &str) -> bool {
    let is_named = ["filter", "-ms-filter"].contains(&&*last[0]) && last[1] == ":";
    is_named && text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("progid:"))
}

/// Only the first string or URL of an `@import` is imported.
fn without_import(rule: Rule) -> Rule {
    if rule == Rule::Import { Rule::None } else { rule }
}

fn inside_parentheses(css: &str, token: Range<usize>) -> Range<usize> {
    let text = &css[token.clone()];
    let start = text.find('(').map_or(0, |open| open + 1);
    let inside = closed_by(&text[start..], ')');
    let inside = inside.trim_start_matches(is_space);
    let trimmed = inside.trim_end_matches(is_space);
    // A space behind a backslash belongs to the URL, and one that ends an escape to that.
    let of_escape = match inside[trimmed.len()..].starts_with("\r\n") {
        _ if !ends_with_escape(trimmed) && !ends_with_number(trimmed) => 0,
        true => 2,
        false => 1,
    };
    let inside = &inside[..inside.len().min(trimmed.len() + of_escape)];
    let range = within(css, inside);
    debug_assert!(range.start >= token.start);
    range
}

fn inside_quotes(css: &str, token: Range<usize>) -> Range<usize> {
    let text = &css[token];
    let quote = text.chars().next().unwrap_or('"');
    within(css, closed_by(&text[1..], quote))
}

/// Removes the character that closes `text`, which may be missing at the end of the stylesheet.
fn closed_by(text: &str, closer: char) -> &str {
    text.strip_suffix(closer).filter(|inside| !ends_with_escape(inside)).unwrap_or(text)
}

/// Reports whether a backslash at the end of `text` escapes what follows.
fn ends_with_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Reports whether `text` ends with the digits of an escape.
fn ends_with_number(text: &str) -> bool {
    let before = text.trim_end_matches(|character: char| character.is_ascii_hexdigit());
    (1..=6).contains(&(text.len() - before.len())) && ends_with_escape(before)
}

#[cfg(test)]
mod tests {
    use super::references;

    /// cssparser follows at most 75 nested blocks, so the recursion ends as well.
    #[test]
    fn deep_blocks_are_no_danger() {
        let css = format!("{}url(a){}url(b)", "{(".repeat(100_000), ")}".repeat(100_000));
        assert_eq!(references(&css).len(), 2);
    }

    #[test]
    fn a_bad_url_does_not_end_at_an_escaped_parenthesis() {
        let texts = |css: &str| references(css).into_iter().map(|one| one.text).collect::<Vec<_>>();
        assert_eq!(texts("a{b:url(#s \\);c:url('//h/')}d{e:url(x)}"), ["x"]);
        assert_eq!(texts("a{b:url(#s \\);c:url(x"), [""; 0]);
        assert_eq!(texts("a{b:url(s (x) d);c:url(y)}"), ["y"]);
    }

    #[test]
    fn an_escaped_space_at_the_end_of_a_url_belongs_to_it() {
        let css = "a{b:url( x\\  );c:url(y )}";
        let found = references(css);
        let texts: Vec<(&str, &str)> = found.iter().map(|one| (&css[one.range.clone()], &*one.text)).collect();
        assert_eq!(texts, [("x\\ ", "x "), ("y", "y")]);
    }

    #[test]
    fn references_in_css() {
        let css = "@import 'a' x;@import url( b );@namespace 'n';a{b:url(c\\29);d:src('e');f:\"no\";g:image-set('h' 1x,url(i) 2x);\
                   filter:progid:A.AlphaImageLoader(src='j',k='l');-ms-filter:\"progid:A.AlphaImageLoader(src='m')\"}";
        let found = references(css);
        let texts: Vec<(&str, &str)> = found.iter().map(|one| (&css[one.range.clone()], &*one.text)).collect();
        let plain = |text| (text, text);
        let mut expected = vec![plain("a"), plain("b"), ("c\\29", "c)")];
        expected.extend(["e", "h", "i", "j", "m"].map(plain));
        assert_eq!(texts, expected);
        assert_eq!(found.iter().filter(|one| one.is_of_document).count(), 2);
    }
}
