//! Why something is not written.

use std::io;

use thiserror::Error;

use crate::limits::COPIES_BY_LINKS;

/// Why something is not written, or not completely: a sentence, perhaps without its subject, that names no option. Each program
/// adds its own that help.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Standard input is no file.
    #[error("cannot be changed in place")]
    StandardInputInPlace,
    /// Nor is a pipe or a device.
    #[error("is a pipe or a device, which cannot be changed in place")]
    PipeInPlace,
    /// Several files do not become one.
    #[error("an archive is only written of one archive; name a folder, and pack that")]
    SeveralInFile,
    /// Nor one stream.
    #[error("cannot go to standard output; name a folder")]
    SeveralToStandardOutput,
    /// The index would no longer be right.
    #[error("a mail server keeps an index of these messages")]
    IndexedMaildirInPlace,
    /// New files are to be written for symbolic links, in a run in place.
    #[error("symbolic links become new files only in an output of their own")]
    CopiedLinksInPlace,
    /// The same, in an archive.
    #[error("the links of an archive stay; unpack it, and name the folder")]
    CopiedLinksInArchive,
    /// The same, in a diff.
    #[error("with new files for symbolic links, a diff would change the files that the links point to")]
    CopiedLinksInDiff,
    /// The backup would be read as a message.
    #[error("a backup beside a message of a Maildir would be one more message")]
    MaildirBackup,
    /// A journal records edits of plain bytes.
    #[error("it is compressed, which a journal cannot undo")]
    CompressedJournal,
    /// The same, of an archive of files.
    #[error("it is an archive of files, which a journal cannot undo")]
    BundleJournal,
    /// Conversions alone do not replace an archive.
    #[error("its conversions would take the place of the archive")]
    ConversionsInPlace,
    /// Nor does an archive that lacks the responses.
    #[error("a derived archive cannot replace the archive in place")]
    DerivedInPlace,
    /// An ARC has no records of that type, and nothing else is written in place.
    #[error("an ARC holds no conversions; name an output for those")]
    ArcInPlace,
    /// An archive gets no new members.
    #[error("an ARC holds no conversions; unpack the archive, and name the folder")]
    ArcMember,
    /// An ARC has no records of that type.
    #[error("an ARC holds no resources")]
    ArcResources,
    /// The conversions would not be in its index.
    #[error("a WACZ cannot hold conversions")]
    WaczConversions,
    /// Conversions are a WARC.
    #[error("an ARC holds no conversions; give the output a name that ends in .warc or .warc.gz")]
    ArcName,
    /// The name of the output is that of another compression.
    #[error("the output begins with the bytes of the archive, and those are not compressed as this name says")]
    OtherCompression,
    /// Conversions that follow a broken record, which this says.
    #[error("{0}; no conversions are appended, because readers would not find them after it")]
    AppendAfterBroken(String),
    /// The conversions of an ARC would have the name of another file.
    #[error("the input contains a file {0}, too")]
    NameTaken(String),
    /// The file that is to be the backup.
    #[error("{0} exists")]
    BackupExists(String),
    /// Symbolic links multiply files.
    #[error("its symbolic links lead to more than {COPIES_BY_LINKS} files")]
    TooManyCopies,
}

impl Refusal {
    /// Returns the refusal that an error consists of, if it does.
    ///
    /// ```
    /// use absolve_files::Refusal;
    /// let error = std::io::Error::from(Refusal::ArcResources);
    /// assert_eq!(Refusal::of(&error), Some(&Refusal::ArcResources));
    /// assert_eq!(error.to_string(), "an ARC holds no resources");
    /// ```
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal {
            Refusal::BackupExists(_) => io::ErrorKind::AlreadyExists,
            _ => io::ErrorKind::Unsupported,
        };
        Self::new(kind, refusal)
    }
}
