//! The references of well-formed XML.

use std::ops::Range;

use absolve_links::{Grammar, ResolvesIn, Row, Table};

use super::attributes::{Attribute, Form, attributes, name_length};
use super::entities::Entities;
use super::escapes::{Around, characters, units_of, without_references};
use super::found::{DOCUMENT, OUTSIDE, Place, Reference, Scope};
use super::gatherer::{Gatherer, Unread, row, value_range};
use super::items::Items;
use super::namespaces::{self, Prefixes, Vocabulary};
use super::pieces::{Piece, length_to, pieces};
use crate::text::Text;
use crate::values::trimmed;

/// Gathers the references of a document, and its BASE.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) -> Result<(), Unread> {
    let pieces = pieces(&text.text);
    let mut walk = Walk::default();
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Start { range, is_empty } => {
                let content_end = match pieces.get(index + 1) {
                    Some(Piece::End(end)) if !is_empty => Some(end.start),
                    _ => None,
                };
                let (element, outer, scope) = walk.start(text, range.clone(), content_end, gatherer)?;
                if *is_empty {
                    element.declared.iter().for_each(|prefix| walk.prefixes.undeclare(prefix));
                } else {
                    walk.enter(element, outer, scope, gatherer);
                }
            }
            Piece::End(_) => walk.leave(gatherer),
            Piece::Instruction(range) if walk.open.is_empty() => gather_instruction(text, range.clone(), gatherer),
            Piece::Instruction(_) => {}
            Piece::Doctype(range) => walk.entities.declare(&text.text[range.clone()]),
        }
    }
    if walk.first_base == Some(None) {
        gatherer.found.scopes[DOCUMENT] = Scope::Unknown;
    }
    gatherer.found.base = walk.first_base.flatten();
    Ok(())
}

/// What is known between two tags.
#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    prefixes: Prefixes,
    entities: Entities,
    items: Items,
    /// The value of the first BASE that counts, if that is readable.
    first_base: Option<Option<String>>,
    /// Whether a BASE counts: a feed may contain a fragment of XHTML, in which none does.
    counts_bases: bool,
}

impl Walk {
    /// Gathers the references of a start tag, and of the text behind it up to `content_end`. Returns the element, the scope around it
    /// and its own.
    fn start(
        &mut self,
        text: &Text<'_>,
        range: Range<usize>,
        content_end: Option<usize>,
        gatherer: &mut Gatherer<'_>,
    ) -> Result<(Element, usize, usize), Unread> {
        let outer = self.open.last();
        let element = Element::read(text, range.clone(), outer, &mut self.prefixes, &self.entities);
        if outer.is_none() {
            self.counts_bases = element.vocabulary.is_markup();
        }
        let is_counted = self.counts_bases && !element.is_in_template && self.first_base.is_none();
        for (_, attribute, _) in &element.attributes {
            record_entities(text, attribute.value.clone(), &self.entities, gatherer);
        }
        let (around, first) = (gatherer.scope, gatherer.found.references.len());
        if element.vocabulary.is_markup() {
            gatherer.scope = self.items.scope_of_content(around);
        }
        let scope = gather_element(text, &element, gatherer)?;
        if element.is_base() {
            gatherer.found.base_tags.push(text.raw(range.clone()));
            self.first_base = self.first_base.take().or_else(|| element.declared("href").filter(|_| is_counted));
        }
        if let Some(end) = content_end {
            gatherer.scope = match element.row(gatherer.table, "") {
                Some(row) if row.grammar == Grammar::Html => self.items.scope_of_content(scope),
                _ => scope,
            };
            gather_content(text, &element, range.end..end, &self.entities, gatherer)?;
        }
        gatherer.scope = around;
        self.items.note(&element.name, element.value("rel"), first, self.open.len(), gatherer);
        Ok((element, around, scope))
    }

    /// Enters an element.
    fn enter(&mut self, element: Element, around: usize, scope: usize, gatherer: &mut Gatherer<'_>) {
        self.open.push(Open {
            declared: element.declared,
            root: element.root,
            is_template: element.is_in_template || element.name == "template",
            scope: around,
        });
        self.items.open(&element.name, self.open.len(), around, gatherer);
        gatherer.scope = scope;
    }

    /// Leaves the innermost element.
    fn leave(&mut self, gatherer: &mut Gatherer<'_>) {
        if let Some(closed) = self.open.pop() {
            closed.declared.iter().for_each(|prefix| self.prefixes.undeclare(prefix));
            gatherer.scope = closed.scope;
            self.items.close(self.open.len());
        }
    }
}

