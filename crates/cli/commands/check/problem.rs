//! What `check` found, as its formats write it.

use std::env;
use std::path::{Component, Path, PathBuf};

use absolve_files::FileError;
use absolve_rewriter::results::Position;
use absolve_rewriter::{Finding, Status};

use crate::commands::listing::{Event, Row, element_of, is_relative};
use crate::wording::{file_error, sentence};

/// A link, a document or a file that makes the check fail.
#[derive(Debug)]
pub(crate) struct Problem<'p> {
    /// A stable name of its kind.
    pub(crate) rule: &'static str,
    pub(crate) path: &'p Path,
    /// Its line and column in the file, if the file is its document.
    pub(crate) position: Option<Position>,
    /// The column in code units of UTF-16, if that is sure.
    pub(crate) utf_16_column: Option<usize>,
    /// The record of the file, its part, and the place in there: `record 3: part 1: 3:17`.
    pub(crate) inner: String,
    pub(crate) message: String,
}

/// The kinds of problems with links; all others are the codes of findings.
pub(crate) const RELATIVE: &str = "relative-link";
pub(crate) const MAPPED: &str = "mapped-link";
const OUT_OF_REACH: &str = "out-of-reach";
pub(crate) const UNREADABLE: &str = "unreadable-file";

impl<'p> Problem<'p> {
    /// Returns the problem that is listed, if one is.
    pub(crate) fn of(event: Event<'p>) -> Option<Self> {
        Some(match event {
            Event::Link(row) => Self::of_link(row),
            Event::Unread(path, finding) => Self::of_finding(path, finding),
            Event::Failed(error) => Self::of_error(error),
            Event::Stopped(_) | Event::Document(..) | Event::End => return None,
        })
    }

    /// Returns the problem with a link.
    pub(crate) fn of_link(row: &Row<'p>) -> Self {
        let link = row.link;
        let why =
            link.out_of_reach.map(|why| format!(" (no reader elsewhere can follow it: {why})")).unwrap_or_default();
        Self {
            rule: match link.status {
                Status::Mapped => MAPPED,
                _ if is_relative(link) => RELATIVE,
                _ => OUT_OF_REACH,
            },
            path: row.path,
            position: row.shown_record.is_empty().then_some(row.position),
            utf_16_column: row.utf_16_column,
            inner: inner(row.shown_record, &link.part, Some(row.position)),
            message: format!("{}: {}{why}", element_of(&link.into()), link.reference),
        }
    }

    /// Returns the problem that a finding names.
    fn of_finding(path: &'p Path, finding: &Finding) -> Self {
        Self {
            rule: finding.code.name(),
            path,
            position: finding.position.filter(|_| finding.record.is_empty()),
            utf_16_column: None,
            inner: inner(&finding.record, &finding.part, finding.position),
            message: sentence(finding).into_owned(),
        }
    }

    /// Returns the problem with a file that could not be read.
    fn of_error(error: &'p FileError) -> Self {
        let (rule, inner, message) = (UNREADABLE, String::new(), file_error(error));
        Self { rule, path: &error.path, position: None, utf_16_column: None, inner, message }
    }

    /// Returns `path:line:column: message`. What is in a record has its own lines: the file opens at its start.
    pub(crate) fn line(&self) -> String {
        let Position { line, column } = self.position.unwrap_or(Position { line: 1, column: 1 });
        format!("{}:{line}:{column}: {}", self.path.display(), self.text())
    }

    /// Returns the message, with the place within the file.
    pub(crate) fn text(&self) -> String {
        if self.inner.is_empty() { self.message.clone() } else { format!("{}: {}", self.inner, self.message) }
    }

    /// Returns the path below the repository: what services compare with the files of a change.
    pub(crate) fn path_in_repository(&self) -> PathBuf {
        let root = env::var_os("GITHUB_WORKSPACE").map(PathBuf::from).or_else(|| env::current_dir().ok());
        in_repository(self.path, root.as_deref()).unwrap_or_else(|| self.path.to_owned())
    }
}

fn inner(record: &str, part: &str, position: Option<Position>) -> String {
    let mut places = Vec::new();
    if !record.is_empty() {
        places.push(format!("record {record}"));
    }
    if !part.is_empty() {
        places.push(format!("part {part}"));
    }
    places.extend(position.filter(|_| !record.is_empty()).map(|position| position.to_string()));
    places.join(": ")
}

/// Returns the path below the root, if it is there.
fn in_repository(path: &Path, root: Option<&Path>) -> Option<PathBuf> {
    // `a/../b` is another file than `b` if `a` is a symbolic link.
    let has_parent = path.components().any(|component| component == Component::ParentDir);
    let whole = if has_parent { path.canonicalize() } else { std::path::absolute(path) }.ok()?;
    let root = root?;
    let below = |root: &Path| whole.strip_prefix(root).ok().map(Path::to_owned);
    below(root).or_else(|| below(&root.canonicalize().ok()?)).filter(|path| path.components().next().is_some())
}
