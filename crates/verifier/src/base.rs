//! The base URL that applies to a document, established from the inside out.

use std::collections::HashSet;
use std::sync::Arc;

use encoding_rs::{UTF_8, WINDOWS_1252};

use crate::references::found::{Found, Scope};
use crate::resolution::below::{Root, below, root_of, roots};
use crate::resolution::part_key::MESSAGE;
use crate::resolution::placeholders::{begins_with_placeholder, placeholders};
use crate::resolution::{is_absolute, spelled_as_base, stripped, target_as_base, with_authority};
use crate::settings::{FeedBase, Profile, Settings, Standard};
use crate::values::{behind_url_mark, unfolded};

/// What surrounds a document and may declare its base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The headers around it, innermost first: the names and the values of their fields. U+FFFD precedes a value whose bytes are
    /// not UTF-8: it is a guess.
    pub headers: Vec<Vec<(String, String)>>,
    /// The URL it was retrieved from.
    pub retrieval: Option<String>,
    /// Whether that URL was found, by a mark, a log or the place in a mirror: neither the user nor a container declares it.
    pub retrieval_is_found: bool,
    /// The BASE that the page had before a browser saved it. It counts if the document has no BASE, or one without
    /// effect.
    pub saved_base: Option<String>,
    /// Whether the program that saved the document made its links lead elsewhere: to copies, or to an archive. Then the document does
    /// not prove where they led, and each is a difference that has no expected text.
    pub has_moved_links: bool,
    /// The sibling parts.
    pub siblings: Vec<Siblings>,
    /// The base of the document that links this one, if this one is no place of its own.
    pub lent: Lent,
}

/// The base that a document lends to a part which is no place of its own: the style or frame that it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lent {
    /// None: the headers and the retrieval URL count.
    #[default]
    Nothing,
    /// This one.
    Base(String),
    /// It is not certain which.
    Unknown,
}

/// The URL that a message was retrieved from, and how far it is to be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retrieved<'r> {
    /// It is not known.
    #[default]
    Nowhere,
    /// The user gave it: it outranks the one that a browser wrote into a saved page.
    Given(&'r str),
    /// It was found elsewhere, and that one outranks it.
    Found(&'r str),
}

/// The URLs of the parts of one multipart, as they are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Siblings {
    /// Those whose `Content-Location` is relative or a guess. References to them stay relative, because absolute ones would not
    /// lead to them.
    pub only_as_written: Arc<HashSet<String>>,
    /// All of them.
    pub all: Arc<HashSet<String>>,
}

/// What becomes of declared URLs whose characters are guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guesses {
    /// They are no bases.
    Rejected,
    /// Parts of the message are found by them, and without any base by one of their own.
    FindParts,
}

/// Precedes a value that is a guess.
const GUESS: char = char::REPLACEMENT_CHARACTER;

/// A declaration of a base.
struct Declaration {
    value: String,
    /// Whether a relative value is ignored.
    must_be_absolute: bool,
    /// Whether a user name in it is dropped.
    is_retrieval: bool,
}

/// The fields that declare a base, in lower case.
pub(crate) const DECLARING: [&str; 3] = ["content-base", "content-location", "base"];

/// Returns the base that is declared outside the document, spelled as it may be written into documents.
pub(crate) fn outside(surroundings: &Surroundings, settings: &Settings, guesses: Guesses) -> Option<String> {
    match &surroundings.lent {
        Lent::Nothing => {}
        Lent::Base(url) => return Some(url.clone()),
        Lent::Unknown => return None,
    }
    let mut declarations = Vec::new();
    for header in surroundings.headers.iter().filter(|_| settings.profile != Profile::Browser) {
        for field in DECLARING {
            let is_location = field == "content-location";
            let is_rfc2557 = settings.profile == Profile::Rfc2557;
            let named = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(field);
            let mut values = header.iter().filter(named).map(|(_, value)| (url_of(value), is_guess(value)));
            let Some((value, is_guess)) = values.next().filter(|_| is_location || !is_rfc2557) else { continue };
            // Two different values cancel each other.
            if !(is_location && is_no_place(&value))
                && values.all(|(other, _)| other == value)
                && (guesses == Guesses::FindParts || !is_guess)
            {
                let must_be_absolute = !is_location || is_rfc2557;
                declarations.push(Declaration { value, must_be_absolute, is_retrieval: false });
            }
        }
    }
    let message = (guesses == Guesses::FindParts).then_some(MESSAGE);
    declarations.extend(surroundings.retrieval.as_deref().or(message).map(|url| Declaration {
        value: url.to_owned(),
        must_be_absolute: false,
        is_retrieval: true,
    }));
    innermost(&declarations, settings.standard)
}

/// Returns the base that a document lends to the parts that it links; `element` is the value of its BASE.
pub(crate) fn of_document(element: Option<&str>, surroundings: &Surroundings, settings: &Settings) -> Lent {
    let outside = outside(surroundings, settings, Guesses::Rejected);
    match within(element, &outside, settings, &[]) {
        Some(base) => Lent::Base(base),
        None if outside.is_some() || surroundings.lent == Lent::Unknown => Lent::Unknown,
        None => Lent::Nothing,
    }
}

