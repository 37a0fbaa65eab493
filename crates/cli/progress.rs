//! The progress bar.

use std::fmt::Write;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use absolve_files::{Entry, EntryKind, RunEvent};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle};
use terminal_size::Width;

use crate::args::rewrite::{MessageArguments, ProgressArgument};
use crate::interrupted::Counter;
use crate::streams::Streams;

/// Bytes, their rate, files and the time that is left, and the columns that this needs. Every terminal has these characters.
const TEMPLATES: [(u16, &str); 3] = [
    (100, "[{bar:20}] {bytes}/{total_bytes}, {bytes_per_sec}, {files}{left}"),
    (72, "[{wide_bar}] {bytes}/{total_bytes}, {bytes_per_sec}, {files}{left}"),
    (0, "{percent}%, {bytes_per_sec}{left}"),
];
const READING: &str = "reading standard input: {bytes}, {bytes_per_sec}";

/// Whether progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Yes,
    No,
}

/// Returns whether progress is wanted.
pub(crate) fn is_shown(arguments: &MessageArguments, streams: &Streams<'_>) -> Shown {
    match arguments.progress {
        ProgressArgument::Auto => if_terminal(arguments.quiet, streams),
        ProgressArgument::Always => Shown::Yes,
        ProgressArgument::Never => Shown::No,
    }
}

/// Returns whether progress is shown that no option decides about: on a terminal.
pub(crate) fn if_terminal(is_quiet: bool, streams: &Streams<'_>) -> Shown {
    if streams.errors.is_terminal() && !is_quiet { Shown::Yes } else { Shown::No }
}

/// A bar over the bytes and files of a run, on standard error.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    done: Arc<AtomicUsize>,
    all: usize,
}

impl Bar {
    /// Returns a bar over these entries.
    pub(crate) fn over(entries: &[Entry], shown: Shown) -> Self {
        let done = Arc::new(AtomicUsize::new(0));
        let files = entries.iter().filter(|entry| entry.kind != EntryKind::Folder);
        let (all, bytes) = (files.clone().count(), files.map(|entry| entry.attributes.size).sum());
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
        if shown == Shown::Yes {
            let counter = Arc::clone(&done);
            let files = move |_: &ProgressState, output: &mut dyn Write| {
                let _ = write!(output, "{}/{all} files", counter.load(Ordering::Relaxed));
            };
            bar.set_style(style(template(columns())).with_key("files", files).with_key("left", left));
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
        Self { bar, done, all }
    }

    /// Returns how many files are done.
    pub(crate) fn counter(&self) -> Counter {
        (Arc::clone(&self.done), self.all)
    }

    /// Adds what an event says of the progress.
    pub(crate) fn note(&self, event: RunEvent<'_>) {
        match event {
            RunEvent::Progress(bytes) => self.bar.inc(bytes),
            RunEvent::FileDone => drop(self.done.fetch_add(1, Ordering::Relaxed)),
            _ => {}
        }
    }

    /// Calls `print` while the bar is not on the terminal.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Writes the time that is left, once there is something to estimate it by.
fn left(state: &ProgressState, output: &mut dyn Write) {
    const SOON: Duration = Duration::from_secs(1);
    if state.elapsed() >= SOON && state.pos() > 0 {
        let _ = write!(output, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// Returns a reader that shows how much it has read of a stream, whose length nobody knows.
pub(crate) fn reading(input: impl Read, shown: Shown) -> impl Read {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    if shown == Shown::Yes {
        bar.set_style(style(READING));
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    }
    bar.with_finish(ProgressFinish::AndClear).wrap_read(input)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed").progress_chars("=> ")
}

/// Returns the template for a terminal of this width.
fn template(columns: u16) -> &'static str {
    let (_, template) = TEMPLATES.into_iter().find(|(needed, _)| *needed <= columns).unwrap_or_default();
    template
}

/// Returns the width of the terminal.
fn columns() -> u16 {
    terminal_size::terminal_size_of(io::stderr()).map_or(u16::MAX, |(Width(columns), _)| columns)
}

#[cfg(test)]
mod tests {
    use super::{READING, TEMPLATES, style, template};

    #[test]
    fn a_narrow_terminal_shows_less() {
        assert!(template(200).contains("{bar") && !template(40).contains("{bytes}"));
        // Most terminals have a bar.
        assert!(template(80).contains("{wide_bar}") && template(80).contains("{files}"));
        TEMPLATES.iter().for_each(|(_, template)| drop(style(template)));
        drop(style(READING));
    }
}
