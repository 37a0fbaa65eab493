//! Shows whether wget converted the links of an input (`--convert-links`).

mod page;
pub(crate) mod pages;

use std::path::{Path, PathBuf};

use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding};
use rayon::prelude::*;

use crate::discover::converted::page::Leads;
use crate::discover::converted::pages::{Page, Pages};
use crate::discover::file_names::{Tool, copy_of, is_index_name, is_original};
use crate::discover::mirror_layout::{is_named_after_host, name_of_input};
use crate::discover::site::Site;
use crate::discover::twins;
use crate::input::entry::Entry;
use crate::input::selection::UrlList;

/// Pages of a site that are all indexes of folders. Who writes pages by hand gives some of three another name.
const INDEXES: usize = 3;

/// Returns the tool that made the links of an input lead to its copies, if something shows it, and a finding with its path about what shows
/// it, or about what may be so.
pub(crate) fn converted(pages: &Pages<'_, '_>) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    match log(pages.site).or_else(|| original(pages.site)).or_else(|| by_page(pages)) {
        Some((path, why)) => found(path, &why),
        None => by_links(pages),
    }
}

/// Returns the tool and a finding about what shows it.
fn found(path: &Path, why: &str) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    let message =
        format!("wget has made the links of this folder lead to its copies: {why}. Each becomes the URL of its copy");
    let finding = Finding::new(Code::Mirror, message).with_remedy(Remedy::ReadAsWritten);
    (Some(Tool::Wget), Some((path.to_owned(), finding)))
}

fn log<'e>(site: &Site<'e>) -> Option<(&'e Path, String)> {
    let is_listed = |entry: &Entry| entry.retrieval().is_some_and(|known| known.source.is_listed());
    let converts = site.selection.list == UrlList::ConvertingLog && site.entries.iter().any(is_listed);
    converts.then(|| (&*site.entries[0].source, "the log says so".to_owned()))
}

/// Returns an original whose page has other links.
fn original<'e>(site: &Site<'e>) -> Option<(&'e Path, String)> {
    let is_of_copy = |entry: &&Entry| {
        let copy = is_original(&entry.source).then(|| copy_of(&entry.source, site.files())).flatten();
        copy.is_some_and(|copy| twins::differ(&copy, entry, site.files()))
    };
    let original = site.entries.iter().filter(|_| site.shape.has_original).find(is_of_copy)?;
    Some((&original.source, "the links of the page beside this original are written for copies".to_owned()))
}

/// Returns the first page that shows it by itself. Only where names show that wget may have saved it: to read all pages of every input would
/// cost a fifth of a run.
fn by_page<'e>(pages: &Pages<'_, 'e>) -> Option<(&'e Path, String)> {
    let site = pages.site;
    let has_query = site.shape.query.is_some();
    if !has_query && site.hosts.is_empty() && site.selection.urls.is_empty() {
        return None;
    }
    let may_show = |page: &&Page<'_, 'e>| {
        let is_below_host = || site.hosts.iter().any(|host| page.entry.path.starts_with(host));
        has_query || is_below_host() || page.entry.retrieval().is_some_and(|known| known.source.is_listed())
    };
    let pages = pages.all().par_iter().filter(may_show);
    pages.find_map_first(|page| Some((&*page.entry.source, page.shown()?.proof.clone()?)))
}

/// Returns what the links of all pages show; if one of them leads to no file, what those of one page do. A site as it was retrieved has links
/// to folders, to its root, or to what was not retrieved; wget makes the last ones absolute.
fn by_links(pages: &Pages<'_, '_>) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    let site = pages.site;
    let has_query = site.shape.query.is_some();
    let is_named_as_host = is_named_as_host(site);
    if !is_named_as_host && !has_query && !are_indexes(site) {
        return (None, None);
    }
    let pages = pages.all();
    let all: Option<Vec<&Leads>> = pages.par_iter().map(Page::leads).collect();
    let any = |shows: fn(&Leads) -> bool| all.iter().flatten().any(|leads| shows(leads));
    // An earlier run, which wrote the absolute ones, left only those to copies whose URLs are not known.
    let is_as_written =
        any(|leads| leads.by_url) && (any(|leads| leads.to_known) || !any(|leads| leads.only_to_unknown));
    let are_all_indexes = || {
        let indexes = all.iter().flatten().filter(|leads| leads.is_index).count();
        is_named_as_host && indexes >= INDEXES && !any(|leads| leads.is_page && !leads.is_index)
    };
    let is_of_wget =
        all.is_some() && !is_as_written && (has_query || any(|leads| leads.is_of_wget) || are_all_indexes());
    let index = pages.par_iter().find_map_first(|page| {
        let index = page.leads().filter(|leads| !leads.by_url || is_of_wget)?.index.as_deref()?;
        Some((&*page.entry.source, index.strip_prefix(site.top_of(page.entry)).unwrap_or(index).display()))
    });
    if let (true, Some((page, index))) = (is_of_wget, &index) {
        return found(page, &format!("all its links lead to files, and one to the index of a folder, {index}"));
    }
    let query = site.shape.query.map(|query| {
        (&*site.entries[query].source, "files have queries in their names, as wget saves them".to_owned())
    });
    let by_index =
        index.map(|(page, index)| (page, format!("the links of this page lead to files, one of them to {index}")));
    let by_wget = || {
        let shows = |leads: &Leads| is_of_wget && leads.is_of_wget && (leads.to_known || leads.only_to_unknown);
        let page = pages.iter().find(|page| page.leads().is_some_and(shows))?;
        Some((&*page.entry.source, "all links lead to files, or to what is not in this folder".to_owned()))
    };
    let is_given = site.selection.url.is_some() || !site.selection.urls.is_empty();
    let perhaps = query.or(by_index).or_else(by_wget).filter(|_| is_given);
    let finding = perhaps.map(|(path, why)| {
        let finding = Finding::new(Code::Mirror, format!("{why}; the links are read as they are written"));
        (path.to_owned(), finding.with_remedy(Remedy::ReadAsConverted))
    });
    (None, finding)
}

/// Returns whether the site, or a folder in it, is named as the host of its URL.
fn is_named_as_host(site: &Site<'_>) -> bool {
    let url = site.selection.url.as_deref();
    let name = site.entries.first().and_then(name_of_input);
    name.is_some_and(|name| is_named_after_host(&name, url)) || site.shape.hosts(Tool::Wget, url).next().is_some()
}

/// Returns whether all pages are indexes by their names, and there are some.
fn are_indexes(site: &Site<'_>) -> bool {
    let mut pages = site.pages();
    pages.clone().all(|page| is_index_name(&page.source)) && pages.nth(INDEXES - 1).is_some()
}
