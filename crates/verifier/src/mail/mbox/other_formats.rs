//! Messages in files of MMDF and Babyl.

use std::io::{self, BufRead};

use super::messages::{Message, Messages, without_empty_line};
use crate::mail::lines::is_empty_line;

/// A format of files with many messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileFormat {
    Mbox,
    /// Each message stands between two lines of four bytes 01.
    Mmdf,
    /// Each message begins with a form feed and ends with a byte 1F.
    Babyl,
}

impl FileFormat {
    /// Returns the format of a file by its first bytes.
    pub(super) fn of<R: BufRead>(input: &mut Messages<R>) -> io::Result<Self> {
        Ok(match input.ahead(16)? {
            start if is_mark(start) => Self::Mmdf,
            start if start.starts_with(b"BABYL OPTIONS:") => Self::Babyl,
            _ => Self::Mbox,
        })
    }

    /// Returns the next message of a file.
    pub(super) fn next<R: BufRead>(self, input: &mut Messages<R>) -> io::Result<Option<Message>> {
        match self {
            Self::Mbox => input.next(),
            Self::Mmdf => next_of_mmdf(input),
            Self::Babyl => next_of_babyl(input),
        }
    }
}

fn is_mark(line: &[u8]) -> bool {
    line.strip_prefix(b"\x01\x01\x01\x01").is_some_and(|rest| rest.starts_with(b"\n") || rest.starts_with(b"\r\n"))
}

/// Returns the next message of an MMDF file.
fn next_of_mmdf<R: BufRead>(input: &mut Messages<R>) -> io::Result<Option<Message>> {
    let mut message = Message { is_measured: true, ..Message::default() };
    if !is_mark(input.line_at(0)?) {
        // It is no message.
        loop {
            let line = input.line_at(0)?;
            if line.is_empty() || (message.ends_line() && is_mark(line)) {
                break;
            }
            let line = input.line()?;
            message.add(&line, input.longest);
        }
        return Ok((message.bytes() > 0).then_some(message));
    }
    message.separator = input.line()?;
    if input.line_at(0)?.starts_with(b"From ") {
        message.separator.extend(input.line()?);
    }
    let mut mark = Vec::new();
    while mark.is_empty() {
        let line = input.line()?;
        match is_mark(&line) && message.ends_line() {
            true => mark = line,
            false if line.is_empty() => break,
            false => message.add(&line, input.longest),
        }
    }
    if message.rest.is_none() {
        message.behind = message.content.split_off(without_empty_line(&message.content));
    }
    message.behind.extend(mark);
    Ok(Some(message))
}

/// Returns the next message of a Babyl file. Its content is the original header, if there is one, and the body; the header that is
/// shown instead belongs to the separator.
fn next_of_babyl<R: BufRead>(input: &mut Messages<R>) -> io::Result<Option<Message>> {
    let mut message = Message { is_measured: true, ..Message::default() };
    let mut lines = Vec::new();
    let mut length = 0;
    loop {
        let (line, is_last) = line_of_babyl(input)?;
        length += line.len();
        match length <= input.longest {
            true => lines.push(line.clone()),
            false => message.add(&line, 0),
        }
        if is_last || line.is_empty() {
            break;
        }
    }
    if length == 0 {
        return Ok(None);
    }
    if !lines[0].starts_with(b"\x0c") || message.rest.is_some() {
        message.content = lines.concat();
        return Ok(Some(message));
    }
    let mut rest = lines.into_iter();
    message.separator = rest.by_ref().take(2).collect::<Vec<_>>().concat();
    let lines: Vec<Vec<u8>> = rest.collect();
    let mut content: Vec<Vec<u8>> = Vec::new();
    match lines.iter().position(|line| line.starts_with(b"*** EOOH ***")) {
        None => content = lines,
        Some(mark) => {
            let (header, after) = lines.split_at(mark);
            let fields = header.iter().rposition(|line| !line.trim_ascii().is_empty()).map_or(0, |last| last + 1);
            let is_shown = |line: &&Vec<u8>| fields > 0 && !is_empty_line(line);
            let shown = after[1..].iter().take_while(is_shown).count();
            message.separator.extend([&header[fields..], &after[..=shown]].concat().concat());
            content.extend_from_slice(&header[..fields]);
            content.extend_from_slice(&after[1 + shown..]);
        }
    }
    message.content = content.concat();
    let trimmed = message.content.trim_ascii_end();
    let end = trimmed.strip_suffix(b"\x1f").map_or(message.content.len(), <[u8]>::len);
    message.behind = message.content.split_off(end);
    Ok(Some(message))
}

/// Returns the next line, up to the byte that ends a message, and whether that is in it.
fn line_of_babyl<R: BufRead>(input: &mut Messages<R>) -> io::Result<(Vec<u8>, bool)> {
    let line = input.line_at(0)?;
    let before = line.strip_suffix(b"\x0c\n").or_else(|| line.strip_suffix(b"\x0c\r\n"));
    let (line, is_last) = match before {
        Some(before) if before.ends_with(b"\x1f") => (before.to_vec(), true),
        _ => (line.to_vec(), false),
    };
    input.take(line.len());
    Ok((line, is_last))
}
