//! The list of the files: where each comes from.

use std::collections::BTreeMap;
use std::io::{self, Write};

use absolve_files::UNPACKED;
use url::Url;

use crate::entry::SiteEntry;
use crate::site::{Found, Site};
use crate::snapshot_row::SnapshotRow;

/// The name of the list.
pub const URLS: &str = "urls.csv";

/// The hosts of a site.
pub type Hosts = BTreeMap<String, Host>;

/// What a site has of one host.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// The number of its files.
    pub files: u64,
    /// The file to begin with, relative to the folder of the site, and its URL: the page of its root, or else its first page.
    pub start: Option<(String, String)>,
}

/// Writes the list of a site as CSV: the path of each file, its URL, the date of the snapshot, and the record. A URL that redirects to that
/// of a file has the path of the file with a query, by which links lead there, and a second row
/// with the fragment of the redirect, if there is one. Returns the hosts.
///
/// # Errors
///
/// Those of `output`, and of temporary files.
pub fn write_urls(site: &Site, output: &mut dyn Write) -> io::Result<Hosts> {
    let mut list = csv::Writer::from_writer(output);
    let mut hosts = Hosts::new();
    list.write_record(UNPACKED.split(','))?;
    site.for_each(|entry, found| {
        let url = &entry.row.url;
        if found.redirected.is_none() {
            let host = hosts.entry(host_of(url)).or_default();
            host.files += 1;
            if host.start.is_none() || is_root(url) {
                let is_page = entry.row.content_type.to_ascii_lowercase().contains("html");
                host.start = is_page.then(|| (found.path.clone(), url.clone())).or(host.start.take());
            }
        }
        rows_of(url, &entry, &found).try_for_each(|row| list.write_record(row)).map_err(io::Error::from)
    })?;
    list.flush()?;
    Ok(hosts)
}

/// Writes the rows that come behind all others: those of the URLs of links that lead to captures of other URLs, by the other one of http and https, or
/// with escapes in another case; and those of stylesheets that have copies for pages in quirks mode.
///
/// # Errors
///
/// Those of `output`, and of temporary files.
pub fn write_more_urls(site: &Site, output: &mut dyn Write) -> io::Result<()> {
    let mut list = csv::Writer::from_writer(output);
    site.for_each_alias(|url, entry, found| {
        rows_of(url, &entry, &found).try_for_each(|row| list.write_record(row)).map_err(io::Error::from)
    })?;
    for entry in site.sheets.all().into_values() {
        let SnapshotRow { url, date, record, .. } = entry.row;
        list.write_record([entry.path.unwrap_or_default(), url, date, record])?;
    }
    list.flush()
}

/// Returns the rows of a URL that leads to the file of an entry.
fn rows_of<'r>(url: &'r str, entry: &'r SiteEntry, found: &Found) -> impl Iterator<Item = [String; 4]> + use<'r> {
    let (date, record) = match (&entry.redirect, found.redirected) {
        (Some((_, date, record)), Some(_)) => (date, record),
        _ => (&entry.row.date, &entry.row.record),
    };
    let of_links = Some(found.query_and_fragment("")).filter(|_| !found.fragment.is_empty());
    let paths: Vec<String> =
        [found.query()].into_iter().chain(of_links).map(|behind| format!("{}{behind}", found.path)).collect();
    paths.into_iter().map(move |path| [path, url.to_owned(), date.clone(), record.clone()])
}

fn host_of(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

fn is_root(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.path() == "/" && url.query().is_none())
}
