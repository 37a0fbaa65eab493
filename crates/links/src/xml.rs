//! Links of XML documents: XHTML, SVG, MathML, feeds, RDF and OPML, by their namespaces.
//!
//! quick-xml tells where tags, sections and instructions begin and end and whether the document is well-formed.

mod content;
mod entities;
mod namespaces;

use std::ops::Range;

use quick_xml::events::Event;
use quick_xml::reader::Reader;

use crate::gather::{Gatherer, Hit, Tag};
use crate::html::{Attribute, Name, Quote, attributes, ends_tag_name};
use crate::limits::NESTED_XML_BASES;
use crate::table::{Grammar, ResolvesIn};
use crate::value::wrapping::Wrapping;
use crate::{Document, Place, Refusal, RemarkKind, Scan, Scope, Table};
use content::Content;
use entities::Entities;
use namespaces::{Namespaces, Vocabulary};

/// Finds the links of an XML document, whose bytes are UTF-8.
pub(crate) fn scan(document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
    let bytes = document.bytes();
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let text = str::from_utf8(&bytes[mark..]).map_err(|error| Refusal::NotWellFormed(mark + error.valid_up_to()))?;
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    let mut walker = Walker::new(document, table);
    loop {
        let start = mark + reader.buffer_position() as usize;
        let event = reader.read_event();
        if walker.xml_bases > NESTED_XML_BASES {
            return Err(Refusal::NestingTooDeep);
        }
        let range = start..mark + reader.buffer_position() as usize;
        match event {
            Ok(Event::Start(_)) => walker.open(range),
            Ok(Event::Empty(_)) => {
                walker.open(range);
                walker.close();
            }
            Ok(Event::End(_)) => walker.close(),
            Ok(Event::CData(section)) => {
                walker.text(range.end - 3 - section.len()..range.end - 3, Wrapping::Quoted(b'>'))
            }
            Ok(Event::Text(_) | Event::GeneralRef(_)) => walker.text(range, Wrapping::XmlText),
            Ok(Event::PI(_)) => walker.instruction(range),
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
    namespaces: Namespaces,
    entities: Entities,
    /// The elements that are open, outermost first.
    open: Vec<Open>,
    /// The text of the innermost element, if it may hold references.
    content: Option<Content>,
    attributes: Vec<Attribute>,
    /// How many of the open elements have an `xml:base`.
    xml_bases: usize,
    /// Whether a `<base>` counts: in a document, not in a fragment that a feed holds.
    is_base_in_force: bool,
}

struct Open {
    /// The scope around it.
    scope: usize,
    /// How many elements around it have an `xml:base`.
    xml_bases: usize,
    namespaces: usize,
}

const STYLE: Name = Name::of("style");

impl<'c, 'd> Walker<'c, 'd> {
    fn new(document: &'c Document<'d>, table: &'c Table) -> Self {
        Self {
            gatherer: Gatherer::new(document, table, table.xml()),
            namespaces: Namespaces::default(),
            entities: Entities::default(),
            open: Vec::new(),
            content: None,
            attributes: Vec::new(),
            xml_bases: 0,
            is_base_in_force: false,
        }
    }

    fn finish(self) -> Scan {
        self.gatherer.finish(self.is_base_in_force.then_some(0))
    }

    fn open(&mut self, range: Range<usize>) {
        let document = self.gatherer.document.bytes();
        let name_end = range.start + 1 + name_length(&document[range.start + 1..range.end]);
        let name = &document[range.start + 1..name_end];
        self.attributes.clear();
        attributes(document, name_end, |attribute| self.attributes.push(attribute));
        let named = self.attributes.iter().map(|attribute| (&document[attribute.name_range.clone()], attribute));
        let values = named.filter_map(|(name, attribute)| {
            Some((name.strip_prefix(b"xmlns")?, self.entities.expand(&document[attribute.value.clone()])))
        });
        let (scope, xml_bases) = (self.gatherer.scope, self.xml_bases);
        self.open.push(Open { scope, xml_bases, namespaces: self.namespaces.open(values) });
        if self.open.len() == 1 {
            self.namespaces.set_root(name);
        }
        let (vocabulary, local) = self.namespaces.element(name);
        self.is_base_in_force |= self.open.len() == 1 && vocabulary == Vocabulary::MARKUP;
        let element = vocabulary.name(local);
        let tag = Tag { range, element: Name::of_bytes(&element), attributes: name_end };
        let hits = self.hits(vocabulary, &element);
        self.gather(&tag, &hits);
        self.content = self.content_of(&tag, vocabulary);
    }

    fn close(&mut self) {
        if let Some(content) = self.content.take() {
            content.gather(&mut self.gatherer, &self.entities);
        }
        if let Some(open) = self.open.pop() {
            (self.gatherer.scope, self.xml_bases) = (open.scope, open.xml_bases);
            self.namespaces.close(open.namespaces);
        }
    }

    fn text(&mut self, range: Range<usize>, wrapping: Wrapping) {
        if let Some(content) = &mut self.content {
            content.push(range, wrapping);
        }
    }

    /// A processing instruction has attributes in form, if only `xml-stylesheet` in fact.
    fn instruction(&mut self, range: Range<usize>) {
        let document = self.gatherer.document.bytes();
        let name_end = range.start + 1 + name_length(&document[range.start + 1..range.end]);
        let element = &document[range.start + 1..name_end];
        if element == b"?xml-stylesheet" {
            self.attributes.clear();
            // The `?` before the end would end no tag.
            let pseudo = &document[..range.end];
            attributes(pseudo, name_end, |attribute| self.attributes.push(attribute));
            let tag = Tag { range, element: Name::of_bytes(element), attributes: name_end };
            let hits = self.hits(Vocabulary::MARKUP, element);
            self.gather(&tag, &hits);
        }
    }

    /// The attributes that the table knows. Of those in no namespace, rows for any element are about markup.
    fn hits(&mut self, vocabulary: Vocabulary, element: &[u8]) -> Vec<Hit> {
        let document = self.gatherer.document.bytes();
        let mut hits: Vec<Hit> = Vec::new();
        for attribute in &self.attributes {
            let name = self.namespaces.attribute(&document[attribute.name_range.clone()]);
            let Some(row) = self.gatherer.index.row_of_names(element, &name) else { continue };
            let is_any = self.gatherer.table.rows()[usize::from(row)].element == "*";
            if is_any && vocabulary != Vocabulary::MARKUP && !name.contains(&b':')
                || !matches!(attribute.quote, Quote::Double | Quote::Single)
            {
                continue;
            }
            if self.entities.are_in(&document[attribute.value.clone()]) {
                self.gatherer.scan.remark(RemarkKind::Composed, attribute.value.start);
                continue;
            }
            if hits.iter().all(|hit| hit.row != row) {
                hits.push(Hit { row, value: attribute.value.clone(), quote: attribute.quote });
            }
        }
        hits
    }

    /// The links of a tag; an `xml:base` in it opens a scope, for the tag as well (XML Base, section 4.2).
    fn gather(&mut self, tag: &Tag, hits: &[Hit]) {
        let table = self.gatherer.table;
        let is_xml_base = |row: u16| table.rows()[usize::from(row)].resolves_in == ResolvesIn::Around;
        if !hits.iter().any(|hit| is_xml_base(hit.row)) {
            return self.gatherer.tag(tag, hits);
        }
        let (outer, scope, first) =
            (self.gatherer.scope, self.gatherer.scan.scopes.len(), self.gatherer.scan.links.len());
        self.xml_bases += 1;
        self.gatherer.scan.scopes.push(Scope::Unknown);
        self.gatherer.scope = scope;
        self.gatherer.tag(tag, hits);
        for (index, link) in self.gatherer.scan.links.iter_mut().enumerate().skip(first) {
            if matches!(link.place, Place::Attribute { row, .. } if is_xml_base(row)) {
                link.scope = outer;
                self.gatherer.scan.scopes[scope] = Scope::XmlBase { link: index, within: outer };
            }
        }
    }

    /// What the text of an element may hold.
    fn content_of(&self, tag: &Tag, vocabulary: Vocabulary) -> Option<Content> {
        let start = tag.range.start;
        if tag.element == STYLE && vocabulary == Vocabulary::MARKUP {
            return Some(Content::new(Grammar::Css, Place::StyleElement { tag: start, nesting: 0 }));
        }
        let (row, found) = self.gatherer.row_that_holds(tag, Name::of(""))?;
        Some(Content::new(found.grammar, Place::Attribute { tag: start, row, nesting: 0 }))
    }
}

fn name_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| ends_tag_name(*byte)).unwrap_or(bytes.len())
}
