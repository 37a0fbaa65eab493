//! A record of a web archive, and the fields of its header (ISO 28500, section 5).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::format::Format;
use crate::base::declared_text;

/// A record.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) format: Format,
    /// Counted from 1.
    pub(super) number: u64,
    /// The byte of the file at which it begins, if a member begins there.
    pub(super) place: Option<u64>,
    /// The byte of the file at which it ends, if a member ends there.
    pub(super) end: Option<u64>,
    /// The number of members that end in it.
    pub(super) members: usize,
    /// Its header with the empty line behind it; of an ARC the line of the record.
    pub(super) header: Vec<u8>,
    pub(super) block: Block,
    /// The line ends behind it.
    pub(super) line_ends: Vec<u8>,
}

/// The block of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Whole(Vec<u8>),
    /// The length and the SHA-256 of a block that is too long to be held.
    Long(u64, String),
}

impl Record {
    /// Returns its number as differences have it.
    pub(super) fn name(&self) -> String {
        self.number.to_string()
    }

    /// Returns the range of its bytes in the file, if it has members of its own.
    pub(super) fn raw(&self) -> Option<Range<u64>> {
        Some(self.place?..self.end?)
    }

    /// Returns the block; empty if it is too long.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.block {
            Block::Whole(block) => block,
            Block::Long(..) => b"",
        }
    }

    /// Returns the values of a field, in order.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = String> {
        let fields = if self.format == Format::Warc { fields(&self.header) } else { Vec::new() };
        fields.into_iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns the first value of a field; empty if there is none.
    pub(super) fn field(&self, name: &str) -> String {
        self.values(name).next().unwrap_or_default()
    }

    /// Returns `WARC-Type` in lower case, as in `response`.
    pub(super) fn kind(&self) -> String {
        self.field("WARC-Type").to_ascii_lowercase()
    }

    pub(super) fn id(&self) -> String {
        self.field("WARC-Record-ID")
    }

    /// Returns the version of WARC that a record made of it has; `None` if its own version is malformed.
    pub(super) fn version(&self) -> Option<String> {
        let line = self.header.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        match self.format {
            Format::Arc => Some("WARC/1.1".to_owned()),
            Format::Warc => matches!(version.as_bytes(), [.., b'/', b'0'..=b'9', b'.', b'0'..=b'9']).then_some(version),
        }
    }

    /// Returns `WARC-Target-URI` as written, without white space where the field is folded.
    pub(super) fn target(&self) -> String {
        let Format::Warc = self.format else {
            let line = text(&self.header);
            return line.rsplitn(5, ' ').nth(4).unwrap_or_default().trim().to_owned();
        };
        let raw = raw_fields(&self.header, text).find(|(name, _)| name.eq_ignore_ascii_case("WARC-Target-URI"));
        raw.map(|(_, value)| value.lines().map(str::trim).collect()).unwrap_or_default()
    }

    /// Returns the URL it was retrieved from, without the angle brackets that some writers put around it.
    pub(super) fn url(&self) -> String {
        without_brackets(&self.target()).to_owned()
    }

    /// Returns the key under which a conversion that refers to this record is found.
    pub(super) fn key(&self) -> u64 {
        hash_of(&[&self.id(), &self.url()])
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

/// Returns a URL without angle brackets around it.
pub(super) fn without_brackets(url: &str) -> &str {
    url.strip_prefix('<').and_then(|url| url.strip_suffix('>')).unwrap_or(url)
}

pub(super) fn hash_of(texts: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    hasher.finish()
}

/// Returns the fields of a header, unfolded, in order. Malformed lines are skipped.
pub(super) fn fields(header: &[u8]) -> Vec<(String, String)> {
    raw_fields(header, text).map(|(name, value)| (name, unfolded(&value))).collect()
}

/// Returns the same, with guessed values marked.
pub(super) fn declared_fields(header: &[u8]) -> Vec<(String, String)> {
    raw_fields(header, declared_text).map(|(name, value)| (name, unfolded(&value))).collect()
}

fn unfolded(value: &str) -> String {
    value.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn raw_fields(header: &[u8], decoded: fn(&[u8]) -> String) -> impl Iterator<Item = (String, String)> {
    let mut lines = header.split_inclusive(|byte| *byte == b'\n').peekable();
    let folded = std::iter::from_fn(move || {
        let mut folded = lines.next()?.to_vec();
        while let Some(more) = lines.next_if(|line| line.starts_with(b" ") || line.starts_with(b"\t")) {
            folded.extend_from_slice(more);
        }
        Some(folded)
    });
    folded.filter_map(move |lines| {
        let colon = lines.iter().position(|byte| *byte == b':')?;
        Some((text(&lines[..colon]).trim_end().to_owned(), decoded(&lines[colon + 1..])))
    })
}

/// Decodes UTF-8, or else Latin-1.
pub(super) fn text(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::mem::decode_latin1(bytes).into_owned(),
    }
}
