//! What may be a destination or a tag in Markdown, and a text in which each of them has a mark.

use std::ops::Range;

use absolve_links::front_matter_end;

use super::super::attributes::{Attribute, Attributes, attributes, name_length};
use super::super::escapes::{Around, without_references};
use crate::resolution::is_scheme;
use crate::text::Text;

/// What may be a destination or a tag.
pub(super) struct Candidate {
    /// Its bytes: of a destination without brackets.
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    /// Where its mark is.
    mark: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Destination,
    Autolink,
    /// A tag, or a conditional comment.
    Tag,
}

/// A text with marks.
pub(super) struct Marked {
    /// In the order of their bytes.
    pub(super) candidates: Vec<Candidate>,
    /// The marked text behind its front matter.
    pub(super) text: String,
    /// The labels of definitions and footnotes, in their order.
    pub(super) labels: Vec<Label>,
    /// What all marks begin with.
    pub(super) mark: String,
}

/// The label of a definition or a footnote.
pub(super) struct Label {
    pub(super) label: String,
    /// Where it ends in the marked text.
    pub(super) end: usize,
    /// The number of the destination, of a definition.
    pub(super) number: Option<usize>,
}

/// The parentheses in a destination that may be open at once.
const PARENTHESES: usize = 32;

/// The bytes in which a title, a label or a tag ends.
const LONGEST: usize = 16 << 10;

impl Marked {
    pub(super) fn of(text: &str) -> Self {
        let mark = (0..).map(|number| format!("mark{}", "x".repeat(number))).find(|mark| !text.contains(&**mark));
        let (text_of_marks, labels) = (String::new(), Vec::new());
        let mut marked = Self { candidates: Vec::new(), text: text_of_marks, labels, mark: mark.unwrap_or_default() };
        let front = front_matter_end(text).unwrap_or(0);
        let (mut at, mut copied, mut rest) = (front, front, String::new());
        while let Some(length) = memchr::memchr2(b']', b'<', &text.as_bytes()[at..]) {
            let start = at + length;
            at = start + 1;
            let found = match text.as_bytes().get(start..start + 2) {
                Some(b"](") => destination(text, start + 2).filter(|(_, end)| ends_resource(&text[*end..])),
                Some(b"]:") if start >= copied => {
                    // There may be marks in it.
                    rest.push_str(&text[copied..start]);
                    copied = start;
                    let label = label_before(&rest, rest.len()).map(str::to_owned);
                    if let Some(label) = label.clone().filter(|label| label.starts_with('^')) {
                        marked.labels.push(Label { label, end: rest.len(), number: None });
                        continue;
                    }
                    let is_one = |(range, end): &(Range<usize>, usize)| !range.is_empty() || *end > range.end;
                    let found = destination(text, start + 2).filter(|found| label.is_some() && is_one(found));
                    let (end, number) = (rest.len(), Some(marked.candidates.len()));
                    marked.labels.extend(label.filter(|_| found.is_some()).map(|label| Label { label, end, number }));
                    found
                }
                Some([b'<', _]) => {
                    marked.tag(text, start, &mut rest, &mut copied);
                    None
                }
                _ => None,
            };
            let is_definition = text[start..].starts_with("]:");
            if let Some((range, found_end)) = found.filter(|(range, _)| range.start >= copied) {
                let mark = range.start;
                let one = Candidate { range: range.clone(), kind: Kind::Destination, mark };
                marked.push(one, text, &mut rest, &mut copied);
                rest.extend(kept_of(&text[range.clone()]));
                at = at.max(range.start);
                if let Some((end, blank)) = is_definition.then(|| blank_before_table(text, start, found_end)).flatten()
                {
                    rest.push_str(&text[copied..end]);
                    rest.push_str(blank);
                    (copied, at) = (end, at.max(end));
                }
            }
        }
        rest.push_str(&text[copied..]);
        // comrak ends a fence with no tab.
        let rest = if rest.contains("`\t") || rest.contains("~\t") {
            rest.replace("`\t", "` ").replace("~\t", "~ ")
        } else {
            rest
        };
        marked.text = rest;
        marked
    }

    /// Appends to `rest` the text up to a candidate, and its mark. What it is instead of is not copied, but for a tag.
    fn push(&mut self, candidate: Candidate, text: &str, rest: &mut String, copied: &mut usize) {
        let (before, between) = match candidate.kind {
            Kind::Destination => ("", ""),
            Kind::Autolink => ("", ":"),
            Kind::Tag => (" ", ""),
        };
        rest.push_str(&text[*copied..candidate.mark]);
        rest.push_str(&format!("{before}{}{between}{}z", self.mark, self.candidates.len()));
        *copied = if candidate.kind == Kind::Tag { candidate.mark } else { candidate.range.end };
        self.candidates.push(candidate);
    }

