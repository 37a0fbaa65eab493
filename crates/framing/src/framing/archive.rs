//! The framings of web archives.

use crate::framing::{Extent, Framed, Framing, arc, warc};

/// A format of web archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArchiveFormat {
    /// WARC records (ISO 28500).
    Warc,
    /// ARC records, the predecessor of WARC.
    Arc,
}

impl ArchiveFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Warc, Self::Arc];

    /// Returns the format of an archive that begins with these bytes.
    ///
    /// ```
    /// use absolve_framing::ArchiveFormat;
    /// assert_eq!(ArchiveFormat::of(b"WARC/1.1\r\n"), Some(ArchiveFormat::Warc));
    /// assert_eq!(ArchiveFormat::of(b"<html>"), None);
    /// ```
    pub fn of(start: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|format| match format {
            Self::Warc => warc::begins_warc(start),
            Self::Arc => arc::begins_arc(start),
        })
    }

    /// Returns the format of archives with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(extension))
    }

    /// Returns its name, which is also the extension of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warc => "warc",
            Self::Arc => "arc",
        }
    }
}

impl Framing for ArchiveFormat {
    fn first_record(self, bytes: &[u8], extent: Extent) -> Option<Framed> {
        match self {
            Self::Warc => warc::first_record(bytes, extent),
            Self::Arc => arc::first_record(bytes, extent),
        }
    }

    fn next_record(self, bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
        match self {
            Self::Warc => warc::next_record(bytes, from, extent),
            Self::Arc => arc::next_record(bytes, from, extent),
        }
    }
}

impl ArchiveFormat {
    /// Returns whether `bytes` begin with a record.
    pub fn begins_record(self, bytes: &[u8]) -> bool {
        match self {
            Self::Warc => warc::begins_warc(bytes),
            Self::Arc => arc::begins_record(bytes),
        }
    }

    /// Returns the bytes from the start of the first record to the end of its block, as its header claims; `None` if the header is not in `bytes`.
    pub(crate) fn claimed_length(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Warc => warc::claimed_length(bytes),
            Self::Arc => arc::claimed_length(bytes),
        }
    }
}
