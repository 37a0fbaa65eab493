//! Stylesheets that a server has sent under another type. A page in quirks mode applies one of its own origin nevertheless (HTML Standard,
//! section 4.6.7.22), and any other page does not. From disk, the extension decides for both. So the file has the extension of its type, and
//! a copy with that of a stylesheet beside it, to which only pages in quirks mode lead.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::entry::SiteEntry;
use crate::snapshot_row::Place;

/// What stands behind the path of a file in that of its copy. No other path ends so.
pub(crate) const ENDING: &str = "^.css";

/// The files with copies, in the order of the records that have their contents, and their URLs.
#[derive(Debug, Default)]
pub(crate) struct Sheets(Mutex<BTreeMap<(Place, String), SiteEntry>>);

impl Sheets {
    /// Adds the copy of a file of a site; returns its path, or `None` if the file is a stylesheet by its own type, or there is none.
    pub(crate) fn add(&self, mut entry: SiteEntry) -> Option<String> {
        let declared = entry.row.content_type.split(';').next().unwrap_or_default().trim();
        let is_other = !declared.eq_ignore_ascii_case("text/css") && entry.redirect.is_none();
        let path = entry.path.take().filter(|_| is_other)? + ENDING;
        entry.path = Some(path.clone());
        entry.row.content_type = "text/css".to_owned();
        let key = (entry.row.place, entry.row.url.clone());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, entry);
        Some(path)
    }

    /// Returns the copies, by the places of the records that have their contents.
    pub(crate) fn all(&self) -> BTreeMap<(Place, String), SiteEntry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
