//! Files of gzip members (RFC 1952). The checksum of a member is verified before its bytes are returned; unreadable bytes are
//! skipped.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use crate::compression::rewindable::{Rewindable, is_gzip};
use crate::compression::skimming::{HEAD, LengthByHead, without_body};
use crate::framing::Damage;
use crate::framing::archive::ArchiveFormat;

/// A reader of the decompressed members of a file, perhaps with zeros between and after them, as tapes leave them.
///
/// A damaged member is an error with a [`Damage`]. After it, reading continues at the next member.
pub(crate) struct Members<'i> {
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
    /// Of the records in it.
    format: ArchiveFormat,
    member_end: Box<dyn FnMut(u64, u64) + 'i>,
    /// Members of which only the head is decoded.
    length_by_head: Option<LengthByHead>,
    /// Where the record that a member begins with ends by its header, as an offset in the decoded bytes.
    claimed_end: Option<u64>,
}

/// An error at the end of a member whose record claims more bytes, if the next member begins with another record. Reading can continue.
#[derive(Debug)]
pub(crate) struct EndsEarly;

impl fmt::Display for EndsEarly {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a record is longer than its gzip member")
    }
}

impl Error for EndsEarly {}

enum State {
    Between,
    /// In a member that is too long to be verified first.
    Within,
    /// After the readable bytes of a damaged member of several records.
    Damaged(io::Error),
    End,
}

impl<'i> Members<'i> {
    /// Returns a reader of the members of `input`. Those of less than `check_limit` bytes are verified first. After damage,
    /// reading continues at a member that begins with a record of the `format`. `member_end` receives the end of each member, as an offset in the
    /// decompressed bytes and an offset in the file.
    pub(crate) fn new(
        input: Box<dyn Read + 'i>,
        check_limit: usize,
        format: ArchiveFormat,
        member_end: Box<dyn FnMut(u64, u64) + 'i>,
    ) -> Self {
        let mut decoder = GzDecoder::new(Rewindable::default());
        decoder.reset(Rewindable::new(input));
        let (state, checked) = (State::Between, Vec::new());
        let (returned, decoded, length_by_head) = (0, 0, None);
        Self {
            decoder,
            state,
            checked,
            returned,
            check_limit,
            decoded,
            format,
            member_end,
            length_by_head,
            claimed_end: None,
        }
    }

    /// Decodes only the head of members whose length it gives.
    pub(crate) fn skimming(self, length_by_head: LengthByHead) -> Self {
        Self { length_by_head: Some(length_by_head), ..self }
    }

    /// Reads the next member, or its start if it is long, into `buffer` and, where that is full, into `self.checked`. Returns
    /// the number of bytes in `buffer`.
    fn begin(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let input = self.decoder.get_mut();
        if !input.skip_zeros()? {
            return Ok(0);
        }
        input.mark();
        let ends_early = self.claimed_end.take().is_some_and(|end| self.decoded < end);
        if ends_early && input.begins_member(self.format)? {
            self.state = State::Between;
            return Err(io::Error::other(EndsEarly));
        }
        let room = buffer.len().min(self.check_limit);
        let decoded = match self.decode(&mut buffer[..room]) {
            Err(error) if !is_checksum_error(&error) => {
                // The decoder keeps all bytes of a step that fails to itself. Where `self.checked` grows, the steps are small.
                self.decoder.get_mut().rewind();
                self.decode(&mut [])
            }
            decoded => decoded,
        };
        let (filled, state) = match decoded {
            Ok(decoded) => decoded,
            Err(error) if self.has_several_records() && !is_checksum_error(&error) => (0, State::Damaged(error)),
            Err(error) => {
                self.checked = Vec::new();
                return Err(self.damage(error, Returned::Nothing));
            }
        };
        self.claimed_end = self.claimed(&buffer[..filled]).map(|length| self.decoded + length as u64);
        self.decoded += (filled + self.checked.len()) as u64;
        match state {
            State::Between => self.end(),
            state => {
                self.decoder.get_mut().keeps_bytes = !matches!(state, State::Within);
                self.state = state;
            }
        }
        Ok(filled)
    }

    /// Decodes the member at the mark into `buffer` and, where that is full, into `self.checked`. Returns the number of bytes
    /// in `buffer`, and the state after them.
    fn decode(&mut self, buffer: &mut [u8]) -> io::Result<(usize, State)> {
        let input = mem::take(self.decoder.get_mut());
        self.decoder.reset(input);
        // A long member leaves no long buffer behind.
        (self.checked, self.returned) = (Vec::new(), 0);
        let (mut filled, mut skims) = (0, self.length_by_head.filter(|_| buffer.len() >= HEAD));
        while filled < buffer.len() {
            let end = if skims.is_some() { HEAD } else { buffer.len() };
            match self.decoder.read(&mut buffer[filled..end])? {
                0 => return Ok((filled, State::Between)),
                read => filled += read,
            }
            if filled == HEAD
                && let Some(length) = skims.take().and_then(|length| length(&buffer[..HEAD]))
                && (HEAD..self.check_limit).contains(&length)
                && self.decoder.get_mut().skip_member(length)?
            {
                self.checked = without_body(buffer, length);
                return Ok((length.min(buffer.len()), State::Between));
            }
        }
        let rest = (self.check_limit - filled) as u64;
        let read = (&mut self.decoder).take(rest).read_to_end(&mut self.checked)?;
        Ok((filled, if (read as u64) < rest { State::Between } else { State::Within }))
    }

    /// Returns the length that the record claims with which a member begins. `start` are its first bytes, and `self.checked` those that follow.
    fn claimed(&self, start: &[u8]) -> Option<usize> {
        match start.len() < HEAD {
            true => self.format.claimed_length(&[start, &self.checked[..self.checked.len().min(HEAD)]].concat()),
            false => self.format.claimed_length(start),
        }
    }

    /// Returns whether more than one record begins in the bytes read of a member.
    fn has_several_records(&self) -> bool {
        memchr::memchr_iter(b'\n', &self.checked).any(|end| self.format.begins_record(&self.checked[end + 1..]))
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
        match input.skip_damage(self.format) {
            Err(error) => return error,
            Ok(false) if !is_member || error.kind() == UnexpectedEof => return error,
            Ok(_) => {}
        }
        let end = input.position();
        let bytes = start.min(end)..end;
        self.claimed_end = None;
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

impl Read for Members<'_> {
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

/// Returns whether a member was decompressed to its end, with a wrong checksum.
fn is_checksum_error(error: &io::Error) -> bool {
    error.to_string().contains("checksum")
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{ArchiveFormat, Damage, Members};

    fn member(text: &str) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()
    }

    /// Returns the decompressed text with a `|` at each gap, and the skipped bytes. Both are the same for any buffer.
    fn read(file: &[u8], check_limit: usize) -> io::Result<(String, Vec<(u64, u64)>)> {
        let results = [7, 29, 100_000].map(|buffer| read_by(buffer, file, check_limit));
        let [Ok(first), Ok(second), Ok(third)] = results else { return Err(io::Error::other("not by each buffer")) };
        assert!(first == second && second == third, "{first:?} {second:?} {third:?}");
        Ok(first)
    }

    fn read_by(buffer: usize, file: &[u8], check_limit: usize) -> io::Result<(String, Vec<(u64, u64)>)> {
        let mut members = Members::new(Box::new(file), check_limit, ArchiveFormat::Warc, Box::new(|_, _| {}));
        let (mut text, mut skipped) = (String::new(), Vec::new());
        loop {
            let mut buffer = vec![0; buffer];
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

    /// The members after a damaged byte are not lost, and a member with a wrong checksum is not returned.
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
