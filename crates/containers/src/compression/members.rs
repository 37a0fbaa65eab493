//! Files of gzip members (RFC 1952). The checksum of a member is verified before its bytes are returned; unreadable bytes are
//! skipped.

use std::io::{self, BufRead, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use crate::framing::Damage;

/// Maximum bytes of a file that are read beyond the end of the current member.
pub(crate) const READ_AHEAD: usize = 1 << 16;

/// A reader of the decompressed members of a file, perhaps with zeros between and after them, as tapes leave them.
///
/// A damaged member is an error with a [`Damage`]. After it, reading continues at the next member.
pub(crate) struct Members<'i, B, E> {
    /// Decodes one member after the other, without a new decoder for each.
    decoder: GzDecoder<Rewindable<'i>>,
    state: State,
    /// The verified bytes of a member that had no room in the caller's buffer, and how many of them were returned.
    checked: Vec<u8>,
    returned: usize,
    /// Maximum decompressed bytes of a member that is verified before its bytes are returned.
    check_limit: usize,
    /// Decompressed bytes of all members so far.
    decoded: u64,
    begins_record: B,
    member_end: E,
}

enum State {
    Between,
    /// In a member that is too long to be verified first.
    Within,
    /// After the readable bytes of a damaged member of several records.
    Damaged(io::Error),
    End,
}

impl<'i, B: Fn(&[u8]) -> bool, E: FnMut(u64, u64)> Members<'i, B, E> {
    /// Returns a reader of the members of `input`. Those of less than `check_limit` bytes are verified first. After damage,
    /// reading continues at a member that `begins_record`. `member_end` receives the end of each member, as an offset in the
    /// decompressed bytes and an offset in the file.
    pub(crate) fn new(input: impl Read + 'i, check_limit: usize, begins_record: B, member_end: E) -> Self {
        let mut decoder = GzDecoder::new(Rewindable::default());
        decoder.reset(Rewindable::new(input));
        let (state, checked) = (State::Between, Vec::new());
        Self { decoder, state, checked, returned: 0, check_limit, decoded: 0, begins_record, member_end }
    }

    /// Reads the next member, or its start if it is long, into `buffer` and, where that is full, into `self.checked`. Returns
    /// the number of bytes in `buffer`.
    fn begin(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut input = mem::take(self.decoder.get_mut());
        let is_member = input.skip_zeros();
        input.mark();
        self.decoder.reset(input);
        if !is_member? {
            return Ok(0);
        }
        self.returned = 0;
        // A long member leaves no long buffer behind.
        self.checked = Vec::new();
        let room = buffer.len().min(self.check_limit);
        let mut filled = 0;
        let is_complete = loop {
            if filled == room {
                let rest = (self.check_limit - filled) as u64;
                let read = (&mut self.decoder).take(rest).read_to_end(&mut self.checked);
                break read.map(|read| (read as u64) < rest);
            }
            match self.decoder.read(&mut buffer[filled..room]) {
                Ok(0) => break Ok(true),
                Ok(read) => filled += read,
                Err(error) => break Err(error),
            }
        };
        let decoded = self.decoded + (filled + self.checked.len()) as u64;
        match is_complete {
            Ok(true) => {
                self.decoded = decoded;
                self.end();
            }
            Ok(false) => {
                self.decoded = decoded;
                self.decoder.get_mut().keeps_bytes = false;
                self.state = State::Within;
            }
            Err(error) if self.has_several_records(&buffer[..filled]) && !is_checksum_error(&error) => {
                self.decoded = decoded;
                self.state = State::Damaged(error);
            }
            Err(error) => {
                self.checked = Vec::new();
                return Err(self.damage(error, Returned::Nothing));
            }
        }
        Ok(filled)
    }

    /// Returns whether more than one record begins in the bytes read of a member, the first of which are `filled`.
    fn has_several_records(&self, filled: &[u8]) -> bool {
        let bytes = [filled, &self.checked].concat();
        memchr::memchr_iter(b'\n', &bytes).any(|end| (self.begins_record)(&bytes[end + 1..]))
    }

    fn end(&mut self) {
        let input = self.decoder.get_mut();
        input.keeps_bytes = true;
        (self.member_end)(self.decoded, input.position());
        self.state = State::Between;
    }

    /// Skips unreadable bytes and returns the damage as an error. Returns `error` itself if no member follows and the bytes are
    /// a cut-off member or not a member.
    fn damage(&mut self, error: io::Error, returned: Returned) -> io::Error {
        use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        let input = self.decoder.get_mut();
        if input.has_failed || !matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) {
            return error;
        }
        let is_returned = returned == Returned::Part;
        let start = if is_returned { input.position() } else { input.start + input.mark as u64 };
        let is_member = is_returned || is_gzip(&input.bytes[input.mark..]);
        match input.skip_damage(&self.begins_record) {
            Err(error) => return error,
            Ok(false) if !is_member || error.kind() == UnexpectedEof => return error,
            Ok(_) => {}
        }
        let end = input.position();
        let bytes = start.min(end)..end;
        self.end();
        io::Error::new(InvalidData, Damage { bytes, why: error.to_string(), is_returned, breaks_record: false })
    }
}

