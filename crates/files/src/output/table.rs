//! What may be written where: the one table, which `docs/containers.md` shows and a test tries cell by cell.

use std::io;

use absolve_containers::{FileType, WarcOutput};
use absolve_framing::Compression;

use crate::error::refusal::Refusal;
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;

/// Where something is written: a column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// One file of its own; the same in a dry run.
    File,
    /// A file in an output folder.
    Folder,
    /// The file of the input.
    InPlace,
    /// Standard output.
    StandardOutput,
    /// A member of a ZIP or tar file.
    Member,
    /// The journal of a run in place.
    Journal,
    /// A backup of a run in place.
    Backup,
    /// A diff of a dry run.
    Diff,
}

/// What is written of an input: the first cells of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// HTML, CSS, XML, plain text.
    Document,
    /// A message in a file of its own.
    Message,
    /// The same, compressed.
    CompressedMessage,
    /// A message of a Maildir.
    MaildirMessage,
    /// An mbox, or another format of many messages.
    Mbox,
    /// The same, compressed.
    CompressedMbox,
    /// A WARC in this form.
    Warc(WarcOutput),
    /// A compressed WARC with appended conversions.
    CompressedWarc,
    /// The conversions of an ARC, whether they are to be appended or not.
    Arc,
    /// The resources of an ARC.
    ArcResources,
    /// The conversions of a WACZ, whether they are to be appended or not.
    Wacz,
    /// The resources of a WACZ.
    WaczResources,
    /// A ZIP or tar file.
    Bundle,
    /// Any other file.
    Other,
}

/// How the input is given, where that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Standard input.
    StandardInput,
    /// A pipe or a device.
    Pipe,
    /// A folder, or several inputs.
    Several,
    /// A Maildir with the index of a mail server.
    IndexedMaildir,
    /// Symbolic links that are copied as files.
    CopiedLinks,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Its bytes with the edits.
    Edited,
    /// Its bytes, and the conversions behind them.
    Appended,
    /// Its conversions in the place of it.
    Conversions,
    /// A copy, and its conversions beside that.
    Beside,
    /// An archive that is derived from it.
    Derived,
    /// The same archive with other contents of members.
    Packed,
    /// A copy.
    Copied,
    /// The edits, or all that was appended.
    Recorded,
    /// Its name only, among the files that would change.
    Named,
    /// It does not change.
    Unchanged,
    /// As its content is written.
    ByContent,
}

/// A cell: how it is written, or why not.
pub type Cell = Result<Way, Refusal>;

impl Content {
    /// Returns what is written of a file of this type in this compression, if archives have this form.
    pub const fn of_type(file_type: FileType, compression: Compression, form: WarcOutput) -> Self {
        let is_plain = matches!(compression, Compression::None);
        match (file_type, form) {
            (FileType::Document(_), _) => Self::Document,
            (FileType::Message, _) if is_plain => Self::Message,
            (FileType::Message, _) => Self::CompressedMessage,
            (FileType::Mailbox, _) if is_plain => Self::Mbox,
            (FileType::Mailbox, _) => Self::CompressedMbox,
            (FileType::WARC, WarcOutput::Append) if !is_plain => Self::CompressedWarc,
            (FileType::WARC, _) => Self::Warc(form),
            (FileType::Archive(_), WarcOutput::Resource) => Self::ArcResources,
            (FileType::Archive(_), _) => Self::Arc,
            (FileType::Wacz, WarcOutput::Resource) => Self::WaczResources,
            (_, _) => Self::Wacz,
        }
    }

    /// Returns what is written of an entry, if archives have this form. Compression is not looked at.
    ///
    /// # Errors
    ///
    /// If the first bytes decide, and cannot be read.
    pub fn of(entry: &Entry, form: WarcOutput) -> io::Result<Self> {
        Ok(match (&entry.kind, entry.file_type()?) {
            (EntryKind::Bundle(_), _) => Self::Bundle,
            (_, Some(FileType::Message)) if !entry.record.is_empty() => Self::MaildirMessage,
            (_, Some(file_type)) => Self::of_type(file_type, Compression::None, form),
            (_, None) => Self::Other,
        })
    }

