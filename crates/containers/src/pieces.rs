//! Pieces of large containers, for work on several machines.

use std::io::{self, Read, SeekFrom};

use absolve_framing::Splitting;
use absolve_rewriter::internal::Entity;

use crate::stream::{ReadSeek, StreamError, StreamReport};
use crate::warc::archive;
use crate::warc::options::ArchiveOptions;
use crate::{file_type::FileType, mbox};

/// A piece of a container: the records that begin in a range of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    splitting: Splitting,
    /// Offset of its first byte in the file.
    pub start: u64,
    /// Offset of the byte behind its last one.
    pub end: u64,
}

/// Which piece of a file: its number, from 0, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Share {
    pub number: u64,
    pub count: u64,
}

impl Share {
    /// Returns the offset at which a piece is to begin.
    fn place(self, number: u64, size: u64) -> u64 {
        (u128::from(size) * u128::from(number) / u128::from(self.count.max(1))) as u64
    }
}

/// Returns how a container of this type that begins with these bytes is split; `None` if it is read as a whole.
///
/// ```
/// use absolve_containers::{FileType, splitting_of};
/// assert!(splitting_of(FileType::Mailbox, b"From a@b Thu Jan  1 00:00:00 1998\nTo: x\n").is_some());
/// assert!(splitting_of(FileType::Wacz, b"PK").is_none());
/// ```
pub fn splitting_of(file_type: FileType, start: &[u8]) -> Option<Splitting> {
    match file_type {
        FileType::Mailbox => Splitting::of_mailbox(start),
        FileType::Archive(format) => Splitting::of_archive(format, start),
        _ => None,
    }
}

impl Piece {
    /// Returns a share of a file: from the first record at or behind its place to that of the next share that has one, without knowledge
    /// of what is before. `None` if no record begins in it.
    ///
    /// # Errors
    ///
    /// Those of reading and seeking.
    pub fn of(file: &mut dyn ReadSeek, size: u64, splitting: Splitting, share: Share) -> io::Result<Option<Self>> {
        let mut start_of = |number: u64| {
            let (place, next) = (share.place(number, size), share.place(number + 1, size));
            if number == 0 || place == next {
                return Ok((number == 0).then_some(0));
            }
            file.seek(SeekFrom::Start(place))?;
            Ok::<_, io::Error>(splitting.first_start(file, next - place)?.map(|start| place + start))
        };
        let Some(start) = start_of(share.number)? else { return Ok(None) };
        for number in share.number + 1..share.count {
            if let Some(end) = start_of(number)? {
                return Ok(Some(Self { splitting, start, end }));
            }
        }
        Ok(Some(Self { splitting, start, end: size }))
    }