/// What was returned of a member before it turned out to be damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returned {
    Nothing,
    Part,
}

impl<B: Fn(&[u8]) -> bool, E: FnMut(u64, u64)> Read for Members<'_, B, E> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = buffer.len().min(self.checked.len() - self.returned);
            if length > 0 || buffer.is_empty() {
                buffer[..length].copy_from_slice(&self.checked[self.returned..self.returned + length]);
                self.returned += length;
                return Ok(length);
            }
            let read = match mem::replace(&mut self.state, State::End) {
                State::Between => self.begin(buffer)?,
                State::Within => match self.decoder.read(buffer) {
                    Ok(0) => {
                        self.end();
                        0
                    }
                    Ok(read) => {
                        self.decoded += read as u64;
                        self.state = State::Within;
                        read
                    }
                    Err(error) => return Err(self.damage(error, Returned::Part)),
                },
                State::Damaged(error) => return Err(self.damage(error, Returned::Part)),
                State::End => return Ok(0),
            };
            if read > 0 {
                return Ok(read);
            }
        }
    }
}

/// Start of a gzip member: the two magic bytes and the compression method DEFLATE.
pub(crate) const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Returns whether `bytes` begin with a gzip member.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&GZIP_MAGIC)
}

/// Returns whether a member was decompressed to its end, with a wrong checksum.
fn is_checksum_error(error: &io::Error) -> bool {
    error.to_string().contains("checksum")
}

/// A reader that can return to a mark.
struct Rewindable<'i> {
    input: Box<dyn Read + 'i>,
    bytes: Vec<u8>,
    /// Offset of `bytes` in the file.
    start: u64,
    /// Number of bytes consumed.
    at: usize,
    /// Offset in `bytes` to return to, if bytes are kept.
    mark: usize,
    keeps_bytes: bool,
    /// Whether the file itself cannot be read.
    has_failed: bool,
}

impl Default for Rewindable<'_> {
    fn default() -> Self {
        Self::new(io::empty())
    }
}

impl<'i> Rewindable<'i> {
    fn new(input: impl Read + 'i) -> Self {
        let (input, bytes) = (Box::new(input), Vec::new());
        Self { input, bytes, start: 0, at: 0, mark: 0, keeps_bytes: true, has_failed: false }
    }

    const fn position(&self) -> u64 {
        self.start + self.at as u64
    }

    const fn mark(&mut self) {
        self.mark = self.at;
    }

