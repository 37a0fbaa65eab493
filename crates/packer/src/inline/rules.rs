//! The top-level rules of a style sheet, as far as they matter when it becomes style elements (CSS Syntax Level 3, CSS
//! Cascading Level 5).

use std::ops::Range;

use cssparser::{ParseError, Parser, Token};

/// Where rules stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// In a style sheet.
    Sheet,
    /// In the block of an at-rule.
    Block,
}

/// A rule, or a run of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule<'s> {
    /// An `@import` in front of all other rules: with its target, and the text behind that.
    Import { url: String, conditions: &'s str },
    /// A `@namespace`, whole.
    Namespace(&'s str),
    /// A `@media` with its query and block.
    Media { query: &'s str, block: &'s str },
    /// Another rule that applies under a condition only, or orders layers.
    Conditional,
    /// Anything else.
    Plain,
    /// A rule that has no effect where it stands.
    Void,
}

/// Returns the rules of a style sheet or block in their order, each with its range. Together they are all of the text.
pub(crate) fn rules(css: &str, level: Level) -> Vec<(Range<usize>, Rule<'_>)> {
    let mut parser = Parser::new(css);
    let mut rules = Vec::new();
    // Imports come first; only statements of layers may precede them.
    let mut may_import = level == Level::Sheet;
    loop {
        let state = parser.state();
        let start = parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return rules };
        let rule = match token {
            Token::WhiteSpace(_) | Token::Comment(_) => Rule::Plain,
            Token::CDO | Token::CDC if level == Level::Sheet => Rule::Plain,
            Token::AtKeyword(name) => {
                let prelude_start = parser.position().byte_index();
                let (prelude_end, block) = rest_of_rule(&mut parser, Ends::AtSemicolon);
                let whole = &css[start..parser.position().byte_index()];
                let prelude = css[prelude_start..prelude_end].trim();
                let is_layers = name.eq_ignore_ascii_case("layer") && block.is_none();
                let rule = at_rule(&name, prelude, block.map(|block| &css[block]), whole, level);
                let rule = match rule {
                    Rule::Import { .. } if !may_import => Rule::Void,
                    rule => rule,
                };
                may_import &= is_layers || matches!(rule, Rule::Import { .. } | Rule::Void);
                rule
            }
            _ => {
                parser.reset(&state);
                rest_of_rule(&mut parser, Ends::AtBlock);
                may_import = false;
                Rule::Plain
            }
        };
        rules.push((start..parser.position().byte_index(), rule));
    }
}

/// Returns whether all rules of a text are closed, so that others may follow.
pub(crate) fn is_closed(css: &str) -> bool {
    const SENTINEL: &str = "@absolve-end;";
    let css = format!("{css}{SENTINEL}");
    rules(&css, Level::Block).last().is_some_and(|(range, _)| css[range.clone()] == *SENTINEL)
}

/// Returns whether a text has rules at all.
pub(crate) fn has_rules(css: &str) -> bool {
    !Parser::new(css).is_exhausted()
}

/// What ends a rule besides its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    AtSemicolon,
    AtBlock,
}

/// Parses up to the end of a rule. Returns the end of its prelude, and the range within its block.
fn rest_of_rule(parser: &mut Parser<'_>, ends: Ends) -> (usize, Option<Range<usize>>) {
    loop {
        match parser.next_including_whitespace_and_comments() {
            Err(_) => return (parser.position().byte_index(), None),
            Ok(Token::Semicolon) if ends == Ends::AtSemicolon => {
                return (parser.position().byte_index() - 1, None);
            }
            Ok(Token::CurlyBracketBlock) => {
                let start = parser.position().byte_index();
                let end = parser.parse_nested_block(|parser| {
                    while parser.next().is_ok() {}
                    Ok::<_, ParseError<()>>(parser.position().byte_index())
                });
                return (start - 1, Some(start..end.unwrap_or(start)));
            }
            Ok(_) => {}
        }
    }
}

fn at_rule<'s>(name: &str, prelude: &'s str, block: Option<&'s str>, whole: &'s str, level: Level) -> Rule<'s> {
    const CONDITIONAL: [&str; 5] = ["media", "supports", "layer", "container", "scope"];
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    match block {
        // In a block of its own they are ignored.
        _ if level == Level::Block && ["import", "namespace", "charset"].into_iter().any(is) => Rule::Void,
        _ if is("charset") => Rule::Void,
        None if is("import") => import(prelude).unwrap_or(Rule::Void),
        None if is("namespace") => Rule::Namespace(whole),
        // A text between the marks of a comment is ignored in a sheet only.
        Some(block) if is("media") && !block.contains("<!--") && !block.contains("-->") => {
            Rule::Media { query: prelude, block }
        }
        _ if CONDITIONAL.into_iter().any(is) => Rule::Conditional,
        _ => Rule::Plain,
    }
}

fn import(prelude: &str) -> Option<Rule<'_>> {
    let mut parser = Parser::new(prelude);
    let url = parser.expect_url_or_string().ok()?.to_string();
    Some(Rule::Import { url, conditions: prelude[parser.position().byte_index()..].trim() })
}

#[cfg(test)]
mod tests {
    use super::{Level, Rule, is_closed, rules};

    #[test]
    fn rules_are_found() {
        let css = "@charset 'x'; @layer a, b; @import url('a.css');@namespace s 'n';i{}@import 'late';
            @media screen { b{} } @MEDIA{<!--} @supports (x) { c{} } u{";
        let found: Vec<_> =
            rules(css, Level::Sheet).into_iter().map(|(_, rule)| rule).filter(|rule| *rule != Rule::Plain).collect();
        let import = Rule::Import { url: "a.css".to_owned(), conditions: "" };
        let expected = [
            Rule::Void,
            Rule::Conditional,
            import,
            Rule::Namespace("@namespace s 'n';"),
            Rule::Void,
            Rule::Media { query: "screen", block: " b{} " },
            Rule::Conditional,
            Rule::Conditional,
        ];
        assert_eq!(found, expected);
        let ranges: Vec<_> = rules(css, Level::Sheet).into_iter().map(|(range, _)| range).collect();
        assert!(ranges.windows(2).all(|two| two[0].end == two[1].start) && ranges[0].start == 0);
        assert_eq!(ranges.last().map(|range| range.end), Some(css.len()));
    }

    #[test]
    fn open_ends_are_seen() {
        for closed in ["", "a{}", "@x y;", "a{b:')'} /* } */"] {
            assert!(is_closed(closed), "{closed}");
        }
        for open in ["a{", "a", "@x", "a{}/*", "a{b:'", "@media x{a{}", "a{}\\"] {
            assert!(!is_closed(open), "{open}");
        }
    }
}
