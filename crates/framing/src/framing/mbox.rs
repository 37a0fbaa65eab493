//! Framing of mbox messages (RFC 4155, appendix A, and the older variants mboxo, mboxrd, mboxcl and mboxcl2).

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::framing::{Content, Extent, Framed};
use crate::header_fields::{body_start, content_length, header_fields};
use crate::limits::{CONTENT_LENGTH, LINE_ENDS};

/// Start of a separator line.
const MARK: &[u8] = b"From ";

/// The beginning of a line that may be a separator line.
static MARKED_LINE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\nFrom "));

/// Maximum bytes of a separator line, and of the line after it that is searched for a field name.
const LINE: usize = 1024;

/// Maximum bytes of a header in which the group of a message is searched for.
const LONGEST_HEADER: usize = 64 << 10;

/// Returns whether `bytes` begin with a separator line, perhaps after empty lines, as archives of Mailman do.
pub(crate) fn begins_mbox(mut bytes: &[u8]) -> bool {
    while let [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] = bytes {
        bytes = rest;
    }
    bytes.starts_with(MARK) && separator_at(bytes, 0, Extent::Complete) == Some(true)
}

/// Returns the first message of `bytes`, which begin at a message; `None` if its end is not in `bytes`.
pub(crate) fn first_message(bytes: &[u8], extent: Extent) -> Option<Framed> {
    let has_separator = bytes.starts_with(MARK) && separator_at(bytes, 0, extent)?;
    let start = if has_separator { line_end(bytes, 0).unwrap_or(bytes.len()) } else { 0 };
    let by_length = by_content_length(bytes, start, extent)?;
    if !has_separator {
        let length = by_length.map_or_else(|| next_separator(bytes, start, extent), |(_, next)| Some(next))?;
        return Some(Framed { length, content: Content::NoRecord });
    }
    if let Some((end, next)) = by_length {
        return Some(Framed { length: next, content: Content::Record(start..end) });
    }
    let (length, is_ambiguous) = message_end(bytes, start, extent)?;
    let content = start..before_empty_line(bytes, start, length);
    Some(Framed { length, content: if is_ambiguous { Content::Ambiguous } else { Content::Record(content) } })
}

/// Returns the offset of the next separator line after `from`, or of the end of the file; `None` if it is not in `bytes`.
pub(crate) fn next_separator(bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
    message_end(bytes, from, extent).map(|(end, _)| end)
}

/// Returns the offset of the next separator line after `from`, or of the end of the file, and whether a line before it may be a
/// separator line, too; `None` if it is not in `bytes`.
fn message_end(bytes: &[u8], from: usize, extent: Extent) -> Option<(usize, bool)> {
    let mut is_ambiguous = false;
    for at in MARKED_LINE.find_iter(&bytes[from..]).map(|found| from + found + 1) {
        let is_after_message = follows_empty_line(bytes, from, at) || begins_message_of_gnus(bytes, at, extent)?;
        if is_after_message && separator_at(bytes, at, extent)? {
            return Some((at, is_ambiguous));
        }
        is_ambiguous = is_ambiguous || may_be_separator(&bytes[at..]);
    }
    (extent == Extent::Complete).then_some((bytes.len(), is_ambiguous))
}

/// Returns whether a message contains a line that begins with `From ` but does not look like a separator line.
pub(crate) fn may_create_separator(message: &[u8]) -> bool {
    MARKED_LINE.find(message).is_some() && !contains_separator(message)
}

/// Returns whether a line of a message may be a separator line.
pub(crate) fn contains_separator(message: &[u8]) -> bool {
    MARKED_LINE.find_iter(message).any(|line_end| may_be_separator(&message[line_end + 1..]))
}

/// Returns whether the first line may be a separator line, although it does not follow an empty line or has no date.
fn may_be_separator(text: &[u8]) -> bool {
    let (line, rest) = text.split_at(line_end(text, 0).unwrap_or(text.len()));
    has_date(line) || begins_field(rest)
}

/// Returns the end of the message and the start of the next one, if a `Content-Length` leads to a separator line or to the
/// end of the file. The outer `None`: that place is not in `bytes`.
fn by_content_length(bytes: &[u8], start: usize, extent: Extent) -> Option<Option<(usize, usize)>> {
    let (header_end, body) = body_start(bytes, start..bytes.len());
    if extent == Extent::Partial && body == bytes.len() {
        return None;
    }
    let Some(length) = content_length(&bytes[start..header_end]) else { return Some(None) };
    let Some(end) = body.checked_add(length).filter(|_| length <= CONTENT_LENGTH) else { return Some(None) };
    let following = bytes.get(end..).unwrap_or_default().iter().take(LINE_ENDS);
    let next = end + following.take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    if bytes.len() < next + MARK.len() && MARK.starts_with(bytes.get(next..).unwrap_or_default()) {
        return match extent {
            Extent::Partial => None,
            Extent::Complete => Some((end <= bytes.len() && next >= bytes.len()).then_some((end, bytes.len()))),
        };
    }
    let is_at_line_start = next > end || bytes[..end].ends_with(b"\n");
    let is_right = is_at_line_start && bytes[next..].starts_with(MARK) && separator_at(bytes, next, extent)?;
    Some(is_right.then_some((end, next)))
}