    /// Reads more bytes. Returns whether there were any.
    fn read_more(&mut self) -> io::Result<bool> {
        let done = if self.keeps_bytes { self.mark } else { self.at };
        self.bytes.drain(..done);
        (self.start, self.at, self.mark) = (self.start + done as u64, self.at - done, 0);
        let length = self.bytes.len();
        self.bytes.resize(length + READ_AHEAD, 0);
        let read = loop {
            match self.input.read(&mut self.bytes[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.has_failed = read.is_err();
        self.bytes.truncate(length + read.as_ref().map_or(0, |read| *read));
        read.map(|read| read > 0)
    }

    /// Skips zeros. Returns whether other bytes follow.
    fn skip_zeros(&mut self) -> io::Result<bool> {
        loop {
            self.mark();
            let bytes = self.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let (is_end, is_other) = (bytes.is_empty(), zeros < bytes.len());
            self.consume(zeros);
            if is_end || is_other {
                return Ok(is_other);
            }
        }
    }

    /// Skips to the next member that `begins_record`, here or after the mark, or to the end. Returns whether there is one.
    fn skip_damage(&mut self, begins_record: &impl Fn(&[u8]) -> bool) -> io::Result<bool> {
        self.mark = if self.keeps_bytes { self.at.min(self.mark + 1) } else { self.at };
        self.keeps_bytes = true;
        if self.begins_member(begins_record)? {
            return Ok(true);
        }
        self.at = self.mark;
        loop {
            self.mark();
            let bytes = self.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let skipped = memchr::memchr(GZIP_MAGIC[0], bytes).unwrap_or(bytes.len());
            let is_found = skipped < bytes.len();
            self.consume(skipped);
            self.mark();
            if is_found && self.begins_member(begins_record)? {
                return Ok(true);
            }
            self.consume(usize::from(is_found));
        }
    }

    /// Returns whether a member that `begins_record` starts here. Consumes nothing.
    fn begins_member(&mut self, begins_record: &impl Fn(&[u8]) -> bool) -> io::Result<bool> {
        /// Enough decompressed bytes to recognize a record.
        const START_OF_RECORD: u64 = 16 << 10;
        while self.bytes.len() < self.at + GZIP_MAGIC.len() && self.read_more()? {}
        if !is_gzip(&self.bytes[self.at..]) {
            return Ok(false);
        }
        let consumed = self.at - self.mark;
        let mut start = Vec::new();
        // An error in the member is reported when it is read.
        let read = GzDecoder::new(&mut *self).take(START_OF_RECORD).read_to_end(&mut start);
        self.at = self.mark + consumed;
        if self.has_failed {
            read?;
        }
        Ok(begins_record(&start))
    }
}

impl Read for Rewindable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Rewindable<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.bytes.len() {
            self.read_more()?;
        }
        Ok(&self.bytes[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{Damage, Members};

    fn member(text: &str) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()
    }

    /// Returns the decompressed text with a `|` at each gap, and the skipped bytes.
    fn read(file: &[u8], check_limit: usize) -> io::Result<(String, Vec<(u64, u64)>)> {
        let mut members = Members::new(file, check_limit, |start: &[u8]| start.starts_with(b"WARC/"), |_, _| {});
        let (mut text, mut skipped) = (String::new(), Vec::new());
        loop {
            let mut buffer = [0; 7];
            match members.read(&mut buffer) {
                Ok(0) => return Ok((text, skipped)),
                Ok(read) => text.push_str(&String::from_utf8_lossy(&buffer[..read])),
                Err(error) => {
                    text.push('|');
                    let Damage { bytes, .. } = error.downcast()?;
                    skipped.push((bytes.start, bytes.end));
                }
            }
        }
    }

    #[test]
    fn members_and_zeros() -> io::Result<()> {
        let file = [member("one ")?, member("")?, member("two ")?].concat();
        for zeros in [0, 1, 100_000] {
            let padded = [&file[..], &vec![0; zeros]].concat();
            for check_limit in [0, 3, 4, 100] {
                assert_eq!(read(&padded, check_limit)?, ("one two ".to_owned(), vec![]), "{zeros} zeros");
            }
        }
        assert!(read(&file[..file.len() - 3], 100).is_err());
        assert!(read(&[&file[..], b"x"].concat(), 100).is_err());
        Ok(())
    }

    /// All members after a damaged byte used to be lost, and a member with a wrong checksum to be returned.
    #[test]
    fn a_damaged_byte_costs_its_member() -> io::Result<()> {
        let texts = ["WARC/1 one ", "WARC/2 the second of them all ", "WARC/3 three "];
        let members = [member(texts[0])?, member(texts[1])?, member(texts[2])?];
        let (start, end) = (members[0].len(), members[0].len() + members[1].len());
        for at in start..end {
            // The checksum covers neither the time nor the system nor the level.
            if (4..10).contains(&(at - start)) {
                continue;
            }
            for bit in 0..8 {
                let mut file = members.concat();
                file[at] ^= 1 << bit;
                let (text, skipped) = read(&file, 100_000)?;
                let is_optional = at - start == 3 && text == texts.concat();
                assert!(is_optional || text == format!("{}|{}", texts[0], texts[2]), "{at} {bit}: {text}");
                assert!(is_optional || skipped == [(start as u64, end as u64)], "{at} {bit}: {skipped:?}");
            }
        }
        Ok(())
    }

    /// Of a damaged member of several records, the bytes before the damage are returned, unless the checksum is wrong.
    #[test]
    fn a_member_of_several_records() -> io::Result<()> {
        let text: String = (0..40).map(|number| format!("WARC/1 {number} {}\n", number * 7919 % 104_729)).collect();
        let member = [member(&text)?, member("WARC/1 end")?];
        let (mut broken, mut wrong) = (member.concat(), member.concat());
        let length = member[0].len();
        broken.drain(length / 2..length - 20);
        wrong[length - 5] ^= 1;
        let (returned, _) = read(&broken, 100_000)?;
        let (start, end) = returned.split_once('|').unwrap_or_default();
        assert!(start.len() > 100 && text.starts_with(&start[..100]) && end == "WARC/1 end", "{returned}");
        assert_eq!(read(&wrong, 100_000)?, ("|WARC/1 end".to_owned(), vec![(0, length as u64)]));
        Ok(())
    }

    /// A damaged last member is skipped; a cut-off one is an error.
    #[test]
    fn a_wrong_checksum_at_the_end() -> io::Result<()> {
        let members = [member("WARC/1 ")?, member("WARC/2 ")?];
        let mut file = members.concat();
        let length = file.len();
        file[length - 8] ^= 1;
        let skipped = vec![(members[0].len() as u64, length as u64)];
        assert_eq!(read(&file, 100)?, ("WARC/1 |".to_owned(), skipped));
        let (text, skipped) = read(&file, 3)?;
        assert_eq!((&*text, skipped), ("WARC/1 WARC/2 |", vec![(length as u64, length as u64)]));
        Ok(())
    }
}
