//! The scopes of an element with a codebase (HTML 4.01, sections 13.3 and 13.4).

use absolve_links::{ResolvesIn, Row};

use super::found::Scope;
use super::gatherer::Gatherer;

/// The scopes of the attributes of an element with a codebase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodebaseScopes {
    around: usize,
    pub(crate) codebase: usize,
    data: usize,
}

impl CodebaseScopes {
    /// Returns the scope of an attribute.
    pub(crate) fn of(self, row: &Row) -> usize {
        match row.resolves_in {
            ResolvesIn::Codebase => self.codebase,
            ResolvesIn::DocumentOrCodebase => self.data,
            _ => self.around,
        }
    }
}

impl Gatherer<'_> {
    /// Opens the scopes of an element with this codebase and this `classid`.
    pub(crate) fn open_codebase(&mut self, declared: String, classid: Option<String>, around: usize) -> CodebaseScopes {
        let is_of_plug_in = leads_to_plug_in(&declared) || classid.as_deref().is_some_and(is_control);
        let codebase = self.open(Scope::Element { declared, is_xml_base: false, within: around });
        let data = if is_of_plug_in { around } else { self.open(Scope::Data { codebase, within: around }) };
        CodebaseScopes { around, codebase, data }
    }
}

/// Reports whether a `classid` names an ActiveX control.
fn is_control(classid: &str) -> bool {
    classid.trim().get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("clsid:"))
}

/// Reports whether a codebase is the place that a control is installed from.
fn leads_to_plug_in(codebase: &str) -> bool {
    let mut pieces = codebase.trim().splitn(2, '#');
    let path = pieces.next().unwrap_or_default().split('?').next().unwrap_or_default();
    let version = pieces.next().and_then(|fragment| fragment.get(..8));
    path.to_ascii_lowercase().ends_with(".cab") || version.is_some_and(|name| name.eq_ignore_ascii_case("version="))
}
