//! File types: documents, messages and containers.

use std::io::{self, Read};
use std::path::Path;

use absolve_framing::{
    ArchiveFormat, Compression, Extent, Framing, HeaderField, MESSAGE_BYTES, MailboxFraming, body_start, header_fields,
};
use absolve_links::DocumentType;

use crate::stream::{START, Tee};

/// A supported file type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileType {
    /// A document.
    Document(DocumentType),
    /// A message (`message/rfc822`), also one of Apple Mail (`.emlx`), or a page saved as one (MHTML, RFC 2557).
    Message,
    /// Messages in one file, plain or compressed: after separator lines (mbox, RFC 4155), or as in MMDF or Babyl, by the first bytes.
    Mailbox,
    /// Records of a web archive, plain or compressed.
    Archive(ArchiveFormat),
    /// Web archives in a ZIP file, with an index.
    Wacz,
}

impl FileType {
    /// A web archive (ISO 28500).
    pub const WARC: Self = Self::Archive(ArchiveFormat::Warc);
    /// A web archive in the format before WARC.
    pub const ARC: Self = Self::Archive(ArchiveFormat::Arc);

    /// Returns all types with their names on the command line.
    pub fn named() -> impl Iterator<Item = (&'static str, Self)> {
        let documents = DocumentType::ALL.into_iter().map(Self::Document).chain([Self::Message, Self::Mailbox]);
        let all = documents.chain(ArchiveFormat::ALL.into_iter().map(Self::Archive)).chain([Self::Wacz]);
        all.map(|one| (one.name(), one))
    }

    /// Number of bytes at the start of a file from which its type is detected.
    pub const START_BYTES: u64 = 2048;

    /// Returns the type of a file by its extension, if that is a known one.
    ///
    /// ```
    /// use absolve_containers::FileType;
    /// assert_eq!(FileType::of_extension("mhtml"), Some(FileType::Message));
    /// assert_eq!(FileType::of_extension("png"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        match &*extension.to_ascii_lowercase() {
            "eml" | "emlx" | "mht" | "mhtml" => Some(Self::Message),
            "mbox" | "mbx" | "mmdf" | "babyl" => Some(Self::Mailbox),
            "wacz" => Some(Self::Wacz),
            _ => {
                let archive = ArchiveFormat::of_extension(extension).map(Self::Archive);
                archive.or_else(|| DocumentType::of_extension(extension).map(Self::Document))
            }
        }
    }

    /// Returns the type of a file by its name, if that or its extension is a known one. Before the extension of a compression
    /// stands that of a message or of a stream of records.
    ///
    /// ```
    /// use absolve_containers::FileType;
    /// assert_eq!(FileType::of_name("crawl.ARC.gz".as_ref()), Some(FileType::ARC));
    /// assert_eq!(FileType::of_name("inbox.mbox.xz".as_ref()), Some(FileType::Mailbox));
    /// assert_eq!(FileType::of_name("page.html.gz".as_ref()), None);
    /// assert_eq!(FileType::of_name("site/llms.txt".as_ref()), FileType::of_extension("md"));
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
        // What llmstxt.org defines is Markdown.
        let is_text = path.as_os_str().as_encoded_bytes().ends_with(b".txt");
        if is_text && path.file_name().is_some_and(|name| name == "llms.txt" || name == "llms-full.txt") {
            return Some(Self::Document(DocumentType::Markdown));
        }
        let by_extension = |path: &Path| Self::of_extension(path.extension()?.to_str()?);
        match Compression::of_name(path) {
            Some(Compression::None) | None => by_extension(path),
            Some(_) => by_extension(Path::new(path.file_stem()?)).filter(|known| known.may_be_compressed()),
        }
    }

    /// Returns the type of an uncompressed file by its first bytes, if they are typical of one.
    ///
    /// ```
    /// use absolve_containers::FileType;
    /// assert_eq!(FileType::of_content(b"Received: from x\r\n by y"), Some(FileType::Message));
    /// assert_eq!(FileType::of_content(b"From a@b Thu Jan  1 00:00:00 1998\nTo: x\n"), Some(FileType::Mailbox));
    /// assert_eq!(FileType::of_content(b"From: a@b\nTo: c@d\nSubject: x\n\n"), Some(FileType::Message));
    /// assert_eq!(FileType::of_content(b"Note: plain text"), None);
    /// ```
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        if let Some(records) = Self::of_records(bytes) {
            return Some(records);
        }
        if begins_with_header(bytes) {
            return Some(Self::Message);
        }
        DocumentType::of_fragment(bytes).map(Self::Document)
    }

    /// Returns the type of an uncompressed file of records by its first bytes.
    ///
    /// ```
    /// use absolve_containers::FileType;
    /// assert_eq!(FileType::of_records(b"WARC/1.1\r\n"), Some(FileType::WARC));
    /// assert_eq!(FileType::of_records(b"Received: from x\r\n by y"), None);
    /// ```
    pub fn of_records(bytes: &[u8]) -> Option<Self> {
        let archive = ArchiveFormat::of(bytes).map(Self::Archive);
        archive.or_else(|| MailboxFraming::of(bytes).map(|_| Self::Mailbox))
    }

    /// Returns the type of a file that begins with `start`, which may be compressed; `rest` has the bytes after that. Those that
    /// decompression needs are added to `start`. Of compressed files only messages and streams of records are supported.
    ///
    /// ```
    /// use absolve_containers::FileType;
    /// let of_start = |start: &[u8]| FileType::of_start(&mut start.to_vec(), &mut std::io::empty());
    /// assert_eq!(of_start(b"MIME-Version: 1.0\n"), Some(FileType::Message));
    /// assert_eq!(of_start(b"\x1f\x8b\x08 and other bytes"), None);
    /// ```
    pub fn of_start(start: &mut Vec<u8>, rest: &mut dyn Read) -> Option<Self> {
        Self::of_first(start, rest, Self::of_content)
    }

    /// Returns the type of a file of records that begins with `start`, as [`of_start`](Self::of_start) does.
    pub fn of_start_of_records(start: &mut Vec<u8>, rest: &mut dyn Read) -> Option<Self> {
        Self::of_first(start, rest, Self::of_records)
    }

    fn of_first(start: &mut Vec<u8>, rest: &mut dyn Read, of: fn(&[u8]) -> Option<Self>) -> Option<Self> {
        match Compression::of(start) {
            // Code may be long before HTML begins.
            Compression::None if DocumentType::begins_with_code(start) => of(start),
            Compression::None => of(&start[..start.len().min(Self::START_BYTES as usize)]),
            compression if compression.has_dictionary(start) => Some(Self::WARC),
            compression => {
                let mut content = Vec::new();
                // Damage is reported when the file is read.
                let _ = decompressed(compression, start, rest).take(Self::START_BYTES).read_to_end(&mut content);
                of(&content).filter(|found| found.may_be_compressed())
            }
        }
    }

    /// Returns whether it is one document or message.
    pub const fn is_single(self) -> bool {
        matches!(self, Self::Document(_) | Self::Message)
    }

    /// Returns whether files of this type are read if they are compressed.
    pub const fn may_be_compressed(self) -> bool {
        matches!(self, Self::Message | Self::Mailbox | Self::Archive(_))
    }

    /// Returns the name of the type on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_containers::FileType::Message.name(), "message");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document(document_type) => document_type.name(),
            Self::Message => "message",
            Self::Mailbox => "mbox",
            Self::Archive(format) => format.name(),
            Self::Wacz => "wacz",
        }
    }
}

