//! The members of a WACZ.

use std::io::{BufReader, Read};

use zip::ZipArchive;
use zip::read::ZipFile;

use crate::file_type::FileType;
use crate::limits::DESCRIPTION_BYTES;
use crate::stream::{ReadSeek, StreamError};

/// A WACZ that is open.
pub(super) type Zip<'f> = ZipArchive<BufReader<Box<dyn ReadSeek + 'f>>>;

/// Opens a WACZ.
pub(super) fn open(file: Box<dyn ReadSeek + '_>) -> Result<Zip<'_>, StreamError> {
    ZipArchive::new(BufReader::new(file)).map_err(|error| StreamError::Read(error.into()))
}

/// The folder of the archives in a package.
pub(super) const ARCHIVES: &str = "archive/";

/// Returns the path of a member.
pub(super) fn name_of<R: Read>(member: &ZipFile<'_, R>) -> String {
    String::from_utf8_lossy(member.name_raw()).into_owned()
}

/// Returns whether a member is a web archive by its folder and its name.
pub(super) fn is_named_as_archive(name: &str) -> bool {
    name.starts_with(ARCHIVES) && FileType::of_name(name.as_ref()) == Some(FileType::WARC)
}

/// Returns the text of a member; empty if there is none of this name.
pub(super) fn text_of(zip: &mut Zip<'_>, name: &str) -> Result<String, StreamError> {
    let Ok(member) = zip.by_name(name) else { return Ok(String::new()) };
    let mut text = String::new();
    member.take(DESCRIPTION_BYTES).read_to_string(&mut text).map_err(StreamError::Read)?;
    Ok(text)
}
