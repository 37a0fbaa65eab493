//! What Teleport Pro records beside links to its copies: `<img src="a.gif" tppabs="http://h/a.gif">`, `url(a.gif)/*tpa=http://h/a.gif*/`.

use std::sync::LazyLock;

use absolve_links::DocumentType;
use absolve_resolver::is_page_url;
use memchr::memmem::Finder;

/// The attribute that has the URL.
pub(crate) const ATTRIBUTE: &str = "tppabs";

/// Rarer in pages than with the `="` behind it, which ends the name of any attribute.
static IN_TAG: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(ATTRIBUTE));
static IN_STYLE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("/*tpa=http"));

/// Returns whether Teleport Pro saved a page or a style: it records the URLs of links from the first one on.
pub fn is_of_teleport(document: &[u8], document_type: DocumentType) -> bool {
    const START: usize = 16 << 10;
    let start = &document[..document.len().min(START)];
    let has_url = |at: usize| start[..at].ends_with(b" ") && start[at + ATTRIBUTE.len()..].starts_with(b"=\"http");
    match document_type {
        DocumentType::Html => IN_TAG.find_iter(start).any(has_url),
        DocumentType::Css => IN_STYLE.find(start).is_some(),
        _ => false,
    }
}

/// Returns the URL in the comment behind a reference of CSS.
pub(crate) fn in_comment(after: &[u8]) -> Option<String> {
    let closing = after.iter().take(3).take_while(|byte| b"\"') ".contains(byte)).count();
    let comment = after[closing..].strip_prefix(b"/*tpa=")?;
    let url = str::from_utf8(&comment[..memchr::memmem::find(comment, b"*/")?]).ok()?;
    is_page_url(url).then(|| url.to_owned())
}