/// Returns whether a mailbox that begins with `start` holds more than one message; `rest` has the bytes after that. Those that it needs
/// are added to `start`.
///
/// ```
/// use absolve_containers::holds_several;
/// let message = b"From a@b Thu Jan  1 00:00:00 1998\nTo: x\n\n";
/// assert!(holds_several(&mut message.repeat(2), &mut std::io::empty()));
/// assert!(!holds_several(&mut message.to_vec(), &mut std::io::empty()));
/// ```
pub fn holds_several(start: &mut Vec<u8>, rest: &mut dyn Read) -> bool {
    let mut input = decompressed(Compression::of(start), start, rest);
    let (mut content, mut length) = (Vec::new(), START);
    loop {
        let is_read = (&mut input).take(length).read_to_end(&mut content).is_ok_and(|read| read as u64 == length);
        let extent = if is_read { Extent::Partial } else { Extent::Complete };
        let begin = content.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let mailbox = &content[begin..];
        let framing = MailboxFraming::of(mailbox).unwrap_or(MailboxFraming::Mbox);
        match framing.first_record(mailbox, extent) {
            Some(first) => return first.length < mailbox.len(),
            None if !is_read || content.len() > MESSAGE_BYTES => return false,
            None => length = content.len() as u64,
        }
    }
}

/// Returns a reader of the content of a file that begins with `start`. What it reads of `rest` is added to `start`.
fn decompressed<'r>(compression: Compression, start: &'r mut Vec<u8>, rest: &'r mut dyn Read) -> Box<dyn Read + 'r> {
    let first = io::Cursor::new(start.clone());
    compression.decompressed_start(first.chain(Tee { input: rest, copy: start }))
}

/// Returns whether the bytes begin with header fields (RFC 5322, section 3.6.8), one of which decides how a body is read or is written by
/// servers and mail programs only, or several of which are usual. Without one of the former the body is plain text.
fn begins_with_header(bytes: &[u8]) -> bool {
    const USUAL: [&str; 4] = ["From", "To", "Subject", "Date"];
    const MIN_USUAL: usize = 3;
    let (header_end, _) = body_start(bytes, 0..bytes.len());
    let (mut usual, mut parsed) = (0, 0);
    for field in header_fields(&bytes[..header_end]) {
        if field.start != parsed || field.name.is_empty() || !field.name.iter().all(u8::is_ascii_graphic) {
            return false;
        }
        parsed = field.value.end;
        if is_of_messages(&field) {
            return true;
        }
        usual += usize::from(USUAL.iter().any(|name| field.is_named(name)));
    }
    // The last line may be cut off.
    usual >= MIN_USUAL && (parsed == header_end || header_end == bytes.len())
}

/// Returns whether a field occurs in messages only.
fn is_of_messages(field: &HeaderField<'_>) -> bool {
    const NAMES: [&str; 11] = [
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
        "Received",
        "Return-Path",
        "Delivered-To",
        "Message-ID",
        "Snapshot-Content-Location",
        "List-Id",
        "List-Unsubscribe",
        "X-Mozilla-Status",
    ];
    NAMES.iter().any(|name| field.is_named(name))
}
