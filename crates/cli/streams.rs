//! The streams that a run prints to.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use absolve_files::shown;
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};

use crate::args::pages::STYLES;
use crate::interrupted::Interrupted;

/// Standard output and standard error of a run: those of the process, or two writers.
///
/// A file that is named `-` is standard input or standard output of the process in either case.
#[derive(Debug)]
pub struct Streams<'s> {
    pub(crate) output: Stream<'s>,
    pub(crate) errors: Stream<'s>,
    pub(crate) interrupted: Arc<Interrupted>,
}

/// One of them. As with [`io::Stdout`], all threads may write to it.
pub(crate) enum Stream<'s> {
    Output,
    Errors,
    Writer(Mutex<&'s mut (dyn Write + Send)>),
}

impl<'s> Streams<'s> {
    /// Returns the streams of the process.
    #[must_use]
    pub fn of_process() -> Self {
        Self { output: Stream::Output, errors: Stream::Errors, interrupted: Arc::default() }
    }

    /// Returns streams that end in two writers. Neither of them is a terminal.
    pub fn to(output: &'s mut (dyn Write + Send), errors: &'s mut (dyn Write + Send)) -> Self {
        let [output, errors] = [output, errors].map(|writer| Stream::Writer(Mutex::new(writer)));
        Self { output, errors, interrupted: Arc::default() }
    }

    /// Prints a line to standard error.
    pub(crate) fn warn(&self, line: &str) {
        self.errors.print(&format!("{}\n", shown(line)));
    }

    /// Prints an error to standard error.
    pub(crate) fn fail(&self, message: &str) {
        let style = STYLES.get_error();
        self.errors.print(&format!("{style}absolve:{style:#} {}\n", shown(message)));
    }
}

impl Stream<'_> {
    /// Returns whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        match self {
            Self::Output => io::stdout().is_terminal(),
            Self::Errors => io::stderr().is_terminal(),
            Self::Writer(_) => false,
        }
    }

    /// Returns whether it has colours.
    pub(crate) fn colours(&self) -> ColorChoice {
        match self {
            Self::Output => AutoStream::choice(&io::stdout()),
            Self::Errors => AutoStream::choice(&io::stderr()),
            Self::Writer(_) => ColorChoice::Never,
        }
    }

    /// Prints a text with its colours, if it has some: on a terminal, and without NO_COLOR. A failure is ignored.
    pub(crate) fn print(&self, text: &str) {
        let _ = match self {
            Self::Output => anstream::stdout().write_all(text.as_bytes()),
            Self::Errors => anstream::stderr().write_all(text.as_bytes()),
            Self::Writer(_) => write!(&mut { self }, "{}", strip_str(text)),
        };
    }
}

impl Write for &Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Output => io::stdout().write(bytes),
            Stream::Errors => io::stderr().write(bytes),
            Stream::Writer(writer) => writer.lock().unwrap_or_else(PoisonError::into_inner).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Output => io::stdout().flush(),
            Stream::Errors => io::stderr().flush(),
            Stream::Writer(writer) => writer.lock().unwrap_or_else(PoisonError::into_inner).flush(),
        }
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Output => "Output",
            Self::Errors => "Errors",
            Self::Writer(_) => "Writer",
        })
    }
}
