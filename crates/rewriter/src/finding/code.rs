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
    /// References by `cid:` that lead to no part of their message.
    NoPart,
    /// Relative references, and a base without hierarchy.
    OpaqueBase,
    /// References that have no target at their base.
    NoTarget,
    /// A target that would not be a valid URL.
    UnreadableTarget,
    /// A pattern of URLs that has no absolute form.
    UrlPattern,
    /// References in custom properties, which browsers resolve at different stylesheets.
    CssVariable,
    /// A part that is no place of its own, and which document lends its base is not certain.
    PartBase,
    /// References that lead to no part of a message, although one has the end of their target.
    OtherBase,
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
    /// References in a saved page whose BASE may have been removed.
    BaseDropped,
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
    /// References that stay relative, and lead elsewhere at a BASE that is mapped.
    BaseMapped,
    /// References before the BASE, which browsers may load before they read it.
    BeforeBase,
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
    /// A file without a type that was detected, and is read as HTML.
    TypeAssumed,
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
    /// A link of a wiki is text in Markdown.
    WikiLink,
    /// Markdown has a link between two dollar signs, where some readers show mathematics.
    Mathematics,
    /// Attributes of XML that may contain references, in a vocabulary that is not known.
    UnknownVocabulary,
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
    /// The content of a response does not have the coding that its header declares.
    NotItsCoding,
    /// A record of a web archive is truncated.
    RecordCutOff,
    /// A record of a web archive has only a part of its content.
    RecordIncomplete,
    /// A record of a web archive is a segment of a divided one.
    RecordSegment,
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
    /// A file of a WACZ does not match the digest that the package declares.
    PackageDigest,
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

/// All codes with their names, in their order.
const CODES: &[(Code, &str)] = &[
    (Code::NoBase, "no-base"),
    (Code::LocalCopy, "local-copy"),
    (Code::NoLocalCopy, "no-local-copy"),
    (Code::NoPart, "no-part"),
    (Code::OpaqueBase, "opaque-base"),
    (Code::NoTarget, "no-target"),
    (Code::UnreadableTarget, "unreadable-target"),
    (Code::UrlPattern, "url-pattern"),
    (Code::CssVariable, "css-variable"),
    (Code::PartBase, "part-base"),
    (Code::OtherBase, "other-base"),
    (Code::BaseNotPortable, "base-not-portable"),
    (Code::BaseRejected, "base-rejected"),
    (Code::BaseDisagreement, "base-disagreement"),
    (Code::BaseCredentials, "base-credentials"),
    (Code::BaseDirectoryType, "base-directory-type"),
    (Code::BaseDropped, "base-dropped"),
    (Code::FeedBase, "feed-base"),
    (Code::OutOfReach, "out-of-reach"),
    (Code::Placeholder, "placeholder"),
    (Code::SchemeOrPath, "scheme-or-path"),
    (Code::PerhapsHost, "perhaps-host"),
    (Code::FragmentMoves, "fragment-moves"),
    (Code::BaseMapped, "base-mapped"),
    (Code::BeforeBase, "before-base"),
    (Code::BaseNeeded, "base-needed"),
    (Code::Charset, "charset"),
    (Code::CharsetNeeded, "charset-needed"),
    (Code::CharsetOutside, "charset-outside"),
    (Code::NotItsType, "not-its-type"),
    (Code::UnknownType, "unknown-type"),
    (Code::TypeAssumed, "type-assumed"),
    (Code::MemberUnread, "member-unread"),
    (Code::TreeTooLarge, "tree-too-large"),
    (Code::NestingTooDeep, "nesting-too-deep"),
    (Code::NotWellFormed, "not-well-formed"),
    (Code::SelectContent, "select-content"),
    (Code::NestedDocument, "nested-document"),
    (Code::ComposedReference, "composed-reference"),
    (Code::HyphenAtLineEnd, "hyphen-at-line-end"),
    (Code::WikiLink, "wiki-link"),
    (Code::Mathematics, "mathematics"),
    (Code::UnknownVocabulary, "unknown-vocabulary"),
    (Code::Integrity, "integrity"),
    (Code::OutputTooLarge, "output-too-large"),
    (Code::MessageStructure, "message-structure"),
    (Code::MessageRepaired, "message-repaired"),
    (Code::TransferEncoding, "transfer-encoding"),
    (Code::Signed, "signed"),
    (Code::Dkim, "dkim"),
    (Code::MessageSeparator, "message-separator"),
    (Code::MessageTooLong, "message-too-long"),
    (Code::DocumentTooLong, "document-too-long"),
    (Code::UrlNotUsed, "url-not-used"),
    (Code::UrlConflict, "url-conflict"),
    (Code::Mirror, "mirror"),
    (Code::MailIndex, "mail-index"),
    (Code::NameClash, "name-clash"),
    (Code::ContentCoding, "content-coding"),
    (Code::NotItsCoding, "not-its-coding"),
    (Code::RecordCutOff, "record-cut-off"),
    (Code::RecordIncomplete, "record-incomplete"),
    (Code::RecordSegment, "record-segment"),
    (Code::RecordDamaged, "record-damaged"),
    (Code::RecordDigest, "record-digest"),
    (Code::RecordUrl, "record-url"),
    (Code::Revisit, "revisit"),
    (Code::Transaction, "transaction"),
    (Code::ArchiveIndex, "archive-index"),
    (Code::PackageDigest, "package-digest"),
    (Code::LineTooLong, "line-too-long"),
    (Code::SymlinkOutside, "symlink-outside"),
    (Code::SymlinkKept, "symlink-kept"),
    (Code::GlobUnmatched, "glob-unmatched"),
    (Code::NotAFile, "not-a-file"),
    (Code::HardLink, "hard-link"),
    (Code::ResourceMissing, "resource-missing"),
    (Code::ResourceOutside, "resource-outside"),
    (Code::ResourceUnreadable, "resource-unreadable"),
    (Code::ResourceType, "resource-type"),
    (Code::PlainText, "plain-text"),
    (Code::MailStyle, "mail-style"),
    (Code::MailImage, "mail-image"),
    (Code::MailLength, "mail-length"),
    (Code::PartLeftOut, "part-left-out"),
];

impl Code {
    /// Returns all codes, in their order.
    ///
    /// ```
    /// assert!(absolve_rewriter::Code::all().is_sorted());
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        CODES.iter().map(|(code, _)| *code)
    }

    /// Returns the stable name.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::Code::SchemeOrPath.name(), "scheme-or-path");
    /// ```
    pub const fn name(self) -> &'static str {
        CODES[self as usize].1
    }

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
                | Self::RecordSegment
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
