//! References in stylesheets, by the tokens of cssparser.

pub(super) mod custom_properties;

use std::ops::Range;
use std::rc::Rc;

use absolve_links::{css_escape, holds_expression};
use cssparser::{Parser, Token};

use custom_properties::Declaration;

use crate::text::Text;
use crate::values::is_space;

/// A URL or string in CSS that is a reference, or contains some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CssReference {
    /// Its bytes, without quotes and parentheses.
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    /// Whether it is that of an `@import`.
    pub(crate) is_import: bool,
    /// The custom property whose value contains it.
    pub(crate) property: Option<Rc<str>>,
    /// What a backslash at the end of the stylesheet means in it: nothing in a string.
    at_end: Option<char>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    OfStylesheet,
    /// A reference that resolves against the base of the document that uses the stylesheet, as in filters of Internet
    /// Explorer.
    OfDocument,
    /// A string of such filters.
    Filters,
}

/// The meaning of strings at the current position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strings {
    Text,
    /// Every string is a reference: in `url()`, `src()`, `image()` and `image-set()`.
    References,
    /// None is a reference: in a filter, outside its parameters.
    OfFilter,
    /// Strings behind `src=` are references: in the parameters of a filter.
    OfParameters,
}

/// The at-rule whose prelude contains the current position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    None,
    Import,
    /// Its URLs are names.
    Naming,
}

/// A stylesheet, or a function or block in it.
#[derive(Clone, Copy)]
struct Level {
    /// The byte that closes it.
    closer: u8,
    strings: Strings,
    rule: Rule,
    /// Whether it is the `url()` of an `@import`.
    is_import: bool,
    /// The last two tokens that are not white space, where they matter for the string behind them.
    last: [&'static str; 2],
}

impl Level {
    const fn new(closer: u8, strings: Strings) -> Self {
        Self { closer, strings, rule: Rule::None, is_import: false, last: [""; 2] }
    }

    /// Only the first string or URL of an `@import` is imported.
    fn pass_import(&mut self) {
        if self.rule == Rule::Import {
            self.rule = Rule::None;
        }
    }

    /// Returns what strings mean in a function.
    fn strings_of(&self, function: &str) -> Strings {
        match &*function.to_ascii_lowercase() {
            "url" | "src" | "image" | "image-set" | "-webkit-image-set" if self.rule != Rule::Naming => {
                Strings::References
            }
            "alphaimageloader" => Strings::OfParameters,
            _ => self.strings_within(),
        }
    }

    /// Returns the level that a token opens.
    fn opened_by(&self, token: &Token<'_>) -> Option<Self> {
        let within = self.strings_within();
        match token {
            Token::Function(name) => {
                let is_import = self.rule == Rule::Import && name.eq_ignore_ascii_case("url");
                Some(Self { is_import, ..Self::new(b')', self.strings_of(name)) })
            }
            Token::ParenthesisBlock => Some(Self::new(b')', within)),
            Token::SquareBracketBlock => Some(Self::new(b']', within)),
            Token::CurlyBracketBlock => Some(Self::new(b'}', within)),
            _ => None,
        }
    }

    /// Returns what strings mean in a block.
    fn strings_within(&self) -> Strings {
        if self.strings == Strings::References { Strings::Text } else { self.strings }
    }

    /// Returns what a string is.
    fn kind_of(&self, string: &str) -> Option<Kind> {
        match self.strings {
            Strings::References => Some(Kind::OfStylesheet),
            _ if self.rule == Rule::Import => Some(Kind::OfStylesheet),
            Strings::OfFilter => None,
            Strings::OfParameters => (self.last == ["src", "="]).then_some(Kind::OfDocument),
            Strings::Text => {
                let is_filter = string.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("progid:"));
                (is_filter && self.last == ["filter", ":"]).then_some(Kind::Filters)
            }
        }
    }
}

