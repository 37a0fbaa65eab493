//! Where the gzip members of a file begin and end.

use std::collections::VecDeque;

/// Where members begin and end, in bytes of the content and of the file.
#[derive(Default)]
pub(super) struct MemberPlaces {
    /// The bytes of content read so far.
    pub(super) read: u64,
    begins: VecDeque<(u64, u64)>,
    ends: VecDeque<(u64, u64)>,
}

impl MemberPlaces {
    /// Records that a member begins at this byte of the file.
    pub(super) fn begin(&mut self, place: u64) {
        // Of empty members the last one counts.
        if self.begins.back().is_some_and(|(begin, _)| *begin == self.read) {
            self.begins.pop_back();
        }
        self.begins.push_back((self.read, place));
    }

    /// Records that a member ends at this byte of the content and of the file.
    pub(super) fn end(&mut self, content: u64, place: u64) {
        self.ends.push_back((content, place));
    }

    /// Returns the byte of the file at which the member begins that begins at this byte of the content. Calls must come in
    /// ascending order.
    pub(super) fn begin_of(&mut self, content: u64) -> Option<u64> {
        while self.begins.front().is_some_and(|(begin, _)| *begin < content) {
            self.begins.pop_front();
        }
        self.begins.front().filter(|(begin, _)| *begin == content).map(|(_, place)| *place)
    }

    /// Returns the byte of the file at which a member ends that ends at this byte of the content, and the number of members
    /// that have ended since the last call. Calls must come in ascending order.
    pub(super) fn end_of(&mut self, content: u64) -> (Option<u64>, usize) {
        let mut count = 0;
        while let Some((end, place)) = self.ends.front().copied().filter(|(end, _)| *end <= content) {
            self.ends.pop_front();
            count += 1;
            if end == content {
                return (Some(place), count);
            }
        }
        (None, count)
    }
}
