//! The second pass: the contents of the files.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use absolve_containers::{Answer, ArchiveOptions, Payload, Snapshot};
use absolve_files::{Entry, Inspection, Listener, visit_archives};
use absolve_framing::{ArchivedDocument, ArchivedKind, Response};
use absolve_rewriter::internal::{Entity, LocalPaths, plan};
use absolve_rewriter::results::Done;
use absolve_rewriter::{BaseElement, Counts, Finding, Signatures};
use absolve_unpacker::{declare, relative_reference};

use crate::index::normal;
use crate::site::{Site, SiteEntry};
use crate::snapshot_row::Place;

/// A file that was written.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Written {
    /// The place of its record: the numbers of its archive, of the archive in a WACZ, and of the record.
    pub place: (u32, u32, u64),
    /// The number of files with this content: several, if revisits refer to it.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The links of documents.
    pub counts: Counts,
    /// Findings about the record.
    pub findings: Vec<Finding>,
}

impl Written {
    /// Returns the index of its archive.
    pub const fn archive(&self) -> usize {
        self.place.0 as usize
    }
}

/// Receives the path of a file of the site, and its bytes.
pub type Write<'w> = dyn Fn(&str, &[u8]) -> io::Result<()> + Sync + 'w;

/// Passes each file of a site to `write`, in parallel, and what was written to `written`, in the order of the archives. Those of records
/// up to a place were written before, and are passed over.
///
/// # Errors
///
/// The first of `write` or `written`, or one of temporary files.
pub fn unpack(
    archives: &[Entry],
    site: &Arc<Site>,
    options: &ArchiveOptions,
    (before, write): (Place, &Write<'_>),
    written: &mut dyn FnMut(Written) -> io::Result<()>,
    listener: &Listener<'_>,
) -> io::Result<Inspection> {
    let mut options = options.clone();
    // Links would be looked for at a BASE, and a file has no signature.
    (options.documents.base_element, options.documents.signatures) = (BaseElement::Keep, Signatures::Break);
    let look = |archive: usize, seen: Result<Snapshot<'_>, Finding>| {
        let snapshot = seen.ok().filter(|snapshot| matches!(snapshot.answer, Answer::Content(_)))?;
        let (member, number) = snapshot.place;
        let place = Some((archive as u32, member, number)).filter(|place| *place > before)?;
        write_files(&snapshot, place, site, &options, write).transpose()
    };
    visit_archives(archives, &look, &mut |seen| written(seen?), listener)
}

/// Writes the files that have the content of a snapshot, if there are any.
fn write_files(
    snapshot: &Snapshot<'_>,
    place: Place,
    site: &Arc<Site>,
    options: &ArchiveOptions,
    write: &Write<'_>,
) -> io::Result<Option<Written>> {
    let mut written = Written { place, ..Written::default() };
    let entries = site.files_of(place)?;
    if entries.is_empty() {
        return Ok(None);
    }
    let content = snapshot.content().unwrap_or_else(|why| {
        let message = format!("{}; it is written as it is stored", why.message);
        written.findings.push(Finding { message: message.into(), done: Done::AsSaid, ..why });
        Cow::Borrowed(snapshot.stored())
    });
    for entry in entries {
        let Some(path) = &entry.path else { continue };
        let mut file = File { bytes: Cow::Borrowed(&content), counts: Counts::default(), findings: Vec::new() };
        if written.findings.is_empty() {
            file = file_of(snapshot, &entry, path, &content, site, options);
        }
        write(path, &file.bytes)?;
        written.files += 1;
        written.bytes += file.bytes.len() as u64;
        written.counts += file.counts;
        written.findings.extend(file.findings);
    }
    written.findings.iter_mut().for_each(|finding| finding.record.clone_from(&snapshot.record));
    Ok(Some(written))
}

struct File<'c> {
    bytes: Cow<'c, [u8]>,
    counts: Counts,
    findings: Vec<Finding>,
}

/// Returns the file of an entry: its links lead to other files of the site, or are absolute.
fn file_of<'c>(
    snapshot: &Snapshot<'_>,
    entry: &SiteEntry,
    path: &str,
    content: &'c [u8],
    site: &Arc<Site>,
    options: &ArchiveOptions,
) -> File<'c> {
    let unchanged = File { bytes: Cow::Borrowed(content), counts: Counts::default(), findings: Vec::new() };
    let head = entry.row.head.as_deref().unwrap_or_else(|| snapshot.head());
    let header = Response::read(head).map_or(&b""[..], |response| response.header);
    let row = &entry.row;
    let document = ArchivedDocument::new(row.url.clone(), row.content_type.clone(), header, Cow::Borrowed(content));
    let Some(document) = document.filter(|document| matches!(document.kind, ArchivedKind::Document(_))) else {
        return unchanged;
    };
    let payload = Payload::of(document);
    let around = Around { site: site.clone(), url: row.url.clone(), path: path.to_owned() };
    let entity = payload.entity(options).with_local_paths(Arc::new(around));
    let (edits, report) = plan(&entity, &options.documents).finish();
    let mut bytes = if edits.is_empty() { Cow::Borrowed(content) } else { Cow::Owned(edits.splice(content)) };
    let mut findings = report.findings;
    findings.extend(declared_charset(&entity, &mut bytes));
    File { bytes, counts: report.counts, findings }
}

/// Adds the charset to a document that only its header declares. Returns a finding if that cannot be done.
fn declared_charset(entity: &Entity<'_>, bytes: &mut Cow<'_, [u8]>) -> Option<Finding> {
    let part = &entity.parts[0];
    if part.charset.is_none() {
        return None;
    }
    let encoding = entity.document(part).encoding();
    let undeclared = declare(bytes, part.document_type, encoding).filter(|found| found.is_missing())?;
    Some(undeclared.finding("the header of the record"))
}

/// The files of the site, as one of them refers to them.
#[derive(Debug)]
struct Around {
    site: Arc<Site>,
    url: String,
    path: String,
}

impl LocalPaths for Around {
    fn reference(&self, url: &str) -> Option<String> {
        let fragment = &url[url.find('#').unwrap_or(url.len())..];
        let page = normal(url)?;
        // A table that cannot be read any more was readable just before.
        let found = self.site.find(page.as_str()).ok()??;
        if page.as_str() == self.url && !fragment.is_empty() {
            return Some(fragment.to_owned());
        }
        Some(format!("{}{}{fragment}", relative_reference(&self.path, &found.path), found.query()))
    }
}
