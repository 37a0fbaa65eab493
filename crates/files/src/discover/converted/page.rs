//! What the links of one page show of a tool that converted them. Each page is opened and scanned once for all questions.

use std::io::Read;
use std::path::{Path, PathBuf};

use absolve_framing::bundle::normal;
use absolve_links::{Document, DocumentType, Grammar, Link, Place, Row, Scan, Table};
use url::Url;

use crate::discover::copies::path_from;
use crate::discover::file_names::{has_query, is_index_name, key_of_query, without_fragment};
use crate::discover::mirror_layout;
use crate::discover::site::Site;
use crate::input::entry::Entry;
use crate::input::kind::{EntryKind, Otherwise};
use crate::limits::DOCUMENT_FILE_BYTES;

/// What one page shows.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// What shows by itself that links were converted.
    pub(super) proof: Option<String>,
    /// What its links show together with those of all other pages; `None` if one leads to no file, or if HTTrack saved it.
    pub(super) leads: Option<Leads>,
    /// The keys of the queries in references that were not converted, and whether each query ends in `.html`.
    pub(super) queries: Vec<(String, bool)>,
    /// The port at which the index of a host names this host.
    pub(super) port: Option<u16>,
    /// The URL that it declares for itself, where wget converts none.
    pub(super) own_url: Option<String>,
}

/// Where links lead that all lead to files.
#[derive(Debug, Default)]
pub(super) struct Leads {
    /// The first index of a folder.
    pub(super) index: Option<PathBuf>,
    /// Whether something is as only wget leaves it: a page without an extension, or an absolute link to what was not retrieved.
    pub(super) is_of_wget: bool,
    pub(super) is_page: bool,
    /// Whether the page is the index of a folder.
    pub(super) is_index: bool,
    /// Whether an absolute link leads to a copy by the URL of this, as an earlier run writes it.
    pub(super) by_url: bool,
    /// Whether a relative link leads to a copy whose URL is known.
    pub(super) to_known: bool,
    /// Whether there are relative links, and all lead to copies whose URLs are not known.
    pub(super) only_to_unknown: bool,
    /// The number of links to files whose names wget may have changed.
    pub(super) guesses: usize,
}

/// A link of a page.
struct Reference<'t> {
    text: String,
    row: Option<&'t Row>,
    /// Whether it leads to no copy by its path: it is absolute, or leads into its own document.
    is_whole: bool,
    /// The file of the input to which it leads.
    file: Option<PathBuf>,
    /// Whether it leads to a folder of the input: wget2 leaves links to those without a slash.
    is_to_folder: bool,
}

impl Reference<'_> {
    /// Returns whether every version of wget converts such links.
    fn is_usual(&self) -> bool {
        let is_of = |row: &Row| ["a", "area", "img", "frame", "iframe"].contains(&&*row.element);
        self.row.is_some_and(is_of) && self.has_usual_attribute()
    }

    /// Returns whether it is in metadata for other sites, where no version of wget converts links.
    fn is_metadata(&self) -> bool {
        self.row.is_some_and(|row| row.element == "meta" && row.grammar == Grammar::Url)
    }

    fn has_usual_attribute(&self) -> bool {
        self.row.is_some_and(|row| ["href", "src"].contains(&&*row.attribute))
    }
}

/// Returns whether a page may declare its URL for other sites (`og:url`).
pub(super) fn may_declare_url(page: &Entry) -> bool {
    bytes_of(page).is_some_and(|bytes| memchr::memmem::find(&bytes, b":url").is_some())
}

