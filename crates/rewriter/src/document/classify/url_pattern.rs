//! Patterns of URLs, as the speculation rules of a page have them.
//!
//! A relative pattern takes the components before its own from the base, and the base is text in it (URL Pattern Standard, "parse a
//! constructor string" and "process a URLPatternInit"). So an absolute pattern is the start of the base, in which the characters of
//! patterns are escaped, and the pattern as it is: dot segments and groups keep their meaning.

use absolve_base::Base;
use absolve_links::{Grammar, Link};
use absolve_resolver::BaseUrl;

use crate::document::context::{DocumentContext, row_of};
use crate::document::placeholder::is_kept;
use crate::options::Options;
use crate::report::{Cause, Status};

/// Returns whether a link is a pattern of URLs.
pub(crate) fn is_pattern(link: &Link, options: &Options) -> bool {
    row_of(link, options).is_some_and(|row| row.grammar == Grammar::UrlPattern)
}

/// Classifies a pattern; `target` receives the absolute pattern.
pub(crate) fn classify_pattern(
    context: &DocumentContext<'_, '_>,
    pattern: &str,
    base: Option<&Base>,
    target: &mut String,
) -> Status {
    let options = context.options;
    target.clear();
    if is_kept(pattern, options) {
        return Status::Kept;
    }
    if has_protocol(pattern) {
        return if is_moved(pattern, options) { Status::Unresolved(Cause::UrlPattern) } else { Status::Absolute };
    }
    if context.keeps_relative() {
        return Status::Kept;
    }
    let Some(base) = base.filter(|base| base.url.is_some()) else { return Status::Unresolved(Cause::NoBase) };
    let Some(url) = base.portable() else { return Status::Unresolved(Cause::BaseNotPortable) };
    let absolute = start_of_pattern(url, pattern).map(|start| [&start, pattern].concat());
    match absolute.filter(|absolute| options.root.is_none() && !is_moved(absolute, options)) {
        Some(absolute) => {
            *target = absolute;
            Status::Relative
        }
        None => Status::Unresolved(Cause::UrlPattern),
    }
}

/// Returns whether links that an absolute pattern matches may lead elsewhere by the map: the map has a URL below the text that the pattern
/// begins with, or above it.
fn is_moved(pattern: &str, options: &Options) -> bool {
    let ends = |rest: &str| {
        rest.starts_with(['*', '{', '(', '?', '\\'])
            || rest.starts_with("/.")
            || (rest.starts_with(':') && !rest.starts_with("://"))
    };
    let end = pattern.char_indices().map(|(at, _)| at).find(|at| ends(&pattern[*at..]));
    let text = pattern[..end.unwrap_or(pattern.len())].to_ascii_lowercase();
    let is_beside = |(from, _): (&str, &str)| {
        let from = from.trim_end_matches('/').to_ascii_lowercase();
        !from.starts_with(&text) && !text.starts_with(&from)
    };
    !options.map.pairs().all(is_beside)
}

/// Returns what a base puts before a relative pattern; `None` if no text in front of the pattern means that.
fn start_of_pattern(base: &BaseUrl, pattern: &str) -> Option<String> {
    let components = base.components();
    let server = components.authority.filter(|server| is_plain_server(server))?;
    let is_web = ["http", "https"].iter().any(|scheme| scheme.eq_ignore_ascii_case(base.scheme()));
    // Behind a server, a group would belong to its name.
    if !is_web || pattern.starts_with("{/") {
        return None;
    }
    let path = base.as_str()[base.scheme().len() + "://".len() + server.len()..].split(['?', '#']).next()?;
    let path = if path.is_empty() { "/" } else { path };
    let directory = &path[..=path.rfind('/')?];
    let mut start = format!("{}://{server}", base.scheme());
    match pattern.as_bytes().first() {
        Some(b'/') => {}
        Some(b'\\') if pattern.starts_with("\\/") => {}
        Some(b'?') => push_text(path, &mut start),
        Some(b'#') => {
            push_text(path, &mut start);
            if let Some(query) = components.query.filter(|query| !query.is_empty()) {
                start.push('?');
                push_text(query, &mut start);
            }
        }
        _ => push_text(directory, &mut start),
    }
    Some(start)
}

/// Returns whether an authority is a name and perhaps a port: none of it can be the syntax of a pattern.
fn is_plain_server(authority: &str) -> bool {
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
        && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Appends text with the escapes of patterns.
fn push_text(text: &str, pattern: &mut String) {
    for character in text.chars() {
        if "+*?:{}()\\".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
}

/// Returns whether a pattern has a protocol: a colon outside groups that does not begin a name.
fn has_protocol(pattern: &str) -> bool {
    let (mut rest, mut groups) = (pattern, 0usize);
    while let Some(character) = rest.chars().next() {
        let behind = &rest[character.len_utf8()..];
        let next = behind.chars().next();
        match character {
            '\\' => {
                if next == Some(':') && groups == 0 {
                    return true;
                }
                rest = &behind[next.map_or(0, char::len_utf8)..];
                continue;
            }
            '{' => groups += 1,
            '}' => groups = groups.saturating_sub(1),
            '(' => {
                rest = behind_expression(behind).unwrap_or(behind);
                continue;
            }
            ':' if groups == 0 && !next.is_some_and(|next| next.is_alphabetic() || matches!(next, '_' | '$')) => {
                return true;
            }
            _ => {}
        }
        rest = behind;
    }
    false
}

/// Returns what follows the regular expression that `text` begins with, up to its parenthesis.
fn behind_expression(text: &str) -> Option<&str> {
    let (mut depth, mut is_escaped) = (1usize, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => depth += 1,
            ')' if depth == 1 => return Some(&text[at + 1..]),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use absolve_resolver::{BaseUrl, NotABase, Standard};

    use super::{has_protocol, start_of_pattern};

    #[test]
    fn patterns_behind_a_base() -> Result<(), NotABase> {
        let base = BaseUrl::parse("https://h:8080/a+b/(c)?d=*#e", Standard::Whatwg)?;
        for (pattern, start) in [
            ("/*", Some("https://h:8080")),
            ("\\/x", Some("https://h:8080")),
            ("//cdn/*", Some("https://h:8080")),
            ("../:id", Some("https://h:8080/a\\+b/")),
            ("{x}?/y", Some("https://h:8080/a\\+b/")),
            ("?q=*", Some("https://h:8080/a\\+b/\\(c\\)")),
            ("#top", Some("https://h:8080/a\\+b/\\(c\\)?d=\\*")),
            ("{/x}?", None),
        ] {
            assert_eq!(start_of_pattern(&base, pattern).as_deref(), start, "{pattern}");
        }
        for base in ["https://u:p@h/", "https://[::1]/", "ftp://h/"] {
            assert_eq!(start_of_pattern(&BaseUrl::parse(base, Standard::Whatwg)?, "/x"), None, "{base}");
        }
        Ok(())
    }

    #[test]
    fn protocols_of_patterns() {
        for pattern in ["https://h/*", "http{s}?://h/", "*://h/*", "(http|https)://h/", "a\\:b", "/x?u=http://h/"] {
            assert!(has_protocol(pattern), "{pattern}");
        }
        for pattern in ["/:id", "a/:id(\\d+)/b", "data:text", "/{:x}", "//h/*", "?a=(:)", ""] {
            assert!(!has_protocol(pattern), "{pattern}");
        }
    }
}
