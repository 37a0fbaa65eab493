//! The kinds of findings.

use std::fmt;

/// The kinds of findings. Their names are stable; `docs/findings.md` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// Relative references, and no base.
    NoBase,
    /// References to local copies whose original URLs are not known.
    LocalCopy,
    /// References in a saved document that lead to no local copy.
    NoLocalCopy,
    /// Relative references, and a base without hierarchy.
    OpaqueBase,
    /// References that have no target at their base.
    NoTarget,
    /// A target that would not be a valid URL.
    UnreadableTarget,
    /// A part that is no place of its own, and which document lends its base is not certain.
    PartBase,
    /// The base is valid on one computer or in one message only, and is not written into documents.
    BaseNotPortable,
    /// A declared base cannot be used.
    BaseRejected,
    /// The fields of one header declare different bases.
    BaseDisagreement,
    /// A base holds a user name or password.
    BaseCredentials,
    /// An ftp base with `;type=d` and no trailing slash.
    BaseDirectoryType,
    /// References in the items of a feed whose base is in doubt.
    FeedBase,
    /// References in a document for mail that only its author can follow.
    OutOfReach,
    /// A placeholder in a document for mail, which is kept.
    Placeholder,
    /// A reference like `Talk:Foo`: perhaps meant as a path, but read as a scheme.
    SchemeOrPath,
    /// A relative reference that is perhaps meant as a host.
    PerhapsHost,
    /// Fragment references whose target changes when the BASE is removed.
    FragmentMoves,
    /// The BASE was not removed, because links that stay relative need it.
    BaseNeeded,
    /// The document is in an encoding that is not edited.
    Charset,
    /// References whose bytes are needed to detect the encoding of the document.
    CharsetNeeded,
    /// Only the header of a part declares its charset.
    CharsetOutside,
    /// The content does not match the declared type.
    NotItsType,
    /// An explicitly named file of unknown type.
    UnknownType,
    /// A member of a ZIP or tar file that is not read.
    MemberUnread,
    /// The document tree took more work than its size allows.
    TreeTooLarge,
    /// Elements with an `xml:base`, or documents within documents, nest too deep.
    NestingTooDeep,
    /// The document is not well-formed XML.
    NotWellFormed,
    /// An element of raw text is in a `<select>`.
    SelectContent,
    /// A nested document was left unread.
    NestedDocument,
    /// A reference is composed of entities or sections.
    ComposedReference,
    /// A reference in plain text is broken after a hyphen.
    HyphenAtLineEnd,
    /// Bytes change that are covered by an integrity hash.
    Integrity,
    /// Absolute links would make the document many times its size.
    OutputTooLarge,
    /// The parts of a message cannot be determined reliably.
    MessageStructure,
    /// A malformed message, read as other programs read it.
    MessageRepaired,
    /// A transfer encoding that is not edited.
    TransferEncoding,
    /// Signed or encrypted parts.
    Signed,
    /// The signature of a server (DKIM, ARC) on a message that has relative links.
    Dkim,
    /// A message of an mbox may contain the beginning of another.
    MessageSeparator,
    /// A message exceeds the length limit.
    MessageTooLong,
    /// A document exceeds the length limit.
    DocumentTooLong,
    /// A URL was given but not used.
    UrlNotUsed,
    /// The sources of the retrieval URL disagree.
    UrlConflict,
    /// The input is a mirror with converted links.
    Mirror,
    /// Index files of a mail server that would not match the new folder.
    MailIndex,
    /// A message of a Maildir keeps its name, because the new name is taken.
    NameClash,
    /// The content coding of a response cannot be decoded.
    ContentCoding,
    /// A record of a web archive is truncated.
    RecordCutOff,
    /// Bytes of a compressed web archive are damaged.
    RecordDamaged,
    /// A record of a web archive does not match its declared digest.
    RecordDigest,
    /// The response of a record has no URL that documents are retrieved from.
    RecordUrl,
    /// A revisit record refers to a response that a resource record replaces.
    Revisit,
    /// The response to a request other than GET; a resource record cannot represent it.
    Transaction,
    /// An index of a web archive does not match it.
    ArchiveIndex,
    /// A line would exceed the line length limit of messages.
    LineTooLong,
    /// A symbolic link that points outside the input; copied as a link.
    SymlinkOutside,
    /// A symbolic link is kept, although its target has another URL.
    SymlinkKept,
    /// A glob of the command line that matches no file.
    GlobUnmatched,
    /// Neither a file, a folder nor a symbolic link; left out.
    NotAFile,
    /// A file changed in place has other hard links, which still contain the original.
    HardLink,
    /// A file to embed does not exist.
    ResourceMissing,
    /// A file to embed is outside the folder of its document.
    ResourceOutside,
    /// A file to embed cannot be read.
    ResourceUnreadable,
    /// A loaded file is not an image, style or font.
    ResourceType,
    /// No plain text can be extracted from a document.
    PlainText,
    /// Rules of a style that mail programs do not apply.
    MailStyle,
    /// An image that mail programs do not show.
    MailImage,
    /// A message that is longer than mail programs show.
    MailLength,
    /// A part of a message is not in the single page that is made of it.
    PartLeftOut,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 70] = [
        Self::NoBase,
        Self::LocalCopy,
        Self::NoLocalCopy,
        Self::OpaqueBase,
        Self::NoTarget,
        Self::UnreadableTarget,
        Self::PartBase,
        Self::BaseNotPortable,
        Self::BaseRejected,
        Self::BaseDisagreement,
        Self::BaseCredentials,
        Self::BaseDirectoryType,
        Self::FeedBase,
        Self::OutOfReach,
        Self::Placeholder,
        Self::SchemeOrPath,
        Self::PerhapsHost,
        Self::FragmentMoves,
        Self::BaseNeeded,
        Self::Charset,
        Self::CharsetNeeded,
        Self::CharsetOutside,
        Self::NotItsType,
        Self::UnknownType,
        Self::MemberUnread,
        Self::TreeTooLarge,
        Self::NestingTooDeep,
        Self::NotWellFormed,
        Self::SelectContent,
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
        Self::Mirror,
        Self::MailIndex,
        Self::NameClash,
        Self::ContentCoding,
        Self::RecordCutOff,
        Self::RecordDamaged,
        Self::RecordDigest,
        Self::RecordUrl,
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
        Self::MailStyle,
        Self::MailImage,
        Self::MailLength,
        Self::PartLeftOut,
    ];

    /// Returns the stable name.
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
            Self::PartBase => "part-base",
            Self::BaseNotPortable => "base-not-portable",
            Self::BaseRejected => "base-rejected",
            Self::BaseDisagreement => "base-disagreement",
            Self::BaseCredentials => "base-credentials",
            Self::BaseDirectoryType => "base-directory-type",
            Self::FeedBase => "feed-base",
            Self::OutOfReach => "out-of-reach",
            Self::Placeholder => "placeholder",
            Self::SchemeOrPath => "scheme-or-path",
            Self::PerhapsHost => "perhaps-host",
            Self::FragmentMoves => "fragment-moves",
            Self::BaseNeeded => "base-needed",
            Self::Charset => "charset",
            Self::CharsetNeeded => "charset-needed",
            Self::CharsetOutside => "charset-outside",
            Self::NotItsType => "not-its-type",
            Self::UnknownType => "unknown-type",
            Self::MemberUnread => "member-unread",
            Self::TreeTooLarge => "tree-too-large",
            Self::NestingTooDeep => "nesting-too-deep",
            Self::NotWellFormed => "not-well-formed",
            Self::SelectContent => "select-content",
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
            Self::Mirror => "mirror",
            Self::MailIndex => "mail-index",
            Self::NameClash => "name-clash",
            Self::ContentCoding => "content-coding",
            Self::RecordCutOff => "record-cut-off",
            Self::RecordDamaged => "record-damaged",
            Self::RecordDigest => "record-digest",
            Self::RecordUrl => "record-url",
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
            Self::MailStyle => "mail-style",
            Self::MailImage => "mail-image",
            Self::MailLength => "mail-length",
            Self::PartLeftOut => "part-left-out",
        }
    }
}

impl Code {
    /// Returns whether it reports something left unread, in which there may be more links: a document, or a part of
    /// one.
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
                | Self::MemberUnread
                | Self::TreeTooLarge
                | Self::NestingTooDeep
                | Self::NotWellFormed
                | Self::SelectContent
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
                | Self::RecordUrl
                | Self::RecordDamaged
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
