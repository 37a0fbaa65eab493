//! The references of well-formed XML.

use std::ops::Range;

use absolve_links::{Entities, Grammar, NESTED_XML_BASES, Namespaces, Table, Vocabulary};

use super::attributes::{Attribute, attributes, name_length};
use super::element::{Element, gather_attributes, in_table};
use super::escapes::{Around, Stretch, content, stretches, without_references};
use super::found::{BEFORE_BASE, DOCUMENT, Reference, Scope};
use super::gatherer::{Gatherer, TooMuchWork};
use super::html::imports::{Imports, note_handlers};
use super::items::Items;
use super::pieces::{Piece, pieces};
use crate::text::Text;
use crate::values::trimmed;

/// Gathers the references of a document, and its BASE. Stops where bases nest too deeply.
pub(crate) fn gather<'t>(text: &Text<'_>, gatherer: &mut Gatherer<'t>) -> Result<(), TooMuchWork> {
    let mut pieces = pieces(&text.text).peekable();
    let mut entities = Entities::default();
    let mut walk = Walk::new(gatherer.table);
    while let Some(piece) = pieces.next() {
        if walk.xml_bases > NESTED_XML_BASES {
            return Err(TooMuchWork);
        }
        match piece {
            Piece::Start(tag) if text.text[tag.clone()].ends_with("/>") => {
                walk.open(text, tag, None, &entities, gatherer);
                walk.close(gatherer);
            }
            Piece::Start(tag) => {
                let mut asides = Vec::new();
                while let Some(next) = pieces.next_if(|next| matches!(next, Piece::Aside(_) | Piece::Section(_))) {
                    asides.extend(if let Piece::Aside(aside) = next { Some(aside) } else { None });
                }
                let content = match pieces.peek() {
                    Some(Piece::End(end)) => Some(stretches(&text.text, tag.end..end.start, &asides)),
                    _ => None,
                };
                walk.open(text, tag, content, &entities, gatherer);
            }
            Piece::End(_) => walk.close(gatherer),
            Piece::Aside(range) if walk.open.is_empty() => gather_instruction(text, range, gatherer),
            Piece::Doctype(range) => entities.declare(&text.text[range]),
            Piece::Aside(_) | Piece::Section(_) => {}
        }
    }
    gatherer.end_before_base(walk.base.filter(|_| walk.is_xhtml));
    Ok(())
}

/// What is known between two tags.
struct Walk<'t> {
    open: Vec<Open>,
    namespaces: Namespaces<'t>,
    items: Items,
    /// The number of open elements with an `xml:base`.
    xml_bases: usize,
    /// Whether the next BASE counts: only the first one does, and none in a feed, which may contain a fragment of XHTML.
    counts_base: bool,
    /// The number of that BASE among all.
    base: Option<usize>,
    is_xhtml: bool,
    /// Whether the root element is of HTML, SVG or MathML.
    is_markup: bool,
    /// Whether an element has declared the namespace of XSLT.
    is_xslt: bool,
}

/// An open element.
struct Open {
    /// The number of namespaces that it declares.
    namespaces: usize,
    is_template: bool,
    /// The scope around it.
    scope: usize,
    has_xml_base: bool,
}

impl<'t> Walk<'t> {
    fn new(table: &'t Table) -> Self {
        let (open, namespaces, items) = (Vec::new(), Namespaces::new(table), Items::default());
        Self {
            open,
            namespaces,
            items,
            xml_bases: 0,
            counts_base: false,
            base: None,
            is_xhtml: false,
            is_markup: false,
            is_xslt: false,
        }
    }