    /// Marks a tag, a conditional comment or an autolink at byte `start`.
    fn tag(&mut self, text: &str, start: usize, rest: &mut String, copied: &mut usize) {
        let near = &text[..text.floor_char_boundary(start + LONGEST)];
        let inside = &near[start + 1..];
        let close = inside.find(['>', '<', ' ', '\n', '\t', '\r']).filter(|end| inside[*end..].starts_with('>'));
        if let Some(length) = close.filter(|length| is_absolute(&inside[..*length]) && start >= *copied) {
            let (mark, range) = (start + 1, start + 1..start + 1 + length);
            return self.push(Candidate { range, kind: Kind::Autolink, mark }, text, rest, copied);
        }
        let (insert, end) = if inside.starts_with(|first: char| first.is_ascii_alphabetic()) {
            if !closes(inside) {
                return;
            }
            let name = start + 1 + name_length(inside);
            let Attributes { all, end: close } = attributes(near, name);
            if !is_tag(near, start + 1..name, &all) {
                return;
            }
            (name, close + 1)
        } else if inside.starts_with("!--[if") {
            (start + 4, inside.find("-->").map_or(near.len() + 1, |length| start + 1 + length + 3))
        } else {
            return;
        };
        if end <= near.len() && insert >= *copied {
            self.push(Candidate { range: start..end, kind: Kind::Tag, mark: insert }, text, rest, copied);
        }
    }

    /// Returns the numbers of the marks in a text, in their order.
    pub(super) fn numbers<'t>(&'t self, text: &'t str) -> impl Iterator<Item = usize> + 't {
        text.split(&*self.mark)
            .skip(1)
            .filter_map(|behind| behind.trim_start_matches(':').split_once('z')?.0.parse().ok())
    }

    /// Reports whether the text of a link is its destination.
    pub(super) fn is_autolink(&self, url: &str) -> bool {
        self.numbers(url).next().is_some_and(|number| self.candidates[number].kind == Kind::Autolink)
    }

    /// Returns the text of a block of HTML with marks, without what stands in front of its lines; `None` if it has none.
    pub(super) fn block(&self, literal: &str, text: &Text<'_>) -> Option<Text<'static>> {
        let Candidate { mark, .. } = self.candidates[self.numbers(literal).next()?];
        let start_of = |at: usize| text.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let lines_before = literal.split(&*self.mark).next()?.matches('\n').count();
        let mut at = (0..lines_before).fold(start_of(mark), |start, _| start_of(start.saturating_sub(1)));
        let mut read = text.unwrap_from(at);
        let mut rest = literal;
        for line in text.text[at..].split_inclusive('\n') {
            let Some((next, others)) = rest.split_once('\n').filter(|_| !rest.is_empty()) else { break };
            let length = self.unmarked(next, &text.text).trim_end().len();
            let end = line.trim_end().len();
            read.copy(at + end.saturating_sub(length)..at + line.len());
            (at, rest) = (at + line.len(), others);
        }
        Some(read.finish())
    }

    /// Returns a text without its marks.
    fn unmarked(&self, marked: &str, text: &str) -> String {
        let mut pieces = marked.split(&*self.mark);
        let mut plain = pieces.next().unwrap_or_default().to_owned();
        for (number, piece) in self.numbers(marked).zip(pieces) {
            let Candidate { range, kind, .. } = &self.candidates[number];
            let behind = piece.split_once('z').map_or("", |(_, rest)| rest);
            if *kind == Kind::Tag {
                // In front of the mark of a tag stands a space.
                plain.truncate(plain.len() - 1);
                plain.push_str(behind);
            } else {
                let kept = kept_of(&text[range.clone()]).count();
                plain.push_str(&text[range.clone()]);
                plain.push_str(behind.get(kept..).unwrap_or_default());
            }
        }
        plain
    }
}

/// Returns what could begin or end code, mathematics, a tag or a cell in a destination, and what stands behind a dollar sign.
fn kept_of(destination: &str) -> impl Iterator<Item = char> {
    let mut before = ' ';
    destination.chars().filter(move |next| {
        let is_kept = before != '\\' && "`$<>|".contains(*next) || before == '$' && next.is_ascii_digit();
        before = *next;
        is_kept
    })
}

/// Returns the text of a destination.
pub(super) fn read<'t>(text: &'t Text<'_>, candidate: &Candidate) -> Text<'t> {
    match candidate.kind {
        Kind::Destination => without_references(text, candidate.range.clone(), Around::Markdown),
        _ => text.within(candidate.range.clone()),
    }
}

/// Reports whether what looks like a tag ends before another one begins.
fn closes(inside: &str) -> bool {
    let mut quote = None;
    let end = inside.bytes().find(|byte| match (quote, byte) {
        (None, b'<' | b'>') => true,
        (None, b'"' | b'\'') => {
            quote = Some(*byte);
            false
        }
        _ => {
            quote = quote.filter(|open| open != byte);
            false
        }
    });
    end == Some(b'>')
}

/// Reports whether a tag with this name and these attributes is one (CommonMark 0.31, section 6.6).
fn is_tag(text: &str, name: Range<usize>, attributes: &[Attribute<'_>]) -> bool {
    let is_right = |attribute: &Attribute<'_>| {
        let written = &text[attribute.range.clone()];
        let name =
            written.find(|next: char| next == '=' || next.is_whitespace()).map_or(written, |end| &written[..end]);
        let is_of_name = |next: char| next.is_ascii_alphanumeric() || "_.:-".contains(next);
        text[..attribute.range.start].ends_with(char::is_whitespace)
            && name.chars().all(is_of_name)
            && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == ':')
            && (attribute.is_quoted || !text[attribute.value.clone()].contains(['"', '\'', '=', '<', '`']))
    };
    text[name].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') && attributes.iter().all(is_right)
}

