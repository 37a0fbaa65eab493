//! The types of inline scripts, and modules that they import. Scripts are not searched for links, so these stay as they are.

use std::ops::Range;

use crate::gather::values::is_one_of;
use crate::markup::attributes::attributes;
use crate::markup::name::Name;

/// Returns whether an inline script contains relative references to modules: an import map, a script of type `module` with imports, or
/// another script with `import(`. A reference in a comment of such a script counts as well. Its attributes begin at `at`.
///
/// Only strings that begin with `/`, `./` or `../` resolve as relative URLs ("resolve a URL-like module specifier", WHATWG HTML,
/// section 8.1.6.3).
pub(super) fn imports_relatively(document: &[u8], at: usize, text: Range<usize>) -> bool {
    const TYPE: Name = Name::of("type");
    let [is_module, is_map] = ["module", "importmap"].map(|wanted| is_of_type(document, at, wanted));
    let mut is_script = true;
    attributes(document, at, |attribute| {
        if attribute.name == TYPE {
            let value = document[attribute.value].trim_ascii();
            is_script = value.is_empty() || value.to_ascii_lowercase().ends_with(b"script");
        }
    });
    let text = &document[text];
    let is_relative = |quote: usize| {
        let reference = &text[quote + 1..];
        let before = text[..quote].trim_ascii_end();
        let called = before.strip_suffix(b"(").map(<[u8]>::trim_ascii_end);
        let is_called = called.is_some_and(|called| called.ends_with(b"import"));
        [&b"/"[..], b"./", b"../"].iter().any(|start| reference.starts_with(start))
            && (is_map || is_called || (is_module && (before.ends_with(b"import") || before.ends_with(b"from"))))
    };
    (is_module || is_map || is_script) && memchr::memchr2_iter(b'"', b'\'', text).any(is_relative)
}

/// Returns whether the attributes of a script, which begin at `at`, give it this type.
pub(super) fn is_of_type(document: &[u8], at: usize, wanted: &str) -> bool {
    const TYPE: Name = Name::of("type");
    let mut is_type = false;
    attributes(document, at, |attribute| {
        is_type |= attribute.name == TYPE && is_one_of(&document[attribute.value], &[wanted]);
    });
    is_type
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
        ] {
            let scan = Document::new(html.as_bytes(), DocumentType::Html).scan(&table)?;
            assert_eq!(scan.scripts, count, "{html}");
        }
        Ok(())
    }
}
