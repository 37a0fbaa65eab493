//! Where the messages of an mbox begin and end (RFC 4155, appendix A, and the dialects that preceded it).

use absolve_links::Edits;
use absolve_rewriter::body_start;
use memchr::memmem;

use crate::framing::{Content, Framed, Rest, content_length};
use crate::limits::{CONTENT_LENGTH, LINE_ENDS};

/// How a separator line begins.
const MARK: &[u8] = b"From ";

/// Whether `bytes` begin like an mbox: with a separator line.
pub(crate) fn begins_mbox(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK) && separator_at(bytes, 0, Rest::Whole) == Some(true)
}

/// The first message of `bytes`, which begin where a message does; `None` if they do not tell where it ends.
pub(crate) fn first_message(bytes: &[u8], rest: Rest) -> Option<Framed> {
    let is_separated = bytes.starts_with(MARK) && separator_at(bytes, 0, rest)?;
    let start = if is_separated { line_end(bytes, 0).unwrap_or(bytes.len()) } else { 0 };
    let by_length = by_content_length(bytes, start, rest)?;
    if !is_separated {
        let length = by_length.map_or_else(|| next_separator(bytes, start, rest), |(_, next)| Some(next))?;
        return Some(Framed { length, content: Content::NoRecord });
    }
    if let Some((end, next)) = by_length {
        return Some(Framed { length: next, content: Content::Record(start..end) });
    }
    let length = next_separator(bytes, start, rest)?;
    let content = start..before_empty_line(bytes, start, length);
    let hides_another = may_hide_separator(&bytes[content.clone()]);
    Some(Framed { length, content: if hides_another { Content::Doubtful } else { Content::Record(content) } })
}

/// The next separator line behind `from`, or the end of the file; `None` if `bytes` do not tell.
pub(crate) fn next_separator(bytes: &[u8], from: usize, rest: Rest) -> Option<usize> {
    for at in memmem::find_iter(&bytes[from..], b"\nFrom ").map(|found| from + found + 1) {
        if follows_empty_line(bytes, from, at) && separator_at(bytes, at, rest)? {
            return Some(at);
        }
    }
    (rest == Rest::Whole).then_some(bytes.len())
}

/// Whether edits of a message make a line of it look like a separator, as when they join it with the next one.
pub(crate) fn brings_forth_separator(message: &[u8], edits: &Edits) -> bool {
    !edits.is_empty() && may_bring_forth_separator(message) && may_hide_separator(&edits.splice(message))
}

/// Whether a message holds a line that begins like a separator, and can hardly be one.
pub(crate) fn may_bring_forth_separator(message: &[u8]) -> bool {
    memmem::find(message, b"\nFrom ").is_some() && !may_hide_separator(message)
}

/// Whether a line of a message might be a separator that does not follow an empty line, or has no date.
fn may_hide_separator(message: &[u8]) -> bool {
    memmem::find_iter(message, b"\nFrom ").any(|found| {
        let at = found + 1;
        let line = &message[at..line_end(message, at).unwrap_or(message.len())];
        has_date(line) || line_end(message, at).is_some_and(|next| begins_field(&message[next..]))
    })
}

/// The end of the message and the beginning of the next one, where a `Content-Length` tells them and proves right: a
/// separator line stands there, or the end of the file. The outer `None`: `bytes` do not tell.
fn by_content_length(bytes: &[u8], start: usize, rest: Rest) -> Option<Option<(usize, usize)>> {
    let (heading_end, body) = body_start(bytes, start..bytes.len());
    if rest == Rest::Begun && body == bytes.len() {
        return None;
    }
    let Some(length) = content_length(&bytes[start..heading_end]) else { return Some(None) };
    let Some(end) = body.checked_add(length).filter(|_| length <= CONTENT_LENGTH) else { return Some(None) };
    let behind = bytes.get(end..).unwrap_or_default().iter().take(LINE_ENDS);
    let next = end + behind.take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    if bytes.len() < next + MARK.len() && MARK.starts_with(bytes.get(next..).unwrap_or_default()) {
        return match rest {
            Rest::Begun => None,
            Rest::Whole => Some((end <= bytes.len() && next >= bytes.len()).then_some((end, bytes.len()))),
        };
    }
    let is_at_line_start = next > end || bytes[..end].ends_with(b"\n");
    let is_right = is_at_line_start && bytes[next..].starts_with(MARK) && separator_at(bytes, next, rest)?;
    Some(is_right.then_some((end, next)))
}

/// Whether a separator line begins at `at`; `None` if `bytes` do not tell.
fn separator_at(bytes: &[u8], at: usize, rest: Rest) -> Option<bool> {
    const LONGEST: usize = 1024;
    let Some(next) = line_end(bytes, at) else {
        let is_open = rest == Rest::Begun && bytes.len() - at < LONGEST;
        return if is_open { None } else { Some(false) };
    };
    if next - at > LONGEST || !has_date(&bytes[at..next]) {
        return Some(false);
    }
    if has_date_of_asctime(&bytes[at..next]) {
        return Some(true);
    }
    let line = &bytes[next..];
    if rest == Rest::Begun && !line.contains(&b':') && line.len() < LONGEST && !line.contains(&b'\n') {
        return None;
    }
    Some(line.is_empty() || begins_field(line))
}

/// Whether a line names a time of day and a year, as all dialects do at its end.
fn has_date(line: &[u8]) -> bool {
    let is_year =
        |word: &[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit) && matches!(word[0], b'1' | b'2');
    words(line).any(is_year) && words(line).any(is_time)
}

/// Whether the date is written as `Thu Jan  1 00:00:00`, so that it can hardly be anything else.
fn has_date_of_asctime(line: &[u8]) -> bool {
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

/// Whether a header field, or a quoted separator that some programs left among them, begins here.
fn begins_field(bytes: &[u8]) -> bool {
    let name = bytes.iter().position(|byte| !matches!(byte, b'!'..=b'9' | b';'..=b'~')).unwrap_or(bytes.len());
    (name > 0 && bytes.get(name) == Some(&b':')) || bytes.starts_with(b">From ")
}

fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    memchr::memchr(b'\n', &bytes[at..]).map(|length| at + length + 1)
}

fn follows_empty_line(bytes: &[u8], from: usize, at: usize) -> bool {
    // A message may have neither heading nor body.
    matches!(&bytes[from..at], [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] | [b'\n'] | [b'\r', b'\n'])
}

/// The end of a message without the empty line behind it.
fn before_empty_line(bytes: &[u8], start: usize, end: usize) -> usize {
    match &bytes[start..end] {
        [.., b'\n', b'\r', b'\n'] => end - 2,
        [.., b'\n', b'\n'] => end - 1,
        _ => end,
    }
}
