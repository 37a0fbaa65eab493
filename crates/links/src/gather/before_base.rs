//! What stands before the BASE of a document, and which browsers load before they read that.
//!
//! Chromium 156, Firefox 153 and WebKitGTK 2.50 load style sheets, scripts, images, frames and a refresh while they parse a document, at the
//! base that applies then. Where they differ, or load nothing, the base of the document applies.

use std::ops::Range;

use super::{DOCUMENT, Gatherer, OUTSIDE};
use crate::gather::values::{attributes_of, is_one_of, value_of};
use crate::markup::tag::name_length;
use crate::scan::{Place, Scope};
use crate::table::row::{Grammar, Row};
use crate::value::character_reference::decode_all;

/// Which browsers load something before they read the BASE behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoadedBy {
    All,
    Some,
    None,
}

impl Gatherer<'_, '_> {
    /// Puts the links before the BASE of this number into scopes of their own, by which browsers load them. Nothing is loaded of templates
    /// and comments, each in their order.
    pub(crate) fn part_before_base(&mut self, number: usize, unloaded: [&[Range<usize>]; 2]) {
        let is_in = |ranges: &[Range<usize>], byte: usize| {
            let next = ranges.partition_point(|range| range.end <= byte);
            ranges.get(next).is_some_and(|range| range.start <= byte)
        };
        let Some(base) = self.scan.bases.get(number).copied() else { return };
        let base_tag = self.scan.links[base].place.start();
        // All links of one value have one place.
        let (mut scopes, mut last) = ([None; 2], None);
        for index in 0..base {
            let (place, scope) = (self.scan.links[index].place, self.scan.links[index].scope);
            let is_unloaded = || unloaded.iter().any(|ranges| is_in(ranges, place.start()));
            if scope != DOCUMENT || place.start() >= base_tag || is_unloaded() {
                continue;
            }
            let (_, loaded_by) = *last
                .insert(last.filter(|(known, _)| *known == place).unwrap_or_else(|| (place, self.loaded_by(place))));
            let (scope, is_certain) = match loaded_by {
                LoadedBy::All => (&mut scopes[0], true),
                LoadedBy::Some => (&mut scopes[1], false),
                LoadedBy::None => continue,
            };
            self.scan.links[index].scope = *scope.get_or_insert_with(|| {
                self.scan.scopes.push(Scope::BeforeBase { is_certain, document: DOCUMENT, around: OUTSIDE });
                self.scan.scopes.len() - 1
            });
        }
    }

    /// Returns whether scripts with relative imports are recorded here.
    pub(crate) fn notes_scripts(&self) -> bool {
        self.table.notes() || self.may_resolve_at_base()
    }

    /// Records a script with relative imports, which resolve at a BASE before it.
    pub(crate) fn note_script(&mut self, tag: usize, imports_relatively: impl FnOnce() -> bool) {
        let (notes, is_at_base) = (self.table.notes(), self.may_resolve_at_base());
        if (notes || is_at_base) && imports_relatively() {
            self.scan.scripts += usize::from(notes);
            self.scan.script_at_base = self.scan.script_at_base.or(is_at_base.then_some(tag));
        }
    }

    /// Records a script in a nested document that may resolve at a BASE of this one.
    pub(super) fn note_scripts_at_base(&mut self, nested: Option<usize>, place: Place) {
        if nested.is_some() && self.may_resolve_at_base() {
            self.scan.script_at_base.get_or_insert(place.start());
        }
    }

    /// Records an event handler with relative imports, anywhere in a document with a BASE.
    pub(crate) fn note_handlers(&mut self, importing_handler: impl FnOnce(&[u8]) -> Option<usize>) {
        if self.may_resolve_at_base() && self.scan.script_at_base.is_none() {
            self.scan.script_at_base = importing_handler(self.document.bytes());
        }
    }

    /// Returns whether scripts at a BASE are sought, and there is one before, or there may be one in the documents around.
    pub(crate) fn may_resolve_at_base(&self) -> bool {
        self.document.sought().scripts_at_base && (!self.scan.bases.is_empty() || self.document.depth() > 0)
    }

    fn loaded_by(&self, place: Place) -> LoadedBy {
        match place {
            Place::Attribute { tag, row, nesting: 0 } => {
                let document = self.document.bytes();
                let attributes = tag + 1 + name_length(&document[tag + 1..]);
                let value = |name: &str| value_of(document, &attributes_of(document, attributes), name);
                loaded_by(&self.table.rows()[usize::from(row)], value)
            }
            Place::StyleElement { nesting: 0, .. } => LoadedBy::All,
            _ => LoadedBy::None,
        }
    }
}

fn loaded_by<'d>(row: &Row, value: impl Fn(&str) -> Option<&'d [u8]>) -> LoadedBy {
    let is_lazy = || value("loading").is_some_and(|loading| is_one_of(loading, &["lazy"]));
    match (&*row.element, &*row.attribute) {
        _ if matches!(row.grammar, Grammar::Css | Grammar::Refresh) => LoadedBy::All,
        ("img" | "image" | "iframe" | "frame", "src" | "srcset") if is_lazy() => LoadedBy::Some,
        ("img" | "image" | "script" | "iframe" | "frame", "src")
        | ("img" | "source", "srcset")
        | ("image" | "feimage" | "script", "href" | "xlink:href")
        | ("?xml-stylesheet", "href") => LoadedBy::All,
        ("link", "href") => by_relation(value("rel").unwrap_or_default()),
        ("audio" | "video" | "source" | "track" | "embed" | "input", "src")
        | ("video", "poster")
        | ("object", "data")
        | ("use", "href" | "xlink:href")
        | ("link", "imagesrcset")
        | ("html", "manifest")
        | (_, "background") => LoadedBy::Some,
        _ => LoadedBy::None,
    }
}

fn by_relation(relations: &[u8]) -> LoadedBy {
    const ICONS: [&str; 5] = ["icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon"];
    let decoded = decode_all(&String::from_utf8_lossy(relations)).to_ascii_lowercase();
    let holds = |wanted: &[&str]| decoded.split_ascii_whitespace().any(|relation| wanted.contains(&relation));
    match () {
        () if holds(&["stylesheet", "preload", "modulepreload"]) => LoadedBy::All,
        () if holds(&ICONS) || holds(&["manifest", "prefetch", "prerender"]) => LoadedBy::Some,
        () => LoadedBy::None,
    }
}
