//! The laws of documents on generated ones, most of them in unusual spellings.

use absolve_laws::documents::{Given, check};
use absolve_links::DocumentType;
use absolve_testing::documents::{Made, css, html};
use absolve_testing::rounds;

#[test]
fn over_generated_documents() {
    let mut random = fastrand::Rng::with_seed(20);
    let (mut edits, mut edited) = (0, 0);
    for _ in 0..rounds(50_000) {
        let (page, sheet) = (html(&mut random), css(&mut random));
        for (Made { text, bytes, label }, document_type) in
            [(&page, DocumentType::Html), (&page, DocumentType::Text), (&sheet, DocumentType::Css)]
        {
            let name = format!("{document_type:?}, {label:?}: {text:?}");
            let found = check(&Given { name: &name, bytes, document_type, label: *label });
            edits += found;
            edited += usize::from(found > 0);
        }
    }
    assert!(edits > rounds(100_000) && edited > rounds(60_000), "only {edits} edits in {edited} documents");
}

#[test]
fn over_a_table_that_lacks_more_cells_than_its_reader_adds() {
    let columns = |cell: &str| vec![cell; 300].join("|") + "\n";
    let table = columns("a") + &columns("-") + &"[b](b) <img src=c>|\n".repeat(900);
    let edits = absolve_laws::documents::markdown(table.as_bytes());
    assert_eq!(edits, 1_800);
}