/// Returns the references of a stylesheet or of declarations, except for the names in `@namespace` and `@document`.
///
/// Each token is read by itself, because cssparser limits the depth of blocks.
pub(crate) fn references(css: &str, strings: Strings) -> Vec<CssReference> {
    let (mut level, mut around) = (Level::new(0, strings), Vec::new());
    let (mut found, mut declaration) = (Vec::new(), Declaration::default());
    let mut at = 0;
    loop {
        let mut parser = Parser::new(&css[at..]);
        let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return found };
        let start = at;
        at += parser.position().byte_index();
        let inner = level.opened_by(&token);
        let property = declaration.pass(&token, around.len());
        match &token {
            Token::WhiteSpace(_) => continue,
            Token::CloseParenthesis | Token::CloseSquareBracket | Token::CloseCurlyBracket
                if level.closer == css.as_bytes()[start] =>
            {
                level = around.pop().unwrap_or(level);
                continue;
            }
            Token::AtKeyword(name) => match &*name.to_ascii_lowercase() {
                "import" => level.rule = Rule::Import,
                "namespace" | "document" | "-moz-document" => level.rule = Rule::Naming,
                _ => {}
            },
            Token::UnquotedUrl(_) | Token::BadUrl(_) => {
                let range;
                // cssparser ends a bad URL at an escaped parenthesis directly behind white space.
                (range, at) = inside_url(css, start);
                if matches!(token, Token::UnquotedUrl(_)) || holds_expression(css[range.clone()].as_bytes()) {
                    let (kind, is_import) = (Kind::OfStylesheet, level.rule == Rule::Import);
                    let reference = CssReference { range, kind, is_import, property, at_end: Some('\u{FFFD}') };
                    found.extend((level.rule != Rule::Naming).then_some(reference));
                    level.pass_import();
                }
            }
            Token::QuotedString(_) => {
                let range = inside_quotes(css, start..at);
                let kind = level.kind_of(&css[range.clone()]);
                let is_import = level.rule == Rule::Import || level.is_import;
                found.extend(kind.map(|kind| CssReference { range, kind, is_import, property, at_end: None }));
                level.pass_import();
            }
            Token::BadString(_) => {
                level.strings = level.strings_within();
                level.pass_import();
            }
            Token::Function(_) => level.pass_import(),
            Token::CurlyBracketBlock
            | Token::Semicolon
            | Token::CloseParenthesis
            | Token::CloseSquareBracket
            | Token::CloseCurlyBracket => level.rule = Rule::None,
            _ => {}
        }
        level.last = [level.last[1], word_of(&token)];
        if let Some(inner) = inner {
            around.push(std::mem::replace(&mut level, inner));
        }
    }
}

