//! What pulldown-cmark reads differently from CommonMark and from other readers, and how it is made to read that as they do.
//!
//! The parser gets a text of the same length in which some bytes are replaced. No byte of a destination is replaced.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

/// In so many texts, only the first price of a block is corrected, because what follows the price may be read differently then.
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
            Event::Start(Tag::HtmlBlock) => self.end_blocks(text, range),
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

    /// Ends a block of HTML where CommonMark ends it. The parser waits for the end tag of the element that begins the block, in lower case.
    /// What it takes for one block may hold several, so each of them is ended.
    fn end_blocks(&mut self, text: &str, range: &Range<usize>) {
        let block = &text[range.clone()];
        let (mut behind, mut at) = (0, 0);
        for line in block.split_inclusive('\n') {
            let inside = line.trim_start_matches([' ', '\t', '>']);
            let start = at + line.len() - inside.len();
            at += line.len();
            let Some(own) = inside.strip_prefix('<').filter(|_| start >= behind).and_then(raw_name) else { continue };
            let mut ends = block[start..].match_indices("</").map(|(length, _)| start + length);
            let end = ends.find_map(|end| {
                let name = raw_name(&block[end + 2..])?;
                block[end + 2 + name.len()..].starts_with('>').then_some((end, name))
            });
            let Some((end, name)) = end else { return };
            behind = block[end..].find('\n').map_or(block.len(), |length| end + length);
            if block[end..behind].contains(&format!("</{own}>")) {
                continue;
            }
            let padded = |text: String, length: usize| format!("{text:length$}").into_bytes();
            let ends = format!("</{}>", if name.len() > own.len() { own } else { name });
            self.all.push((range.start + end, padded(ends, name.len() + 3)));
            if name.len() <= own.len() {
                self.all.push((range.start + start + 1, padded(name.to_owned(), own.len())));
            }
        }
    }
}

/// Returns the name of such an element with which a text begins, in any case.
fn raw_name(text: &str) -> Option<&'static str> {
    let begins_with =
        |name: &&str| text.as_bytes().get(..name.len()).is_some_and(|is| is.eq_ignore_ascii_case(name.as_bytes()));
    RAW.into_iter().find(begins_with)
}

/// Returns a text with its corrections.
pub(super) fn corrected(text: &str, corrections: &[(usize, Vec<u8>)]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    corrections.iter().for_each(|(at, new)| bytes[*at..at + new.len()].copy_from_slice(new));
    String::from_utf8(bytes).ok()
}