fn bytes_of(page: &Entry) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    page.open().ok()?.take(DOCUMENT_FILE_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Returns what a page shows; `None` if it cannot be read.
pub(super) fn shown_by(page: &Entry, site: &Site<'_>) -> Option<Shown> {
    let bytes = bytes_of(page)?;
    if page.kind == EntryKind::Undecided(Otherwise::Copied)
        && DocumentType::of_content(&bytes) != Some(DocumentType::Html)
    {
        return Some(Shown { leads: Some(Leads::default()), ..Shown::default() });
    }
    let document = Document::new(&bytes, DocumentType::Html);
    let table = Table::default();
    let scan = document.scan(&table).ok()?;
    let folder = normal(page.source.parent().unwrap_or(Path::new("")));
    let reference = |link: &Link| {
        let text = document.reference(link).text().to_owned();
        let row = match link.place {
            Place::Attribute { row, .. } => Some(&table.rows()[usize::from(row)]),
            _ => None,
        };
        let is_whole = is_whole(&text);
        let raw = bytes.get(link.range.clone()).unwrap_or_default();
        let file = if is_whole { site.file_at(page, &text) } else { file_of(&folder, &text, raw, site) };
        let to_folder =
            || path_from(&folder, without_fragment(&text)).is_some_and(|path| site.folders().contains(&path));
        Reference { is_to_folder: !is_whole && file.is_none() && to_folder(), text, row, is_whole, file }
    };
    let references: Vec<Reference<'_>> = scan.links.iter().map(reference).collect();
    let is_of_httrack = memchr::memmem::find(&bytes, b"<!-- Mirrored from ").is_some();
    let own_url = own_url(page, &references, site);
    let base = || {
        (site.shape.query.is_some() && is_base_emptied(&scan, &references))
            .then(|| "its BASE is empty, and all its links lead to files".to_owned())
    };
    let name = || escaped_name(&references, site);
    let list = || listed_name(page, &references, site);
    let hosts = || across_hosts(page, &references, site);
    let own = || renamed_page(page, own_url.as_deref()?, &references);
    let kept = || beside_base(page, &references[scan.base?].text, &references, site);
    Some(Shown {
        proof: base().or_else(name).or_else(list).or_else(hosts).or_else(own).or_else(kept),
        leads: if is_of_httrack { None } else { leads(page, &references, site) },
        queries: references.iter().filter_map(query_of).collect(),
        port: port_of(page, &references),
        own_url,
    })
}

/// Returns the URL of a page as its metadata for other sites declare it (`og:url`), if wget would have given it the name of this file.
fn own_url(page: &Entry, references: &[Reference<'_>], site: &Site<'_>) -> Option<String> {
    let own = normal(&page.source);
    let is_own = |reference: &&Reference<'_>| {
        reference.is_whole && reference.is_metadata() && reference.file.as_ref() == Some(&own)
    };
    let mut urls = references.iter().filter(is_own).map(|reference| without_fragment(&reference.text));
    let url = urls.next().filter(|url| site.is_below_root(url))?;
    urls.all(|other| other == url).then(|| url.to_owned())
}

/// Returns what shows that links were converted in a page to whose name wget has appended `.html`, by the URL that it declares: links to pages
/// would have no `.html` either, and lead to no file.
fn renamed_page(page: &Entry, own_url: &str, references: &[Reference<'_>]) -> Option<String> {
    let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "html");
    let mut relative = references.iter().filter(|reference| reference.is_usual() && !reference.is_whole);
    let to_page = |reference: &Reference<'_>| reference.file.as_deref().is_some_and(is_page);
    let is_renamed = is_page(&page.source) && !own_url.ends_with('/') && !path_of(own_url).ends_with(".html");
    let is_converted = is_renamed && references.iter().any(|reference| !reference.is_whole && to_page(reference));
    (is_converted && relative.all(|reference| reference.file.is_some()))
        .then(|| format!("it is the page {own_url}, to whose name .html was appended, and all its links lead to files"))
}

/// Returns the file of the input to which a relative reference leads from `folder`. `raw` is how it is written.
fn file_of(folder: &Path, text: &str, raw: &[u8], site: &Site<'_>) -> Option<PathBuf> {
    let whole = without_fragment(text);
    let is_file = |path: &PathBuf| site.files().contains(path);
    let at = |path: &str| path_from(folder, path).filter(is_file);
    let file = at(whole).or_else(|| if whole.contains('?') { at(path_of(text)) } else { None });
    // wget writes names byte by byte, whatever the charset of the page.
    let escaped = |byte: &u8| if byte.is_ascii() { char::from(*byte).into() } else { format!("%{byte:02X}") };
    let in_bytes = || at(path_of(&raw.iter().map(escaped).collect::<String>()));
    file.or_else(|| if text.is_ascii() { None } else { in_bytes() })
}

/// Returns whether the BASE is empty, and all links lead to files. Where wget converts links, it leaves none to a folder, and none that leads
/// nowhere. Authors write an empty BASE, too.
fn is_base_emptied(scan: &Scan, references: &[Reference<'_>]) -> bool {
    if scan.base.is_none_or(|base| !references[base].text.is_empty()) {
        return false;
    }
    let others = references.iter().enumerate().filter(|(link, _)| !scan.bases.contains(link));
    let mut others = others
        .map(|(_, reference)| reference)
        .filter(|reference| reference.has_usual_attribute() && (!reference.is_whole || reference.file.is_some()))
        .peekable();
    others.peek().is_some() && others.all(|reference| reference.file.is_some())
}

/// Returns a reference to a file from the folder of a page, where its BASE leads it to none: wget2 makes links relative to the file, and keeps
/// the BASE. A page with a link to a file by its BASE was not converted.
fn beside_base(page: &Entry, base: &str, references: &[Reference<'_>], site: &Site<'_>) -> Option<String> {
    // A relative BASE depends on the URL of the page, which is not known yet.
    let is_certain = base.starts_with('/') || is_whole(base);
    let base = Url::parse(&page.retrieval()?.url).ok()?.join(base).ok().filter(|_| is_certain)?;
    let by_base = |reference: &Reference<'_>| {
        base.join(&reference.text).is_ok_and(|url| site.file_at(page, url.as_str()).is_some())
    };
    let relative = || references.iter().filter(|reference| reference.is_usual() && !reference.is_whole);
    let beside = relative().find(|reference| reference.file.is_some() && !by_base(reference))?;
    let is_converted = relative().all(|reference| reference.file.is_some() || !by_base(reference));
    is_converted.then(|| {
        format!("{:?} leads to a file from the folder of the page, not from the BASE, which wget2 keeps", beside.text)
    })
}

/// Returns a reference by an escape that wget writes if it appends extensions: it leaves no page without one then, no query that is not
/// escaped, and no link that leads nowhere.
fn escaped_name(references: &[Reference<'_>], site: &Site<'_>) -> Option<String> {
    // The path of a URL may have a question mark of its own: `q%3Fname.html`. For Windows, wget writes a query behind `@`.
    let is_query = |text: &str| has_query(&text.replacen("%3F", "?", 1));
    let named = references
        .iter()
        .find(|reference| !reference.is_whole && reference.file.is_some() && is_query(path_of(&reference.text)))?;
    let mut relative = references.iter().filter(|reference| reference.is_usual() && !reference.is_whole);
    let is_converted = relative.all(|reference| reference.file.is_some() && !reference.text.contains('?'));
    (is_converted && !site.are_plain())
        .then(|| format!("{:?} is how it writes the name of a file with a query", named.text))
}

/// Returns a reference of a page whose URL is listed, if it is to `dir/index.html` or `about.html`, and these files were retrieved from `dir/`
/// and `about`. A page with a link to a folder was not converted.
fn listed_name(page: &Entry, references: &[Reference<'_>], site: &Site<'_>) -> Option<String> {
    site.listed().get(&normal(&page.source))?;
    let base = Url::parse(&page.retrieval()?.url).ok()?;
    let relative = || references.iter().filter(|reference| !reference.is_whole);
    if relative().any(|reference| path_of(&reference.text).ends_with('/')) {
        return None;
    }
    let is_renamed = |reference: &&Reference<'_>| {
        let url = reference.file.as_ref().and_then(|file| site.listed().get(file));
        let target = url.and_then(|_| base.join(path_of(&reference.text)).ok());
        let (Some(url), Some(target)) = (url, target) else { return false };
        [format!("{url}index.html"), format!("{}.html", url.trim_end_matches('/'))].contains(&target.into())
    };
    let renamed = relative().find(is_renamed)?;
    Some(format!("{:?} is the name of a file with another URL in the list", renamed.text))
}

/// Returns a reference from the folder of a host into that of another one, as only copies do.
fn across_hosts(page: &Entry, references: &[Reference<'_>], site: &Site<'_>) -> Option<String> {
    let own = site.hosts.iter().find(|host| page.path.starts_with(host))?;
    let is_across = |reference: &&Reference<'_>| {
        let path = reference.file.as_ref().filter(|_| !reference.is_whole);
        let below = path.and_then(|path| path.strip_prefix(normal(site.top_of(page))).ok());
        below.is_some_and(|path| site.hosts.iter().any(|host| host != own && path.starts_with(host)))
    };
    let across = references.iter().find(is_across)?;
    Some(format!("{:?} leads from the folder of one host to that of another", across.text))
}

/// Returns where the links of a page lead. An absolute one to a copy shows that nothing was converted, unless an earlier run wrote it; that run
/// left no relative one to a copy whose URL is known.
fn leads(page: &Entry, references: &[Reference<'_>], site: &Site<'_>) -> Option<Leads> {
    let references = || references.iter().filter(|reference| !reference.is_metadata());
    let by_url = |reference: &Reference<'_>| reference.file.as_ref().filter(|_| reference.is_whole).cloned();
    let usual = || references().filter(|reference| reference.is_usual());
    let relative = || usual().filter(|reference| !reference.is_whole);
    let is_other =
        |reference: &Reference<'_>| by_url(reference).is_some_and(|file| !site.is_url_of(page, &reference.text, &file));
    if relative().any(|reference| reference.file.is_none() && !reference.is_to_folder) || references().any(is_other) {
        return None;
    }
    let is_known =
        |reference: &Reference<'_>| reference.file.as_ref().is_some_and(|file| site.url_of(page, file).is_some());
    let of_site = |reference: &Reference<'_>| site.is_of_site(&reference.text);
    let to_known = relative().any(is_known);
    Some(Leads {
        index: usual().filter_map(|reference| reference.file.clone()).find(|file| is_index_name(file)),
        is_of_wget: page.source.extension().is_none()
            || usual().any(|reference| reference.is_whole && reference.file.is_none() && of_site(reference)),
        is_page: true,
        is_index: is_index_name(&page.source),
        by_url: references().any(|reference| by_url(reference).is_some()),
        to_known,
        only_to_unknown: !to_known && relative().next().is_some(),
        guesses: relative().filter(|reference| reference.file.as_deref().is_some_and(is_guess)).count(),
    })
}

/// Returns whether the name of a file may be another one than that in its URL, if wget made it: a page, or one with a query.
fn is_guess(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with(".html") || has_query(name))
}

/// Returns the key of the query of a reference that was not converted, and whether it ends as a page or a style sheet does.
fn query_of(reference: &Reference<'_>) -> Option<(String, bool)> {
    let text = Some(&*reference.text).filter(|text| text.contains('?') && reference.file.is_none())?;
    let own = Url::parse("http://own.invalid/").ok()?;
    let url = own.join(text).ok()?;
    let (name, query) = (url.path_segments()?.next_back()?, url.query()?);
    let ends_so = [".html", ".htm", ".css"].iter().any(|end| query.to_ascii_lowercase().ends_with(end));
    let host = url.host_str().filter(|host| Some(*host) != own.host_str());
    Some((key_of_query(host, name, query), ends_so))
}

/// Returns the port at which the index of a host without one names this host.
fn port_of(page: &Entry, references: &[Reference<'_>]) -> Option<u16> {
    let host = mirror_layout::host_of_index(page)?;
    let urls = references.iter().filter(|reference| reference.is_whole && reference.text.contains(host));
    let mut urls = urls.filter_map(|reference| Url::parse(&reference.text).ok());
    urls.find_map(|url| url.port().filter(|_| url.host_str() == Some(host)))
}

fn path_of(reference: &str) -> &str {
    &reference[..reference.find(['?', '#']).unwrap_or(reference.len())]
}

/// Returns whether a reference leads to no copy by its path: it is absolute, or leads into its own document.
fn is_whole(reference: &str) -> bool {
    let scheme = reference.split_once(':').map(|(scheme, _)| scheme);
    let is_absolute = scheme.is_some_and(|scheme| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    is_absolute || reference.is_empty() || reference.starts_with(['#', '{'])
}