fn word_of(token: &Token<'_>) -> &'static str {
    match token {
        Token::Ident(name) if name.eq_ignore_ascii_case("src") => "src",
        Token::Ident(name) if name.eq_ignore_ascii_case("filter") || name.eq_ignore_ascii_case("-ms-filter") => {
            "filter"
        }
        Token::Delim('=') => "=",
        Token::Colon => ":",
        _ => "",
    }
}

/// Returns the bytes of an unquoted URL without white space around it, and the end of its token, which begins at `start`
/// (CSS Syntax Level 3, sections 4.3.6 and 4.3.14). The white space that ends an escape belongs to it.
fn inside_url(css: &str, start: usize) -> (Range<usize>, usize) {
    let open = css[start..].find('(').map_or(css.len(), |open| start + open + 1);
    let first = css[open..].find(|character| !is_space(character)).map_or(css.len(), |length| open + length);
    let (mut at, mut end) = (first, first);
    while let Some((length, _)) = unit(&css[at..], None) {
        if css[at..].starts_with(')') {
            return (first..end, at + 1);
        }
        let is_outside = css[at..].starts_with(is_space);
        at += length;
        end = if is_outside { end } else { at };
    }
    (first..end, at)
}

/// Returns the bytes of a string without its quotes; the last one may be missing at the end of the stylesheet.
fn inside_quotes(css: &str, token: Range<usize>) -> Range<usize> {
    let text = &css[token.start + 1..token.end];
    let ends_with_escape = |text: &str| text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    let is_closed = text.ends_with(&css[token.start..=token.start]) && !ends_with_escape(&text[..text.len() - 1]);
    token.start + 1..token.end - usize::from(is_closed)
}

/// Returns the text of a reference with the place of each character, and its escapes decoded (CSS Syntax Level 3,
/// section 4.3.7).
pub(crate) fn without_escapes<'t>(text: &'t Text<'_>, found: &CssReference) -> Text<'t> {
    let CssReference { range, at_end, .. } = found;
    if !text.text[range.clone()].contains(['\\', '\0']) {
        return text.within(range.clone());
    }
    let mut decoded = text.unwrap_from(range.start);
    let mut at = range.start;
    while let Some((length, reads)) = unit(&text.text[at..range.end], *at_end) {
        decoded.replace(at..at + length, reads);
        at += length;
    }
    decoded.finish()
}

/// Decodes the character or escape that `css` begins with; returns its length, and what it reads.
fn unit(css: &str, at_end: Option<char>) -> Option<(usize, Option<char>)> {
    let first = css.chars().next()?;
    Some(match (css_escape(css), first) {
        (Some((reads, length)), _) => (length, reads),
        (None, '\\') => (1, at_end),
        (None, '\0') => (1, Some('\u{FFFD}')),
        (None, _) => (first.len_utf8(), Some(first)),
    })
}

#[cfg(test)]
mod tests {
    use super::{CssReference, Kind, Strings, references, without_escapes};
    use crate::text::Text;

    /// Returns the bytes and the text of each reference.
    fn read(css: &str) -> Vec<(String, String)> {
        let text = Text::plain(css, 0);
        let of =
            |one: &CssReference| (css[one.range.clone()].to_owned(), without_escapes(&text, one).text.into_owned());
        references(css, Strings::Text).iter().map(of).collect()
    }

    fn texts(css: &str) -> Vec<String> {
        read(css).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn deep_blocks_are_read() {
        let css = format!("{}@import 'c';url(a){}url(b)", "{(".repeat(100_000), ")}".repeat(100_000));
        assert_eq!(texts(&css), ["c", "a", "b"]);
    }

    #[test]
    fn a_bad_url_does_not_end_at_an_escaped_parenthesis() {
        assert_eq!(texts("a{b:url(#s \\);c:url('//h/')}d{e:url(x)}"), ["x"]);
        assert_eq!(texts("a{b:url(#s \\);c:url(x"), [""; 0]);
        assert_eq!(texts("a{b:url(s (x) d);c:url(y)}"), ["y"]);
    }

    #[test]
    fn an_escape_at_the_end_of_a_url_belongs_to_it_with_its_space() {
        let pair = |raw: &str, text: &str| (raw.to_owned(), text.to_owned());
        assert_eq!(read("a{b:url( x\\  );c:url(y )}"), [pair("x\\ ", "x "), pair("y", "y")]);
        assert_eq!(read("a{b:url(x\\29 );c:url(x\\29  )}"), [pair("x\\29 ", "x)"), pair("x\\29 ", "x)")]);
        assert_eq!(read("a{b:url(x\\29\r\n )}"), [pair("x\\29\r\n", "x)")]);
        assert_eq!(read("a{b:url(x\\"), [pair("x\\", "x\u{fffd}")]);
    }

    #[test]
    fn references_in_css() {
        let css = "@import 'a' x;@import url( b );@namespace 'n';a{b:url(c\\29);d:src('e');f:\"no\";g:image-set('h' 1x,url(i) 2x);\
                   filter:progid:A.AlphaImageLoader(src='j',k='l');-ms-filter:\"progid:A.AlphaImageLoader(src='m')\"}";
        assert_eq!(texts(css), ["a", "b", "c)", "e", "h", "i", "j", "progid:A.AlphaImageLoader(src='m')"]);
        let kinds: Vec<Kind> = references(css, Strings::Text).into_iter().map(|one| one.kind).collect();
        assert_eq!(kinds[6..], [Kind::OfDocument, Kind::Filters]);
    }
}
