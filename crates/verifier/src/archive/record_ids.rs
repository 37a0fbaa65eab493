//! The ids of records that a run writes: each is a UUID (RFC 9562, section 5.5) in the namespace of the run, of a name
//! that is made of the original record.

use sha1::{Digest, Sha1};

use super::record::Record;
use super::written_records::{block_digest, block_field, described};
use crate::verdict::{Difference, Rule};

/// A run, by its warcinfo record.
#[derive(Debug, Default)]
pub(super) struct Run {
    space: Option<Vec<u8>>,
    /// The name of the original archive.
    input: String,
    /// The UUID of the warcinfo record.
    warcinfo: String,
}

impl Run {
    pub(super) fn of(warcinfo: &Record) -> Self {
        let digits = block_field(warcinfo, "absolve-run").unwrap_or_default().replace('-', "");
        Self {
            space: data_encoding::HEXLOWER.decode(digits.as_bytes()).ok().filter(|space| space.len() == 16),
            input: block_field(warcinfo, "absolve-input").unwrap_or_default(),
            warcinfo: uuid_in(&warcinfo.id()).to_owned(),
        }
    }

    /// Returns the UUIDv5 of a name; empty if the run has no namespace.
    fn uuid(&self, name: &str) -> String {
        let Some(space) = &self.space else { return String::new() };
        let mut bytes = Sha1::new().chain_update(space).chain_update(name).finalize();
        bytes[6] = bytes[6] & 0x0f | 0x50;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let digits = data_encoding::HEXLOWER.encode(&bytes[..16]);
        [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
    }

    /// Verifies the id of the warcinfo record in front of conversions of the archive of this digest.
    pub(super) fn check_conversions_warcinfo(&self, warcinfo: &Record, sha256: &str) -> Option<Difference> {
        check_id(warcinfo, &self.uuid(sha256))
    }

    /// Verifies the id of the warcinfo record of an archive derived of one that begins with these bytes.
    pub(super) fn check_derived_warcinfo(&self, warcinfo: &Record, start: &[u8]) -> Option<Difference> {
        check_id(warcinfo, &self.uuid(&format!("{} {}", self.input, block_digest(start))))
    }

    /// Verifies the id of a conversion record.
    pub(super) fn check_conversion(
        &self,
        conversion: &Record,
        original: &Record,
        content: &[u8],
    ) -> Option<Difference> {
        check_id(conversion, &self.uuid_of_made(original, content))
    }

    /// Verifies the id of a record that replaces another one.
    pub(super) fn check_replacement(&self, replacement: &Record, original: &Record) -> Option<Difference> {
        let date = original.field("WARC-Date");
        let made = self.uuid_of_made(original, replacement.bytes());
        check_id(replacement, &self.uuid(&format!("{} {made} {date}", replacement.kind())))
    }

    /// Verifies the id of a metadata record that describes another record.
    pub(super) fn check_metadata(&self, metadata: &Record, of: &Record) -> Option<Difference> {
        check_id(metadata, &self.uuid(&format!("metadata {}", uuid_in(&of.id()))))
    }

    /// Verifies the id of the metadata record that names the original archive.
    pub(super) fn check_input_metadata(&self, metadata: &Record) -> Option<Difference> {
        check_id(metadata, &self.uuid(&format!("input {}", self.warcinfo)))
    }

    fn uuid_of_made(&self, original: &Record, content: &[u8]) -> String {
        let name = original.values("WARC-Record-ID").next().unwrap_or_else(|| original.target());
        self.uuid(&format!("{name} {}", block_digest(content)))
    }
}

/// Returns the UUID in the id of a record.
fn uuid_in(id: &str) -> &str {
    id.trim_start_matches("<urn:uuid:").trim_end_matches('>')
}

fn check_id(record: &Record, uuid: &str) -> Option<Difference> {
    let (found, expected) = (record.id(), format!("<urn:uuid:{uuid}>"));
    let message = format!("the id of {} is {found:?} instead of {expected:?}", described(record));
    (found != expected).then(|| Difference { expected, ..Difference::new(Rule::Record, message) })
}
