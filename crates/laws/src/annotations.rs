//! Properties of what documents and responses say of links.

use std::sync::LazyLock;

use absolve_containers::{ArchiveOptions, ContainerReader, inspect_container};
use absolve_framing::ArchiveFormat;
use absolve_rewriter::internal::{Entity, Positions, links_of, links_of_response};
use absolve_rewriter::results::Position;
use absolve_rewriter::settings::Annotations;
use absolve_rewriter::{ListedLink, Listing, Options};

static ANNOTATED: LazyLock<Options> =
    LazyLock::new(|| Options { annotations: Annotations::List, ..Options::default() });

/// Characters of a text or a `rel`.
const LONGEST: usize = 200;

/// Checks that annotations change nothing else of the listing of a document.
#[track_caller]
pub(crate) fn check(entity: &Entity<'_>, plain: &[ListedLink], name: &str) {
    let Listing { mut links, findings, .. } = links_of(entity, &entity.parts[0], &ANNOTATED);
    for link in &mut links {
        check_link(link, name);
        (link.text, link.rel) = (None, None);
    }
    // With texts, a listing can be too long.
    assert!(links == plain || !findings.is_empty(), "{name}: annotations change the links");
}

/// Checks the links of all documents and responses of an archive.
pub(crate) fn check_archive(bytes: &[u8]) {
    let mut options = ArchiveOptions::default();
    options.documents = ANNOTATED.clone();
    let inspect = |record: &str, entity: &Entity<'_>| {
        let documents = entity.parts.iter().flat_map(|part| links_of(entity, part, &ANNOTATED).links);
        documents.for_each(|link| check_link(&link, record));
        let head = entity.capture.as_ref().map_or(&b""[..], |capture| capture.head);
        let (mut positions, mut end) = (Positions::of(head), 0);
        for link in links_of_response(entity, &ANNOTATED).links {
            check_link(&link, record);
            assert!(end <= link.start && link.start <= link.end, "{record}: the fields are out of order");
            end = link.end;
            assert_eq!(link.written, String::from_utf8_lossy(&head[link.start..link.end]), "{record}");
            assert_eq!(positions.at(link.start), Position { line: link.line, column: link.column }, "{record}");
        }
    };
    // Compression that is broken from its start on is an error, and no panic.
    let archive = ContainerReader::Archive(ArchiveFormat::Warc, Box::new(bytes));
    let failed = inspect_container(archive, &inspect, &options, &mut |()| Ok(())).unwrap_or_default().failed;
    assert!(failed.is_empty(), "a panic in {failed:?}: {:?}", String::from_utf8_lossy(bytes));
}

#[track_caller]
fn check_link(link: &ListedLink, name: &str) {
    for text in [&link.text, &link.rel].into_iter().flatten() {
        assert!(text.chars().count() <= LONGEST, "{name}: {text:?} is long");
        assert!(link.element == "http" || !text.contains(char::is_control), "{name}: {text:?} has controls");
        assert!(
            text.split_whitespace().map(str::len).sum::<usize>() + text.matches(' ').count() == text.len(),
            "{name}: {text:?}"
        );
    }
}
