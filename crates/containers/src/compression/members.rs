//! Files that consist of members of gzip (RFC 1952). A member is checked before what it holds is given, and what cannot be
//! read is passed over.

use std::io::{self, BufRead, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use crate::framing::Damage;

/// So many bytes of a file may be read that belong to members behind the one that is being read.
pub(crate) const READ_AHEAD: usize = 1 << 16;

/// What the members of a file hold, perhaps with zeros between and behind them, as tapes leave them.
///
/// Where a member is damaged, an error holds a [`Damage`], and behind it reading goes on where the next one begins.
pub(crate) struct Members<R, B, E> {
    state: State<R>,
    /// What the member holds that was checked, and how many bytes of it were given.
    checked: Vec<u8>,
    given: usize,
    /// How many bytes a member may hold to be checked before they are given.
    longest: usize,
    /// How many bytes all members before this one hold, and of this one those that were given.
    held: u64,
    begins: B,
    ends: E,
}

enum State<R> {
    Between(Kept<R>),
    /// In a member that holds too much to be checked first.
    Within(Box<GzDecoder<Kept<R>>>),
    /// Behind what could be read of a member that holds several records.
    Broken(Kept<R>, io::Error),
    End,
}

impl<R: Read, B: Fn(&[u8]) -> bool, E: FnMut(u64, u64)> Members<R, B, E> {
    /// The members of `input`. Those that hold at most `longest` bytes are checked first. Behind damage reading goes on with
    /// a member of which `begins` holds. `ends` hears where members end: bytes of what they hold, bytes of the file.
    pub(crate) fn new(input: R, longest: usize, begins: B, ends: E) -> Self {
        let state = State::Between(Kept::new(input));
        Self { state, checked: Vec::new(), given: 0, longest, held: 0, begins, ends }
    }

    /// Reads the next member, or its beginning.
    fn begin(&mut self, mut input: Kept<R>) -> io::Result<()> {
        if !input.pass_zeros()? {
            return Ok(());
        }
        input.mark();
        self.given = 0;
        self.checked.clear();
        let mut member = GzDecoder::new(input);
        match (&mut member).take(self.longest as u64).read_to_end(&mut self.checked) {
            Ok(read) if read == self.longest => {
                self.held += read as u64;
                member.get_mut().is_kept = false;
                self.state = State::Within(Box::new(member));
            }
            Ok(read) => {
                self.held += read as u64;
                self.end(member.into_inner());
            }
            Err(error) if self.holds_several() && !is_of_checksum(&error) => {
                self.held += self.checked.len() as u64;
                self.state = State::Broken(member.into_inner(), error);
            }
            Err(error) => {
                self.checked.clear();
                return Err(self.damage(member.into_inner(), error));
            }
        }
        Ok(())
    }

    /// Whether more than one record begins in what was read of a member.
    fn holds_several(&self) -> bool {
        memchr::memchr_iter(b'\n', &self.checked).any(|end| (self.begins)(&self.checked[end + 1..]))
    }

    fn end(&mut self, mut input: Kept<R>) {
        input.is_kept = true;
        (self.ends)(self.held, input.position());
        self.state = State::Between(input);
    }

    /// Passes over what cannot be read. Where no other member follows and it breaks off, or is none, the error stays.
    fn damage(&mut self, mut input: Kept<R>, error: io::Error) -> io::Error {
        use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        if input.is_broken || !matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) {
            return error;
        }
        let is_given = self.given > 0 || !input.is_kept;
        let start = if is_given { input.position() } else { input.start + input.mark as u64 };
        let is_member = is_given || is_gzip(&input.bytes[input.mark..]);
        match input.pass_damage(&self.begins) {
            Err(error) => return error,
            Ok(false) if !is_member || error.kind() == UnexpectedEof => return error,
            Ok(_) => {}
        }
        let end = input.position();
        let bytes = start.min(end)..end;
        self.end(input);
        io::Error::new(InvalidData, Damage { bytes, why: error.to_string(), is_given, breaks_record: false })
    }
}

