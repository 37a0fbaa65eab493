//! The links and the markup of a document in Markdown, in the order of their bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd};

use super::corrections::{Corrections, corrected};
use super::destination::{behind_label, destination};
use super::front_matter::front_matter_end;
use crate::document::behind_mark;
use crate::limits::MOST_TEXTS;
use crate::scan::MarkdownPlace;
use crate::value::wrapping::Wrapping;

/// A piece of a document that may hold references.
#[derive(Debug)]
pub(super) enum Piece {
    /// Tags and comments of HTML.
    Markup(Range<usize>),
    /// A destination.
    Link(Range<usize>, Wrapping, MarkdownPlace),
}

impl Piece {
    const fn range(&self) -> &Range<usize> {
        match self {
            Self::Markup(range) | Self::Link(range, ..) => range,
        }
    }
}

/// All pieces of a document.
#[derive(Debug)]
pub(super) struct Pieces<'t> {
    /// In the order of their bytes.
    pub(super) pieces: Vec<Piece>,
    /// The document, with spaces in place of the marks of block quotes within its markup.
    pub(super) markup: Cow<'t, [u8]>,
    /// The first bytes of links whose destination was not found.
    pub(super) unlocated: Vec<usize>,
    /// The cells of tables that are open.
    cells: usize,
    /// The first bytes of links of a wiki, which are text.
    pub(super) of_wiki: Vec<usize>,
    /// The first bytes of mathematics, to some readers, that hold a link to others.
    pub(super) disputed: Vec<usize>,
    text: &'t str,
}

/// The extensions that decide what is a link, and what is code or mathematics.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_MATH);

/// The longest label of a definition, in characters (CommonMark 0.31, section 6.3).
const LONGEST_LABEL: usize = 999;

/// The longest name of a page of a wiki, in bytes.
const LONGEST_NAME: usize = 1 << 10;

/// A link or an image whose end has not come yet. The text of an image has none: it is shown as text.
struct Open<'t> {
    place: MarkdownPlace,
    link_type: LinkType,
    meaning: CowStr<'t>,
    /// The end of what was read of its text.
    text_end: usize,
}

impl<'t> Pieces<'t> {
    /// Reads a document.
    pub(super) fn of(text: &'t str) -> Self {
        // The parser ends a fence with spaces behind it, but with no tab.
        let has_tabs = text.contains("`\t") || text.contains("~\t");
        let spaced = has_tabs.then(|| text.replace("`\t", "` ").replace("~\t", "~ "));
        let (mut readable, mut disputed) = (spaced.map_or(Cow::Borrowed(text), Cow::Owned), Vec::new());
        for number in 0.. {
            let mut corrections = Corrections::of(number);
            let mut read = Self::read(text, &readable, &mut corrections);
            disputed.append(&mut corrections.disputed);
            let next = corrected(&readable, &corrections.all).filter(|_| !corrections.all.is_empty());
            match next.filter(|_| number < MOST_TEXTS) {
                Some(next) => readable = next.into(),
                None => {
                    read.unlocated.extend(corrections.all.into_iter().map(|(at, _)| at));
                    disputed.sort_unstable();
                    disputed.dedup();
                    return Self { disputed, ..read }.in_order();
                }
            }
        }
        unreachable!("the last text is read")
    }

