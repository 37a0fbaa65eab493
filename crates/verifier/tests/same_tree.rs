//! What the verifier accepts makes the same tree, apart from links: html5ever and xml5ever judge.

use absolve_links::{DocumentType, Table};
use absolve_testing::rounds;
use absolve_verifier::{Settings, Surroundings, verify_document};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// Where a link stands in a piece of a document.
const HERE: &str = "@@";

const HTML: [&str; 30] = [
    "<a href=@@>",
    "<a href=@@ id=x>",
    "<a href=\"@@\">x</a>",
    "<a href='@@'>x</a>",
    "<base href=\"@@\" title='>'>",
    "<p style=\"background:url(@@)\">",
    "<p style='background:url(&#34@@&#34)'>",
    "<style>a{b:url(@@)}@import \"@@\";</style>",
    "<svg><style>a{b:url(@@)}</style><image href=@@ /></svg>",
    "<img srcset=\"@@ 1x, @@ 2x\" src=@@>",
    "<img srcset='@@, @@'>",
    "<img data-src='@@'>",
    "<applet archive='@@,@@'>",
    "<meta http-equiv=refresh content=\"0;url=@@\">",
    "<meta http-equiv=refresh content=\"0;url='@@'\">",
    "<iframe srcdoc=\"<a href='@@'>x</a><p style=url(@@)>\"></iframe>",
    "<!--[if IE]><a href=@@><![endif]-->",
    "<!--[if IE]><img src='@@'><b><![endif]-->",
    "<table><a href=@@><tr><td>",
    "<textarea><a href=@@></textarea>",
    "<noscript><img src=@@></noscript>",
    "<template><a href=@@></template>",
    "<select><a href=@@></select>",
    "<title>&amp@@</title>",
    "<math><a href=@@></math>",
    "<b><i></b>",
    "<br>text",
    "</p>",
    "<frameset>",
    "<a href>",
];

const XML: [&str; 9] = [
    "<a href='@@'/>",
    "<image xlink:href=\"@@\"/>",
    "<style>a{b:url(@@)}</style>",
    "<style><![CDATA[a{b:url(@@)}]]></style>",
    "<style><!-- x -->a{b:url('@@')}</style>",
    "<g style='fill:url(&#34;@@&#34;)'>x</g>",
    "<g xml:base='@@'><use href='@@'/></g>",
    "<base href='@@'/>",
    "<!-- @@ -->",
];

const LINKS: [&str; 24] = [
    "x",
    "a/y.png",
    "?q=1&b",
    "#f",
    "",
    ".",
    "../z",
    "a b",
    "&amp;x",
    "x&quot",
    "a\\b",
    "'",
    "a,b",
    "x-",
    "->",
    "-->",
    "a>b",
    "]]>",
    "\u{e9}",
    "%20",
    "http://o/x",
    "mailto:a",
    "\\29 x",
    "x)",
];

const NOISE: [&str; 22] = [
    "\"", "'", ">", "<b>", " ", "--", "-->", "&", ";", "&quot;", "&#39;", "\\", ")", "(", ",", " id=y", "/", "\n",
    "]]>", "<", "=", "\0",
];

#[test]
fn accepted_documents_have_the_same_tree() {
    let mut random = fastrand::Rng::with_seed(33);
    let (mut accepted, mut changed) = (0, 0);
    for _ in 0..rounds(40_000) {
        let document_type = if random.u8(..4) == 0 { DocumentType::Xml } else { DocumentType::Html };
        let pieces: &[&str] = if document_type == DocumentType::Xml { &XML } else { &HTML };
        let page: String = (0..random.usize(1..5)).map(|_| pieces[random.usize(..pieces.len())]).collect();
        let page = if document_type == DocumentType::Xml { format!("<svg>{page}</svg>") } else { page };
        let (mut original, mut rewritten) = (String::new(), String::new());
        for (number, piece) in page.split(HERE).enumerate() {
            if number > 0 {
                let link = LINKS[random.usize(..LINKS.len())];
                original.push_str(link);
                rewritten.push_str(&with_noise(&changed_link(link, &mut random), &mut random));
            }
            original.push_str(piece);
            rewritten.push_str(&with_noise(piece, &mut random));
        }
        if is_accepted(&original, &rewritten, document_type) {
            accepted += 1;
            changed += usize::from(original != rewritten);
            let difference = tree_difference(tree(&original, document_type), tree(&rewritten, document_type));
            assert_eq!(difference, None, "{original:?} has become {rewritten:?}");
        }
    }
    assert!(accepted > rounds(3_200) && changed > rounds(1_600), "{accepted} accepted, {changed} changed");
}

fn changed_link(link: &str, random: &mut fastrand::Rng) -> String {
    match random.u8(..8) {
        0 => link.to_owned(),
        1 => format!("http://h/{}", link.trim_start_matches("../")),
        2 => format!(";http://h/d/{link}"),
        3 => format!("http://h/d/{}", link.replace('"', "%22").replace('\\', "/")),
        _ if link.starts_with("http") || link.starts_with("mailto") || link.starts_with('#') => link.to_owned(),
        _ if link == "../z" => "http://h/z".to_owned(),
        _ if link == "." || link.is_empty() => "http://h/d/".to_owned(),
        _ => format!("http://h/d/{link}"),
    }
}

