//! Elements of which html2text loses the text or the line breaks, replaced by others of which it does not.

use html2text::{Element, Handle, RcDom};
use html5ever::interface::{NodeOrText, TreeSink};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

/// What stands for a thematic break.
const RULE: &str = "---";

/// Replaces elements of a document; returns how many texts of drawings are left, of which no text is made.
pub(crate) fn replace(document: &RcDom) -> usize {
    let mut texts_of_drawings = 0;
    let mut open = vec![document.document.clone()];
    while let Some(node) = open.pop() {
        let mut children: Vec<Handle> = Vec::new();
        // What goes on with a child that is out of place: the item before, or what was put around the child before.
        let mut last: Option<Handle> = None;
        for child in node.children.take() {
            texts_of_drawings += usize::from(is_text_of_drawing(&child));
            let child = replaced(document, child);
            if let Some(name) = html_name(&node).and_then(|parent| around(parent, &child)) {
                let around = last.get_or_insert_with(|| {
                    children.push(element(document, name));
                    children[children.len() - 1].clone()
                });
                around.children.borrow_mut().push(child);
                continue;
            }
            match html_name(&child) {
                Some("li") => last = Some(child.clone()),
                Some("thead" | "tbody" | "tr" | "th" | "td") => last = None,
                _ => {}
            }
            children.push(child);
        }
        open.extend(children.iter().cloned());
        node.children.replace(children);
    }
    texts_of_drawings
}

/// Returns the element that is rendered in the place of another, which may be itself.
fn replaced(document: &RcDom, node: Handle) -> Handle {
    let name = match html_name(&node).unwrap_or_default() {
        "address" | "article" | "aside" | "caption" | "center" | "details" | "dialog" | "dt" | "fieldset"
        | "figcaption" | "footer" | "form" | "header" | "hgroup" | "legend" | "main" | "nav" | "optgroup"
        | "option" | "search" | "section" | "select" | "summary" => "div",
        "dl" | "figure" | "hr" => "p",
        "dir" | "menu" => "ul",
        "listing" | "plaintext" | "xmp" => "pre",
        "tfoot" => "tbody",
        "img" => {
            // The alternative text is that of an image with a source only.
            let name = QualName::new(None, ns!(), local_name!("src"));
            document.add_attrs_if_missing(&node, vec![Attribute { name, value: "-".into() }]);
            return node;
        }
        _ => return node,
    };
    let element = element(document, name);
    element.children.replace(node.children.take());
    if html_name(&node) == Some("hr") {
        document.append(&element, NodeOrText::AppendText(RULE.into()));
    }
    element
}

/// Returns the element that is missing between two: in tables and lists, the library drops other children.
fn around(parent: &str, child: &Handle) -> Option<&'static str> {
    const NOT_RENDERED: [&str; 7] = ["col", "colgroup", "link", "meta", "script", "style", "template"];
    match (parent, html_name(child)) {
        (_, Some(name)) if NOT_RENDERED.contains(&name) => None,
        (_, None) if !is_element(child) && RcDom::node_as_dom_string(child).is_empty() => None,
        ("table", Some("thead" | "tbody")) | ("thead" | "tbody", Some("tr")) | ("tr", Some("th" | "td")) => None,
        ("table", _) => Some("tbody"),
        ("thead" | "tbody", _) => Some("tr"),
        ("tr", _) => Some("td"),
        ("ol" | "ul", Some("li")) => None,
        ("ol" | "ul", _) => Some("li"),
        _ => None,
    }
}

fn element(document: &RcDom, name: &str) -> Handle {
    let name = QualName::new(None, ns!(html), LocalName::from(name));
    document.create_element(name, Vec::new(), Default::default())
}

fn is_element(node: &Handle) -> bool {
    matches!(node.data, Element { .. })
}

/// Returns the name of an element of HTML.
fn html_name(node: &Handle) -> Option<&str> {
    match &node.data {
        Element { name, .. } if name.ns == ns!(html) => Some(&name.local),
        _ => None,
    }
}

fn is_text_of_drawing(node: &Handle) -> bool {
    matches!(&node.data, Element { name, .. } if name.ns == ns!(svg) && name.local == local_name!("text"))
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::path::{Path, PathBuf};
    use std::{fs, io};

    use absolve_links::DocumentType;
    use encoding_rs::UTF_8;
    use html2text::{Handle, RcDom, config};

    use super::{html_name, is_element};
    use crate::text::plain_text::extracted;

    #[test]
    fn every_word_of_a_page_is_in_its_text() -> Result<(), Box<dyn Error>> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let (mut pages, mut words) = (0, 0);
        for page in pages_below(&fixtures)? {
            let Ok(html) = fs::read_to_string(&page) else { continue };
            let Ok((text, _)) = extracted(html.as_bytes(), UTF_8, DocumentType::Html) else { continue };
            let document = config::plain().parse_html(html.as_bytes())?;
            let mut rest = &*text;
            for word in text_of(&document.document).split_whitespace() {
                let at = rest.find(word).ok_or_else(|| format!("{}: {word}", page.display()))?;
                rest = &rest[at + word.len()..];
                words += 1;
            }
            pages += 1;
        }
        assert!(pages > 100 && words > 500, "{pages} {words}");
        Ok(())
    }

    fn pages_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut pages = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            match path.extension() {
                _ if path.is_dir() => pages.extend(pages_below(&path)?),
                Some(extension) if extension == "html" => pages.push(path),
                _ => {}
            }
        }
        Ok(pages)
    }

    fn text_of(node: &Handle) -> String {
        if !is_element(node) && node.children.borrow().is_empty() {
            return RcDom::node_as_dom_string(node).strip_prefix("Text:").unwrap_or_default().to_owned();
        }
        let is_shown = !["head", "script", "style"].contains(&html_name(node).unwrap_or_default());
        node.children.borrow().iter().filter(|_| is_shown).map(text_of).collect()
    }
}
