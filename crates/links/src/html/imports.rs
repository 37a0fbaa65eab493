//! Modules that inline scripts import. Scripts are not searched for links, so these stay as they are.

use std::ops::Range;

use memchr::memmem;

use super::token::{Content, StartTag};
use super::token_level::TokenLevel;
use super::tokenizer::{Visitor, tokenize};
use crate::document::Document;
use crate::document_type::DocumentType;
use crate::gather::is_one_of;
use crate::markup::attributes::{Attribute, attributes};
use crate::markup::name::Name;

const SCRIPT: Name = Name::of("script");
const TYPE: Name = Name::of("type");

impl Document<'_> {
    /// Returns how many inline scripts of an HTML document contain relative references to modules: import maps, and scripts of type
    /// `module` with imports. A reference in a comment of such a script counts as well.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// let scripts = |html: &str| Document::new(html.as_bytes(), DocumentType::Html).scripts_with_relative_imports();
    /// assert_eq!(scripts("<script type=module>import { a } from './a.js'</script>"), 1);
    /// assert_eq!(scripts(r#"<script type=importmap>{"imports": {"a": "/a.js"}}</script>"#), 1);
    /// assert_eq!(scripts("<script type=module>import 'https://example.org/a.js'</script>"), 0);
    /// ```
    pub fn scripts_with_relative_imports(&self) -> usize {
        let bytes = self.bytes();
        let is_html = self.document_type() == DocumentType::Html && self.wide_encoding().is_none();
        if !is_html || (memmem::find(bytes, b"module").is_none() && memmem::find(bytes, b"importmap").is_none()) {
            return 0;
        }
        let mut imports = Imports { document: bytes, script: None, scripts: 0 };
        tokenize(bytes, 0, &mut TokenLevel, &mut imports);
        imports.scripts
    }
}

/// Counts the scripts.
struct Imports<'d> {
    document: &'d [u8],
    /// What the last start tag opens, if it is a script that may import modules.
    script: Option<Script>,
    scripts: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Module,
    Map,
}

impl Visitor for Imports<'_> {
    fn start_tag(&mut self, tag: &StartTag, _: Content) {
        self.script = None;
        if tag.element != SCRIPT {
            return;
        }
        attributes(self.document, tag.name.end, |attribute| {
            let is_type =
                |wanted| attribute.name == TYPE && is_one_of(&self.document[attribute.value.clone()], &[wanted]);
            if is_type("module") {
                self.script = Some(Script::Module);
            } else if is_type("importmap") {
                self.script = Some(Script::Map);
            }
        });
    }

    fn raw_text(&mut self, text: Range<usize>) {
        self.scripts +=
            usize::from(self.script.is_some_and(|script| has_relative_import(&self.document[text], script)));
    }

    fn element(&mut self, _: Name, _: Range<usize>) {}
    fn attribute(&mut self, _: Attribute) {}
    fn end_tag(&mut self) {}
    fn text(&mut self, _: Range<usize>) {}
    fn cdata(&mut self, _: Range<usize>) {}
    fn comment(&mut self, _: Range<usize>) {}
}

/// Returns whether a script contains a string that resolves as a relative URL where a module is named: only those that begin with
/// `/`, `./` or `../` do ("resolve a URL-like module specifier", WHATWG HTML, section 8.1.6.3).
fn has_relative_import(text: &[u8], script: Script) -> bool {
    memchr::memchr2_iter(b'"', b'\'', text).any(|quote| {
        let reference = &text[quote + 1..];
        let is_relative = [&b"/"[..], b"./", b"../"].iter().any(|start| reference.starts_with(start));
        let before = text[..quote].trim_ascii_end();
        let before = before.strip_suffix(b"(").map_or(before, <[u8]>::trim_ascii_end);
        is_relative && (script == Script::Map || before.ends_with(b"import") || before.ends_with(b"from"))
    })
}

#[cfg(test)]
mod tests {
    use crate::{Document, DocumentType};

    #[test]
    fn scripts_with_relative_imports_are_counted() {
        for (html, count) in [
            ("<script type=module>import './a.js'; import('../b.js')</script>", 1),
            (
                "<script type=' MODULE '>export * from\n\"/a.js\"</script><script type=module>import './b.js'</script>",
                2,
            ),
            ("<script type=importmap>{\"scopes\": {\"/a/\": {\"b\": \"https://h/b.js\"}}}</script>", 1),
            ("<script type=importmap>{\"imports\": {\"a\": \"https://h/a.js\"}}</script>", 0),
            ("<script type=module>import 'vue'; fetch('./data.json')</script>", 0),
            ("<script type=module src=a.js></script><script>import('./module.js')</script>", 0),
            ("<!-- <script type=module>import './a.js'</script> -->", 0),
        ] {
            let document = Document::new(html.as_bytes(), DocumentType::Html);
            assert_eq!(document.scripts_with_relative_imports(), count, "{html}");
        }
    }
}
