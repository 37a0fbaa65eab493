//! A record of a web archive.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use absolve_framing::{ArcRecord, ArchiveFormat, DEFAULT_VERSION, WarcRecord, body_start};
use sha2::{Digest, Sha256};

/// A record.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) format: ArchiveFormat,
    /// Counted from 1.
    pub(super) number: u64,
    /// Its header and its block; of a record that is too long to be held, the header.
    bytes: Vec<u8>,
    /// The byte at which the block begins.
    block: usize,
    /// The SHA-256 of all bytes of a record that is too long to be held.
    pub(super) long: Option<Sha256>,
    /// The line ends behind it.
    pub(super) line_ends: Vec<u8>,
    pub(super) place: Place,
}

/// The place of a record in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Where it begins, if that is known: it is not compressed, or a gzip member begins there.
    pub(super) start: Option<u64>,
    /// Where it ends, if that is known.
    pub(super) end: Option<u64>,
    /// The number of gzip members that end in it.
    pub(super) members: usize,
}

impl Record {
    pub(super) fn new(format: ArchiveFormat, number: u64, bytes: Vec<u8>, line_ends: Vec<u8>, place: Place) -> Self {
        let block = match format {
            ArchiveFormat::Warc => body_start(&bytes, 0..bytes.len()).1,
            ArchiveFormat::Arc => memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |end| end + 1),
        };
        Self { format, number, bytes, block, long: None, line_ends, place }
    }

    /// Returns its number as differences have it.
    pub(super) fn name(&self) -> String {
        self.number.to_string()
    }

    /// Returns the header with the empty line behind it; of an ARC the line of the record.
    pub(super) fn header(&self) -> &[u8] {
        &self.bytes[..self.block]
    }

    /// Returns the block; empty if it is too long.
    pub(super) fn block(&self) -> &[u8] {
        &self.bytes[self.block..]
    }

    /// Returns a record that is too long to be held, of which all bytes have this digest.
    pub(super) fn without_block(mut self, digest: Sha256) -> Self {
        self.bytes.truncate(self.block);
        Self { long: Some(digest), ..self }
    }

    /// Reports whether it has the bytes of another one, and these line ends behind it. Where a record is too long and has no known length, it
    /// is not known either where its line ends begin.
    pub(super) fn is_equal(&self, other: &Self, line_ends: &[u8]) -> bool {
        let all = |digest: &Sha256, line_ends| digest.clone().chain_update(line_ends).finalize();
        self.bytes == other.bytes
            && match (&self.long, &other.long) {
                (Some(own), Some(other)) => all(own, &*self.line_ends) == all(other, line_ends),
                (own, other) => self.line_ends == line_ends && own.is_none() && other.is_none(),
            }
    }

    /// Returns the range of its bytes in the file, if it is not compressed or has gzip members of its own.
    pub(super) fn raw(&self) -> Option<Range<u64>> {
        Some(self.place.start?..self.place.end?)
    }

    /// Returns its fields and its block, if it is one of a WARC.
    pub(super) fn warc(&self) -> Option<WarcRecord<'_>> {
        (self.format == ArchiveFormat::Warc).then(|| WarcRecord::new(&self.bytes))
    }

    /// Returns its URL, its type and its block, if it is one of an ARC.
    pub(super) fn arc(&self) -> Option<ArcRecord<'_>> {
        ArcRecord::new(&self.bytes).filter(|_| self.format == ArchiveFormat::Arc)
    }

    /// Returns the first value of a field.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        self.warc()?.field(name)
    }

    /// Returns the values of a field, in order.
    pub(super) fn fields(&self, name: &str) -> Vec<String> {
        self.warc().map(|record| record.fields(name).collect()).unwrap_or_default()
    }

    /// Returns `WARC-Type` in lower case, as in `response`.
    pub(super) fn kind(&self) -> String {
        self.field("WARC-Type").unwrap_or_default().to_ascii_lowercase()
    }

    /// Reports whether it is of one of these types.
    pub(super) fn is(&self, kinds: &[&str]) -> bool {
        kinds.contains(&&*self.kind())
    }

    pub(super) fn id(&self) -> Option<String> {
        self.field("WARC-Record-ID")
    }

    /// Returns the version of WARC that a record made of it has.
    pub(super) fn version(&self) -> String {
        self.warc().map_or(DEFAULT_VERSION, |record| record.version()).to_owned()
    }

    /// Returns the URL as written.
    pub(super) fn target(&self) -> String {
        match self.warc() {
            Some(record) => record.url().unwrap_or_default(),
            None => self.arc().map(|record| record.url).unwrap_or_default(),
        }
    }

    /// Returns the ids of it and of the other records of its transaction.
    pub(super) fn transaction(&self) -> Vec<String> {
        self.id().into_iter().chain(self.fields("WARC-Concurrent-To")).collect()
    }
}

/// Returns a URL without the angle brackets that some writers put around it.
pub(super) fn without_brackets(url: &str) -> &str {
    url.trim_start_matches('<').trim_end_matches('>')
}

pub(super) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
