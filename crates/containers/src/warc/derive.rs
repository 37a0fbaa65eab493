//! Derived archives: resources with absolute links replace the responses whose links change.

use std::collections::HashSet;
use std::io::{self, Seek, Write};
use std::ops::Range;

use absolve_framing::{
    ArchivedDocument, Compression, Content, DEFAULT_VERSION, Encoder, WarcRecord, block_digest, printable, urn,
};
use absolve_rewriter::internal::{Event, Report};
use absolve_rewriter::{Code, Finding};
use uuid::Uuid;

use crate::caught::caught;
use crate::stream::{StreamError, StreamReport};
use crate::temporary::Temporary;
use crate::warc::capture::{RawCapture, Use};
use crate::warc::options::ArchiveOptions;
use crate::warc::originals::{Original, Originals};
use crate::warc::payload::Payload;
use crate::warc::records::{Archive, Change, End, Placed, WalkResult, rewritten_content, walk};
use crate::warc::replacement::{Derivation, Replacement, input_fields};
use crate::warc::source::Source;
use crate::warc::write::{Run, WarcinfoFields};

/// The new place of a record in a derived archive.
pub(crate) struct Moved {
    /// Its offset in the original file, if known.
    pub(crate) old_offset: Option<u64>,
    /// Offset of the record or its replacement in the new file.
    pub(crate) offset: u64,
    pub(crate) length: u64,
    /// Whether it was written in pieces, behind which other line ends may stand than before.
    pub(crate) in_pieces: bool,
    /// Digest and media type of the replacement, if it was replaced.
    pub(crate) replaced: Option<(String, String)>,
}

/// Writes a derived archive. `moved` receives the new place of each record.
pub(crate) fn derive(
    archive: Archive<'_>,
    originals: &mut Originals<'_>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
    moved: &mut dyn FnMut(Moved),
) -> Result<StreamReport, StreamError> {
    let Archive { compression, output_compression, name, .. } = archive;
    let run = Run::new(options);
    let warcinfo = run.id_of(&format!("{} {}", printable(name), block_digest(&archive.start)));
    let derivation = Derivation { run: &run, warcinfo, compression: output_compression };
    let keeps_members = (compression, output_compression) == (Compression::Gzip, Compression::Gzip);
    let capture = RawCapture::new(if keeps_members { Use::Hold } else { Use::Hash });
    let make = |change: Change<'_>| derivation.replacement(change);
    let mut derived = DerivedArchive {
        output,
        capture: capture.clone(),
        derivation,
        options,
        name,
        is_plain: compression == Compression::None,
        originals,
        other_requests: HashSet::new(),
        pending: None,
        long_record: None,
        total: StreamReport::default(),
        omitted: 0,
        kept_links: 0,
        damaged: 0,
        moved,
    };
    let result = walk(archive, &capture, options, &make, events, &mut |placed, made, events| {
        derived.take(&placed, made.transpose()?, events)
    })?;
    if result.end == End::Unreadable {
        let message = "the derived archive lacks the unreadable end";
        events(Finding::new(Code::RecordCutOff, message).into());
    }
    derived.finish(&result, events)?;
    let mut total = result.total;
    total.counts.rewritten -= derived.kept_links;
    total.counts.kept += derived.kept_links;
    total += derived.total;
    Ok(total)
}

struct DerivedArchive<'d, 'o, 'r> {
    output: &'d mut dyn Write,
    capture: RawCapture<'o>,
    derivation: Derivation<'d>,
    options: &'d ArchiveOptions,
    name: &'d str,
    /// Whether the input is not compressed.
    is_plain: bool,
    originals: &'d mut Originals<'r>,
    /// The ids of requests other than GET, and of their responses.
    other_requests: HashSet<Uuid>,
    /// A record to replace, unless the next record is such a request.
    pending: Option<Pending>,
    /// A too-long record, read in pieces.
    long_record: Option<LongRecord>,
    /// Bytes and resources written, the links of revisits, and the revisits on which the program failed.
    total: StreamReport,
    /// Number of bytes that are not a record.
    omitted: u64,
    /// Number of links that were to become absolute in records that are kept after all.
    kept_links: u64,
    /// Number of damaged places in the file.
    damaged: u64,
    moved: &'d mut dyn FnMut(Moved),
}

/// A record that is copied in pieces.
struct LongRecord {
    copy: Encoder<Temporary>,
    old_offset: Option<u64>,
    length: u64,
}

/// A record and its replacement.
struct Pending {
    /// The record as it would be copied.
    kept: Vec<u8>,
    /// The name of the record in reports.
    name: String,
    old_offset: Option<u64>,
    /// The range of its record in the file, if it has one of its own.
    range: Option<Range<u64>>,
    /// The number of its links that become absolute.
    rewritten: u64,
    replacement: Replacement,
}

