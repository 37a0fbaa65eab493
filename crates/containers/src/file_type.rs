//! File types: documents, messages and containers.

use std::io::{self, Read};
use std::path::Path;

use absolve_base::{HeaderField, header_fields};
use absolve_links::DocumentType;
use absolve_rewriter::internal::body_start;

use crate::compression::Compression;
use crate::framing::arc::begins_arc;
use crate::framing::archive::ArchiveFormat;
use crate::framing::babyl::begins_babyl;
use crate::framing::mbox::begins_mbox;
use crate::framing::mmdf::begins_mmdf;
use crate::framing::warc::begins_warc;
use crate::stream::Tee;

/// A supported file type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileType {
    /// A document.
    Document(DocumentType),
    /// A message (`message/rfc822`), also one of Apple Mail (`.emlx`), or a page saved as one (MHTML, RFC 2557).
    Message,
    /// A file with many documents or messages.
    Container(Container),
}

/// A type of file with many documents or messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// Messages in one file: after separator lines (mbox, RFC 4155), or as in MMDF or Babyl, by the first bytes.
    Mailbox,
    /// Records of a web archive.
    Archive(ArchiveFormat),
    /// Web archives in a ZIP file, with an index.
    Wacz,
}

impl FileType {
    /// Messages in an mbox (RFC 4155), or as in MMDF or Babyl, plain or compressed.
    pub const MBOX: Self = Self::Container(Container::Mailbox);
    /// A web archive (ISO 28500), plain or compressed.
    pub const WARC: Self = Self::Container(Container::Archive(ArchiveFormat::Warc));
    /// A web archive in the format before WARC, plain or compressed.
    pub const ARC: Self = Self::Container(Container::Archive(ArchiveFormat::Arc));
    /// Web archives in a ZIP file (WACZ).
    pub const WACZ: Self = Self::Container(Container::Wacz);

    /// All types.
    pub const ALL: [Self; 9] = [
        Self::Document(DocumentType::Html),
        Self::Document(DocumentType::Css),
        Self::Document(DocumentType::Xml),
        Self::Document(DocumentType::Text),
        Self::Message,
        Self::MBOX,
        Self::WARC,
        Self::ARC,
        Self::WACZ,
    ];

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
            "mbox" | "mbx" | "mmdf" | "babyl" => Some(Self::MBOX),
            "warc" => Some(Self::WARC),
            "arc" => Some(Self::ARC),
            "wacz" => Some(Self::WACZ),
            _ => DocumentType::of_extension(extension).map(Self::Document),
        }
    }

    /// Returns the type of a file by its name, if its extension is a known one. Before the extension of a compression stands
    /// that of a message or of a stream of records.
    ///
    /// ```
    /// use absolve_containers::FileType;
    /// assert_eq!(FileType::of_name("crawl.ARC.gz".as_ref()), Some(FileType::ARC));
    /// assert_eq!(FileType::of_name("inbox.mbox.xz".as_ref()), Some(FileType::MBOX));
    /// assert_eq!(FileType::of_name("page.html.gz".as_ref()), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
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
    /// assert_eq!(FileType::of_content(b"From a@b Thu Jan  1 00:00:00 1998\nTo: x\n"), Some(FileType::MBOX));
    /// assert_eq!(FileType::of_content(b"From: a@b\nTo: c@d\nSubject: x\n\n"), Some(FileType::Message));
    /// assert_eq!(FileType::of_content(b"Note: plain text"), None);
    /// ```
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        if let Some(stream) = stream_of_content(bytes) {
            return Some(stream);
        }
        if begins_with_header(bytes) {
            return Some(Self::Message);
        }
        DocumentType::of_fragment(bytes).map(Self::Document)
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
        match Compression::of(start) {
            Compression::None => Self::of_content(&start[..start.len().min(Self::START_BYTES as usize)]),
            compression if compression.has_dictionary(start) => Some(Self::WARC),
            compression => {
                let (first, mut content) = (io::Cursor::new(start.clone()), Vec::new());
                let decoder = compression.decompressed_start(first.chain(Tee { input: rest, copy: start }));
                // Damage is reported when the file is read.
                let _ = decoder.take(Self::START_BYTES).read_to_end(&mut content);
                Self::of_content(&content).filter(|found| found.may_be_compressed())
            }
        }
    }

    /// Returns whether files of this type are read if they are compressed.
    const fn may_be_compressed(self) -> bool {
        matches!(self, Self::Message | Self::Container(Container::Mailbox | Container::Archive(_)))
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
            Self::MBOX => "mbox",
            Self::WARC => "warc",
            Self::ARC => "arc",
            Self::WACZ => "wacz",
        }
    }
}

fn stream_of_content(bytes: &[u8]) -> Option<FileType> {
    if begins_warc(bytes) {
        return Some(FileType::WARC);
    }
    if begins_arc(bytes) {
        return Some(FileType::ARC);
    }
    (begins_mbox(bytes) || begins_mmdf(bytes) || begins_babyl(bytes)).then_some(FileType::MBOX)
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
