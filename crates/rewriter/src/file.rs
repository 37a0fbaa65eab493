//! From a file to the entity in it.

use std::fs::File;
use std::io::Read;

use crate::failure::{Action, FileError};
use crate::{Code, Entity, Entry, EntryKind, FileType, Finding};

/// Reads an entry into `bytes`, if it is a document.
pub(crate) fn read(entry: &Entry, bytes: &mut Vec<u8>) -> Result<Option<FileType>, FileError> {
    let fail = |error| FileError::new(&entry.source, Action::Read, error);
    bytes.clear();
    let known = match entry.kind {
        EntryKind::Document(file_type) => Some(file_type),
        EntryKind::Unknown | EntryKind::Asked => None,
        _ => return Ok(None),
    };
    let mut file = File::open(&entry.source).map_err(fail)?;
    if known.is_none() {
        const ENOUGH: u64 = 1024;
        (&mut file).take(ENOUGH).read_to_end(bytes).map_err(fail)?;
    }
    let Some(file_type) = known.or_else(|| FileType::of_content(bytes)) else { return Ok(None) };
    bytes.reserve(entry.size as usize);
    file.read_to_end(bytes).map_err(fail)?;
    Ok(Some(file_type))
}

/// The entity that `bytes`, read from an entry, are.
pub(crate) fn entity_of<'e>(entry: &Entry, bytes: &'e [u8], file_type: FileType) -> Entity<'e> {
    let entity = Entity::of(bytes, file_type);
    match &entry.url {
        Some(url) => entity.retrieved_from(url, "--url"),
        None => entity,
    }
}

/// What is told of a file that was asked for and of which not even its bytes tell what it is.
pub(crate) fn unknown_type() -> Finding {
    Finding::new(Code::UnknownType, "no document of a known type, left as it is; --type names the type")
}
