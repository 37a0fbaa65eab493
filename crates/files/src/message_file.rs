//! The message in its file: alone, compressed, or with what Apple Mail adds (`.emlx`).

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use absolve_framing::{Compression, counted_message};
use absolve_links::Edits;
use absolve_rewriter::internal::{message_too_long, packed};
use absolve_rewriter::{Code, Finding};

use crate::limits::COMPRESSED_MESSAGE_BYTES;

/// How a file contains a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageFile {
    compression: Compression,
    /// The content of the file, if it is compressed.
    decompressed: Option<Vec<u8>>,
    /// The message in the content. Apple Mail writes the number of its bytes before it, and a property list after it.
    message: Range<usize>,
}

impl MessageFile {
    /// Returns how the file with these bytes and this name contains its message, or the finding about one that is not read. Apple
    /// Mail compresses none.
    pub(crate) fn of(file: &[u8], name: &Path) -> io::Result<Result<Self, Finding>> {
        let is_of_apple = name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("emlx"));
        let compression = if is_of_apple { Compression::None } else { Compression::of(file) };
        let mut decompressed = None;
        if compression != Compression::None {
            let content = decompressed.insert(Vec::new());
            compression.decoder(file).take(COMPRESSED_MESSAGE_BYTES + 1).read_to_end(content)?;
            if content.len() as u64 > COMPRESSED_MESSAGE_BYTES {
                return Ok(Err(message_too_long(COMPRESSED_MESSAGE_BYTES)));
            }
        }
        let content = decompressed.as_deref().unwrap_or(file);
        Ok(counted_message(content)
            .map_err(|count| {
                let message = format!(
                    "its first line declares a message of {} bytes, after which no property list of Apple Mail begins; left unchanged",
                    String::from_utf8_lossy(count)
                );
                Finding::new(Code::MessageStructure, message)
            })
            .map(|message| Self { compression, message, decompressed }))
    }

    fn content<'b>(&'b self, file: &'b [u8]) -> &'b [u8] {
        self.decompressed.as_deref().unwrap_or(file)
    }

    /// Returns the message in the file with these bytes.
    pub(crate) fn message<'b>(&'b self, file: &'b [u8]) -> &'b [u8] {
        &self.content(file)[self.message.clone()]
    }

    /// Returns the compression of the file.
    pub(crate) const fn compression(&self) -> Compression {
        self.compression
    }

    /// Returns the edits of the file for those of its message, unless they are the same. It becomes compressed as `compression`, unless
    /// its content is packed by another program, and not read.
    pub(crate) fn edits(&self, file: &[u8], edits: &Edits, compression: Compression) -> io::Result<Option<Edits>> {
        let is_unread = || packed(self.content(file)).is_some();
        if edits.is_empty() && (compression == self.compression || is_unread()) {
            return Ok(None);
        }
        let edits = match self.message.start {
            0 => Cow::Borrowed(edits),
            _ => Cow::Owned(self.with_count(file, edits)),
        };
        if (compression, self.compression) == (Compression::None, Compression::None) {
            return Ok(matches!(edits, Cow::Owned(_)).then(|| edits.into_owned()));
        }
        let mut encoder = compression.encoder(Vec::new())?;
        encoder.write_all(&edits.splice(self.content(file)))?;
        let mut whole = Edits::default();
        whole.push(0..file.len(), &encoder.finish()?);
        Ok(Some(whole))
    }

    /// Returns edits of a message as edits of the content of its file, where the number of its bytes stays right.
    fn with_count(&self, file: &[u8], edits: &Edits) -> Edits {
        let line = &self.content(file)[..self.message.start];
        let width = line.iter().take_while(|byte| !matches!(byte, b'\r' | b'\n')).count();
        let lengths = edits.iter().map(|(range, text)| text.len() as isize - range.len() as isize);
        let count = self.message.len().saturating_add_signed(lengths.sum());
        let mut of_file = Edits::default();
        of_file.push(0..width, format!("{count:<width$}").as_bytes());
        of_file.append(edits.clone().shifted(self.message.start));
        of_file
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use absolve_framing::Compression;
    use absolve_links::Edits;

    use super::MessageFile;

    const LIST: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict/></plist>\n";

    #[test]
    fn the_number_of_bytes_stays_right() -> io::Result<()> {
        for (line, expected) in [("9\n", "10\n"), ("9         \n", "10        \n"), ("009\r\n", "10 \r\n")] {
            let file = format!("{line}To: x\n\nab{LIST}");
            let Ok(found) = MessageFile::of(file.as_bytes(), "a.eml".as_ref())? else { panic!("{line:?} is right") };
            assert_eq!(found.message(file.as_bytes()), b"To: x\n\nab");
            let edits = Edits::from([(7..8, "cd")]);
            let edits = found.edits(file.as_bytes(), &edits, Compression::None)?.unwrap_or_default();
            assert_eq!(String::from_utf8(edits.splice(file.as_bytes())), Ok(format!("{expected}To: x\n\ncdb{LIST}")));
            assert_eq!(found.edits(file.as_bytes(), &Edits::default(), Compression::None)?, None);
        }
        Ok(())
    }

    #[test]
    fn a_wrong_number_of_bytes_is_a_finding() -> io::Result<()> {
        for line in ["8", "10", "1000000", "99999999999999999999999"] {
            let file = format!("{line}\nTo: x\n\nab{LIST}");
            assert!(MessageFile::of(file.as_bytes(), "a.eml".as_ref())?.is_err(), "{line}");
        }
        for file in ["To: x\n", "12 apples\nTo: x\n", "\n1\n", "", "1"] {
            let found =
                MessageFile::of(file.as_bytes(), "a.eml".as_ref())?.map(|found| found.message(file.as_bytes()).len());
            assert_eq!(found.ok(), Some(file.len()), "{file:?}");
        }
        Ok(())
    }
}
