//! Shows whether wget converted the links of an input (`--convert-links`).

mod page;
pub(crate) mod pages;

use std::fs::File;
use std::path::{Path, PathBuf};

use absolve_links::DocumentType;
use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding};
use rayon::prelude::*;

use crate::discover::converted::page::{Leads, may_declare_url};
use crate::discover::converted::pages::{Page, Pages};
use crate::discover::file_names::{Tool, copy_of, is_index_name, is_original};
use crate::discover::mirror_layout::{is_below_host, is_named_after_host, name_of_input};
use crate::discover::site::Site;
use crate::discover::{httrack, twins};
use crate::input::entry::Entry;
use crate::input::selection::UrlList;

/// Pages of a site that are all indexes of folders. Who writes pages by hand gives some of three another name.
const INDEXES: usize = 3;

/// The number of pages that are read of any folder.
const SAMPLED_PAGES: usize = 8;

/// Returns the tool that made the links of an input lead to its copies, if something shows it, and a finding with its path about what shows
/// it, or about what may be so.
pub(crate) fn converted(pages: &Pages<'_, '_>) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    if let Some((path, why)) = of_httrack(pages.site) {
        return found(Tool::Httrack, &path, &why);
    }
    match log(pages.site).or_else(|| original(pages.site)).or_else(|| by_page(pages)) {
        Some((path, why)) => found(Tool::Wget, path, &why),
        None => by_links(pages),
    }
}

/// Returns the tool and a finding about what shows it.
fn found(tool: Tool, path: &Path, why: &str) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    let (name, urls) = match tool {
        Tool::Wget => ("wget", "Each becomes the URL of its copy"),
        Tool::Httrack => ("HTTrack", "Only its list has the URLs of these (hts-cache/new.txt)"),
    };
    let message = format!("{name} has made the links of this folder lead to its copies: {why}. {urls}");
    let finding = Finding::new(Code::Mirror, message).with_remedy(Remedy::ReadAsWritten);
    (Some(tool), Some((path.to_owned(), finding)))
}

/// Returns what shows that HTTrack made the folder, by what it writes in it, or beside the folder of a host. Its list, if it is there, gives the
/// URLs by itself.
fn of_httrack(site: &Site<'_>) -> Option<(PathBuf, String)> {
    let first = site.entries.first().filter(|_| !site.shape.has_list)?;
    let top = site.top_of(first);
    let own = site.shape.httrack.map(|index| &*site.entries[index].source);
    let cache = top.join(if own.is_some() { "hts-cache" } else { "../hts-cache" });
    let is_host = || name_of_input(first).is_some_and(|name| is_below_host(Tool::Httrack, &format!("{name}/"), None));
    let is_made = own.is_some() || (cache.is_dir() && is_host());
    let shown = own.map_or_else(|| "hts-cache is beside it".to_owned(), |own| format!("{} is there", own.display()));
    let keeps_links = || File::open(cache.join("doit.log")).and_then(httrack::keeps_links);
    (is_made && !keeps_links().unwrap_or(false)).then(|| (own.unwrap_or(&first.source).to_owned(), shown))
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

/// Returns the first page that shows it by itself. Only a few pages are read where no names show that wget may have saved them: to read all
/// pages of every input would cost a fifth of a run.
fn by_page<'e>(pages: &Pages<'_, 'e>) -> Option<(&'e Path, String)> {
    let site = pages.site;
    let are_all_read = site.shape.query.is_some() || may_be_of_wget(site);
    // Where no page declares its URL, no files are looked up for those that are read of any folder.
    let is_html = |entry: &&Entry| entry.is_expected(DocumentType::Html);
    let sample = site.entries.iter().filter(|entry| entry.kind.may_be_html()).take(SAMPLED_PAGES);
    let is_sampled = !are_all_read && site.selection.url.is_some() && sample.filter(is_html).any(may_declare_url);
    if !are_all_read && !is_sampled && site.hosts.is_empty() && site.selection.urls.is_empty() {
        return None;
    }
    let may_show = |(number, page): &(usize, &Page<'_, 'e>)| {
        let is_below_host = || site.hosts.iter().any(|host| page.entry.path.starts_with(host));
        let is_listed = || page.entry.retrieval().is_some_and(|known| known.source.is_listed());
        let is_of_sample = is_sampled && *number < SAMPLED_PAGES && is_html(&page.entry);
        are_all_read || is_of_sample || is_below_host() || is_listed()
    };
    let pages = pages.all().par_iter().enumerate().filter(may_show);
    pages.find_map_first(|(_, page)| Some((&*page.entry.source, page.shown()?.proof.clone()?)))
}