/// Returns the text between two tags without comments and instructions, with character references decoded, and with the
/// text of CDATA sections. Calls `of_text` for each range outside sections.
fn content<'t>(text: &'t Text<'_>, range: Range<usize>, mut of_text: impl FnMut(Range<usize>)) -> Text<'t> {
    let raw = &text.text[range.clone()];
    if !raw.contains("<!") && !raw.contains("<?") {
        of_text(range.clone());
        return without_references(text, range, Around::XmlText);
    }
    let mut units: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &text.text[at..range.end];
        let (length, is_section) = match rest {
            _ if rest.starts_with("<!--") => (length_to(rest, "-->"), false),
            _ if rest.starts_with("<?") => (length_to(rest, "?>"), false),
            _ if rest.starts_with("<![CDATA[") => (length_to(rest, "]]>"), true),
            _ => {
                let next = rest.char_indices().skip(1).find(|(_, character)| *character == '<');
                let length = next.map_or(rest.len(), |(next, _)| next);
                of_text(at..at + length);
                units.extend(units_of(text, at..at + length, Around::XmlText));
                at += length;
                continue;
            }
        };
        if is_section {
            let closed = rest[..length].strip_suffix("]]>").map_or(length, str::len);
            units.extend(characters(text, at + 9..at + closed.max(9)));
        }
        at += length;
    }
    text.unwrapped(units.into_iter())
}

/// Records the references to entities of the document in a range.
fn record_entities(text: &Text<'_>, stretch: Range<usize>, entities: &Entities, gatherer: &mut Gatherer<'_>) {
    let places = entities.places(&text.text[stretch.clone()]);
    gatherer.found.entities.extend(places.map(|at| text.raw(stretch.start + at.start..stretch.start + at.end)));
}

/// An open element.
struct Open {
    /// The prefixes that it declares.
    declared: Vec<String>,
    /// The vocabulary of names without a namespace.
    root: Vocabulary,
    is_template: bool,
    /// The scope around it.
    scope: usize,
}

struct Element {
    /// The prefixes that it declares.
    declared: Vec<String>,
    root: Vocabulary,
    vocabulary: Vocabulary,
    /// The name as in the table.
    name: String,
    is_in_template: bool,
    /// The attributes with their names as in the table.
    attributes: Vec<(String, Attribute, String)>,
    /// The names of attributes with entities that only the document declares.
    composed: Vec<String>,
}

impl Element {
    fn read(
        text: &Text<'_>,
        range: Range<usize>,
        outer: Option<&Open>,
        prefixes: &mut Prefixes,
        entities: &Entities,
    ) -> Self {
        let tag = &text.text[range.start + 1..range.end];
        let written = &tag[..name_length(tag)];
        let mut declared = Vec::new();
        let all = attributes(&text.text[..range.end], range.start + 1 + written.len());
        let value =
            |one: &Attribute| without_references(text, one.value.clone(), Around::XmlAttribute).text.into_owned();
        for attribute in &all {
            if let Some(prefix) = attribute.name.strip_prefix("xmlns") {
                let prefix = prefix.strip_prefix(':').unwrap_or(prefix);
                prefixes.declare(prefix, namespaces::of_uri(value(attribute).trim()));
                declared.push(prefix.to_owned());
            }
        }
        let root = outer.map_or_else(|| namespaces::of_root(written), |open| open.root);
        let vocabulary = prefixes.of_element(written, root);
        let local = written.rsplit(':').next().unwrap_or_default();
        let quoted = all.into_iter().filter(|attribute| attribute.form == Form::Quoted);
        let attributes: Vec<_> = quoted
            .map(|attribute| (prefixes.attribute(&attribute.name), value(&attribute), attribute))
            .map(|(name, value, attribute)| (name, attribute, value))
            .collect();
        let composed = attributes.iter().filter(|(_, one, _)| entities.are_in(&text.text[one.value.clone()]));
        Self {
            name: vocabulary.prefixed(local),
            is_in_template: outer.is_some_and(|open| open.is_template),
            declared,
            root,
            vocabulary,
            composed: composed.map(|(name, ..)| name.clone()).collect(),
            attributes,
        }
    }

    fn value(&self, name: &str) -> Option<String> {
        self.attributes.iter().find(|(known, ..)| known == name).map(|(.., value)| value.clone())
    }

    /// Returns what an attribute declares; `Some(None)` if only entities of the document contain it.
    fn declared(&self, name: &str) -> Option<Option<String>> {
        let is_composed = self.composed.iter().any(|composed| composed == name);
        self.value(name).map(|value| (!is_composed).then_some(value))
    }

    fn is_base(&self) -> bool {
        self.vocabulary == Vocabulary::Html && self.name == "base" && self.value("href").is_some()
    }

