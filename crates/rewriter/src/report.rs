//! Reports: counts, findings and a row for each document.

pub(crate) mod shown;

use std::fmt;
use std::ops::AddAssign;

use absolve_base::Layer;

use crate::finding::{Code, Finding};
use crate::position::Position;
use crate::report::shown::Shown;

/// The report on one document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentReport {
    /// The record of the container; empty for a file that holds one record.
    pub record: String,
    /// The part of the entity; empty for a bare file.
    pub part: String,
    /// Its media type; empty if the entity holds no document of a known type.
    pub media_type: &'static str,
    /// The base of the document.
    pub base: Option<String>,
    /// The layer that declared it.
    pub layer: Layer,
    /// The counts of its links.
    pub counts: Counts,
    /// The codes of its findings.
    pub findings: Vec<Code>,
    /// What there is to see of it, with [`Detail::Shown`](crate::settings::Detail).
    pub shown: Option<Box<Shown>>,
    /// The SHA-256 of its entity before: of the file, the message, the content of the record.
    pub sha256_in: String,
    /// The same after.
    pub sha256_out: String,
}

impl DocumentReport {
    pub(crate) fn new(media_type: &'static str, part: &str, findings: &[Finding]) -> Self {
        Self {
            record: String::new(),
            part: part.to_owned(),
            media_type,
            base: None,
            layer: Layer::None,
            counts: Counts::default(),
            findings: findings.iter().map(|finding| finding.code).collect(),
            shown: None,
            sha256_in: String::new(),
            sha256_out: String::new(),
        }
    }

    /// Returns the report if nothing is written.
    pub(crate) fn unwritten(self) -> Self {
        Self { counts: self.counts.unwritten(), shown: self.shown.map(|shown| Box::new(shown.unwritten())), ..self }
    }
}

/// What a container reports while it is processed.
#[derive(Debug)]
pub enum Event {
    /// Something found in a record.
    Finding(Finding),
    /// A document of a record.
    Document(Box<DocumentReport>),
}

impl From<Finding> for Event {
    fn from(finding: Finding) -> Self {
        Self::Finding(finding)
    }
}

impl Event {
    /// Returns the event with its record renamed.
    pub fn in_record(self, name: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Finding(finding) => Self::Finding(Finding { record: name(&finding.record), ..finding }),
            Self::Document(document) => {
                Self::Document(Box::new(DocumentReport { record: name(&document.record), ..*document }))
            }
        }
    }
}

impl Report {
    /// Sends the findings and rows of a record to a listener.
    pub fn send(self, record: &str, listener: &mut dyn FnMut(Event)) {
        let documents = self.documents.into_iter().map(|document| Event::Document(Box::new(document)));
        let events = self.findings.into_iter().map(Event::Finding).chain(documents);
        events.for_each(|event| listener(event.in_record(|_| record.to_owned())));
    }
}

/// Numbers of links, by what happened to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents read.
    pub documents: u64,
    /// Links found.
    pub links: u64,
    /// Made absolute.
    pub rewritten: u64,
    /// Absolute before, and mapped to other URLs.
    pub mapped: u64,
    /// Changed to relative links that lead to files unpacked with the document.
    pub local: u64,
    /// Absolute before.
    pub absolute: u64,
    /// References to the document itself, left unchanged.
    pub same_document: u64,
    /// Kept on purpose.
    pub kept: u64,
    /// Left relative, because they have no target.
    pub unresolved: u64,
    /// Of those kept, placeholders and what is a part of one.
    pub kept_placeholders: u64,
    /// Of those kept, the `href` of a BASE.
    pub kept_bases: u64,
    /// Links in items of feeds whose targets would be others at the URLs of the items.
    pub other_at_item: u64,
    /// Of those made absolute, links to a web archive that lead to what it archived now.
    pub unwrapped: u64,
}

impl Counts {
    /// Returns how many links change.
    pub(crate) const fn changed(self) -> u64 {
        self.rewritten + self.mapped + self.local
    }

    /// Returns the counts if nothing is written: what was to be changed is kept.
    ///
    /// ```
    /// use absolve_rewriter::Rewriter;
    /// let counts = Rewriter::default().html("<a href=x>", "http://h/").unwrap().counts().unwritten();
    /// assert_eq!((counts.rewritten, counts.kept), (0, 1));
    /// ```
    #[must_use]
    pub const fn unwritten(self) -> Self {
        Self { rewritten: 0, mapped: 0, local: 0, kept: self.kept + self.changed(), ..self }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.links += other.links;
        self.rewritten += other.rewritten;
        self.mapped += other.mapped;
        self.local += other.local;
        self.absolute += other.absolute;
        self.same_document += other.same_document;
        self.kept += other.kept;
        self.unresolved += other.unresolved;
        self.kept_placeholders += other.kept_placeholders;
        self.kept_bases += other.kept_bases;
        self.other_at_item += other.other_at_item;
        self.unwrapped += other.unwrapped;
    }
}

/// The report on an entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The counts of its links.
    pub counts: Counts,
    /// The findings, in the order of the parts.
    pub findings: Vec<Finding>,
    /// Links with subresource integrity.
    pub pins: Vec<PinnedLink>,
    /// A row for each document, except with [`Detail::Counts`](crate::settings::Detail).
    pub documents: Vec<DocumentReport>,
}

impl Report {
    /// Returns the report on the first document with a base, if documents are reported.
    pub fn document_with_base(&self) -> Option<&DocumentReport> {
        self.documents.iter().find(|document| document.base.is_some())
    }

