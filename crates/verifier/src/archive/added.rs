//! Conversion records behind an archive, or in a sidecar.

mod conversions;

use std::io;
use std::mem;

use absolve_framing::{ArchiveFormat, ArchivedDocument, Compression, DEFAULT_VERSION};

use super::document::{document_in, verify_archived};
use super::expected::{Run, Source};
use super::record::Record;
use super::records::{Ending, Piece, Records};
use super::shelf::Shelf;
use super::written::{Written, described};
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
use crate::verdict::{Difference, Rule, Verdict};
use conversions::{Conversions, State};

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
    let (conversions, disputes, disputed) = (Conversions::default(), Vec::new(), Shelf::default());
    let (first, count, follow_line_ends) = (None, 0, false);
    let mut added = Added { first, count, follow_line_ends, conversions, disputes, disputed, settings, verdict };
    match place {
        Place::Behind => added.read(rewritten, original.length()?, records.compression)?,
        Place::Sidecar(compression) => added.read(rewritten, 0, compression)?,
    }
    while let Some(piece) = records.next()? {
        if let Piece::Record(record) = piece {
            added.verify_record(&record)?;
        }
    }
    added.verdict.counts.records = records.ending.records;
    let Records { compression, mut ending, .. } = records;
    ending.lacks_line_ends &= (place, compression) == (Place::Behind, Compression::None);
    if (place, compression) == (Place::Behind, Compression::Gzip) && ends_in_zeros(original)? {
        ending.unread = Some("zeros follow its last gzip member".to_owned());
    }
    added.verify_ends(place, &ending, original)?;
    // Of what no record can follow, nothing is converted.
    if place != Place::Behind || ending.unread.is_none() {
        added.settle_disputes()?;
        added.verify_uses()?;
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
struct Added<'s> {
    /// The warcinfo record of the run.
    first: Option<(Record, Run)>,
    count: u64,
    /// Whether line ends precede them.
    follow_line_ends: bool,
    conversions: Conversions,
    /// The verdicts on records without correct conversions: the original archive may contain some.
    disputes: Vec<Verdict>,
    /// These records.
    disputed: Shelf,
    settings: &'s Settings,
    verdict: Verdict,
}

