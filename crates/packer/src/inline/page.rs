//! The page with its styles in style elements.

use std::ops::Range;
use std::path::Path;

use absolve_links::{Document, DocumentType, Edits, Link, Place, Table};
use absolve_rewriter::{Code, Finding};
use encoding_rs::{UTF_16BE, UTF_16LE};
use html5ever::tokenizer::Tag;

use crate::error::PackError;
use crate::inline::candidates::Candidates;
use crate::inline::files::{Files, InlinedPage, Page};
use crate::inline::rules::{Level, Rule, rules};
use crate::inline::sheet::{Condition, Failure, Piece, Pieces};
use crate::inline::tag::{self, attribute, parsed, quoted};

/// Puts styles into the page that it links to or imports, and takes out the candidates of images that would be shown in
/// place of an embedded one.
pub(crate) fn with_styles(
    page: &Page<'_>,
    files: &Files<'_>,
    table: &Table,
    max_bytes: u64,
) -> Result<InlinedPage, PackError> {
    let document = page.document();
    let line_end = if page.bytes.windows(2).any(|two| two == b"\r\n") { "\r\n" } else { "\n" };
    let inlined = InlinedPage { bytes: Vec::new(), within: Vec::new(), findings: Vec::new() };
    let mut work =
        Inlining { page, document: &document, files, line_end, max_bytes, room: max_bytes, layers: 0, inlined };
    let (mut edits, mut candidates) = (Edits::default(), Candidates::default());
    let has_styles = || files.resources.iter().any(|file| file.media_type == "text/css");
    if [UTF_16BE, UTF_16LE].contains(&page.encoding) && has_styles() {
        work.leave(page.path, "tags of a page in UTF-16 are not replaced");
    }
    let mut next = 0;
    for link in &document.scan(table).map(|scan| scan.links).unwrap_or_default() {
        let (Place::Attribute { tag, nesting: 0, .. } | Place::StyleElement { tag, nesting: 0 }) = link.place else {
            continue;
        };
        let element = document.element(link);
        if ["img", "source"].contains(&&*element) {
            candidates.add(&element, tag, link, &document, files);
        }
        let Some(file) = work.sheet(link).filter(|_| tag >= next) else { continue };
        next = tag + 1;
        let edit = match (&*element, link.place) {
            ("link", Place::Attribute { .. }) => work.linked(link, file)?,
            ("style", Place::StyleElement { .. }) => work.with_imports(link)?,
            ("?xml-stylesheet", _) => {
                work.leave(page.path, "it is not a LINK");
                None
            }
            _ => None,
        };
        if let Some((range, text)) = edit {
            next = range.end;
            edits.push(range, text.as_bytes());
        }
    }
    let (taken, count) = candidates.finish();
    let mut inlined = work.inlined;
    if count > 0 {
        let message = format!(
            "{count} of the candidates in srcset are left out: a draft shows none that is embedded, nor the image of src \
             beside them"
        );
        inlined.findings.push((page.path.to_owned(), Finding::new(Code::MailImage, message)));
    }
    Ok(InlinedPage { bytes: edits.merged(&taken).splice(page.bytes), ..inlined })
}

struct Inlining<'w> {
    page: &'w Page<'w>,
    document: &'w Document<'w>,
    files: &'w Files<'w>,
    line_end: &'static str,
    max_bytes: u64,
    /// The bytes that may be added.
    room: u64,
    /// The layers that were given a name.
    layers: usize,
    inlined: InlinedPage,
}

type Edit = (Range<usize>, String);

