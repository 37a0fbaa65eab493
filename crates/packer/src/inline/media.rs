//! Media queries that hold together (Media Queries Level 4).

use cssparser::{ParseError, Parser, Token};

use crate::limits::COMBINED_QUERIES;

/// Returns the list of media queries that holds where both lists do; `None` if that cannot be said in a list.
pub(crate) fn both(one: &str, other: &str) -> Option<String> {
    if one.is_empty() || one.eq_ignore_ascii_case("all") {
        return Some(other.to_owned());
    }
    if other.is_empty() || other.eq_ignore_ascii_case("all") || one == other {
        return Some(one.to_owned());
    }
    let (one, other) = (queries(one)?, queries(other)?);
    if one.len() * other.len() > COMBINED_QUERIES {
        return None;
    }
    let pairs = one.iter().flat_map(|one| other.iter().filter_map(|other| one.and(other)));
    let all: Vec<String> = pairs.collect();
    Some(if all.is_empty() { NEVER.to_owned() } else { all.join(", ") })
}

/// Returns whether a list of media queries holds on no screen: each names another medium.
pub(crate) fn excludes_screens(list: &str) -> bool {
    let is_elsewhere = |query: &Query<'_>| !["", "screen"].contains(&&*query.media_type);
    list == NEVER || queries(list).is_some_and(|queries| queries.iter().all(is_elsewhere))
}

/// The query that never holds.
const NEVER: &str = "not all";

/// A query that only adds conditions to each other.
#[derive(Debug)]
struct Query<'q> {
    /// Empty for any.
    media_type: String,
    conditions: Vec<&'q str>,
}

impl Query<'_> {
    /// Returns the query that holds where both do; `None` if they exclude each other.
    fn and(&self, other: &Self) -> Option<String> {
        let media_type = match (&*self.media_type, &*other.media_type) {
            (one, "") => one,
            ("", other) => other,
            (one, other) if one == other => one,
            _ => return None,
        };
        let media_type = Some(media_type).filter(|media_type| !media_type.is_empty());
        let all: Vec<&str> =
            media_type.into_iter().chain(self.conditions.iter().chain(&other.conditions).copied()).collect();
        Some(if all.is_empty() { "all".to_owned() } else { all.join(" and ") })
    }
}

fn queries(list: &str) -> Option<Vec<Query<'_>>> {
    let one = |parser: &mut Parser<'_>| query(list, parser).ok_or_else(ParseError::<()>::unexpected_token);
    Parser::new(list).parse_comma_separated(one).ok()
}

/// Parses one query of a list.
fn query<'q>(list: &'q str, parser: &mut Parser<'_>) -> Option<Query<'q>> {
    let mut query = Query { media_type: String::new(), conditions: Vec::new() };
    let mut may_have_only = true;
    // What follows `and`, or the start.
    loop {
        parser.skip_whitespace();
        let start = parser.position().byte_index();
        match parser.next().ok()?.clone() {
            Token::Ident(name) if may_have_only && name.eq_ignore_ascii_case("only") => {
                may_have_only = false;
                continue;
            }
            Token::Ident(name) if query.conditions.is_empty() && query.media_type.is_empty() => {
                const WORDS: [&str; 5] = ["not", "and", "or", "only", "layer"];
                let name = name.to_ascii_lowercase();
                if WORDS.contains(&&*name) {
                    return None;
                }
                query.media_type = if name == "all" { String::new() } else { name };
            }
            Token::ParenthesisBlock => {
                let _ = parser.parse_nested_block(|parser| {
                    while parser.next().is_ok() {}
                    Ok::<(), ParseError<()>>(())
                });
                let condition = &list[start..parser.position().byte_index()];
                query.conditions.push(Some(condition).filter(|condition| condition.ends_with(')'))?);
            }
            _ => return None,
        }
        may_have_only = false;
        match parser.next() {
            Ok(Token::Ident(name)) if name.eq_ignore_ascii_case("and") => {}
            Ok(_) => return None,
            Err(_) => return Some(query),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{both, excludes_screens};

    #[test]
    fn media_that_are_no_screens() {
        for list in ["print", "PRINT and (color), speech", "only print", "not all"] {
            assert!(excludes_screens(list), "{list}");
        }
        for list in ["", "all", "screen", "print, screen", "print, (a)", "not print", "not screen", "print,", "{{x}}"] {
            assert!(!excludes_screens(list), "{list}");
        }
    }

    #[test]
    fn lists_are_combined() {
        for (one, other, expected) in [
            ("", "print", Some("print")),
            ("screen", "ALL", Some("screen")),
            ("Screen", "(min-width: 1px)", Some("screen and (min-width: 1px)")),
            ("only screen and (a)", "screen and (b:c) and (d)", Some("screen and (a) and (b:c) and (d)")),
            ("screen, print", "(a)", Some("screen and (a), print and (a)")),
            ("screen, print", "print", Some("print")),
            ("screen", "print", Some("not all")),
            ("(a)", "(b)", Some("(a) and (b)")),
            ("all and (a)", "all, (b)", Some("(a), (a) and (b)")),
            ("not screen", "(a)", None),
            ("(a) or (b)", "(c)", None),
            ("screen", "(a", None),
            ("screen", "{{x}}", None),
            ("screen (a)", "print", None),
            ("screen,", "(a)", None),
        ] {
            assert_eq!(both(one, other).as_deref(), expected, "{one} / {other}");
        }
    }
}