fn with_noise(text: &str, random: &mut fastrand::Rng) -> String {
    let mut text = text.to_owned();
    if random.u8(..24) == 0 {
        let at = text.floor_char_boundary(random.usize(..=text.len()));
        text.insert_str(at, NOISE[random.usize(..NOISE.len())]);
    }
    text
}

fn is_accepted(original: &str, rewritten: &str, document_type: DocumentType) -> bool {
    let around = Surroundings { retrieval: Some("http://h/d/".to_owned()), ..Surroundings::default() };
    let (original, rewritten) = (original.as_bytes(), rewritten.as_bytes());
    verify_document(original, rewritten, document_type, Some("utf-8"), &around, &Settings::default()).holds()
}

fn tree(text: &str, document_type: DocumentType) -> Handle {
    if document_type == DocumentType::Xml {
        return xml5ever::driver::parse_document(RcDom::default(), Default::default()).one(text).document;
    }
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(text).document
}

/// Returns the first difference between two trees, apart from links.
fn tree_difference(old: Handle, new: Handle) -> Option<String> {
    let mut pairs = vec![(old, new)];
    while let Some((old, new)) = pairs.pop() {
        let is_alike = match (&old.data, &new.data) {
            (
                NodeData::Element { name, attrs, template_contents, .. },
                NodeData::Element { name: new_name, attrs: new_attrs, template_contents: new_contents, .. },
            ) => {
                pairs.extend(template_contents.borrow().iter().cloned().zip(new_contents.borrow().iter().cloned()));
                let (attributes, new_attributes) = (attrs.borrow(), new_attrs.borrow());
                name == new_name
                    && attributes.len() == new_attributes.len()
                    && attributes.iter().zip(new_attributes.iter()).all(|(old, new)| are_alike(old, new))
            }
            (NodeData::Text { contents }, NodeData::Text { contents: new_contents }) => {
                contents == new_contents || contents.borrow().contains("url(") || contents.borrow().contains("@import")
            }
            (NodeData::Comment { contents }, NodeData::Comment { contents: new_contents }) => {
                contents == new_contents || (contents.starts_with("[if") && new_contents.starts_with("[if"))
            }
            (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
        };
        let (children, new_children) = (old.children.borrow(), new.children.borrow());
        if !is_alike || children.len() != new_children.len() {
            return Some(format!("{:?} has become {:?}", old.data, new.data));
        }
        pairs.extend(children.iter().cloned().zip(new_children.iter().cloned()));
    }
    None
}

fn are_alike(old: &Attribute, new: &Attribute) -> bool {
    let local = old.name.local.to_ascii_lowercase();
    let table = Table::default();
    let is_known =
        || table.rows().iter().any(|row| row.attribute.rsplit(':').next().is_some_and(|name| *name == *local));
    old.name == new.name && (old.value == new.value || is_known())
}

/// For `rewrite` and for the verifier: it is no text, behind which the frameset would be ignored, and the title not.
#[test]
fn a_byte_order_mark_does_not_change_what_a_frameset_is() {
    for page in ["<frameset><title><a href=x>", "<m><frameset><plaintext><a href=x>", "<frameset><a href=x>"] {
        let links = |text: &str| {
            let scan = absolve_links::Document::new(text.as_bytes(), DocumentType::Html).scan(&Table::default());
            let verdict = verify_document(
                text.as_bytes(),
                text.as_bytes(),
                DocumentType::Html,
                None,
                &Surroundings::default(),
                &Settings::default(),
            );
            (scan.map(|scan| scan.links.len()).ok(), verdict.counts.links)
        };
        let (found, also) = links(page);
        assert_eq!(links(&format!("\u{feff}{page}")), (found, also), "{page}");
        assert_eq!(found.map(|count| count as u64), Some(also), "{page}");
    }
}

/// In the place of a BASE that divides a stylesheet, a comment would not: it would have links that it had not.
#[test]
fn a_base_in_a_stylesheet_becomes_no_comment() {
    let settings = Settings { base_element: absolve_verifier::BaseElement::Comment, ..Settings::default() };
    let around = Surroundings { retrieval: Some("http://h/".to_owned()), ..Surroundings::default() };
    let xhtml = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><style><base HREF/>@import \"y\";</style><a href=\"URLw\"/></html>";
    for (document_type, page) in [
        (DocumentType::Html, "<svg><style><base HREF>@import \"y\";<b><base HREF><a href=\"URLw\"></style>"),
        (DocumentType::Xml, xhtml),
    ] {
        let original = page.replace("HREF", "href=\"d/\"").replace("URL", "");
        let rewritten = |base: &str| page.replace(" HREF", base).replace("URL", "http://h/d/");
        let differences = |new: &str| {
            let (old, new) = (original.as_bytes(), new.as_bytes());
            verify_document(old, new, document_type, None, &around, &settings).differences
        };
        assert_eq!(differences(&rewritten("")), [], "{page}");
        let commented = rewritten(" href=\"d/\"").replacen("<base href=\"d/\"", "<!--<base href=\"d/\"", 1);
        let commented = commented.replacen("@import", "-->@import", 1);
        assert!(!differences(&commented).is_empty(), "{commented}");
    }
}
