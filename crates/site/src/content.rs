//! The second pass: the contents of the files.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use absolve_containers::{Answer, ArchiveOptions, Payload, Reading, Snapshot, SnapshotContent};
use absolve_files::{Entry, FileError, Inspection, Listener, visit_archives};
use absolve_framing::{ArchivedDocument, ArchivedKind, Response};
use absolve_rewriter::internal::{Entity, LocalPaths, WaybackLinks, plan};
use absolve_rewriter::results::Done;
use absolve_rewriter::{BaseElement, Code, Counts, Finding, Signatures};
use absolve_unpacker::{declare, relative_reference};

use crate::entry::SiteEntry;
use crate::index::normal;
use crate::looks::Looks;
use crate::site::Site;
use crate::snapshot_row::Place;
use crate::table::{Way, common_length};

/// A file of a site, before its links change.
#[derive(Debug)]
pub struct SiteFile<'f> {
    /// The place of the record that has its content: the numbers of its archive, of the archive in a WACZ, and of the record.
    pub place: (u32, u32, u64),
    /// The path below the folder of the site.
    pub path: &'f str,
    /// The URL it was retrieved from.
    pub url: &'f str,
    /// The content without its codings; as it is stored, if `undecodable` says why.
    pub content: &'f [u8],
    /// Why the content cannot be decoded.
    pub undecodable: Option<&'f Finding>,
    /// The URL of the copy, if its links lead to the archive that served it.
    pub copy: Option<&'f str>,
    /// What is said of its content.
    finding: Option<Finding>,
    record: &'f str,
    content_type: &'f str,
    head: &'f [u8],
}

impl SiteFile<'_> {
    /// Returns the document that it is, if it is one whose links are found.
    pub fn document(&self) -> Option<ArchivedDocument<'_>> {
        let header = Response::read(self.head).map_or(&b""[..], |response| response.header);
        let content = Cow::Borrowed(self.content);
        let document = ArchivedDocument::new(
            self.copy.unwrap_or(self.url).to_owned(),
            self.content_type.to_owned(),
            header,
            content,
        )?;
        let is_document = self.undecodable.is_none() && matches!(document.kind, ArchivedKind::Document(_));
        is_document.then_some(document)
    }
}

