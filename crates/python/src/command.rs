//! The command line.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `absolve` with these arguments; the first is its name. Returns its exit status.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| absolve::run(arguments))
}