    /// Opens the element of a tag, and gathers its references, and those of its `content` if that is text.
    fn open(
        &mut self,
        text: &Text<'_>,
        tag: Range<usize>,
        content: Option<Vec<Stretch>>,
        entities: &Entities,
        gatherer: &mut Gatherer<'_>,
    ) {
        let (mut element, mut open) = self.read(text, tag.clone(), entities);
        element.note_amp(gatherer);
        note_handlers(&element, gatherer);
        self.record_seams(text, tag.clone(), &element, entities, gatherer);
        let (around, first) = (gatherer.scope, gatherer.found.references.len());
        open.scope = around;
        if element.vocabulary.is_markup() {
            gatherer.scope = self.items.scope_of_content(around);
        }
        let scope_of_tag = gatherer.scope;
        gatherer.loads_at_once = !open.is_template;
        let scope = gather_attributes(&element, gatherer);
        open.has_xml_base = scope != scope_of_tag;
        self.xml_bases += usize::from(open.has_xml_base);
        if element.vocabulary == Vocabulary::Html
            && element.name == "base"
            && self.is_markup
            && !open.is_template
            && let Some(href) = element.value("href")
        {
            gatherer.found.base_tags.push(text.raw(tag));
            if self.counts_base {
                self.counts_base = false;
                match element.is_composed("href", gatherer) {
                    true => gatherer.found.scopes[DOCUMENT] = Scope::Unknown,
                    false => {
                        gatherer.found.base = Some(href);
                        self.base = Some(gatherer.found.base_tags.len() - 1);
                    }
                }
            }
        }
        if let Some(stretches) = content {
            gatherer.scope = scope;
            for (index, stretch) in stretches.iter().enumerate() {
                if let Stretch::Text(range) = stretch {
                    record_entities(text, range.clone(), entities, gatherer);
                }
                let next = stretches.get(index + 1).map(|next| stretch.range().end..next.range().start);
                gatherer.found.seams.extend(next.map(|between| text.raw(between)));
            }
            let content = self::content(text, &stretches, Around::XmlText);
            self.gather_content(&content, &stretches, &element, gatherer);
        }
        gatherer.scope = scope;
        self.items.note(&element, first, self.open.len(), gatherer);
        open.is_template |= element.name == "template";
        self.open.push(open);
        self.items.open(&element.name, self.open.len(), around, gatherer);
    }

