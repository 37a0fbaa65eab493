//! The replaced documents of derived archives, for revisits that refer to them.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

use absolve_framing::{ArchiveFormat, Batches, Compression, Record};
use absolve_rewriter::{Code, Finding};
use uuid::Uuid;

use crate::temporary::blob_spool::BlobSpool;
use crate::warc::payload::PayloadKind;
use crate::warc::record::{ArchiveRecord, payload_of};

/// A replaced document.
#[derive(Clone)]
pub(crate) struct Original {
    /// The names by which revisits refer to it.
    pub(crate) names: Vec<String>,
    pub(crate) content_type: String,
    /// The reason in `WARC-Truncated`.
    pub(crate) truncated: Option<String>,
    pub(crate) content: Vec<u8>,
}

/// Returns a range of the bytes of the archive of this number.
pub type ReadRange<'r> = dyn Fn(usize, Range<u64>) -> io::Result<Vec<u8>> + 'r;

/// The records that revisits can refer to, of all archives of a run. Memory holds the ids of records; the documents are read again where
/// `read` is given, and are in a temporary file otherwise.
#[derive(Default)]
#[allow(missing_debug_implementations, reason = "a reader has none")]
pub struct Originals<'o> {
    read: Option<&'o ReadRange<'o>>,
    /// The number of the archive that is read.
    archive: usize,
    contents: Option<BlobSpool>,
    /// The replaced documents without their contents.
    entries: Vec<(Original, Storage)>,
    replaced: HashMap<Uuid, usize>,
    /// The records that were not replaced. Half a key is enough where no document is looked up.
    kept: HashSet<u64>,
    /// The references of revisits to no document replaced before them.
    unresolved: HashSet<Uuid>,
    /// The same, of each revisit: the archive, the name of the record and its references.
    waiting: Vec<(usize, String, Vec<Uuid>)>,
}

/// Where the content of a document is.
enum Storage {
    Spooled(Range<u64>),
    /// In a record of the archive of this number.
    Archive(usize, Range<u64>),
}

impl<'o> Originals<'o> {
    /// Returns no records yet. `read` reads archives of the run again.
    pub fn of_run(read: &'o ReadRange<'o>) -> Self {
        Self { read: Some(read), ..Self::default() }
    }

    /// Begins the archive of this number.
    pub fn begin(&mut self, archive: usize) {
        self.archive = archive;
    }

    /// Returns a finding for each revisit whose record is in none of the archives, with the number of its archive.
    pub fn missing(&mut self) -> Vec<(usize, Finding)> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|(.., keys)| !self.has_kept(keys));
        let message = "no archive of this run has the record that it refers to; where that is replaced, no program can show the revisit";
        let finding = |(archive, record, _)| (archive, Finding { record, ..Finding::new(Code::Revisit, message) });
        waiting.into_iter().map(finding).collect()
    }

    /// Adds a replaced document. `record` is the range of its record in the file, if the record has one of its own.
    pub(crate) fn add(&mut self, keys: &[Uuid], original: Original, record: Option<Range<u64>>) -> io::Result<()> {
        let place = match record.filter(|_| self.read.is_some()) {
            Some(range) => Storage::Archive(self.archive, range),
            None => {
                let spool = match &mut self.contents {
                    Some(spool) => spool,
                    contents => contents.insert(BlobSpool::new()?),
                };
                Storage::Spooled(spool.add(&original.content)?)
            }
        };
        self.replaced.extend(keys.iter().map(|key| (*key, self.entries.len())));
        self.entries.push((Original { names: Vec::new(), content: Vec::new(), ..original }, place));
        Ok(())
    }

    /// Adds a record that is not replaced.
    pub(crate) fn keep(&mut self, keys: impl IntoIterator<Item = Uuid>) {
        self.kept.extend(keys.into_iter().map(|key| half(&key)));
    }

    /// Returns whether an earlier revisit refers to one of these.
    pub(crate) fn is_referred(&self, mut keys: impl Iterator<Item = Uuid>) -> bool {
        !self.unresolved.is_empty() && keys.any(|key| self.unresolved.contains(&key))
    }

    /// Returns the replaced document of the first reference of a revisit that has one.
    pub(crate) fn get(&mut self, keys: Vec<Uuid>, revisit: &Record) -> io::Result<Option<Original>> {
        let found = keys.iter().find_map(|key| self.replaced.get(key)).map(|index| &self.entries[*index]);
        let content = match (found, self.read, &self.contents) {
            (Some((_, Storage::Archive(archive, range))), Some(read), _) => {
                document_of(&read(*archive, range.clone())?)?
            }
            (Some((_, Storage::Spooled(range))), _, Some(spool)) => {
                let mut content = Vec::new();
                spool.copy_to(range.clone(), &mut content)?;
                Some(content)
            }
            _ => None,
        };
        if let (Some((original, _)), Some(content)) = (found, content) {
            return Ok(Some(Original { content, ..original.clone() }));
        }
        if !keys.is_empty() && !self.has_kept(&keys) {
            self.unresolved.extend(&keys);
            self.waiting.push((self.archive, revisit.name(), keys));
        }
        Ok(None)
    }

    fn has_kept(&self, keys: &[Uuid]) -> bool {
        keys.iter().any(|key| self.kept.contains(&half(key)))
    }
}

fn half(key: &Uuid) -> u64 {
    key.as_u64_pair().0
}

/// Returns the document of a record of a WARC, plain or in members of its own.
fn document_of(bytes: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let format = ArchiveFormat::Warc;
    let decompressed = Compression::of(bytes).decompressed(Box::new(bytes), format, |_, _| {})?;
    let Some(batch) = Batches::new(decompressed, format).next(Vec::new())? else { return Ok(None) };
    let Some(record) = batch.records.first() else { return Ok(None) };
    let parsed = ArchiveRecord::new(format, &batch.bytes, record);
    Ok(match payload_of(parsed.as_ref(), &batch, record) {
        Ok(PayloadKind::Payload(payload)) => Some(payload.content().to_vec()),
        _ => None,
    })
}