impl<R: Read, B: Fn(&[u8]) -> bool, E: FnMut(u64, u64)> Read for Members<R, B, E> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = buffer.len().min(self.checked.len() - self.given);
            if length > 0 || buffer.is_empty() {
                buffer[..length].copy_from_slice(&self.checked[self.given..self.given + length]);
                self.given += length;
                return Ok(length);
            }
            match mem::replace(&mut self.state, State::End) {
                State::Between(input) => self.begin(input)?,
                State::Within(mut member) => match member.read(buffer) {
                    Ok(0) => self.end(member.into_inner()),
                    Ok(read) => {
                        self.held += read as u64;
                        self.state = State::Within(member);
                        return Ok(read);
                    }
                    Err(error) => return Err(self.damage(member.into_inner(), error)),
                },
                State::Broken(input, error) => return Err(self.damage(input, error)),
                State::End => return Ok(0),
            }
        }
    }
}

/// Whether a member was inflated to its end, and does not hold what it should.
fn is_of_checksum(error: &io::Error) -> bool {
    error.to_string().contains("checksum")
}

/// A reader that can go back to a mark.
struct Kept<R> {
    input: R,
    bytes: Vec<u8>,
    /// Where those begin in the file.
    start: u64,
    /// How many of them were taken.
    at: usize,
    /// Where it can go back to, if bytes are kept.
    mark: usize,
    is_kept: bool,
    /// Whether it is the file itself that could not be read.
    is_broken: bool,
}

impl<R: Read> Kept<R> {
    const fn new(input: R) -> Self {
        Self { input, bytes: Vec::new(), start: 0, at: 0, mark: 0, is_kept: true, is_broken: false }
    }

    const fn position(&self) -> u64 {
        self.start + self.at as u64
    }

    const fn mark(&mut self) {
        self.mark = self.at;
    }

    /// Reads more; answers whether there was more.
    fn more(&mut self) -> io::Result<bool> {
        let done = if self.is_kept { self.mark } else { self.at };
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
        self.is_broken = read.is_err();
        self.bytes.truncate(length + read.as_ref().map_or(0, |read| *read));
        read.map(|read| read > 0)
    }

    /// Goes to what stands behind zeros; answers whether there is something.
    fn pass_zeros(&mut self) -> io::Result<bool> {
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

    /// Goes to the next member of which `begins` holds: here, or behind the mark; or to the end. Answers whether there is one.
    fn pass_damage(&mut self, begins: &impl Fn(&[u8]) -> bool) -> io::Result<bool> {
        self.mark = if self.is_kept { self.at.min(self.mark + 1) } else { self.at };
        self.is_kept = true;
        if self.begins_member(begins)? {
            return Ok(true);
        }
        self.at = self.mark;
        loop {
            self.mark();
            let bytes = self.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let passed = memchr::memchr(0x1f, bytes).unwrap_or(bytes.len());
            let is_found = passed < bytes.len();
            self.consume(passed);
            self.mark();
            if is_found && self.begins_member(begins)? {
                return Ok(true);
            }
            self.consume(usize::from(is_found));
        }
    }

    /// Whether a member begins here of which `begins` holds. Goes no further.
    fn begins_member(&mut self, begins: &impl Fn(&[u8]) -> bool) -> io::Result<bool> {
        const MAGIC: usize = 3;
        const ENOUGH: u64 = 16 << 10;
        while self.bytes.len() < self.at + MAGIC && self.more()? {}
        if !is_gzip(&self.bytes[self.at..]) {
            return Ok(false);
        }
        let taken = self.at - self.mark;
        let mut start = Vec::new();
        // What it holds behind that is looked at later.
        let read = GzDecoder::new(&mut *self).take(ENOUGH).read_to_end(&mut start);
        self.at = self.mark + taken;
        if self.is_broken {
            read?;
        }
        Ok(begins(&start))
    }
}

impl<R: Read> Read for Kept<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R: Read> BufRead for Kept<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.bytes.len() {
            self.more()?;
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

