//! The result of a verification.

use std::fmt;
use std::ops::AddAssign;

/// The result of verifying one file, or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How much was compared.
    pub counts: Counts,
    /// The rules that do not hold.
    pub differences: Vec<Difference>,
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records of containers, messages, and files that are a single document.
    pub records: u64,
    /// Documents in which every link was compared.
    pub documents: u64,
    /// Links in these documents.
    pub links: u64,
    /// Links that changed, each proven to have the same target as before.
    pub proven: u64,
    /// Links that changed and have the target that follows from a URL which was found. Two versions cannot prove that URL.
    pub by_found_url: u64,
    /// Bytes of the originals.
    pub bytes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.documents += other.documents;
        self.links += other.links;
        self.proven += other.proven;
        self.by_found_url += other.by_found_url;
        self.bytes += other.bytes;
    }
}

/// A rule that does not hold somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// The record of the container; empty for a file without records.
    pub record: String,
    /// The part of the message; empty for a file that is no message.
    pub part: String,
    /// The first byte it concerns, in the original part.
    pub byte: Option<usize>,
    /// The rule that does not hold.
    pub rule: Rule,
    /// The text of the original.
    pub original: String,
    /// The text after the rewrite.
    pub rewritten: String,
    /// The text that was expected, as far as it is known.
    pub expected: String,
    /// A description in words.
    pub message: String,
    /// Whether it could not be judged, because no base is known: a URL of the document would help.
    pub lacks_base: bool,
}

/// A rule of the verification. The names are stable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Bytes outside links are the same.
    #[default]
    Bytes,
    /// A changed link has the same target as before.
    Target,
    /// A relative link with a base became absolute.
    Relative,
    /// A link that is absolute, or has to be kept, stayed.
    Kept,
    /// The same number of links stand at the same places.
    Links,
    /// The transfer encoding changed only where a link in it did.
    Encoding,
    /// Headers are the same, except for fields that describe the body.
    Header,
    /// A message has the same parts.
    Part,
    /// A container has the same records.
    Record,
    /// Digests and lengths that were right are right.
    Digest,
    /// All files exist, and those that are not documents are the same.
    File,
    /// The input could be read.
    Unread,
}

impl Rule {
    /// Returns the stable name.
    ///
    /// ```
    /// assert_eq!(absolve_verifier::Rule::Target.name(), "target");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Target => "target",
            Self::Relative => "relative",
            Self::Kept => "kept",
            Self::Links => "links",
            Self::Encoding => "encoding",
            Self::Header => "header",
            Self::Part => "part",
            Self::Record => "record",
            Self::Digest => "digest",
            Self::File => "file",
            Self::Unread => "unread",
        }
    }
}

impl Difference {
    /// Returns a difference without a place.
    ///
    /// ```
    /// use absolve_verifier::{Difference, Rule};
    /// let difference = Difference::new(Rule::Record, "it is missing").at(17);
    /// assert_eq!(difference.to_string(), "byte 17: record: it is missing");
    /// ```
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), ..Self::default() }
    }

    /// Returns the difference at this byte of the original.
    ///
    /// ```
    /// use absolve_verifier::{Difference, Rule};
    /// assert_eq!(Difference::new(Rule::Bytes, "x").at(3).byte, Some(3));
    /// ```
    #[must_use]
    pub fn at(self, byte: usize) -> Self {
        Self { byte: Some(byte), ..self }
    }
}

impl Verdict {
    /// Reports whether all rules hold.
    ///
    /// ```
    /// assert!(absolve_verifier::Verdict::default().holds());
    /// ```
    pub const fn holds(&self) -> bool {
        self.differences.is_empty()
    }

    /// Returns the verdict of these differences.
    pub(crate) fn of(differences: impl IntoIterator<Item = Difference>) -> Self {
        Self { differences: differences.into_iter().collect(), ..Self::default() }
    }

    /// Adds the verdict on a record.
    pub(crate) fn add(&mut self, mut other: Self, record: &str) {
        for difference in other.differences.iter_mut().filter(|difference| difference.record.is_empty()) {
            difference.record = record.to_owned();
        }
        self.counts += other.counts;
        self.differences.append(&mut other.differences);
    }
}

impl fmt::Display for Difference {
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
        write!(formatter, "{}: {}", self.rule.name(), self.message)
    }
}
