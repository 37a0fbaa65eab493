//! What there is of a URL in a site.

use std::io;

use crate::snapshot_row::SnapshotRow;

/// What there is of a URL. Without a path and a redirect, it was captured as an error or in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteEntry {
    /// The path of the file that it would be.
    pub(crate) path: Option<String>,
    /// The URL that the best snapshot redirects to, with its fragment, its date and record.
    pub(crate) redirect: Option<(String, String, String)>,
    /// The best snapshot; of a redirect that leads nowhere, the best one with content.
    pub(crate) row: SnapshotRow,
}

impl SiteEntry {
    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let Self { path, redirect, row } = self;
        let head: Head<'_> = (redirect.is_some().into(), path.as_deref());
        let head = postcard::to_stdvec(&(head, redirect)).map_err(io::Error::other)?;
        Ok([head, row.to_bytes()?].concat())
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        let (((_, path), redirect), row): ((Head<'_>, _), _) =
            postcard::take_from_bytes(bytes).map_err(io::Error::other)?;
        Ok(Self { path: path.map(str::to_owned), redirect, row: SnapshotRow::from_bytes(row)? })
    }
}

/// The begin of an entry: 1 for one that redirects, 0 for others, and the path of the file.
type Head<'v> = (u8, Option<&'v str>);

/// Returns the path of the file of an entry; `None` if it redirects.
pub(crate) fn path_of(value: &[u8]) -> io::Result<Option<Option<&str>>> {
    let ((redirects, path), _): (Head<'_>, _) = postcard::take_from_bytes(value).map_err(io::Error::other)?;
    Ok((redirects == 0).then_some(path))
}

/// Returns whether an entry has no content and does not redirect.
pub(crate) fn has_no_file(value: &[u8]) -> io::Result<bool> {
    Ok(path_of(value)? == Some(None))
}
