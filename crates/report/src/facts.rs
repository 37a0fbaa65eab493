//! What a report takes of a whole run.

use std::collections::BTreeMap;

/// What the run was to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It made links absolute.
    Rewrite,
    /// It compared two versions.
    Verify,
    /// It looked for relative links.
    Check,
}

/// How the run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was done, or holds.
    #[default]
    Good,
    /// Everything was done, and there is something to look at.
    Notable,
    /// Something failed, or does not hold.
    Bad,
}

/// The facts of a run that are known at its end.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Facts {
    /// What was read.
    pub title: String,
    /// What was done, in sentences; the first is the largest.
    pub sentences: Vec<String>,
    /// How it ended.
    pub verdict: Verdict,
    /// The command that was typed.
    pub command: String,
    /// The number of findings or differences of each code.
    pub findings: BTreeMap<String, u64>,
    /// What to do about them, in Markdown.
    pub advice: String,
    /// The errors of files.
    pub errors: Vec<String>,
    /// Why links were left relative, with their number.
    pub left: BTreeMap<String, u64>,
    /// The sentence on documents that are not shown: which command lists them.
    pub elsewhere: String,
}

impl Facts {
    /// Returns the facts of a run of which only the input is known.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }
}
