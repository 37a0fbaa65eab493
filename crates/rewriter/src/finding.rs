//! Findings: what is reported and does not stop the run.

mod code;
pub(crate) mod packing;

use std::fmt;

use crate::position::Position;

pub use code::Code;

/// A problem or doubt in the data, and what was done about it.
///
/// ```
/// use absolve_rewriter::{Code, Finding};
/// let finding = Finding::new(Code::NoBase, "3 references stay relative").at(17);
/// assert_eq!(finding.to_string(), "byte 17: no-base: 3 references stay relative");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub code: Code,
    /// The record of the container, as in `17`; empty for a file that holds one record.
    pub record: String,
    /// The part of the entity, as in `1.2.1`; empty for a bare file.
    pub part: String,
    /// The first byte in the part that it concerns.
    pub byte: Option<usize>,
    /// Where that stands in the file, if the file is the entity.
    pub position: Option<Position>,
    /// What was found and what was done with the bytes, in one lower-case sentence.
    pub message: String,
    /// The placeholder that it is about, so that findings about the same one can be reported together.
    pub placeholder: Option<Box<KeptPlaceholder>>,
}

/// A placeholder that was kept, and how many references begin with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPlaceholder {
    /// The placeholder, shortened if it is long.
    pub text: String,
    /// How many references begin with it.
    pub references: u64,
}

impl KeptPlaceholder {
    /// Returns the message about references in this number of documents.
    ///
    /// ```
    /// let placeholder = absolve_rewriter::KeptPlaceholder { text: "{{x}}".to_owned(), references: 3 };
    /// assert_eq!(placeholder.message(1), "{{x}} stays for the mail service to replace (3 references)");
    /// ```
    pub fn message(&self, documents: u64) -> String {
        let Self { text, references } = self;
        let plural = if *references == 1 { "" } else { "s" };
        let places = if documents > 1 { format!(" in {documents} documents") } else { String::new() };
        format!("{text} stays for the mail service to replace ({references} reference{plural}{places})")
    }
}

impl Finding {
    /// Returns a finding about a whole bare file.
    ///
    /// ```
    /// use absolve_rewriter::{Code, Finding};
    /// assert_eq!(Finding::new(Code::Charset, "left unchanged").byte, None);
    /// ```
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let (record, part) = (String::new(), String::new());
        Self { code, record, part, byte: None, position: None, message: message.into(), placeholder: None }
    }

    /// Returns the same finding at a byte of its part.
    ///
    /// ```
    /// use absolve_rewriter::{Code, Finding};
    /// assert_eq!(Finding::new(Code::NoBase, "x").at(3).byte, Some(3));
    /// ```
    #[must_use]
    pub fn at(self, byte: usize) -> Self {
        Self { byte: Some(byte), ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.record.is_empty() {
            write!(formatter, "record {}: ", self.record)?;
        }
        if !self.part.is_empty() {
            write!(formatter, "part {}: ", self.part)?;
        }
        if let Some(byte) = self.byte {
            write!(formatter, "byte {byte}: ")?;
        }
        write!(formatter, "{}: {}", self.code, self.message)
    }
}
