//! The base URL that applies to a document, established from the inside out.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::Arc;

use absolve_framing::FieldUrl;
use absolve_links::{first_placeholder, inserted_bytes, placeholders};
use absolve_resolver::{is_no_place, without_login};
use encoding_rs::UTF_8;

use crate::references::found::{Found, Scope};
use crate::resolution::below::{Root, below, root_of, roots};
use crate::resolution::part_key::MESSAGE;
use crate::resolution::{is_absolute, spelled_as_base, stripped, target_as_base, with_authority};
use crate::settings::{FeedBase, Profile, Settings, Standard};
use crate::values::is_space;

/// What surrounds a document and may declare its base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The headers around it, innermost first: which of their fields declare which URL.
    pub headers: Vec<Declared>,
    /// The URL it was retrieved from.
    pub retrieval: Option<String>,
    /// Whether that URL was found, by a mark, a log or the place in a mirror: neither the user nor a container declares it.
    pub retrieval_is_found: bool,
    /// The BASE that the page had before a browser saved it. It counts if the document has no BASE, or one without
    /// effect.
    pub saved_base: Option<String>,
    /// Whether a program put a BASE of its own in front of the document. Then the second one counts, if there is one.
    pub has_added_base: bool,
    /// Whether the program that saved the document made its links lead elsewhere: to copies, or to an archive. Then the document does
    /// not prove where they led, and each is a difference that has no expected text.
    pub has_moved_links: bool,
    /// Whether no empty line ends a header around it, so that line ends in references matter, and those stay.
    pub needs_line_ends: bool,
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

