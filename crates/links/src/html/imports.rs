//! The types of inline scripts, and modules that they import. Scripts are not searched for links, so these stay as they are.

use std::ops::Range;

use memchr::{memmem, memrchr_iter};

use crate::gather::Gatherer;
use crate::gather::values::is_one_of;
use crate::markup::attributes::attributes;
use crate::markup::name::Name;
use crate::markup::tag::name_length;
use crate::value::character_reference::decode_all;
use crate::value::json::{each, text_of, whole};
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

const TYPE: Name = Name::of("type");

/// The text of a script in XML or in foreign content, where it has character references, comments and CDATA sections.
#[derive(Debug)]
pub(crate) struct ScriptText {
    tag: usize,
    /// Where its attributes begin.
    attributes: usize,
    text: String,
    /// Whether it contains entities, whose text is not read.
    is_composed: bool,
}

impl ScriptText {
    pub(crate) const fn new(tag: usize, attributes: usize) -> Self {
        Self { tag, attributes, text: String::new(), is_composed: false }
    }

    pub(crate) fn push(&mut self, range: Range<usize>, wrapping: Wrapping, gatherer: &Gatherer<'_, '_>) {
        if gatherer.notes_scripts() {
            self.text.push_str(gatherer.document.unwrapped(range, Wrappings::of(wrapping)).text());
        }
    }

    pub(crate) const fn push_entity(&mut self) {
        self.is_composed = true;
    }

    /// Records the whole script if it has relative imports, or may have some in entities.
    pub(crate) fn note(self, gatherer: &mut Gatherer<'_, '_>) {
        let Self { tag, attributes, text, is_composed } = self;
        let document = gatherer.document.bytes();
        gatherer.note_script(tag, || match is_composed {
            true => imports_relatively(document, attributes, b"import(x)"),
            false => imports_relatively(document, attributes, text.as_bytes()),
        });
    }
}

/// Returns whether the attributes of a script, which begin at `at`, say that its text is speculation rules.
pub(super) fn holds_rules(document: &[u8], at: usize) -> bool {
    let (mut is_of_rules, mut is_inline) = (false, true);
    attributes(document, at, |attribute| {
        is_of_rules |= attribute.name == TYPE && is_one_of(&document[attribute.value], &["speculationrules"]);
        is_inline &= attribute.name != Name::of("src");
    });
    is_of_rules && is_inline
}

/// Returns whether an inline script contains relative references to modules: an import map, a script of type `module` with imports, or
/// another script with `import(`. A reference in a comment of such a script counts as well, and so does one that only the script knows.
/// Its attributes begin at `at`.
///
/// Only strings that begin with `/`, `./` or `../` resolve as relative URLs ("resolve a URL-like module specifier", WHATWG HTML,
/// section 8.1.6.3), and all names of scopes in an import map.
pub(crate) fn imports_relatively(document: &[u8], at: usize, text: &[u8]) -> bool {
    let [mut is_module, mut is_map, mut is_script] = [false, false, true];
    attributes(document, at, |attribute| {
        if attribute.name == TYPE {
            let value = decode_all(&String::from_utf8_lossy(&document[attribute.value])).to_ascii_lowercase();
            let value = value.trim_ascii();
            (is_module, is_map) = (value == "module", value == "importmap");
            // An entity may be any type.
            is_module |= value.contains('&');
            is_script = value.is_empty() || value.ends_with("script");
        }
    });
    match is_map {
        true => maps_relatively(text),
        false => {
            (is_module || is_script) && calls_relatively(text)
                || is_module && [&b"import"[..], b"from"].iter().any(|word| behind(word, text).any(is_relative_string))
                || is_module && behind(b"import", text).any(reads_url)
        }
    }
}

/// Returns whether an import map has relative URLs; what is not JSON may become one.
fn maps_relatively(text: &[u8]) -> bool {
    let Ok((_, map)) = whole(text) else { return !text.trim_ascii().is_empty() };
    let mut is_relative = false;
    each(map, |member, value| {
        let is_of_scopes = text_of(member) == "scopes";
        each(value, |name, value| {
            is_relative |= is_relative_specifier(&text_of(name)) || is_relative_specifier(&text_of(value));
            is_relative |= is_of_scopes && !has_scheme(&text_of(name));
            each(value, |name, value| {
                is_relative |= is_relative_specifier(&text_of(name)) || is_relative_specifier(&text_of(value));
            });
        });
    });
    is_relative
}

/// Returns whether a script calls `import()` with something else than a string that is not relative.
fn calls_relatively(text: &[u8]) -> bool {
    behind(b"import", text).any(is_relative_call)
}

fn is_relative_call(behind_import: &[u8]) -> bool {
    let argument = behind_import.strip_prefix(b"(").map(behind_space);
    argument.is_some_and(|argument| {
        !argument.starts_with(b"\"") && !argument.starts_with(b"'") || is_relative_string(argument)
    })
}

/// Returns whether a text, behind `import`, reads the URL of its module or resolves at that; an inline module has the URL of its BASE.
fn reads_url(text: &[u8]) -> bool {
    let meta = text.strip_prefix(b".").and_then(|text| behind_space(text).strip_prefix(b"meta")).map(behind_space);
    let is_of_url = |member: &[u8]| [&b"url"[..], b"resolve"].iter().any(|name| member.starts_with(name));
    meta.is_some_and(|meta| meta.strip_prefix(b".").is_none_or(|member| is_of_url(behind_space(member))))
}

