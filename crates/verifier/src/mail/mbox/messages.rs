//! Splits an mbox into messages.

use std::io::{self, BufRead, Read};

use sha2::{Digest, Sha256};

use crate::mail::header::Header;
use crate::mail::lines::{is_empty_line, lines};

/// A message in an mbox.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// The separator line, `From …`.
    pub(super) separator: Vec<u8>,
    pub(super) content: Vec<u8>,
    /// The rest of a message that is too long to be held.
    pub(super) rest: Option<Rest>,
    /// The empty lines between it and the next message.
    pub(super) behind: Vec<u8>,
    /// Whether it has a `Content-Length` that is right.
    pub(super) is_measured: bool,
}

/// The length and the digest of bytes that are only compared.
#[derive(Debug, Default)]
pub(super) struct Rest {
    length: u64,
    digest: Sha256,
    /// Whether the last byte ends a line.
    ends_line: bool,
}

impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.digest.clone().finalize() == other.digest.clone().finalize()
    }
}

impl Message {
    pub(super) fn bytes(&self) -> u64 {
        let rest = self.rest.as_ref().map_or(0, |rest| rest.length);
        (self.separator.len() + self.content.len() + self.behind.len()) as u64 + rest
    }

    pub(super) fn ends_line(&self) -> bool {
        match &self.rest {
            Some(rest) => rest.ends_line,
            None => self.content.last().is_none_or(|byte| *byte == b'\n'),
        }
    }

    /// Appends a line or a piece of one; `longest` is the number of bytes that are held.
    pub(super) fn add(&mut self, line: &[u8], longest: usize) {
        if self.rest.is_none() && self.content.len() + line.len() <= longest {
            self.content.extend_from_slice(line);
            return;
        }
        let rest = self.rest.get_or_insert_default();
        rest.length += line.len() as u64;
        rest.digest.update(line);
        rest.ends_line = line.ends_with(b"\n");
    }
}

/// The longest message that is held, in bytes: twice the size of a message whose links change.
const LONGEST: usize = 256 << 20;

/// The longest piece of a line that is read at once, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// The messages of an mbox.
pub(super) struct Messages<R> {
    input: R,
    /// The bytes that were read.
    buffer: Vec<u8>,
    /// How many bytes of `buffer` were taken.
    taken: usize,
    /// The number of bytes of a message that are held.
    pub(super) longest: usize,
}

/// The longest `Content-Length` that is believed.
const CONTENT_LENGTH: usize = 8 << 20;

/// The most bytes of line ends between a message with a `Content-Length` and the next one.
const LINE_ENDS: usize = 1024;