/// Passes each file of a site to `look`, in parallel, and what it returns to `found`, in the order of the archives.
///
/// # Errors
///
/// The first of `look` or `found`, or one of temporary files.
pub fn each_file<T: Send>(
    archives: &[Entry],
    site: &Site,
    look: &(dyn Fn(&SiteFile<'_>) -> io::Result<T> + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
    listener: &Listener<'_>,
) -> io::Result<Inspection> {
    each(archives, (site, &|place| site.files_of(place)), look, found, listener)
}

/// Passes the copies of stylesheets with other types to `look`, as [`each_file`] does files.
///
/// # Errors
///
/// The first of `look` or `found`, or one of temporary files.
pub fn each_sheet<T: Send>(
    archives: &[Entry],
    site: &Site,
    look: &(dyn Fn(&SiteFile<'_>) -> io::Result<T> + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let sheets = site.sheets.all();
    let at = |place: Place| {
        let here = (place, String::new())..((place.0, place.1, place.2 + 1), String::new());
        Ok(sheets.range(here).map(|(_, entry)| entry.clone()).collect())
    };
    if sheets.is_empty() { Ok(()) } else { each(archives, (site, &at), look, found, &|_| {}).map(drop) }
}

/// Returns the entries of the files whose contents the record at a place has.
type FilesOf<'f> = dyn Fn(Place) -> io::Result<Vec<SiteEntry>> + Sync + 'f;

fn each<T: Send>(
    archives: &[Entry],
    (site, files_of): (&Site, &FilesOf<'_>),
    look: &(dyn Fn(&SiteFile<'_>) -> io::Result<T> + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
    listener: &Listener<'_>,
) -> io::Result<Inspection> {
    let looks = Looks::of(archives.len());
    let look_at = |archive: usize, seen: Result<Snapshot<'_>, Finding>| {
        looks.add(archive, &seen);
        let snapshot = seen.ok().filter(|snapshot| matches!(snapshot.answer, Answer::Content(_)))?;
        let (member, number) = snapshot.place;
        let place = (archive as u32, member, number);
        files_in(&snapshot, place, files_of, look)
            .map(|files| Some(files).filter(|files| !files.is_empty()))
            .transpose()
    };
    let mut found = |seen: io::Result<Vec<T>>| seen?.into_iter().try_for_each(&mut *found);
    let mut inspection = visit_archives(archives, Reading::Whole, &look_at, &mut found, listener)?;
    let changed = site.compare(&looks.sums()).into_iter().map(|index| FileError::changed(&archives[index].source));
    inspection.errors.extend(changed);
    site.failure().map(|()| inspection)
}

/// Returns what `look` returns of the files that have the content of a snapshot: several, if revisits refer to it.
fn files_in<T>(
    snapshot: &Snapshot<'_>,
    place: Place,
    files_of: &FilesOf<'_>,
    look: &dyn Fn(&SiteFile<'_>) -> io::Result<T>,
) -> io::Result<Vec<T>> {
    let entries = files_of(place)?;
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let (content, finding, undecodable) = match snapshot.content() {
        Ok(SnapshotContent { bytes, finding }) => (bytes, finding, None),
        Err(why) => (Cow::Borrowed(snapshot.stored()), None, Some(Finding { record: snapshot.record.clone(), ..why })),
    };
    let file = |SiteEntry { row, path, .. }: &SiteEntry| {
        Some(look(&SiteFile {
            place,
            path: path.as_deref()?,
            url: &row.url,
            content: &content,
            undecodable: undecodable.as_ref(),
            finding: finding.clone(),
            record: &snapshot.record,
            content_type: &row.content_type,
            copy: row.copy.as_deref(),
            head: row.head.as_deref().unwrap_or_else(|| snapshot.head()),
        }))
    };
    entries.iter().filter_map(file).collect()
}

/// A file that was written.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Written {
    /// The place of the record that has its content.
    pub place: (u32, u32, u64),
    /// Its bytes.
    pub bytes: u64,
    /// The links of a document.
    pub counts: Counts,
    /// Findings, with the name of the record.
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

/// Returns whether there is a file at a path of the site.
pub type IsThere<'w> = dyn Fn(&str) -> bool + Sync + 'w;

/// Passes each file of a site to `write`, in parallel, and what was written to `written`, in the order of the archives. Those of records
/// up to a place were written before, and are passed over if they are still there.
///
/// # Errors
///
/// The first of `write` or `written`, or one of temporary files.
pub fn unpack(
    archives: &[Entry],
    site: &Arc<Site>,
    options: &ArchiveOptions,
    (before, is_there, write): (Place, &IsThere<'_>, &Write<'_>),
    written: &mut dyn FnMut(Written) -> io::Result<()>,
    listener: &Listener<'_>,
) -> io::Result<Inspection> {
    let options = of_files(options);
    let look = |file: &SiteFile<'_>| {
        let (bytes, mut written) = unpacked(file, site, &options);
        if file.place <= before {
            // Its links are still needed for the list.
            return if is_there(file.path) { Ok(None) } else { write(file.path, &bytes).map(|()| None) };
        }
        written.findings.extend(file.finding.clone());
        written.findings.iter_mut().for_each(|finding| finding.record = file.record.to_owned());
        write(file.path, &bytes).map(|()| Some(Written { place: file.place, bytes: bytes.len() as u64, ..written }))
    };
    each_file(archives, site, &look, &mut |made| made.map_or(Ok(()), &mut *written), listener)
}

/// Passes the copies of stylesheets to `write` that pages in quirks mode apply whatever their types are. The pages have to be unpacked.
///
/// # Errors
///
/// The first of `write`, or one of temporary files.
pub fn unpack_sheets(
    archives: &[Entry],
    site: &Arc<Site>,
    options: &ArchiveOptions,
    write: &Write<'_>,
) -> io::Result<()> {
    let options = of_files(options);
    let look = |file: &SiteFile<'_>| write(file.path, &unpacked(file, site, &options).0);
    each_sheet(archives, site, &look, &mut |()| Ok(()))
}

/// Returns the options with those of files: links would be looked for at a BASE, and a file has no signature.
fn of_files(options: &ArchiveOptions) -> ArchiveOptions {
    let mut options = options.clone();
    (options.documents.base_element, options.documents.signatures) = (BaseElement::Keep, Signatures::Break);
    options
}

/// Returns the bytes of a file, with links that lead to other files of the site or are absolute, and what was found.
fn unpacked<'f>(file: &SiteFile<'f>, site: &Arc<Site>, options: &ArchiveOptions) -> (Cow<'f, [u8]>, Written) {
    let unchanged = Cow::Borrowed(file.content);
    if let Some(why) = file.undecodable {
        let message = format!("{}; it is written as it is stored", why.message);
        let finding = Finding { message, done: Done::AsSaid, ..why.clone() };
        return (unchanged, Written { findings: vec![finding], ..Written::default() });
    }
    let Some(document) = file.document() else { return (unchanged, Written::default()) };
    let payload = Payload::of(document);
    let (way, url, path) = (site.way(file.url), file.url.to_owned(), file.path.to_owned());
    let around = Around { site: site.clone(), way, url, path };
    let entity = match (file.copy, &site.wayback) {
        (Some(copy), WaybackLinks::Unwrap(given)) => payload.entity(options).of_copy(copy, given.as_ref()),
        _ => payload.entity(options),
    };
    let entity = entity.with_local_paths(Arc::new(around));
    let (edits, report) = plan(&entity, &options.documents).finish();
    let mut bytes = if edits.is_empty() { unchanged } else { Cow::Owned(edits.splice(file.content)) };
    let mut findings = report.findings;
    // A picture that was sent as a page has no charset to declare.
    if findings.iter().all(|finding| finding.code != Code::NotItsType) {
        findings.extend(declared_charset(&entity, &mut bytes));
    }
    for finding in findings.iter_mut().filter(|finding| finding.done == Done::LeftUnchanged) {
        finding.message.push_str("; its file has the links that it had");
        finding.done = Done::AsSaid;
    }
    (bytes, Written { counts: report.counts, findings, ..Written::default() })
}

/// Adds the charset to a document that only its header declares. Returns a finding if that cannot be done.
fn declared_charset(entity: &Entity<'_>, bytes: &mut Cow<'_, [u8]>) -> Option<Finding> {
    let part = &entity.parts[0];
    part.charset.as_ref()?;
    let encoding = entity.document(part).encoding();
    let undeclared = declare(bytes, part.document_type, encoding).filter(|found| found.is_missing())?;
    Some(undeclared.finding("the header of the record"))
}

/// Returns whether a URL is certainly spelled as the URL Standard spells it. Most are, and need no parser. `own` is a URL so spelled.
fn is_normal(url: &str, own: &str) -> bool {
    let folder = url.as_bytes()[..common_length(url.as_bytes(), own.as_bytes())].iter().rposition(|byte| *byte == b'/');
    // Behind the slashes of the scheme, a slash is that of a path.
    if let Some(folder) = folder.filter(|slash| !own[..*slash].ends_with([':', '/'])) {
        return is_plain_path(&url[folder..]);
    }
    let Some(rest) = ["http://", "https://"].iter().find_map(|scheme| url.strip_prefix(scheme)) else { return false };
    let Some((host, path)) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len() + 1)) else { return false };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_host = host.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'));
    // A number is an address, and a label in Punycode may be wrong.
    is_host
        && last.starts_with(|first: char| first.is_ascii_lowercase())
        && !host.contains("xn--")
        && is_plain_path(path)
}

/// Returns whether a part of a path, with what is behind it, is spelled in one way only.
fn is_plain_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => true,
        b'/' => bytes.get(at + 1) != Some(&b'.'),
        // An escaped dot is one, too.
        b'%' => !bytes[at + 1..].get(..2).is_some_and(|digits| digits.eq_ignore_ascii_case(b"2e")),
        _ => matches!(byte, b'!' | b'$' | b'&' | b'('..=b'.' | b':' | b';' | b'=' | b'?' | b'@' | b'_' | b'~'),
    })
}