/// Reports whether a text begins with a scheme that an autolink may have (CommonMark 0.31, section 6.5).
fn is_absolute(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| (2..=32).contains(&scheme.len()) && is_scheme(scheme))
}

/// Returns the label that ends at byte `end`, if it begins a line within its quotes and lists.
fn label_before(text: &str, end: usize) -> Option<&str> {
    let before = &text[text.ceil_char_boundary(end.saturating_sub(4 * 999))..end];
    let is_escaped = |at: usize| before[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    let open = before.rmatch_indices('[').map(|(at, _)| at).find(|at| !is_escaped(*at))?;
    let label = &before[open + 1..];
    if label.match_indices(']').any(|(at, _)| !is_escaped(open + 1 + at)) {
        return None;
    }
    let around = before[..open].rsplit(['\n', '\r']).next().unwrap_or_default();
    let is_mark = |mark: char| mark.is_ascii_digit() || " \t>*+-.)".contains(mark);
    (around.chars().all(is_mark) && !label.trim().is_empty()).then_some(label)
}

/// Returns the destination that stands at a byte or behind white space there, and the end of it (CommonMark 0.31, section 6.3).
fn destination(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let rest = behind_space(&text[start..]);
    let at = text.len() - rest.len();
    let mut depth = 0_usize;
    match rest.strip_prefix('<') {
        Some(inside) => {
            let end = at + 1 + end_of(inside, |character| matches!(character, '>' | '<' | '\n' | '\r'))?;
            text[end..].starts_with('>').then_some((at + 1..end, end + 1))
        }
        None => {
            let length = end_of(rest, |character| {
                depth += usize::from(character == '(');
                let is_end = character <= ' ' || (character == ')' && depth == 0) || depth > PARENTHESES;
                depth -= usize::from(character == ')' && depth > 0);
                is_end
            });
            let end = at + length.unwrap_or(rest.len());
            (depth == 0).then_some((at..end, end))
        }
    }
}

/// Reports whether the rest of a resource stands behind a destination: a title, if there is one, and a parenthesis.
fn ends_resource(behind: &str) -> bool {
    let title = behind_space(behind);
    let close = match title.chars().next() {
        Some(')') => return true,
        Some('(') => ')',
        Some(quote @ ('"' | '\'')) => quote,
        _ => return false,
    };
    let near = &title[1..title.floor_char_boundary(LONGEST)];
    let end = end_of(near, |character| character == close);
    title.len() < behind.len() && end.is_some_and(|end| behind_space(&near[end + 1..]).starts_with(')'))
}

/// Returns the text behind white space, and behind the marks of the block quotes around the next line.
fn behind_space(text: &str) -> &str {
    let line = text.trim_start_matches([' ', '\t']);
    match line.strip_prefix("\r\n").or_else(|| line.strip_prefix(['\n', '\r'])) {
        Some(next) => next.trim_start_matches([' ', '\t', '>']),
        None => line,
    }
}

/// Returns where a definition of a label that ends at one byte, with a destination up to another one, needs an empty line behind it, and
/// that line: comrak reads no definition in front of a table.
fn blank_before_table(text: &str, label: usize, destination: usize) -> Option<(usize, &str)> {
    let end = destination + text[destination..].find('\n')? + 1;
    let start = text[..label].rfind('\n').map_or(0, |end| end + 1);
    let around = text[start..label].find('[').map(|length| &text[start..start + length])?;
    let is_bar = |character: char| " \t|:->\r".contains(character);
    let mut next = text[end..].split('\n');
    let is_table =
        next.next()?.contains('|') && next.next().is_some_and(|row| row.contains('-') && row.chars().all(is_bar));
    let is_first = text[..start]
        .lines()
        .next_back()
        .is_none_or(|line| line.contains("]:") || line.trim_matches([' ', '\t', '>']).is_empty());
    (is_table && is_first && around.chars().all(|mark| " >".contains(mark))).then_some((end, "\n"))
}

/// Returns where the first such character stands that is not escaped.
fn end_of(text: &str, mut is_end: impl FnMut(char) -> bool) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, character)| {
        if !(is_escaped && character.is_ascii_punctuation()) && is_end(character) {
            return Some(at);
        }
        is_escaped = character == '\\' && !is_escaped;
        None
    })
}
