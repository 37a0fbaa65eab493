//! The page of a site to begin with.

use std::io::{self, Write};

use absolve_rewriter::Counts;
use absolve_unpacker::relative_reference;
use maud::{DOCTYPE, html};

use crate::limits::HOSTS;
use crate::list::{Host, Hosts, URLS};
use crate::site::Skipped;
use crate::start::Starts;

/// The name of the page.
pub const INDEX: &str = "index.html";

/// What the page is made of.
#[derive(Debug)]
pub struct PageOf<'s> {
    /// Its title.
    pub title: &'s str,
    /// The pages that the archives name to begin with.
    pub starts: &'s Starts,
    /// The hosts.
    pub hosts: &'s Hosts,
    /// The links of all files.
    pub counts: &'s Counts,
    /// What the archives have that is not in the site.
    pub skipped: Skipped,
}

/// Writes the page: the pages to begin with, or else one of each host, how many files and links there are, and what is missing.
///
/// # Errors
///
/// Those of `output`.
pub fn write_page(page: &PageOf<'_>, output: &mut dyn Write) -> io::Result<()> {
    let PageOf { title, starts, hosts, counts, skipped } = *page;
    let guesses = starts.listed.is_empty();
    let files: u64 = hosts.values().map(|host| host.files).sum();
    let mut by_files: Vec<(&String, &Host)> = hosts.iter().collect();
    by_files.sort_by(|(one, first), (other, second)| (second.files, one).cmp(&(first.files, other)));
    let missing = missing(skipped, starts);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(concat!("absolve ", env!("CARGO_PKG_VERSION")));
                title { (title) }
                style { (STYLE) }
            }
            body {
                h1 { (title) }
                p {
                    (files) " files of " (hosts.len()) " hosts. " (counts.local) " links lead to other files, "
                    (counts.rewritten + counts.absolute) " to the web. "
                    a href=(URLS) { (URLS) } " lists where each file comes from."
                }
                @if !guesses {
                    h2 { "Begin with" }
                    ul { @for [title, url, reference] in &starts.listed { li { a href=(reference) title=(url) { (title) } } } }
                }
                @if starts.more > 0 { p { (starts.more) " more pages to begin with are not listed." } }
                table {
                    thead { tr { th scope="col" { "Host" } @if guesses { th scope="col" { "Begin with" } } th scope="col" { "Files" } } }
                    tbody {
                        @for (name, host) in by_files.iter().take(HOSTS) {
                            tr {
                                td { (name) }
                                @if guesses { td { @if let Some((path, url)) = &host.start { a href=(relative_reference(INDEX, path)) { (url) } } } }
                                td { (host.files) }
                            }
                        }
                    }
                }
                @if by_files.len() > HOSTS { p { (by_files.len() - HOSTS) " hosts with fewer files are not listed." } }
                @if !missing.is_empty() {
                    h2 { "What is not here" }
                    ul { @for line in &missing { li { (line) } } }
                }
                p { "What scripts load when a page runs is here only if a page links to it as well." }
            }
        }
    };
    output.write_all(page.0.as_bytes())
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;overflow-wrap:anywhere}\
    td:last-child,th:last-child{text-align:right}";

/// Returns what the archives have that is not in the site, a sentence for each kind.
fn missing(skipped: Skipped, starts: &Starts) -> Vec<String> {
    let Skipped { other_answers, without_host, segments, revisits } = skipped;
    let lines = [
        (other_answers, "answers with an error, or with a part of the content"),
        (without_host, "records of addresses without a host"),
        (segments, "segments of divided records"),
        (revisits, "revisits of records that no archive has"),
        (starts.missing, "pages to begin with that no archive has"),
    ];
    lines.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
}
