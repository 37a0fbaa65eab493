//! Problems as commands of GitHub Actions, which show them beside the lines of a change.

use std::io::Write;
use std::path::Path;

use absolve_files::shown;
use absolve_rewriter::results::Position;

use crate::commands::check::problem::Problem;
use crate::commands::listing::Writer;

/// Returns a writer of `::error file=…,line=…,col=…,title=…::message`.
pub(crate) fn annotations<'w>(output: &'w mut dyn Write) -> Box<Writer<'w>> {
    Box::new(move |event| match Problem::of(event) {
        Some(problem) => writeln!(output, "{}", annotation(&problem)),
        None => Ok(()),
    })
}

fn annotation(problem: &Problem<'_>) -> String {
    let mut properties = Vec::new();
    // Standard input is no file of a change.
    if problem.path != Path::new("-") {
        properties.push(format!("file={}", property(&problem.path_in_repository().to_string_lossy())));
    }
    if let Some(Position { line, column }) = problem.position {
        properties.push(format!("line={line},col={column}"));
    }
    properties.push(format!("title={}", property(problem.rule)));
    format!("::error {}::{}", properties.join(","), data(&problem.text()))
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