    /// Returns the report if nothing is written.
    #[must_use]
    pub fn unwritten(self) -> Self {
        let documents = self.documents.into_iter().map(DocumentReport::unwritten).collect();
        Self { counts: self.counts.unwritten(), documents, ..self }
    }
}

/// A link with subresource integrity (`integrity`): it declares a hash of its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedLink {
    /// Its first byte in its part.
    pub byte: usize,
    /// Where that is in the entity.
    pub position: Option<Position>,
    /// Its target without the fragment.
    pub url: String,
}

/// The status of a link, at its base and under the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It is relative, and made absolute.
    Relative,
    /// It is absolute, and mapped to another URL.
    Mapped,
    /// It is absolute.
    Absolute,
    /// It refers to the document itself, and is kept.
    SameDocument,
    /// It is kept on purpose: a placeholder, or a file of the input.
    Kept,
    /// It has no target.
    Unresolved(Cause),
}

impl Status {
    /// Returns the status if nothing is written.
    pub(crate) fn unwritten(self) -> Self {
        if self.is_written() { Self::Kept } else { self }
    }

    /// Returns whether a link with this status gets its target.
    pub(crate) const fn is_written(self) -> bool {
        matches!(self, Self::Relative | Self::Mapped)
    }

    /// Returns the name in JSON.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::Status::SameDocument.name(), "same-document");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Mapped => "mapped",
            Self::Absolute => "absolute",
            Self::SameDocument => "same-document",
            Self::Kept => "kept",
            Self::Unresolved(_) => "unresolved",
        }
    }
}

/// Why a link has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// There is no base.
    NoBase,
    /// The base has no hierarchy.
    OpaqueBase,
    /// Its part is no place of its own, and which document lends its base is not certain.
    PartBase(Unclear),
    /// The link of the item of a feed is not read.
    UnclearItem,
    /// The base is valid on one computer or in one message only.
    BaseNotPortable,
    /// The standard defines none.
    NoTarget,
    /// The target would not be a valid URL.
    UnreadableTarget,
    /// Resolving it would remove a placeholder, or make one.
    LostPlaceholder,
    /// It leads to a local copy whose original URL is not known.
    LocalCopy,
    /// It is a pattern of URLs that has no absolute form.
    UrlPattern,
    /// It is in a custom property, and browsers resolve it at different stylesheets.
    CssVariable,
}

/// Why it is not certain which document lends its base to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unclear {
    /// No document of the message links it.
    NotLinked,
    /// Documents with different bases link it.
    SeveralBases,
    /// The parts link each other in a circle, or in a chain that is too long.
    Circle,
}

impl Unclear {
    /// Returns the reason for messages.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::results::Unclear::NotLinked.why(), "no document of the message links the part, whose base it would have");
    /// ```
    pub const fn why(self) -> &'static str {
        match self {
            Self::NotLinked => "no document of the message links the part, whose base it would have",
            Self::SeveralBases => "documents with different bases link the part",
            Self::Circle => "the parts link each other in a circle, or in too long a chain",
        }
    }
}

/// Why no reader elsewhere can follow a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OutOfReach {
    /// It leads to a file, a drive or a `blob:` on one computer.
    LocalFile,
    /// It leads to the computer of whoever follows it: `localhost`, a loopback address.
    OwnComputer,
    /// Its host is an address of private networks (RFC 1918, RFC 4193, RFC 6598).
    PrivateAddress,
    /// Its host is an address with another special purpose (RFC 6890): link-local, multicast, for documentation.
    ReservedAddress,
    /// Its host is a name of local networks, or of none: `.local`, `.internal`, `.test`, a single label.
    LocalName,
    /// It has no host.
    NoHost,
    /// Its host or port is none that a parser accepts: `256.1.1.1`, a space, `:99999`.
    InvalidHost,
    /// It begins with a host and a port: `shop.example:8080`.
    NoScheme,
    /// Its scheme is misspelt.
    MisspeltScheme,
    /// It begins with a placeholder that a program has percent-encoded: `%7B%7Bunsubscribe%7D%7D`.
    EscapedPlaceholder,
}

impl fmt::Display for OutOfReach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::LocalFile => "a file of one computer",
            Self::OwnComputer => "the computer of the reader",
            Self::PrivateAddress => "a private address",
            Self::ReservedAddress => "a reserved address",
            Self::LocalName => "a name of local networks",
            Self::NoHost => "no host",
            Self::InvalidHost => "no valid host or port",
            Self::NoScheme => "no scheme",
            Self::MisspeltScheme => "a misspelt scheme",
            Self::EscapedPlaceholder => "a percent-encoded placeholder",
        })
    }
}

/// Why the target of a reference in an item is in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemDoubt {
    /// At the URL of the item it would be another.
    OtherAtItem,
    /// The item has no URL.
    NoUrl,
    /// The item has several URLs.
    SeveralUrls,
    /// The item has the URL of another host.
    OtherHost,
    /// The item has a URL that is not read.
    Unclear,
}

impl fmt::Display for ItemDoubt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OtherAtItem => {
                "resolved against the URL of the feed; against those of the items they would lead elsewhere"
            }
            Self::NoUrl => "resolved against the URL of the feed, because the items have no link that can be a base",
            Self::SeveralUrls => "resolved against the first of several links of the item",
            Self::OtherHost => {
                "resolved against the link of the item, which leads to another host than that of the feed"
            }
            Self::Unclear => "against the link of the item, which is not read",
        })
    }
}
