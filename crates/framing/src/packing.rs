//! Packed files, by their first bytes and their extensions: compressed ones, archives, and mail of Outlook.

/// A format of packed files.
///
/// ```
/// use absolve_framing::Packing;
/// assert_eq!(Packing::of(b"\x1F\x8B\x08 and other bytes"), Packing::of_extension("GZ"));
/// assert_eq!(Packing::of(b"PK\x03\x04 and other bytes").map(|packing| packing.extension), Some("zip"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Its name.
    pub name: &'static str,
    /// The extension of such files, in lower case.
    pub extension: &'static str,
    /// The command that unpacks them.
    pub command: &'static str,
    start: &'static [u8],
}

impl Packing {
    /// Returns the compression or packing of a file by its first bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        PACKINGS.into_iter().find(|known| bytes.starts_with(known.start))
    }

    /// Returns the compression or packing of files with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        PACKINGS.into_iter().find(|known| extension.eq_ignore_ascii_case(known.extension))
    }

    /// Returns what a file of Outlook is, by its first bytes.
    pub fn of_outlook(bytes: &[u8]) -> Option<Self> {
        OUTLOOK.into_iter().find(|known| bytes.starts_with(known.start))
    }

    /// Returns whether an extension is that of mail of Outlook, which is not read.
    ///
    /// ```
    /// assert!(absolve_framing::Packing::is_of_outlook("PST"));
    /// ```
    pub fn is_of_outlook(extension: &str) -> bool {
        OUTLOOK.iter().any(|known| extension.eq_ignore_ascii_case(known.extension))
    }
}

const PACKINGS: [Packing; 9] = [
    packing(b"\x1F\x8B\x08", "gzip", "gz", "gunzip"),
    packing(b"\x28\xB5\x2F\xFD", "Zstandard", "zst", "unzstd"),
    packing(b"BZh", "bzip2", "bz2", "bunzip2"),
    packing(b"\xFD7zXZ\0", "xz", "xz", "unxz"),
    packing(b"LZIP", "lzip", "lz", "lzip -d"),
    packing(b"\x04\x22\x4D\x18", "LZ4", "lz4", "unlz4"),
    packing(b"\x1F\x9D", "compress", "z", "uncompress"),
    packing(b"PK\x03\x04", "ZIP", "zip", "unzip"),
    packing(b"7z\xBC\xAF\x27\x1C", "7-Zip", "7z", "7z x"),
];

/// The files of Outlook, and the commands that make messages of them.
const OUTLOOK: [Packing; 3] = [
    packing(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a message (.msg)", "msg", "msgconvert FILE"),
    packing(b"!BDN", "a data file (.pst, .ost)", "pst", "readpst -e FILE"),
    packing(b"!BDN", "a data file (.pst, .ost)", "ost", "readpst -e FILE"),
];

const fn packing(start: &'static [u8], name: &'static str, extension: &'static str, command: &'static str) -> Packing {
    Packing { name, extension, command, start }
}
