//! The sums over all documents, shown or not.

use std::collections::BTreeMap;

use absolve_base::{Field, Layer};
use absolve_rewriter::Counts;

use crate::document::Document;
use crate::text::number;

/// The sums over all documents.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// All rows: documents, and what was left unread.
    pub(crate) rows: u64,
    pub(crate) links: Counts,
    /// Documents by the source of their base, in the order of precedence.
    pub(crate) sources: BTreeMap<Source, u64>,
    pub(crate) types: BTreeMap<String, u64>,
    /// Documents by the codes of their findings.
    pub(crate) findings: BTreeMap<String, u64>,
    /// Documents without a finding.
    pub(crate) clean: u64,
}

impl Totals {
    pub(crate) fn add(&mut self, document: &Document<'_>) {
        self.rows += 1;
        self.links += document.counts;
        *self.sources.entry(Source::of(document)).or_default() += 1;
        add_to(&mut self.types, document.media_type);
        let mut codes = document.findings.clone();
        codes.sort_unstable();
        codes.dedup();
        self.clean += u64::from(codes.is_empty());
        codes.into_iter().for_each(|code| add_to(&mut self.findings, code));
    }

    /// Returns the number of files and records that were left unread: they have rows, but are no documents.
    pub(crate) fn left_unread(&self) -> u64 {
        self.sources.get(&Source::LeftUnread).copied().unwrap_or_default()
    }

    /// Returns all rows in words: the documents, and apart from them what was left unread.
    pub(crate) fn all_in_words(&self) -> String {
        match self.left_unread() {
            0 => format!("{} in all", number(self.rows)),
            left => format!("{} in all, and {} left unread", number(self.rows - left), number(left)),
        }
    }
}

fn add_to(counts: &mut BTreeMap<String, u64>, key: &str) {
    match counts.get_mut(key) {
        Some(count) => *count += 1,
        None => {
            counts.insert(key.to_owned(), 1);
        }
    }
}

/// The source of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Element,
    Xml,
    Around,
    ContentBase,
    ContentLocation,
    Base,
    Retrieval,
    None,
    LeftUnread,
}

impl Source {
    pub(crate) const fn of(document: &Document<'_>) -> Self {
        match document.layer {
            _ if document.counts.documents == 0 => Self::LeftUnread,
            Layer::Element => Self::Element,
            Layer::Codebase | Layer::XmlBase { .. } => Self::Xml,
            Layer::ParentDocument | Layer::Item => Self::Around,
            Layer::Header { field: Field::ContentBase, .. } => Self::ContentBase,
            Layer::Header { field: Field::ContentLocation, .. } => Self::ContentLocation,
            Layer::Header { field: Field::Base, .. } => Self::Base,
            Layer::Retrieval => Self::Retrieval,
            _ => Self::None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Element => "BASE",
            Self::Xml => "xml:base, codebase",
            Self::Around => "document around it",
            Self::ContentBase => "Content-Base",
            Self::ContentLocation => "Content-Location",
            Self::Base => "Base",
            Self::Retrieval => "retrieval URL",
            Self::None => "none",
            Self::LeftUnread => "left unread",
        }
    }
}
