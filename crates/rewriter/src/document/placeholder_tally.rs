//! The placeholders of one document, to be reported.

use std::collections::BTreeMap;

use crate::document::placeholder::first_placeholder;
use crate::finding::Finding;
use crate::findings::{self, Tally};
use crate::options::{Options, Purpose};

/// The most placeholders of a document that are reported one by one.
const REPORTED: usize = 100;

/// The placeholders that references of a document for mail begin with.
#[derive(Debug, Default)]
pub(crate) struct Placeholders {
    each: BTreeMap<String, Tally>,
    others: Tally,
}

impl Placeholders {
    /// Counts a reference that was kept, at this byte.
    pub(crate) fn add(&mut self, reference: &str, byte: usize, options: &Options) {
        let is_mail = options.purpose == Purpose::Mail;
        let Some(placeholder) = first_placeholder(reference, options.purpose).filter(|_| is_mail) else { return };
        let is_reported = self.each.len() < REPORTED || self.each.contains_key(placeholder);
        let tally = match is_reported {
            true => self.each.entry(placeholder.to_owned()).or_default(),
            false => &mut self.others,
        };
        tally.add(byte);
    }

    /// Returns a finding for each of the first placeholders, in their order, and one for all others.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut each: Vec<_> = self.each.iter().collect();
        each.sort_by_key(|(_, tally)| tally.first);
        let each = each.into_iter().map(|(placeholder, tally)| findings::placeholder(placeholder, *tally));
        each.chain((self.others.count > 0).then(|| findings::other_placeholders(self.others))).collect()
    }
}
