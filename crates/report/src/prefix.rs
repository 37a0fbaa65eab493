//! The first of many pieces, in an order in which they do not come.

use std::collections::BTreeMap;

/// The place of a document in the order of the input.
pub(crate) type Key = (usize, u64);

/// Keeps the longest beginning of pieces that has room, whatever the order in which they come.
#[derive(Debug)]
pub(crate) struct Prefix<P> {
    pieces: BTreeMap<Key, P>,
    bytes: usize,
    room: usize,
    /// The first piece that has no room; none after it is kept.
    end: Option<Key>,
}

/// The length of a piece in the page.
pub(crate) trait Bytes {
    fn bytes(&self) -> usize;
}

impl<P: Bytes> Prefix<P> {
    pub(crate) const fn new(room: usize) -> Self {
        Self { pieces: BTreeMap::new(), bytes: 0, room, end: None }
    }

    /// Returns whether a piece at this place may be kept.
    pub(crate) fn may_keep(&self, key: Key) -> bool {
        self.end.is_none_or(|end| key < end)
    }

    /// Adds a piece, or drops it and all behind it if there is no room.
    pub(crate) fn put(&mut self, key: Key, piece: P) {
        if self.may_keep(key) {
            self.bytes += piece.bytes();
            self.pieces.insert(key, piece);
            self.shrink_to(self.room);
        }
    }

    /// Drops what has no room, from the end.
    pub(crate) fn shrink_to(&mut self, room: usize) {
        self.room = self.room.min(room);
        while self.bytes > self.room
            && let Some((key, piece)) = self.pieces.pop_last()
        {
            self.bytes -= piece.bytes();
            self.end = Some(key);
        }
    }

    /// Drops what has no piece in another prefix, because that ends before it.
    pub(crate) fn end_with<O>(&mut self, other: &Prefix<O>) {
        while let Some(end) = other.end
            && let Some(last) = self.pieces.last_entry()
            && *last.key() >= end
        {
            self.bytes -= last.remove().bytes();
        }
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn get(&self, key: Key) -> Option<&P> {
        self.pieces.get(&key)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (Key, &P)> {
        self.pieces.iter().map(|(key, piece)| (*key, piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Bytes for Box<str> {
        fn bytes(&self) -> usize {
            self.len()
        }
    }

    /// Pieces of one to seven bytes in a scrambled order.
    #[test]
    fn what_is_kept_does_not_depend_on_the_order() {
        let piece = |number: usize| -> Box<str> { "x".repeat(number % 7 + 1).into() };
        for room in [0, 1, 10, 100, 397, 398, 399, 1000] {
            let mut expected = 0;
            let fits = |number: &usize| {
                expected += piece(*number).len();
                expected <= room
            };
            let first: Vec<usize> = (0..101).take_while(fits).collect();
            for step in [1, 2, 37, 50, 100] {
                let mut prefix = Prefix::new(room);
                for number in (0..101).map(|number| number * step % 101) {
                    prefix.put((number, 0), piece(number));
                }
                let kept: Vec<usize> = prefix.iter().map(|((place, _), _)| place).collect();
                assert_eq!(kept, first, "{room} {step}");
                assert!(prefix.bytes() <= room);
            }
        }
    }
}