/// Returns what the links of all pages show; if one of them leads to no file, what those of one page do. A site as it was retrieved has links
/// to folders, to its root, or to what was not retrieved; wget makes the last ones absolute.
fn by_links(pages: &Pages<'_, '_>) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    let site = pages.site;
    let has_query = site.shape.query.is_some();
    if !has_query && !may_be_of_wget(site) {
        return (None, None);
    }
    let is_named_as_host = is_named_as_host(site);
    let pages = pages.all();
    let all: Option<Vec<&Leads>> = pages.par_iter().map(Page::leads).collect();
    // Other sites have robots.txt, too.
    let is_of_robots = !has_query && !is_named_as_host && !are_indexes(site);
    if is_of_robots && all.is_none() {
        return (None, None);
    }
    let any = |shows: fn(&Leads) -> bool| all.iter().flatten().any(|leads| shows(leads));
    // An earlier run, which wrote the absolute ones, left only those to copies whose URLs are not known.
    let is_as_written =
        any(|leads| leads.by_url) && (any(|leads| leads.to_known) || !any(|leads| leads.only_to_unknown));
    let are_all_indexes = || {
        let indexes = all.iter().flatten().filter(|leads| leads.is_index).count();
        is_named_as_host && indexes >= INDEXES && !any(|leads| leads.is_page && !leads.is_index)
    };
    let is_of_wget = all.is_some()
        && !is_as_written
        && !is_of_robots
        && (has_query || any(|leads| leads.is_of_wget) || are_all_indexes());
    let index = pages.par_iter().find_map_first(|page| {
        let index = page.leads().filter(|leads| !leads.by_url || is_of_wget)?.index.as_deref()?;
        Some((&*page.entry.source, index.strip_prefix(site.top_of(page.entry)).unwrap_or(index).display()))
    });
    if let (true, Some((page, index))) = (is_of_wget, &index) {
        let why = format!("all its links lead to files, and one to the index of a folder, {index}");
        return found(Tool::Wget, page, &why);
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
    let by_files = || {
        let has_guess = |page: &&Page<'_, '_>| page.leads().is_some_and(|leads| leads.guesses > 0);
        let page = pages.iter().find(has_guess).filter(|_| all.is_some() && !is_as_written)?;
        Some((&*page.entry.source, "all links lead to files".to_owned()))
    };
    let perhaps = query.or(by_index).or_else(by_wget).or_else(by_files);
    (None, perhaps.and_then(|(path, why)| may_be_mirror(site, pages, path, &why)))
}

/// Returns a finding about a folder that may be a mirror, with the number of links whose targets are guesses then.
fn may_be_mirror(site: &Site<'_>, pages: &[Page<'_, '_>], path: &Path, why: &str) -> Option<(PathBuf, Finding)> {
    if site.selection.url.is_none() && site.selection.urls.is_empty() {
        return None;
    }
    let guesses: usize = pages.iter().filter_map(Page::leads).map(|leads| leads.guesses).sum();
    let plural = if guesses == 1 { " is a guess" } else { "s are guesses" };
    let guesses = if guesses == 0 { String::new() } else { format!(", so {guesses} target{plural}") };
    let finding = Finding::new(Code::Mirror, format!("{why}; the links are read as they are written{guesses}"));
    Some((path.to_owned(), finding.with_remedy(Remedy::ReadAsConverted)))
}

/// Returns whether names show that wget may have saved the pages: of a host, of indexes, or what it retrieves first (`robots.txt`).
fn may_be_of_wget(site: &Site<'_>) -> bool {
    let has_robots = site.shape.has_robots && site.selection.url.is_some();
    has_robots || is_named_as_host(site) || are_indexes(site)
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
