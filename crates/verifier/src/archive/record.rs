//! A record of a web archive, and what its header says (ISO 28500, section 5).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::format::Format;

/// A record.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) format: Format,
    /// Counted from 1.
    pub(super) number: u64,
    /// Where it begins in the file, if a member does there.
    pub(super) place: Option<u64>,
    /// Where it ends in the file, if a member does there.
    pub(super) end: Option<u64>,
    /// How many members have ended in it.
    pub(super) members: usize,
    /// Its header, the empty line behind it included; of an ARC its line.
    pub(super) header: Vec<u8>,
    pub(super) block: Block,
    /// The line ends behind it.
    pub(super) line_ends: Vec<u8>,
}

/// The block of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Whole(Vec<u8>),
    /// One that is too long to be looked into: its length, and its sha256.
    Long(u64, String),
}

impl Record {
    /// Its number as differences name it.
    pub(super) fn name(&self) -> String {
        self.number.to_string()
    }

    /// Its bytes in the file, if they are its own.
    pub(super) fn raw(&self) -> Option<Range<u64>> {
        Some(self.place?..self.end?)
    }

    /// The block; nothing of one that is too long.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.block {
            Block::Whole(block) => block,
            Block::Long(..) => b"",
        }
    }

    /// The values of a field, in order.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = String> {
        let fields = if self.format == Format::Warc { fields(&self.header) } else { Vec::new() };
        fields.into_iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The first value of a field; empty if there is none.
    pub(super) fn field(&self, name: &str) -> String {
        self.values(name).next().unwrap_or_default()
    }

    /// As in `response`.
    pub(super) fn kind(&self) -> String {
        self.field("WARC-Type").to_ascii_lowercase()
    }

    pub(super) fn id(&self) -> String {
        self.field("WARC-Record-ID")
    }

    /// The version of the standard that what is made of it names, if that is told.
    pub(super) fn version(&self) -> Option<String> {
        let line = self.header.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        match self.format {
            Format::Arc => Some("WARC/1.1".to_owned()),
            Format::Warc => matches!(version.as_bytes(), [.., b'/', b'0'..=b'9', b'.', b'0'..=b'9']).then_some(version),
        }
    }

    /// `WARC-Target-URI` as it is written; no white space belongs to it where its lines are folded.
    pub(super) fn target(&self) -> String {
        let Format::Warc = self.format else {
            let line = text(&self.header);
            return line.rsplitn(5, ' ').nth(4).unwrap_or_default().trim().to_owned();
        };
        let raw = raw_fields(&self.header).find(|(name, _)| name.eq_ignore_ascii_case("WARC-Target-URI"));
        raw.map(|(_, value)| value.lines().map(str::trim).collect()).unwrap_or_default()
    }

    /// The URL it was retrieved from, without the brackets that some writers put around it.
    pub(super) fn url(&self) -> String {
        bare(&self.target()).to_owned()
    }

    /// Under what a record that refers to this one is found.
    pub(super) fn key(&self) -> u64 {
        hashed(&[&self.id(), &self.url()])
    }
}

impl Block {
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Whole(block) => block.len() as u64,
            Self::Long(length, _) => *length,
        }
    }
}

/// A URL without brackets around it.
pub(super) fn bare(url: &str) -> &str {
    url.strip_prefix('<').and_then(|url| url.strip_suffix('>')).unwrap_or(url)
}

pub(super) fn hashed(texts: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    hasher.finish()
}

/// The fields of a header, unfolded, in order; lines that are none are passed over.
pub(super) fn fields(header: &[u8]) -> Vec<(String, String)> {
    let unfolded = |value: String| value.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned();
    raw_fields(header).map(|(name, value)| (name, unfolded(value))).collect()
}

fn raw_fields(header: &[u8]) -> impl Iterator<Item = (String, String)> {
    let mut lines = header.split_inclusive(|byte| *byte == b'\n').peekable();
    let folded = std::iter::from_fn(move || {
        let mut folded = lines.next()?.to_vec();
        while let Some(more) = lines.next_if(|line| line.starts_with(b" ") || line.starts_with(b"\t")) {
            folded.extend_from_slice(more);
        }
        Some(folded)
    });
    folded.filter_map(|lines| {
        let colon = lines.iter().position(|byte| *byte == b':')?;
        Some((text(&lines[..colon]).trim_end().to_owned(), text(&lines[colon + 1..])))
    })
}

/// UTF-8, or else Latin-1.
pub(super) fn text(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::mem::decode_latin1(bytes).into_owned(),
    }
}
