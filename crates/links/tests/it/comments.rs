//! Nested conditional comments.

use absolve_links::{Document, DocumentType, RemarkKind, Table};

/// Returns nested comments with a link in the innermost. One `-->` ends them all.
fn nested(depth: usize) -> String {
    format!("{}<a href=x>{}endif]--><a href=y>", "<!--[if a]>".repeat(depth), "<![".repeat(depth))
}

#[test]
fn conditional_comments_nested_without_end() {
    for (depth, links, remarks) in [(1, 2, 0), (8, 2, 0), (9, 1, 1), (100_000, 1, 1)] {
        let page = nested(depth);
        let scan = Document::new(page.as_bytes(), DocumentType::Html).scan(&Table::default()).expect("it is a page");
        assert_eq!((scan.links.len(), scan.remarks.len()), (links, remarks), "{depth}");
        assert!(scan.remarks.iter().all(|remark| remark.kind == RemarkKind::NestingTooDeep));
    }
}

#[test]
fn a_base_behind_a_comment_in_a_comment_does_not_count() {
    let page = b"<!--[if a]><!--[if b]><i><![ ><base href=http://no/><![endif]--><a href=x>";
    let scan = Document::new(page, DocumentType::Html).scan(&Table::default()).expect("it is a page");
    assert_eq!(scan.base, None);
}
