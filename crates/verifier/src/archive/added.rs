//! Conversion records behind an archive, or in a sidecar.

mod conversions;

use std::io;

use super::format::{Format, compression_of};
use super::framing::Framing;
use super::payload::Payload;
use super::reader::{Piece, Records};
use super::record::Record;
use super::record_ids::Run;
use super::written_records::{
    check_document_record, check_field, check_input_digest, check_record, check_version, described, is_warcinfo,
};
use crate::compression::decompressed::Decompressed;
use crate::compression::{Compression, dictionary};
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
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
    format: Format,
    place: Place,
    settings: &Settings,
) -> io::Result<Verdict> {
    let mut verdict = Verdict::default();
    verdict.counts.bytes = original.length()?;
    let start = match place {
        Place::Sidecar(_) => 0,
        Place::Behind => verdict.counts.bytes,
    };
    if let Some(byte) = if place == Place::Behind { rewritten.first_difference_from(original)? } else { None } {
        let message = "the archive does not begin with the original";
        verdict.differences.push(Difference::new(Rule::Bytes, message).at(byte as usize));
        return Ok(verdict);
    }
    let mut conversions = Conversions::new();
    let ending = Ending::of(original, format, &mut conversions)?;
    let compression = match place {
        Place::Sidecar(compression) => compression,
        Place::Behind => compression_of(original)?,
    };
    let run = Run::default();
    let mut added = Added { run, conversions, disputes: Vec::new(), last: None, settings, verdict };
    let count = added.read(original, rewritten, start, compression, &ending)?;
    match (&ending.unread, place) {
        (Some(why), Place::Behind) => {
            added.verdict.differences.push(Difference::new(Rule::Unread, why));
            added.verdict.counts.records = ending.records;
            if count > 0 {
                let message = "records were added behind an end where no reader finds them";
                added.verdict.differences.push(Difference::new(Rule::Record, message));
            }
            return Ok(added.verdict);
        }
        (Some(why), Place::Sidecar(_)) if ending.is_broken => {
            added.verdict.differences.push(Difference::new(Rule::Unread, why));
        }
        _ => {}
    }
    let mut records = Records::of_file(original, format)?;
    while let Some(record) = records.next_record()? {
        added.verify_record(&record)?;
    }
    added.verdict.counts.records = records.number;
    added.finish();
    Ok(added.verdict)
}

/// The end of an archive.
struct Ending {
    records: u64,
    /// Why no record can follow it.
    unread: Option<String>,
    /// Whether the archive cannot be read to its end.
    is_broken: bool,
    /// Whether the line ends behind its last record are missing.
    lacks_line_ends: bool,
}

impl Ending {
    /// Reads an archive to its end, and adds the conversions in it to `conversions`.
    fn of(original: Stored<'_>, format: Format, conversions: &mut Conversions) -> io::Result<Self> {
        let mut records = Records::of_file(original, format)?;
        let (mut ends_in_stray, mut lacks_line_ends) = (false, false);
        while let Some(piece) = records.next()? {
            match piece {
                Piece::Record(record) => {
                    ends_in_stray = false;
                    let ends = &record.line_ends;
                    lacks_line_ends = !(ends.ends_with(b"\n\n") || ends.ends_with(b"\n\r\n"));
                    if record.kind() == "conversion" {
                        conversions.add(record, Origin::Original)?;
                    }
                }
                Piece::Stray(bytes, _) => ends_in_stray |= !bytes.trim_ascii().is_empty(),
                Piece::Broken => ends_in_stray = false,
            }
        }
        let broken = records.broken.as_ref().map(|why| format!("it cannot be read to its end: {why}"));
        let is_broken = broken.is_some();
        let unread = match broken {
            Some(why) => Some(why),
            None if ends_in_stray => Some("the bytes at its end are not a record".to_owned()),
            None if ends_in_zeros(original)? => Some("zeros follow its last gzip member".to_owned()),
            None => None,
        };
        Ok(Self { records: records.number, unread, is_broken, lacks_line_ends })
    }
}

