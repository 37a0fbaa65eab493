//! Scans XML documents by their namespaces: XHTML, SVG, MathML, feeds, RDF and OPML.
//!
//! quick-xml finds tags, CDATA sections and processing instructions, and checks that the document is well-formed.

pub(crate) mod entities;
mod items;
pub(crate) mod namespaces;
mod unknown;
mod well_formed;

use std::ops::Range;

use quick_xml::events::Event;
use quick_xml::reader::Reader;

use crate::document::{Document, behind_mark};
use crate::gather::content::ElementText;
use crate::gather::{Gatherer, Hit, Tag};
use crate::html;
use crate::html::imports::{ScriptText, importing_handler};
use crate::limits::NESTED_XML_BASES;
use crate::markup::attributes::{Attribute, attributes};
use crate::markup::name::Name;
use crate::markup::tag::name_length;
use crate::scan::{Place, Refusal, RemarkKind, Scan, Scope};
use crate::table::Table;
use crate::table::row::{Grammar, ResolvesIn, Row, Syntax};
use crate::table::vocabulary::Vocabulary;
use crate::value::wrapping::Wrapping;
use entities::Entities;
use items::Item;
use namespaces::Namespaces;
use well_formed::{are_well_formed, begins_name, is_quoted, wrong_characters};

/// Finds the links of an XML document, whose bytes are UTF-8.
pub(crate) fn scan(document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
    let bytes = document.bytes();
    let mark = behind_mark(bytes);
    let text = str::from_utf8(&bytes[mark..]).map_err(|error| Refusal::NotWellFormed(mark + error.valid_up_to()))?;
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    let wrong = wrong_characters(text);
    let mut walker = Walker::new(document, table);
    loop {
        let start = mark + reader.buffer_position() as usize;
        let event = reader.read_event();
        if walker.xml_bases > NESTED_XML_BASES {
            return Err(Refusal::NestingTooDeep);
        }
        let range = start..mark + reader.buffer_position() as usize;
        if let Ok(Event::Start(_) | Event::Empty(_) | Event::Text(_) | Event::GeneralRef(_)) = event
            && let Some(at) = wrong.get(wrong.partition_point(|at| mark + at < range.start))
            && mark + at < range.end
        {
            return Err(Refusal::NotWellFormed(mark + at));
        }
        match event {
            Ok(Event::Start(_)) => walker.open(range)?,
            Ok(Event::Empty(_)) => {
                walker.open(range)?;
                walker.close();
            }
            Ok(Event::End(_)) => walker.close(),
            Ok(Event::CData(section)) => {
                walker.text(range.end - 3 - section.len()..range.end - 3, Wrapping::Quoted(b'>'))
            }
            Ok(Event::Text(_) | Event::GeneralRef(_)) => walker.text(range, Wrapping::XmlText),
            Ok(Event::PI(instruction)) if !instruction.target().starts_with(begins_name) => {
                return Err(Refusal::NotWellFormed(range.start));
            }
            Ok(Event::PI(_)) => walker.instruction(range),
            Ok(Event::DocType(_)) if !walker.open.is_empty() => return Err(Refusal::NotWellFormed(range.start)),
            Ok(Event::DocType(declaration)) => walker.entities.declare(&declaration),
            Ok(Event::Eof) if walker.open.is_empty() => return Ok(walker.finish()),
            Ok(Event::Eof) => return Err(Refusal::NotWellFormed(range.start)),
            Ok(_) => {}
            Err(_) => return Err(Refusal::NotWellFormed(mark + reader.error_position() as usize)),
        }
    }
}

struct Walker<'c, 'd> {
    gatherer: Gatherer<'c, 'd>,
    namespaces: Namespaces<'c>,
    entities: Entities,
    /// The open elements, outermost first.
    open: Vec<Open>,
    /// The text of the innermost element, if it may contain references.
    content: Option<ElementText>,
    attributes: Vec<Attribute>,
    /// The open items of a feed, outermost first.
    items: Vec<Item>,
    /// The number of open elements with an `xml:base`.
    xml_bases: usize,
    /// The number of open elements that are templates.
    templates: usize,
    /// The tags in templates.
    in_templates: Vec<Range<usize>>,
    is_xhtml: bool,
    /// Whether braces in the values of attributes hold expressions (XSLT 3.0, section 5.6.1).
    is_xslt: bool,
}

