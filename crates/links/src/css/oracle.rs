//! Finds the same references with cssparser, as the second opinion of the tests.

use std::ops::Range;

use cssparser::{ParseError, Parser, Token};

use super::{Found, Prelude, Strings, find_in_filter, names_in_prelude, takes_references};
use crate::table::row::ResolvesIn;
use crate::value::placeholder::holds_expression;
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

/// Finds the references of a stylesheet or of declarations.
///
/// Comments contain none, nor do `@namespace` and `@-moz-document`, whose URLs are names.
pub(super) fn find(css: &str, found: &mut dyn FnMut(Found)) {
    find_in_block(&mut Parser::new(css), css, Strings::Text, found);
}

fn find_in_block(parser: &mut Parser<'_>, css: &str, mut strings: Strings, found: &mut dyn FnMut(Found)) {
    let mut prelude = Prelude::None;
    let mut before = Before::Other;
    // A filter contains no other filter.
    let outside_functions = if strings == Strings::References { Strings::Text } else { strings };
    loop {
        let start = parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else { return };
        let mut inner = None;
        let next_before = before.next(token);
        let next_prelude = match token {
            Token::WhiteSpace(_) | Token::Comment(_) => prelude,
            Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => Prelude::Import,
            Token::AtKeyword(name) if names_in_prelude(name.as_bytes()) => Prelude::Names,
            // An unmatched closing bracket ends an at-rule as well.
            Token::Semicolon | Token::CloseParenthesis | Token::CloseSquareBracket | Token::CloseCurlyBracket => {
                Prelude::None
            }
            Token::UnquotedUrl(_) => {
                if prelude != Prelude::Names {
                    let end = parser.position().byte_index();
                    let (range, wrappings) = (inside_url(css, start..end), Wrappings::of(Wrapping::CssUrl));
                    found(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
                }
                after_reference(prelude)
            }
            Token::BadUrl(_) => {
                let (range, wrappings) =
                    (inside_url(css, start..parser.position().byte_index()), Wrappings::of(Wrapping::CssUrl));
                match holds_expression(css[range.clone()].as_bytes()) {
                    true => {
                        if prelude != Prelude::Names {
                            found(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
                        }
                        after_reference(prelude)
                    }
                    false => prelude,
                }
            }
            Token::QuotedString(_) => {
                let end = parser.position().byte_index();
                let (range, wrapping) = inside_string(css, start..end);
                let wrappings = Wrappings::of(wrapping);
                if strings == Strings::References || prelude == Prelude::Import {
                    found(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
                } else if strings == Strings::Parameters && before == Before::Source {
                    found(Found { range, wrappings, resolves_in: ResolvesIn::Document });
                } else if strings == Strings::Text && before == Before::Filter {
                    let find = |filter: &str, found: &mut dyn FnMut(Found)| {
                        find_in_block(&mut Parser::new(filter), filter, Strings::Filter, found);
                    };
                    find_in_filter(css.as_bytes(), range, wrapping, find, found);
                }
                after_reference(prelude)
            }
            Token::BadString(_) => {
                if strings == Strings::References {
                    strings = Strings::Text;
                }
                after_reference(prelude)
            }
            Token::Function(name) => {
                let is_reference = prelude != Prelude::Names && takes_references(name.as_bytes());
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
            let _ = parser.parse_nested_block(|parser| {
                find_in_block(parser, css, strings, found);
                Ok::<(), ParseError<()>>(())
            });
        }
        (prelude, before) = (next_prelude, next_before);
    }
}

/// How much of `src=` or `filter:` precedes the current token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Other,
    SourceName,
    Source,
    FilterName,
    Filter,
}

impl Before {
    fn next(self, token: &Token<'_>) -> Self {
        let is_one_of = |name: &str, known: &[&str]| known.iter().any(|known| name.eq_ignore_ascii_case(known));
        match (self, token) {
            (_, Token::WhiteSpace(_)) => self,
            (_, Token::Ident(name)) if is_one_of(name, &["src"]) => Self::SourceName,
            (_, Token::Ident(name)) if is_one_of(name, &["filter", "-ms-filter"]) => Self::FilterName,
            (Self::SourceName, Token::Delim('=')) => Self::Source,
            (Self::FilterName, Token::Colon) => Self::Filter,
            _ => Self::Other,
        }
    }
}

/// Returns the prelude after a string or URL. Only the first one of an `@import` is a reference.
fn after_reference(prelude: Prelude) -> Prelude {
    if prelude == Prelude::Import { Prelude::None } else { prelude }
}

/// Returns the range inside `url( ... )`, without white space.
fn inside_url(css: &str, token: Range<usize>) -> Range<usize> {
    let is_space = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c');
    let text = &css[token.clone()];
    let open = text.find('(').map_or(0, |open| open + 1);
    let inside = &text[open..];
    // At the end of the input the parenthesis may be missing. An escaped one does not close.
    let inside = match inside.strip_suffix(')') {
        Some(closed) if !ends_with_escape(closed) => closed,
        _ => inside,
    };
    let start = open + (inside.len() - inside.trim_start_matches(is_space).len());
    let inside = inside.trim_start_matches(is_space);
    let trimmed = inside.trim_end_matches(is_space);
    token.start + start..token.start + start + trimmed.len()
}

/// Returns the range inside a string, and its wrapping.
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

/// Returns whether `text` ends with an odd number of backslashes.
fn ends_with_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
