//! Unified diffs, built from the edits of a file without comparing it.

use std::collections::VecDeque;
use std::io::{self, Seek, Write};
use std::path::Path;

use absolve_containers::{EditedChunk, Spooled};
use absolve_links::Edits;

use crate::disk::printable::is_unsafe;

/// Whether diffs are coloured for a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Without colours.
    #[default]
    Plain,
    /// With ANSI escape sequences: removed lines are red, added lines green.
    Ansi,
}

/// The diff of a file, written chunk by chunk. Memory holds one chunk, some lines, and the beginning of a hunk.
pub(crate) struct Diff<W> {
    output: W,
    name: Vec<u8>,
    colour: Colour,
    has_begun: bool,
    /// The numbers of the next lines, from 1.
    old_line: u64,
    new_line: u64,
    /// The last unchanged lines, with which a hunk would begin.
    context: VecDeque<Vec<u8>>,
    hunk: Option<Hunk>,
    /// An incomplete line at the end of the last chunk, and its edits.
    carried: (Vec<u8>, Edits),
}

/// A hunk: neighbouring changes and their context.
struct Hunk {
    old_start: u64,
    new_start: u64,
    old_count: u64,
    new_count: u64,
    text: Spooled,
    /// The unchanged lines after its last change.
    after: Vec<Vec<u8>>,
}

/// The number of unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// The kind of a line in a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Context,
    Removed,
    Added,
}

/// Whether more chunks follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    More,
    Nothing,
}

impl<W: Write> Diff<W> {
    pub(crate) fn new(path: &Path, colour: Colour, output: W) -> Self {
        Self {
            output,
            name: name_of(path),
            colour,
            has_begun: false,
            old_line: 1,
            new_line: 1,
            context: VecDeque::new(),
            hunk: None,
            carried: Default::default(),
        }
    }

    /// Adds the next chunk of the file.
    pub(crate) fn add(&mut self, EditedChunk { bytes, edits, .. }: EditedChunk<'_>) -> io::Result<()> {
        if self.carried.0.is_empty() {
            return self.add_lines(bytes, edits, Rest::More);
        }
        let (mut whole, mut all) = std::mem::take(&mut self.carried);
        all.append(edits.clone().shifted(whole.len()));
        whole.extend_from_slice(bytes);
        self.add_lines(&whole, &all, Rest::More)
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let (rest, edits) = std::mem::take(&mut self.carried);
        self.add_lines(&rest, &edits, Rest::Nothing)?;
        self.end_hunk()?;
        self.output.flush()
    }

    /// Adds bytes that begin with a line.
    fn add_lines(&mut self, bytes: &[u8], edits: &Edits, rest: Rest) -> io::Result<()> {
        let mut edits = edits.iter().peekable();
        let mut at = 0;
        while let Some((range, text)) = edits.next() {
            let start = memchr::memrchr(b'\n', &bytes[..range.start]).map_or(0, |found| found + 1).max(at);
            self.keep(&bytes[at..start])?;
            let mut block = Edits::from([(range.start - start..range.end - start, text)]);
            let mut new = [&bytes[start..range.start], text].concat();
            let mut end = range.end;
            loop {
                let is_at_line_start = end == start || bytes[..end].ends_with(b"\n");
                let is_whole = is_at_line_start && (new.is_empty() || new.ends_with(b"\n"));
                let line_end = if is_whole { end } else { line_end(bytes, end) };
                match edits.peek() {
                    Some((next, text)) if next.start < line_end || (next.start == bytes.len() && !is_whole) => {
                        new.extend_from_slice(&bytes[end..next.start]);
                        new.extend_from_slice(text);
                        block.push(next.start - start..next.end - start, text);
                        end = next.end;
                        edits.next();
                    }
                    _ => {
                        new.extend_from_slice(&bytes[end..line_end]);
                        end = line_end;
                        if is_whole || end == bytes.len() || new.ends_with(b"\n") {
                            break;
                        }
                    }
                }
            }
            if rest == Rest::More && end == bytes.len() && !new.is_empty() && !new.ends_with(b"\n") {
                edits.for_each(|(range, text)| block.push(range.start - start..range.end - start, text));
                self.carried = (bytes[start..].to_vec(), block);
                return Ok(());
            }
            self.replace(&bytes[start..end], &new)?;
            at = end;
        }
        let last = memchr::memrchr(b'\n', &bytes[at..]).map_or(at, |found| at + found + 1);
        let whole = if rest == Rest::More { last } else { bytes.len() };
        self.carried = (bytes[whole..].to_vec(), Edits::default());
        self.keep(&bytes[at..whole])
    }

