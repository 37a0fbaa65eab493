//! What the program lists.

use std::path::Path;

use super::{argument, run};

/// The targets of the links that are relative, `-` where there is none.
pub(crate) fn links(input: &Path, flags: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    Ok(targets(&run(&[&["links", "--json", argument(input)], flags].concat())?.1)?.join(" "))
}

pub(crate) fn targets(out: &str) -> Result<Vec<String>, serde_json::Error> {
    let mut targets = Vec::new();
    for line in out.lines() {
        let link: serde_json::Value = serde_json::from_str(line)?;
        if link["status"] == "relative" || link["status"] == "unresolved" {
            targets.push(link["target"].as_str().unwrap_or("-").to_owned());
        }
    }
    Ok(targets)
}
