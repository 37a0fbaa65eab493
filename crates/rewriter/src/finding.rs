//! Findings: what is reported and does not stop the run.

mod code;
mod values;

use std::borrow::Cow;
use std::fmt;

use absolve_base::UrlSource;

use crate::position::Position;

pub use code::Code;
pub use values::{Conflict, KeptPlaceholder, Remedy, Values};

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
    /// What was found, in one lower-case sentence.
    pub message: String,
    /// What was done with the bytes.
    pub done: Done,
    /// What the message was made of, for programs that word it themselves.
    pub values: Option<Box<Values>>,
}

/// What was done about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Done {
    /// What the message says.
    AsSaid,
    /// It was left as it is.
    LeftUnchanged,
    /// It is in no message.
    NotPacked,
    /// It is in no file.
    NotUnpacked,
}

impl Finding {
    /// Returns the finding for a run that unpacks: what `rewrite` would leave unchanged is in no file.
    ///
    /// ```
    /// use absolve_rewriter::results::Done;
    /// use absolve_rewriter::{Code, Finding};
    /// let finding = Finding { done: Done::LeftUnchanged, ..Finding::new(Code::Charset, "unknown") };
    /// assert_eq!(finding.when_unpacked().done, Done::NotUnpacked);
    /// ```
    #[must_use]
    pub fn when_unpacked(self) -> Self {
        let done = if self.done == Done::LeftUnchanged { Done::NotUnpacked } else { self.done };
        Self { done, ..self }
    }

    /// Returns a finding about a whole bare file.
    ///
    /// ```
    /// use absolve_rewriter::{Code, Finding};
    /// assert_eq!(Finding::new(Code::Charset, "left unchanged").byte, None);
    /// ```
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let (record, part) = (String::new(), String::new());
        Self {
            code,
            record,
            part,
            byte: None,
            position: None,
            message: message.into(),
            done: Done::AsSaid,
            values: None,
        }
    }

    /// Returns a finding about something that was left as it is, with the reason.
    ///
    /// ```
    /// use absolve_rewriter::{Code, Finding};
    /// assert_eq!(Finding::left_unchanged(Code::Signed, "it is signed").sentence(), "it is signed; left unchanged");
    /// ```
    pub fn left_unchanged(code: Code, why: impl Into<String>) -> Self {
        Self { done: Done::LeftUnchanged, ..Self::new(code, why) }
    }

    /// Returns the same finding with what a user can do about it.
    ///
    /// ```
    /// use absolve_rewriter::results::Remedy;
    /// use absolve_rewriter::{Code, Finding};
    /// let finding = Finding::new(Code::UnknownType, "unknown file type").with_remedy(Remedy::NameType);
    /// assert_eq!(finding.remedy(), Some(&Remedy::NameType));
    /// ```
    #[must_use]
    pub fn with_remedy(self, remedy: Remedy) -> Self {
        Self { values: Some(Box::new(Values::Remedy(remedy))), ..self }
    }

    /// Returns what a user can do about it, if that is an option of some program.
    pub fn remedy(&self) -> Option<&Remedy> {
        match self.values.as_deref() {
            Some(Values::Remedy(remedy)) => Some(remedy),
            _ => None,
        }
    }

    /// Returns what was found and what was done with the bytes.
    ///
    /// ```
    /// use absolve_rewriter::{Code, Finding};
    /// assert_eq!(Finding::new(Code::NoBase, "3 references stay relative").sentence(), "3 references stay relative");
    /// ```
    pub fn sentence(&self) -> Cow<'_, str> {
        let done = match self.done {
            Done::AsSaid => return (&*self.message).into(),
            Done::LeftUnchanged => "left unchanged",
            Done::NotPacked => "no message is made of it",
            Done::NotUnpacked => "no file is made of it",
        };
        format!("{}; {done}", self.message).into()
    }

    /// Returns what was found and what a user can do about it, in the words of a program: what a remedy is there, and how it names the
    /// sources of retrieval URLs.
    ///
    /// ```
    /// use absolve_rewriter::internal::UrlSource;
    /// use absolve_rewriter::results::Remedy;
    /// use absolve_rewriter::{Code, Finding};
    /// let finding = Finding::new(Code::UnknownType, "unknown file type").with_remedy(Remedy::NameType);
    /// assert_eq!(finding.worded(|_| Some("give a type".into()), UrlSource::name), "unknown file type; give a type");
    /// ```
    pub fn worded(
        &self,
        hint: impl FnOnce(&Remedy) -> Option<Cow<'static, str>>,
        source_name: impl Fn(UrlSource) -> &'static str,
    ) -> Cow<'_, str> {
        match self.values.as_deref() {
            Some(Values::Conflict(conflict)) => conflict.message(source_name).into(),
            Some(Values::Remedy(remedy)) => match hint(remedy) {
                Some(hint) => format!("{}; {hint}", self.sentence()).into(),
                None => self.sentence(),
            },
            _ => self.sentence(),
        }
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
        write!(formatter, "{}: {}", self.code, self.sentence())
    }
}
