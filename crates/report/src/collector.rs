//! Collects what the page shows, while the run goes on.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::document::Document;
use crate::facts::{Facts, Kind};
use crate::page::{self, documents};
use crate::state::{PLACE_BYTES, PLACES, Place, State};

/// Collects documents and findings, in any order and from any thread, and writes the page.
///
/// Memory stays below 20 MB: what the page has no room for is counted only. The page does not depend on the order in which documents of
/// different files come, but for the hosts if there are over 20,000.
#[derive(Debug)]
pub struct Collector {
    kind: Kind,
    state: Mutex<State>,
}

impl Collector {
    /// Returns an empty collector.
    pub fn new(kind: Kind) -> Self {
        Self { kind, state: Mutex::new(State::default()) }
    }

    /// Adds a document of the file at this place in the order of the input. Documents of one file come in their order.
    pub fn add_document(&self, place: usize, document: Document<'_>) {
        let mut state = self.lock();
        let key = (place, state.totals.rows);
        let document = &document;
        state.totals.add(document);
        state.hosts.add_all(document.shown.iter().flat_map(|shown| &shown.hosts));
        if !state.rows.may_keep(key) {
            return;
        }
        state.rows.put(key, |html| documents::add_row(self.kind, document, html));
        let details = &mut state.details[usize::from(!document.is_notable())];
        if document.shown.is_some_and(|shown| !shown.declared.is_empty() || shown.links().len() > 0) {
            details.put(key, |html| documents::add_detail(document, html));
        }
    }

    /// Adds a finding; the first of each code are shown, in the order in which they come.
    pub fn add_finding(&self, code: &str, place: &str, message: &str) {
        let mut state = self.lock();
        let bytes = place.len() + message.len();
        if !state.places.contains_key(code) {
            state.places.insert(code.to_owned(), Vec::new());
        }
        let has_room = state.place_bytes + bytes <= PLACE_BYTES;
        let Some(places) = state.places.get_mut(code).filter(|places| has_room && places.len() < PLACES) else {
            return;
        };
        places.push(Place { place: place.to_owned(), message: message.to_owned() });
        state.place_bytes += bytes;
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Those of `output`.
    pub fn write(self, facts: &Facts, output: &mut dyn Write) -> io::Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        page::write(self.kind, facts, state, output)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
