//! What is worth telling and does not stop the run.

use std::fmt;

use crate::position::Position;

/// Something found in the data.
///
/// ```
/// use absolve_rewriter::{Code, Finding};
/// let finding = Finding::new(Code::NoBase, "3 references stay relative").at(17);
/// assert_eq!(finding.to_string(), "byte 17: no-base: 3 references stay relative");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// The record of the container, as in `17`; empty for a file that holds one.
    pub record: String,
    /// The part of the entity, as in `1.2.1`; empty for a bare file.
    pub part: String,
    /// The first byte of the part it concerns.
    pub byte: Option<usize>,
    /// Where that stands in the file, if the file is the entity.
    pub position: Option<Position>,
    /// What was found and what was done with the bytes, in one lower-case sentence.
    pub message: String,
}

/// The kinds of findings. Their names are stable; `docs/findings.md` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// Relative references, and no base.
    NoBase,
    /// References that were made to lead to copies whose URLs are not known.
    LocalCopy,
    /// References that lead to no copy although their document is saved.
    NoLocalCopy,
    /// Relative references, and a base without hierarchy.
    OpaqueBase,
    /// References that have no target at their base.
    NoTarget,
    /// A target that is no URL.
    UnreadableTarget,
    /// The base means nothing elsewhere and is not written into documents.
    BaseNotPortable,
    /// A declared base is not usable.
    BaseRejected,
    /// The header fields of one heading disagree about the base.
    BaseDisagreement,
    /// A base holds a user name or password.
    BaseCredentials,
    /// An ftp base with `;type=d` and no trailing slash.
    BaseDirectoryType,
    /// References in a document to be mailed that only its author can follow.
    OutOfReach,
    /// A reference like `Talk:Foo`, which is a path to its author and a scheme to everybody else.
    SchemeOrPath,
    /// Fragment references that go elsewhere once the BASE is gone.
    FragmentMoves,
    /// The BASE was to go, but links that stay relative need it.
    BaseNeeded,
    /// The encoding of the document is not edited.
    Charset,
    /// References whose bytes show in which encoding the document is.
    CharsetNeeded,
    /// The content is not of the type its name or label says.
    NotItsType,
    /// A file that was asked for by name is of no known type.
    UnknownType,
    /// The document tree took more work than its size allows.
    TreeTooLarge,
    /// Elements with an `xml:base`, or documents within documents, nest too deep.
    NestingTooDeep,
    /// The document is no well-formed XML.
    NotWellFormed,
    /// A document within this one was left unread.
    NestedDocument,
    /// A reference is put together from entities or sections.
    ComposedReference,
    /// A reference in plain text is broken behind a hyphen.
    HyphenAtLineEnd,
    /// Bytes change that a document pins by their digest.
    Integrity,
    /// The links would make the document many times its size.
    OutputTooLarge,
    /// The parts of a message cannot be told for sure.
    MessageStructure,
    /// A message breaks a rule, and is read as other programs read it.
    MessageRepaired,
    /// A transfer encoding that is not edited.
    TransferEncoding,
    /// Signed or encrypted parts.
    Signed,
    /// The signature of a server (DKIM, ARC) on a message that has relative links.
    Dkim,
    /// In a message of an mbox the beginning of another may hide.
    MessageSeparator,
    /// A message is longer than any that is read.
    MessageTooLong,
    /// A document is longer than any that is read.
    DocumentTooLong,
    /// A URL was given for what was not retrieved from one.
    UrlNotUsed,
    /// Those who say where a document was retrieved from do not agree.
    UrlConflict,
    /// Index files of a mail server that would not fit the new folder.
    MailIndex,
    /// A message of a Maildir keeps its name, because another one has the name that it would get.
    NameClash,
    /// The content of a response is in a coding that cannot be taken off.
    ContentCoding,
    /// A record of a web archive breaks off.
    RecordCutOff,
    /// Bytes of a compressed web archive are damaged.
    RecordDamaged,
    /// A record of a web archive has another digest than it tells.
    RecordDigest,
    /// A revisit refers to a response that a resource replaces behind it.
    Revisit,
    /// The answer to a request that is no GET, which a resource could not be told from that to a GET.
    Transaction,
    /// An index of a web archive does not follow it.
    ArchiveIndex,
    /// A line would become longer than lines of a message may be.
    LineTooLong,
    /// A symbolic link that leads out of the tree; copied as a link.
    SymlinkOutside,
    /// A symbolic link is kept, and what it leads to means something else there.
    SymlinkKept,
    /// A glob of the command line that matches no file.
    GlobUnmatched,
    /// Neither a file, a folder nor a symbolic link; left out.
    NotAFile,
    /// A file changed in place has other names, which lead to the original now.
    HardLink,
    /// A file that a message was to hold does not exist.
    ResourceMissing,
    /// A file that a message was to hold stands outside the folder of its document.
    ResourceOutside,
    /// A file that a message was to hold cannot be read.
    ResourceUnreadable,
    /// A file that a document loads is no image, style or font.
    ResourceType,
    /// No plain text can be made of a document.
    PlainText,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 57] = [
        Self::NoBase,
        Self::LocalCopy,
        Self::NoLocalCopy,
        Self::OpaqueBase,
        Self::NoTarget,
        Self::UnreadableTarget,
        Self::BaseNotPortable,
        Self::BaseRejected,
        Self::BaseDisagreement,
        Self::BaseCredentials,
        Self::BaseDirectoryType,
        Self::OutOfReach,
        Self::SchemeOrPath,
        Self::FragmentMoves,
        Self::BaseNeeded,
        Self::Charset,
        Self::CharsetNeeded,
        Self::NotItsType,
        Self::UnknownType,
        Self::TreeTooLarge,
        Self::NestingTooDeep,
        Self::NotWellFormed,
        Self::NestedDocument,
        Self::ComposedReference,
        Self::HyphenAtLineEnd,
        Self::Integrity,
        Self::OutputTooLarge,
        Self::MessageStructure,
        Self::MessageRepaired,
        Self::TransferEncoding,
        Self::Signed,
        Self::Dkim,
        Self::MessageSeparator,
        Self::MessageTooLong,
        Self::DocumentTooLong,
        Self::UrlNotUsed,
        Self::UrlConflict,
        Self::MailIndex,
        Self::NameClash,
        Self::ContentCoding,
        Self::RecordCutOff,
        Self::RecordDamaged,
        Self::RecordDigest,
        Self::Revisit,
        Self::Transaction,
        Self::ArchiveIndex,
        Self::LineTooLong,
        Self::SymlinkOutside,
        Self::SymlinkKept,
        Self::GlobUnmatched,
        Self::NotAFile,
        Self::HardLink,
        Self::ResourceMissing,
        Self::ResourceOutside,
        Self::ResourceUnreadable,
        Self::ResourceType,
        Self::PlainText,
    ];

    /// The stable name.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::Code::SchemeOrPath.name(), "scheme-or-path");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoBase => "no-base",
            Self::LocalCopy => "local-copy",
            Self::NoLocalCopy => "no-local-copy",
            Self::OpaqueBase => "opaque-base",
            Self::NoTarget => "no-target",
            Self::UnreadableTarget => "unreadable-target",
            Self::BaseNotPortable => "base-not-portable",
            Self::BaseRejected => "base-rejected",
            Self::BaseDisagreement => "base-disagreement",
            Self::BaseCredentials => "base-credentials",
            Self::BaseDirectoryType => "base-directory-type",
            Self::OutOfReach => "out-of-reach",
            Self::SchemeOrPath => "scheme-or-path",
            Self::FragmentMoves => "fragment-moves",
            Self::BaseNeeded => "base-needed",
            Self::Charset => "charset",
            Self::CharsetNeeded => "charset-needed",
            Self::NotItsType => "not-its-type",
            Self::UnknownType => "unknown-type",
            Self::TreeTooLarge => "tree-too-large",
            Self::NestingTooDeep => "nesting-too-deep",
            Self::NotWellFormed => "not-well-formed",
            Self::NestedDocument => "nested-document",
            Self::ComposedReference => "composed-reference",
            Self::HyphenAtLineEnd => "hyphen-at-line-end",
            Self::Integrity => "integrity",
            Self::OutputTooLarge => "output-too-large",
            Self::MessageStructure => "message-structure",
            Self::MessageRepaired => "message-repaired",
            Self::TransferEncoding => "transfer-encoding",
            Self::Signed => "signed",
            Self::Dkim => "dkim",
            Self::MessageSeparator => "message-separator",
            Self::MessageTooLong => "message-too-long",
            Self::DocumentTooLong => "document-too-long",
            Self::UrlNotUsed => "url-not-used",
            Self::UrlConflict => "url-conflict",
            Self::MailIndex => "mail-index",
            Self::NameClash => "name-clash",
            Self::ContentCoding => "content-coding",
            Self::RecordCutOff => "record-cut-off",
            Self::RecordDamaged => "record-damaged",
            Self::RecordDigest => "record-digest",
            Self::Revisit => "revisit",
            Self::Transaction => "transaction",
            Self::ArchiveIndex => "archive-index",
            Self::LineTooLong => "line-too-long",
            Self::SymlinkOutside => "symlink-outside",
            Self::SymlinkKept => "symlink-kept",
            Self::GlobUnmatched => "glob-unmatched",
            Self::NotAFile => "not-a-file",
            Self::HardLink => "hard-link",
            Self::ResourceMissing => "resource-missing",
            Self::ResourceOutside => "resource-outside",
            Self::ResourceUnreadable => "resource-unreadable",
            Self::ResourceType => "resource-type",
            Self::PlainText => "plain-text",
        }
    }
}

