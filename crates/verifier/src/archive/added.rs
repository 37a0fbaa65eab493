//! Conversions behind an archive, or in one of their own.

mod conversions;

use std::io;

use super::format::{Format, compression_of};
use super::framing::Framing;
use super::payload::Payload;
use super::reader::{Piece, Records};
use super::record::Record;
use super::record_ids::Run;
use super::written_records::{field_is, is_warcinfo, named, of_document, of_record, told_digest, version_is};
use crate::compression::decompressed::Decompressed;
use crate::compression::{Compression, dictionary};
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
use crate::verdict::{Difference, Rule, Verdict};
use conversions::{Conversions, Origin};

/// Where conversions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Behind,
    /// In an archive that is compressed so.
    Beside(Compression),
}

/// Verifies conversions of the records of an archive.
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
        Place::Beside(_) => 0,
        Place::Behind => verdict.counts.bytes,
    };
    if let Some(byte) = if place == Place::Behind { rewritten.departs_from(original)? } else { None } {
        let message = "the archive does not begin with the original";
        verdict.differences.push(Difference::new(Rule::Bytes, message).at(byte as usize));
        return Ok(verdict);
    }
    let mut conversions = Conversions::new();
    let ending = Ending::of(original, format, &mut conversions)?;
    let packing = match place {
        Place::Beside(packing) => packing,
        Place::Behind => compression_of(original)?,
    };
    let run = Run::default();
    let mut added = Added { run, conversions, disputes: Vec::new(), last: None, settings, verdict };
    let count = added.read(original, rewritten, start, packing, &ending)?;
    match (&ending.unread, place) {
        (Some(why), Place::Behind) => {
            added.verdict.differences.push(Difference::new(Rule::Unread, why));
            added.verdict.counts.records = ending.records;
            if count > 0 {
                let message = "where the archive ends so, nobody finds what stands behind it";
                added.verdict.differences.push(Difference::new(Rule::Record, message));
            }
            return Ok(added.verdict);
        }
        (Some(why), Place::Beside(_)) if ending.is_broken => {
            added.verdict.differences.push(Difference::new(Rule::Unread, why));
        }
        _ => {}
    }
    let mut records = Records::of_file(original, format)?;
    while let Some(record) = records.next_record()? {
        added.take(&record)?;
    }
    added.verdict.counts.records = records.number;
    added.settle();
    Ok(added.verdict)
}

/// How an archive ends.
struct Ending {
    records: u64,
    /// Why nothing can stand behind it.
    unread: Option<String>,
    /// Whether it can not be read to its end.
    is_broken: bool,
    /// Whether the line ends behind its last record are missing.
    lacks_line_ends: bool,
}

impl Ending {
    /// Reads an archive to its end; `conversions` get those that it holds.
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
            None if ends_in_stray => Some("what stands at its end is no record".to_owned()),
            None if ends_in_zeros(original)? => Some("zeros stand behind its last member".to_owned()),
            None => None,
        };
        Ok(Self { records: records.number, unread, is_broken, lacks_line_ends })
    }
}

/// Whether so many zeros stand at the end of members of gzip as end none of them.
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
    /// Records whose only conversions are not right: their numbers, a conversion, what is wrong with it, and what came of the
    /// record without it.
    disputes: Vec<(u64, usize, Verdict, Verdict)>,
    /// The last conversion for which a record was found.
    last: Option<usize>,
    settings: &'s Settings,
    verdict: Verdict,
}