/// Returns whether a separator line begins at `at`; `None` if `bytes` end too early to decide.
fn separator_at(bytes: &[u8], at: usize, extent: Extent) -> Option<bool> {
    let Some(next) = line_end(bytes, at) else {
        let may_continue = extent == Extent::Partial && bytes.len() - at < LINE;
        return if may_continue { None } else { Some(false) };
    };
    let is_bare = is_bare(&bytes[at..next]);
    if next - at > LINE || !(is_bare || has_date(&bytes[at..next])) {
        return Some(false);
    }
    if has_asctime_date(&bytes[at..next]) {
        return Some(true);
    }
    let line = &bytes[next..];
    if extent == Extent::Partial && !line.contains(&b':') && line.len() < LINE && !line.contains(&b'\n') {
        return None;
    }
    Some((line.is_empty() && !is_bare) || begins_field(line))
}

/// Returns whether a line is `From ` or `From - `, as Thunderbird writes it, and no more.
fn is_bare(line: &[u8]) -> bool {
    line.strip_prefix(MARK).is_some_and(|rest| matches!(rest.trim_ascii(), b"" | b"-"))
}

/// Returns whether a message begins at `at` as Gnus writes it in an nnmbox: without an empty line before its separator line, and with
/// the name of its group in its header. `None` if `bytes` end before that header does.
fn begins_message_of_gnus(bytes: &[u8], at: usize, extent: Extent) -> Option<bool> {
    let Some(header) = line_end(bytes, at).filter(|next| has_asctime_date(&bytes[at..*next])) else {
        return Some(false);
    };
    let (end, body) = body_start(bytes, header..bytes.len());
    if extent == Extent::Partial && body == bytes.len() && body - header < LONGEST_HEADER {
        return None;
    }
    Some(header_fields(&bytes[header..end]).any(|field| field.is_named("X-Gnus-Newsgroup")))
}

/// Returns whether a line contains a time of day and a year, as the separator lines of all variants do.
fn has_date(line: &[u8]) -> bool {
    let is_year =
        |word: &[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit) && matches!(word[0], b'1' | b'2');
    let (mut has_year, mut has_time) = (false, false);
    for word in words(line) {
        has_year |= is_year(word);
        has_time |= is_time(word);
    }
    has_year && has_time
}

/// Returns whether a line contains a date as `asctime` formats it, such as `Thu Jan  1 00:00:00`.
fn has_asctime_date(line: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    const MONTHS: [&[u8]; 12] =
        [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
    let mut rest = words(line).skip_while(|word| !DAYS.contains(word)).skip(1);
    rest.next().is_some_and(|month| MONTHS.contains(&month))
        && rest.next().is_some_and(|day| day.iter().all(u8::is_ascii_digit))
        && rest.next().is_some_and(is_time)
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).skip(1)
}

fn is_time(word: &[u8]) -> bool {
    let Some(colon @ 1..=2) = memchr::memchr(b':', word) else { return false };
    let minutes = word.get(colon + 1..colon + 3).unwrap_or_default();
    minutes.len() == 2 && word[..colon].iter().chain(minutes).all(u8::is_ascii_digit)
}

/// Returns whether `bytes` begin with a header field, or with a quoted separator line, which some programs leave in headers.
fn begins_field(bytes: &[u8]) -> bool {
    let name = bytes.iter().position(|byte| !matches!(byte, b'!'..=b'9' | b';'..=b'~')).unwrap_or(bytes.len());
    (name > 0 && bytes.get(name) == Some(&b':')) || bytes.starts_with(b">From ")
}

pub(super) fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    memchr::memchr(b'\n', &bytes[at..]).map(|length| at + length + 1)
}

fn follows_empty_line(bytes: &[u8], from: usize, at: usize) -> bool {
    // A message may have neither header nor body.
    matches!(&bytes[from..at], [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] | [b'\n'] | [b'\r', b'\n'])
}

/// Returns the end of a message without the empty line that follows it.
pub(super) fn before_empty_line(bytes: &[u8], start: usize, end: usize) -> usize {
    match &bytes[start..end] {
        [.., b'\n', b'\r', b'\n'] => end - 2,
        [.., b'\n', b'\n'] => end - 1,
        _ => end,
    }
}
