//! What pulldown-cmark reads differently from CommonMark and from other readers, and how it is made to read that as they do.
//!
//! It is given a text of equal length in which some bytes, none of them part of a destination, are others.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

/// The texts that are read for one document. Each but the first has corrections that those before lack.
pub(super) const MOST_TEXTS: usize = 16;

/// The texts in which only the first price of a block is corrected: what follows it may be read differently then.
const EXACT_TEXTS: usize = 8;

/// A punctuation character without a meaning in Markdown.
const PLAIN: &[u8] = b"%";

/// The elements that begin a block of HTML which a tag at the end of any of them ends (CommonMark 0.31, section 4.6).
const RAW: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Finds what has to be corrected.
#[derive(Default)]
pub(super) struct Corrections {
    /// Where the bytes begin, and how they have to be.
    pub(super) all: Vec<(usize, Vec<u8>)>,
    /// The first bytes of mathematics, to some readers, that hold a link to others.
    pub(super) disputed: Vec<usize>,
    number: usize,
    is_behind_price: bool,
}

impl Corrections {
    /// Finds the corrections of a text that has been corrected so often.
    pub(super) fn of(number: usize) -> Self {
        Self { number, ..Self::default() }
    }

    /// Looks at an event and its bytes.
    pub(super) fn look_at(&mut self, event: &Event<'_>, text: &str, range: &Range<usize>) {
        match event {
            Event::InlineMath(inside) | Event::DisplayMath(inside) if inside.contains("](") => {
                self.disputed.push(range.start);
            }
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::Item) => {
                self.is_behind_price = false;
            }
            Event::Start(Tag::HtmlBlock) => self.end_block(text, range),
            _ => {}
        }
        // A dollar sign in front of a digit is a price and ends nothing, as pandoc has it.
        let is_price =
            matches!(event, Event::InlineMath(_)) && text[range.end..].starts_with(|next: char| next.is_ascii_digit());
        if is_price && !(self.is_behind_price && self.number < EXACT_TEXTS) {
            self.is_behind_price = true;
            self.all.push((range.start, PLAIN.to_vec()));
        }
    }

    /// Lets no link begin with the parenthesis at a byte.
    pub(super) fn no_link_at(&mut self, byte: usize) {
        self.all.push((byte, PLAIN.to_vec()));
    }

    /// Ends a block of HTML where it has to end. The parser knows but the end of its own element, in lower case.
    fn end_block(&mut self, text: &str, range: &Range<usize>) {
        let block = &text[range.clone()];
        let Some(start) = block.find('<') else { return };
        let is_at = |at: usize, word: &str| {
            block.as_bytes()[at..].get(..word.len()).is_some_and(|is| is.eq_ignore_ascii_case(word.as_bytes()))
        };
        let Some(own) = RAW.into_iter().find(|name| is_at(start + 1, name)) else { return };
        let end_at = |at: usize| {
            RAW.into_iter().find(|name| is_at(at + 2, name) && block[at + 2 + name.len()..].starts_with('>'))
        };
        let Some((end, name)) = block.match_indices("</").find_map(|(at, _)| end_at(at).map(|name| (at, name))) else {
            return;
        };
        let line = block[end..].split_inclusive('\n').next().unwrap_or_default();
        if line.contains(&format!("</{own}>")) {
            return;
        }
        let padded = |text: String, length: usize| format!("{text:length$}").into_bytes();
        let ends = format!("</{}>", if name.len() > own.len() { own } else { name });
        self.all.push((range.start + end, padded(ends, name.len() + 3)));
        if name.len() <= own.len() {
            self.all.push((range.start + start + 1, padded(name.to_owned(), own.len())));
        }
    }
}

/// Returns a text with its corrections.
pub(super) fn corrected(text: &str, corrections: &[(usize, Vec<u8>)]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    corrections.iter().for_each(|(at, new)| bytes[*at..at + new.len()].copy_from_slice(new));
    String::from_utf8(bytes).ok()
}
