//! Mailboxes, message by message.

mod messages;

use std::io::{self, BufRead, BufReader};

use flate2::bufread::GzDecoder;

use messages::{Messages, hides_separator};

use crate::compression::decompressed::Decompressed;
use crate::compression::{Compression, has_minimal_header};
use crate::mail::message::verify_message;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::verdict::{Difference, Rule, Verdict};

/// Verifies what was made of an mbox; both are read message by message, compressed by gzip or not.
///
/// # Errors
///
/// When one of them cannot be read.
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
    let ((old, is_compressed), (new, is_new_compressed)) = (open(original)?, open(rewritten)?);
    if is_compressed != is_new_compressed {
        let message = "one of both is compressed by gzip and the other one is not";
        let differences = vec![Difference::new(Rule::Record, message)];
        return Ok(Verdict { differences, ..Verdict::default() });
    }
    let (mut old, mut new) = (Messages::of(old), Messages::of(new));
    let mut verdict = Verdict::default();
    if is_compressed {
        verdict.differences.extend(wrong_framing(original, rewritten)?);
    }
    let mut number = 0_u64;
    loop {
        let (old, new) = (old.next()?, new.next()?);
        // What stands before the first separator line is no message.
        number += u64::from(number > 0 || old.as_ref().or(new.as_ref()).is_some_and(|old| !old.separator.is_empty()));
        let record = number.to_string();
        let differ =
            |message: &str| Verdict { differences: vec![Difference::new(Rule::Record, message)], ..Verdict::default() };
        let (old, new) = match (old, new) {
            (None, None) => return Ok(verdict),
            (Some(old), Some(new)) => (old, new),
            (Some(_), None) => {
                verdict.add(differ("this message and those behind it are missing"), &record);
                return Ok(verdict);
            }
            (None, Some(_)) => {
                verdict.add(differ("this message and those behind it were added"), &record);
                return Ok(verdict);
            }
        };
        verdict.counts.bytes += old.bytes();
        if old.separator != new.separator {
            verdict.add(differ("the separator line before it differs"), &record);
        }
        if old.behind != new.behind {
            verdict.add(differ("the empty lines behind it differ"), &record);
        }
        if old.rest.is_some() || new.rest.is_some() {
            if (&old.content, &old.rest) != (&new.content, &new.rest) {
                let message = "it is too long to be read, and differs";
                let differences = vec![Difference::new(Rule::Kept, message)];
                verdict.add(Verdict { differences, ..Verdict::default() }, &record);
            }
            verdict.counts.records += 1;
            continue;
        }
        let stays = match old.separator.is_empty() {
            true => Some("it has changed, but it had to stay: it stands before the first separator line"),
            false if !old.is_measured && hides_separator(&old.content) => {
                Some("it has changed, but it had to stay: another message may begin in it")
            }
            false => None,
        };
        if let Some(message) = stays.filter(|_| old.content != new.content) {
            let differences = vec![Difference::new(Rule::Kept, message)];
            verdict.add(Verdict { differences, ..Verdict::default() }, &record);
        }
        if old.separator.is_empty() {
            continue;
        }
        let bytes = verdict.counts.bytes;
        verdict.add(verify_message(&old.content, &new.content, None, settings), &record);
        verdict.counts.bytes = bytes;
    }
}

/// What is wrong with how an mbox is compressed that has changed: it is one member, with nothing behind it.
fn wrong_framing(original: Stored<'_>, rewritten: Stored<'_>) -> io::Result<Option<Difference>> {
    let is_same = original.length()? == rewritten.length()? && rewritten.departs_from(original)?.is_none();
    if is_same {
        return Ok(None);
    }
    let mut member = GzDecoder::new(BufReader::new(rewritten.reader_at(0)));
    let is_whole = io::copy(&mut member, &mut io::sink()).is_ok();
    let is_ours = has_minimal_header(rewritten, 0)? && member.into_inner().fill_buf()?.is_empty();
    let message = "it is not compressed as a run does it, into one member with nothing behind it";
    Ok((is_whole && !is_ours).then(|| Difference::new(Rule::Record, message)))
}

/// The bytes of a file, without gzip, and whether that was taken off.
fn open(stored: Stored<'_>) -> io::Result<(Box<dyn BufRead + '_>, bool)> {
    let mut file = BufReader::new(stored.reader_at(0));
    Ok(match file.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        true => (Box::new(BufReader::new(Decompressed::new(file, Compression::Gzip, b"")?)), true),
        false => (Box::new(file), false),
    })
}
