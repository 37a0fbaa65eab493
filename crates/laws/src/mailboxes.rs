//! Properties of compressed files, and of mail in the files of other programs than those of mbox.

use std::fs::{self, File};
use std::io::{self, Read, Write};

use absolve_containers::ArchiveOptions;
use absolve_files::{Destination, Output, Selection, collect, rewrite_all};
use absolve_framing::Compression;

use crate::rewritten::verified;
use crate::streams;

/// Checks any bytes as messages of MMDF; see [`streams::mbox`].
pub fn mmdf(bytes: &[u8]) -> usize {
    streams::mbox(&[b"\x01\x01\x01\x01\n", bytes, b"\n\x01\x01\x01\x01\n"].concat())
}

/// Checks any bytes as messages of Babyl; see [`streams::mbox`].
pub fn babyl(bytes: &[u8]) -> usize {
    streams::mbox(&[b"BABYL OPTIONS:\n\x1f\x0c\n1,,\n", bytes, b"\n\x1f"].concat())
}

/// Checks any bytes as a message of Apple Mail: the number of its bytes stays right, the property list and all that is no link
/// stay, a second run changes nothing, and the verifier accepts the result. So it does for any bytes as such a file.
///
/// # Errors
///
/// If a temporary file cannot be written.
pub fn emlx(bytes: &[u8]) -> io::Result<usize> {
    const LIST: &[u8] = b"<?xml version=\"1.0\"?>\n<plist version=\"1.0\"/>\n";
    let file = [format!("{:<10}\n", bytes.len()).as_bytes(), bytes, LIST].concat();
    let (changed, output) = rewritten(&file)?;
    let (line, rest) = output.split_at_checked(11).expect("the line with the number stays");
    let message = rest.strip_suffix(LIST).expect("the property list stays");
    assert_eq!(String::from_utf8_lossy(line), format!("{:<10}\n", message.len()));
    assert!(changed > 0 || output == file, "a message without changes is another");
    assert!(rewritten(&output)? == (0, output), "a second run changes something");
    rewritten(bytes)?;
    Ok(changed as usize)
}

/// Returns the number of changed links, and the file.
fn rewritten(file: &[u8]) -> io::Result<(u64, Vec<u8>)> {
    let folder = tempfile::tempdir()?;
    let [input, output] = ["a.emlx", "b.emlx"].map(|name| folder.path().join(name));
    fs::write(&input, file)?;
    let collection = collect(&input, &Selection::default());
    let entry = collection.entries[0].clone();
    let destination = Destination::File(output.clone());
    let run = rewrite_all(collection, &ArchiveOptions::default(), Output::to(&destination), &|_| {});
    if !run.errors.is_empty() {
        // It begins like a compressed file.
        return Ok((0, file.to_vec()));
    }
    verified::message_file(&entry, &File::open(&input)?, &File::open(&output)?);
    Ok((run.counts.rewritten, fs::read(output)?))
}

/// Checks any bytes in each compression: they are read as they were written; what is damaged or cut off is read without a panic, and
/// nothing else is read of it than what precedes the damage. Returns the number of bytes read.
///
/// # Errors
///
/// If a stream cannot be written.
pub fn compressed(bytes: &[u8]) -> io::Result<usize> {
    const ALL: [Compression; 5] =
        [Compression::Gzip, Compression::Zstandard, Compression::Bzip2, Compression::Xz, Compression::Lz4];
    let mut all = 0;
    for compression in ALL {
        let mut encoder = compression.encoder(Vec::new())?;
        encoder.write_all(bytes)?;
        let file = encoder.finish()?;
        let (read, error) = read(compression, &file);
        assert!(read == bytes && error.is_none(), "{compression:?}: {error:?}");
        let at = bytes.iter().fold(bytes.len(), |sum, byte| sum * 31 % 65_521 + usize::from(*byte)) % file.len();
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        all += self::read(compression, &damaged).0.len();
        let (start, error) = self::read(compression, &file[..at]);
        assert!(at == 0 || error.is_some(), "{compression:?}: {at} of {} bytes look like all", file.len());
        assert!(bytes.starts_with(&start), "{compression:?}: other bytes");
        // Any bytes behind the magic ones.
        all += self::read(compression, &[&file[..4], bytes].concat()).0.len();
    }
    Ok(all)
}

/// Reads as much as a bomb may hold.
fn read(compression: Compression, file: &[u8]) -> (Vec<u8>, Option<io::Error>) {
    let mut read = Vec::new();
    let error = compression.decoder(file).take(1 << 20).read_to_end(&mut read).err();
    (read, error)
}
