//! Python scripts to compare with.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::child::run;

/// Returns the command that runs a script of `peers` by the Python that `PYTHON` names; an error describes how to install
/// the module if that is missing.
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
