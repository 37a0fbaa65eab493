//! Verifies mailboxes message by message.

mod messages;
mod other_formats;

use std::io::{self, BufReader};

use messages::{Messages, hides_separator};
use other_formats::FileFormat;

use crate::base::Retrieved;
use crate::compression::decompressed::Decompressed;
use crate::compression::{Compression, has_minimal_header};
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
    let open = |stored| Ok::<_, io::Error>(Messages::of(BufReader::new(Decompressed::of_file(stored)?)));
    let (mut old, mut new) = (open(original)?, open(rewritten)?);
    let (old_format, new_format) = (FileFormat::of(&mut old)?, FileFormat::of(&mut new)?);
    let mut verdict = Verdict::default();
    verdict.differences.extend(check_framing(original, rewritten)?);
    let mut number = 0_u64;
    loop {
        let (old, new) = (old_format.next(&mut old)?, new_format.next(&mut new)?);
        // Text in front of the first separator line is no message.
        number += u64::from(number > 0 || old.as_ref().or(new.as_ref()).is_some_and(|old| !old.separator.is_empty()));
        let record = number.to_string();
        let differ = |message: &str| Verdict::of([Difference::new(Rule::Record, message)]);
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
                verdict.add(Verdict::of([Difference::new(Rule::Kept, message)]), &record);
            }
            verdict.counts.records += 1;
            continue;
        }
        let stays = match old.separator.is_empty() {
            true => Some("it has changed, but it had to stay: it precedes the first separator line"),
            false if !old.is_measured && hides_separator(&old.content) => {
                Some("it has changed, but it had to stay: another message may begin in it")
            }
            false => None,
        };
        if let Some(message) = stays.filter(|_| old.content != new.content) {
            verdict.add(Verdict::of([Difference::new(Rule::Kept, message)]), &record);
        }
        if old.separator.is_empty() {
            continue;
        }
        let bytes = verdict.counts.bytes;
        verdict.add(verify_message(&old.content, &new.content, Retrieved::Nowhere, settings), &record);
        verdict.counts.bytes = bytes;
    }
}

/// Verifies the compression of an mbox that has changed: it is one member or stream.
fn check_framing(original: Stored<'_>, rewritten: Stored<'_>) -> io::Result<Option<Difference>> {
    let compression = Compression::of_file(rewritten)?;
    if compression == Compression::None || rewritten.is_same_as(original)? {
        return Ok(None);
    }
    let is_ours = compression != Compression::Gzip || has_minimal_header(rewritten, 0)?;
    // What cannot be read shows when it is compared.
    let is_single = Decompressed::is_single(rewritten.reader_at(0), compression);
    let message = match compression {
        Compression::Gzip => "it is not compressed into a single gzip member, as a run does it",
        _ => "it is not compressed into a single stream, as a run does it",
    };
    Ok(is_single.is_ok_and(|is_single| !is_single || !is_ours).then(|| Difference::new(Rule::Record, message)))
}
