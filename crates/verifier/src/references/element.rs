//! The references in the attributes of an element.

use std::borrow::Cow;
use std::ops::Range;

use absolve_links::{Entities, Grammar, Group, ResolvesIn, Row, Syntax, Table, Vocabulary, When, is_of_plug_in};

use super::attributes::Attribute;
use super::escapes::{Around, without_references};
use super::found::{BEFORE_BASE, DOCUMENT, Obstacle, Scope};
use super::gatherer::Gatherer;
use crate::text::Text;
use crate::values::{is_space, trimmed};

/// An element, with its names as in the table of links.
pub(crate) struct Element<'e> {
    pub(super) text: &'e Text<'e>,
    pub(crate) name: Cow<'e, str>,
    pub(crate) vocabulary: Vocabulary<'e>,
    /// Their names are those of the table. Of several with one name, the first counts.
    pub(super) attributes: Vec<Attribute<'e>>,
    /// The entities that the document declares, in XML.
    pub(super) entities: Option<&'e Entities>,
    /// Whether the places of AMP are read.
    pub(super) reads_amp: bool,
}

impl<'e> Element<'e> {
    pub(super) fn around(&self) -> Around {
        if self.entities.is_some() { Around::XmlAttribute } else { Around::HtmlAttribute }
    }

    /// Reports whether Chromium, Firefox and WebKit all load what an attribute names while they read the tag. Of media, embeds, icons
    /// and lazy images they do not.
    fn loads_at_once(&self, row: &Row) -> bool {
        let says = |name: &str, word: &str| {
            let words = self.value(name).unwrap_or_default();
            words.split(is_space).any(|one| one.eq_ignore_ascii_case(word))
        };
        let attribute = &*row.attribute;
        if matches!(row.grammar, Grammar::Css | Grammar::Refresh) {
            return true;
        }
        match &*self.name {
            "script" => matches!(attribute, "src" | "href" | "xlink:href"),
            "feimage" => matches!(attribute, "href" | "xlink:href"),
            "image" if matches!(attribute, "href" | "xlink:href") => true,
            "img" | "image" | "iframe" | "frame" => matches!(attribute, "src" | "srcset") && !says("loading", "lazy"),
            "source" => attribute == "srcset",
            "link" => {
                attribute == "href" && ["stylesheet", "preload", "modulepreload"].iter().any(|rel| says("rel", rel))
            }
            _ => false,
        }
    }

    fn written(&self, name: &str) -> Option<Range<usize>> {
        self.attributes.iter().find(|known| known.name == name).map(|known| known.value.clone())
    }

    /// Notes whether the places of AMP are read in this element, which may be the first of the document.
    pub(crate) fn note_amp(&mut self, gatherer: &mut Gatherer<'_>) {
        let is_mark = |name: &str| {
            let name = name.strip_prefix("amp").or_else(|| name.strip_prefix('⚡'));
            name.is_some_and(|rest| ["", "\u{fe0f}", "4ads", "4email"].contains(&rest))
        };
        let is_marked = || self.name == "html" && self.attributes.iter().any(|one| is_mark(&one.name));
        self.reads_amp = match gatherer.comments {
            0 => *gatherer.reads_amp.get_or_insert_with(is_marked),
            _ => gatherer.reads_amp.unwrap_or_default(),
        };
    }

    /// Returns the value of an attribute.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        Some(without_references(self.text, self.written(name)?, self.around()).text.into_owned())
    }

    /// Reports whether the value of an attribute is composed of what this document alone does not say.
    pub(crate) fn is_composed(&self, name: &str, gatherer: &Gatherer<'_>) -> bool {
        self.written(name).is_some_and(|range| gatherer.found.is_composed(&self.text.raw(range)))
    }

    /// Returns the row for an attribute, or for the text of the element.
    pub(crate) fn row<'t>(&self, table: &'t Table, attribute: &str) -> Option<&'t Row> {
        let named = table.rows_of(attribute);
        let first = |element: &str| named.clone().find(|row| row.element == element && self.applies(row));
        first(&self.name).or_else(|| first("*")).or_else(|| first(&self.wildcard()))
    }

    /// Returns what a row for any element of this vocabulary is called: the name of this one with an asterisk in place of its local part.
    fn wildcard(&self) -> String {
        match self.name.rsplit_once([':', '}']) {
            Some((prefix, _)) => format!("{}*", &self.name[..=prefix.len()]),
            None => String::new(),
        }
    }

    /// Reports whether a row applies to this element. Rows for the elements of HTML and SVG, or for any element, are for these languages,
    /// unless a user gave them, or a name in them has a prefix.
    fn applies(&self, row: &Row) -> bool {
        let is_of_syntax = match (self.entities, row.syntax) {
            (None, syntax) => matches!(syntax, Syntax::Any | Syntax::Everywhere),
            (Some(_), Syntax::Any) => {
                let name = if row.element == "*" { &row.attribute } else { &row.element };
                (self.vocabulary.is_markup() || name.contains(':'))
                    && (row.resolves_in != ResolvesIn::Outside || self.vocabulary == Vocabulary::Html)
            }
            (Some(_), syntax) => matches!(syntax, Syntax::Everywhere | Syntax::Xml),
        };
        let is_of = |value: &str, wanted: &[&str]| wanted.iter().any(|one| one.eq_ignore_ascii_case(value));
        let holds = || match row.when {
            When::Holds(names, wanted) => names.iter().filter_map(|name| self.value(name)).any(|value| {
                // The parameters of a media type do not count.
                is_of(value.split(';').next().unwrap_or_default().trim(), wanted)
            }),
            When::Lists(name, wanted) => {
                self.value(name).is_some_and(|value| value.split_ascii_whitespace().any(|one| is_of(one, wanted)))
            }
            _ => true,
        };
        let holds_literals = self.entities.is_some() && self.name.starts_with("maf:");
        is_of_syntax && !holds_literals && (row.group != Group::Amp || self.reads_amp) && holds()
    }
}