    /// Reads a document by a text of its length that the parser understands.
    fn read(text: &'t str, readable: &str, corrections: &mut Corrections) -> Self {
        let front = front_matter_end(text).unwrap_or_else(|| behind_mark(text.as_bytes()));
        let mut read = Self {
            pieces: Vec::new(),
            markup: text.as_bytes().into(),
            unlocated: Vec::new(),
            cells: 0,
            of_wiki: Vec::new(),
            disputed: Vec::new(),
            text,
        };
        let mut events = Parser::new_ext(&readable[front..], EXTENSIONS).into_offset_iter();
        let mut places = HashMap::new();
        let (mut open, mut block): (Vec<Open<'_>>, Option<Range<usize>>) = (Vec::new(), None);
        while let Some((event, range)) = events.next() {
            let range = range.start + front..range.end + front;
            corrections.look_at(&event, readable, &range);
            if let Event::End(TagEnd::Link | TagEnd::Image) = event {
                let closed = open.pop().filter(|_| !open.iter().any(|around| around.place == MarkdownPlace::Image));
                closed.into_iter().for_each(|closed| read.close(&closed, range.clone(), readable, corrections));
                continue;
            }
            if let Some(around) = open.last_mut() {
                around.text_end = around.text_end.max(range.end);
            }
            let (place, link_type, meaning, label) = match event {
                Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
                    (MarkdownPlace::Link, link_type, dest_url, id)
                }
                Event::Start(Tag::Image { link_type, dest_url, id, .. }) => {
                    (MarkdownPlace::Image, link_type, dest_url, id)
                }
                event => {
                    if !open.iter().any(|around| around.place == MarkdownPlace::Image) {
                        read.add_markup(&event, range, &mut block);
                    }
                    continue;
                }
            };
            if let Some(definition) = events.reference_definitions().get(&label).filter(|_| is_by_label(link_type)) {
                let all = places.entry(definition.span.start).or_insert(place);
                *all = if *all == place { place } else { MarkdownPlace::Link };
            }
            let text_end = range.start + if place == MarkdownPlace::Image { 2 } else { 1 };
            open.push(Open { place, link_type, meaning, text_end });
        }
        read.add_definitions(&events, &places, front, readable);
        read
    }

    fn in_order(mut self) -> Self {
        self.leave_sections();
        self.pieces.sort_by_key(|piece| piece.range().start);
        self.keep_disjoint();
        self.unlocated.sort_unstable();
        self
    }

    /// Merges equal pieces, and leaves one that overlaps the one before: the parser gives the cells of a row twice where a table lacks
    /// more cells than it adds.
    fn keep_disjoint(&mut self) {
        let Self { pieces, unlocated, .. } = self;
        pieces.dedup_by(|piece, before| {
            let (range, before) = (piece.range(), before.range());
            let overlaps = range.start < before.end || range == before;
            unlocated.extend((overlaps && range != before).then_some(range.start));
            overlaps
        });
    }

    /// Leaves the links in sections within a paragraph (CommonMark 0.31, section 6.6), which the parser reads as text.
    fn leave_sections(&mut self) {
        const OPEN: &str = "<![CDATA[";
        let (mut sections, mut at) = (Vec::new(), 0);
        while let Some(start) = self.text[at..].find(OPEN).map(|length| at + length) {
            let inside = &self.text[start..];
            let ends = |at: usize| inside[at..].starts_with("]]>") || inside[at..].starts_with("\n\n");
            let Some((length, _)) = inside.match_indices([']', '\n']).find(|(at, _)| ends(*at)) else { break };
            at = start + length;
            sections.extend(inside[length..].starts_with(']').then_some(start..at));
        }
        if sections.is_empty() {
            return;
        }
        let unlocated = &mut self.unlocated;
        let is_in_section = |byte: usize| {
            let next = sections.partition_point(|section| section.end <= byte);
            sections.get(next).is_some_and(|section| section.start < byte)
        };
        self.pieces.retain(|piece| match piece {
            Piece::Link(range, ..) if is_in_section(range.start) => {
                unlocated.push(range.start);
                false
            }
            _ => true,
        });
    }

    /// Adds the destination of a link that has ended, if it is written there.
    fn close(&mut self, closed: &Open<'_>, range: Range<usize>, readable: &str, corrections: &mut Corrections) {
        match closed.link_type {
            LinkType::Inline => {
                let behind = readable[..range.end].get(closed.text_end..).and_then(|rest| rest.find("]("));
                let start = behind.map(|at| closed.text_end + at + 2);
                let found = start.and_then(|start| destination(&readable[..range.end], start, &closed.meaning));
                if let (Some(start), Some((written, Wrapping::MarkdownBracketed))) = (start, &found)
                    && readable[written.end + 1..].starts_with(['"', '\'', '('])
                {
                    return corrections.no_link_at(start - 1);
                }
                self.add(found, closed.place, range.start);
            }
            LinkType::Autolink => {
                let inside = range.start + 1..range.end - 1;
                let found = (readable[inside.clone()] == *closed.meaning).then_some((inside, Wrapping::Spaced));
                self.add(found, closed.place, range.start);
            }
            _ => {}
        }
    }

