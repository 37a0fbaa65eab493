//! An unpacked site, and the web archives that it was made of.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::slice;

use absolve_containers::Reading;
use absolve_files::{Entry, FileError, UNPACKED};
use absolve_framing::ArchivedKind;
use absolve_rewriter::internal::{ArchivePrefix, ReplayedCopy, WaybackLinks, decode_percent};
use absolve_rewriter::{Counts as LinkCounts, Finding};
use absolve_site::{
    Hosts, INDEX, Indexing, PageOf, Site, SiteFile, URLS, each_file, each_sheet, index, starts, write_page, write_urls,
};
use absolve_verifier::{Counts, Rule, Settings, Surroundings, UnpackedLinks, Verdict, verify_unpacked};
use csv::StringRecord;
use url::{Position, Url};
use walkdir::WalkDir;

use crate::args::verify::VerifyArguments;
use crate::commands::unpack::site::archives;
use crate::commands::verify::captures::Captures;
use crate::commands::verify::found::Found;
use crate::commands::verify::tree::differs;
use crate::outcome::Stop;

/// What was found of a site.
#[derive(Debug, Default)]
pub(crate) struct OfSite {
    pub(crate) counts: Counts,
    pub(crate) differences: Vec<Found>,
    /// What of the archives cannot be read.
    pub(crate) findings: Vec<(PathBuf, Finding)>,
    /// The archives that cannot be read whole.
    pub(crate) errors: Vec<FileError>,
}

impl OfSite {
    fn add(&mut self, path: PathBuf, verdict: Verdict) {
        self.counts += verdict.counts;
        let found = |difference| Found { path: path.clone(), position: None, difference };
        self.differences.extend(verdict.differences.into_iter().map(found));
    }

    /// Adds what was found in an archive, if it leaves something unread.
    fn note(&mut self, archive: &Entry, finding: Finding) {
        if finding.code.leaves_unread() {
            self.findings.push((archive.path.clone(), finding.when_unpacked()));
        }
    }

    fn differs(&mut self, path: PathBuf, message: &str) {
        self.add(path, differs(Rule::File, message));
    }
}

/// Returns the web archives that an unpacked site is compared with; `None` if the folder is no such site.
pub(crate) fn archives_of(arguments: &VerifyArguments) -> Result<Option<Vec<Entry>>, Stop> {
    let is_listed = File::open(arguments.rewritten.join(URLS)).and_then(|list| {
        let mut start = [0; UNPACKED.len()];
        (&list).read_exact(&mut start).map(|()| start == *UNPACKED.as_bytes())
    });
    if is_listed.unwrap_or(false) { archives(slice::from_ref(&arguments.original)) } else { Ok(None) }
}

/// Compares a site with archives: each of its files has the content of the record that the list names, its links lead to the files of the
/// URLs that they meant, and there are no other files.
pub(crate) fn verify_site(
    archives: &[Entry],
    folder: &Path,
    (at, wayback): (Option<i64>, &WaybackLinks),
    settings: &Settings,
) -> Result<OfSite, Stop> {
    let mut of_site = OfSite::default();
    let indexing = Indexing { at, reading: Reading::Whole, wayback };
    let mut note = |archive: usize, finding| of_site.note(&archives[archive], finding);
    let (site, first) = index(archives, indexing, &mut note, &|_| {})?;
    let (listed, paths, hosts) = listed(&site, folder, &mut of_site)?;
    if !is_first_page(&fs::read_to_string(folder.join(INDEX)).unwrap_or_default(), archives, &site, &hosts)? {
        of_site.differs(folder.join(INDEX), "it is not the page that this version of absolve makes of the archives");
    }
    let verify = |file: &SiteFile<'_>| {
        let path = folder.join(file.path);
        let verdict = match fs::read(&path) {
            Ok(bytes) => verify_file(file, &bytes, (&site, &listed), (wayback, settings)),
            Err(error) => differs(Rule::File, &format!("cannot be read: {error}")),
        };
        let undecodable = file.undecodable.map(|why| (file.place.0 as usize, why.clone()));
        Ok((path, verdict, undecodable))
    };
    let second = each_file(
        archives,
        &site,
        &verify,
        &mut |(path, mut verdict, undecodable)| {
            verdict.counts.records = 1;
            undecodable.into_iter().for_each(|(archive, why)| of_site.note(&archives[archive], why));
            of_site.add(path, verdict);
            Ok(())
        },
        &|_| {},
    )?;
    each_sheet(archives, &site, &verify, &mut |(path, verdict, _)| {
        of_site.add(path, verdict);
        Ok(())
    })?;
    of_site.errors = if first.errors.is_empty() { second.errors } else { first.errors };
    find_others(folder, &paths, &mut of_site);
    Ok(of_site)
}

/// Finds what is in the folder besides the files of the site, and what is not a file in the place of one.
fn find_others(folder: &Path, paths: &HashSet<PathBuf>, of_site: &mut OfSite) {
    let folders: HashSet<&Path> = paths.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    for found in WalkDir::new(folder).into_iter().filter_map(Result::ok) {
        let (path, kind) = (found.path().strip_prefix(folder).unwrap_or(found.path()), found.file_type());
        let message = match (paths.contains(path), folders.contains(path)) {
            (true, _) if kind.is_symlink() => "it is a symbolic link instead of a file",
            (_, true) if kind.is_symlink() => "it is a symbolic link instead of a folder",
            (true, _) if kind.is_file() => continue,
            (_, true) if kind.is_dir() => continue,
            (..) if kind.is_dir() => "no file of the site is in this folder",
            _ => "no record has its content",
        };
        of_site.differs(found.into_path(), message);
    }
}

