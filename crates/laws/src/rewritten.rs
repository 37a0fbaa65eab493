//! What a document and the rewritten document have in common.

pub(crate) mod verified;

use std::fs;
use std::io;
use std::path::Path;

use absolve_links::DocumentType;
use absolve_rewriter::{ListedLink, Status};
use url::Url;

/// A base that no document has.
pub const ELSEWHERE: &str = "ftp://elsewhere.example/x/y";

/// Checks laws 3 and 4: the bytes between links are equal, relative links have the same target at [`ELSEWHERE`], and
/// all else is unchanged. `before` and `after` are the links of `input` and `output`.
#[track_caller]
pub fn check_rewritten(input: &[u8], before: &[ListedLink], output: &[u8], after: &[ListedLink], name: &str) {
    check_links(before, after, name);
    check_outside(input, before, output, after, name);
}

#[track_caller]
fn check_links(before: &[ListedLink], after: &[ListedLink], name: &str) {
    assert_eq!(before.len(), after.len(), "{name}: the number of links");
    for (old, new) in before.iter().zip(after) {
        if old.status != Status::Relative {
            assert_eq!(old.written, new.written, "{name}: a link that was not to be changed");
            continue;
        }
        assert_eq!(new.status, Status::Absolute, "{name}: {new:?}");
        // What has no other escape can only be written as an escape of the URL: a control character in plain text, an
        // apostrophe in the quoted URL of a refresh.
        let written = match &old.target {
            Some(target) if new.attribute == "content" && new.reference == target.replace('\'', "%27") => target,
            _ => &new.reference,
        };
        // A list has the query of a target in the charset of its document.
        let is_target = Some(written) == old.target.as_ref()
            || new.target.is_some() && new.target == old.target
            || new.document_type == DocumentType::Text;
        assert!(is_target, "{name}: the target {:?} is not what was written, {written:?}", old.target);
        let base = old.base.as_deref().and_then(|base| Url::parse(base).ok());
        let meant = base.and_then(|base| base.join(&old.reference).ok());
        let means = Url::parse(ELSEWHERE).ok().and_then(|other| other.join(written).ok());
        if !is_known_crate_bug(old) {
            assert_eq!(meant, means, "{name}: {old:?} became {new:?}");
        }
    }
}

/// Returns whether the `url` crate deviates: it finds no host after three slashes, keeps a segment that looks like a drive
/// letter, and takes a backslash for a slash at a base whose scheme is not special.
fn is_known_crate_bug(link: &ListedLink) -> bool {
    const SPECIAL: [&str; 4] = ["http:", "https:", "ftp:", "file:"];
    let reference = link.reference.replace(['\n', '\r', '\t'], "");
    let is_special = || link.base.as_ref().is_some_and(|base| SPECIAL.iter().any(|scheme| base.starts_with(scheme)));
    let slashes = reference.replace('\\', "/");
    slashes.contains("///") || reference.contains(':') || (reference.contains('\\') && !is_special())
}

/// Checks that the bytes between links are equal, but for the quotes of values that were absent or are empty now, and the semicolon of a
/// character reference.
#[track_caller]
pub(crate) fn check_outside(input: &[u8], before: &[ListedLink], output: &[u8], after: &[ListedLink], name: &str) {
    let (mut old_at, mut new_at) = (0, 0);
    for (old, new) in before.iter().zip(after) {
        let (was, is) = (input.get(old_at..old.start), output.get(new_at..new.start));
        // An attribute without a value gets one.
        let given = was.zip(is).and_then(|(was, is)| is.strip_prefix(was)).unwrap_or(b"?");
        let is_given = old.start == old.end && matches!(given, b"=\"" | b"=\0\"\0" | b"\0=\0\"");
        // An unquoted value that is empty now is quoted.
        let is_emptied = new.start == new.end && matches!(given, b"\"" | b"\"\0" | b"\0\"" | b"&quot;");
        // A character reference without a semicolon gets one.
        let last = || was.into_iter().flatten().rfind(|byte| **byte != 0);
        let is_ended = matches!(given, b";" | b";\0" | b"\0;") && last().is_some_and(u8::is_ascii_alphanumeric);
        assert!(given.is_empty() || is_given || is_emptied || is_ended, "{name}: bytes before {old:?} differ");
        let closing = match given {
            _ if is_ended => b"",
            _ if is_emptied => given,
            _ => &given[given.len() / 2..],
        };
        let closed = new.end + closing.len();
        assert!(output.get(new.end..closed) == Some(closing), "{name}: {new:?} is not closed");
        (old_at, new_at) = (old.end, closed);
    }
    assert!(input[old_at..] == output[new_at..], "{name}: bytes behind the last link differ");
}

/// Checks that a run without changes writes the bytes it has read, and that a second run over what the first has written
/// changes nothing. Returns the number of changes and what was written; `None` if nothing changes, or the input cannot be read.
#[track_caller]
pub(crate) fn check_twice(
    run: fn(&Path, &Path) -> io::Result<usize>,
    [input, output, again]: [&Path; 3],
) -> io::Result<Option<(usize, Vec<u8>)>> {
    const ANOTHER: &str = "an archive without changes is another";
    let changed = run(input, output)?;
    // Unreadable input is not written.
    let Ok(written) = fs::read(output) else { return Ok(None) };
    if changed == 0 {
        assert!(written == fs::read(input)?, "{ANOTHER}");
        return Ok(None);
    }
    assert_eq!(run(output, again)?, 0, "a second run changes something");
    assert!(fs::read(again)? == written, "{ANOTHER}");
    Ok(Some((changed, written)))
}
