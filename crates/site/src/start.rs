//! The pages to begin with, as the archives name them.

use std::collections::HashSet;

use absolve_files::{Entry, start_pages};
use absolve_rewriter::Finding;
use url::Url;

use crate::index::normal;
use crate::limits::STARTS;
use crate::site::{Found, Site};

/// Pages that archives name to begin with.
#[derive(Debug, Default)]
pub struct Starts {
    /// Those that are listed, in the order of the archives: the title, the URL, and the reference to the file from the folder of the site.
    pub(crate) listed: Vec<[String; 3]>,
    /// How many more there are.
    pub(crate) more: u64,
    /// How many have no file in the site.
    pub(crate) missing: u64,
}

/// Returns the pages that archives name to begin with. What is damaged of their lists is passed to `finding` with the index of the archive.
pub fn starts(archives: &[Entry], site: &Site, finding: &mut dyn FnMut(usize, Finding)) -> Starts {
    let (mut starts, mut known) = (Starts::default(), HashSet::new());
    start_pages(archives, &mut |archive, page| {
        let page = match page {
            Ok(page) => page,
            Err(found) => return finding(archive, found),
        };
        match reference(site, &page.url) {
            None => starts.missing += 1,
            Some(found) if known.contains(&found) => {}
            Some(_) if known.len() == STARTS => starts.more += 1,
            Some(found) => {
                let title = page.title.trim();
                let title = if title.is_empty() { page.url.clone() } else { title.to_owned() };
                known.insert(found.clone());
                starts.listed.push([title, page.url, found]);
            }
        }
    });
    starts
}

/// Returns the reference to the file of a URL from the folder of the site.
fn reference(site: &Site, url: &str) -> Option<String> {
    let page = normal(url)?;
    // The page to begin with needs no way back.
    let found = Found { alias: None, ..site.find(page.as_str(), &site.way(page.as_str()))? };
    let fragment = Url::parse(url).ok()?.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
    Some(absolve_unpacker::relative_reference("", &found.path) + &found.query_and_fragment(&fragment))
}
