//! Findings, on their way to Python.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use absolve_rewriter::Finding;
use pyo3::prelude::*;

use crate::file_object::Raised;
use crate::results;

/// Counts findings, and passes each to a function of Python.
#[derive(Debug)]
pub(crate) struct Listener {
    callback: Option<Py<PyAny>>,
    path: String,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    raised: Raised,
}

impl Listener {
    pub(crate) fn new(callback: Option<Py<PyAny>>, path: &Path, raised: Raised) -> Self {
        Self { callback, path: path.to_string_lossy().into_owned(), counts: Mutex::default(), raised }
    }

    /// Adds a finding. An exception of the function ends the run.
    pub(crate) fn add(&self, finding: &Finding) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(finding.code.name()).or_default() += 1;
        let Some(callback) = &self.callback else { return };
        let finding = results::Finding::in_file(self.path.clone(), finding);
        if let Err(error) = Python::attach(|py| callback.call1(py, (finding,)).map(drop)) {
            self.raised.keep(error);
        }
    }

    /// Adds a finding in a record.
    pub(crate) fn add_in(&self, record: &str, finding: &Finding) {
        self.add(&Finding { record: record.to_owned(), ..finding.clone() });
    }

    /// Returns what is set when a function of Python raised an exception, or Ctrl-C was pressed.
    pub(crate) fn stop(&self) -> &AtomicBool {
        self.raised.flag()
    }

    /// Returns the exception that a function of Python raised, if one did.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised.take()
    }

    /// Returns the number of findings of each code.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