impl<R: BufRead> Messages<R> {
    pub(super) const fn of(input: R) -> Self {
        Self { input, buffer: Vec::new(), taken: 0, longest: LONGEST }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Message>> {
        let mut message = Message::default();
        if self.is_separator(0)? {
            message.separator = self.line()?;
        } else if self.ahead(1)?.is_empty() {
            return Ok(None);
        }
        let (mut is_header, mut follows_empty_line) = (true, true);
        loop {
            let is_first = message.content.is_empty() && message.separator.is_empty();
            if follows_empty_line && !is_first && self.is_separator(0)? {
                break;
            }
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            follows_empty_line = message.ends_line() && is_empty_line(&line);
            message.add(&line, self.longest);
            if is_header && follows_empty_line {
                is_header = false;
                if self.take_body(&mut message)? {
                    break;
                }
            }
        }
        let end = without_empty_line(&message.content);
        if message.behind.is_empty() {
            message.behind = message.content.split_off(end);
        }
        Ok(Some(message))
    }

    /// Takes the body by its `Content-Length`, if a separator line or the end follows it.
    fn take_body(&mut self, message: &mut Message) -> io::Result<bool> {
        let declared = Header::read(&message.content)
            .named("content-length")
            .next()
            .and_then(|field| str::from_utf8(field.value).ok()?.trim().parse().ok());
        let Some(length) = declared.filter(|length: &usize| *length <= CONTENT_LENGTH) else { return Ok(false) };
        let body = self.ahead(length)?;
        let (is_whole, ends_line) = (body.len() == length, body.is_empty() || body.ends_with(b"\n"));
        let behind = self.ahead(length + LINE_ENDS)?.get(length..).unwrap_or_default();
        let line_ends = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let (end, is_end) = (length + line_ends, line_ends == behind.len() && line_ends < LINE_ENDS);
        if !is_whole || !(is_end || ((ends_line || line_ends > 0) && self.is_separator(end)?)) {
            return Ok(false);
        }
        message.content.extend_from_slice(self.ahead(length)?);
        message.behind = self.ahead(end)?[length..].to_vec();
        message.is_measured = true;
        self.taken += end;
        Ok(true)
    }

    /// Returns so many bytes without taking them, or all that are left.
    pub(super) fn ahead(&mut self, length: usize) -> io::Result<&[u8]> {
        let missing = (self.taken + length).saturating_sub(self.buffer.len());
        if missing > 0 {
            self.discard_taken();
            (&mut self.input).take(missing as u64).read_to_end(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.taken..(self.taken + length).min(self.buffer.len())])
    }

    /// Returns the line at this offset without taking it, cut at `LONGEST_LINE`; empty at the end.
    pub(super) fn line_at(&mut self, at: usize) -> io::Result<&[u8]> {
        self.ahead(at)?;
        let start = (self.taken + at).min(self.buffer.len());
        match memchr::memchr(b'\n', &self.buffer[start..]) {
            Some(end) => Ok(&self.buffer[start..=start + end]),
            None => {
                self.discard_taken();
                (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut self.buffer)?;
                Ok(&self.buffer[(self.taken + at).min(self.buffer.len())..])
            }
        }
    }

    pub(super) fn line(&mut self) -> io::Result<Vec<u8>> {
        let line = self.line_at(0)?.to_vec();
        self.taken += line.len();
        Ok(line)
    }

    /// Takes so many bytes, which were read ahead.
    pub(super) const fn take(&mut self, length: usize) {
        self.taken += length;
    }

    /// Removes the taken bytes from the buffer. That moves the rest, so it is done for many bytes at once.
    fn discard_taken(&mut self) {
        if self.taken * 2 >= self.buffer.len() {
            self.buffer.drain(..self.taken);
            self.taken = 0;
        }
    }

    /// Reports whether the line at this offset begins a message: it has a date as the C library writes it, or another
    /// date and a field follows.
    fn is_separator(&mut self, at: usize) -> io::Result<bool> {
        let line = self.line_at(at)?;
        let length = line.len();
        if !line.starts_with(b"From ") || length > LONGEST_SEPARATOR {
            return Ok(false);
        }
        Ok(match date_form(line) {
            DateForm::None => false,
            DateForm::Asctime => true,
            DateForm::Other => {
                let next = self.line_at(at + length)?;
                next.is_empty() || begins_field(next)
            }
        })
    }
}

/// The longest separator line in bytes.
const LONGEST_SEPARATOR: usize = 1024;

/// The form of the date in a separator line.
enum DateForm {
    None,
    /// As `asctime` of the C library writes it.
    Asctime,
    Other,
}

fn date_form(separator: &[u8]) -> DateForm {
    let text = String::from_utf8_lossy(separator);
    let words: Vec<&str> = text.split_ascii_whitespace().skip(1).collect();
    let is_number = |word: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_time = |word: &&str| {
        let mut parts = word.splitn(3, ':');
        let (hours, minutes) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        is_number(hours, 1..=2) && is_number(minutes.get(..2).unwrap_or_default(), 2..=2)
    };
    let is_year = |word: &&str| is_number(word, 4..=4) && word.starts_with(['1', '2']);
    if !words.iter().any(is_time) || !words.iter().any(is_year) {
        return DateForm::None;
    }
    let day = words.iter().position(|word| ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(word));
    let of_library = |day: usize| {
        words.get(day + 1).is_some_and(|month| month.len() == 3)
            && words.get(day + 2).is_some_and(|date| is_number(date, 1..=2))
            && words.get(day + 3).is_some_and(is_time)
    };
    if day.is_some_and(of_library) { DateForm::Asctime } else { DateForm::Other }
}

/// Reports whether a line in a message may be a separator line: it begins like one and has a time and a year, or a
/// field follows.
pub(super) fn hides_separator(content: &[u8]) -> bool {
    let mut lines = lines(content).skip(1).peekable();
    while let Some(line) = lines.next() {
        if !line.starts_with(b"From ") {
            continue;
        }
        let text = String::from_utf8_lossy(line);
        let words = || text.split_ascii_whitespace().skip(1);
        let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_dated = words().any(is_year) && words().any(|word| word.contains(':'));
        if is_dated || lines.peek().is_some_and(|next| begins_field(next)) {
            return true;
        }
    }
    false
}

fn begins_field(line: &[u8]) -> bool {
    let name = line.iter().position(|byte| !byte.is_ascii_graphic() || *byte == b':').unwrap_or_default();
    (name > 0 && line[name] == b':') || line.starts_with(b">From ")
}

/// Returns where the empty line at the end of a message begins.
pub(super) fn without_empty_line(content: &[u8]) -> usize {
    match content {
        [.., b'\n', b'\r', b'\n'] => content.len() - 2,
        [.., b'\n', b'\n'] => content.len() - 1,
        _ => content.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::Messages;

    #[test]
    fn messages_and_what_is_between() -> std::io::Result<()> {
        let mbox = b"From a Thu Jan  1 00:00:00 1970\nA: b\n\nFrom x\n\nFrom y 10:00 2001\nno field\n\n\
                     From b at c 10:00 2001\nContent-Length: 37\n\nx\n\nFrom a Thu Jan  1 00:00:00 1970\ny\n\n\n\
                     From c Thu Jan  1 00:00:00 1970\nC: d\n\nlast";
        let mut messages = Messages::of(&mbox[..]);
        let mut read = Vec::new();
        while let Some(message) = messages.next()? {
            read.push((message.separator.len(), message.content.len(), message.behind.len()));
        }
        assert_eq!(read, [(32, 41, 1), (23, 57, 2), (32, 10, 0)]);
        Ok(())
    }

    /// Not all of a message without end is in memory.
    #[test]
    fn of_a_long_message_the_rest_is_only_compared() -> std::io::Result<()> {
        let mbox = |text: &str| {
            let lines = format!("{text}\n\nFrom here\n").repeat(20);
            format!("From a Thu Jan  1 00:00:00 1970\nA: b\n\n{lines}\nFrom c Thu Jan  1 00:00:00 1970\nC: d\n\nlast")
        };
        let read = |text: &str| {
            let mbox = mbox(text);
            let mut messages = Messages { longest: 50, ..Messages::of(mbox.as_bytes()) };
            let (long, short) = (messages.next()?.unwrap_or_default(), messages.next()?.unwrap_or_default());
            assert!(messages.next()?.is_none() && long.content.len() <= 50 && short.rest.is_none());
            assert_eq!(long.bytes() + short.bytes(), mbox.len() as u64);
            Ok::<_, std::io::Error>((long.content, long.rest))
        };
        let [one, same, other] = [read("one")?, read("one")?, read("two")?];
        assert!(one == same && one.0 != other.0 && one.1 != other.1 && one.1.is_some());
        Ok(())
    }
}