/// The attributes of a tag that match a row of the table.
#[derive(Default)]
struct Hits {
    read: Vec<Hit>,
    /// The rows of those whose values contain entities of the document or expressions.
    unread: Vec<u16>,
}

struct Open {
    /// Whether its text may contain references.
    holds_content: bool,
    /// Whether it is a template, whose content is no part of the document.
    is_template: bool,
    script: Option<ScriptText>,
    /// The scope around it.
    scope: usize,
    /// The number of elements around it with an `xml:base`.
    xml_bases: usize,
    namespaces: usize,
}

const XSLT: &str = "http://www.w3.org/1999/XSL/Transform";

const STYLE: Name = Name::of("style");

impl<'c, 'd> Walker<'c, 'd> {
    fn new(document: &'c Document<'d>, table: &'c Table) -> Self {
        Self {
            gatherer: Gatherer::new(document, table, table.xml(), html::scan),
            namespaces: Namespaces::new(table),
            entities: Entities::default(),
            open: Vec::new(),
            content: None,
            attributes: Vec::new(),
            items: Vec::new(),
            xml_bases: 0,
            templates: 0,
            in_templates: Vec::new(),
            is_xhtml: false,
            is_xslt: false,
        }
    }

    fn finish(mut self) -> Scan {
        let document = self.gatherer.document;
        self.gatherer.note_handlers(importing_handler);
        if self.is_xhtml {
            self.gatherer.part_before_base(0, [&self.in_templates, &[]]);
        }
        let mut scan = self.gatherer.finish(Some(0));
        if document.sought().annotations {
            html::annotations::annotate(document, &mut scan);
        }
        scan
    }

    /// Opens the element of a tag.
    ///
    /// # Errors
    ///
    /// Returns [`Refusal::NotWellFormed`] if the tag ends elsewhere than quick-xml reports, as with a quote in a name, or if an
    /// attribute has no quotes or is repeated.
    fn open(&mut self, range: Range<usize>) -> Result<(), Refusal> {
        let document = self.gatherer.document.bytes();
        let name_end = range.start + 1 + name_length(&document[range.start + 1..range.end]);
        let name = &document[range.start + 1..name_end];
        self.attributes.clear();
        let end = attributes(&document[..range.end], name_end, |attribute| self.attributes.push(attribute));
        let named = self.attributes.iter().map(|attribute| (&document[attribute.name_range.clone()], attribute));
        if end.is_none_or(|found| found.end != range.end) || !are_well_formed(&self.attributes, document) {
            return Err(Refusal::NotWellFormed(range.start));
        }
        let values = named.filter_map(|(name, attribute)| {
            let uri = self.entities.expand(&document[attribute.value.clone()]);
            let name = name.strip_prefix(b"xmlns")?;
            self.is_xslt |= uri == XSLT;
            Some((name, uri))
        });
        let (scope, xml_bases) = (self.gatherer.scope, self.xml_bases);
        let namespaces = self.namespaces.open(values);
        if self.open.is_empty() {
            self.namespaces.set_root(name);
            // In a feed no base counts, even within XHTML.
            let (root, _) = self.namespaces.element(name);
            self.gatherer.does_base_count = root.is_markup();
            self.is_xhtml = root == Vocabulary::Html;
        }
        let (vocabulary, local) = self.namespaces.element(name);
        let is_template = vocabulary == Vocabulary::Html && local == b"template";
        if vocabulary.is_markup() {
            self.enter_content();
        }
        let is_script = vocabulary.is_markup() && local == b"script";
        let script = is_script.then(|| ScriptText::new(range.start, name_end));
        self.open.push(Open { holds_content: false, is_template, script, scope, xml_bases, namespaces });
        self.templates += usize::from(is_template);
        let element = vocabulary.name(local);
        let tag = Tag { range, element: Name::of_bytes(&element), attributes: name_end };
        let hits = self.hits(vocabulary, &element);
        if !vocabulary.is_known() {
            self.remark_unknown(vocabulary, name, &element);
        }
        self.open_item(&element, scope);
        let first = self.gatherer.scan.links.len();
        self.gather(&tag, &hits);
        self.note_item_link(&tag, first);
        if self.content.as_ref().is_some_and(|content| content.contains_text(document)) {
            // Text with child elements contains no reference.
            self.gatherer.scan.remark(RemarkKind::Composed, tag.range.start);
        }
        self.content = self.content_of(&tag, vocabulary, &element);
        if let Some(open) = self.open.last_mut() {
            open.holds_content = self.content.is_some();
        }
        Ok(())
    }