/// The files of the site, as one of them refers to them.
#[derive(Debug)]
struct Around {
    site: Arc<Site>,
    /// The way to its own URL.
    way: Way,
    url: String,
    path: String,
}

impl LocalPaths for Around {
    fn reference(&self, url: &str) -> Option<String> {
        let (page, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
        // White space in front of a fragment is a part of the path.
        let page = if is_normal(page, &self.url) { Cow::Borrowed(page) } else { String::from(normal(url)?).into() };
        if page == self.url && !fragment.is_empty() {
            return Some(fragment.to_owned());
        }
        let found = self.site.find(&page, &self.way)?;
        if found.alias.is_some() {
            self.site.add_alias(&page);
        }
        let mut reference = relative_reference(&self.path, &found.path);
        reference.push_str(&found.query_and_fragment(fragment));
        Some(reference)
    }

    fn style_sheet(&self, url: &str) -> Option<String> {
        let fragment = &url[url.find('#').unwrap_or(url.len())..];
        let (own, url) = (normal(&self.url)?, normal(url)?);
        let path = (own.origin() == url.origin()).then(|| self.site.add_sheet(url.as_str())).flatten()?;
        Some(relative_reference(&self.path, &path) + fragment)
    }
}

#[cfg(test)]
mod tests {
    use super::{is_normal, normal};

    /// What is said to need no parser is what the parser makes of it.
    #[test]
    fn a_normal_url_is_spelled_as_the_parser_spells_it() {
        const PIECES: [&str; 18] = [
            "http://h",
            "https://a.b",
            "foo://h",
            "/",
            "a",
            "b",
            "//",
            "/.",
            "..",
            "%2e",
            "%41",
            "?",
            "=",
            ":",
            ":80",
            "@",
            "\\",
            "é",
        ];
        let mut random = fastrand::Rng::with_seed(36);
        let mut made = |begin: &str| -> String {
            let (begins, count) = (random.usize(..3), random.usize(..9));
            let pieces = (0..count).map(|_| PIECES[random.usize(..PIECES.len())]);
            [begin, "/"].into_iter().take(begins).chain(pieces).collect()
        };
        let mut known = 0;
        for _ in 0..100_000 {
            let Some(own) = normal(&made("http://h")) else { continue };
            let own = own.as_str();
            for url in [made("http://h"), made(&own[..own.rfind('/').unwrap_or(0)]), made(own)] {
                if is_normal(&url, own) {
                    assert_eq!(normal(&url).as_ref().map(url::Url::as_str), Some(&*url), "{own}");
                    known += 1;
                }
            }
        }
        assert!(known > 10_000, "{known}");
    }
}
