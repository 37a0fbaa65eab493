//! Capture of the raw bytes of an archive while it is read: copied or held, hashed, with the ends of gzip members.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use absolve_framing::READ_AHEAD;

use crate::warc::digester::Digester;

/// The use of the raw bytes. They are hashed in any case.
pub(crate) enum Use<'o> {
    /// Copy them to a writer.
    Copy(&'o mut dyn Write),
    /// Hold them in memory until they are released.
    Hold,
    /// Only hash them.
    Hash,
}

/// The raw bytes of an archive. One clone is written to while the archive is read; another one is queried.
#[derive(Clone)]
pub(crate) struct RawCapture<'o>(Rc<RefCell<Bytes<'o>>>);

struct Bytes<'o> {
    digester: Digester,
    /// Number of zero bytes at the end.
    trailing_zeros: usize,
    purpose: Use<'o>,
    held: Vec<u8>,
    /// Offset of `held` in the file.
    start: u64,
    /// The ends of members, as offsets in the decompressed bytes and in the file.
    ends: VecDeque<(u64, u64)>,
}

impl<'o> RawCapture<'o> {
    pub(crate) fn new(purpose: Use<'o>) -> Self {
        let (digester, ends) = (Digester::default(), VecDeque::from([(0, 0)]));
        Self(Rc::new(RefCell::new(Bytes { digester, trailing_zeros: 0, purpose, held: Vec::new(), start: 0, ends })))
    }

    /// Adds the end of a gzip member, as an offset in the decompressed bytes and an offset in the file.
    pub(crate) fn add_member_end(&self, decoded: u64, file: u64) {
        let mut bytes = self.0.borrow_mut();
        if matches!(bytes.purpose, Use::Hold) {
            bytes.ends.push_back((decoded, file));
        }
    }

    /// Returns the range of the file that contains exactly this decompressed range, if members begin and end there.
    pub(crate) fn members(&self, range: Range<u64>) -> Option<Range<u64>> {
        let first = self.member_start(range.start)?;
        let ends = &self.0.borrow().ends;
        let last = ends.get(ends.partition_point(|(decoded, _)| *decoded < range.end))?;
        (last.0 == range.end).then_some(first..last.1)
    }

    /// Returns the offset in the file of the member that begins at an offset in the decompressed bytes.
    pub(crate) fn member_start(&self, decoded: u64) -> Option<u64> {
        let bytes = self.0.borrow();
        let before = bytes.ends.partition_point(|(end, _)| *end <= decoded);
        let (_, file) = bytes.ends.get(before.checked_sub(1)?).filter(|(end, _)| *end == decoded)?;
        let following = file.checked_sub(bytes.start).and_then(|at| bytes.held.get(at as usize..)).unwrap_or_default();
        let padding = following.iter().take_while(|byte| **byte == 0).count();
        Some(file + padding as u64)
    }

    /// Returns a held range of the file.
    pub(crate) fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let bytes = self.0.borrow();
        let index = |at: u64| at.checked_sub(bytes.start).map(|at| at as usize);
        let held = index(range.start).zip(index(range.end)).and_then(|(start, end)| bytes.held.get(start..end));
        held.map(<[u8]>::to_vec).ok_or_else(|| io::Error::other("bytes of the archive were released too early"))
    }

    /// Releases the members that end before an offset in the decompressed bytes. Of a member that continues after it, all
    /// bytes read so far are released.
    pub(crate) fn release(&self, decoded: u64) {
        let bytes = &mut *self.0.borrow_mut();
        while bytes.ends.get(1).is_some_and(|(end, _)| *end <= decoded) {
            bytes.ends.pop_front();
        }
        let needed = match (bytes.ends.front(), bytes.ends.get(1)) {
            (Some((end, file)), _) if *end == decoded => *file,
            (_, Some((_, file))) => *file,
            _ => (bytes.start + bytes.held.len() as u64).saturating_sub(READ_AHEAD as u64),
        };
        let length = (needed.saturating_sub(bytes.start) as usize).min(bytes.held.len());
        // Draining moves the rest, so it is done for many members at once.
        if length * 2 >= bytes.held.len() {
            bytes.held.drain(..length);
            bytes.start += length as u64;
        }
    }

    /// Releases all bytes that are held, and only hashes those that follow.
    pub(crate) fn stop_holding(&self) {
        let bytes = &mut *self.0.borrow_mut();
        if matches!(bytes.purpose, Use::Hold) {
            (bytes.purpose, bytes.held) = (Use::Hash, Vec::new());
        }
    }

    /// Returns the SHA-256 of all bytes, at their end.
    pub(crate) fn digest(&self) -> Vec<u8> {
        mem::take(&mut self.0.borrow_mut().digester).finish()
    }

    /// Returns the number of zero bytes at the end.
    pub(crate) fn trailing_zeros(&self) -> usize {
        self.0.borrow().trailing_zeros
    }
}