/// Reports whether a `Content-Location` names its part only (`cid:`), or says that there is no place (`about:`).
pub(crate) fn is_no_place(location: &str) -> bool {
    let scheme = location.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| ["cid", "about"].contains(&&*scheme))
}

/// Returns for each scope whether its base follows from a retrieval URL that was found.
pub(crate) fn follow_from_found_url(
    bases: &[Option<String>],
    found: &Found,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Vec<bool> {
    if !surroundings.retrieval_is_found {
        return vec![false; bases.len()];
    }
    let declared = Surroundings { retrieval: None, saved_base: None, ..surroundings.clone() };
    let roots = roots(surroundings.retrieval.as_deref(), settings);
    let declared = of_scopes(found, &declared, settings, (Guesses::Rejected, settings.feed_base), &roots);
    bases.iter().zip(declared).map(|(base, declared)| *base != declared).collect()
}

/// Returns the bases of the scopes of a document, in their order.
pub(crate) fn of_scopes(
    found: &Found,
    surroundings: &Surroundings,
    settings: &Settings,
    (guesses, feed_base): (Guesses, FeedBase),
    roots: &[Root],
) -> Vec<Option<String>> {
    let outside = outside(surroundings, settings, guesses);
    let is_idle = found.base.as_ref().is_none_or(|base| ["", ".", "./"].contains(&base.trim()));
    let saved = surroundings.saved_base.as_deref().filter(|_| is_idle);
    let mut bases: Vec<Option<String>> = Vec::with_capacity(found.scopes.len());
    for scope in &found.scopes {
        let base = match scope {
            Scope::Document => within(saved.or(found.base.as_deref()), &outside, settings, roots),
            Scope::Outside => outside.clone(),
            Scope::Data { codebase, within: around } => {
                let is_html4 = settings.standard != Standard::Whatwg && settings.profile != Profile::Browser;
                bases[if is_html4 { *codebase } else { *around }].clone()
            }
            Scope::Element { is_xml_base: true, within: around, .. } if settings.profile == Profile::Browser => {
                bases[*around].clone()
            }
            Scope::Element { declared, within: around, .. } => within(Some(declared), &bases[*around], settings, roots),
            Scope::Item { link: Some(link), within: around } if feed_base == FeedBase::Item => {
                let of_feed = &bases[*around];
                // An address such as `mailto:` has no paths to resolve in.
                within(Some(link), of_feed, settings, roots).and_then(|url| match url::Url::parse(&url) {
                    Ok(parsed) if parsed.cannot_be_a_base() => of_feed.clone(),
                    _ => Some(url),
                })
            }
            Scope::Item { within: around, .. } => bases[*around].clone(),
            Scope::Nested { base, within: around } => within(base.as_deref(), &bases[*around], settings, roots),
            Scope::Unknown => None,
        };
        bases.push(base);
    }
    bases
}

/// Returns the base within an element that declares `declared`. It is unknown if the declaration is a placeholder.
fn within(declared: Option<&str>, around: &Option<String>, settings: &Settings, roots: &[Root]) -> Option<String> {
    let Some(declared) = declared else { return around.clone() };
    let is_kept =
        !settings.keep.is_empty() && settings.keep.is_match(declared) && !is_absolute(settings.standard, declared);
    if is_kept || begins_with_placeholder(declared, settings.purpose) || has_placeholder_in_path(declared, settings) {
        return None;
    }
    let standard = settings.standard;
    let declared = stripped(declared);
    let root = root_of(roots, around.as_deref(), &declared, standard);
    let below = root.and_then(|root| below(standard, root, &declared, UTF_8)).unwrap_or(declared);
    usable(&below, || around.clone(), standard).or_else(|| around.clone())
}

/// Reports whether a placeholder begins in front of the query, except where an IPv6 address may.
fn has_placeholder_in_path(declared: &str, settings: &Settings) -> bool {
    let path = declared.split(['?', '#']).next().unwrap_or_default();
    let found = placeholders(declared, settings.purpose);
    found.iter().any(|range| {
        range.start < path.len() && !(path[..range.start].ends_with("//") && path[range.start..].starts_with('['))
    })
}

/// Returns the first usable declaration; a relative one is resolved against those further out.
fn innermost(declarations: &[Declaration], standard: Standard) -> Option<String> {
    let (first, rest) = declarations.split_first()?;
    let around = || if first.must_be_absolute { None } else { innermost(rest, standard) };
    let is_fit = !first.must_be_absolute || is_absolute(standard, &stripped(&first.value));
    let own = Some(&first.value).filter(|_| is_fit).and_then(|value| usable(value, around, standard));
    let own = own.map(|url| if first.is_retrieval { without_login(url) } else { url });
    own.or_else(|| innermost(rest, standard))
}

/// Returns the URL of a declaration, if it can be a base.
fn usable(declared: &str, around: impl FnOnce() -> Option<String>, standard: Standard) -> Option<String> {
    let declared = stripped(declared);
    let url = match is_absolute(standard, &declared) {
        true => declared,
        false => match around() {
            Some(around) => match with_authority(&around, &declared).filter(|_| standard == Standard::Whatwg) {
                Some(spelled) => spelled,
                None => target_as_base(standard, &around, &declared)?,
            },
            // Without a base around it, `http:a/b` is absolute.
            None => {
                let url = url::Url::parse(&declared).ok()?;
                with_authority("elsewhere:", &declared).unwrap_or_else(|| url.to_string())
            }
        },
    };
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(&*scheme, "data" | "javascript") { None } else { spelled_as_base(standard, &url) }
}

fn without_login(url: String) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url,
    }
}

