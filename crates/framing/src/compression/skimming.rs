//! Members of which only the head is decoded: a record whose body nobody reads.

use std::io;

use memchr::memmem::Finder;

use crate::compression::rewindable::{GZIP_MAGIC, Rewindable};
use crate::limits::SEARCHED_IN_VAIN;

/// Bytes that are decoded of a member to find out whether more are needed. Most headers of responses are shorter.
pub(super) const HEAD: usize = 2 << 10;

/// Returns the length of a member that begins with these bytes, if it is one record of which they are all that is needed.
pub type LengthByHead = fn(&[u8]) -> Option<usize>;

/// The length and the checksum at the end of a member.
const TRAILER: usize = 8;

impl Rewindable<'_> {
    /// Skips to the end of the member at the mark, of which some bytes were consumed, if it has this length: the first place where this
    /// length stands before another member or the end of the file. Consumes nothing if there is none within reach.
    pub(super) fn skip_member(&mut self, length: usize) -> io::Result<bool> {
        let consumed = self.at - self.mark;
        let (trailer, finder) = ((length as u32).to_le_bytes(), Finder::new(&GZIP_MAGIC));
        // What cannot be compressed becomes hardly longer.
        let reach = length + length / 64 + (4 << 10);
        let may_end = |end: usize| (consumed + TRAILER..=reach).contains(&end);
        if self.in_vain > SEARCHED_IN_VAIN {
            return Ok(false);
        }
        let mut from = consumed;
        loop {
            let kept = &self.bytes[self.mark..];
            let is_end = |end: usize| may_end(end) && kept[..end].ends_with(&trailer);
            let found = finder.find_iter(&kept[from..]).map(|found| from + found).find(|end| is_end(*end));
            from = (kept.len() + 1).saturating_sub(GZIP_MAGIC.len()).max(consumed);
            let end = match found {
                None if from > reach => None,
                None => {
                    self.at = self.bytes.len();
                    if self.read_more()? {
                        continue;
                    }
                    let kept = &self.bytes[self.mark..];
                    (may_end(kept.len()) && kept.ends_with(&trailer)).then_some(kept.len())
                }
                found => found,
            };
            self.at = self.mark + end.unwrap_or(consumed);
            // Of a file in which lengths are wrong, each byte could be searched for each member.
            self.in_vain =
                if end.is_some() { self.in_vain.saturating_sub(from as u64) } else { self.in_vain + from as u64 };
            return Ok(end.is_some());
        }
    }
}

/// Puts zeros behind the head of a member, for its body, and the line ends that follow a record; returns those for which the buffer has no
/// room.
pub(super) fn without_body(buffer: &mut [u8], length: usize) -> Vec<u8> {
    const LINE_ENDS: &[u8; 4] = b"\r\n\r\n";
    let room = length.min(buffer.len());
    buffer[HEAD..room].fill(0);
    let mut rest = vec![0; length - room];
    for (at, byte) in (length - LINE_ENDS.len()..length).zip(LINE_ENDS) {
        if at < room { buffer[at] = *byte } else { rest[at - room] = *byte }
    }
    rest
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::HEAD;
    use crate::compression::members::Members;
    use crate::framing::archive::ArchiveFormat;

    /// Returns a member of a record that says how long it is.
    fn member(body: &[u8], claimed: usize) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let record = [format!("WARC/1 {claimed}\n").as_bytes(), body, b"\r\n\r\n"].concat();
        encoder.write_all(&record).and_then(|()| encoder.finish()).expect("it is in memory")
    }

    fn length(head: &[u8]) -> Option<usize> {
        let line = head.split(|byte| *byte == b'\n').next()?;
        let body: usize = str::from_utf8(line.strip_prefix(b"WARC/1 ")?).ok()?.parse().ok()?;
        Some(line.len() + 5 + body)
    }

    /// Returns what is read of a file, whole and skimmed, or the errors.
    fn read(file: &[u8]) -> [io::Result<Vec<u8>>; 2] {
        let members = || Members::new(Box::new(file), 1 << 20, ArchiveFormat::Warc, Box::new(|_, _| {}));
        [members(), members().skimming(length)].map(|mut members| {
            let mut text = Vec::new();
            members.read_to_end(&mut text).map(|_| text)
        })
    }

    /// Bodies become zeros and all else is as it was, whatever is in them and wherever a file ends.
    #[test]
    fn bodies_are_zeros() -> io::Result<()> {
        let mut random = fastrand::Rng::with_seed(36);
        let (mut skimmed, mut cut_off) = (0, 0);
        for round in 0..200 {
            let mut file = Vec::new();
            for _ in 0..random.usize(1..9) {
                let mut body: Vec<u8> = (0..random.usize(..3 * HEAD)).map(|_| random.u8(..)).collect();
                // An archive within the archive, which cannot be compressed further.
                let nested = if random.bool() { file.clone() } else { Vec::new() };
                body.splice(body.len() / 2..body.len() / 2, nested);
                let wrong = if round % 5 == 0 { random.usize(..3) } else { 0 };
                file.extend(member(&body, body.len() + wrong));
            }
            file.extend(vec![0; random.usize(..9) * (round % 2)]);
            file.truncate(if round % 7 == 0 { random.usize(..file.len()) } else { file.len() });
            match read(&file) {
                [Ok(whole), Ok(heads)] => {
                    let differs = |(one, other): (&u8, &u8)| one != other && *other != 0;
                    assert!(whole.len() == heads.len() && !whole.iter().zip(&heads).any(differs), "{round}");
                    skimmed += usize::from(whole != heads);
                }
                read => {
                    let [whole, heads] = read.map(|read| read.err().map(|error| error.to_string()));
                    assert_eq!(whole, heads, "{round}");
                    cut_off += 1;
                }
            }
        }
        assert!(skimmed > 80 && cut_off > 10, "{skimmed} {cut_off}");
        Ok(())
    }

    /// A file whose records all say that they are long is not searched to its end for each of them.
    #[test]
    fn wrong_lengths_cost_no_more_than_the_file() {
        let file = member(&fastrand::Rng::with_seed(1).u64(..).to_be_bytes().repeat(HEAD), 900_000).repeat(20_000);
        let [whole, heads] = read(&file);
        assert!(whole.is_ok_and(|whole| heads.is_ok_and(|heads| whole == heads)));
    }
}