impl Write for RawCapture<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let bytes = &mut *self.0.borrow_mut();
        bytes.digester.update(written);
        let zeros = written.iter().rev().take_while(|byte| **byte == 0).count();
        bytes.trailing_zeros = if zeros == written.len() { bytes.trailing_zeros + zeros } else { zeros };
        match &mut bytes.purpose {
            Use::Copy(output) => output.write_all(written)?,
            Use::Hold => bytes.held.extend_from_slice(written),
            Use::Hash => {}
        }
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0.borrow_mut().purpose {
            Use::Copy(output) => output.flush(),
            Use::Hold | Use::Hash => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{READ_AHEAD, RawCapture, Use};

    #[test]
    fn members() -> std::io::Result<()> {
        let mut capture = RawCapture::new(Use::Hold);
        capture.write_all(b"aabb?bcc")?;
        // The third member is empty.
        for (decoded, file) in [(20, 2), (30, 4), (30, 5), (40, 6)] {
            capture.add_member_end(decoded, file);
        }
        for (range, expected) in [
            (0..20, Some(0..2)),
            (20..30, Some(2..4)),
            (30..40, Some(5..6)),
            (0..40, Some(0..6)),
            (0..25, None),
            (5..20, None),
        ] {
            assert_eq!(capture.members(range.clone()), expected, "{range:?}");
        }
        capture.release(30);
        assert_eq!((capture.bytes(5..6)?, capture.members(0..20)), (b"b".to_vec(), None));
        assert!(capture.bytes(0..2).is_err());
        Ok(())
    }

    #[test]
    fn a_member_begins_after_zeros() -> std::io::Result<()> {
        let mut capture = RawCapture::new(Use::Hold);
        capture.write_all(b"aa\0\0bb")?;
        capture.add_member_end(20, 2);
        capture.add_member_end(30, 6);
        assert_eq!((capture.members(20..30), capture.member_start(20)), (Some(4..6), Some(4)));
        assert_eq!((capture.members(0..20), capture.bytes(4..6)?), (Some(0..2), b"bb".to_vec()));
        Ok(())
    }

    /// A single member for all records is not held until its end.
    #[test]
    fn long_members_are_let_go() -> std::io::Result<()> {
        let mut capture = RawCapture::new(Use::Hold);
        for piece in 1..=100 {
            capture.write_all(&[b'a'; READ_AHEAD])?;
            capture.release(piece * 10);
            assert!(capture.0.borrow().held.len() <= 2 * READ_AHEAD);
        }
        let end = 100 * READ_AHEAD as u64;
        capture.add_member_end(2_000, end - 100);
        capture.add_member_end(3_000, end);
        capture.release(2_000);
        assert_eq!((capture.members(1_000..2_000), capture.members(2_000..3_000)), (None, Some(end - 100..end)));
        assert_eq!(capture.bytes(end - 100..end)?, [b'a'; 100]);
        Ok(())
    }
}