impl Code {
    /// Whether it says that something was left unread: a document, or a stretch of one, in which there may be more links.
    ///
    /// ```
    /// use absolve_rewriter::Code;
    /// assert!(Code::Charset.leaves_unread() && !Code::UrlNotUsed.leaves_unread());
    /// ```
    pub const fn leaves_unread(self) -> bool {
        matches!(
            self,
            Self::Charset
                | Self::NotItsType
                | Self::UnknownType
                | Self::TreeTooLarge
                | Self::NestingTooDeep
                | Self::NotWellFormed
                | Self::NestedDocument
                | Self::ComposedReference
                | Self::OutputTooLarge
                | Self::MessageStructure
                | Self::TransferEncoding
                | Self::MessageSeparator
                | Self::MessageTooLong
                | Self::DocumentTooLong
                | Self::ContentCoding
                | Self::RecordCutOff
                | Self::RecordDamaged
        )
    }
}

impl Finding {
    /// A finding about a whole bare file.
    ///
    /// ```
    /// use absolve_rewriter::{Code, Finding};
    /// assert_eq!(Finding::new(Code::Charset, "left as it is").byte, None);
    /// ```
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, record: String::new(), part: String::new(), byte: None, position: None, message: message.into() }
    }

    /// The same finding at a byte of its part.
    ///
    /// ```
    /// use absolve_rewriter::{Code, Finding};
    /// assert_eq!(Finding::new(Code::NoBase, "x").at(3).byte, Some(3));
    /// ```
    #[must_use]
    pub fn at(self, byte: usize) -> Self {
        Self { byte: Some(byte), ..self }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.record.is_empty() {
            write!(formatter, "record {}: ", self.record)?;
        }
        if !self.part.is_empty() {
            write!(formatter, "part {}: ", self.part)?;
        }
        if let Some(byte) = self.byte {
            write!(formatter, "byte {byte}: ")?;
        }
        write!(formatter, "{}: {}", self.code, self.message)
    }
}
