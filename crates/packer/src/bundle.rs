//! Several messages in one: a digest, or an mbox.

use std::io::{self, Write};

use mail_builder::headers::raw::Raw;
use mail_builder::mime::{BodyPart, MimePart};
use mail_parser::DateTime;
use sha2::{Digest, Sha256};

use crate::error::PackError;
use crate::header::Header;
use crate::id::short;
use crate::message::{finished, multipart};
use crate::request::Format;

/// Returns one message with these messages as its parts (`multipart/digest`, RFC 2046, section 5.1.5), of at most
/// `max_bytes`.
///
/// # Errors
///
/// If it would be too long.
///
/// ```
/// use absolve_packer::{Header, digest};
/// let made = digest(vec![b"Subject: x\r\n\r\ny".to_vec()], &Header::default(), 1_000)?;
/// assert!(String::from_utf8_lossy(&made).contains("Content-Type: multipart/digest"));
/// # Ok::<(), absolve_packer::PackError>(())
/// ```
pub fn digest(messages: Vec<Vec<u8>>, header: &Header, max_bytes: u64) -> Result<Vec<u8>, PackError> {
    let boundary = short(messages.iter().fold(Sha256::new(), |digest, message| digest.chain_update(message)));
    let part = |message: Vec<u8>| {
        let mut part = MimePart::new("message/rfc822", BodyPart::Binary(message.into()));
        let fields = [("Content-Type", "message/rfc822"), ("Content-Transfer-Encoding", "7bit")];
        part.headers = fields.into_iter().map(|(name, value)| (name.into(), Raw::new(value).into())).collect();
        part
    };
    let parts = messages.into_iter().map(part).collect();
    let digest = multipart("digest", None, &boundary, parts);
    let digest = finished(digest, header, None, Format::Eml);
    let bytes = digest.len() as u64;
    if bytes > max_bytes { Err(PackError::TooLong { bytes, limit: max_bytes, path: None }) } else { Ok(digest) }
}

/// Writes a message as an entry of an mbox (the dialect `mboxrd`): after a line with its sender and date, with `>` before
/// lines that look like such a line.
///
/// # Errors
///
/// Those of `out`.
///
/// ```
/// use absolve_packer::{Header, write_to_mbox};
/// let mut mbox = Vec::new();
/// write_to_mbox(b"Subject: x\r\n\r\nFrom me\r\n", &Header::default(), &mut mbox)?;
/// assert_eq!(mbox, b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\nSubject: x\n\n>From me\n\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_to_mbox(message: &[u8], header: &Header, out: &mut impl Write) -> io::Result<()> {
    let sender = header.from.first().map_or("MAILER-DAEMON", |from| &*from.address);
    writeln!(out, "From {sender} {}", date_of_entry(header))?;
    let text = message.strip_suffix(b"\n").unwrap_or(message);
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let start = line.iter().take_while(|byte| **byte == b'>').count();
        if line[start..].starts_with(b"From ") {
            out.write_all(b">")?;
        }
        out.write_all(line)?;
        out.write_all(b"\n")?;
    }
    out.write_all(b"\n")
}

/// Returns a date as `Sat Nov 21 10:00:00 2026`; in 1970 for a draft, which has none.
fn date_of_entry(header: &Header) -> String {
    let date = header.date.clone().unwrap_or_else(|| DateTime::from_timestamp(0).to_rfc822());
    match date.split_whitespace().collect::<Vec<_>>()[..] {
        [weekday, day, month, year, time, ..] => {
            format!("{} {month} {day:>2} {time} {year}", weekday.trim_end_matches(','))
        }
        _ => date,
    }
}