impl Added<'_> {
    fn differs(&mut self, rule: Rule, message: impl Into<String>) {
        self.verdict.differences.push(Difference::new(rule, message));
    }

    /// Reads what was added, and notes what is wrong with it by itself; answers how many records that were.
    fn read(
        &mut self,
        original: Stored<'_>,
        rewritten: Stored<'_>,
        start: u64,
        packing: Compression,
        ending: &Ending,
    ) -> io::Result<u64> {
        let dictionary = dictionary(original)?;
        let first = rewritten.bytes(start..start + 4)?;
        if first.is_empty() {
            return Ok(0);
        }
        if Compression::of(&first) != packing {
            self.differs(Rule::Record, "what was added is not compressed like the archive");
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
                // What was added is not read behind damage.
                Piece::Broken => continue,
                Piece::Stray(bytes, length) => {
                    let shown = String::from_utf8_lossy(&bytes).into_owned();
                    self.differs(Rule::Record, format!("{length} bytes are added that are no record: {shown:?}"));
                    continue;
                }
            };
            self.verdict.differences.extend(framing.next(&record));
            self.verdict.differences.extend(framing.of_ours(&record)?);
            match &date {
                None => {
                    date = Some(record.field("WARC-Date"));
                    let found = if is_warcinfo(&record) {
                        self.run = Run::of(&record);
                        let sha256 = sha256_of(original)?;
                        let id = self.run.of_conversions(&record, &sha256);
                        told_digest(&record, &sha256).into_iter().chain(of_record(&record)).chain(id).collect()
                    } else {
                        vec![Difference::new(
                            Rule::Record,
                            "the first record that is added is not the warcinfo of a run",
                        )]
                    };
                    self.verdict.differences.extend(found);
                    if record.kind() == "conversion" {
                        self.conversions.add(record, Origin::Added)?;
                    }
                }
                Some(date) if record.kind() == "conversion" => {
                    self.verdict.differences.extend(of_document(&record, &["WARC-Refers-To"]));
                    self.verdict.differences.extend(field_is(&record, "WARC-Date", date));
                    self.conversions.add(record, Origin::Added)?;
                }
                Some(_) => self.differs(Rule::Record, format!("{} is added, and no conversion", named(&record))),
            }
        }
        let found = match &records.broken {
            Some(why) => Some(Difference::new(Rule::Unread, format!("what was added: {why}"))),
            None => framing.end()?,
        };
        self.verdict.differences.extend(found);
        if records.number == 1
            && date.is_some()
            && !self.conversions.all().iter().any(|one| one.origin == Origin::Added)
        {
            self.differs(Rule::Record, "a warcinfo is added, and no conversion");
        }
        Ok(records.number)
    }

    /// Finds the conversion of a record of the original, and verifies it, or else that it needs none.
    fn take(&mut self, record: &Record) -> io::Result<()> {
        let found = self.conversions.of(record.key());
        let page = match Payload::of(record, self.settings) {
            Ok(page) => page,
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
            if content == page.content {
                continue;
            }
            let verdict = page.verify(&content, self.settings);
            if is_right(&verdict) {
                self.verdict.add(verdict, &record.name());
                self.accept(index, record, &page, &content);
                return Ok(());
            }
            if is_candidate && failed.is_none() {
                failed = Some((index, verdict));
            }
        }
        let own = page.verify(&page.content, self.settings);
        match failed {
            Some((index, failed)) => self.disputes.push((record.number, index, failed, own)),
            None => self.verdict.add(own, &record.name()),
        }
        Ok(())
    }

    /// Whether a conversion was added, and no record was found that it is made of.
    fn is_candidate(&self, index: usize) -> bool {
        let conversion = self.conversions.get(index);
        conversion.origin == Origin::Added && !conversion.is_used
    }

    /// Notes that a conversion is that of a record, and what its header says wrongly.
    fn accept(&mut self, index: usize, record: &Record, page: &Payload, content: &[u8]) {
        let is_candidate = self.is_candidate(index);
        self.conversions.use_up(index);
        if !is_candidate {
            return;
        }
        let conversion = &self.conversions.get(index).record;
        let mut found: Vec<Difference> = [
            ("WARC-Target-URI", record.target()),
            ("Content-Type", page.content_type.clone()),
            ("WARC-Truncated", record.field("WARC-Truncated")),
        ]
        .into_iter()
        .filter_map(|(name, expected)| field_is(conversion, name, &expected))
        .chain(version_is(conversion, record))
        .chain(self.run.of_conversion(conversion, record, content))
        .collect();
        if self.last.is_some_and(|last| last > index) {
            let message = format!("{} does not stand in the order of the originals", named(conversion));
            found.push(Difference::new(Rule::Record, message));
        }
        self.last = self.last.max(Some(index));
        self.verdict.add(Verdict { differences: found, ..Verdict::default() }, &record.name());
    }

    /// Notes what is left over when all records of the original were read.
    fn settle(&mut self) {
        for (number, index, failed, own) in std::mem::take(&mut self.disputes) {
            let is_its = self.is_candidate(index);
            self.conversions.use_up(index);
            self.verdict.add(if is_its { failed } else { own }, &number.to_string());
        }
        let mut found = Vec::new();
        for conversion in self.conversions.all().iter().filter(|one| one.origin == Origin::Added && !one.is_used) {
            let named = named(&conversion.record);
            found.push(match conversion.refused {
                Some((number, why)) => {
                    let message = format!("{named} is made of a record that may have none, because that {why}");
                    Difference { record: number.to_string(), ..Difference::new(Rule::Record, message) }
                }
                None => Difference::new(
                    Rule::Record,
                    format!(
                        "{named} refers to no record whose links change: {:?}",
                        conversion.record.field("WARC-Refers-To")
                    ),
                ),
            });
        }
        self.verdict.differences.append(&mut found);
    }
}

/// Whether links were proven, and nothing is wrong, but for links that were left as they are.
fn is_right(verdict: &Verdict) -> bool {
    let is_left = verdict.differences.iter().all(|one| one.rule == Rule::Relative);
    verdict.holds() || (is_left && verdict.counts.proven > 0)
}