/// Returns the URL in the value of a header field: without encoded words, comments, quotes, angle brackets, `URL:` and
/// folding. A remaining space is `%20`; within angle brackets it is removed.
pub(crate) fn url_of(value: &str) -> String {
    let value = decoded_words(&unfolded(value.trim_start_matches(GUESS)));
    let mut plain = String::new();
    let (mut depth, mut is_quoted) = (0_usize, false);
    for character in value.chars() {
        let may_open = !is_quoted && (plain.is_empty() || plain.ends_with(char::is_whitespace));
        match character {
            '(' if depth > 0 || may_open => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '"' | '<' | '>' => {
                is_quoted = !is_quoted;
                plain.push(character);
            }
            _ => plain.push(character),
        }
    }
    let plain = plain.trim().trim_matches('"').trim();
    let bracketed = plain.strip_prefix('<').map(|inside| inside.split('>').next().unwrap_or_default());
    let plain = bracketed.unwrap_or(plain).trim();
    let plain = behind_url_mark(plain).map_or(plain, str::trim);
    let space = if bracketed.is_some() { "" } else { "%20" };
    plain
        .chars()
        .filter(|character| *character == ' ' || !character.is_whitespace())
        .collect::<String>()
        .replace(' ', space)
}

/// Decodes the bytes of a value: UTF-8, or else as windows-1252, marked as a guess.
pub(crate) fn declared_text(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => format!("{GUESS}{}", WINDOWS_1252.decode_without_bom_handling(bytes).0),
    }
}

/// Reports whether a declared URL has guessed characters.
pub(crate) fn is_guess(value: &str) -> bool {
    if value.is_ascii() && !value.contains("=?") {
        return false;
    }
    let url = url_of(value);
    !url.is_ascii() && (value.starts_with(GUESS) || url.contains(GUESS))
}

/// Decodes the encoded words (RFC 2047) in a value.
pub(crate) fn decoded_words(value: &str) -> String {
    use mail_parser::HeaderValue;
    use mail_parser::parsers::MessageStream;
    if !value.contains("=?") {
        return value.to_owned();
    }
    match MessageStream::new(format!("{value}\n").as_bytes()).parse_unstructured() {
        HeaderValue::Text(text) => text.into_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Guesses, Surroundings, outside, url_of};
    use crate::settings::Settings;

    #[test]
    fn from_the_inside_out() {
        let header = |fields: &[(&str, &str)]| {
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
        };
        let surroundings = Surroundings {
            headers: vec![
                header(&[("Content-Base", "rel/"), ("Content-Location", "x/y"), ("Base", "<URL: http://no/ >")]),
                header(&[("content-location", "a"), ("Content-Location", "b")]),
                header(&[("Content-Base", "(c) \"http://h/\r\n d/\"")]),
            ],
            retrieval: Some("http://u:p@r/".into()),
            ..Surroundings::default()
        };
        assert_eq!(outside(&surroundings, &Settings::default(), Guesses::Rejected).as_deref(), Some("http://no/x/y"));
        let only = Surroundings { headers: surroundings.headers[1..].to_vec(), ..surroundings.clone() };
        assert_eq!(outside(&only, &Settings::default(), Guesses::Rejected).as_deref(), Some("http://h/d/"));
        let last = Surroundings { headers: Vec::new(), ..surroundings };
        assert_eq!(outside(&last, &Settings::default(), Guesses::Rejected).as_deref(), Some("http://r/"));
        assert_eq!(url_of(" <URL:http://a/\r\n b/> (c)"), "http://a/b/");
    }

    #[test]
    fn keeps_a_space_in_a_base() {
        for (value, url) in [
            (" http://h/a b/d.html", "http://h/a%20b/d.html"),
            (" =?us-ascii?Q?http://h/a=20b/d.html?=", "http://h/a%20b/d.html"),
            (" =?us-ascii?Q?http://h/a?=\r\n =?us-ascii?Q?=20b/?=", "http://h/a%20b/"),
            (" http://h/a\r\n b/ (a comment)", "http://h/ab/"),
            (" \"http://h/a  b\"\r\n (a comment)", "http://h/a%20%20b"),
            (" <http://h/a b/>", "http://h/ab/"),
            (" <URL: http://h/a\r\n b c/>", "http://h/abc/"),
        ] {
            assert_eq!(url_of(value), url, "{value:?}");
        }
    }
}
