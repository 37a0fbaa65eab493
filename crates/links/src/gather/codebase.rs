//! The scopes that the `codebase` of an element opens.

use super::{Gatherer, Tag};
use crate::gather::values::{attributes_of, value_of};
use crate::scan::{Link, Scope};
use crate::table::row::{ResolvesIn, Row};
use crate::value::character_reference;

/// Returns whether the values of this row may resolve in the codebase of their element.
pub(super) fn may_use_codebase(row: &Row) -> bool {
    matches!(row.resolves_in, ResolvesIn::Codebase | ResolvesIn::DocumentOrCodebase)
}

impl Gatherer<'_, '_> {
    /// Opens the scopes of the codebase of a tag, whose links begin at `first`.
    #[cold]
    pub(super) fn open_codebase(&mut self, tag: &Tag, first: usize) {
        let is_codebase = |link: &Link| self.row_of(link).is_some_and(|row| row.attribute == "codebase");
        let Some(codebase) = self.scan.links[first..].iter().position(is_codebase) else { return };
        self.enter_codebase(tag, first, Scope::Codebase { link: first + codebase, within: self.scope });
    }

    /// Puts those links of a tag into the scope of its codebase that resolve there. The links begin at `first`.
    pub(crate) fn enter_codebase(&mut self, tag: &Tag, first: usize, scope: Scope) {
        let codebase = self.scan.scopes.len();
        self.scan.scopes.push(scope);
        for index in first..self.scan.links.len() {
            match self.row_of(&self.scan.links[index]).map(|row| row.resolves_in) {
                Some(ResolvesIn::Codebase) => self.scan.links[index].scope = codebase,
                Some(ResolvesIn::DocumentOrCodebase) if !self.has_codebase_of_plug_in(tag) => {
                    self.scan.links[index].scope = self.scan.scopes.len();
                    self.scan.scopes.push(Scope::ObjectData { codebase, within: self.scope });
                }
                _ => {}
            }
        }
    }

    fn has_codebase_of_plug_in(&self, tag: &Tag) -> bool {
        let document = self.document.bytes();
        let all = attributes_of(document, tag.attributes);
        let value = |name| {
            let value = value_of(document, &all, name).unwrap_or_default();
            character_reference::decode_all(&String::from_utf8_lossy(value))
        };
        is_of_plug_in(&value("codebase"), &value("classid"))
    }

    fn row_of(&self, link: &Link) -> Option<&Row> {
        link.row().map(|index| &self.table.rows()[usize::from(index)])
    }
}

/// Returns whether the codebase of an object is the address of its plug-in, as for an ActiveX control. HTML 4 has no such use, and
/// `data` never resolves against it.
///
/// ```
/// assert!(absolve_links::is_of_plug_in("player.cab#version=1,0", ""));
/// ```
pub fn is_of_plug_in(codebase: &str, classid: &str) -> bool {
    let codebase = codebase.trim().to_ascii_lowercase();
    let (url, fragment) = codebase.split_once('#').unwrap_or((&codebase, ""));
    let path = url.split('?').next().unwrap_or_default();
    let is_control = classid.trim().get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("clsid:"));
    is_control || path.ends_with(".cab") || fragment.starts_with("version=")
}
