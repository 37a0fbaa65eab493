//! The bytes of an archive as they are read, compressed or not: their digest, how they end, where they go.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::ops::Range;
use std::rc::Rc;

use sha2::{Digest, Sha256};

use crate::compression::members::READ_AHEAD;

/// What becomes of the bytes.
pub(crate) enum Use<'o> {
    /// They are written elsewhere.
    Copy(&'o mut dyn Write),
    /// They are held until they are let go.
    Hold,
    /// They are only looked at.
    Look,
}

/// The file behind an archive. The reader of the archive writes to one handle of it, who asks has another.
#[derive(Clone)]
pub(crate) struct RawCapture<'o>(Rc<RefCell<Bytes<'o>>>);

struct Bytes<'o> {
    digest: Sha256,
    /// How many zeros stand at the end.
    zeros: usize,
    purpose: Use<'o>,
    held: Vec<u8>,
    /// Where those begin in the file.
    start: u64,
    /// Where members end: bytes of what they hold, bytes of the file.
    ends: VecDeque<(u64, u64)>,
}

impl<'o> RawCapture<'o> {
    pub(crate) fn new(purpose: Use<'o>) -> Self {
        let (digest, ends) = (Sha256::new(), VecDeque::from([(0, 0)]));
        Self(Rc::new(RefCell::new(Bytes { digest, zeros: 0, purpose, held: Vec::new(), start: 0, ends })))
    }

    /// A member ends behind so many bytes of what the file holds, and so many of the file.
    pub(crate) fn member_ends(&self, held: u64, file: u64) {
        let mut bytes = self.0.borrow_mut();
        if matches!(bytes.purpose, Use::Hold) {
            bytes.ends.push_back((held, file));
        }
    }

    /// The bytes of the file from which exactly this range of what it holds comes, if members begin and end there.
    pub(crate) fn members(&self, range: Range<u64>) -> Option<Range<u64>> {
        let first = self.member_at(range.start)?;
        let ends = &self.0.borrow().ends;
        let last = ends.get(ends.partition_point(|(held, _)| *held < range.end))?;
        (last.0 == range.end).then_some(first..last.1)
    }

    /// Where the member begins in the file that begins at this place of what it holds.
    pub(crate) fn member_at(&self, held: u64) -> Option<u64> {
        let bytes = self.0.borrow();
        let before = bytes.ends.partition_point(|(end, _)| *end <= held);
        let (_, file) = bytes.ends.get(before.checked_sub(1)?).filter(|(end, _)| *end == held)?;
        let behind = file.checked_sub(bytes.start).and_then(|at| bytes.held.get(at as usize..)).unwrap_or_default();
        // Some stand between members.
        let zeros = behind.iter().take_while(|byte| **byte == 0).count();
        Some(file + zeros as u64)
    }

    /// Bytes of the file that are held.
    pub(crate) fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let bytes = self.0.borrow();
        let place = |at: u64| at.checked_sub(bytes.start).map(|at| at as usize);
        let held = place(range.start).zip(place(range.end)).and_then(|(start, end)| bytes.held.get(start..end));
        held.map(<[u8]>::to_vec).ok_or_else(|| io::Error::other("bytes of the archive were let go too early"))
    }

    /// Lets go of what is not needed of the members before this place of what the file holds. Within one that began
    /// before it, that is all there is of it.
    pub(crate) fn let_go(&self, held: u64) {
        let bytes = &mut *self.0.borrow_mut();
        while bytes.ends.get(1).is_some_and(|(end, _)| *end <= held) {
            bytes.ends.pop_front();
        }
        let needed = match (bytes.ends.front(), bytes.ends.get(1)) {
            (Some((end, file)), _) if *end == held => *file,
            (_, Some((_, file))) => *file,
            _ => (bytes.start + bytes.held.len() as u64).saturating_sub(READ_AHEAD as u64),
        };
        let length = (needed.saturating_sub(bytes.start) as usize).min(bytes.held.len());
        // Each time the rest is moved, so it is done for many members at once.
        if length * 2 >= bytes.held.len() {
            bytes.held.drain(..length);
            bytes.start += length as u64;
        }
    }

    /// From now on the bytes are only looked at.
    pub(crate) fn only_look(&self) {
        let bytes = &mut *self.0.borrow_mut();
        bytes.purpose = Use::Look;
        bytes.held = Vec::new();
    }

    /// The sha256 of all that was read.
    pub(crate) fn digest(&self) -> Vec<u8> {
        self.0.borrow().digest.clone().finalize().to_vec()
    }

    /// How many zeros stand at its end.
    pub(crate) fn zeros(&self) -> usize {
        self.0.borrow().zeros
    }
}

impl Write for RawCapture<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let bytes = &mut *self.0.borrow_mut();
        bytes.digest.update(written);
        let zeros = written.iter().rev().take_while(|byte| **byte == 0).count();
        bytes.zeros = if zeros == written.len() { bytes.zeros + zeros } else { zeros };
        match &mut bytes.purpose {
            Use::Copy(output) => output.write_all(written)?,
            Use::Hold => bytes.held.extend_from_slice(written),
            Use::Look => {}
        }
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0.borrow_mut().purpose {
            Use::Copy(output) => output.flush(),
            Use::Hold | Use::Look => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{READ_AHEAD, RawCapture, Use};

    #[test]
    fn members() -> std::io::Result<()> {
        let mut tape = RawCapture::new(Use::Hold);
        tape.write_all(b"aabb?bcc")?;
        // The third member holds nothing.
        for (held, file) in [(20, 2), (30, 4), (30, 5), (40, 6)] {
            tape.member_ends(held, file);
        }
        for (range, expected) in [
            (0..20, Some(0..2)),
            (20..30, Some(2..4)),
            (30..40, Some(5..6)),
            (0..40, Some(0..6)),
            (0..25, None),
            (5..20, None),
        ] {
            assert_eq!(tape.members(range.clone()), expected, "{range:?}");
        }
        tape.let_go(30);
        assert_eq!((tape.bytes(5..6)?, tape.members(0..20)), (b"b".to_vec(), None));
        assert!(tape.bytes(0..2).is_err());
        Ok(())
    }

    #[test]
    fn a_member_begins_behind_zeros() -> std::io::Result<()> {
        let mut tape = RawCapture::new(Use::Hold);
        tape.write_all(b"aa\0\0bb")?;
        tape.member_ends(20, 2);
        tape.member_ends(30, 6);
        assert_eq!((tape.members(20..30), tape.member_at(20)), (Some(4..6), Some(4)));
        assert_eq!((tape.members(0..20), tape.bytes(4..6)?), (Some(0..2), b"bb".to_vec()));
        Ok(())
    }

    /// One member for all records is not held until its end.
    #[test]
    fn long_members_are_let_go() -> std::io::Result<()> {
        let mut tape = RawCapture::new(Use::Hold);
        for piece in 1..=100 {
            tape.write_all(&[b'a'; READ_AHEAD])?;
            tape.let_go(piece * 10);
            assert!(tape.0.borrow().held.len() <= 2 * READ_AHEAD);
        }
        let end = 100 * READ_AHEAD as u64;
        tape.member_ends(2_000, end - 100);
        tape.member_ends(3_000, end);
        tape.let_go(2_000);
        assert_eq!((tape.members(1_000..2_000), tape.members(2_000..3_000)), (None, Some(end - 100..end)));
        assert_eq!(tape.bytes(end - 100..end)?, [b'a'; 100]);
        Ok(())
    }
}
