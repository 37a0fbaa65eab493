//! The pages of an input. Each is read once, when it is needed first.

use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::discover::converted::page::{Leads, Shown, shown_by};
use crate::discover::file_names::{Queries, Unclear};
use crate::discover::mirror_layout;
use crate::discover::site::Site;
use crate::input::entry::Entry;

pub(crate) struct Pages<'i, 'e> {
    pub(super) site: &'i Site<'e>,
    pages: OnceLock<Vec<Page<'i, 'e>>>,
}

/// A page, or a file that may be one, and what it shows.
pub(super) struct Page<'i, 'e> {
    pub(super) entry: &'e Entry,
    site: &'i Site<'e>,
    shown: OnceLock<Option<Shown>>,
}

impl Page<'_, '_> {
    /// Returns what it shows; `None` if it cannot be read.
    pub(super) fn shown(&self) -> Option<&Shown> {
        self.shown.get_or_init(|| shown_by(self.entry, self.site)).as_ref()
    }

    /// Returns where its links lead, if all lead to files.
    pub(super) fn leads(&self) -> Option<&Leads> {
        self.shown()?.leads.as_ref()
    }
}

impl<'i, 'e> Pages<'i, 'e> {
    pub(crate) const fn new(site: &'i Site<'e>) -> Self {
        Self { site, pages: OnceLock::new() }
    }

    pub(super) fn all(&self) -> &[Page<'i, 'e>] {
        let entries = || self.site.entries.iter().filter(|entry| entry.kind.may_be_html());
        let page = |entry| Page { entry, site: self.site, shown: OnceLock::new() };
        self.pages.get_or_init(|| entries().map(page).collect())
    }

    /// Returns the queries of all references that were not converted.
    pub(crate) fn queries(&self) -> Queries {
        let shown: Vec<&Shown> = self.all().par_iter().filter_map(Page::shown).collect();
        shown.into_iter().flat_map(|shown| &shown.queries).cloned().collect()
    }

    /// Adds the URLs that pages declare for themselves, where their places show none.
    pub(crate) fn add_own_urls(&self, urls: &mut [(usize, Result<String, Unclear>)]) {
        let entries = self.site.entries;
        let is_unclear = |index: usize, url: &Result<_, _>| url.is_err() && entries[index].kind.may_be_html();
        if !urls.iter().any(|(index, url)| is_unclear(*index, url)) {
            return;
        }
        let own = |page: &Page<'i, 'e>| Some((&*page.entry.source, page.shown()?.own_url.clone()?));
        let own: HashMap<&Path, String> = self.all().par_iter().filter_map(own).collect();
        for (index, url) in urls.iter_mut().filter(|(index, url)| is_unclear(*index, url)) {
            if let Some(own) = own.get(&*entries[*index].source) {
                *url = Ok(own.clone());
            }
        }
    }

    /// Returns the index of each host that names its host with a port, which is not in the name of the folder.
    pub(crate) fn other_ports(&self) -> Vec<(&'e Entry, &'e str, u16)> {
        let port = |page: &Page<'i, 'e>| {
            let host = mirror_layout::host_of_index(page.entry)?;
            Some((page.entry, host, page.shown()?.port?))
        };
        self.all().iter().filter_map(port).collect()
    }
}
