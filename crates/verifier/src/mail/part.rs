//! What the header of a part declares.

use std::collections::HashSet;

use absolve_framing::{
    FIELD_BYTES, FieldUrl, Malformed, attached_name, holds_several_urls, is_saved_by_browser, type_of_part,
};
use absolve_links::DocumentType;
use absolve_resolver::is_page_url;

use super::entity::{Entity, Field, TRANSFER_ENCODING};
use crate::base::{DECLARING, Declared, declared};
use crate::resolution::is_absolute;
use crate::settings::Standard;

/// The deepest nesting of parts that is examined.
pub(super) const DEPTH: usize = 64;

/// Returns the URL that a browser retrieved a saved page from.
pub(super) fn snapshot_of(entity: &Entity<'_>) -> Option<String> {
    let FieldUrl { url, is_guess } = FieldUrl::of(entity.named("snapshot-content-location").next_back()?.value);
    (!is_guess && is_absolute(Standard::Whatwg, &url)).then_some(url)
}

/// Returns the URL in the `Archived-At` fields of a message, if each has one, and all are the same http or https URL.
pub(super) fn archived_at(entity: &Entity<'_>) -> Option<String> {
    let mut values = entity.named("archived-at").map(|field| field.value);
    let FieldUrl { url, is_guess } = FieldUrl::of(entity.named("archived-at").next()?.value);
    let is_one = values.all(|value| !holds_several_urls(value) && FieldUrl::of(value).url == url);
    let has_host = url.split_once("://").is_some_and(|(_, host)| !host.starts_with(['/', '\\']));
    let is_right = is_one && !is_guess && has_host && is_page_url(&url) && url::Url::parse(&url).is_ok();
    is_right.then_some(url)
}

/// Reports whether a message is a page that a browser saved.
pub(super) fn is_saved_page(entity: &Entity<'_>) -> bool {
    entity.named("snapshot-content-location").next().is_some()
        || entity.named("from").any(|field| is_saved_by_browser(field.value))
}

/// Returns what the fields of a header declare.
pub(super) fn declared_by(entity: &Entity<'_>) -> Declared {
    declared(|name| entity.named(name).map(|field| field.value))
}

/// Reports whether a header contradicts itself about the body, holds malformed lines, or is too long.
pub(super) fn is_doubtful(entity: &Entity<'_>) -> bool {
    let types = entity.named("content-type").map(|field| type_of_part(field.value));
    let encodings = entity.named(TRANSFER_ENCODING).map(Field::encoding_name);
    let decides = |name: &&str| entity.named(name).any(|field| field.value.len() > FIELD_BYTES);
    entity.malformed == Malformed::Doubtful
        || types.collect::<HashSet<_>>().len() > 1
        || encodings.collect::<HashSet<_>>().len() > 1
        || ["content-type", TRANSFER_ENCODING].iter().chain(&DECLARING).any(decides)
}

/// Returns the type of the document in an entity: that of its media type, or without one that of its file name.
pub(super) fn document_type(entity: &Entity<'_>, name: &str) -> Option<DocumentType> {
    DocumentType::of_media_type(name).or_else(|| {
        let file = attached_name(entity.header).filter(|_| name == DocumentType::UNTYPED)?;
        DocumentType::of_file_name(&file)
    })
}

/// Returns the path of a part within another, counted from 1.
pub(super) fn child(path: &str, number: usize) -> String {
    if path.is_empty() { number.to_string() } else { format!("{path}.{number}") }
}
