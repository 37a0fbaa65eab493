//! One snapshot as a row of the index.

use std::io;

use absolve_containers::milliseconds;

/// The place of a record: the number of its archive, of the archive in a WACZ, and of the record.
pub(crate) type Place = (u32, u32, u64);

/// A snapshot of a URL that has content or is a redirect, or that its URL was captured at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SnapshotRow {
    /// Without a fragment.
    pub(crate) url: String,
    /// The `WARC-Date`.
    pub(crate) date: String,
    /// The name of the record, behind that of its file.
    pub(crate) record: String,
    /// The place of the record.
    pub(crate) own_place: Place,
    /// The place of the record that has the content: of a revisit, that of another one.
    pub(crate) place: Place,
    /// The content type.
    pub(crate) content_type: String,
    /// The URL that a redirect leads to, with its fragment.
    pub(crate) redirect: Option<String>,
    /// The URL of the copy, if it is one of an archive in whose copies links lead to that.
    pub(crate) copy: Option<String>,
    /// The status line and header of a revisit.
    pub(crate) head: Option<Vec<u8>>,
}

impl SnapshotRow {
    /// Returns the row of a URL that was captured as an error or in part, which comes behind all others of that URL.
    pub(crate) fn without_file(url: String) -> Self {
        Self { url, ..Self::default() }
    }

    /// Returns whether it has content or is a redirect.
    pub(crate) const fn is_written(&self) -> bool {
        !self.record.is_empty()
    }

    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let Self { url, date, record, own_place, place, content_type, redirect, copy, head } = self;
        let fields = (url, date, record, own_place, place, content_type, redirect, copy, head);
        postcard::to_stdvec(&fields).map_err(io::Error::other)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        let (url, date, record, own_place, place, content_type, redirect, copy, head) =
            postcard::from_bytes(bytes).map_err(io::Error::other)?;
        Ok(Self { url, date, record, own_place, place, content_type, redirect, copy, head })
    }

    /// Returns a revisit with the content at a place, which has this type if it declares none.
    pub(crate) fn of(&self, place: Place, content_type: &str) -> Self {
        let content_type = if self.content_type.is_empty() { content_type } else { &self.content_type }.to_owned();
        Self { place, content_type, ..self.clone() }
    }

    /// Returns the key that puts the snapshots of a URL in a row, the best first: the nearest to a time, or else the latest. Of several
    /// at the same time, it is the last in the archives.
    pub(crate) fn key(&self, at: Option<i64>) -> Vec<u8> {
        if !self.is_written() {
            return [self.url.as_bytes(), b"\0", &[0xFF; PLACE_KEY + 9]].concat();
        }
        let time = milliseconds(&self.date);
        let distance = match at {
            Some(at) => time.map_or(u64::MAX, |time| time.abs_diff(at)),
            None => u64::MAX - time.unwrap_or(i64::MIN).abs_diff(i64::MIN),
        };
        let (archive, member, number) = self.own_place;
        let mut key = [self.url.as_bytes(), b"\0"].concat();
        key.extend(distance.to_be_bytes());
        key.extend([(!archive).to_be_bytes(), (!member).to_be_bytes()].concat());
        key.extend((!number).to_be_bytes());
        key
    }
}

/// Bytes of the key of a place.
pub(crate) const PLACE_KEY: usize = 16;

/// Returns the key of a place, by which records are in the order of their archives.
pub(crate) fn place_key((archive, member, number): Place) -> [u8; PLACE_KEY] {
    let mut key = [0; PLACE_KEY];
    key[..4].copy_from_slice(&archive.to_be_bytes());
    key[4..8].copy_from_slice(&member.to_be_bytes());
    key[8..].copy_from_slice(&number.to_be_bytes());
    key
}
