//! The records of the original of a derived archive.

use std::collections::HashSet;
use std::io;
use std::mem;

use absolve_framing::ArchiveFormat;

use crate::archive::derived::revisits::{Replaced, Revisits};
use crate::archive::payload::Payload;
use crate::archive::record::{DEFAULT_VERSION, Record};
use crate::archive::records::{Piece, Records};
use crate::settings::Settings;
use crate::storage::Stored;
use crate::verdict::{Difference, Rule, Verdict};

/// The records of an archive, with what decides whether one may be replaced.
pub(super) struct Originals<'f> {
    pub(super) records: Records<'f>,
    /// The version of the warcinfo record in front of them.
    pub(super) version: Option<String>,
    held: Option<Record>,
    /// The ids of requests other than GET, and of the records of the same transactions.
    requests: HashSet<String>,
}

impl<'f> Originals<'f> {
    pub(super) fn of(original: Stored<'f>) -> io::Result<Self> {
        let records = Records::of(original, ArchiveFormat::Warc)?;
        Ok(Self { records, version: None, held: None, requests: HashSet::new() })
    }

    /// Returns the next record. The one behind it was read: an index finds the response to a POST by its request, which may follow it.
    pub(super) fn next(&mut self) -> io::Result<Option<Record>> {
        while let Some(piece) = self.records.next()? {
            let version = || self.records.ending.version.clone().unwrap_or_else(|| DEFAULT_VERSION.to_owned());
            self.version.get_or_insert_with(version);
            let record = match piece {
                Piece::Stray(_) => continue,
                Piece::Record(record) => Some(record),
                Piece::CutOff(_) | Piece::Damaged(_) => None,
            };
            if let Some(request) = record.as_ref().filter(|record| record.kind() == "request")
                && !request.block().starts_with(b"GET ")
            {
                self.requests.extend(request.transaction());
            }
            if let Some(held) = mem::replace(&mut self.held, record) {
                return Ok(Some(held));
            }
        }
        Ok(self.held.take())
    }

    /// Returns why a record stays, even if its links could become absolute.
    pub(super) fn reason_to_stay(&self, record: &Record, revisits: &Revisits) -> Option<&'static str> {
        if !self.requests.is_empty() && record.transaction().iter().any(|id| self.requests.contains(id)) {
            return Some("it answers a request other than GET");
        }
        let is_referred = record.is(&["response", "resource"]) && revisits.is_missed(record);
        is_referred.then_some("an earlier revisit record refers to it")
    }

    /// Returns the verdict on a record that is unchanged; `referred` is the replaced document that it refers to, if it is a revisit record.
    pub(super) fn verify_unchanged(
        &self,
        record: &Record,
        referred: Option<Replaced>,
        revisits: &mut Revisits,
        settings: &Settings,
    ) -> Verdict {
        let may_stay = self.reason_to_stay(record, revisits).is_some();
        if record.is(&["response", "resource"]) {
            revisits.keep(record);
        }
        if may_stay {
            return Verdict::default();
        }
        if referred.is_some_and(|(payload, _)| payload.retrieved_again(record).is_ok()) {
            return Verdict::of([Difference::new(Rule::Record, "it refers to a record that was replaced")]);
        }
        let payload = Payload::of(record, settings);
        payload.map(|payload| payload.verify(&payload.content, settings)).unwrap_or_default()
    }
}