    /// Returns the row for an attribute, or for the text of the element.
    fn row<'t>(&self, table: &'t Table, attribute: &str) -> Option<&'t Row> {
        row(table, &self.name, attribute, |row| self.applies(row), |name| self.value(name))
    }

    /// Reports whether a row applies to this element. Rows for any element apply to markup, unless they have a prefix.
    fn applies(&self, row: &Row) -> bool {
        let is_of_any_markup = row.element == "*" && !row.attribute.contains(':');
        (!is_of_any_markup || self.vocabulary.is_markup())
            && (row.resolves_in != ResolvesIn::Outside || self.vocabulary == Vocabulary::Html)
    }
}

/// Gathers the references in the attributes of an element; returns the scope of its content.
fn gather_element(text: &Text<'_>, element: &Element, gatherer: &mut Gatherer<'_>) -> Result<usize, Unread> {
    let outer = gatherer.scope;
    let table = gatherer.table;
    let row_of = |name: &str| element.row(table, name);
    let xml_base = element.declared("xml:base").filter(|_| row_of("xml:base").is_some());
    let scope = match xml_base {
        Some(Some(declared)) => {
            gatherer.open(Scope::Element { declared: declared.trim().to_owned(), is_xml_base: true, within: outer })
        }
        Some(None) => gatherer.open(Scope::Unknown),
        None => outer,
    };
    let codebase = element.value("codebase").filter(|_| row_of("codebase").is_some());
    let in_codebase =
        codebase.map(|declared| gatherer.open_codebase(declared.trim().to_owned(), element.value("classid"), scope));
    if let (Some(scopes), Some(None)) = (in_codebase, element.declared("codebase")) {
        gatherer.found.scopes[scopes.codebase] = Scope::Unknown;
    }
    if element.name == "mj-navbar" {
        gatherer.is_behind_base_url = element.value("base-url").is_some_and(|url| !url.is_empty());
    }
    let mut seen: Vec<&str> = Vec::new();
    for (name, attribute, _) in &element.attributes {
        let Some(row) = row_of(name).filter(|_| !seen.contains(&&**name)) else { continue };
        seen.push(name);
        let range = value_range(row, &text.text, attribute.value.clone());
        let value = without_references(text, range, Around::XmlAttribute);
        gatherer.scope = match row.resolves_in {
            ResolvesIn::Around => outer,
            _ => in_codebase.map_or(scope, |scopes| scopes.of(row)),
        };
        gatherer.add_value(row, &value, &element.name)?;
    }
    gatherer.scope = outer;
    Ok(scope)
}

/// Gathers the references in the text of an element without child elements.
fn gather_content(
    text: &Text<'_>,
    element: &Element,
    range: Range<usize>,
    entities: &Entities,
    gatherer: &mut Gatherer<'_>,
) -> Result<(), Unread> {
    let content = content(text, range, |stretch| record_entities(text, stretch, entities, gatherer));
    if element.name == "style" && element.vocabulary.is_markup() {
        let place = Place { element: "style".into(), depth: gatherer.depth, ..Place::default() };
        gatherer.add_css(&content, &place, gatherer.scope);
        return Ok(());
    }
    let Some(row) = element.row(gatherer.table, "") else { return Ok(()) };
    let content = match row.grammar {
        Grammar::Url => content.within(trimmed(&content.text, 0..content.text.len())),
        _ => content,
    };
    if content.text.is_empty() { Ok(()) } else { gatherer.add_value(row, &content, &element.name) }
}

/// Gathers the reference of an `xml-stylesheet` instruction.
fn gather_instruction(text: &Text<'_>, range: Range<usize>, gatherer: &mut Gatherer<'_>) {
    const NAME: &str = "?xml-stylesheet";
    let instruction = &text.text[range.start + 1..range.end];
    let is_known = gatherer.table.rows().iter().any(|row| row.element == NAME && row.attribute == "href");
    if !is_known || !instruction.starts_with(NAME) {
        return;
    }
    let start = range.start + 1 + NAME.len();
    // One that is cut off may end within a character.
    let end = text.text.floor_char_boundary(range.end - 2);
    let href = attributes(&text.text[..start.max(end)], start);
    let is_href = |attribute: &Attribute| attribute.name == "href" && attribute.form == Form::Quoted;
    for attribute in href.into_iter().filter(is_href).take(1) {
        let value = without_references(text, trimmed(&text.text, attribute.value), Around::XmlText);
        let place = Place { element: NAME.into(), attribute: "href".into(), ..Place::default() };
        gatherer.found.references.push(Reference::of(value, place, gatherer.scope));
    }
    debug_assert!(gatherer.scope != OUTSIDE);
}
