//! References in stylesheets (CSS Syntax Level 3), found with cssparser.

use std::ops::Range;

use cssparser::{BasicParseErrorKind, ParseError, ParseErrorKind, Parser, Token};
use memchr::{memchr_iter, memchr2};

use crate::limits::CSS_BLOCKS;
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;
use crate::{Decoded, Document, Link, Place, Refusal, ResolvesIn, Scan, Scope};

/// Finds the links of a stylesheet.
pub(crate) fn scan(document: &Document<'_>) -> Result<Scan, Refusal> {
    let mut links = Vec::new();
    if may_hold_references(document.bytes()) {
        let css = document.unwrapped(0..document.bytes().len(), Wrappings::of(Wrapping::Plain));
        find(css.text(), &mut |found| {
            let scope = usize::from(found.resolves_in == ResolvesIn::Document);
            let range = css.raw_range(found.range);
            links.push(Link { range, wrappings: found.wrappings, place: Place::Stylesheet, scope });
        })?;
    }
    Ok(Scan { links, scopes: vec![Scope::Document, Scope::Unknown], ..Scan::default() })
}

/// A reference in CSS.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    pub(crate) wrappings: Wrappings,
    /// The stylesheet, or what Internet Explorer takes, the document that the stylesheet is for.
    pub(crate) resolves_in: ResolvesIn,
}

/// Whether a look is worth while: some `url(`, `src(`, `image(`, `...-set(`, `AlphaImageLoader(`, `@import`, or an
/// escape that could hide one.
pub(crate) fn may_hold_references(css: &[u8]) -> bool {
    let is_function = |open: usize| {
        ["url", "src", "set", "age", "der"]
            .iter()
            .any(|end| open >= 3 && css[open - 3..open].eq_ignore_ascii_case(end.as_bytes()))
    };
    memchr2(b'\\', b'@', css).is_some() || memchr_iter(b'(', css).any(is_function)
}

/// Finds the references of a stylesheet or of declarations.
///
/// Never: `@namespace` and `@-moz-document`, whose URLs are names, and comments.
pub(crate) fn find(css: &str, found: &mut dyn FnMut(Found)) -> Result<(), Refusal> {
    let mut parser = Parser::new(css);
    parser.set_nested_block_limit(CSS_BLOCKS);
    find_in_block(&mut parser, css, Strings::Text, found)
}

/// What a string means where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    Text,
    References,
    /// Those behind `src=` are references, and resolve in the document.
    Parameters,
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
    found: &mut dyn FnMut(Found),
) -> Result<(), Refusal> {
    let mut prelude = Prelude::None;
    let mut parameter = Parameter::Other;
    // A filter holds no other filter.
    let outside_functions = if strings == Strings::Parameters { strings } else { Strings::Text };
    loop {
        let start = parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else { return Ok(()) };
        let mut inner = None;
        let next_parameter = parameter.next(token);
        let next_prelude = match token {
            Token::WhiteSpace(_) | Token::Comment(_) => prelude,
            Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => Prelude::Import,
            Token::AtKeyword(name) if names_in_prelude(name) => Prelude::Names,
            Token::Semicolon => Prelude::None,
            Token::UnquotedUrl(_) => {
                if prelude != Prelude::Names {
                    let end = parser.position().byte_index();
                    let (range, wrappings) = (inside_url(css, start..end), Wrappings::of(Wrapping::CssUrl));
                    found(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
                }
                after_reference(prelude)
            }
            Token::QuotedString(_) => {
                let end = parser.position().byte_index();
                let (range, wrapping) = inside_string(css, start..end);
                let wrappings = Wrappings::of(wrapping);
                if strings == Strings::References || prelude == Prelude::Import {
                    found(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
                } else if strings == Strings::Parameters && parameter == Parameter::Source {
                    found(Found { range, wrappings, resolves_in: ResolvesIn::Document });
                } else if strings == Strings::Text {
                    find_in_filter(css, range, wrapping, found)?;
                }
                after_reference(prelude)
            }
            Token::Function(name) => {
                let is_reference = prelude != Prelude::Names && takes_reference_strings(name);
                inner = Some(match is_reference {
                    true => Strings::References,
                    false if name.eq_ignore_ascii_case("AlphaImageLoader") => Strings::Parameters,
                    false => outside_functions,
                });
                after_reference(prelude)
            }
            Token::CurlyBracketBlock => {
                inner = Some(outside_functions);
                Prelude::None
            }
            Token::ParenthesisBlock | Token::SquareBracketBlock => {
                inner = Some(outside_functions);
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
        (prelude, parameter) = (next_prelude, next_parameter);
    }
}

/// How much of `src=` has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    Other,
    /// `src`
    Name,
    /// `src=`
    Source,
}

impl Parameter {
    fn next(self, token: &Token<'_>) -> Self {
        match (self, token) {
            (_, Token::WhiteSpace(_) | Token::Comment(_)) => self,
            (_, Token::Ident(name)) if name.eq_ignore_ascii_case("src") => Self::Name,
            (Self::Name, Token::Delim('=')) => Self::Source,
            _ => Self::Other,
        }
    }
}

/// Finds the references of a filter in a string, as `-ms-filter` has it.
fn find_in_filter(
    css: &str,
    range: Range<usize>,
    outer: Wrapping,
    found: &mut dyn FnMut(Found),
) -> Result<(), Refusal> {
    const FILTER: &[u8] = b"progid:";
    let string = &css[range.clone()];
    if !string.as_bytes().get(..FILTER.len()).is_some_and(|start| start.eq_ignore_ascii_case(FILTER)) {
        return Ok(());
    }
    let filter = Decoded::unwrap(string, outer);
    let mut parser = Parser::new(&filter.text);
    parser.set_nested_block_limit(CSS_BLOCKS);
    find_in_block(&mut parser, &filter.text, Strings::Parameters, &mut |inner| {
        if let Some(wrappings) = inner.wrappings.within(outer) {
            let raw = filter.raw_range(inner.range);
            found(Found { range: range.start + raw.start..range.start + raw.end, wrappings, ..inner });
        }
    })
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

/// The inside of a string, and how it is written.
fn inside_string(css: &str, token: Range<usize>) -> (Range<usize>, Wrapping) {
    let text = &css[token.clone()];
    let quote = text.as_bytes()[0];
    let inside = &text[1..];
    let inside = match inside.strip_suffix(char::from(quote)) {
        Some(closed) if !ends_with_escape(closed) => closed,
        _ => inside,
    };
    (token.start + 1..token.start + 1 + inside.len(), Wrapping::CssString(quote))
}

/// Whether an odd number of backslashes stands at the end.
fn ends_with_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