    /// Returns how it is written there, or why not.
    ///
    /// ```
    /// use absolve_files::{Column, Content, Way};
    /// assert_eq!(Content::Arc.to(Column::Folder), Ok(Way::Beside));
    /// assert!(Content::Arc.to(Column::InPlace).is_err());
    /// ```
    pub const fn to(self, column: Column) -> Cell {
        use Column::{Backup, Diff, File, Folder, InPlace, Journal, Member, StandardOutput};
        match (self, column) {
            (Self::Arc | Self::ArcResources, InPlace | Journal | Backup) => Err(Refusal::ArcInPlace),
            (Self::Arc, Member) => Err(Refusal::ArcMember),
            (Self::Arc, Folder) => Ok(Way::Beside),
            (Self::Arc, File | StandardOutput) => Ok(Way::Conversions),
            (Self::ArcResources, _) => Err(Refusal::ArcResources),

            (Self::Warc(WarcOutput::Sidecar), InPlace | Journal | Backup) => Err(Refusal::ConversionsInPlace),
            (Self::Warc(WarcOutput::Sidecar), File | Folder | StandardOutput | Member) => Ok(Way::Conversions),
            (Self::Warc(WarcOutput::Resource) | Self::WaczResources, InPlace | Journal | Backup) => {
                Err(Refusal::DerivedInPlace)
            }
            (Self::Warc(WarcOutput::Resource) | Self::WaczResources, File | Folder | StandardOutput | Member) => {
                Ok(Way::Derived)
            }
            (Self::Wacz, _) => Err(Refusal::WaczConversions),

            (Self::CompressedMbox | Self::CompressedWarc, Journal) => Err(Refusal::CompressedJournal),
            (Self::Bundle, Journal) => Err(Refusal::BundleJournal),
            (Self::MaildirMessage, Backup) => Err(Refusal::MaildirBackup),
            (Self::Other, InPlace | Member | Journal | Backup | Diff) | (Self::Bundle, Member) => Ok(Way::Unchanged),
            (_, Journal) => Ok(Way::Recorded),
            (_, Backup) | (Self::Other, _) => Ok(Way::Copied),

            (Self::Document | Self::Message | Self::MaildirMessage | Self::Mbox | Self::Bundle, Diff) => {
                Ok(Way::Edited)
            }
            (_, Diff) => Ok(Way::Named),
            (Self::Warc(_) | Self::CompressedWarc, _) => Ok(Way::Appended),
            (Self::Bundle, _) => Ok(Way::Packed),
            (Self::Document | Self::Message | Self::CompressedMessage | Self::MaildirMessage, _) => Ok(Way::Edited),
            (Self::Mbox | Self::CompressedMbox, _) => Ok(Way::Edited),
        }
    }
}

impl Given {
    /// Returns how such an input is written there, or why not.
    pub const fn to(self, column: Column) -> Cell {
        match (self, column) {
            (Self::StandardInput, Column::InPlace) => Err(Refusal::StandardInputInPlace),
            (Self::Pipe, Column::InPlace) => Err(Refusal::PipeInPlace),
            (Self::Several, Column::StandardOutput) => Err(Refusal::SeveralToStandardOutput),
            (Self::Several, Column::File) => Err(Refusal::SeveralInFile),
            (Self::IndexedMaildir, Column::InPlace) => Err(Refusal::IndexedMaildirInPlace),
            (Self::CopiedLinks, Column::InPlace) => Err(Refusal::CopiedLinksInPlace),
            (Self::CopiedLinks, Column::Diff) => Err(Refusal::CopiedLinksInDiff),
            (Self::CopiedLinks, Column::Member) => Err(Refusal::CopiedLinksInArchive),
            _ => Ok(Way::ByContent),
        }
    }
}
