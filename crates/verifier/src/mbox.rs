//! Mailboxes, message by message.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};

use crate::heading::Heading;
use crate::message::verify_message;
use crate::settings::Settings;
use crate::verdict::{Difference, Rule, Verdict};

/// Verifies what was made of an mbox; both files are read message by message, compressed by gzip or not.
///
/// # Errors
///
/// When one of them cannot be read.
///
/// ```
/// use absolve_verifier::{Settings, verify_mbox};
/// let folder = tempfile::tempdir()?;
/// let mbox = folder.path().join("inbox");
/// std::fs::write(&mbox, "From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\n>From here on\n\n")?;
/// assert_eq!(verify_mbox(&mbox, &mbox, &Settings::default())?.counts.records, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn verify_mbox(original: &Path, rewritten: &Path, settings: &Settings) -> io::Result<Verdict> {
    let ((old, is_compressed), (new, is_new_compressed)) = (open(original)?, open(rewritten)?);
    if is_compressed != is_new_compressed {
        let message = "one of both is compressed by gzip and the other one is not";
        let differences = vec![Difference::new(Rule::Record, message)];
        return Ok(Verdict { differences, ..Verdict::default() });
    }
    let (mut old, mut new) = (Messages::of(old), Messages::of(new));
    let mut verdict = Verdict::default();
    let mut number = 0_u64;
    loop {
        let (old, new) = (old.next()?, new.next()?);
        number += 1;
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
        if !old.is_measured && old.content != new.content && hides_separator(&old.content) {
            let message = "it has changed, but it had to stay: another message may begin in it";
            let differences = vec![Difference::new(Rule::Kept, message)];
            verdict.add(Verdict { differences, ..Verdict::default() }, &record);
        }
        let bytes = verdict.counts.bytes;
        verdict.add(verify_message(&old.content, &new.content, None, settings), &record);
        verdict.counts.bytes = bytes;
    }
}

/// The bytes of a file, without gzip, and whether that was taken off.
fn open(path: &Path) -> io::Result<(Box<dyn BufRead>, bool)> {
    let mut file = BufReader::new(File::open(path)?);
    Ok(match file.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        true => (Box::new(BufReader::new(MultiGzDecoder::new(file))), true),
        false => (Box::new(file), false),
    })
}

/// A message as it stands in an mbox.
#[derive(Debug, Default)]
struct Message {
    /// The `From ` line.
    separator: Vec<u8>,
    content: Vec<u8>,
    /// What stands behind that, if it is too long to be read: its length and its digest.
    rest: Option<Rest>,
    /// The empty lines between it and the next one.
    behind: Vec<u8>,
    /// Whether its length was told, and right.
    is_measured: bool,
}

/// Bytes that are only compared.
#[derive(Debug, Default)]
struct Rest {
    length: u64,
    digest: Sha256,
    /// Whether a line ends there.
    ends_line: bool,
}

impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.digest.clone().finalize() == other.digest.clone().finalize()
    }
}

impl Message {
    fn bytes(&self) -> u64 {
        let rest = self.rest.as_ref().map_or(0, |rest| rest.length);
        (self.separator.len() + self.content.len() + self.behind.len()) as u64 + rest
    }

    fn ends_line(&self) -> bool {
        match &self.rest {
            Some(rest) => rest.ends_line,
            None => self.content.last().is_none_or(|byte| *byte == b'\n'),
        }
    }