impl Added<'_> {
    fn report(&mut self, rule: Rule, message: impl Into<String>, record: &str) {
        self.verdict.add(Verdict::of([Difference::new(rule, message)]), record);
    }

    /// Reads the added records, which begin at a byte of a file.
    fn read(&mut self, file: Stored<'_>, start: u64, compression: Compression) -> io::Result<()> {
        const LINE_ENDS: &[u8] = b"\r\n\r\n";
        let length = LINE_ENDS.len() as u64;
        self.follow_line_ends = start > 0 && file.bytes(start..start + length)? == LINE_ENDS;
        let start = if self.follow_line_ends { start + length } else { start };
        let mut written = Written::behind(start, file, compression)?;
        while let Some(record) = written.next()? {
            written.check_member(&record)?;
            self.count += 1;
            match (Run::of(&record), &*record.kind()) {
                (Some(run), _) if self.count == 1 => self.first = Some((record, run)),
                (_, "conversion") => self.conversions.add(&record, State::Unused)?,
                _ => {
                    let message = format!("{} was added, and is not a conversion", described(&record));
                    self.report(Rule::Record, message, "");
                }
            }
        }
        if self.count > 0 && self.first.is_none() {
            self.report(Rule::Record, "the first added record is not the warcinfo record of a run", "");
        }
        self.verdict.differences.append(&mut written.found);
        Ok(())
    }

    /// Verifies a record of the original against its conversion; without one, verifies that it needs none.
    fn verify_record(&mut self, record: &Record) -> io::Result<()> {
        let found = self.conversions.of(record);
        if record.kind() == "conversion" {
            self.conversions.add(record, State::Original)?;
        }
        let document = match document_in(record, self.settings) {
            Ok(document) => document,
            Err(why) => {
                found.into_iter().for_each(|index| self.conversions.refuse(index, record.number, why));
                return Ok(());
            }
        };
        match self.conversion_of(record, &document)? {
            Some((index, verdict)) if is_right(&verdict) => return self.accept(index, record, &document, verdict),
            _ => {}
        }
        let own = verify_archived(&document, &document.content, self.settings);
        if own.holds() && found.is_empty() {
            self.verdict.add(own, &record.name());
        } else {
            self.disputed.add(record)?;
            self.disputes.push(own);
        }
        Ok(())
    }

    /// Returns the conversion of a record, with the verdict on it: one that is right, or the first one that is of no other record.
    fn conversion_of(
        &mut self,
        record: &Record,
        document: &ArchivedDocument<'_>,
    ) -> io::Result<Option<(usize, Verdict)>> {
        let mut failed = None;
        for index in self.conversions.of(record) {
            let conversion = self.conversions.record(index)?;
            // One that changes nothing is none.
            if conversion.block() == &*document.content {
                continue;
            }
            let verdict = verify_archived(document, conversion.block(), self.settings);
            if is_right(&verdict) {
                return Ok(Some((index, verdict)));
            }
            if self.conversions.is_unused(index) {
                failed.get_or_insert((index, verdict));
            }
        }
        Ok(failed)
    }

    /// Records that a conversion belongs to a record, and verifies its header.
    fn accept(
        &mut self,
        index: usize,
        record: &Record,
        document: &ArchivedDocument<'_>,
        verdict: Verdict,
    ) -> io::Result<()> {
        self.verdict.add(verdict, &record.name());
        if !self.conversions.is_unused(index) {
            return Ok(());
        }
        self.conversions.use_up(index, record);
        let Some((_, run)) = &self.first else { return Ok(()) };
        let conversion = self.conversions.record(index)?;
        let source = Source { record, document, truncated: &record.field("WARC-Truncated") };
        let found = run.conversion(source, conversion.block()).differences(&conversion);
        self.verdict.add(Verdict::of(found), &record.name());
        Ok(())
    }

    /// Verifies the records that have no correct conversion, now that those of the original archive are known as well.
    fn settle_disputes(&mut self) -> io::Result<()> {
        for (index, own) in mem::take(&mut self.disputes).into_iter().enumerate() {
            let record = self.disputed.get(index)?;
            let Ok(document) = document_in(&record, self.settings) else { continue };
            match self.conversion_of(&record, &document)? {
                Some((index, verdict)) => self.accept(index, &record, &document, verdict)?,
                None => self.verdict.add(own, &record.name()),
            }
        }
        Ok(())
    }

    /// Verifies that each added conversion is that of a record, in the order of these.
    fn verify_uses(&mut self) -> io::Result<()> {
        let mut last = 0;
        for (index, state) in self.conversions.states.clone().into_iter().enumerate() {
            let (record, message) = match state {
                State::Original => continue,
                State::Used(number) if number >= last => {
                    last = number;
                    continue;
                }
                State::Used(number) => (number, "its conversion is not in the order of the originals".to_owned()),
                State::Unused => {
                    let conversion = self.conversions.record(index)?;
                    let id = conversion.field("WARC-Refers-To").unwrap_or_default();
                    (0, format!("{} refers to no record whose links change: {id:?}", described(&conversion)))
                }
                State::Refused(number, why) => {
                    let described = described(&self.conversions.record(index)?);
                    let message = "refers to a record that may have no conversion, because it";
                    (number, format!("{described} {message} {why}"))
                }
            };
            let record = if record == 0 { String::new() } else { record.to_string() };
            self.report(Rule::Record, message, &record);
        }
        Ok(())
    }

    /// Verifies the first added record, and whether records may be added at this end.
    fn verify_ends(&mut self, place: Place, ending: &Ending, original: Stored<'_>) -> io::Result<()> {
        if let Some((first, run)) = &self.first {
            let (version, sha256) = (ending.version.as_deref().unwrap_or(DEFAULT_VERSION), sha256_of(original)?);
            let expected = run.warcinfo(&sha256, Some(&sha256), version, self.settings);
            self.verdict.differences.extend(expected.differences(first));
            if self.count == 1 {
                self.report(Rule::Record, "a warcinfo record was added without conversions", "");
            }
        }
        if self.count > 0 && self.follow_line_ends != ending.lacks_line_ends {
            let message = "the line ends in front of the added records are not those that the original lacks";
            self.report(Rule::Record, message, "");
        }
        if let Some(why) = &ending.unread {
            self.report(Rule::Unread, why, "");
            if place == Place::Behind && self.count > 0 {
                self.report(Rule::Record, "records were added behind an end where no reader finds them", "");
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
