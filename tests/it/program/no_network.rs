//! Nothing uses the network.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::support::Outcome;
use absolve_testing::print_line;

#[test]
fn nothing_uses_the_network() -> Outcome {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/no_network.sh");
    let Ok(output) = Command::new(script).arg(env!("CARGO_BIN_EXE_absolve")).output() else {
        print_line("skipped: bash is not installed");
        return Ok(());
    };
    print_line(String::from_utf8_lossy(&output.stdout).trim_end());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
