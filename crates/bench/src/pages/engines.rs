//! The libraries to compare. Each rewrites one document and returns the number of bytes of its output.

use std::borrow::Cow;

use absolve_links::DocumentType;
use absolve_resolver::BaseUrl;
use absolve_rewriter::Options;
use absolve_rewriter::internal::{Entity, Report, Retrieval, rewrite};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document, serialize};
use lol_html::{AsciiCompatibleEncoding, HtmlRewriter, Settings, element};
use markup5ever_rcdom::{Handle, NodeData, RcDom, SerializableHandle};

pub(crate) const URL: &str = "https://example.org/archive/2026/pages/page.html";

/// All that `absolve` does to a file, except reading and writing it.
pub(crate) fn absolve(document: &[u8], document_type: DocumentType, options: &Options, out: &mut Vec<u8>) -> usize {
    let entity = Entity::bare_file(document, document_type).retrieved_from(Retrieval::given(URL));
    rewrite(&entity, options, &mut Report::default(), out);
    out.len()
}

/// lol_html with a handler for three attributes, resolved by absolve's resolver.
pub(super) fn lol_html(document: &[u8], base: &BaseUrl, out: &mut Vec<u8>) -> usize {
    let handler = |name: &'static str| {
        element!(format!("[{name}]"), move |element| {
            if let Some(value) = element.get_attribute(name)
                && let Ok(target) = base.resolve(&value)
            {
                element.set_attribute(name, &target)?;
            }
            Ok(())
        })
    };
    let encoding = absolve_links::Document::new(document, DocumentType::Html).encoding();
    let settings = Settings::new()
        .append_element_content_handler(handler("href"))
        .append_element_content_handler(handler("src"))
        .append_element_content_handler(handler("action"))
        .with_encoding(AsciiCompatibleEncoding::new(encoding).unwrap_or_else(AsciiCompatibleEncoding::utf_8));
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| out.extend_from_slice(chunk));
    let _ = rewriter.write(document).and_then(|()| rewriter.end());
    out.len()
}

/// html5ever and its tree: parses, changes three attributes, serialises.
pub(super) fn html5ever_rcdom(document: &[u8], base: &BaseUrl, out: &mut Vec<u8>) -> usize {
    let text = match str::from_utf8(document) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => absolve_links::Document::new(document, DocumentType::Html).encoding().decode(document).0,
    };
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(&*text);
    change(&tree.document, base);
    let _ = serialize(&mut *out, &SerializableHandle::from(tree.document), Default::default());
    out.len()
}

fn change(root: &Handle, base: &BaseUrl) {
    let mut nodes = vec![root.clone()];
    while let Some(node) = nodes.pop() {
        if let NodeData::Element { attrs, template_contents, .. } = &node.data {
            for attribute in attrs.borrow_mut().iter_mut() {
                if matches!(&*attribute.name.local, "href" | "src" | "action")
                    && let Ok(target) = base.resolve(&attribute.value)
                {
                    attribute.value = target.into();
                }
            }
            nodes.extend(template_contents.borrow().iter().cloned());
        }
        nodes.extend(node.children.borrow().iter().cloned());
    }
}

/// The least work of any program that stops at every tag and writes a copy.
pub(super) fn find_tags_and_copy(document: &[u8], out: &mut Vec<u8>) -> usize {
    let (mut count, mut at) = (0, 0);
    while let Some(offset) = memchr::memchr(b'<', &document[at..]) {
        at += offset + 1;
        count += 1;
    }
    out.extend_from_slice(document);
    count
}
