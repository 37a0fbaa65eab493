//! A run, by the warcinfo record that it writes first.

use data_encoding::HEXLOWER;
use sha1::{Digest, Sha1};

use super::record::Record;

/// The values that the records of a run share. Two versions determine neither the date nor the program nor the name of the input: those of
/// the warcinfo record count.
#[derive(Debug)]
pub(super) struct Run {
    /// The UUID that is the name space of the ids of all records.
    pub(super) identity: String,
    pub(super) date: String,
    /// The version of the program.
    pub(super) software: String,
    /// The name of the original archive.
    pub(super) input: String,
    /// The id of the warcinfo record.
    pub(super) warcinfo: String,
}

impl Run {
    /// Returns the run, if a record is the warcinfo record of one.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let block = String::from_utf8_lossy(record.block());
        let value = |name: &str| {
            let mut values = block.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            values.next().map(|value| value.replace(char::is_control, "_"))
        };
        let input = value("absolve-input").filter(|_| record.kind() == "warcinfo")?;
        Some(Self {
            identity: value("absolve-run")
                .filter(|identity| uuid(&bytes_of(identity)) == *identity)
                .unwrap_or_default(),
            date: record.field("WARC-Date").filter(|date| is_date(date)).unwrap_or_default(),
            software: value("software")?.strip_prefix("absolve/").unwrap_or_default().to_owned(),
            input,
            warcinfo: record.id().unwrap_or_default(),
        })
    }

    /// Returns the UUID of a name, of version 5 (RFC 9562, section 5.5).
    pub(super) fn id_of(&self, name: &str) -> String {
        let mut bytes = Sha1::new().chain_update(bytes_of(&self.identity)).chain_update(name).finalize();
        bytes[6] = bytes[6] & 0x0f | 0x50;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        uuid(&bytes[..16])
    }
}

/// Returns the text of a UUID; empty if it has another length.
fn uuid(bytes: &[u8]) -> String {
    let digits = HEXLOWER.encode(bytes);
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| digits.get(range).unwrap_or_default());
    if bytes.len() == 16 { parts.join("-") } else { String::new() }
}

fn bytes_of(uuid: &str) -> Vec<u8> {
    HEXLOWER.decode(uuid.replace('-', "").as_bytes()).unwrap_or_default()
}

/// Returns a UUID as the id of a record.
pub(super) fn urn(uuid: &str) -> String {
    format!("<urn:uuid:{uuid}>")
}

/// Reports whether this is a date as a run writes it (RFC 3339).
pub(in crate::archive) fn is_date(date: &str) -> bool {
    let form: String = date.chars().map(|char| if char.is_ascii_digit() { '0' } else { char }).collect();
    form == "0000-00-00T00:00:00Z"
}
