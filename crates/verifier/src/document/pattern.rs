//! One pattern of URLs before and after the rewrite.

use absolve_links::first_placeholder;

use super::pair::{Pair, difference};
use crate::settings::{RelativeLinks, Settings};
use crate::verdict::{Difference, Rule};

/// Returns what is wrong with a pattern after the rewrite, if anything.
///
/// A relative pattern continues the base (URL Pattern Standard, "process a URLPatternInit"), so an absolute one is the base up to
/// there, with its characters escaped, and the pattern as it was.
pub(super) fn check_pattern(pair: &Pair<'_>, settings: &Settings) -> Option<Difference> {
    let old = &*pair.old.text;
    let is_kept = first_placeholder(old, settings.purpose).is_some()
        || (!settings.keep.is_empty() && settings.keep.is_match(old))
        || settings.relative_links == RelativeLinks::Keep;
    let base = pair.base.filter(|base| base.is_portable).map(|base| &*base.text);
    let meant = base.filter(|_| !is_kept && settings.root.is_none() && !names_protocol(old));
    let meant = meant.and_then(|base| behind(base, old)).filter(|meant| !settings.map.moves_matches_of(meant));
    match (meant, pair.is_changed()) {
        (None, false) => None,
        (None, true) => {
            let lacks_base = base.is_none();
            Some(Difference { lacks_base, ..difference(pair, Rule::Kept, old, "a pattern that stays has changed") })
        }
        (Some(meant), true) if pair.new == meant => None,
        (Some(meant), true) => {
            let why = format!("the pattern is {meant} at its base");
            Some(difference(pair, Rule::Target, &meant, &why))
        }
        (Some(meant), false) => {
            let why = format!("the pattern is still relative, and means {meant}");
            Some(difference(pair, Rule::Relative, &meant, &why))
        }
    }
}

/// Returns a relative pattern behind a base; `None` if that would be read in another way.
fn behind(base: &str, pattern: &str) -> Option<String> {
    let (scheme, rest) = base.split_once("://").filter(|_| !pattern.starts_with("{/"))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (server, rest) = rest.split_at(end);
    let is_server = |one: char| one.is_ascii_alphanumeric() || ".-_:".contains(one);
    let is_web = ["http", "https"].contains(&&*scheme.to_ascii_lowercase());
    if !is_web || server.is_empty() || !server.chars().all(is_server) || server.matches(':').count() > 1 {
        return None;
    }
    let before_fragment = rest.split('#').next().unwrap_or_default();
    let (path, query) = before_fragment.split_once('?').unwrap_or((before_fragment, ""));
    let path = if path.is_empty() { "/" } else { path };
    let is_absolute = pattern.starts_with('/') || pattern.starts_with("\\/");
    let start = match pattern.chars().next() {
        _ if is_absolute => String::new(),
        Some('?') => escaped(path),
        Some('#') if query.is_empty() => escaped(path),
        Some('#') => format!("{}?{}", escaped(path), escaped(query)),
        _ => escaped(&path[..=path.rfind('/')?]),
    };
    Some(format!("{scheme}://{server}{start}{pattern}"))
}

fn escaped(text: &str) -> String {
    let is_syntax = |one: char| matches!(one, '+' | '*' | '?' | ':' | '{' | '}' | '(' | ')' | '\\');
    let escape = |one: char| if is_syntax(one) { vec!['\\', one] } else { vec![one] };
    text.chars().flat_map(escape).collect()
}

/// Reports whether a pattern has a protocol, which ends with a colon that begins no name, in no group and no regular expression.
pub(super) fn names_protocol(pattern: &str) -> bool {
    let all: Vec<char> = pattern.chars().collect();
    let (mut at, mut braces) = (0, 0i32);
    while at < all.len() {
        let begins_name = all.get(at + 1).is_some_and(|next| next.is_alphabetic() || ['_', '$'].contains(next));
        at += match (all[at], all.get(at + 1)) {
            ('\\', Some(':')) | (':', _) if braces == 0 && (all[at] == '\\' || !begins_name) => return true,
            ('\\', _) => 2,
            ('(', _) => expression_length(&all[at..]),
            ('{', _) => {
                braces += 1;
                1
            }
            ('}', _) => {
                braces = (braces - 1).max(0);
                1
            }
            _ => 1,
        };
    }
    false
}

/// Returns the length of the regular expression that begins with a parenthesis; one if nothing closes it.
fn expression_length(all: &[char]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < all.len() {
        match all[at] {
            '\\' => at += 1,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    1
}
