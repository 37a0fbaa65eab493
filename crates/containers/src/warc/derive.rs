//! A derived archive: resources with absolute links in the place of the responses whose links change.

use std::collections::HashSet;
use std::io::{self, Read, Seek, Write};

use absolve_rewriter::{Code, Counts, Event, Finding, Report};
use uuid::Uuid;

use crate::batches::Batches;
use crate::caught::caught;
use crate::compression::{Compression, Encoder};
use crate::framing::Content;
use crate::stream::{Copied, StreamError, StreamReport};
use crate::temporary::Temporary;
use crate::warc::capture::{RawCapture, Use};
use crate::warc::header::{Record, Source};
use crate::warc::options::ArchiveOptions;
use crate::warc::originals::{Original, Originals};
use crate::warc::payload::Payload;
use crate::warc::records::{Archive, Change, End, Placed, Walked, rewritten, walk};
use crate::warc::replacement::{Replacement, Replacing, input_told, names, type_of_revisit};
use crate::warc::write::{Info, Run, digest, plain, urn};

/// Where a record of an archive stands in the derived one.
pub(crate) struct Moved {
    /// Where it stood in the file, if that is known.
    pub(crate) from: Option<u64>,
    /// Where it, or what replaces it, stands in the new file.
    pub(crate) offset: u64,
    pub(crate) length: u64,
    /// The digest and the media type, if it was replaced.
    pub(crate) replaced: Option<(String, String)>,
}

/// Writes an archive in which resources replace the responses whose links change; `moved` hears where records go.
pub(crate) fn derive(
    archive: Archive<'_, impl Read>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(Event),
    moved: &mut dyn FnMut(Moved),
) -> Result<StreamReport, StreamError> {
    let Archive { start, mut input, compression, written, format, name } = archive;
    let run = Run::new(options);
    let warcinfo = run.id_of(&format!("{} {}", plain(name), digest(&start)));
    let replacing = Replacing { run: &run, warcinfo, compression: written };
    let keeps_members = (compression, written) == (Compression::Gzip, Compression::Gzip);
    let tape = RawCapture::new(if keeps_members { Use::Hold } else { Use::Look });
    let copied = Copied { input: &mut input, copy: tape.clone() };
    let (ends, rest) = (tape.clone(), tape.clone());
    let held = compression.decompressed(copied, format, move |held, file| ends.member_ends(held, file));
    let batches = Batches::new(held.map_err(StreamError::reading)?, format);
    let make = |change: Change<'_>| replacing.replacement(change);
    let mut derived = Derived {
        output,
        written: 0,
        tape,
        replacing,
        options,
        name,
        originals: Originals::new().map_err(StreamError::Write)?,
        not_found: HashSet::new(),
        posts: HashSet::new(),
        pending: None,
        long: None,
        counts: Counts::default(),
        failed: Vec::new(),
        replaced: 0,
        left_out: 0,
        damaged: 0,
        moved,
    };
    let walked = walk(batches, format, options, &make, tell, &mut |placed, made, tell| {
        derived.take(&placed, made.transpose()?, tell)
    })?;
    if walked.end == End::Unreadable {
        let message = "what cannot be read is not in the derived archive";
        tell(Finding::new(Code::RecordCutOff, message).into());
        rest.only_look();
        io::copy(&mut Copied { input: &mut input, copy: rest }, &mut io::sink()).map_err(StreamError::reading)?;
    }
    derived.finish(&walked, tell).map_err(StreamError::Write)?;
    let mut total = walked.total;
    total.counts += derived.counts;
    total.failed.append(&mut derived.failed);
    (total.changed, total.bytes_out) = (derived.replaced, derived.written);
    Ok(total)
}

struct Derived<'d, 'o> {
    output: &'d mut dyn Write,
    written: u64,
    tape: RawCapture<'o>,
    replacing: Replacing<'d>,
    options: &'d ArchiveOptions,
    name: &'d str,
    originals: Originals,
    /// The names in revisits that refer to nothing that was replaced before them.
    not_found: HashSet<Uuid>,
    /// The ids of requests other than GET, and of what answers them.
    posts: HashSet<Uuid>,
    /// What is replaced unless the next record is such a request.
    pending: Option<Pending>,
    /// A record that is longer than what is read of it at once.
    long: Option<Long>,
    /// The links of revisits.
    counts: Counts,
    /// Revisits on which the program failed.
    failed: Vec<u64>,
    replaced: u64,
    /// Bytes that are no record.
    left_out: u64,
    /// Places where the file is damaged.
    damaged: u64,
    moved: &'d mut dyn FnMut(Moved),
}

/// A record that is copied in pieces.
struct Long {
    copy: Encoder<Temporary>,
    from: Option<u64>,
    length: u64,
}