/// The rows of a list: URLs by path, with the queries of those that redirect or were captured under another one.
struct Listed<'s> {
    urls: HashMap<String, String>,
    captures: Captures<'s>,
}

/// Returns whether a page is the one to begin with. Its title, which names the archives as the run did, and the numbers of links may be any.
fn is_first_page(found: &str, archives: &[Entry], site: &Site, hosts: &Hosts) -> io::Result<bool> {
    const TITLE: &str = "\u{1}";
    let between = |start, end| Some(found.split_once(start)?.1.split_once(end)?.0);
    let number = |start, end| between(start, end).and_then(|text| text.parse().ok()).unwrap_or_default();
    let counts = LinkCounts {
        local: number(" hosts. ", " links lead"),
        rewritten: number(" other files, ", " to the web"),
        ..LinkCounts::default()
    };
    let (starts, skipped) = (starts(archives, site, &mut |_, _| {}), site.skipped());
    let mut expected = Vec::new();
    write_page(&PageOf { title: TITLE, starts: &starts, hosts, counts: &counts, skipped }, &mut expected)?;
    let title = between("<title>", "</title>").filter(|title| !title.contains('<')).unwrap_or_default();
    Ok(found.as_bytes() == String::from_utf8_lossy(&expected).replace(TITLE, title).as_bytes())
}

/// Returns the rows that the list of the site has to have, the paths of its files, and its hosts.
fn listed<'s>(
    site: &'s Site,
    folder: &Path,
    of_site: &mut OfSite,
) -> io::Result<(Listed<'s>, HashSet<PathBuf>, Hosts)> {
    let mut expected = Vec::new();
    let hosts = write_urls(site, &mut expected)?;
    let rows = csv::Reader::from_reader(&expected[..]).into_records().collect::<Result<Vec<_>, _>>()?;
    let files = rows.iter().map(|row| &row[0]).filter(|path| !path.contains('?')).map(PathBuf::from);
    let mut files: HashSet<PathBuf> = files.chain([INDEX, URLS].map(PathBuf::from)).collect();
    let captures = Captures::of(rows, site);
    let found = fs::read(folder.join(URLS)).unwrap_or_default();
    let mut urls: HashMap<String, String> =
        captures.rows.iter().map(|row| (row[0].to_owned(), row[1].to_owned())).collect();
    let others =
        found.strip_prefix(&*expected).map(|rest| csv::ReaderBuilder::new().has_headers(false).from_reader(rest));
    let are_right = others.is_some_and(|others| {
        others.into_records().all(|row| {
            // Each leads back to one URL.
            let mut is_added = |row: &StringRecord| urls.insert(row[0].to_owned(), row[1].to_owned()).is_none();
            // The copy of a file for pages in quirks mode, that apply it as a stylesheet.
            let mut is_sheet = |row: &StringRecord| {
                let is_right = site.add_sheet(&row[1]).is_some_and(|path| path == row[0]) && captures.have(row);
                is_right && files.insert(PathBuf::from(&row[0]))
            };
            row.is_ok_and(|row| {
                let is_whole = row.len() == UNPACKED.split(',').count();
                is_whole && (captures.are_for(&row) || is_sheet(&row)) && is_added(&row)
            })
        })
    });
    if !are_right {
        of_site.differs(
            folder.join(URLS),
            "it lists other files than the archives have; if the run had --at or --unwrap-wayback, give it as it was",
        );
    }
    Ok((Listed { urls, captures }, files, hosts))
}

fn verify_file(
    file: &SiteFile<'_>,
    bytes: &[u8],
    (site, listed): (&Site, &Listed<'_>),
    (wayback, settings): (&WaybackLinks, &Settings),
) -> Verdict {
    let Some(document) = file.document() else {
        let message = "its bytes are not those of the record";
        return if bytes == file.content { Verdict::default() } else { differs(Rule::Bytes, message) };
    };
    let ArchivedKind::Document(document_type) = document.kind else { return Verdict::default() };
    let url_of = |reference: &str| listed.urls.get(&path_of(file.path, reference)?).cloned();
    let has = |url: &str| Url::parse(url).is_ok_and(|url| listed.captures.serve(url.as_str()));
    let archives = match (file.copy, wayback) {
        (Some(copy), WaybackLinks::Unwrap(given)) => ArchivePrefix::all_of(copy, given.as_ref()),
        _ => Vec::new(),
    };
    let archived =
        |url: &str| ReplayedCopy::of(url, &archives).filter(|_| file.copy.is_some()).map(|copy| copy.url.to_owned());
    let has_sheet = |url: &str| site.add_sheet(url).is_some();
    let links = UnpackedLinks { url_of: &url_of, has: &has, has_sheet: &has_sheet, archived: &archived };
    let around = Surroundings { retrieval: Some(document.url.clone()), ..Surroundings::default() };
    verify_unpacked(file.content, bytes, (document_type, document.charset.as_deref()), &around, &links, settings)
}

/// Returns the path, below the folder of the site, that a file refers to, with its query and fragment. `None` for what is outside of the folder.
fn path_of(file: &str, reference: &str) -> Option<String> {
    // The folder may be anywhere.
    const FOLDER: &str = "file:///the/folder/of/an/unpacked/site/";
    let folder = Url::parse(FOLDER).ok()?;
    let escaped: String = url::form_urlencoded::byte_serialize(file.as_bytes()).collect();
    let here = folder.join(&escaped.replace("%2F", "/").replace('+', "%20")).ok()?;
    let there = here.join(reference).ok()?;
    let path = there[..Position::AfterPath].strip_prefix(FOLDER)?;
    let names =
        path.split('/').map(|name| String::from_utf8(decode_percent(name)).ok().filter(|name| !name.contains('/')));
    Some(names.collect::<Option<Vec<_>>>()?.join("/") + &there[Position::AfterPath..])
}
