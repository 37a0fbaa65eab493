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
        self.sources.get(&Source::LEFT_UNREAD).copied().unwrap_or_default()
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

/// The source of a base, in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Source {
    rank: u8,
    pub(crate) name: &'static str,
}

impl Source {
    const NONE: Self = Self::new(7, "none");
    const LEFT_UNREAD: Self = Self::new(8, "left unread");

    const fn new(rank: u8, name: &'static str) -> Self {
        Self { rank, name }
    }

    pub(crate) const fn of(document: &Document<'_>) -> Self {
        match document.layer {
            _ if document.counts.documents == 0 => Self::LEFT_UNREAD,
            Layer::Element => Self::new(0, "BASE"),
            Layer::Codebase | Layer::XmlBase { .. } => Self::new(1, "xml:base, codebase"),
            Layer::ParentDocument | Layer::Item => Self::new(2, "document around it"),
            Layer::Header { field: Field::ContentBase, .. } => Self::new(3, "Content-Base"),
            Layer::Header { field: Field::ContentLocation, .. } => Self::new(4, "Content-Location"),
            Layer::Header { field: Field::Base, .. } => Self::new(5, "Base"),
            Layer::Retrieval => Self::new(6, "retrieval URL"),
            _ => Self::NONE,
        }
    }

    /// Returns whether links may have no base.
    pub(crate) fn is_doubtful(self) -> bool {
        self >= Self::NONE
    }
}
