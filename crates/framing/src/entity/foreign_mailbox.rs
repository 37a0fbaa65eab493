//! Mailboxes that are not read, by their bytes: their messages have no separator lines of an mbox.

use memchr::memmem;

/// A format of mailboxes that is not read.
///
/// ```
/// use absolve_framing::ForeignMailbox;
/// let name = |bytes: &[u8]| ForeignMailbox::of(bytes).map(|found| found.name);
/// assert_eq!(name(b" 2-Mar-2026 10:00:00 +0000,493;000000000000\nTo: x\n"), Some("a mailbox of UW IMAP (tenex or mtx)"));
/// assert_eq!(name(b"Subject: x\n\none\n.\nTo: z\nSubject: y\n\ntwo\n.\n"), Some("a mailbox of GNU Mailutils (dotmail)"));
/// assert_eq!(name(b"Subject: x\n\none\n"), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForeignMailbox {
    /// Its name, with an article.
    pub name: &'static str,
    /// The command that makes an mbox of one.
    pub command: &'static str,
    begins: fn(&[u8]) -> bool,
}

const FORMATS: [ForeignMailbox; 5] = [
    ForeignMailbox {
        name: "a mailbox of UW IMAP (mbx)",
        command: "mailutil copy FILE '#driver.unix/NEW'",
        begins: |bytes| bytes.starts_with(b"*mbx*\r\n"),
    },
    ForeignMailbox {
        name: "a mailbox of UW IMAP (tenex or mtx)",
        command: "mailutil copy FILE '#driver.unix/NEW'",
        begins: |bytes| is_internal_line(line(bytes)),
    },
    ForeignMailbox {
        name: "a file of a mailbox of UW IMAP (mix)",
        command: "mailutil copy FOLDER '#driver.unix/NEW'",
        begins: |bytes| bytes.starts_with(b":msg:"),
    },
    ForeignMailbox {
        name: "a mailbox of GNU Mailutils (dotmail)",
        command: "movemail --preserve dotmail:FILE mbox:NEW",
        begins: is_dotmail,
    },
    ForeignMailbox {
        name: "a mailbox whose lines end in a bare CR",
        command: "tr '\\r' '\\n' < FILE > NEW",
        begins: |bytes| bytes.starts_with(b"From ") && ends_in_bare_return(bytes),
    },
];

impl ForeignMailbox {
    /// Returns the format of a mailbox that is not read, by its bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        FORMATS.into_iter().find(|format| (format.begins)(bytes))
    }
}

/// Returns the first line with its end, as far as one of such a mailbox reaches.
fn line(bytes: &[u8]) -> &[u8] {
    const LONGEST: usize = 128;
    let start = &bytes[..bytes.len().min(LONGEST)];
    &start[..memchr::memchr(b'\n', start).map_or(0, |end| end + 1)]
}

/// Returns whether a line is one before a message of UW IMAP: ` 2-Mar-2026 10:00:00 +0000,493;000000000000`, a date, a size and flags.
fn is_internal_line(line: &[u8]) -> bool {
    const DATE: &[u8] = b"?9-aaa-9999 99:99:99 ?9999,";
    let fits = |(byte, shape): (&u8, &u8)| match shape {
        b'9' => byte.is_ascii_digit(),
        b'a' => byte.is_ascii_alphabetic(),
        b'?' => true,
        _ => byte == shape,
    };
    let Some((date, rest)) = line.split_at_checked(DATE.len()) else { return false };
    let mut numbers = rest.splitn(2, |byte| *byte == b';');
    let has_size = numbers.next().is_some_and(|size| !size.is_empty() && size.iter().all(u8::is_ascii_digit));
    let has_flags = |text: &[u8]| text.get(..12).is_some_and(|flags| flags.iter().all(u8::is_ascii_hexdigit));
    date.iter().zip(DATE).all(fits) && has_size && numbers.next().is_some_and(has_flags)
}

/// Returns whether these are several messages that each end with a line of one dot: all do, and a header follows the first such line.
fn is_dotmail(bytes: &[u8]) -> bool {
    let is_ended = |end: &[u8]| bytes.ends_with(end);
    if !is_ended(b"\n.\n") && !is_ended(b"\n.\r\n") {
        return false;
    }
    let mut ends = memmem::find_iter(bytes, b"\n.").map(|at| &bytes[at + 2..]);
    ends.any(|rest| {
        let next = rest.strip_prefix(b"\r").unwrap_or(rest);
        next.strip_prefix(b"\n").is_some_and(begins_with_two_fields)
    })
}

/// Returns whether text begins with two header fields, the first perhaps with continuation lines.
fn begins_with_two_fields(text: &[u8]) -> bool {
    let is_field = |line: &[u8]| {
        let name = line.iter().position(|byte| !matches!(byte, b'!'..=b'9' | b';'..=b'~')).unwrap_or(line.len());
        name > 0 && line.get(name) == Some(&b':')
    };
    let mut lines = text.split(|byte| *byte == b'\n');
    let first = lines.next().is_some_and(is_field);
    first && lines.find(|line| !matches!(line.first(), Some(b' ' | b'\t'))).is_some_and(is_field)
}

/// Returns whether lines end in a carriage return without a line feed, as on the classic Mac OS: no line feed is in the first of them.
fn ends_in_bare_return(bytes: &[u8]) -> bool {
    const START: usize = 2048;
    let start = &bytes[..bytes.len().min(START)];
    memchr::memchr(b'\r', start).is_some() && memchr::memchr(b'\n', start).is_none()
}
