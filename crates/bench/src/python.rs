//! Scripts in Python as peers.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::child::run;

/// A script of `peers`, run by the Python that `PYTHON` names, if that has a module; else how to get it.
pub(crate) fn script(file: &str, module: &str) -> Result<Command, String> {
    let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    if run(Command::new(&python).args(["-c", &format!("import {module}")])).is_err() {
        let package = module.split('.').next().unwrap_or_default();
        return Err(format!(
            "Python was skipped, {} cannot import {package}: python3 -m venv {package} && {package}/bin/pip install \
             {package}, then set PYTHON={package}/bin/python",
            python.display()
        ));
    }
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(file));
    Ok(command)
}