impl DerivedArchive<'_, '_, '_> {
    fn take(
        &mut self,
        placed: &Placed<'_>,
        made: Option<Replacement>,
        events: &mut dyn FnMut(Event),
    ) -> io::Result<()> {
        if self.total.bytes_out == 0 {
            self.write_warcinfo(placed)?;
        }
        let record = placed.content.map(WarcRecord::new);
        self.add_request(record.as_ref());
        if placed.record.content != Content::NoRecord {
            self.write_pending(events)?;
        }
        if let Content::Damaged(damage) = &placed.record.content {
            self.damaged += 1;
            self.omitted +=
                self.long_record.take_if(|_| damage.breaks_record).map_or(0, |long_record| long_record.length);
        }
        if placed.record.content != Content::TooLongContinued {
            self.finish_long_record()?;
        }
        let made = match made {
            None => self.replaced_revisit(placed, record.as_ref(), events)?,
            made => made,
        };
        match (&placed.record.content, made) {
            (_, Some(replacement)) => {
                let (kept, name, old_offset) = (self.member(placed)?, placed.record.name(), self.old_offset(placed));
                let raw = placed.start..placed.start + placed.raw.len() as u64;
                let range = if self.is_plain { Some(raw) } else { self.capture.members(raw) };
                let rewritten = placed.rewritten;
                self.pending = Some(Pending { kept, name, old_offset, range, rewritten, replacement });
            }
            (Content::Record(_), None) => {
                let named =
                    |record: &&WarcRecord<'_>| ["response", "resource"].iter().any(|kind| record.is("WARC-Type", kind));
                if let Some(record) = record.as_ref().filter(named) {
                    self.originals.keep(record.names().iter().map(|name| self.derivation.run.id_of(name)));
                }
                self.copy(self.old_offset(placed), &self.member(placed)?)?;
            }
            (Content::TooLong | Content::TooLongContinued, None) => self.copy_piece(placed)?,
            _ => self.omitted += placed.raw.trim_ascii().len() as u64,
        }
        self.capture.release(placed.start + placed.raw.len() as u64);
        Ok(())
    }

    /// Adds the ids of a request other than GET. An index finds the response to a POST by its request. A resource is not linked
    /// to a request, so at its URL it would be taken for the response to a GET.
    fn add_request(&mut self, record: Option<&WarcRecord<'_>>) {
        let Some(record) = record.filter(|record| record.is("WARC-Type", "request")) else { return };
        if !record.block.starts_with(b"GET ") {
            let source = Source::of(record);
            let ids: Vec<_> = source.id.iter().chain(&source.concurrent_to).map(|id| self.key(id)).collect();
            self.other_requests.extend(ids);
        }
    }

    /// Writes the replacement of the previous record, or the record itself if it answers a request other than GET, or if an earlier
    /// revisit refers to it.
    fn write_pending(&mut self, events: &mut dyn FnMut(Event)) -> io::Result<()> {
        let Some(Pending { kept, name, old_offset, range, rewritten, replacement }) = self.pending.take() else {
            return Ok(());
        };
        let mut ids = replacement.transaction.iter();
        let names = replacement.original.iter().flat_map(|original| &original.names);
        let keys = || names.clone().map(|name| self.key(name));
        let why = if !self.other_requests.is_empty() && ids.any(|id| self.other_requests.contains(&self.key(id))) {
            Finding::left_unchanged(Code::Transaction, "it answers a request other than GET")
        } else if self.originals.is_referred(keys()) {
            Finding::left_unchanged(Code::Revisit, "an earlier revisit refers to it")
        } else {
            return self.replace(old_offset, range, replacement);
        };
        let keys: Vec<_> = keys().collect();
        self.originals.keep(keys);
        self.kept_links += rewritten;
        events(Event::Finding(Finding { record: name, ..why }));
        self.copy(old_offset, &kept)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.total.bytes_out += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    fn write_warcinfo(&mut self, first: &Placed<'_>) -> io::Result<()> {
        let version = first.content.map_or(DEFAULT_VERSION, |content| WarcRecord::new(content).version());
        let description = "copy of another archive, with resources in the place of responses: their links are absolute";
        let info = WarcinfoFields { id: self.derivation.warcinfo, description, input: self.name, sha256: None };
        let warcinfo = self.derivation.run.warcinfo(version, &info, self.options);
        let warcinfo = self.derivation.compression.compressed(warcinfo)?;
        self.write(&warcinfo)
    }

    fn key(&self, name: &str) -> Uuid {
        self.derivation.run.id_of(name)
    }

    fn replace(
        &mut self,
        old_offset: Option<u64>,
        range: Option<Range<u64>>,
        replacement: Replacement,
    ) -> io::Result<()> {
        let Replacement { records, length, digest, media_type, original, .. } = replacement;
        let (offset, replaced) = (self.total.bytes_out, Some((digest, media_type)));
        (self.moved)(Moved { old_offset, offset, length: length as u64, in_pieces: false, replaced });
        self.write(&records)?;
        self.total.changed += 1;
        let Some(original) = original else { return Ok(()) };
        let keys: Vec<_> = original.names.iter().map(|name| self.key(name)).collect();
        self.originals.add(&keys, original, range)
    }

    /// Returns the replacement of a revisit of a replaced document: that document, rewritten for the URL of the revisit.
    fn replaced_revisit(
        &mut self,
        placed: &Placed<'_>,
        record: Option<&WarcRecord<'_>>,
        events: &mut dyn FnMut(Event),
    ) -> io::Result<Option<Replacement>> {
        let Some(record) = record.filter(|record| record.is("WARC-Type", "revisit")) else { return Ok(None) };
        let keys = record.referred_names().iter().map(|name| self.key(name)).collect();
        let Some(original) = self.originals.get(keys, placed.record)? else { return Ok(None) };
        let mut report = Report::default();
        let source = Source { truncated: original.truncated.clone(), ..Source::of(record) };
        let made = caught(|| self.rewritten_revisit(record, source, &original, &mut report));
        self.total.counts += report.counts;
        report.send(&placed.record.name(), events);
        made.unwrap_or_else(|| {
            self.total.failed.push(placed.record.number);
            None
        })
        .transpose()
    }

    /// Returns the replacement of a revisit; `None` if it is left unchanged, which is in the report.
    fn rewritten_revisit(
        &self,
        record: &WarcRecord<'_>,
        source: Source,
        original: &Original,
        report: &mut Report,
    ) -> Option<io::Result<Replacement>> {
        let revisited = ArchivedDocument::revisited(record, &original.content_type, &original.content);
        let Some(payload) = revisited.map(Payload::of) else {
            let why = "it refers to a replaced document, but its content type is not that of a document";
            report.findings.push(Finding::left_unchanged(Code::Revisit, why));
            return None;
        };
        // Even an unchanged document is written here: the record that the revisit refers to was replaced.
        let (mut plan, content) = rewritten_content(&payload, self.options, || None);
        let content = content.unwrap_or_else(|| original.content.clone());
        let made = self.derivation.replacement(Change { source, payload, content });
        let made = made.map_err(|why| plan.veto(why)).ok();
        (_, *report) = plan.finish();
        made
    }

    fn old_offset(&self, placed: &Placed<'_>) -> Option<u64> {
        match self.derivation.compression {
            Compression::None => Some(placed.start),
            _ => self.capture.member_start(placed.start),
        }
    }

    /// Returns a record as it is copied: its own gzip members, or the record compressed anew.
    fn member(&self, placed: &Placed<'_>) -> io::Result<Vec<u8>> {
        match self.capture.members(placed.start..placed.start + placed.raw.len() as u64) {
            Some(members) => self.capture.bytes(members),
            None => {
                let content = placed.content.unwrap_or(placed.raw);
                // The line ends after it may be missing or incomplete.
                let record = match placed.raw[content.len()..].ends_with(b"\n") {
                    true => placed.raw.to_vec(),
                    false => [content, b"\r\n\r\n"].concat(),
                };
                self.derivation.compression.compressed(record)
            }
        }
    }

    fn copy(&mut self, old_offset: Option<u64>, member: &[u8]) -> io::Result<()> {
        let (offset, length) = (self.total.bytes_out, member.len() as u64);
        (self.moved)(Moved { old_offset, offset, length, in_pieces: false, replaced: None });
        self.write(member)
    }

    fn copy_piece(&mut self, placed: &Placed<'_>) -> io::Result<()> {
        if self.long_record.is_none() {
            let copy = self.derivation.compression.encoder(Temporary::new()?)?;
            self.long_record = Some(LongRecord { copy, old_offset: self.old_offset(placed), length: 0 });
        }
        let Some(long_record) = &mut self.long_record else { return Ok(()) };
        long_record.length += placed.raw.len() as u64;
        long_record.copy.write_all(placed.raw)
    }

    fn finish_long_record(&mut self) -> io::Result<()> {
        let Some(LongRecord { mut copy, old_offset, .. }) = self.long_record.take() else { return Ok(()) };
        // The pieces do not include the line ends of the original.
        copy.write_all(b"\r\n\r\n")?;
        let record = copy.finish()?;
        (&record).rewind()?;
        let length = io::copy(&mut &record, self.output)?;
        let offset = self.total.bytes_out;
        (self.moved)(Moved { old_offset, offset, length, in_pieces: true, replaced: None });
        self.total.bytes_out += length;
        Ok(())
    }

    fn finish(&mut self, result: &WalkResult, events: &mut dyn FnMut(Event)) -> io::Result<()> {
        self.write_pending(events)?;
        if result.is_truncated {
            self.omitted += self.long_record.take().map_or(0, |long_record| long_record.length);
        }
        self.finish_long_record()?;
        if self.omitted > 0 && self.total.changed > 0 {
            let message = format!("the derived archive lacks {} bytes that are not a record", self.omitted);
            events(Finding::new(Code::NotItsType, message).into());
        }
        if self.damaged > 0 && self.total.changed > 0 {
            let message = format!("the derived archive lacks {} damaged records", self.damaged);
            events(Finding::new(Code::RecordDamaged, message).into());
        }
        let sha256 = self.capture.digest();
        let (of, block) = (urn(self.derivation.warcinfo), input_fields(self.name, &sha256));
        let name = format!("input {}", self.derivation.warcinfo);
        let metadata = self.derivation.metadata(&result.version, &name, &of, &block);
        let metadata = self.derivation.compression.compressed(metadata)?;
        self.write(&metadata)
    }
}