/// The fields of a header that declare a base, by their names: of each name the first one, and one with a different URL.
pub type Declared = Vec<(&'static str, FieldUrl)>;

/// The URL that a message was retrieved from, and how far it is to be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retrieved<'r> {
    /// It is not known.
    #[default]
    Nowhere,
    /// The user gave it: it outranks the one that a browser wrote into a saved page.
    Given(&'r str),
    /// The user gave it for all of the input: it is that of a page which was saved as a message, and not that of mail.
    OfInput(&'r str),
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

/// The fields that declare a base, in lower case.
pub(crate) const DECLARING: [&str; 3] = ["content-base", LOCATION, "base"];

pub(crate) const LOCATION: &str = "content-location";

/// Stands for a field with the URL that the outermost entity was retrieved from.
const RETRIEVAL: &str = "";

/// Returns what the fields of a header declare, of which `values` finds those with a name.
pub(crate) fn declared<'h, V: Iterator<Item = &'h [u8]>>(values: impl Fn(&'static str) -> V) -> Declared {
    let of_name = |name| {
        let mut urls = values(name).map(FieldUrl::of);
        let first = urls.next();
        let another = urls.find(|other| Some(&other.url) != first.as_ref().map(|first| &first.url));
        first.into_iter().chain(another).map(move |url| (name, url))
    };
    DECLARING.into_iter().flat_map(of_name).collect()
}

/// Returns the base that is declared outside the document, spelled as it may be written into documents.
pub(crate) fn outside(surroundings: &Surroundings, settings: &Settings, guesses: Guesses) -> Option<String> {
    match &surroundings.lent {
        Lent::Nothing => {}
        Lent::Base(url) => return Some(url.clone()),
        Lent::Unknown => return None,
    }
    // A browser takes the place of a part from the header of that alone.
    let is_browser = settings.profile == Profile::Browser;
    let headers = surroundings.headers.iter().take(if is_browser { 1 } else { usize::MAX });
    let fields = headers.flat_map(|header| {
        DECLARING.into_iter().filter_map(move |field| {
            let mut urls = header.iter().filter(|(name, _)| *name == field).map(|(_, url)| url);
            // Two different values cancel each other.
            let (Some(FieldUrl { url, is_guess }), None) = (urls.next(), urls.next()) else { return None };
            let counts = if field == LOCATION { !is_no_place(url) } else { counts_all_fields(settings) };
            (counts && (guesses == Guesses::FindParts || !is_guess)).then_some((field, &**url))
        })
    });
    let message = (guesses == Guesses::FindParts).then_some(MESSAGE);
    let retrieval = surroundings.retrieval.as_deref().or(message).map(|url| (RETRIEVAL, url));
    innermost(&fields.chain(retrieval).collect::<Vec<_>>(), settings)
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

/// Returns for each scope whether its base follows from a retrieval URL that was found.
pub(crate) fn follow_from_found_url(
    bases: &[Option<String>],
    found: &Found,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Option<Vec<bool>> {
    if !surroundings.retrieval_is_found && surroundings.saved_base.is_none() {
        return Some(vec![false; bases.len()]);
    }
    let given = surroundings.retrieval.clone().filter(|_| !surroundings.retrieval_is_found);
    let declared = Surroundings { retrieval: given, saved_base: None, ..surroundings.clone() };
    let roots = roots(surroundings.retrieval.as_deref(), settings);
    let declared = of_scopes(found, &declared, settings, (Guesses::Rejected, settings.feed_base), &roots)?;
    Some(bases.iter().zip(declared).map(|(base, declared)| *base != declared).collect())
}

/// Returns the bases of the scopes of a document, in their order; `None` if they are many times as long as the document.
pub(crate) fn of_scopes(
    found: &Found,
    surroundings: &Surroundings,
    settings: &Settings,
    (guesses, feed_base): (Guesses, FeedBase),
    roots: &[Root],
) -> Option<Vec<Option<String>>> {
    let outside = outside(surroundings, settings, guesses);
    let is_idle = found.base.as_ref().is_none_or(|base| ["", ".", "./"].contains(&base.trim()));
    let saved = surroundings.saved_base.as_deref().filter(|_| is_idle);
    let mut bases: Vec<Option<String>> = Vec::with_capacity(found.scopes.len());
    let mut room = inserted_bytes(found.length);
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
            Scope::Item { is_unclear: true, .. } if feed_base == FeedBase::Item => None,
            Scope::Item { link: Some(link), within: around, .. } if feed_base == FeedBase::Item => {
                let of_feed = &bases[*around];
                // An address such as `mailto:` has no paths to resolve in.
                within(Some(link), of_feed, settings, roots).and_then(|url| match url::Url::parse(&url) {
                    Ok(parsed) if parsed.cannot_be_a_base() => of_feed.clone(),
                    _ => Some(url),
                })
            }
            Scope::Item { within: around, .. } => bases[*around].clone(),
            Scope::Nested { base, within: around } => within(base.as_deref(), &bases[*around], settings, roots),
            Scope::BeforeBase { document, around } => {
                let is_early = settings.profile != Profile::Drafts && bases[*around].is_some();
                bases[if is_early { *around } else { *document }].clone()
            }
            Scope::Unknown => None,
        };
        room = room.checked_sub(base.as_ref().map_or(0, String::len))?;
        bases.push(base);
    }
    Some(bases)
}

/// Returns the base within an element that declares `declared`. It is unknown if the declaration is a placeholder.
fn within(declared: Option<&str>, around: &Option<String>, settings: &Settings, roots: &[Root]) -> Option<String> {
    let Some(declared) = declared.map(|declared| declared.trim_matches(is_space)) else { return around.clone() };
    let is_kept =
        !settings.keep.is_empty() && settings.keep.is_match(declared) && !is_absolute(settings.standard, declared);
    if is_kept || first_placeholder(declared, settings.purpose).is_some() || has_placeholder_in_path(declared, settings)
    {
        return None;
    }
    let standard = settings.standard;
    let declared = stripped(declared);
    let root = root_of(roots, around.as_deref(), &declared, standard);
    let below = root.and_then(|root| below(standard, &root.base.text, &declared, UTF_8)).map_or(declared, Into::into);
    usable(&below, || around.clone(), standard).or_else(|| around.clone())
}

/// Reports whether a placeholder begins in front of the query, except where an IPv6 address may.
fn has_placeholder_in_path(declared: &str, settings: &Settings) -> bool {
    let path = declared.split(['?', '#']).next().unwrap_or_default();
    placeholders(declared, settings.purpose).any(|range| {
        range.start < path.len() && !(path[..range.start].ends_with("//") && path[range.start..].starts_with('['))
    })
}

/// Reports whether each field of each header counts, as in the drafts.
fn counts_all_fields(settings: &Settings) -> bool {
    matches!(settings.profile, Profile::Layered | Profile::Drafts)
}

/// Returns the first usable one of these declarations, each with its field; a relative one is resolved against those further out.
fn innermost(declared: &[(&str, &str)], settings: &Settings) -> Option<String> {
    let ((field, url), further_out) = declared.split_first()?;
    let around = LazyCell::new(|| innermost(further_out, settings));
    let may_be_relative = match *field {
        RETRIEVAL => true,
        LOCATION => counts_all_fields(settings),
        _ => false,
    };
    let is_fit = may_be_relative || is_absolute(settings.standard, &stripped(url));
    let own = is_fit.then(|| usable(url, || around.clone(), settings.standard)).flatten();
    let own = if *field == RETRIEVAL { own.map(|url| without_login(&url).into_owned()) } else { own };
    own.or_else(|| around.clone())
}

/// Returns the URL of a declaration, if it can be a base.
fn usable(declared: &str, around: impl FnOnce() -> Option<String>, standard: Standard) -> Option<String> {
    let declared = stripped(declared);
    let around = if is_absolute(standard, &declared) { None } else { around() };
    let url = match around {
        Some(around) => {
            let own = with_authority(&around, &declared).filter(|_| standard == Standard::Whatwg);
            own.or_else(|| target_as_base(standard, &around, &declared))?
        }
        // Without a base around it, `http:a/b` is absolute.
        None => declared.into_owned(),
    };
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(&*scheme, "data" | "javascript") { None } else { spelled_as_base(standard, &url) }
}

#[cfg(test)]
mod tests {
    use super::{Declared, Guesses, Surroundings, declared, outside};
    use crate::settings::Settings;

    fn header(fields: &[(&str, &str)]) -> Declared {
        let named = |name: &'static str| fields.iter().filter(move |field| field.0.eq_ignore_ascii_case(name));
        declared(|name| named(name).map(|(_, value)| value.as_bytes()))
    }

    #[test]
    fn from_the_inside_out() {
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
    }
    /// Each level is searched once, however many there are.
    #[test]
    fn relative_locations_without_a_base_around_them_declare_none() {
        let headers = vec![header(&[("Content-Location", "a/")]); 64];
        let surroundings = Surroundings { headers, ..Surroundings::default() };
        assert_eq!(outside(&surroundings, &Settings::default(), Guesses::Rejected), None);
    }
}