    /// What members hold, with a `|` where something is passed over, and which bytes that is.
    fn read(file: &[u8], longest: usize) -> io::Result<(String, Vec<(u64, u64)>)> {
        let mut members = Members::new(file, longest, |start: &[u8]| start.starts_with(b"WARC/"), |_, _| {});
        let (mut text, mut passed_over) = (String::new(), Vec::new());
        loop {
            let mut buffer = [0; 7];
            match members.read(&mut buffer) {
                Ok(0) => return Ok((text, passed_over)),
                Ok(read) => text.push_str(&String::from_utf8_lossy(&buffer[..read])),
                Err(error) => {
                    text.push('|');
                    let Damage { bytes, .. } = error.downcast()?;
                    passed_over.push((bytes.start, bytes.end));
                }
            }
        }
    }

    #[test]
    fn members_and_zeros() -> io::Result<()> {
        let file = [member("one ")?, member("")?, member("two ")?].concat();
        for zeros in [0, 1, 100_000] {
            let padded = [&file[..], &vec![0; zeros]].concat();
            for longest in [0, 3, 4, 100] {
                assert_eq!(read(&padded, longest)?, ("one two ".to_owned(), vec![]), "{zeros} zeros");
            }
        }
        assert!(read(&file[..file.len() - 3], 100).is_err());
        assert!(read(&[&file[..], b"x"].concat(), 100).is_err());
        Ok(())
    }

    /// All members behind a damaged byte were lost, and what the member holds was given although its checksum is wrong.
    #[test]
    fn a_damaged_byte_costs_its_member() -> io::Result<()> {
        let texts = ["WARC/1 one ", "WARC/2 the second of them all ", "WARC/3 three "];
        let members = [member(texts[0])?, member(texts[1])?, member(texts[2])?];
        let (start, end) = (members[0].len(), members[0].len() + members[1].len());
        for at in start..end {
            // Neither the time nor the system nor the level is checked.
            if (4..10).contains(&(at - start)) {
                continue;
            }
            for bit in 0..8 {
                let mut file = members.concat();
                file[at] ^= 1 << bit;
                let (text, passed_over) = read(&file, 100_000)?;
                let is_optional = at - start == 3 && text == texts.concat();
                assert!(is_optional || text == format!("{}|{}", texts[0], texts[2]), "{at} {bit}: {text}");
                assert!(is_optional || passed_over == [(start as u64, end as u64)], "{at} {bit}: {passed_over:?}");
            }
        }
        Ok(())
    }

    /// What stands before the damage in a member of several records is given, unless its checksum says that some of it is wrong.
    #[test]
    fn a_member_of_several_records() -> io::Result<()> {
        let text: String = (0..40).map(|number| format!("WARC/1 {number} {}\n", number * 7919 % 104_729)).collect();
        let member = [member(&text)?, member("WARC/1 end")?];
        let (mut broken, mut wrong) = (member.concat(), member.concat());
        let length = member[0].len();
        broken.drain(length / 2..length - 20);
        wrong[length - 5] ^= 1;
        let (given, _) = read(&broken, 100_000)?;
        let (start, end) = given.split_once('|').unwrap_or_default();
        assert!(start.len() > 100 && text.starts_with(&start[..100]) && end == "WARC/1 end", "{given}");
        assert_eq!(read(&wrong, 100_000)?, ("|WARC/1 end".to_owned(), vec![(0, length as u64)]));
        Ok(())
    }

    /// The last member needs no other one behind it, unless it breaks off.
    #[test]
    fn a_wrong_checksum_at_the_end() -> io::Result<()> {
        let members = [member("WARC/1 ")?, member("WARC/2 ")?];
        let mut file = members.concat();
        let length = file.len();
        file[length - 8] ^= 1;
        let passed_over = vec![(members[0].len() as u64, length as u64)];
        assert_eq!(read(&file, 100)?, ("WARC/1 |".to_owned(), passed_over));
        let (text, passed_over) = read(&file, 3)?;
        assert_eq!((&*text, passed_over), ("WARC/1 WARC/2 |", vec![(length as u64, length as u64)]));
        Ok(())
    }
}

/// Whether the bytes begin like a member of gzip.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8])
}
