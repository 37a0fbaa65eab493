//! What the header of a part says of it.

use std::collections::HashSet;

use absolve_links::DocumentType;

use super::header::{Field, Header};
use super::parameters::{describe_alike, file_name, without_comments};
use super::transfer_encoding::encoding_name;
use crate::base::{DECLARING, declared_text, is_guess, url_of};
use crate::resolution::is_absolute;
use crate::settings::Standard;

/// The deepest nesting of parts that is examined.
pub(super) const DEPTH: usize = 64;

/// Returns the URL that a browser retrieved a saved page from.
pub(super) fn snapshot_of(header: &Header) -> Option<String> {
    let snapshot = header.fields.iter().rfind(|field| field.name == "snapshot-content-location");
    let snapshot = snapshot.map(|field| declared_text(&field.value)).filter(|url| !is_guess(url));
    snapshot.map(|url| url_of(&url)).filter(|url| is_absolute(Standard::Whatwg, url))
}

/// Returns the URL in the `Archived-At` fields of a message, if each has one, and all are the same http or https URL.
pub(super) fn archived_at(header: &Header) -> Option<String> {
    let fields = header.fields.iter().filter(|field| field.name == "archived-at");
    let values: Vec<String> = fields.map(|field| declared_text(&field.value)).collect();
    let is_one = |value: &String| {
        let urls = without_comments(value);
        match urls.trim().strip_prefix('<').map(|rest| rest.split_once('>')) {
            Some(in_brackets) => in_brackets.is_none_or(|(_, after)| after.is_empty()),
            None => !urls.trim().contains(char::is_whitespace),
        }
    };
    let urls: HashSet<String> = values.iter().map(|value| url_of(value)).collect();
    let url = urls.iter().next().filter(|_| urls.len() == 1 && values.iter().all(is_one) && !is_guess(&values[0]))?;
    let is_of_web = url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    let is_here = ["http://localhost", "http://localhost/"].contains(&&**url);
    let has_host = url.split_once("://").is_some_and(|(scheme, rest)| {
        scheme.len() <= 5 && rest.starts_with(|first: char| first != '/' && first != '\\')
    });
    let is_plain = !url.contains(|character: char| character.is_whitespace() || character.is_control());
    (is_of_web && has_host && is_plain && !is_here).then(|| url.clone())
}

/// Reports whether a message is a page that a browser saved.
pub(super) fn is_saved_page(header: &Header) -> bool {
    let from = header.value("from").unwrap_or_default();
    header.value("snapshot-content-location").is_some()
        || from.trim_start_matches([' ', '\t', '<', '"']).starts_with("Saved by ")
}

/// Returns the fields that declare a base: of each name the first one, and one with a different URL.
pub(super) fn declared_by(header: &Header) -> Vec<(String, String)> {
    let mut declared: Vec<(String, String)> = Vec::new();
    for field in header.fields.iter().filter(|field| DECLARING.contains(&&*field.name)) {
        let (name, value) = (field.name.clone(), declared_text(&field.value));
        let known: Vec<&String> = declared.iter().filter(|(known, _)| *known == name).map(|(_, value)| value).collect();
        if known.is_empty() || (known.len() == 1 && url_of(known[0]) != url_of(&value)) {
            declared.push((name, value));
        }
    }
    declared
}

/// Reports whether a header contradicts itself about the body, or holds malformed lines.
pub(super) fn is_doubtful(header: &Header) -> bool {
    let says_two_things = |name: &str, are_alike: &dyn Fn(&str, &str) -> bool| {
        let mut values = header.fields.iter().filter(|field| field.name == name).map(Field::unfolded);
        values.next().is_some_and(|first| values.any(|other| !are_alike(&first, &other)))
    };
    header.fields.iter().any(Field::is_malformed)
        || says_two_things("content-type", &describe_alike)
        || says_two_things("content-transfer-encoding", &|one, other| encoding_name(one) == encoding_name(other))
}

/// Reports whether a media type says nothing of the content.
pub(super) fn is_untyped(name: &str) -> bool {
    name == "application/octet-stream"
}

/// Returns the type of a part without a media type, by the extension of its file name.
pub(super) fn named_type(header: &Header, name: &str) -> Option<DocumentType> {
    let file = file_name(header).filter(|_| is_untyped(name))?;
    let named = DocumentType::of_extension(file.rsplit_once('.')?.1.trim())?;
    [DocumentType::Html, DocumentType::Xml].contains(&named).then_some(named)
}

/// Reports whether a text begins like one of this type, or with any tag where that is unclear.
pub(super) fn begins_like(text: &[u8], document_type: DocumentType) -> bool {
    let found = DocumentType::of_content(text);
    found == Some(document_type) || (found.is_none() && text.trim_ascii_start().first() == Some(&b'<'))
}

pub(super) fn child(path: &str, number: usize) -> String {
    if path.is_empty() { number.to_string() } else { format!("{path}.{number}") }
}