    /// Adds unchanged lines.
    fn keep(&mut self, mut lines: &[u8]) -> io::Result<()> {
        while let (Some(hunk), false) = (&mut self.hunk, lines.is_empty()) {
            let (line, rest) = lines.split_at(line_end(lines, 0));
            hunk.after.push(line.to_vec());
            (self.old_line, self.new_line, lines) = (self.old_line + 1, self.new_line + 1, rest);
            if hunk.after.len() > 2 * CONTEXT {
                self.end_hunk()?;
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        let unended = u64::from(!lines.ends_with(b"\n"));
        let count = memchr::memchr_iter(b'\n', lines).count() as u64 + unended;
        (self.old_line, self.new_line) = (self.old_line + count, self.new_line + count);
        let mut start = lines.len();
        for _ in 0..CONTEXT {
            let before = &lines[..start.saturating_sub(1)];
            start = memchr::memrchr(b'\n', before).map_or(0, |found| found + 1);
        }
        for line in lines_of(&lines[start..]) {
            self.context.push_back(line.to_vec());
        }
        self.keep_context();
        Ok(())
    }

    /// Adds replaced lines.
    fn replace(&mut self, old: &[u8], new: &[u8]) -> io::Result<()> {
        let (mut old, mut new): (Vec<_>, Vec<_>) = (lines_of(old).collect(), lines_of(new).collect());
        let before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let same: Vec<_> = old.drain(..before).collect();
        new.drain(..before);
        let behind = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let same_behind = old.split_off(old.len() - behind);
        new.truncate(new.len() - behind);
        self.keep(&same.concat())?;
        if !(old.is_empty() && new.is_empty()) {
            self.begin_hunk()?;
            for line in &old {
                self.add_to_hunk(Line::Removed, line)?;
            }
            for line in &new {
                self.add_to_hunk(Line::Added, line)?;
            }
            (self.old_line, self.new_line) = (self.old_line + old.len() as u64, self.new_line + new.len() as u64);
        }
        self.keep(&same_behind.concat())
    }

    /// Begins a hunk, or continues the current one.
    fn begin_hunk(&mut self) -> io::Result<()> {
        let context: Vec<_> = match &mut self.hunk {
            Some(hunk) => std::mem::take(&mut hunk.after),
            None => self.context.drain(..).collect(),
        };
        if self.hunk.is_none() {
            let count = context.len() as u64;
            self.hunk = Some(Hunk {
                old_start: self.old_line - count,
                new_start: self.new_line - count,
                old_count: 0,
                new_count: 0,
                text: Spooled::default(),
                after: Vec::new(),
            });
        }
        context.iter().try_for_each(|line| self.add_to_hunk(Line::Context, line))
    }

    /// Writes the current hunk with the lines after it. Further lines may begin the next hunk.
    fn end_hunk(&mut self) -> io::Result<()> {
        let Some(after) = self.hunk.as_mut().map(|hunk| std::mem::take(&mut hunk.after)) else { return Ok(()) };
        let shown = after.len().min(CONTEXT);
        after[..shown].iter().try_for_each(|line| self.add_to_hunk(Line::Context, line))?;
        self.context.extend(after.into_iter().skip(CONTEXT));
        self.keep_context();
        let Some(mut hunk) = self.hunk.take() else { return Ok(()) };
        if !self.has_begun {
            self.has_begun = true;
            for mark in ["---", "+++"] {
                let header = [mark.as_bytes(), b" ", &self.name].concat();
                write_line(&mut self.output, self.colour, "1", &header)?;
            }
        }
        // An empty range has the number of the line before it.
        let start = |start: u64, count: u64| if count == 0 { start - 1 } else { start };
        let (old, new) = (start(hunk.old_start, hunk.old_count), start(hunk.new_start, hunk.new_count));
        let header = format!("@@ -{old},{} +{new},{} @@", hunk.old_count, hunk.new_count);
        write_line(&mut self.output, self.colour, "36", header.as_bytes())?;
        hunk.text.rewind()?;
        io::copy(&mut hunk.text, &mut self.output).map(drop)
    }

    fn add_to_hunk(&mut self, kind: Line, line: &[u8]) -> io::Result<()> {
        let Some(hunk) = &mut self.hunk else { return Ok(()) };
        let (mark, paint) = match kind {
            Line::Context => (b" ", ""),
            Line::Removed => (b"-", "31"),
            Line::Added => (b"+", "32"),
        };
        hunk.old_count += u64::from(kind != Line::Added);
        hunk.new_count += u64::from(kind != Line::Removed);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        write_line(&mut hunk.text, self.colour, paint, &[mark, text].concat())?;
        if text.len() == line.len() {
            hunk.text.write_all(b"\\ No newline at end of file\n")?;
        }
        Ok(())
    }

    fn keep_context(&mut self) {
        let spare = self.context.len().saturating_sub(CONTEXT);
        self.context.drain(..spare);
    }
}

/// Writes a line, in colour unless `paint` is empty.
fn write_line(output: &mut dyn Write, colour: Colour, paint: &str, line: &[u8]) -> io::Result<()> {
    if colour == Colour::Plain || paint.is_empty() {
        output.write_all(line)?;
    } else {
        write!(output, "\x1b[{paint}m")?;
        output.write_all(line)?;
        output.write_all(b"\x1b[m")?;
    }
    output.write_all(b"\n")
}

/// Returns the end of the line that contains `at`.
fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1)
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

/// Returns the name of a file as `patch` and `git apply` read it: quoted if it contains special characters.
fn name_of(path: &Path) -> Vec<u8> {
    let path = path.strip_prefix(".").unwrap_or(path).as_os_str().as_encoded_bytes();
    let is_unsafe = |character| is_unsafe(character) || matches!(character, '"' | '\\' | char::REPLACEMENT_CHARACTER);
    if !String::from_utf8_lossy(path).contains(is_unsafe) {
        // A tab ends a name with spaces.
        return if path.contains(&b' ') { [path, b"\t"].concat() } else { path.to_vec() };
    }
    let mut quoted = b"\"".to_vec();
    for byte in path {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            b' '..=b'~' => quoted.push(*byte),
            byte => quoted.extend(format!("\\{byte:03o}").into_bytes()),
        }
    }
    quoted.push(b'"');
    quoted
}
