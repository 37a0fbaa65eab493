//! Conversion records behind an archive, or in a sidecar.

mod conversions;

use std::io;
use std::mem;
use std::ops::Range;

use absolve_framing::{ArchiveFormat, Compression};

use super::expected::{Begun, Expected, Source};
use super::payload::Payload;
use super::record::{DEFAULT_VERSION, Record};
use super::records::{Ending, Piece, Records};
use super::run::Run;
use super::written::{Written, described};
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
use crate::storage::temporary::Spool;
use crate::verdict::{Difference, Rule, Verdict};
use conversions::{Conversions, Origin};

/// The place of conversion records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Behind,
    /// In a sidecar with this compression.
    Sidecar(Compression),
}

/// Verifies the conversion records of an archive.
pub(super) fn verify_added(
    original: Stored<'_>,
    rewritten: Stored<'_>,
    format: ArchiveFormat,
    place: Place,
    settings: &Settings,
) -> io::Result<Verdict> {
    let mut verdict = Verdict::default();
    verdict.counts.bytes = original.length()?;
    if place == Place::Behind
        && let Some(byte) = rewritten.first_difference_from(original)?
    {
        let message = "the archive does not begin with the original";
        verdict.differences.push(Difference::new(Rule::Bytes, message).at(byte as usize));
        return Ok(verdict);
    }
    let mut records = Records::of(original, format)?;
    let (conversions, disputes, contents) = (Conversions::new(), Vec::new(), Spool::new());
    let mut added = Added { run: None, conversions, disputes, contents, last: None, settings, verdict };
    let written = match place {
        Place::Behind => added.read(rewritten, added.verdict.counts.bytes, records.compression)?,
        Place::Sidecar(compression) => added.read(rewritten, 0, compression)?,
    };
    while let Some(piece) = records.next()? {
        if let Piece::Record(record) = piece {
            added.verify_record(record)?;
        }
    }
    added.verdict.counts.records = records.ending.records;
    let Records { compression, mut ending, .. } = records;
    ending.lacks_line_ends &= (place, compression) == (Place::Behind, Compression::None);
    if (place, compression) == (Place::Behind, Compression::Gzip) && ends_in_zeros(original)? {
        ending.unread = Some("zeros follow its last gzip member".to_owned());
    }
    added.verify_ends(&written, place, &ending, original)?;
    // Of what no record can follow, nothing is converted.
    if place != Place::Behind || ending.unread.is_none() {
        added.finish()?;
    }
    Ok(added.verdict)
}

/// Reports whether a file ends in more zeros than any gzip member.
fn ends_in_zeros(file: Stored<'_>) -> io::Result<bool> {
    const ZEROS: u64 = 10;
    let length = file.length()?;
    Ok(length >= ZEROS && file.bytes(length - ZEROS..length)?.iter().all(|byte| *byte == 0))
}

/// The records behind an archive or in a sidecar.
#[derive(Default)]
struct AddedRecords {
    first: Option<Record>,
    count: u64,
    /// Whether line ends precede them.
    follow_line_ends: bool,
}

/// A record with no correct conversion.
struct Dispute {
    record: Record,
    /// The document without its content, which is held elsewhere.
    payload: Payload,
    content: Range<u64>,
    /// A conversion that refers to it, and what is wrong with that.
    failed: Option<(usize, Verdict)>,
    /// The verdict on the record without a conversion.
    own: Verdict,
}

struct Added<'s> {
    run: Option<Run>,
    conversions: Conversions,
    disputes: Vec<Dispute>,
    /// The contents of documents in disputes.
    contents: Spool,
    /// The last conversion whose record was found.
    last: Option<usize>,
    settings: &'s Settings,
    verdict: Verdict,
}