    /// Adds a line, or a piece of one, to what is read of it, which has `longest` bytes at most.
    fn add(&mut self, line: &[u8], longest: usize) {
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

/// Bytes of a message that are in memory: twice as many as a message may have whose links change.
const LONGEST: usize = 256 << 20;

/// Bytes of a line that are read at once.
const LONGEST_LINE: u64 = 1 << 20;

/// The messages of an mbox, one by one.
struct Messages<R> {
    input: R,
    /// Lines that were read ahead, the next one last.
    ahead: Vec<Vec<u8>>,
    /// How many bytes of a message are in memory.
    longest: usize,
}

/// How far a `Content-Length` is believed.
const CONTENT_LENGTH: usize = 8 << 20;

impl<R: BufRead> Messages<R> {
    const fn of(input: R) -> Self {
        Self { input, ahead: Vec::new(), longest: LONGEST }
    }

    fn next(&mut self) -> io::Result<Option<Message>> {
        let Some(first) = self.line()? else { return Ok(None) };
        let mut message = Message::default();
        match self.is_separator(&first)? {
            true => message.separator = first,
            false => self.ahead.push(first),
        }
        let (mut is_heading, mut follows_empty_line) = (true, true);
        while let Some(line) = self.line()? {
            let is_first = message.content.is_empty() && message.separator.is_empty();
            if follows_empty_line && !is_first && self.is_separator(&line)? {
                self.ahead.push(line);
                break;
            }
            follows_empty_line = message.ends_line() && is_empty(&line);
            message.add(&line, self.longest);
            if is_heading && follows_empty_line {
                is_heading = false;
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

    /// Takes the body by the length that the heading tells, if a separator line or the end stands behind it.
    fn take_body(&mut self, message: &mut Message) -> io::Result<bool> {
        let told = Heading::read(&message.content).value("content-length").and_then(|told| told.trim().parse().ok());
        let Some(length) = told.filter(|length: &usize| *length <= CONTENT_LENGTH) else { return Ok(false) };
        let mut taken: Vec<Vec<u8>> = Vec::new();
        let mut bytes = 0;
        while bytes < length {
            let Some(line) = self.line()? else { break };
            bytes += line.len();
            taken.push(line);
        }
        let mut behind: Vec<Vec<u8>> = Vec::new();
        let mut next = self.line()?;
        while let Some(line) = next.take_if(|line| is_empty(line)) {
            behind.push(line);
            next = self.line()?;
        }
        let is_end = match &next {
            Some(line) => {
                let line = line.clone();
                self.is_separator(&line)?
            }
            None => true,
        };
        let is_right = is_end && bytes == length;
        self.ahead.extend(next);
        if is_right {
            message.content.extend(taken.concat());
            message.behind = behind.concat();
            message.is_measured = true;
        } else {
            self.ahead.extend(behind.into_iter().rev());
            self.ahead.extend(taken.into_iter().rev());
        }
        Ok(is_right)
    }

    /// The next line, or as much as is read at once.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(line) = self.ahead.pop() {
            return Ok(Some(line));
        }
        let mut line = Vec::new();
        (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        Ok((!line.is_empty()).then_some(line))
    }

    /// Whether a line begins a message: it tells a date as the C library writes it, or any date and a field follows.
    fn is_separator(&mut self, line: &[u8]) -> io::Result<bool> {
        let text = String::from_utf8_lossy(line);
        let Some(rest) = text.strip_prefix("From ") else { return Ok(false) };
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let is_number = |word: &str, lengths: std::ops::RangeInclusive<usize>| {
            lengths.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_time = |word: &&str| {
            let mut parts = word.splitn(3, ':');
            let (hours, minutes) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            is_number(hours, 1..=2) && is_number(minutes.get(..2).unwrap_or_default(), 2..=2)
        };
        let is_year = |word: &&str| is_number(word, 4..=4) && word.starts_with(['1', '2']);
        if line.len() > 1024 || !words.iter().any(is_time) || !words.iter().any(is_year) {
            return Ok(false);
        }
        let day = words.iter().position(|word| ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(word));
        let of_c_library = |day: usize| {
            words.get(day + 1).is_some_and(|month| month.len() == 3)
                && words.get(day + 2).is_some_and(|date| is_number(date, 1..=2))
                && words.get(day + 3).is_some_and(is_time)
        };
        if day.is_some_and(of_c_library) {
            return Ok(true);
        }
        let Some(next) = self.line()? else { return Ok(true) };
        let begins_field = begins_field(&next);
        self.ahead.push(next);
        Ok(begins_field)
    }
}

/// Whether a line in a message may be a separator: it begins like one and tells a time and a year, or a field follows.
fn hides_separator(content: &[u8]) -> bool {
    let mut lines = content.split_inclusive(|byte| *byte == b'\n').skip(1).peekable();
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

fn is_empty(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

/// Where the empty line at the end of a message begins.
fn without_empty_line(content: &[u8]) -> usize {
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

    /// Of a message without end all was in memory.
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
