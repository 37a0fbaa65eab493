//! Verifies mailboxes message by message: mbox, MMDF and Babyl.

use std::borrow::Cow;
use std::io::{self, Read};
use std::mem;
use std::ops::Range;

use absolve_framing::{Batch, Batches, Budget, Compression, Content, MESSAGE_BYTES, MailboxFraming, Record, Sizes};
use sha2::{Digest, Sha256};

use crate::base::Retrieved;
use crate::mail::message::verify_message;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::verdict::{Difference, Rule, Verdict};

/// Verifies a rewritten mbox against the original, message by message. Both may be compressed.
///
/// # Errors
///
/// An error of reading one of them.
///
/// ```
/// use absolve_verifier::{Settings, verify_mbox};
/// let mbox = b"From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\n>From here on\n\n";
/// assert_eq!(verify_mbox(&mbox[..], &mbox[..], &Settings::default())?.counts.records, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn verify_mbox<'s>(
    original: impl Into<Stored<'s>>,
    rewritten: impl Into<Stored<'s>>,
    settings: &Settings,
) -> io::Result<Verdict> {
    let (original, rewritten) = (original.into(), rewritten.into());
    let mut start = Vec::new();
    original.decompressed()?.take(START).read_to_end(&mut start)?;
    let framing = MailboxFraming::of(&start).unwrap_or(MailboxFraming::Mbox);
    let mut old = Messages::of(original, framing, MESSAGE_BYTES)?;
    // Links that become absolute make it longer.
    let mut new = Messages::of(rewritten, framing, MESSAGE_BYTES * 2)?;
    let mut verdict = Verdict::of(check_compression(original, rewritten)?);
    loop {
        let differ = |message: &str| Verdict::of([Difference::new(Rule::Record, message)]);
        let (old, new) = match (old.next()?, new.next()?) {
            (None, None) => return Ok(verdict),
            (Some(old), Some(new)) => (old, new),
            (Some(old), None) => {
                verdict.add(differ("this message and those behind it are missing"), &old.number());
                return Ok(verdict);
            }
            (None, Some(new)) => {
                verdict.add(differ("this message and those behind it were added"), &new.number());
                return Ok(verdict);
            }
        };
        let bytes = verdict.counts.bytes + old.length;
        verdict.add(verify_record(&old, &new, settings), &old.number());
        verdict.counts.bytes = bytes;
    }
}

/// The bytes from which the framing of a mailbox is recognized.
const START: u64 = 16 << 10;

/// Verifies a record of the same number in both.
fn verify_record(old: &Message, new: &Message, settings: &Settings) -> Verdict {
    let mut verdict = match &old.record.content {
        Content::Record(_) | Content::TwoPieces(..) | Content::Ambiguous => {
            verify_message(&old.content(), &new.content(), Retrieved::Nowhere, settings)
        }
        _ => Verdict::default(),
    };
    let mut differs = |rule, message: &str| verdict.differences.push(Difference::new(rule, message));
    let stays = match &old.record.content {
        Content::Record(_) | Content::TwoPieces(..) => {
            if mem::discriminant(&old.record.content) != mem::discriminant(&new.record.content) {
                differs(Rule::Record, "it is delimited otherwise than in the original");
            }
            let parts = ["the separator line before it", "its second header", "what follows it"];
            for ((part, before), after) in parts.into_iter().zip(old.around()).zip(new.around()) {
                if before != after {
                    differs(Rule::Record, &format!("{part} differs"));
                }
            }
            None
        }
        Content::Ambiguous => Some("another message may begin in it"),
        Content::TooLong => Some("it is too long to be read"),
        _ => Some("it is no message"),
    };
    if let Some(why) = stays.filter(|_| !old.is_same_as(new)) {
        differs(Rule::Kept, &format!("it has changed, but it had to stay: {why}"));
    }
    verdict.counts.records += u64::from(old.record.content == Content::TooLong);
    verdict
}

/// A record of a mailbox.
struct Message {
    record: Record,
    /// All its bytes; none of one that is too long.
    bytes: Vec<u8>,
    length: u64,
    /// The digest of one that is too long.
    digest: Sha256,
}

impl Message {
    fn number(&self) -> String {
        self.record.number.to_string()
    }

    /// Returns where its content is: in one piece, or in two with another header between them.
    fn pieces(&self) -> [Range<usize>; 2] {
        let (start, end) = (self.record.raw.start, self.bytes.len());
        let piece = |piece: &Range<usize>| piece.start - start..piece.end - start;
        match &self.record.content {
            Content::Record(content) => [piece(content), content.end - start..content.end - start],
            Content::TwoPieces(header, body) => [piece(header), piece(body)],
            _ => [memchr::memchr(b'\n', &self.bytes).map_or(end, |line| line + 1)..end, end..end],
        }
    }