    /// Applies `inspect` to the documents of a piece, as [`inspect_container`](crate::inspect_container) does. `input` has its bytes, and
    /// those behind it, which show where its last record ends. Records are numbered from its start.
    ///
    /// If all pieces of a file are read without an error and without broken records, their records are those of the file: the first piece
    /// begins where the file does, and each ends where a record begins.
    ///
    /// # Errors
    ///
    /// As there, and [`StreamError::Read`] if no record begins where the piece ends.
    pub fn inspect<T: Send>(
        self,
        input: Box<dyn Read + '_>,
        inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
        options: &ArchiveOptions,
        found: &mut dyn FnMut(T) -> io::Result<()>,
    ) -> Result<StreamReport, StreamError> {
        let piece = self.splitting.piece(input, self.end - self.start);
        match self.splitting {
            Splitting::Messages => mbox::inspect_piece(piece, inspect, &options.documents, found),
            Splitting::Records(format) | Splitting::Members(format) => {
                archive::inspect_piece(format, piece, inspect, options, found)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::io::{Cursor, Seek, SeekFrom, Write};

    use absolve_framing::{ArchiveFormat, Compression, Extent, Framing};
    use absolve_rewriter::internal::Entity;
    use absolve_testing::rounds;

    use super::{Piece, Share, splitting_of};
    use crate::{ArchiveOptions, ContainerReader, FileType, inspect_container};

    /// What is inspected of each record, without its number.
    fn look(_: &str, entity: &Entity<'_>) -> Vec<u8> {
        entity.bytes.to_vec()
    }

    /// Returns what is read of a file, or `None` if something of it is broken.
    fn whole(file: &[u8], file_type: FileType) -> Option<Vec<Vec<u8>>> {
        let reader = match file_type {
            FileType::Archive(format) => ContainerReader::Archive(format, Box::new(file)),
            _ => ContainerReader::Mailbox(Box::new(file)),
        };
        let (mut found, options) = (Vec::new(), ArchiveOptions::default());
        let mut keep = |bytes| {
            found.push(bytes);
            Ok(())
        };
        let report = inspect_container(reader, &look, &options, &mut keep).ok()?;
        report.is_whole().then_some(found)
    }

    /// Returns what is read of all pieces of a file, and how many have records; `None` if it has to be read as a whole.
    fn pieced(file: &[u8], file_type: FileType, count: u64) -> Option<(Vec<Vec<u8>>, u64)> {
        let splitting = splitting_of(file_type, &file[..file.len().min(16 << 10)])?;
        let (mut found, mut pieces, options) = (Vec::new(), 0, ArchiveOptions::default());
        for number in 0..count {
            let mut reader = Cursor::new(file);
            let share = Share { number, count };
            let piece = Piece::of(&mut reader, file.len() as u64, splitting, share).expect("it is in memory");
            let Some(piece) = piece else { continue };
            reader.seek(SeekFrom::Start(piece.start)).expect("it is in memory");
            let mut keep = |bytes| {
                found.push(bytes);
                Ok(())
            };
            let report = piece.inspect(Box::new(reader), &look, &options, &mut keep);
            if !report.ok()?.is_whole() {
                return None;
            }
            pieces += 1;
        }
        Some((found, pieces))
    }

    /// Checks that pieces that are read without an error are the file. Returns how many there are.
    fn pieces_are_the_file(file: &[u8], file_type: FileType) -> u64 {
        let whole = whole(file, file_type);
        let mut read = 0;
        for count in [1, 2, 3, 5, 8, 40] {
            if let Some((found, pieces)) = pieced(file, file_type, count) {
                let text = String::from_utf8_lossy(file);
                assert!(Some(&found) == whole.as_ref(), "{count}: {found:?} {whole:?} {text}");
                read += pieces - 1;
            }
        }
        read
    }

    /// A body that has records and separator lines, of which some lead on behind its end.
    fn body(random: &mut fastrand::Rng, pieces: &[&str]) -> String {
        (0..random.usize(..12)).map(|_| pieces[random.usize(..pieces.len())]).collect()
    }

    #[test]
    fn pieces_of_an_mbox_are_the_mbox() {
        const PIECES: [&str; 12] = [
            "From a@b Thu Jan  1 00:00:00 1998\n",
            "\n\nFrom a@b Thu Jan  1 00:00:00 1998\nSubject: y\n\n",
            "From here on\n",
            ">From there\n",
            "\n",
            "\r\n",
            "\n\n",
            "Content-Length: 7\n",
            "Content-Length: 300\n",
            "1234567",
            "text\n",
            "a line that is longer than the others, as most lines of messages are\n",
        ];
        let mut random = fastrand::Rng::with_seed(40);
        let mut read = 0;
        for _ in 0..rounds(3_000) {
            let mut file = String::new();
            for _ in 0..random.usize(1..9) {
                let body = body(&mut random, &PIECES);
                let length = match random.usize(..4) {
                    0 => format!("Content-Length: {}\n", body.len()),
                    1 => format!("Content-Length: {}\n", random.usize(..2 * body.len() + 400)),
                    _ => String::new(),
                };
                let _ = write!(file, "From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n{length}\n{body}\n");
            }
            read += pieces_are_the_file(file.as_bytes(), FileType::Mailbox);
        }
        assert!(read > rounds(3_000) as u64, "{read}");
    }

    /// Returns a record, whose length may be wrong.
    fn record(random: &mut fastrand::Rng, body: &[u8]) -> Vec<u8> {
        let wrong = if random.usize(..40) == 0 { random.usize(..50) } else { 0 };
        let length = body.len() + wrong;
        let head =
            format!("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Length: {length}\r\n");
        let line_ends = if random.usize(..8) == 0 { &b""[..] } else { b"\r\n\r\n" };
        [head.as_bytes(), b"Content-Type: text/html\r\n\r\n", body, line_ends].concat()
    }

    /// Archives with archives within them, members that are stored, and members that end within a record.
    #[test]
    fn pieces_of_an_archive_are_the_archive() {
        const PIECES: [&str; 5] = [
            "WARC/1.0\r\nContent-Length: 5\r\n\r\n12345\r\n\r\n",
            "WARC/1.0\r\n",
            "\r\n",
            "text\n",
            "a line that is longer than the others\n",
        ];
        let mut random = fastrand::Rng::with_seed(41);
        let mut read = [0; 2];
        for round in 0..rounds(3_000) {
            let (mut plain, mut members) = (Vec::new(), Vec::new());
            for _ in 0..random.usize(1..9) {
                let nested = if random.bool() { &members[..] } else { &plain[..] };
                // Half of the archives have no archives within them.
                let (pieces, has_nested) = (&PIECES[round % 2 * 2..], round % 2 == 0 && random.usize(..4) == 0);
                let mut body = body(&mut random, pieces).into_bytes();
                body.extend(if has_nested { &nested[..nested.len().min(5_000)] } else { b"" });
                let record = record(&mut random, &body);
                let cut = if random.usize(..20) == 0 { random.usize(..record.len()) } else { 0 };
                for part in [&record[..cut], &record[cut..]].into_iter().filter(|part| !part.is_empty()) {
                    let level = flate2::Compression::new(random.u32(..2));
                    let mut encoder = flate2::write::GzEncoder::new(&mut members, level);
                    encoder.write_all(part).and_then(|()| encoder.try_finish()).expect("it is in memory");
                }
                members.extend(vec![0; usize::from(random.usize(..20) == 0)]);
                plain.extend(record);
            }
            if round % 9 == 0 {
                members.truncate(random.usize(..=members.len()));
                plain.truncate(random.usize(..=plain.len()));
            }
            read[0] += pieces_are_the_file(&plain, FileType::WARC);
            read[1] += pieces_are_the_file(&members, FileType::WARC);
        }
        assert!(read.iter().all(|read| *read > rounds(3_000) as u64), "{read:?}");
    }

    #[test]
    fn pieces_of_an_arc_are_the_arc() {
        let mut file = b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain 4\n1 0\n\n".to_vec();
        for number in 0..200 {
            let page = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>{number}</a>");
            let line = format!("http://h/{number} 1.2.3.4 20260101000000 text/html {}\n", page.len());
            file.extend([line.as_bytes(), page.as_bytes(), b"\n"].concat());
        }
        assert_eq!(pieces_are_the_file(&file, FileType::ARC), 53);
        let (mut members, mut rest) = (Vec::new(), &file[..]);
        while !rest.is_empty() {
            let framed = ArchiveFormat::Arc.first_record(rest, Extent::Complete).expect("it is all there");
            members.extend(Compression::Gzip.compressed(rest[..framed.length].to_vec()).expect("it is in memory"));
            rest = &rest[framed.length..];
        }
        assert_eq!(pieces_are_the_file(&members, FileType::ARC), 53);
    }

    /// What cannot be read from its middle is read as a whole.
    #[test]
    fn other_files_are_not_split() {
        let mbox = b"From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\n".repeat(2);
        for compression in [Compression::Gzip, Compression::Zstandard, Compression::Xz] {
            let file = compression.compressed(mbox.clone()).expect("it is in memory");
            assert_eq!(splitting_of(FileType::Mailbox, &file), None);
        }
        for start in [&b"\x01\x01\x01\x01\nSubject: x\n"[..], b"BABYL OPTIONS:\n", b"text"] {
            assert_eq!(splitting_of(FileType::Mailbox, start), None);
        }
        assert_eq!(splitting_of(FileType::WARC, b"\x28\xb5\x2f\xfd"), None);
    }
}
