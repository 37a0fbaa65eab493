//! What a program that saved a page recorded of a link beside it.

use absolve_links::{Grammar, Link};
use absolve_resolver::is_page_url;

use crate::document::context::{DocumentContext, row_of};
use crate::provenance::local_copies::Copies;
use crate::provenance::retrieval::Saver;
use crate::provenance::teleport;

/// Returns the URL of a link to a copy that is recorded beside it.
pub(crate) fn beside(
    context: &DocumentContext<'_, '_>,
    copies: &Copies,
    link: &Link,
    reference: &str,
) -> Option<String> {
    if !matches!(copies.saver, Saver::Extension | Saver::Recorder) {
        return None;
    }
    let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
    let is_copy = || copies.files.contains(path) || copies.files.contains(reference);
    let is_whole = row_of(link, context.options).is_some_and(|row| row.grammar == Grammar::Url);
    if !is_whole {
        let after = &context.document.bytes()[link.range.end..];
        return teleport::in_comment(after).filter(|_| is_copy());
    }
    let (own, attributes) = context.document.attributes_around(link)?;
    let (name, _) = &attributes[own];
    // Teleport puts it right behind the attribute that it changes.
    let behind = attributes.get(own + 1).filter(|(name, _)| name == teleport::ATTRIBUTE);
    if let Some((_, url)) = behind {
        return Some(url.clone()).filter(|url| is_page_url(url) && is_copy());
    }
    let original = attributes.iter().filter(|(of, _)| is_original_of(name, of)).min()?;
    let base = context.base_of(link, &original.1)?;
    base.portable()?.resolve(&original.1).ok().filter(|url| is_page_url(url))
}

/// Returns whether an attribute has the value that another one had before WebScrapBook or ScrapBook X changed it. WebScrapBook appends the
/// time: the first one is the oldest.
fn is_original_of(changed: &str, name: &str) -> bool {
    let local = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
    let (changed, name) = (local(changed), local(name));
    let of = ["data-scrapbook-orig-attr-", "data-sb-orig-"].iter().find_map(|start| name.strip_prefix(start));
    let time = of.and_then(|of| of.strip_prefix(&*changed));
    time.is_some_and(|time| time.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()))
}