    fn close(&mut self) {
        if let Some(content) = self.content.take() {
            if content.grammar() == Grammar::Html {
                self.enter_content();
            }
            let (place, first, remarks) =
                (content.place(), self.gatherer.scan.links.len(), self.gatherer.scan.remarked());
            content.gather(&mut self.gatherer, |written| self.entities.are_in(written));
            match self.gatherer.scan.remarked() > remarks {
                true => self.note_unread_text(place),
                false => self.note_item_text(first),
            }
        }
        self.close_item();
        if let Some(open) = self.open.pop() {
            if let Some(script) = open.script {
                script.note(&mut self.gatherer);
            }
            (self.gatherer.scope, self.xml_bases) = (open.scope, open.xml_bases);
            self.namespaces.close(open.namespaces);
            self.templates -= usize::from(open.is_template);
        }
    }

    fn text(&mut self, range: Range<usize>, wrapping: Wrapping) {
        let document = self.gatherer.document.bytes();
        if let Some(script) = self.open.last_mut().and_then(|open| open.script.as_mut()) {
            match wrapping == Wrapping::XmlText && self.entities.are_in(&document[range.clone()]) {
                true => script.push_entity(),
                false => script.push(range.clone(), wrapping, &self.gatherer),
            }
        }
        match &mut self.content {
            Some(content) => content.push(range, wrapping),
            None if self.open.last().is_some_and(|open| open.holds_content)
                && !document[range.clone()].trim_ascii().is_empty() =>
            {
                self.gatherer.scan.remark(RemarkKind::Composed, range.start);
            }
            None => {}
        }
    }

    /// Reads the rows of a processing instruction `xml-stylesheet` before the root element. It has neither namespaces
    /// nor an `xml:base` (Associating Style Sheets with XML, section 3).
    fn instruction(&mut self, range: Range<usize>) {
        let document = self.gatherer.document.bytes();
        let name_end = range.start + 1 + name_length(&document[range.start + 1..range.end]);
        let element = &document[range.start + 1..name_end];
        if element == b"?xml-stylesheet" && self.open.is_empty() {
            self.attributes.clear();
            // The `?` at the end reads as one more attribute.
            let pseudo = &document[..range.end];
            attributes(pseudo, name_end, |attribute| self.attributes.push(attribute));
            self.attributes.retain(is_quoted);
            let tag = Tag { range, element: Name::of_bytes(element), attributes: name_end };
            let mut hits = self.hits(Vocabulary::Html, element);
            let rows = self.gatherer.table.rows();
            hits.read.retain(|hit| rows[usize::from(hit.row)].element != "*");
            hits.unread.clear();
            self.gather(&tag, &hits);
        }
    }

    /// Returns the attributes that match a row of the table. A row for any element matches an attribute without a
    /// namespace only in XHTML, SVG and MathML.
    fn hits(&mut self, vocabulary: Vocabulary<'_>, element: &[u8]) -> Hits {
        let document = self.gatherer.document.bytes();
        let mut hits = Hits::default();
        if vocabulary.holds_literals() {
            return hits;
        }
        for attribute in &self.attributes {
            let name = self.namespaces.attribute(&document[attribute.name_range.clone()]);
            let Some(index) = self.row_of(vocabulary, element, &name) else { continue };
            // If it is repeated, the first counts.
            if hits.unread.contains(&index) || hits.read.iter().any(|hit| hit.row == index) {
                continue;
            }
            let value = &document[attribute.value.clone()];
            match self.entities.are_in(value) || (self.is_xslt && memchr::memchr2(b'{', b'}', value).is_some()) {
                false => Hit::add_to(&mut hits.read, index, attribute),
                true if self.gatherer.searches(index) => {
                    self.gatherer.scan.remark(RemarkKind::Composed, attribute.value.start);
                    hits.unread.push(index);
                }
                true => {}
            }
        }
        hits
    }