impl Inlining<'_> {
    /// Returns the index of the style or other file that a link leads to.
    fn sheet(&self, link: &Link) -> Option<usize> {
        let url = str::from_utf8(&self.page.bytes[link.range.clone()]).ok()?;
        self.files.file(url).map(|(file, _)| file)
    }

    /// Returns the edit that replaces the tag of a linked style by style elements.
    fn linked(&mut self, link: &Link, file: usize) -> Result<Option<Edit>, PackError> {
        let Some(css) = self.files.text(file) else { return Ok(None) };
        let path = &*self.files.resources[file].path;
        let Some((range, tag)) = self.tag(link) else {
            self.leave(path, "its link is in an encoding in which tags are not replaced");
            return Ok(None);
        };
        let is_whole = self.page.document_type == DocumentType::Html || tag.self_closing;
        let why = match use_of(&tag) {
            Use::Other => return Ok(None),
            Use::Chosen => "it applies only if a reader chooses it (rel=alternate, disabled)",
            Use::Style if is_whole => "",
            Use::Style => "its link has an end tag of its own",
        };
        if !why.is_empty() {
            self.leave(path, why);
            return Ok(None);
        }
        let conditions = media_condition(&tag);
        let text = self.pieces(path, range.start, &tag, |pieces| pieces.add(css, &conditions, &mut vec![file]))?;
        if text.is_some() {
            self.inlined.within.push(file);
        }
        Ok(text.map(|text| (range, text)))
    }

    /// Returns the edit that puts the imports of a style element before it, in elements of their own.
    fn with_imports(&mut self, link: &Link) -> Result<Option<Edit>, PackError> {
        let Some((range, tag)) = self.tag(link).filter(|(_, tag)| is_css(tag)) else { return Ok(None) };
        let Some(end) = self.end_of_text(range.end) else { return Ok(None) };
        let (css, ..) = self.page.encoding.decode_without_bom_handling(&self.page.bytes[range.end..end]);
        let rules = rules(&css, Level::Sheet);
        let is_import = |rule: &Rule<'_>| matches!(rule, Rule::Import { .. });
        let Some(last) = rules.iter().rposition(|(_, rule)| is_import(rule)) else { return Ok(None) };
        let leads_to_file =
            |rule: &Rule<'_>| matches!(rule, Rule::Import { url, .. } if self.files.file(url).is_some());
        if !rules.iter().any(|(_, rule)| leads_to_file(rule)) {
            return Ok(None);
        }
        let is_xml = self.page.document_type == DocumentType::Xml;
        if is_xml && css.contains(['&', '<']) || rules[..last].iter().any(|(_, rule)| *rule == Rule::Conditional) {
            self.leave(self.page.path, "the style element that imports it orders layers, or is not plain text");
            return Ok(None);
        }
        let (start_tag, ..) = self.page.encoding.decode_without_bom_handling(&self.page.bytes[range.clone()]);
        if !start_tag.is_ascii() {
            self.leave(self.page.path, "the tag of the style element that imports it is not in ASCII");
            return Ok(None);
        }
        let conditions = media_condition(&tag);
        let text = self.pieces(self.page.path, range.start, &tag, |pieces| {
            rules.iter().try_for_each(|(whole, rule)| match rule {
                Rule::Import { url, conditions: text } => {
                    pieces.add_import(url, text, &css[whole.clone()], &conditions, &mut Vec::new())
                }
                _ => Ok(()),
            })
        })?;
        let others: String =
            rules.iter().filter(|(_, rule)| !is_import(rule)).map(|(at, _)| &css[at.clone()]).collect();
        let others = others.replace("\r\n", "\n");
        let others = tag::text(&others, self.page.document_type, self.page.encoding, self.line_end);
        Ok(text.map(|text| (range.start..end, format!("{text}{start_tag}{others}"))))
    }

    /// Returns style elements in place of a tag, with the pieces that `add` adds; `None` if they cannot be made. `path` is
    /// the file that findings are about.
    fn pieces(
        &mut self,
        path: &Path,
        start: usize,
        tag: &Tag,
        add: impl FnOnce(&mut Pieces<'_>) -> Result<(), Failure>,
    ) -> Result<Option<String>, PackError> {
        let (room, layers) = (self.room, self.layers);
        let mut pieces =
            Pieces { files: self.files, pieces: Vec::new(), used: Vec::new(), conditional: 0, room, layers };
        let why = match add(&mut pieces) {
            Ok(()) if self.ends_comment(start, &pieces.pieces) => "it would end the comment that links to it",
            Ok(()) => {
                (self.room, self.layers) = (pieces.room, pieces.layers);
                self.inlined.within.extend(&pieces.used);
                if pieces.conditional > 0 {
                    let message = format!(
                        "{} of its rules stay within conditions (@supports, @layer, @container, or an import from \
                         elsewhere), and Thunderbird removes them",
                        pieces.conditional
                    );
                    self.inlined.findings.push((path.to_owned(), Finding::new(Code::MailStyle, message)));
                }
                let title = attribute(tag, "title").unwrap_or_default();
                return Ok(Some(pieces.pieces.iter().map(|piece| self.element(piece, &title)).collect()));
            }
            Err(Failure::TooLong) => {
                let path = Some(path.to_owned());
                let limit = self.max_bytes;
                return Err(PackError::TooLong { bytes: limit.saturating_add(1), limit, path });
            }
            Err(Failure::Open) => "it is imported under conditions, and ends within a rule",
            Err(Failure::TooDeep) => "styles import each other too deep",
        };
        self.leave(path, why);
        Ok(None)
    }

    fn element(&self, piece: &Piece, title: &str) -> String {
        let attributes = [("media", &*piece.media), ("title", title)];
        let attributes = attributes.into_iter().filter(|(_, value)| !value.is_empty());
        let attributes: String = attributes.map(|(name, value)| format!(" {name}={}", quoted(value))).collect();
        let text = tag::text(&piece.css, self.page.document_type, self.page.encoding, self.line_end);
        format!("<style{attributes}>{text}</style>")
    }

    /// Reports a style that stays a part: at its own path, or at that of the page for what only the page is the reason of.
    fn leave(&mut self, path: &Path, why: &str) {
        let what = if path == self.page.path { "a style that it loads" } else { "it" };
        let message = format!("{what} stays a part, which mail programs do not apply everywhere: {why}");
        self.inlined.findings.push((path.to_owned(), Finding::new(Code::MailStyle, message)));
    }

    /// Returns the tag of a link, and its range.
    fn tag(&self, link: &Link) -> Option<(Range<usize>, Tag)> {
        let range = self.document.tag(link)?;
        let (text, ..) = self.page.encoding.decode_without_bom_handling(&self.page.bytes[range.clone()]);
        Some((range, parsed(&text)?))
    }

    /// Returns the end of the text of a style element.
    fn end_of_text(&self, start: usize) -> Option<usize> {
        let text = &self.page.bytes[start..];
        let is_end = |at: &usize| match self.page.document_type {
            DocumentType::Xml => true,
            _ => text[at + 2..].get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"style")),
        };
        let ends = (0..text.len().saturating_sub(1)).filter(|at| text[*at] == b'<' && text[at + 1] == b'/');
        ends.into_iter().find(is_end).map(|end| start + end)
    }

    /// Returns whether one of the pieces ends the comment that a tag is in: conditional comments have links.
    fn ends_comment(&self, start: usize, pieces: &[Piece]) -> bool {
        const END: &str = "-->";
        let is_end = |piece: &Piece| piece.css.contains(END) || piece.media.contains(END);
        let before = || String::from_utf8_lossy(&self.page.bytes[..start]);
        pieces.iter().any(is_end) && before().rfind("<!--") > before().rfind(END)
    }
}

/// What the style of a LINK is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It applies.
    Style,
    /// It applies if someone chooses it.
    Chosen,
    /// It is no style.
    Other,
}

fn use_of(tag: &Tag) -> Use {
    let words = attribute(tag, "rel").unwrap_or_default().to_ascii_lowercase();
    let has = |word: &str| words.split_ascii_whitespace().any(|other| other == word);
    let media_type = attribute(tag, "type").unwrap_or_default();
    let is_css = media_type.is_empty() || media_type.trim().to_ascii_lowercase().starts_with("text/css");
    match &*tag.name == "link" && has("stylesheet") && is_css {
        false => Use::Other,
        true if has("alternate") || attribute(tag, "disabled").is_some() => Use::Chosen,
        true => Use::Style,
    }
}

/// Returns whether browsers read a style element as CSS, by its type.
fn is_css(tag: &Tag) -> bool {
    attribute(tag, "type").is_none_or(|name| name.is_empty() || name.eq_ignore_ascii_case("text/css"))
}

fn media_condition(tag: &Tag) -> Vec<Condition> {
    let media = attribute(tag, "media").map(|media| media.trim().to_owned());
    media.filter(|media| !media.is_empty()).map(Condition::Media).into_iter().collect()
}
