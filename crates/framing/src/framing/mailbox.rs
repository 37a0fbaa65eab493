//! The framings of mailboxes.

use crate::framing::{Extent, Framed, Framing, babyl, mbox, mmdf};

/// How the messages of a mailbox are delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailboxFraming {
    /// After separator lines (mbox, RFC 4155).
    Mbox,
    /// Between two lines of four bytes 01.
    Mmdf,
    /// After a form feed, before a byte 1F.
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
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            _ if mbox::begins_mbox(start) => Some(Self::Mbox),
            _ if mmdf::begins_mmdf(start) => Some(Self::Mmdf),
            _ => babyl::begins_babyl(start).then_some(Self::Babyl),
        }
    }

    /// Returns whether a message contains what looks like the end of a message.
    pub fn contains_end(self, message: &[u8]) -> bool {
        match self {
            Self::Mbox => mbox::contains_separator(message),
            Self::Mmdf => mmdf::contains_mark(message),
            Self::Babyl => babyl::contains_end(message),
        }
    }

    /// Returns whether edits of a message may make it contain the end of a message.
    pub fn may_create_end(self, message: &[u8]) -> bool {
        match self {
            Self::Mbox => mbox::may_create_separator(message),
            Self::Mmdf => memchr::memchr(1, message).is_some(),
            Self::Babyl => memchr::memchr(0x1f, message).is_some(),
        }
    }
}
