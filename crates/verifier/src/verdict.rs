//! What came of verifying.

use std::fmt;
use std::ops::AddAssign;

/// What came of verifying a file, or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What was compared.
    pub counts: Counts,
    /// Where the law does not hold.
    pub differences: Vec<Difference>,
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records of containers, messages and bare files.
    pub records: u64,
    /// Documents of which every link was looked at.
    pub documents: u64,
    /// Their links.
    pub links: u64,
    /// Links that changed, each proven to mean what it meant.
    pub proven: u64,
    /// Bytes of the originals.
    pub bytes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.documents += other.documents;
        self.links += other.links;
        self.proven += other.proven;
        self.bytes += other.bytes;
    }
}

/// Something that is not as it has to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// The record of the container; empty for a file that holds one.
    pub record: String,
    /// The part of the message; empty for a bare file.
    pub part: String,
    /// The first byte it concerns, in the original part.
    pub byte: Option<usize>,
    /// What does not hold.
    pub rule: Rule,
    /// What the original says there.
    pub original: String,
    /// What was made of it.
    pub rewritten: String,
    /// What should have been made of it, as far as that is known.
    pub expected: String,
    /// The difference in words.
    pub message: String,
}

/// What has to hold. The names are stable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Bytes outside links are the same.
    #[default]
    Bytes,
    /// A changed link means what it meant at its base.
    Target,
    /// A relative link with a base became absolute.
    Relative,
    /// A link that means the same everywhere, or is to be kept, stayed.
    Kept,
    /// As many links stand at the same places.
    Links,
    /// Both documents make the same tree.
    Tree,
    /// The transfer encoding changed only where a link in it did.
    Encoding,
    /// Headers are the same, but for what must follow the bodies.
    Heading,
    /// A message has the same parts.
    Part,
    /// A container has the same records.
    Record,
    /// Digests and lengths that were right are right.
    Digest,
    /// All files are there, and those that are no documents are the same.
    File,
    /// It could be read.
    Unread,
}

impl Rule {
    /// The stable name.
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
            Self::Tree => "tree",
            Self::Encoding => "encoding",
            Self::Heading => "heading",
            Self::Part => "part",
            Self::Record => "record",
            Self::Digest => "digest",
            Self::File => "file",
            Self::Unread => "unread",
        }
    }
}

impl Difference {
    /// A difference that concerns all of something.
    ///
    /// ```
    /// use absolve_verifier::{Difference, Rule};
    /// let difference = Difference::new(Rule::Record, "it is missing").at(17);
    /// assert_eq!(difference.to_string(), "byte 17: record: it is missing");
    /// ```
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), ..Self::default() }
    }

    /// The same difference at this byte of the original.
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
    /// Whether nothing differs.
    ///
    /// ```
    /// assert!(absolve_verifier::Verdict::default().holds());
    /// ```
    pub const fn holds(&self) -> bool {
        self.differences.is_empty()
    }

    /// Adds what came of a record.
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
