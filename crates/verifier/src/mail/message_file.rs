//! Verifies files that contain one message: alone, compressed, or with what Apple Mail adds.

use std::io::{self, Read};
use std::path::Path;

use absolve_framing::{Compression, MESSAGE_BYTES, counted_message};

use crate::base::Retrieved;
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
    let (original, rewritten) = (original.into(), rewritten.into());
    let is_compressed = original.compression()? != Compression::None;
    let longest = if is_compressed { MESSAGE_BYTES as u64 } else { u64::MAX };
    let read = |file: Stored<'_>, longest: u64| {
        let mut content = Vec::new();
        file.decompressed()?.take(longest).read_to_end(&mut content)?;
        Ok::<_, io::Error>(content)
    };
    let old = read(original, longest.saturating_add(1))?;
    let unless = |holds: bool, rule, message| (!holds).then(|| Difference::new(rule, message));
    if old.len() as u64 > longest {
        let is_same = rewritten.is_same_as(original)?;
        return Ok(Verdict::of(unless(is_same, Rule::Kept, "it is too long to be read, but differs")));
    }
    // What links insert is limited.
    let new = read(rewritten, longest.saturating_mul(2).saturating_add(1 << 30))?;
    let number = |holds| Verdict::of(unless(holds, Rule::Record, "the number of bytes in its first line is wrong"));
    Ok(match (counted_message(&old), counted_message(&new)) {
        (Ok(range), _) if range == (0..old.len()) => verify_message(&old, &new, retrieval, settings),
        (Ok(before), Ok(after)) => {
            let mut verdict = verify_message(&old[before.clone()], &new[after.clone()], retrieval, settings);
            let line = line_of(&old[..before.start], &old[before.clone()], &new[after.clone()]);
            let message = "the line with its number of bytes is another one";
            verdict.differences.extend(unless(new[..after.start] == line, Rule::Record, message));
            let is_same = old[before.end..] == new[after.end..];
            verdict.differences.extend(unless(is_same, Rule::Record, "its property list differs"));
            verdict
        }
        // It had to stay.
        (Err(_), _) => number(old == new),
        (Ok(_), Err(_)) => number(false),
    })
}

/// Returns the line with the number of bytes of the message `new`, which was `line` for `old`. The number takes the place of the old one.
fn line_of(line: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let width = line.iter().take_while(|byte| !matches!(byte, b'\r' | b'\n')).count();
    match old == new {
        true => line.to_vec(),
        false => [format!("{:<width$}", new.len()).as_bytes(), &line[width..]].concat(),
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
    let (old, new) = (original.into().compression()?, rewritten.into().compression()?);
    // A name with another extension may also be that of a plain file.
    let named = |name: &Path| Compression::of_name(name).or(name.extension().map(|_| Compression::None));
    let is_right = old == new || name.and_then(named) == Some(new);
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
    file.into().decompressed()
}
