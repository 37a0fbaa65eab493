//! Python scripts to compare with.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::child::run;

/// Returns the command that runs a script of `peers` by the Python that `PYTHON` names; an error describes how to install
/// the modules if one is missing.
pub(crate) fn script(file: &str, modules: &[&str]) -> Result<Command, String> {
    let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    run(Command::new(&python).args(["-c", &format!("import {}", modules.join(", "))])).map_err(|_| {
        format!(
            "absent, {} cannot import {}: python3 -m venv peers && peers/bin/pip install lxml warcio fastwarc resiliparse, \
             then set PYTHON=peers/bin/python",
            python.display(),
            modules.join(", ")
        )
    })?;
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(file));
    Ok(command)
}