    /// Reads a tag, and declares its namespaces.
    fn read<'e>(&mut self, text: &'e Text<'_>, tag: Range<usize>, entities: &'e Entities) -> (Element<'e>, Open)
    where
        't: 'e,
    {
        let inside = &text.text[tag.start + 1..tag.end];
        let name = &inside[..name_length(inside)];
        let mut attributes = attributes(&text.text[..tag.end], tag.start + 1 + name.len()).all;
        let namespaces = self.namespaces.open(attributes.iter().filter_map(|one| {
            let prefix = as_written(text, one).strip_prefix("xmlns")?;
            let uri = entities.expand(text.text[one.value.clone()].as_bytes());
            self.is_xslt |= uri == "http://www.w3.org/1999/XSL/Transform";
            Some((prefix.as_bytes(), uri))
        }));
        if self.open.is_empty() {
            self.namespaces.set_root(name.as_bytes());
        }
        let (vocabulary, local) = self.namespaces.element(name.as_bytes());
        if self.open.is_empty() {
            self.is_markup = vocabulary.is_markup();
            self.counts_base = self.is_markup;
            self.is_xhtml = vocabulary == Vocabulary::Html;
        }
        for one in attributes.iter_mut().filter(|one| one.name.contains(':')) {
            one.name = in_table(&self.namespaces.attribute(as_written(text, one).as_bytes())).into();
        }
        let name = in_table(&vocabulary.name(local)).into();
        let element = Element { text, name, vocabulary, attributes, entities: Some(entities), reads_amp: false };
        let is_template = self.open.last().is_some_and(|open| open.is_template);
        (element, Open { namespaces, is_template, scope: DOCUMENT, has_xml_base: false })
    }

    /// Records what a tag composes its values of: entities of the document, and expressions of XSLT in braces.
    fn record_seams(
        &self,
        text: &Text<'_>,
        tag: Range<usize>,
        element: &Element<'_>,
        entities: &Entities,
        gatherer: &mut Gatherer<'_>,
    ) {
        let braces = |one: &&Attribute<'_>| self.is_xslt && text.text[one.value.clone()].contains(['{', '}']);
        let first = gatherer.found.seams.len();
        gatherer.found.seams.extend(element.attributes.iter().filter(braces).map(|one| text.raw(one.value.clone())));
        record_entities(text, tag, entities, gatherer);
        gatherer.found.seams[first..].sort_by_key(|seam| seam.start);
        gatherer.found.seams.dedup_by(|seam, before| seam.end <= before.end);
    }

    /// Closes the innermost element.
    fn close(&mut self, gatherer: &mut Gatherer<'_>) {
        if let Some(closed) = self.open.pop() {
            self.namespaces.close(closed.namespaces);
            gatherer.scope = closed.scope;
            self.xml_bases -= usize::from(closed.has_xml_base);
            self.items.close(self.open.len());
        }
    }

    /// Gathers the references in the text of an element without child elements.
    fn gather_content(
        &self,
        content: &Text<'_>,
        stretches: &[Stretch],
        element: &Element<'_>,
        gatherer: &mut Gatherer<'_>,
    ) {
        if element.name == "style" && element.vocabulary.is_markup() {
            return gatherer.add_style(content, &gatherer.place("style", ""));
        }
        if element.name == "script" && element.vocabulary.is_markup() {
            let imports = Imports::of_type(&element.value("type").unwrap_or_default());
            // What an entity says is left open.
            let is_open = |stretch: &Stretch| {
                let Stretch::Text(range) = stretch else { return false };
                element.entities.is_some_and(|all| all.are_in(element.text.text[range.clone()].as_bytes()))
            };
            let may_import = |imports: Imports| stretches.iter().any(is_open) || imports.are_relative(&content.text);
            gatherer.found.has_script_at_base |= gatherer.may_resolve_at_base() && imports.is_some_and(may_import);
        }
        let Some(row) = element.row(gatherer.table, "") else { return };
        let range = match row.grammar {
            Grammar::Url => trimmed(&content.text, 0..content.text.len()),
            _ => 0..content.text.len(),
        };
        if row.grammar == Grammar::Html {
            gatherer.scope = self.items.scope_of_content(gatherer.scope);
        }
        if !range.is_empty() {
            gatherer.add_value(row, &content.within(range), &element.name);
        }
    }
}

/// Returns the name of an attribute: in XML, case counts in prefixes.
fn as_written<'t>(text: &'t Text<'_>, attribute: &Attribute<'_>) -> &'t str {
    &text.text[attribute.range.start..][..attribute.name.len()]
}

/// Records the references to entities of the document in a range.
fn record_entities(text: &Text<'_>, stretch: Range<usize>, entities: &Entities, gatherer: &mut Gatherer<'_>) {
    let places = entities.places(text.text[stretch.clone()].as_bytes());
    gatherer.found.seams.extend(places.map(|at| text.raw(stretch.start + at.start..stretch.start + at.end)));
}

/// Gathers the reference of an `xml-stylesheet` instruction before the root element. White space in it is no other than as it is
/// written (Associating Style Sheets with XML, section 3).
fn gather_instruction(text: &Text<'_>, range: Range<usize>, gatherer: &mut Gatherer<'_>) {
    const NAME: &str = "?xml-stylesheet";
    let instruction = &text.text[range.start + 1..range.end];
    let is_of_it = instruction[..name_length(instruction)] == *NAME && instruction.ends_with("?>");
    if !is_of_it || !gatherer.table.rows_of("href").any(|row| row.element == NAME) {
        return;
    }
    let pseudo = attributes(&text.text[..range.end - 2], range.start + 1 + NAME.len());
    let is_href = |attribute: &&Attribute<'_>| attribute.name == "href" && attribute.is_quoted;
    if let Some(href) = pseudo.all.iter().find(is_href) {
        let value = without_references(text, trimmed(&text.text, href.value.clone()), Around::XmlText);
        gatherer.found.references.push(Reference::of(value, gatherer.place(NAME, "href"), BEFORE_BASE));
    }
}
