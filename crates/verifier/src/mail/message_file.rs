//! Verifies files that contain one message: alone, compressed, or with what Apple Mail adds.

use std::io::{self, Read};
use std::path::Path;

use crate::base::Retrieved;
use crate::compression::Compression;
use crate::compression::decompressed::Decompressed;
use crate::mail::message::verify_message;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::verdict::{Difference, Rule, Verdict};

/// Verifies a rewritten file with one message against the original, as [`verify_message`] does. Both may be compressed.
///
/// # Errors
///
/// An error of reading one of them.
///
/// ```
/// use absolve_verifier::{Retrieved, Settings, verify_message_file};
/// let file = b"Subject: x\n\n";
/// assert!(verify_message_file(&file[..], &file[..], Retrieved::Nowhere, &Settings::default())?.holds());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn verify_message_file<'s>(
    original: impl Into<Stored<'s>>,
    rewritten: impl Into<Stored<'s>>,
    retrieval: Retrieved<'_>,
    settings: &Settings,
) -> io::Result<Verdict> {
    /// The longest message that is read from a compressed file, in bytes.
    const LONGEST: u64 = 128 << 20;
    let (original, rewritten) = (original.into(), rewritten.into());
    let is_compressed = Compression::of_file(original)? != Compression::None;
    let longest = if is_compressed { LONGEST } else { u64::MAX };
    let read = |file, longest: u64| {
        let mut message = Vec::new();
        Decompressed::of_file(file)?.take(longest).read_to_end(&mut message)?;
        Ok::<_, io::Error>(message)
    };
    let old = read(original, longest.saturating_add(1))?;
    if old.len() as u64 > longest {
        let message = "it is too long to be read, but differs";
        let is_same = rewritten.is_same_as(original)?;
        return Ok(Verdict::of((!is_same).then(|| Difference::new(Rule::Kept, message))));
    }
    // What links insert is limited.
    let new = read(rewritten, longest.saturating_mul(2).saturating_add(1 << 30))?;
    let differ = |message: &str| Verdict::of([Difference::new(Rule::Record, message)]);
    Ok(match (AppleMail::of(&old), AppleMail::of(&new)) {
        (None, _) => verify_message(&old, &new, retrieval, settings),
        (Some(Err(())), _) if old == new => Verdict::default(),
        (Some(Err(())), _) => {
            differ("the number of bytes in its first line is wrong, so it had to stay, but it differs")
        }
        (Some(Ok(_)), None | Some(Err(()))) => differ("the number of bytes in its first line is wrong"),
        (Some(Ok(old)), Some(Ok(new))) => {
            let mut verdict = verify_message(old.message, new.message, retrieval, settings);
            if old.property_list != new.property_list {
                verdict.differences.push(Difference::new(Rule::Record, "its property list differs"));
            }
            verdict
        }
    })
}

/// A file of Apple Mail.
struct AppleMail<'m> {
    message: &'m [u8],
    property_list: &'m [u8],
}

impl<'m> AppleMail<'m> {
    /// Returns the parts of a file whose first line is a number, or an error if that is not the length of a message; `None` for
    /// any other file.
    fn of(file: &'m [u8]) -> Option<Result<Self, ()>> {
        let line = file.split_inclusive(|byte| *byte == b'\n').next().filter(|line| line.len() <= 64)?;
        let number = str::from_utf8(line.strip_suffix(b"\n")?).ok()?.trim_ascii_end();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let parts = || {
            let (message, property_list) = file[line.len()..].split_at_checked(number.parse().ok()?)?;
            let text = property_list.trim_ascii_start();
            let is_list =
                text.starts_with(b"<?xml") || text.starts_with(b"<!DOCTYPE plist") || text.starts_with(b"<plist");
            (is_list || text.is_empty() || text.starts_with(b"bplist")).then_some(Self { message, property_list })
        };
        Some(parts().ok_or(()))
    }
}

/// Verifies that a file is compressed like its original, or as its `name` declares.
///
/// # Errors
///
/// An error of reading one of them.
///
/// ```
/// use absolve_verifier::verify_compression;
/// assert!(verify_compression(&b"To: x"[..], &b"To: x"[..], None)?.is_none());
/// assert!(verify_compression(&b"To: x"[..], &b"BZh91AY&SY"[..], None)?.is_some());
/// assert!(verify_compression(&b"To: x"[..], &b"BZh91AY&SY"[..], Some("x.eml.bz2".as_ref()))?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn verify_compression<'s>(
    original: impl Into<Stored<'s>>,
    rewritten: impl Into<Stored<'s>>,
    name: Option<&Path>,
) -> io::Result<Option<Difference>> {
    let (old, new) = (Compression::of_file(original.into())?, Compression::of_file(rewritten.into())?);
    let is_right = old == new || name.is_some_and(|name| new.is_named(name));
    let message = "it is compressed neither like its original nor according to its name";
    Ok((!is_right).then(|| Difference::new(Rule::Record, message)))
}

/// Returns a reader of the content of a file, which may be compressed.
///
/// # Errors
///
/// An error of reading its first bytes.
///
/// ```
/// use std::io::Read;
/// let mut content = String::new();
/// absolve_verifier::decompressed(&b"To: x"[..])?.read_to_string(&mut content)?;
/// assert_eq!(content, "To: x");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn decompressed<'s>(file: impl Into<Stored<'s>>) -> io::Result<impl Read + 's> {
    Decompressed::of_file(file.into())
}