/// Returns the byte of the tag of the first event handler that calls `import()`. Firefox 153 resolves its argument at the BASE, Chromium
/// 156 at the page.
pub(crate) fn importing_handler(document: &[u8]) -> Option<usize> {
    /// The most bytes of a tag, before the call and behind it, and the most mentions of `<` in it.
    const BYTES: usize = 4096;
    const OPENERS: usize = 8;
    /// So many calls are looked at; of further ones, each counts.
    const CALLS: usize = 64;
    let calls = mentions(b"import", document).filter(|(_, behind)| is_relative_call(behind));
    calls.enumerate().find_map(|(number, (at, _))| {
        if number == CALLS {
            return Some(at);
        }
        let (from, until) = (at.saturating_sub(BYTES), document.len().min(at + BYTES));
        let mut openers = memrchr_iter(b'<', &document[from..at]).take(OPENERS).map(|open| from + open);
        openers.find(|open| {
            let mut is_handler = false;
            attributes(&document[..until], open + 1 + name_length(&document[open + 1..until]), |attribute| {
                let name = &document[attribute.name_range];
                is_handler |= name.len() > 2 && name[..2].eq_ignore_ascii_case(b"on") && attribute.value.contains(&at);
            });
            is_handler
        })
    })
}

/// Returns what follows each mention of a word that is not a part of another, or of a member.
fn behind<'t>(word: &'t [u8], text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    mentions(word, text).map(|(_, behind)| behind)
}

/// Returns where each such mention is, and what follows it.
fn mentions<'t>(word: &'t [u8], text: &'t [u8]) -> impl Iterator<Item = (usize, &'t [u8])> {
    let is_whole = |at: &usize| {
        text[..*at].last().is_none_or(|last| !last.is_ascii_alphanumeric() && !matches!(last, b'_' | b'$' | b'.'))
    };
    memmem::find_iter(text, word).filter(is_whole).map(|at| (at, behind_space(&text[at + word.len()..])))
}

/// Returns the beginning of a text without the white space and the comments in front.
fn behind_space(text: &[u8]) -> &[u8] {
    /// The most bytes that are searched for each mention of a word.
    const MOST: usize = 1024;
    let mut text = &text[..text.len().min(MOST)];
    loop {
        text = text.trim_ascii_start();
        let end: &[u8] = match text {
            [b'/', b'*', ..] => b"*/",
            [b'/', b'/', ..] => b"\n",
            _ => return text,
        };
        text = memmem::find(text, end).map_or(b"", |at| &text[at + end.len()..]);
    }
}

/// Returns whether a text begins with a string that is relative. One with an escape at its start may be.
fn is_relative_string(text: &[u8]) -> bool {
    let inside = text.strip_prefix(b"\"").or(text.strip_prefix(b"'"));
    inside.is_some_and(|inside| {
        [&b"/"[..], b"./", b"../", b"\\", b".\\", b"..\\"].iter().any(|start| inside.starts_with(start))
    })
}

fn is_relative_specifier(text: &str) -> bool {
    ["/", "./", "../"].iter().any(|start| text.starts_with(start))
}

fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use crate::{Document, DocumentType, Group, Refusal, Table};

    #[test]
    fn scripts_with_relative_imports_are_counted() -> Result<(), Refusal> {
        let table = Table::default().noting(&Group::ALL);
        for (html, count) in [
            ("<script type=module>import './a.js'; import('../b.js')</script>", 1),
            (
                "<script type=' MODULE '>export * from\n\"/a.js\"</script><script type=module>import './b.js'</script>",
                2,
            ),
            ("<script type=importmap>{\"scopes\": {\"/a/\": {\"b\": \"https://h/b.js\"}}}</script>", 1),
            ("<script type=importmap>{\"imports\": {\"a\": \"https://h/a.js\"}}</script>", 0),
            ("<script type=module>import 'vue'; fetch('./data.json')</script>", 0),
            ("<script>from './module.js'</script><script type=text/x>import('./module.js')</script>", 0),
            ("<script type=module src=a.js></script><script>import('./module.js')</script>", 1),
            ("<!-- <script type=module>import './a.js'</script> -->", 0),
            (
                "<svg><script type=mod&#117;le>import &quot;./a.js&quot;</script><script>im<!-- -->port('vue')</script>",
                1,
            ),
            ("<svg><script>im<!-- x -->port<![CDATA[('./a]]>.js')</script><text>import('./a.js')</text></svg>", 1),
            (r#"<script type=importmap>{"imports": {"a": ".\/a.js"}}</script>"#, 1),
            (r#"<script type=importmap>{"scopes": {"sub/": {"a": "https://h/a.js"}}}</script>"#, 1),
            (r#"<script type=importmap>{"imports": {"\/a": "https://h/a.js"}}</script>"#, 1),
            (
                "<script>import(/* a */ './a.js')</script><script>import(`./${x}.js`)</script><script>import(x)</script>",
                3,
            ),
            (
                "<script type=module>import a from/**/'./a.js'</script><script type=module>import '\\x2e/a.js'</script>",
                2,
            ),
            ("<script>import('vue'); a.import(x); reimport(x); import.meta; import( \"https://h/a.js\")</script>", 0),
        ] {
            let scan = Document::new(html.as_bytes(), DocumentType::Html).scan(&table)?;
            assert_eq!(scan.scripts, count, "{html}");
        }
        Ok(())
    }
}