/// A record and what is to replace it.
struct Pending {
    /// The record as it would be copied.
    kept: Vec<u8>,
    /// Its name in reports.
    name: String,
    from: Option<u64>,
    replacement: Replacement,
}

impl Derived<'_, '_> {
    fn take(&mut self, placed: &Placed<'_>, made: Option<Replacement>, tell: &mut dyn FnMut(Event)) -> io::Result<()> {
        if self.written == 0 {
            self.write_warcinfo(placed)?;
        }
        self.note_request(placed);
        if placed.record.content != Content::NoRecord {
            self.settle(tell)?;
        }
        if let Content::Damaged(damage) = &placed.record.content {
            self.damaged += 1;
            self.left_out += self.long.take_if(|_| damage.breaks_record).map_or(0, |long| long.length);
        }
        if placed.record.content != Content::MoreOfTooLong {
            self.finish_long()?;
        }
        let made = match made {
            None => self.of_revisit(placed, tell)?,
            made => made,
        };
        match (&placed.record.content, made) {
            (_, Some(replacement)) => {
                let (kept, name, from) = (self.member(placed)?, placed.record.name(), self.from(placed));
                self.pending = Some(Pending { kept, name, from, replacement });
            }
            (Content::Record(_), None) => self.copy(self.from(placed), &self.member(placed)?)?,
            (Content::TooLong | Content::MoreOfTooLong, None) => self.copy_stretch(placed)?,
            _ => self.left_out += placed.raw.trim_ascii().len() as u64,
        }
        self.tape.let_go(placed.start + placed.raw.len() as u64);
        Ok(())
    }

    /// An index knows the answer to a POST by its request, to which a resource has no tie: at its URL alone it would be
    /// taken for the answer to a GET.
    fn note_request(&mut self, placed: &Placed<'_>) {
        let Some(record) = placed.content.map(Record::new).filter(|record| record.is("WARC-Type", "request")) else {
            return;
        };
        if !record.block.starts_with(b"GET ") {
            let source = record.source();
            let ids: Vec<_> = source.id.iter().chain(&source.concurrent_to).map(|id| self.key(id)).collect();
            self.posts.extend(ids);
        }
    }

