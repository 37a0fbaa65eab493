//! What misled who ran the program: each test is named after what was wrong.

use std::fs;

use crate::support::{Outcome, folder_with, run, run_in};

#[test]
fn resolve_did_not_say_what_a_base_without_a_scheme_lacks() -> Outcome {
    for base in ["ex.org", "//ex.org/", ""] {
        let (status, _, stderr) = run(&["resolve", "--base", base, "x"])?;
        assert!(status == 2 && stderr.contains("--base: links cannot be resolved against"), "{base}: {stderr}");
        assert!(stderr.contains("add https:// in front of it"), "{base}: {stderr}");
    }
    Ok(())
}