/// Returns a name of XML as the table has it, in lower case.
pub(super) fn in_table(name: &[u8]) -> String {
    String::from_utf8_lossy(name).to_ascii_lowercase()
}

/// Gathers the references in the attributes of an element; returns the scope of its content.
pub(crate) fn gather_attributes(element: &Element<'_>, gatherer: &mut Gatherer<'_>) -> usize {
    let outer = gatherer.scope;
    let table = gatherer.table;
    let declared = |name: &str| {
        element.row(table, name).and_then(|_| element.value(name)).map(|value| value.trim_matches(is_space).to_owned())
    };
    let scope = match declared("xml:base") {
        Some(_) if element.is_composed("xml:base", gatherer) => gatherer.open(Scope::Unknown),
        Some(declared) => gatherer.open(Scope::Element { declared, is_xml_base: true, within: outer }),
        None => outer,
    };
    let codebase = declared("codebase").map(|declared| open_codebase(declared, element, scope, gatherer));
    if element.name == "mj-navbar" {
        gatherer.is_behind_base_url = element.value("base-url").is_some_and(|url| !url.is_empty());
    }
    let mut seen: Vec<&str> = Vec::new();
    for Attribute { name, value, .. } in &element.attributes {
        let Some(row) = element.row(table, name).filter(|_| !seen.contains(&&**name)) else { continue };
        seen.push(name);
        let text = element.text;
        let range = if row.grammar == Grammar::Url { trimmed(&text.text, value.clone()) } else { value.clone() };
        gatherer.scope = match (row.resolves_in, codebase) {
            (ResolvesIn::Around, _) => outer,
            (ResolvesIn::Codebase, Some((codebase, _))) => codebase,
            (ResolvesIn::DocumentOrCodebase, Some((_, data))) => data,
            _ if scope == DOCUMENT && gatherer.loads_at_once && element.loads_at_once(row) => BEFORE_BASE,
            _ => scope,
        };
        gatherer.add_value(row, &without_references(text, range, element.around()), &element.name);
    }
    gatherer.scope = outer;
    record_obstacles(element, gatherer);
    record_sheet(element, gatherer);
    scope
}

/// Records a hash, a request for permission and a policy, for which browsers load no files from disk.
fn record_obstacles(element: &Element<'_>, gatherer: &mut Gatherer<'_>) {
    let (text, all) = (element.text, &element.attributes);
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return };
    let is_policy = |value: &Range<usize>| {
        let says = || without_references(text, value.clone(), element.around()).text;
        element.name == "meta"
            && element.written("content").is_some()
            && element.row(gatherer.table, "content").is_none()
            && says().trim_matches(is_space).eq_ignore_ascii_case("content-security-policy")
    };
    for Attribute { name, range, value, .. } in all {
        let tag = match &**name {
            "integrity" | "crossorigin" => Some((text.raw(first.range.start..last.range.end), gatherer.depth)),
            "http-equiv" if is_policy(value) => None,
            _ => continue,
        };
        let name = text.raw(range.start..range.start + name.len());
        gatherer.found.obstacles.push(Obstacle { name, tag });
    }
}

/// Records an element of HTML that links a stylesheet.
fn record_sheet(element: &Element<'_>, gatherer: &mut Gatherer<'_>) {
    let is_sheet = |rel: String| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("stylesheet"));
    let (Some(first), Some(last)) = (element.attributes.first(), element.attributes.last()) else { return };
    if element.name == "link" && element.entities.is_none() && element.value("rel").is_some_and(is_sheet) {
        gatherer.found.sheets.push(element.text.raw(first.range.start..last.range.end));
    }
}

/// Opens the scopes of an element with a codebase (HTML 4.01, sections 13.3 and 13.4), and returns those of its URLs and of its
/// data.
fn open_codebase(
    declared: String,
    element: &Element<'_>,
    within: usize,
    gatherer: &mut Gatherer<'_>,
) -> (usize, usize) {
    let is_of_plug_in = is_of_plug_in(&declared, &element.value("classid").unwrap_or_default());
    let codebase = gatherer.open(match element.is_composed("codebase", gatherer) {
        true => Scope::Unknown,
        false => Scope::Element { declared, is_xml_base: false, within },
    });
    let data = if is_of_plug_in { within } else { gatherer.open(Scope::Data { codebase, within }) };
    (codebase, data)
}