/// Reports whether the gzip members are followed by more zeros than any of them ends with.
fn ends_in_zeros(file: Stored<'_>) -> io::Result<bool> {
    const ZEROS: u64 = 10;
    let length = file.length()?;
    if compression_of(file)? != Compression::Gzip || length < ZEROS {
        return Ok(false);
    }
    Ok(file.bytes(length - ZEROS..length)?.iter().all(|byte| *byte == 0))
}

struct Added<'s> {
    run: Run,
    conversions: Conversions,
    /// Records with no correct conversion: the number of the record, a conversion that refers to it, what is wrong with
    /// that, and the verdict on the record without it.
    disputes: Vec<(u64, usize, Verdict, Verdict)>,
    /// The last conversion whose record was found.
    last: Option<usize>,
    settings: &'s Settings,
    verdict: Verdict,
}

impl Added<'_> {
    fn report(&mut self, rule: Rule, message: impl Into<String>) {
        self.verdict.differences.push(Difference::new(rule, message));
    }

    /// Reads the added records, and checks each by itself; returns their number.
    fn read(
        &mut self,
        original: Stored<'_>,
        rewritten: Stored<'_>,
        start: u64,
        compression: Compression,
        ending: &Ending,
    ) -> io::Result<u64> {
        let dictionary = dictionary(original)?;
        let first = rewritten.bytes(start..start + 6)?;
        if first.is_empty() {
            return Ok(0);
        }
        if Compression::of(&first) != compression {
            self.report(Rule::Record, "the added records are not compressed like the archive");
        }
        let mut framing = Framing::new(rewritten, start, Compression::of(&first));
        let unpacked = Decompressed::new(rewritten.reader_at(start), Compression::of(&first), &dictionary)?;
        let mut records = Records::written(unpacked, Format::Warc);
        let mut date = None;
        while let Some(piece) = records.next()? {
            let record = match piece {
                Piece::Record(record) => record,
                Piece::Stray(bytes, 4) if bytes == b"\r\n\r\n" && records.number == 0 && ending.lacks_line_ends => {
                    continue;
                }
                // Added records are not read behind damage.
                Piece::Broken => continue,
                Piece::Stray(bytes, length) => {
                    let shown = String::from_utf8_lossy(&bytes).into_owned();
                    self.report(Rule::Record, format!("{length} added bytes are not a record: {shown:?}"));
                    continue;
                }
            };
            self.verdict.differences.extend(framing.check_next(&record));
            self.verdict.differences.extend(framing.check_written(&record)?);
            match &date {
                None => {
                    date = Some(record.field("WARC-Date"));
                    self.begin(record, original)?;
                }
                Some(date) => self.take(record, date)?,
            }
        }
        let found = match &records.broken {
            Some(why) => Some(Difference::new(Rule::Unread, format!("the added records: {why}"))),
            None => framing.check_end()?,
        };
        self.verdict.differences.extend(found);
        if records.number == 1
            && date.is_some()
            && !self.conversions.all().iter().any(|one| one.origin == Origin::Added)
        {
            self.report(Rule::Record, "a warcinfo record was added without conversions");
        }
        Ok(records.number)
    }

    /// Reads the first added record, which describes the run.
    fn begin(&mut self, record: Record, original: Stored<'_>) -> io::Result<()> {
        if is_warcinfo(&record) {
            self.run = Run::of(&record);
            let sha256 = sha256_of(original)?;
            let id = self.run.check_conversions_warcinfo(&record, &sha256);
            let found = check_input_digest(&record, &sha256).into_iter().chain(check_record(&record)).chain(id);
            self.verdict.differences.extend(found);
        } else {
            self.report(Rule::Record, "the first added record is not the warcinfo record of a run");
        }
        if record.kind() == "conversion" {
            self.conversions.add(record, Origin::Added)?;
        }
        Ok(())
    }

    /// Reads another added record: a conversion of the date of the first record.
    fn take(&mut self, record: Record, date: &str) -> io::Result<()> {
        if record.kind() != "conversion" {
            self.report(Rule::Record, format!("{} was added, and is not a conversion", described(&record)));
            return Ok(());
        }
        self.verdict.differences.extend(check_document_record(&record, &["WARC-Refers-To"]));
        self.verdict.differences.extend(check_field(&record, "WARC-Date", date));
        self.conversions.add(record, Origin::Added)
    }

    /// Verifies a record of the original against its conversion; without one, verifies that it needs none.
    fn verify_record(&mut self, record: &Record) -> io::Result<()> {
        let found = self.conversions.of(record.key());
        let payload = match Payload::of(record, self.settings) {
            Ok(payload) => payload,
            Err(why) => {
                for index in found {
                    self.conversions.get_mut(index).refused = Some((record.number, why));
                }
                return Ok(());
            }
        };
        let mut failed = None;
        for index in found {
            let content = self.conversions.content(index)?;
            let is_candidate = self.is_candidate(index);
            if content == payload.content {
                continue;
            }
            let verdict = payload.verify(&content, self.settings);
            if is_right(&verdict) {
                self.verdict.add(verdict, &record.name());
                self.accept(index, record, &payload, &content);
                return Ok(());
            }
            if is_candidate && failed.is_none() {
                failed = Some((index, verdict));
            }
        }
        let own = payload.verify(&payload.content, self.settings);
        match failed {
            Some((index, failed)) => self.disputes.push((record.number, index, failed, own)),
            None => self.verdict.add(own, &record.name()),
        }
        Ok(())
    }

    /// Reports whether a conversion was added whose record was not found yet.
    fn is_candidate(&self, index: usize) -> bool {
        let conversion = self.conversions.get(index);
        conversion.origin == Origin::Added && !conversion.is_used
    }

    /// Records that a conversion belongs to a record, and verifies its header.
    fn accept(&mut self, index: usize, record: &Record, payload: &Payload, content: &[u8]) {
        let is_candidate = self.is_candidate(index);
        self.conversions.use_up(index);
        if !is_candidate {
            return;
        }
        let conversion = &self.conversions.get(index).record;
        let mut found: Vec<Difference> = [
            ("WARC-Target-URI", record.target()),
            ("Content-Type", payload.content_type.clone()),
            ("WARC-Truncated", record.field("WARC-Truncated")),
        ]
        .into_iter()
        .filter_map(|(name, expected)| check_field(conversion, name, &expected))
        .chain(check_version(conversion, record))
        .chain(self.run.check_conversion(conversion, record, content))
        .collect();
        if self.last.is_some_and(|last| last > index) {
            let message = format!("{} is not in the order of the originals", described(conversion));
            found.push(Difference::new(Rule::Record, message));
        }
        self.last = self.last.max(Some(index));
        self.verdict.add(Verdict::of(found), &record.name());
    }

    /// Adds what is left over when all records of the original were read.
    fn finish(&mut self) {
        for (number, index, failed, own) in std::mem::take(&mut self.disputes) {
            let is_its = self.is_candidate(index);
            self.conversions.use_up(index);
            self.verdict.add(if is_its { failed } else { own }, &number.to_string());
        }
        let mut found = Vec::new();
        for conversion in self.conversions.all().iter().filter(|one| one.origin == Origin::Added && !one.is_used) {
            let described = described(&conversion.record);
            found.push(match conversion.refused {
                Some((number, why)) => {
                    let message =
                        format!("{described} refers to a record that may have no conversion, because it {why}");
                    Difference { record: number.to_string(), ..Difference::new(Rule::Record, message) }
                }
                None => Difference::new(
                    Rule::Record,
                    format!(
                        "{described} refers to no record whose links change: {:?}",
                        conversion.record.field("WARC-Refers-To")
                    ),
                ),
            });
        }
        self.verdict.differences.append(&mut found);
    }
}

/// Reports whether links were proven and nothing is wrong, apart from links that stayed relative.
fn is_right(verdict: &Verdict) -> bool {
    let is_left = verdict.differences.iter().all(|one| one.rule == Rule::Relative);
    verdict.holds() || (is_left && verdict.counts.proven > 0)
}
