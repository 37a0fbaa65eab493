//! Problems as commands of GitHub Actions, which show them beside the lines of a change.

use std::io::{self, Write};
use std::path::Path;

use absolve_files::{FileError, shown};
use absolve_rewriter::{Finding, Position};

use crate::commands::check::problem::Problem;
use crate::commands::listing::{LinkWriter, Row};

/// Writes `::error file=…,line=…,col=…,title=…::message`.
pub(crate) struct Annotations<'o> {
    output: &'o mut dyn Write,
}

impl<'o> Annotations<'o> {
    pub(crate) fn new(output: &'o mut dyn Write) -> Self {
        Self { output }
    }

    fn annotate(&mut self, problem: &Problem<'_>) -> io::Result<()> {
        let mut properties = Vec::new();
        // Standard input is no file of a change.
        if problem.path != Path::new("-") {
            properties.push(format!("file={}", property(&problem.path_in_repository().to_string_lossy())));
        }
        if let Some(Position { line, column }) = problem.position {
            properties.push(format!("line={line},col={column}"));
        }
        properties.push(format!("title={}", property(problem.rule)));
        writeln!(self.output, "::error {}::{}", properties.join(","), data(&problem.text()))
    }
}

impl LinkWriter for Annotations<'_> {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.annotate(&Problem::of_link(row))
    }

    fn unread(&mut self, path: &Path, finding: &Finding) -> io::Result<()> {
        self.annotate(&Problem::of_finding(path, finding))
    }

    fn failed(&mut self, error: &FileError) -> io::Result<()> {
        self.annotate(&Problem::of_error(error))
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Escapes a message. Controls are shown, so that no line of a document is a command of its own.
fn data(text: &str) -> String {
    shown(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_is_a_command_elsewhere_is_text() {
        assert_eq!(data("100% a:b,c"), "100%25 a:b,c");
        assert_eq!(property("C:\\a,b%"), "C%3A\\a%2Cb%25");
        for text in ["a\n::error::b", "a\r\n::set-output::b", "\u{1b}[31m"] {
            assert!(!data(text).contains(['\n', '\r', '\u{1b}']) && !property(text).contains(['\n', ':']), "{text:?}");
        }
    }
}
