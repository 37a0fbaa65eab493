//! What inline scripts import, which resolves at the base of their document.

use std::ops::Range;

use serde_json::Value;

use crate::references::attributes::Attribute;
use crate::references::element::Element;
use crate::references::escapes::{Around, without_references};
use crate::references::gatherer::Gatherer;
use crate::references::markup::StartTag;
use crate::text::Text;

/// Where a script of this type names modules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Imports {
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
        let attribute = tag.attributes.all.iter().find(|one| one.name == "type");
        let value = |range: Range<usize>| without_references(text, range, Around::HtmlAttribute).text.into_owned();
        Self::of_type(&attribute.map(|one| value(one.value.clone())).unwrap_or_default())
    }

    /// Returns what a script of this type may import.
    pub(crate) fn of_type(value: &str) -> Option<Self> {
        match value.trim().to_ascii_lowercase().as_str() {
            "importmap" => Some(Self::Map),
            "module" => Some(Self::Module),
            "" => Some(Self::Classic),
            // An entity may be any type.
            other if other.contains('&') => Some(Self::Module),
            other => other.ends_with("script").then_some(Self::Classic),
        }
    }

    /// Reports whether a script may name a module by a relative URL.
    pub(crate) fn are_relative(self, script: &str) -> bool {
        match self {
            Self::Map => match serde_json::from_str::<Value>(script) {
                Ok(map) => map.as_object().is_some_and(|map| map.iter().any(|(name, value)| maps(name, value))),
                Err(_) => !script.trim().is_empty(),
            },
            Self::Module => {
                let has_url = || mentions(script, "import").any(asks_url);
                let is_named = |word: &&str| mentions(script, word).any(names);
                calls(script) || ["import", "from"].iter().any(is_named) || has_url()
            }
            Self::Classic => calls(script),
        }
    }
}

/// Notes an event handler that imports, for which one browser uses the BASE.
pub(crate) fn note_handlers(element: &Element<'_>, gatherer: &mut Gatherer<'_>) {
    let is_handler = |one: &&Attribute<'_>| one.name.starts_with("on") && one.name.len() > 2;
    gatherer.has_handler |= gatherer.comments == 0
        && element.attributes.iter().filter(is_handler).any(|one| {
            let says = without_references(element.text, one.value.clone(), element.around());
            calls(&says.text)
        });
}

/// Reports whether a member of an import map has a relative URL.
fn maps(member: &str, value: &Value) -> bool {
    let Value::Object(all) = value else { return false };
    all.iter().any(|(name, value)| {
        let is_scope = member == "scopes" && !name.split(['/', '?', '#']).next().unwrap_or_default().contains(':');
        is_scope || is_url_like(name) || value.as_str().is_some_and(is_url_like) || maps("", value)
    })
}

/// Reports whether `import.meta` is asked for the URL of its module, or for what only the script knows.
fn asks_url(behind: &str) -> bool {
    let Some(meta) = behind.strip_prefix('.').and_then(|rest| without_space(rest).strip_prefix("meta")) else {
        return false;
    };
    match without_space(meta).strip_prefix('.').map(without_space) {
        Some(member) => member.starts_with("url") || member.starts_with("resolve"),
        None => true,
    }
}

/// Reports whether `import()` is called with what is not known to be a bare name or an absolute URL.
fn calls(script: &str) -> bool {
    let mut arguments = mentions(script, "import").filter_map(|rest| rest.strip_prefix('(').map(without_space));
    arguments.any(|argument| !argument.starts_with(['"', '\'']) || names(argument))
}

/// Returns what follows a word wherever it stands by itself.
fn mentions<'s>(script: &'s str, word: &str) -> impl Iterator<Item = &'s str> {
    script.match_indices(word).filter_map(|(at, word)| {
        let is_name = |one: char| one.is_ascii_alphanumeric() || ['_', '$', '.'].contains(&one);
        (!script[..at].ends_with(is_name)).then(|| without_space(&script[at + word.len()..]))
    })
}

/// Returns what follows the white space and the comments at the start, of the next bytes only.
fn without_space(text: &str) -> &str {
    let mut text = &text[..text.floor_char_boundary(1024)];
    loop {
        text = text.trim_ascii_start();
        let end = match text.get(..2) {
            Some("/*") => "*/",
            Some("//") => "\n",
            _ => return text,
        };
        text = text.split_once(end).map_or("", |(_, behind)| behind);
    }
}

/// Reports whether a string begins the text that is a relative URL, or has an escape where it would say so.
fn names(text: &str) -> bool {
    let inside = text.strip_prefix(['"', '\'']).unwrap_or_default();
    is_url_like(inside) || inside.trim_start_matches('.').starts_with('\\')
}

fn is_url_like(text: &str) -> bool {
    text.starts_with('/') || text.starts_with("./") || text.starts_with("../")
}