    /// Replaces the record before this one, unless it answers another request than a GET.
    fn settle(&mut self, tell: &mut dyn FnMut(Event)) -> io::Result<()> {
        let Some(Pending { kept, name, from, replacement }) = self.pending.take() else { return Ok(()) };
        let named = |finding| Event::Finding(Finding { record: name, ..finding });
        if !self.posts.is_empty() && replacement.transaction.iter().any(|id| self.posts.contains(&self.key(id))) {
            tell(named(Finding::new(Code::Transaction, "it answers another request than a GET; left as it is")));
            return self.copy(from, &kept);
        }
        let mut names = replacement.original.iter().flat_map(|original| &original.names);
        if !self.not_found.is_empty() && names.any(|name| self.not_found.contains(&self.key(name))) {
            let message = "a revisit that stands before it refers to it, and finds what it refers to no more";
            tell(named(Finding::new(Code::Revisit, message)));
        }
        self.replace(from, replacement)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    fn write_warcinfo(&mut self, first: &Placed<'_>) -> io::Result<()> {
        let version = first.content.map_or("WARC/1.1", |content| Record::new(content).version());
        let description = "copy of another archive, with resources in the place of responses: their links are absolute";
        let info = Info { id: self.replacing.warcinfo, description, input: self.name, sha256: None };
        let warcinfo = self.replacing.run.warcinfo(version, &info, self.options);
        let warcinfo = self.replacing.compression.compressed(warcinfo)?;
        self.write(&warcinfo)
    }

    fn key(&self, name: &str) -> Uuid {
        self.replacing.run.id_of(name)
    }

    fn replace(&mut self, from: Option<u64>, replacement: Replacement) -> io::Result<()> {
        let Replacement { records, length, digest, media_type, original, .. } = replacement;
        let replaced = Some((digest, media_type));
        (self.moved)(Moved { from, offset: self.written, length: length as u64, replaced });
        self.write(&records)?;
        self.replaced += 1;
        match original {
            Some(original) => {
                let keys: Vec<_> = original.names.iter().map(|name| self.key(name)).collect();
                self.originals.add(&keys, original)
            }
            None => Ok(()),
        }
    }

    /// What replaces a revisit of a document that was replaced: its rewrite at the URL of the revisit.
    fn of_revisit(&mut self, placed: &Placed<'_>, tell: &mut dyn FnMut(Event)) -> io::Result<Option<Replacement>> {
        let Some(record) = placed.content.map(Record::new).filter(|record| record.is("WARC-Type", "revisit")) else {
            return Ok(None);
        };
        let source = record.source();
        let place = record.field("WARC-Refers-To-Target-URI");
        let date = record.field("WARC-Refers-To-Date");
        let mut names_in_it = names(&source.refers_to, place.as_ref().map(|url| (url, &date)), &None);
        if names_in_it.is_empty() {
            names_in_it.extend(source.payload_digest.clone());
        }
        let keys: Vec<_> = names_in_it.iter().map(|name| self.key(name)).collect();
        let Some(original) = self.originals.get(&keys)? else {
            self.not_found.extend(keys);
            return Ok(None);
        };
        let mut report = Report::default();
        let source = Source { truncated: original.truncated.clone(), ..source };
        let made = caught(|| self.again(&record, source, &original, &mut report));
        self.counts += report.counts;
        report.send(&placed.record.name(), tell);
        match made {
            Some(Ok(made)) => made.map(Some),
            Some(Err(why)) => {
                tell(Finding { record: placed.record.name(), ..why }.into());
                Ok(None)
            }
            None => {
                self.failed.push(placed.record.number);
                Ok(None)
            }
        }
    }

    fn again(
        &self,
        record: &Record<'_>,
        source: Source,
        original: &Original,
        report: &mut Report,
    ) -> Result<io::Result<Replacement>, Finding> {
        let content_type = type_of_revisit(record.block).unwrap_or_else(|| original.content_type.clone());
        let page = record.target().and_then(|url| Payload::again(url, content_type, record.block, &original.content));
        let message = "it refers to a document that is replaced, and calls it none; left as it is";
        let page = page.ok_or_else(|| Finding::new(Code::Revisit, message))?;
        // Even as it is the document has to stand here: where the revisit leads, it is no more.
        let content = rewritten(&page, self.options, report, || None).unwrap_or_else(|| original.content.clone());
        self.replacing.replacement(Change { source, page, content })
    }

    fn from(&self, placed: &Placed<'_>) -> Option<u64> {
        match self.replacing.compression {
            Compression::None => Some(placed.start),
            _ => self.tape.member_at(placed.start),
        }
    }

    /// A record as it is copied: its members of gzip, if they are its own.
    fn member(&self, placed: &Placed<'_>) -> io::Result<Vec<u8>> {
        match self.tape.members(placed.start..placed.start + placed.raw.len() as u64) {
            Some(members) => self.tape.bytes(members),
            None => {
                let content = placed.content.unwrap_or(placed.raw);
                // The line ends behind it may be missing, or a part of them.
                let record = match placed.raw[content.len()..].ends_with(b"\n") {
                    true => placed.raw.to_vec(),
                    false => [content, b"\r\n\r\n"].concat(),
                };
                self.replacing.compression.compressed(record)
            }
        }
    }

    fn copy(&mut self, from: Option<u64>, member: &[u8]) -> io::Result<()> {
        (self.moved)(Moved { from, offset: self.written, length: member.len() as u64, replaced: None });
        self.write(member)
    }

    fn copy_stretch(&mut self, placed: &Placed<'_>) -> io::Result<()> {
        if self.long.is_none() {
            let copy = self.replacing.compression.encoder(Temporary::new()?)?;
            self.long = Some(Long { copy, from: self.from(placed), length: 0 });
        }
        let Some(long) = &mut self.long else { return Ok(()) };
        long.length += placed.raw.len() as u64;
        long.copy.write_all(placed.raw)
    }

    fn finish_long(&mut self) -> io::Result<()> {
        let Some(Long { mut copy, from, .. }) = self.long.take() else { return Ok(()) };
        // Those of the original do not count as a part of it.
        copy.write_all(b"\r\n\r\n")?;
        let record = copy.finish()?;
        (&record).rewind()?;
        let length = io::copy(&mut &record, self.output)?;
        (self.moved)(Moved { from, offset: self.written, length, replaced: None });
        self.written += length;
        Ok(())
    }

    fn finish(&mut self, walked: &Walked, tell: &mut dyn FnMut(Event)) -> io::Result<()> {
        self.settle(tell)?;
        if walked.lacks_bytes {
            self.left_out += self.long.take().map_or(0, |long| long.length);
        }
        self.finish_long()?;
        if self.left_out > 0 && self.replaced > 0 {
            let message = format!("{} bytes that are no record are not in the derived archive", self.left_out);
            tell(Finding::new(Code::NotItsType, message).into());
        }
        if self.damaged > 0 && self.replaced > 0 {
            let message = format!("{} damaged records are not in the derived archive", self.damaged);
            tell(Finding::new(Code::RecordDamaged, message).into());
        }
        let sha256 = self.tape.digest();
        let (of, block) = (urn(self.replacing.warcinfo), input_told(self.name, &sha256));
        let name = format!("input {}", self.replacing.warcinfo);
        let metadata = self.replacing.metadata(&walked.version, &name, &of, &block);
        let metadata = self.replacing.compression.compressed(metadata)?;
        self.write(&metadata)
    }
}
