//! The first of many texts, in an order in which they do not come.

/// The place of a document in the order of the input.
pub(crate) type Key = (usize, u64);

/// Keeps the longest beginning of texts that has room, whatever the order in which they come.
#[derive(Debug)]
pub(crate) struct Prefix {
    /// The texts, one behind the other: one allocation for all.
    texts: String,
    pieces: Vec<Piece>,
    /// The bytes around each text in the page.
    markup: usize,
    bytes: usize,
    room: usize,
    /// The first text that has no room; none after it is kept.
    end: Option<Key>,
}

/// A text that is kept.
#[derive(Clone, Copy, Debug)]
struct Piece {
    key: Key,
    /// Where it begins, is divided and ends.
    places: [usize; 3],
}

impl Prefix {
    /// Returns one without texts, with room for some bytes of the page, in which `markup` bytes stand around each text.
    pub(crate) const fn new(room: usize, markup: usize) -> Self {
        Self { texts: String::new(), pieces: Vec::new(), markup, bytes: 0, room, end: None }
    }

    /// Returns whether a text at this place may be kept.
    pub(crate) fn may_keep(&self, key: Key) -> bool {
        self.end.is_none_or(|end| key < end)
    }

    /// Adds a text that `write` writes, and the offset in bytes that it returns as where the text is divided. Drops it and all behind it if
    /// there is no room.
    pub(crate) fn put(&mut self, key: Key, write: impl FnOnce(&mut String) -> usize) {
        if !self.may_keep(key) {
            return;
        }
        if self.texts.capacity() == 0 {
            // Memory is taken as it is filled; to grow would copy all texts again and again.
            self.texts.reserve_exact(self.most());
        }
        let start = self.texts.len();
        let divided = start + write(&mut self.texts);
        self.pieces.push(Piece { key, places: [start, divided, self.texts.len()] });
        self.bytes += self.texts.len() - start + self.markup;
        // Sorting for each text that has no room would cost more than the texts.
        if self.bytes > self.most() {
            self.shrink_to(self.room);
        }
    }

    /// Returns how many bytes are kept until those that have no room are dropped.
    const fn most(&self) -> usize {
        self.room + self.room / 4
    }

    /// Sorts the texts, and drops what has no room, from the end.
    pub(crate) fn shrink_to(&mut self, room: usize) {
        self.room = self.room.min(room);
        // Most are in their order already, of which a stable sort makes use.
        self.pieces.sort_by_key(|piece| piece.key);
        let (mut bytes, markup) = (0, self.markup);
        let has_room = |piece: &&Piece| {
            bytes += piece.places[2] - piece.places[0] + markup;
            bytes <= self.room
        };
        let kept = self.pieces.iter().take_while(has_room).count();
        self.keep(kept);
    }

    /// Drops what has no text in another prefix, because that ends before it.
    pub(crate) fn end_with(&mut self, other: &Self) {
        self.shrink_to(self.room);
        if let Some(end) = other.end {
            self.keep(self.pieces.partition_point(|piece| piece.key < end));
        }
    }

    /// Drops all but the first texts.
    fn keep(&mut self, kept: usize) {
        let Some(first) = self.pieces.get(kept) else { return };
        self.end = Some(first.key);
        self.pieces.truncate(kept);
        let mut texts = String::with_capacity(self.most());
        for piece in &mut self.pieces {
            let [start, divided, end] = piece.places;
            let moved = texts.len();
            texts.push_str(&self.texts[start..end]);
            piece.places = [moved, moved + divided - start, texts.len()];
        }
        self.bytes = texts.len() + kept * self.markup;
        self.texts = texts;
    }

    /// Returns the bytes of all texts in the page.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns how many texts there are.
    pub(crate) const fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns the text at this place, if the texts were sorted since it was added.
    pub(crate) fn get(&self, key: Key) -> Option<&str> {
        let found = self.pieces.binary_search_by_key(&key, |piece| piece.key).ok()?;
        let [start, _, end] = self.pieces[found].places;
        Some(&self.texts[start..end])
    }

    /// Returns the texts in both of their parts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, (&str, &str))> {
        self.pieces.iter().map(|piece| {
            let [start, divided, end] = piece.places;
            (piece.key, (&self.texts[start..divided], &self.texts[divided..end]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of one to seven bytes in a scrambled order.
    #[test]
    fn what_is_kept_does_not_depend_on_the_order() {
        let text = |number: usize| format!("{}{number}", "x".repeat(number % 7 + 1));
        for room in [0, 1, 10, 100, 397, 398, 399, 700, 1000] {
            let mut expected = 0;
            let fits = |number: &usize| {
                expected += text(*number).len() + 2;
                expected <= room
            };
            let first: Vec<usize> = (0..101).take_while(fits).collect();
            for step in [1, 2, 37, 50, 100] {
                let mut prefix = Prefix::new(room, 2);
                for number in (0..101).map(|number| number * step % 101) {
                    prefix.put((number, 0), |texts| {
                        texts.push_str(&text(number));
                        number % 2
                    });
                }
                prefix.shrink_to(room);
                let kept: Vec<usize> = prefix.iter().map(|((place, _), _)| place).collect();
                assert_eq!(kept, first, "{room} {step}");
                assert!(prefix.bytes() <= room);
                for ((number, _), (start, end)) in prefix.iter() {
                    assert_eq!((start.len(), [start, end].concat()), (number % 2, text(number)));
                    assert_eq!(prefix.get((number, 0)), Some(&*text(number)));
                }
            }
        }
    }
}