    /// Adds each definition that counts, where it is.
    fn add_definitions(
        &mut self,
        events: &OffsetIter<'_>,
        places: &HashMap<usize, MarkdownPlace>,
        front: usize,
        readable: &str,
    ) {
        let is_label = |label: &str| label.chars().count() <= LONGEST_LABEL;
        for (_, definition) in events.reference_definitions().iter().filter(|(label, _)| is_label(label)) {
            let place = places.get(&definition.span.start).copied().unwrap_or(MarkdownPlace::Link);
            let span = definition.span.start + front..definition.span.end + front;
            let start = behind_label(&readable[span.clone()]).map(|length| span.start + length);
            let found = start.and_then(|start| destination(&readable[..span.end], start, &definition.dest));
            self.add(found, place, span.start);
        }
    }

    fn add(&mut self, found: Option<(Range<usize>, Wrapping)>, place: MarkdownPlace, start: usize) {
        match found {
            Some((range, wrapping)) => self.pieces.push(Piece::Link(range, wrapping, place)),
            None => self.unlocated.push(start),
        }
    }

    /// Adds the HTML of an event. The lines of a block are one piece, without the marks of the block quotes around it.
    fn add_markup(&mut self, event: &Event<'_>, range: Range<usize>, block: &mut Option<Range<usize>>) {
        match event {
            Event::Html(_) => {
                let start = block.take().map_or(range.start, |before| {
                    if before.end < range.start {
                        self.markup.to_mut()[before.end..range.start].fill(b' ');
                    }
                    before.start
                });
                *block = Some(start..range.end);
            }
            Event::Start(Tag::TableCell) => self.cells += 1,
            Event::End(TagEnd::TableCell) => self.cells -= 1,
            Event::Text(_) if is_link_of_wiki(self.text, &range) => self.of_wiki.push(range.start),
            Event::End(TagEnd::HtmlBlock) => self.pieces.extend(block.take().map(Piece::Markup)),
            Event::InlineHtml(html) if !is_text_in_markdown(html) => {
                // Otherwise it goes on behind the mark of a block quote, or a bar in it is escaped in a table.
                let written = &self.text[range.clone()];
                if without_indents(html) == without_indents(written) && !(written.contains("\\|") && self.cells > 0) {
                    self.pieces.push(Piece::Markup(range));
                } else if html.contains('=') {
                    self.unlocated.push(range.start);
                }
            }
            _ => {}
        }
    }
}

/// Returns a tag without the white space with which its lines begin, which a list item has not.
fn without_indents(tag: &str) -> Cow<'_, str> {
    if !tag.contains('\n') {
        return tag.into();
    }
    tag.split_inclusive('\n').map(|line| line.trim_start_matches([' ', '\t'])).collect::<String>().into()
}

const fn is_by_label(link_type: LinkType) -> bool {
    matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut)
}

/// Returns whether a text is the first bracket of `[[page]]`.
fn is_link_of_wiki(text: &str, range: &Range<usize>) -> bool {
    let inside = text[range.start..].strip_prefix("[[").filter(|_| range.len() == 1);
    let end = inside.and_then(|inside| inside[..inside.floor_char_boundary(LONGEST_NAME)].find(['[', ']', '\n']));
    inside.zip(end).is_some_and(|(inside, end)| end > 0 && inside[end..].starts_with("]]"))
}

/// Returns whether a tag within a paragraph of Markdown is text (GFM, section 6.11): what stands behind it is Markdown.
///
/// ```
/// assert!(absolve_links::is_text_in_markdown("<title>") && !absolve_links::is_text_in_markdown("<b>"));
/// ```
pub fn is_text_in_markdown(tag: &str) -> bool {
    const TEXT: [&str; 9] =
        ["title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext"];
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|next: char| !next.is_ascii_alphanumeric()).unwrap_or(name.len());
    TEXT.iter().any(|known| known.eq_ignore_ascii_case(&name[..end]))
}