    fn content(&self) -> Cow<'_, [u8]> {
        match self.pieces().map(|piece| &self.bytes[piece]) {
            [content, []] => content.into(),
            pieces => pieces.concat().into(),
        }
    }

    /// Returns what is not content: before it, within it and after it.
    fn around(&self) -> [&[u8]; 3] {
        let [first, second] = self.pieces();
        [&self.bytes[..first.start], &self.bytes[first.end..second.start], &self.bytes[second.end..]]
    }

    fn is_same_as(&self, other: &Self) -> bool {
        let digest = |message: &Self| message.digest.clone().chain_update(&message.bytes).finalize();
        self.length == other.length && digest(self) == digest(other)
    }
}

/// The records of a mailbox.
struct Messages<'f> {
    batches: Batches<'f, MailboxFraming>,
    batch: Batch,
    /// How many of its records were returned.
    returned: usize,
}

impl<'f> Messages<'f> {
    fn of(file: Stored<'f>, framing: MailboxFraming, longest: usize) -> io::Result<Self> {
        let sizes = Sizes { batch: 1 << 20, message: longest };
        let batches = Batches::with_sizes(file.decompressed()?, framing, sizes);
        let batch = Batch { bytes: Vec::new(), records: Vec::new(), budget: Budget::default() };
        Ok(Self { batches, batch, returned: 0 })
    }

    /// Returns the next record; all pieces of one that is too long.
    fn next(&mut self) -> io::Result<Option<Message>> {
        let Some((record, bytes)) = self.peek()? else { return Ok(None) };
        let (length, record, bytes) = (bytes.len() as u64, record.clone(), bytes.to_vec());
        let mut message = Message { record, bytes, length, digest: Sha256::new() };
        self.returned += 1;
        if message.record.content != Content::TooLong {
            return Ok(Some(message));
        }
        message.digest.update(mem::take(&mut message.bytes));
        while let Some((Record { content: Content::TooLongContinued, .. }, bytes)) = self.peek()? {
            message.length += bytes.len() as u64;
            message.digest.update(bytes);
            self.returned += 1;
        }
        Ok(Some(message))
    }

    fn peek(&mut self) -> io::Result<Option<(&Record, &[u8])>> {
        while self.returned == self.batch.records.len() {
            let Some(batch) = self.batches.next(mem::take(&mut self.batch.bytes))? else { return Ok(None) };
            (self.batch, self.returned) = (batch, 0);
        }
        let record = &self.batch.records[self.returned];
        Ok(Some((record, &self.batch.bytes[record.raw.clone()])))
    }
}

/// Verifies the compression of a mailbox that has changed: it is one member or stream.
fn check_compression(original: Stored<'_>, rewritten: Stored<'_>) -> io::Result<Option<Difference>> {
    let compression = rewritten.compression()?;
    if compression == Compression::None || rewritten.is_same_as(original)? {
        return Ok(None);
    }
    let is_ours = compression != Compression::Gzip || rewritten.has_minimal_gzip_header(0)?;
    // What cannot be read shows when it is compared.
    let is_single = compression.is_single(rewritten.reader_at(0));
    let message = "it is not compressed into a single member or stream, as a run does it";
    Ok(is_single.is_ok_and(|is_single| !is_single || !is_ours).then(|| Difference::new(Rule::Record, message)))
}

#[cfg(test)]
mod tests {
    use absolve_framing::MailboxFraming;

    use super::{Messages, verify_record};
    use crate::settings::Settings;
    use crate::storage::Stored;

    /// Not all of a message without end is in memory, and where its pieces end depends on what precedes it.
    #[test]
    fn a_message_that_is_too_long_is_compared_by_its_digest() -> std::io::Result<()> {
        let mbox = |first: &str, text: &str| {
            let lines = format!("{text}\n").repeat(50_000);
            format!(
                "From a Thu Jan  1 00:00:00 1970\n\n{first}\n\nFrom b Thu Jan  1 00:00:00 1970\nA: b\n\n{lines}\n\
                     From c Thu Jan  1 00:00:00 1970\nC: d\n\nlast"
            )
        };
        let differences = |old: &str, new: &str| {
            let of = |text| Messages::of(Stored::Bytes(text), MailboxFraming::Mbox, 300_000);
            let (mut old, mut new) = (of(old.as_bytes())?, of(new.as_bytes())?);
            let mut found = Vec::new();
            while let (Some(old), Some(new)) = (old.next()?, new.next()?) {
                found.push(verify_record(&old, &new, &Settings::default()).differences.len());
            }
            Ok::<_, std::io::Error>(found)
        };
        let (one, longer, other) = (mbox("x", "of the text"), mbox("longer", "of the text"), mbox("x", "of the tex_"));
        assert_eq!(differences(&one, &one)?, [0, 0, 0]);
        assert_eq!(differences(&one, &longer)?, [1, 0, 0]);
        assert_eq!(differences(&one, &other)?, [0, 1, 0]);
        Ok(())
    }
}
