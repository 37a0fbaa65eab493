//! What inline scripts import, which resolves at the base of their document.

use crate::references::escapes::{Around, without_references};
use crate::references::markup::StartTag;
use crate::text::Text;

/// Where a script of this type names modules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Imports {
    /// In every string, in an import map.
    Map,
    /// Behind `import`, `import(` and `from`.
    Module,
    /// Behind `import(` only.
    Classic,
}

impl Imports {
    /// Returns what the script of a tag may import.
    pub(super) fn of(tag: &StartTag<'_>, text: &Text<'_>) -> Option<Self> {
        let Some(attribute) = tag.attributes.all.iter().find(|one| one.name == "type") else {
            return Some(Self::Classic);
        };
        let value = without_references(text, attribute.value.clone(), Around::HtmlAttribute).text.to_ascii_lowercase();
        match value.trim() {
            "importmap" => Some(Self::Map),
            "module" => Some(Self::Module),
            "" => Some(Self::Classic),
            other => other.ends_with("script").then_some(Self::Classic),
        }
    }

    /// Reports whether a script names a module by a relative URL.
    pub(super) fn are_relative(self, script: &str) -> bool {
        let strings = script.match_indices(['"', '\'']).filter(|(quote, _)| {
            let rest = &script[quote + 1..];
            rest.starts_with('/') || rest.starts_with("./") || rest.starts_with("../")
        });
        let mut before = strings.map(|(quote, _)| script[..quote].trim_ascii_end());
        before.any(|before| {
            let called = before.strip_suffix('(').map(str::trim_ascii_end);
            let is_called = called.is_some_and(|called| called.ends_with("import"));
            match self {
                Self::Map => true,
                Self::Module => is_called || before.ends_with("import") || before.ends_with("from"),
                Self::Classic => is_called,
            }
        })
    }
}
