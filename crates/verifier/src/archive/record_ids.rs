//! The ids of the records that a run writes: each is a UUID by the name of what the record is made of (RFC 9562, section 5.5),
//! in the space that the warcinfo of the run tells.

use sha1::{Digest, Sha1};

use super::record::Record;
use super::written_records::{digest, named, told_in};
use crate::verdict::{Difference, Rule};

/// A run, as its warcinfo tells of it.
#[derive(Debug, Default)]
pub(super) struct Run {
    space: Option<Vec<u8>>,
    /// The name of the archive that was read.
    input: String,
    /// The UUID of the warcinfo.
    warcinfo: String,
}

impl Run {
    pub(super) fn of(warcinfo: &Record) -> Self {
        let digits = told_in(warcinfo, "absolve-run").unwrap_or_default().replace('-', "");
        Self {
            space: data_encoding::HEXLOWER.decode(digits.as_bytes()).ok().filter(|space| space.len() == 16),
            input: told_in(warcinfo, "absolve-input").unwrap_or_default(),
            warcinfo: warcinfo.id().trim_start_matches("<urn:uuid:").trim_end_matches('>').to_owned(),
        }
    }

    /// The UUID of what has this name; of no run none.
    fn uuid(&self, name: &str) -> String {
        let Some(space) = &self.space else { return String::new() };
        let mut bytes = Sha1::new().chain_update(space).chain_update(name).finalize();
        bytes[6] = bytes[6] & 0x0f | 0x50;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let digits = data_encoding::HEXLOWER.encode(&bytes[..16]);
        [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
    }

    /// What is wrong with the id of the warcinfo before conversions of the archive of this digest.
    pub(super) fn of_conversions(&self, warcinfo: &Record, sha256: &str) -> Option<Difference> {
        wrong(warcinfo, &self.uuid(sha256))
    }

    /// What is wrong with the id of the warcinfo of the archive that is derived of one that begins so.
    pub(super) fn of_derived(&self, warcinfo: &Record, start: &[u8]) -> Option<Difference> {
        wrong(warcinfo, &self.uuid(&format!("{} {}", self.input, digest(start))))
    }

    /// What is wrong with the id of a conversion of a record.
    pub(super) fn of_conversion(&self, conversion: &Record, original: &Record, content: &[u8]) -> Option<Difference> {
        wrong(conversion, &self.uuid_of_made(original, content))
    }

    /// What is wrong with the id of what stands in the place of a record.
    pub(super) fn of_replacement(&self, replacement: &Record, original: &Record) -> Option<Difference> {
        let date = original.field("WARC-Date");
        let made = self.uuid_of_made(original, replacement.bytes());
        wrong(replacement, &self.uuid(&format!("{} {made} {date}", replacement.kind())))
    }

    /// What is wrong with the id of a metadata that tells of a record.
    pub(super) fn of_metadata(&self, metadata: &Record, of: &Record) -> Option<Difference> {
        let id = of.id();
        wrong(metadata, &self.uuid(&format!("metadata {}", id.trim_start_matches("<urn:uuid:").trim_end_matches('>'))))
    }

    /// What is wrong with the id of the metadata that tells of what archive a derived one is made.
    pub(super) fn of_last(&self, metadata: &Record) -> Option<Difference> {
        wrong(metadata, &self.uuid(&format!("input {}", self.warcinfo)))
    }

    fn uuid_of_made(&self, original: &Record, content: &[u8]) -> String {
        let name = original.values("WARC-Record-ID").next().unwrap_or_else(|| original.target());
        self.uuid(&format!("{name} {}", digest(content)))
    }
}

fn wrong(record: &Record, uuid: &str) -> Option<Difference> {
    let (told, expected) = (record.id(), format!("<urn:uuid:{uuid}>"));
    let message = format!("the id of {} is {told:?} instead of {expected:?}", named(record));
    (told != expected).then(|| Difference { expected, ..Difference::new(Rule::Record, message) })
}
