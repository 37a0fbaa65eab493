//! Bundles: ZIP and tar files of any tree. Their members are read where they are, and never written under their own names.

pub(crate) mod contents;
mod deflate;
mod fields;
pub(crate) mod format;
pub(crate) mod late;
pub(crate) mod replacements;
mod tar_output;
mod zip_headers;
mod zip_output;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::sync::Arc;

use absolve_containers::Temporary;
use absolve_framing::Compression;
use absolve_framing::bundle::{
    BLOCK, DEFLATED, Directory, Extension, ExtensionKind, FilePart, Headers, Member, TarMember, is_header, is_tar,
    is_zip, read_headers,
};

use crate::bundle::contents::Contents;
use crate::bundle::format::BundleFormat;
use crate::bundle::late::Late;
use crate::bundle::replacements::{Packing, Replacements};

/// A ZIP or tar file, and the members that it lists.
#[derive(Debug)]
pub(crate) struct Bundle {
    file: Arc<File>,
    layout: BundleLayout,
    members: Vec<Member>,
    unread: Option<String>,
}

/// Where the members are.
#[derive(Debug)]
enum BundleLayout {
    Zip(Directory),
    /// With the compression of the whole. The file is the decompressed one.
    Tar(Vec<TarMember>, Compression),
}

impl Bundle {
    /// Reads the list of the members; `None` if the file is no bundle. One that its name declares to be a tar file is one, or is
    /// damaged.
    pub(crate) fn open(mut file: File, declared: Option<BundleFormat>) -> io::Result<Option<Self>> {
        let is_declared = matches!(declared, Some(BundleFormat::Tar(_)));
        // A tar may end with a ZIP.
        let begins_tar = is_tar(&file)?;
        if !begins_tar && is_zip(&file)? {
            let directory = Directory::read(&file)?;
            let file = Arc::new(file);
            let members = directory.members(&file);
            return Ok(Some(Self { file, layout: BundleLayout::Zip(directory), members, unread: None }));
        }
        let mut start = Vec::new();
        file.rewind()?;
        (&file).take(COMPRESSION_START).read_to_end(&mut start)?;
        let compression = if begins_tar { Compression::None } else { Compression::of(&start) };
        if compression != Compression::None {
            let mut first = Vec::new();
            file.rewind()?;
            // Another file may be damaged, too.
            let _ = compression.decoder(&file).take(BLOCK).read_to_end(&mut first);
            if !is_declared && !is_header(&first) {
                return Ok(None);
            }
            file.rewind()?;
            file = decompressed(compression, file)?;
        }
        if !begins_tar && !is_declared && !is_tar(&file)? {
            return Ok(None);
        }
        let Headers { members, places, unread } = read_headers(&file)?;
        Ok(Some(Self { file: Arc::new(file), layout: BundleLayout::Tar(places, compression), members, unread }))
    }

    /// Returns its format.
    pub(crate) const fn format(&self) -> BundleFormat {
        match &self.layout {
            BundleLayout::Zip(_) => BundleFormat::Zip,
            BundleLayout::Tar(_, compression) => BundleFormat::Tar(*compression),
        }
    }

    /// Returns the members in the order of the list.
    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns what may not have been read, if it does not end as a whole one.
    pub(crate) fn unread(&self) -> Option<&str> {
        self.unread.as_deref()
    }

    /// Opens a member.
    pub(crate) fn open_member(&self, index: usize) -> io::Result<Contents> {
        match &self.layout {
            BundleLayout::Zip(directory) => Ok(Contents::Checked(Box::new(directory.records[index].open(&self.file)?))),
            BundleLayout::Tar(places, _) => Ok(Contents::Part(FilePart::new(&self.file, places[index].data.clone()))),
        }
    }

    /// Returns how the contents of a member are packed, apart from a compression of the whole.
    pub(crate) fn packing(&self, index: usize) -> Packing {
        match &self.layout {
            BundleLayout::Zip(directory) if directory.records[index].method == DEFLATED => Packing::Deflated,
            _ => Packing::Stored,
        }
    }

    /// Returns whether the contents of a member may be written as they come, without knowing their size before: they are not
    /// compressed, and the room for their size will do.
    pub(crate) fn may_be_late(&self, index: usize) -> bool {
        const SHORT: u64 = 1 << 31;
        self.members[index].size < SHORT
            && match &self.layout {
                BundleLayout::Zip(_) => self.packing(index) == Packing::Stored,
                BundleLayout::Tar(places, compression) => {
                    let has_records = |extension: &Extension| extension.kind == ExtensionKind::Records;
                    *compression == Compression::None && !places[index].extensions.iter().any(has_records)
                }
            }
    }

    /// Returns whether a member may have a name with this last segment: its header may have no room for a longer one.
    pub(crate) fn has_room_for(&self, index: usize, segment: &[u8]) -> bool {
        match &self.layout {
            BundleLayout::Zip(_) => true,
            BundleLayout::Tar(places, _) => tar_output::has_room_for(&self.file, &places[index], segment),
        }
    }

    /// Writes the same bundle with other contents of some members. All other bytes stay, but for the sizes, offsets and checksums
    /// of what has changed.
    pub(crate) fn write(
        &self,
        replacements: Replacements,
        late: Option<Late<'_>>,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let contents = replacements.finish();
        match &self.layout {
            BundleLayout::Zip(directory) => zip_output::write(&self.file, directory, &contents, late, output),
            BundleLayout::Tar(places, Compression::None) => {
                tar_output::write(&self.file, places, &contents, late, output)
            }
            BundleLayout::Tar(places, compression) => {
                let mut encoder = compression.encoder(output)?;
                tar_output::write(&self.file, places, &contents, None, &mut encoder)?;
                encoder.finish().map(drop)
            }
        }
    }
}

/// The bytes from which a compression is recognized.
const COMPRESSION_START: u64 = 8;

/// Returns a temporary file with the decompressed contents of a file.
fn decompressed(compression: Compression, file: File) -> io::Result<File> {
    let mut temporary = Temporary::new()?;
    io::copy(&mut compression.decoder(BufReader::new(file)), &mut temporary)?;
    Ok(temporary.into_file())
}
