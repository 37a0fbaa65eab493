//! The framings of mailboxes.

use absolve_links::Edits;

use crate::framing::{Extent, Framed, Framing, babyl, mbox, mmdf};

/// How the messages of a mailbox are delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MailboxFraming {
    /// After separator lines (mbox, RFC 4155).
    Mbox,
    Mmdf,
    Babyl,
}

impl Framing for MailboxFraming {
    fn first_record(self, bytes: &[u8], extent: Extent) -> Option<Framed> {
        match self {
            Self::Mbox => mbox::first_message(bytes, extent),
            Self::Mmdf => mmdf::first_message(bytes, extent),
            Self::Babyl => babyl::first_message(bytes, extent),
        }
    }

    fn next_record(self, bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
        match self {
            Self::Mbox => mbox::next_separator(bytes, from, extent),
            Self::Mmdf => mmdf::next_message(bytes, from, extent),
            Self::Babyl => babyl::next_message(bytes, from, extent),
        }
    }
}

impl MailboxFraming {
    /// Returns the framing of a mailbox that begins with these bytes.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        match start {
            _ if mbox::begins_mbox(start) => Some(Self::Mbox),
            _ if mmdf::begins_mmdf(start) => Some(Self::Mmdf),
            _ => babyl::begins_babyl(start).then_some(Self::Babyl),
        }
    }

    /// Returns whether edits of a message make it contain the end of a message, for example by joining two lines.
    pub(crate) fn creates_end(self, message: &[u8], edits: &Edits) -> bool {
        match self {
            Self::Mbox => mbox::creates_separator(message, edits),
            _ if edits.is_empty() || !self.may_create_end(message) => false,
            Self::Mmdf => mmdf::contains_mark(&edits.splice(message)),
            Self::Babyl => babyl::contains_end(&edits.splice(message)),
        }
    }

    /// Returns whether edits of a message may do that.
    pub(crate) fn may_create_end(self, message: &[u8]) -> bool {
        match self {
            Self::Mbox => mbox::may_create_separator(message),
            Self::Mmdf => memchr::memchr(1, message).is_some(),
            Self::Babyl => memchr::memchr(0x1f, message).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use absolve_links::Edits;

    use super::MailboxFraming;

    /// Bytes that only begin like the end of a message are none, until an edit makes one of them.
    #[test]
    fn ends_that_edits_create() {
        for (framing, message) in [
            (MailboxFraming::Mmdf, &b"x\n\x01\x01\x01\x01y\n"[..]),
            (MailboxFraming::Mmdf, b"\x01\x01\x01\x01y\r\nx\n"),
            (MailboxFraming::Babyl, b"x\x1f\x0cy\nz\x1f\x0c"),
            (MailboxFraming::Babyl, b"x\x1f\x0cy\r\n"),
        ] {
            for (at, byte) in message.iter().enumerate() {
                let mut edits = Edits::default();
                edits.push(at..at + 1, if *byte == b'x' { b"http://h/x" } else { b"" });
                assert_eq!(framing.creates_end(message, &edits), *byte == b'y', "{framing:?} {at}");
            }
        }
    }
}