impl Added<'_> {
    fn report(&mut self, rule: Rule, message: impl Into<String>) {
        self.verdict.differences.push(Difference::new(rule, message));
    }

    /// Reads the added records, which begin at a byte of a file.
    fn read(&mut self, file: Stored<'_>, start: u64, compression: Compression) -> io::Result<AddedRecords> {
        const LINE_ENDS: &[u8] = b"\r\n\r\n";
        let mut added = AddedRecords::default();
        let length = LINE_ENDS.len() as u64;
        added.follow_line_ends = start > 0 && file.bytes(start..start + length)? == LINE_ENDS;
        let start = if added.follow_line_ends { start + length } else { start };
        let mut written = Written::behind(start, file, compression)?;
        while let Some(record) = written.next()? {
            written.check_member(&record)?;
            added.count += 1;
            self.run = self.run.take().or_else(|| Run::of(&record).filter(|_| added.count == 1));
            match &*record.kind() {
                "warcinfo" if added.count == 1 && self.run.is_some() => added.first = Some(record),
                "conversion" => self.conversions.add(&record, Origin::Added)?,
                _ => self.report(Rule::Record, format!("{} was added, and is not a conversion", described(&record))),
            }
        }
        if added.count > 0 && self.run.is_none() {
            self.report(Rule::Record, "the first added record is not the warcinfo record of a run");
        }
        self.verdict.differences.extend(written.found());
        Ok(added)
    }

    /// Verifies a record of the original against its conversion; without one, verifies that it needs none.
    fn verify_record(&mut self, record: Record) -> io::Result<()> {
        let found = self.conversions.of(&record);
        if record.kind() == "conversion" {
            self.conversions.add(&record, Origin::Original)?;
        }
        let mut payload = match Payload::of(&record, self.settings) {
            Ok(payload) => payload,
            Err(why) => {
                for index in found {
                    self.conversions.get(index).refused = Some((record.number, why));
                }
                return Ok(());
            }
        };
        let mut failed = None;
        for index in found {
            let verdict = match self.compare(index, &payload)? {
                Some(verdict) if is_right(&verdict) => {
                    self.verdict.add(verdict, &record.name());
                    if self.conversions.get(index).is_unused {
                        if self.last.is_some_and(|last| last > index) {
                            let message = "its conversion is not in the order of the originals";
                            self.verdict.add(Verdict::of([Difference::new(Rule::Record, message)]), &record.name());
                        }
                        self.last = self.last.max(Some(index));
                    }
                    return self.accept(index, &record, &payload);
                }
                verdict => verdict,
            };
            if self.conversions.get(index).is_unused && failed.is_none() {
                failed = verdict.map(|verdict| (index, verdict));
            }
        }
        let own = payload.verify(&payload.content, self.settings);
        if own.holds() && failed.is_none() {
            self.verdict.add(own, &record.name());
            return Ok(());
        }
        let content = self.contents.append(&mem::take(&mut payload.content))?;
        self.disputes.push(Dispute { record: record.without_block(), payload, content, failed, own });
        Ok(())
    }

    /// Returns the verdict on a document with this conversion; `None` if the conversion changes nothing.
    fn compare(&mut self, index: usize, payload: &Payload) -> io::Result<Option<Verdict>> {
        let conversion = self.conversions.record(index)?;
        let content = conversion.block();
        Ok((content != payload.content).then(|| payload.verify(content, self.settings)))
    }

    /// Records that a conversion belongs to a record, and verifies its header.
    fn accept(&mut self, index: usize, record: &Record, payload: &Payload) -> io::Result<()> {
        let is_unused = self.conversions.get(index).is_unused;
        self.conversions.use_up(index);
        let Some(run) = self.run.as_ref().filter(|_| is_unused) else { return Ok(()) };
        let conversion = self.conversions.record(index)?;
        let source = Source { record, payload, truncated: &record.field("WARC-Truncated") };
        let found = Expected::conversion(run, source, conversion.block()).check(&conversion);
        self.verdict.add(Verdict::of(found), &record.name());
        Ok(())
    }

    /// Adds what is left over when all records of the original were read.
    fn finish(&mut self) -> io::Result<()> {
        for mut dispute in mem::take(&mut self.disputes) {
            let verdict = self.settled(&mut dispute)?;
            self.verdict.add(verdict, &dispute.record.name());
        }
        for index in self.conversions.unused() {
            let (conversion, refused) = (self.conversions.record(index)?, self.conversions.get(index).refused);
            let described = described(&conversion);
            let (record, message) = match refused {
                Some((number, why)) => (
                    number.to_string(),
                    format!("{described} refers to a record that may have no conversion, because it {why}"),
                ),
                None => {
                    let id = conversion.field("WARC-Refers-To").unwrap_or_default();
                    (String::new(), format!("{described} refers to no record whose links change: {id:?}"))
                }
            };
            self.verdict.add(Verdict::of([Difference::new(Rule::Record, message)]), &record);
        }
        Ok(())
    }

    /// Returns the verdict on a record without a correct conversion among the added ones: the original archive may contain one.
    fn settled(&mut self, dispute: &mut Dispute) -> io::Result<Verdict> {
        let Dispute { record, payload, content, failed, own } = dispute;
        payload.content = self.contents.read(content.clone())?;
        for index in self.conversions.of(record) {
            if let Some(verdict) = self.compare(index, payload)?.filter(is_right) {
                return Ok(verdict);
            }
        }
        match failed.take() {
            Some((index, failed)) if self.conversions.get(index).is_unused => {
                self.accept(index, record, payload)?;
                Ok(failed)
            }
            _ => Ok(mem::take(own)),
        }
    }

    /// Verifies the first added record, and whether records may be added at this end.
    fn verify_ends(
        &mut self,
        added: &AddedRecords,
        place: Place,
        ending: &Ending,
        original: Stored<'_>,
    ) -> io::Result<()> {
        let version = ending.version.as_deref().unwrap_or(DEFAULT_VERSION);
        if let (Some(first), Some(run)) = (&added.first, &self.run) {
            let begun = Begun::Conversions { sha256: &sha256_of(original)? };
            let found = Expected::warcinfo(run, &begun, version, self.settings).check(first);
            self.verdict.differences.extend(found);
            if added.count == 1 {
                self.report(Rule::Record, "a warcinfo record was added without conversions");
            }
        }
        if added.count > 0 && added.follow_line_ends != ending.lacks_line_ends {
            self.report(
                Rule::Record,
                "the line ends in front of the added records are not those that the original lacks",
            );
        }
        if let Some(why) = &ending.unread {
            self.report(Rule::Unread, why);
            if place == Place::Behind && added.count > 0 {
                self.report(Rule::Record, "records were added behind an end where no reader finds them");
            }
        }
        Ok(())
    }
}

/// Reports whether links were proven and nothing is wrong, apart from links that stayed relative.
fn is_right(verdict: &Verdict) -> bool {
    let is_left = verdict.differences.iter().all(|one| one.rule == Rule::Relative);
    verdict.holds() || (is_left && verdict.counts.proven > 0)
}
