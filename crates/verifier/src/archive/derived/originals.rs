//! The records of the original of a derived archive.

use std::collections::HashSet;
use std::io;
use std::mem;

use absolve_framing::{ArchiveFormat, Content, DEFAULT_VERSION};

use crate::archive::record::Record;
use crate::archive::records::{Piece, Records};
use crate::storage::Stored;

/// The records of an archive, with those that answer requests other than GET.
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
                Piece::Record(record) => Some(record),
                Piece::Other(Content::CutOff | Content::Damaged(_), _) => None,
                Piece::Other(..) => continue,
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

    /// Reports whether a record answers a request other than GET.
    pub(super) fn answers_request(&self, record: &Record) -> bool {
        !self.requests.is_empty() && record.transaction().iter().any(|id| self.requests.contains(id))
    }
}
