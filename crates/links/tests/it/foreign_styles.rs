//! Style elements in SVG in HTML, whose text is ordinary markup.

use absolve_links::{Document, DocumentType, RemarkKind, Table};

/// Returns the references of a page, and the number of remarks.
fn links(page: &str) -> (Vec<String>, usize) {
    let document = Document::new(page.as_bytes(), DocumentType::Html);
    let scan = document.scan(&Table::default()).expect("it is a page");
    assert!(scan.remarks.iter().all(|remark| remark.kind == RemarkKind::Composed));
    (scan.links.iter().map(|link| document.reference(link).text().to_owned()).collect(), scan.remarks.len())
}

#[track_caller]
fn found(page: &str, expected: &[&str], remarks: usize) {
    assert_eq!(links(page), (expected.iter().map(|text| (*text).to_owned()).collect(), remarks), "{page}");
}

#[test]
fn a_section_in_a_style_of_svg_is_part_of_its_stylesheet() {
    found("<svg><style>\"<![CDATA[@import 'x'", &[], 0);
    found("<svg><style>@import <![CDATA['x']]>", &["x"], 0);
    found("<svg><style>@import '<!-- -->x'", &["x"], 0);
    found("<svg><style>@import 'x<!-- -->y'", &[], 1);
}

#[test]
fn a_style_of_svg_without_an_end_tag_is_read_to_its_end() {
    found("<svg><style>a{b:url(x)}", &["x"], 0);
    found("<svg><style>a{b:url(x)}<b", &["x"], 0);
    found("<svg><style>a<b>c</b>d{e:url(x)}", &[], 0);
}

#[test]
fn keeps_a_bracket_in_a_style_of_svg() {
    found("<svg><style>a{b:url(<1)}", &["<1"], 0);
    found("<svg><style>a{b:url(< x)} c{d:url(5<6)}</style>", &["5<6"], 0);
}

#[test]
fn links_of_a_comment_in_a_style_of_svg_come_in_order() {
    found("<svg><style>a{b:url(x)}<!--[if IE]><img src=q><![endif]-->c{d:url(y)}</style>", &["q"], 1);
    found("<svg><style>a{b:url(x)}<!--[if IE]><i><![endif]-->c{d:url(y)}</style>", &["x", "y"], 0);
}