    /// Returns the row for an attribute: that of its element, of any element of its vocabulary, or of any element.
    fn row_of(&self, vocabulary: Vocabulary<'_>, element: &[u8], attribute: &[u8]) -> Option<u16> {
        let Gatherer { table, index, .. } = self.gatherer;
        let applies = |index: &u16| {
            let row = &table.rows()[usize::from(*index)];
            let has_prefix = if row.element == "*" { attribute.contains(&b':') } else { row.element.contains(':') };
            (vocabulary.is_markup() || row.syntax != Syntax::Any || has_prefix)
                && (row.resolves_in != ResolvesIn::Outside || vocabulary == Vocabulary::Html)
        };
        index.row_of_names(element, attribute).filter(applies).or_else(|| {
            let any = if vocabulary == Vocabulary::Absent { "*" } else { table.wildcard_of(vocabulary)? };
            index.row_of_names(any.as_bytes(), attribute).filter(applies)
        })
    }

    /// Gathers the links of a tag. An `xml:base` in it opens a scope, which includes the tag (XML Base, section 4.2).
    fn gather(&mut self, tag: &Tag, hits: &Hits) {
        let rows = self.gatherer.table.rows();
        let row = |index: u16| &rows[usize::from(index)];
        let is_xml_base = |index: u16| row(index).resolves_in == ResolvesIn::Around;
        let outer = self.gatherer.scope;
        let first = self.gatherer.scan.links.len();
        if hits.read.iter().map(|hit| hit.row).chain(hits.unread.iter().copied()).any(is_xml_base) {
            self.xml_bases += 1;
            self.open_unknown_scope();
        }
        let counted = self.gatherer.does_base_count;
        self.gatherer.does_base_count &= self.templates == 0;
        self.gatherer.tag(tag, &hits.read);
        self.gatherer.does_base_count = counted;
        self.in_templates.extend((self.templates > 0).then(|| tag.range.clone()));
        let links = self.gatherer.scan.links.iter_mut().enumerate().skip(first);
        let xml_base = links.filter(|(_, link)| link.row().is_some_and(is_xml_base)).map(|(index, link)| {
            link.scope = outer;
            index
        });
        if let Some(link) = xml_base.last() {
            self.gatherer.scan.scopes[self.gatherer.scope] = Scope::XmlBase { link, within: outer };
        }
        for index in &hits.unread {
            self.mark_links_unknown(row(*index), tag, first);
        }
    }

    fn open_unknown_scope(&mut self) {
        self.gatherer.scope = self.gatherer.scan.scopes.len();
        self.gatherer.scan.scopes.push(Scope::Unknown);
    }

    /// Marks the base as unknown for all links that resolve against an unread `base`. The links of the tag begin at
    /// `first`.
    fn mark_links_unknown(&mut self, base: &Row, tag: &Tag, first: usize) {
        if base.resolves_in == ResolvesIn::Outside && self.templates == 0 {
            self.gatherer.mark_base_unknown();
        } else if base.attribute == "codebase" {
            self.gatherer.enter_codebase(tag, first, Scope::Unknown);
        }
    }

    /// Returns an empty content for an element whose text may contain references.
    fn content_of(&self, tag: &Tag, vocabulary: Vocabulary<'_>, element: &[u8]) -> Option<ElementText> {
        let start = tag.range.start;
        if tag.element == STYLE && vocabulary.is_markup() {
            return Some(ElementText::new(Grammar::Css, Place::StyleElement { tag: start, nesting: 0 }));
        }
        let (row, found) = self.gatherer.matching_row_of_text(tag, element)?;
        Some(ElementText::new(found.grammar, Place::Attribute { tag: start, row, nesting: 0 }))
    }
}
