//! The native part of the Python package `absolve`.
//!
//! Its classes and functions are those of `absolve_rewriter` and `absolve_containers`, with the names and types of Python. What
//! they take and return is written down in `python/absolve/_native.pyi`.

mod arrow;
mod command;
mod documents;
mod error;
mod file_object;
mod files;
mod listener;
mod messages;
mod options;
mod results;
mod rewriter;
mod source;
mod stream;
mod text;

use pyo3::prelude::*;

/// The native part of the package `absolve`.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::arrow::functions::{arrow_links, arrow_rewrite};
    #[pymodule_export]
    use crate::arrow::reader::{arrow_file_edges, arrow_file_links, arrow_read};
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::error::{BaseError, FileError};
    #[pymodule_export]
    use crate::files::rewrite_file;
    #[pymodule_export]
    use crate::results::{Base, Counts, FileReport, Finding, Link, Page};
    #[pymodule_export]
    use crate::rewriter::{Rewriter, links, resolve, rewrite, rewrite_message};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let py = module.py();
        py.import("atexit")?
            .call_method1("register", (wrap_pyfunction!(crate::arrow::read_ahead::end_readers, py)?,))?;
        crate::error::add_to(module)
    }
}
