//! References in stylesheets (CSS Syntax Level 3), found with cssparser.

use std::ops::Range;

use cssparser::{BasicParseErrorKind, ParseError, ParseErrorKind, Parser, Token};
use memchr::{memchr_iter, memchr2};

use crate::limits::CSS_BLOCKS;
use crate::value::wrapping::Wrapping;
use crate::{Decoded, Document, Link, Place, Refusal, Scan, Scope};

/// Finds the links of a stylesheet.
pub(crate) fn scan(document: &Document<'_>) -> Result<Scan, Refusal> {
    let mut links = Vec::new();
    find_in_bytes(document, 0..document.bytes().len(), |range, wrapping| {
        links.push(Link { range, wrappings: [wrapping, Wrapping::Plain], place: Place::Stylesheet, scope: 0 });
    })?;
    Ok(Scan { links, scopes: vec![Scope::Document], base: None })
}

/// Finds the references of the CSS in a range of a document; `found` hears their ranges in the document.
pub(crate) fn find_in_bytes(
    document: &Document<'_>,
    range: Range<usize>,
    mut found: impl FnMut(Range<usize>, Wrapping),
) -> Result<(), Refusal> {
    let bytes = &document.bytes()[range.clone()];
    if !may_hold_references(bytes) {
        return Ok(());
    }
    match str::from_utf8(bytes) {
        Ok(text) => {
            find(text, |within, wrapping| found(range.start + within.start..range.start + within.end, wrapping))
        }
        Err(_) => {
            let decoded = Decoded::from_charset(bytes, document.encoding());
            find(&decoded.text, |within, wrapping| {
                let raw = decoded.raw_range(within);
                found(range.start + raw.start..range.start + raw.end, wrapping);
            })
        }
    }
}

/// Whether a look is worth while: some `url(`, `src(`, `image(`, `...-set(`, `@import`, or an escape that
/// could hide one.
pub(crate) fn may_hold_references(css: &[u8]) -> bool {
    let is_function = |open: usize| {
        ["url", "src", "set", "age"]
            .iter()
            .any(|end| open >= 3 && css[open - 3..open].eq_ignore_ascii_case(end.as_bytes()))
    };
    memchr2(b'\\', b'@', css).is_some() || memchr_iter(b'(', css).any(is_function)
}

/// Finds the references of a stylesheet or of declarations.
///
/// Never: `@namespace` and `@-moz-document`, whose URLs are names, and comments.
pub(crate) fn find(css: &str, mut found: impl FnMut(Range<usize>, Wrapping)) -> Result<(), Refusal> {
    let mut parser = Parser::new(css);
    parser.set_nested_block_limit(CSS_BLOCKS);
    find_in_block(&mut parser, css, Strings::AreText, &mut found)
}

/// What a string means where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    AreText,
    AreReferences,
}

/// What the at-rule says whose prelude is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prelude {
    None,
    Import,
    /// URLs in it are names or patterns.
    Names,
}

fn find_in_block(
    parser: &mut Parser<'_>,
    css: &str,
    strings: Strings,
    found: &mut dyn FnMut(Range<usize>, Wrapping),
) -> Result<(), Refusal> {
    let mut prelude = Prelude::None;
    loop {
        let start = parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else { return Ok(()) };
        let mut inner = None;
        let next_prelude = match token {
            Token::WhiteSpace(_) | Token::Comment(_) => prelude,
            Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => Prelude::Import,
            Token::AtKeyword(name) if names_in_prelude(name) => Prelude::Names,
            Token::Semicolon => Prelude::None,
            Token::UnquotedUrl(_) => {
                if prelude != Prelude::Names {
                    let end = parser.position().byte_index();
                    found(inside_url(css, start..end), Wrapping::CssUrl);
                }
                after_reference(prelude)
            }
            Token::QuotedString(_) => {
                if strings == Strings::AreReferences || prelude == Prelude::Import {
                    let end = parser.position().byte_index();
                    let (range, quote) = inside_string(css, start..end);
                    found(range, Wrapping::CssString(quote));
                }
                after_reference(prelude)
            }
            Token::Function(name) => {
                let is_reference = prelude != Prelude::Names && takes_reference_strings(name);
                inner = Some(if is_reference { Strings::AreReferences } else { Strings::AreText });
                after_reference(prelude)
            }
            Token::CurlyBracketBlock => {
                inner = Some(Strings::AreText);
                Prelude::None
            }
            Token::ParenthesisBlock | Token::SquareBracketBlock => {
                inner = Some(Strings::AreText);
                prelude
            }
            _ => prelude,
        };
        if let Some(strings) = inner {
            let outcome = parser
                .parse_nested_block(|parser| find_in_block(parser, css, strings, found).map_err(ParseError::custom));
            match outcome.map_err(|error| error.kind) {
                Err(ParseErrorKind::Custom(refusal)) => return Err(refusal),
                Err(ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks)) => {
                    return Err(Refusal::NestingTooDeep);
                }
                _ => {}
            }
        }
        prelude = next_prelude;
    }
}

/// Only the first string or URL of an `@import` is what it imports.
fn after_reference(prelude: Prelude) -> Prelude {
    if prelude == Prelude::Import { Prelude::None } else { prelude }
}

fn names_in_prelude(at_keyword: &str) -> bool {
    ["namespace", "-moz-document", "document"].iter().any(|name| name.eq_ignore_ascii_case(at_keyword))
}

fn takes_reference_strings(function: &str) -> bool {
    const NAMES: [&str; 5] = ["url", "src", "image-set", "-webkit-image-set", "image"];
    NAMES.iter().any(|name| name.eq_ignore_ascii_case(function))
}

/// The inside of `url( ... )`, white space excluded.
fn inside_url(css: &str, token: Range<usize>) -> Range<usize> {
    let is_space = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c');
    let text = &css[token.clone()];
    let open = text.find('(').map_or(0, |open| open + 1);
    let inside = &text[open..];
    // At the end of the input the parenthesis may be missing; an escaped one does not close.
    let inside = match inside.strip_suffix(')') {
        Some(closed) if !ends_with_escape(closed) => closed,
        _ => inside,
    };
    let start = open + (inside.len() - inside.trim_start_matches(is_space).len());
    let inside = inside.trim_start_matches(is_space);
    let mut trimmed = inside.trim_end_matches(is_space);
    if ends_with_escape(trimmed) && trimmed.len() < inside.len() {
        trimmed = &inside[..trimmed.len() + 1];
    }
    token.start + start..token.start + start + trimmed.len()
}

/// The inside of a string, and its quote.
fn inside_string(css: &str, token: Range<usize>) -> (Range<usize>, u8) {
    let text = &css[token.clone()];
    let quote = text.as_bytes()[0];
    let inside = &text[1..];
    let inside = match inside.strip_suffix(char::from(quote)) {
        Some(closed) if !ends_with_escape(closed) => closed,
        _ => inside,
    };
    (token.start + 1..token.start + 1 + inside.len(), quote)
}

/// Whether an odd number of backslashes stands at the end.
fn ends_with_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
