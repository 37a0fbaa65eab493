//! The message of a record.

use std::borrow::Cow;

use absolve_links::Edits;
use absolve_rewriter::internal::{message_too_long, packed};
use absolve_rewriter::{Code, Finding};

use absolve_framing::MESSAGE_BYTES;
use absolve_framing::{Content, Record};

/// A message, and where it stands in the bytes of its batch.
pub(super) struct Message<'b> {
    pub(super) text: Cow<'b, [u8]>,
    /// The offset of its first byte.
    start: usize,
    /// How much of it stands there, and the offset of the rest.
    split: Option<(usize, usize)>,
}

/// Returns the message of a record, or the finding about a record without one.
pub(super) fn message_of<'b>(bytes: &'b [u8], record: &Record) -> Result<Message<'b>, Option<Finding>> {
    match &record.content {
        Content::Record(content) => {
            Ok(Message { text: Cow::Borrowed(&bytes[content.clone()]), start: content.start, split: None })
        }
        Content::TwoPieces(header, body) => Ok(Message {
            text: Cow::Owned([&bytes[header.clone()], &bytes[body.clone()]].concat()),
            start: header.start,
            split: Some((header.len(), body.start)),
        }),
        Content::Ambiguous => {
            let why = "a line within it may be the separator line of another message";
            Err(Some(Finding::left_unchanged(Code::MessageSeparator, why)))
        }
        Content::NoRecord if bytes[record.raw.clone()].trim_ascii().is_empty() => Err(None),
        Content::NoRecord => {
            let why = "not a message: no separator line precedes it";
            let no_message = || Finding::left_unchanged(Code::NotItsType, why);
            Err(Some(packed(&bytes[record.raw.clone()]).unwrap_or_else(no_message)))
        }
        Content::TooLong => Err(Some(message_too_long(MESSAGE_BYTES as u64))),
        Content::CutOff | Content::TooLongContinued | Content::Damaged(_) | Content::FileHeader => Err(None),
    }
}

impl Message<'_> {
    /// Returns edits of the message as edits of the bytes of its record.
    pub(super) fn edits_of_record(&self, edits: Edits, record: &Record) -> Edits {
        let start = self.start - record.raw.start;
        let Some((length, rest)) = self.split else { return edits.shifted(start) };
        let rest = rest - record.raw.start;
        let mut placed = Edits::default();
        for (range, text) in edits.iter() {
            match range {
                range if range.end <= length => placed.push(range.start + start..range.end + start, text),
                range if range.start >= length => {
                    placed.push(range.start - length + rest..range.end - length + rest, text);
                }
                range => {
                    placed.push(range.start + start..length + start, text);
                    placed.push(rest..range.end - length + rest, b"");
                }
            }
        }
        placed
    }
}
