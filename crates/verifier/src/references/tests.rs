//! The law that both readers find the same references: those of `absolve_links`, by which links are rewritten, and those of this
//! crate. What is different is a mistake of one of them, by the standards of HTML, CSS and XML.

use std::fs;
use std::ops::Range;
use std::path::Path;

use absolve_links::{Document, DocumentType, RemarkKind, Scope as LinkScope, Table};
use absolve_testing::{documents, fixtures, root, rounds};
use fastrand::Rng;

use super::found::Scope;
use super::references;
use crate::text::Text;
use crate::values::is_space;

/// Compares the references of a document; returns their number, or the difference.
fn compared(bytes: &[u8], document_type: DocumentType, label: Option<&str>, table: &Table) -> Result<usize, String> {
    let document = Document::new(bytes, document_type);
    let document = label.into_iter().fold(document, Document::with_label);
    let Ok(scan) = document.scan(table) else { return Ok(0) };
    let text = Text::of_document(bytes, document.encoding());
    let Ok(found) = references(&text, document_type, table) else {
        return Err(format!("{:?} takes too much work", text.text));
    };
    let written = |range: &Range<usize>| String::from_utf8_lossy(&bytes[range.clone()]).into_owned();
    let mut expected: Vec<(usize, usize, String, String, bool)> = Vec::new();
    for link in &scan.links {
        let Range { start, end } = link.range.clone();
        let is_early = matches!(scan.scopes[link.scope], LinkScope::BeforeBase { is_certain: true, .. });
        expected.push((start, end, written(&link.range), document.reference(link).text().to_owned(), is_early));
    }
    expected.sort();
    let mut ours: Vec<(usize, usize, String, String, bool)> = Vec::new();
    for reference in &found.references {
        let Range { start, end } = reference.range.clone();
        let is_early = matches!(found.scopes[reference.scope], Scope::BeforeBase { .. });
        ours.push((start, end, written(&reference.range), reference.text.clone(), is_early));
    }
    ours.sort();
    if scan.remarks.iter().any(|remark| remark.kind.leaves_unread() || remark.kind == RemarkKind::Hyphen) {
        ours.retain(|one| expected.contains(one));
    }
    // A URL is parsed without its line ends, whatever they are.
    let base_of = |base: &str| base.replace(['\r', '\n'], "").trim_matches(is_space).to_owned();
    let base = scan.base.map(|base| base_of(document.reference(&scan.links[base]).text()));
    let our_base = found.base.map(|base| base_of(&base));
    match ours == expected && (our_base == base || !scan.remarks.is_empty()) {
        true => Ok(ours.len()),
        false => Err(format!(
            "{document_type:?} {:?}\n  verify:  {our_base:?} {ours:?}\n  rewrite: {base:?} {expected:?}",
            text.text
        )),
    }
}

/// Checks that both readers agree about all documents; returns the number of references.
#[track_caller]
fn agree(compared: impl Iterator<Item = Result<usize, String>>) -> usize {
    let mut found = 0;
    let different: Vec<String> = compared.filter_map(|one| one.map(|count| found += count).err()).take(10).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    found
}

/// Returns the files of a folder, of documents that once were read wrongly; none without the folder.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it is readable").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).expect("it is readable")).collect()
}

/// Returns the documents of this type among the vectors for `rewrite`.
fn vectors(name: &str) -> Vec<Vec<u8>> {
    let mut documents = Vec::new();
    for text in files(&fixtures().join("rewrite")) {
        let vectors: serde_json::Value = serde_json::from_slice(&text).expect("it is JSON");
        let of_type = |vector: &&serde_json::Value| vector["type"].as_str().unwrap_or("html") == name;
        let found = vectors.as_array().into_iter().flatten().filter(of_type);
        documents.extend(found.filter_map(|vector| Some(vector["document"].as_str()?.as_bytes().to_vec())));
    }
    documents
}

/// Returns the words of a dictionary for fuzzing.
fn dictionary(name: &str) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(root().join(format!("fuzz/dictionaries/{name}.dict"))).expect("it is readable");
    let words = text.lines().filter_map(|line| line.split_once('"')?.1.rsplit_once('"'));
    let plain = |word: &str| word.replace("\\\"", "\"").replace("\\x0a", "\n").replace("\\\\", "\\").into_bytes();
    words.map(|(word, _)| plain(word)).collect()
}

/// Changes a document at some places: copies, removes and inserts pieces of it, of others, and words.
fn mutated(random: &mut Rng, documents: &[Vec<u8>], words: &[Vec<u8>]) -> Vec<u8> {
    const BYTES: &[u8] = b"<>\"'&;/=()[]{}\\ \n\t-!?#xX0a.,:@\0\xC3\xA9";
    let mut document = random.choice(documents).cloned().unwrap_or_default();
    document.truncate(4_000);
    for _ in 0..random.usize(1..8) {
        let start = random.usize(..=document.len());
        let end = document.len().min(start + random.usize(..6));
        let other = random.choice(documents).map_or(&[][..], Vec::as_slice);
        let from = random.usize(..=other.len());
        let (end, piece) = match random.u8(..6) {
            0 => (end, Vec::new()),
            1 => (start, random.choice(BYTES).into_iter().copied().collect()),
            2 => (end, other[from..other.len().min(from + random.usize(..40))].to_vec()),
            _ => (start, random.choice(words).cloned().unwrap_or_default()),
        };
        document.splice(start..end, piece);
    }
    document
}

fn over_mutations(document_type: DocumentType, name: &str, seed: u64) -> usize {
    let mut random = Rng::with_seed(seed);
    let documents = [files(&fixtures().join("fuzz").join(name)), vectors(name)].concat();
    let words = dictionary(name);
    let table = Table::default();
    agree((0..rounds(40_000)).map(|_| {
        let document = mutated(&mut random, &documents, &words);
        compared(&document, document_type, None, &table)
    }))
}

#[test]
fn of_pages() {
    over_mutations(DocumentType::Html, "html", 1);
}

#[test]
fn of_stylesheets() {
    over_mutations(DocumentType::Css, "css", 2);
}

#[test]
fn of_xml() {
    over_mutations(DocumentType::Xml, "xml", 3);
}

/// No two readers of Markdown agree on all that is malformed: of a hundred mutated documents, these two on all but five.
#[test]
fn of_markdown() {
    let mut random = Rng::with_seed(5);
    let (documents, words, table) = (vectors("markdown"), dictionary("markdown"), Table::default());
    let of = |document: &[u8]| compared(document, DocumentType::Markdown, None, &table);
    agree(documents.iter().map(|document| of(document)));
    let all = rounds(40_000);
    let different = (0..all).filter(|_| of(&mutated(&mut random, &documents, &words)).is_err()).count();
    assert!(different * 20 < all, "{different} of {all} differ");
}

/// A document of many trees has the references of one.
#[test]
fn of_long_markdown() {
    let (mut random, table) = (Rng::with_seed(6), Table::default());
    let mut documents = vectors("markdown");
    documents.retain(|document| !document.starts_with(b"---") && !document.starts_with(b"+++"));
    agree((0..rounds(40)).map(|_| {
        let long: Vec<u8> = (0..1_000)
            .flat_map(|number| {
                [
                    random.choice(&documents).map_or(&[][..], Vec::as_slice),
                    format!("\n\n[{number}]: x\n\nText [a][{number}]\n\n").as_bytes(),
                ]
                .concat()
            })
            .collect();
        compared(&long, DocumentType::Markdown, None, &table)
    }));
}

#[test]
fn of_json_feeds() {
    over_mutations(DocumentType::JsonFeed, "json-feed", 5);
}

#[test]
fn of_generated_documents() {
    let mut random = Rng::with_seed(4);
    let table = Table::default();
    agree((0..rounds(40_000)).flat_map(|_| {
        let (page, sheet) = (documents::html(&mut random), documents::css(&mut random));
        [
            compared(&page.bytes, DocumentType::Html, page.label, &table),
            compared(&page.bytes, DocumentType::Text, page.label, &table),
            compared(&sheet.bytes, DocumentType::Css, sheet.label, &table),
        ]
    }));
}

/// Documents that one of the readers once read otherwise, with their references.
#[test]
fn of_unusual_documents() {
    let deep = format!("a{{b:{}url(x){};c:url(y)}}", "(".repeat(100), ")".repeat(100));
    let old = format!("<table><base href=/d/>{}<base href=/e/>", "<a href=x><font color=red>".repeat(75));
    let html: [(&str, &[&str]); 6] = [
        ("<svg><style/>a{b:url(x)}</svg>", &[]),
        ("<svg><style>a{b:url(&#x78;)}<![CDATA[c{d:url(&y)}]]></style></svg>", &["x", "&y"]),
        ("<frameset><style>a{b:url(x)}</style><frame src=y></frameset>", &["y"]),
        ("<a href=x&amp<b title='&bne;'><img srcset='y&#x20 1x,z'>", &["x&<b", "y", "z"]),
        ("<style>a{-ms-filter:\"progid:x(src='y')\";filter:progid:z.AlphaImageLoader(src='x')}</style>", &["x"]),
        ("<iframe srcdoc='<a href=x><iframe srcdoc=\"<a href=y><iframe srcdoc=&lt;a&#32;href=z>>\">'>", &["x", "y"]),
    ];
    let css: [(&str, &[&str]); 4] = [
        ("a{b:url(x\\29 );c:url(y\\29  );d:url( z\\  )}", &["x)", "y)", "z "]),
        ("a{b:url(#s \\);c:url('//h/')}d{e:url(x)}", &["x"]),
        ("a{-ms-filter:\"progid:d.AlphaImageLoader(src=\\\"x\\\")\"}", &["x"]),
        (&deep, &["x", "y"]),
    ];
    let xml: [(&str, &[&str]); 5] = [
        (
            "<!DOCTYPE svg [] ><svg xmlns='http://www.w3.org/2000/svg'><image href='x'/><d><![CDATA[]]></d></svg>",
            &["x"],
        ),
        ("<!DOCTYPE s [<!ENTITY n 'http://www.w3.org/2000/svg'>]><s:a xmlns:s='&n;' href='x'/>", &["x"]),
        ("<rss><channel><link>x<?y z?></link><link>a<b/></link></channel></rss>", &["x"]),
        ("<?xml-stylesheet href='x\ty&#9;'?><svg xmlns='http://www.w3.org/2000/svg'/>", &["x\ty\t"]),
        ("<!DOCTYPE svg [<!-- ' ]> --><!ENTITY e \">\">]><svg><a href='x'/></svg>", &["x"]),
    ];
    let table = Table::default();
    let of = |document_type, vectors: &[(&str, &[&str])]| {
        for (text, expected) in vectors {
            agree(std::iter::once(compared(text.as_bytes(), document_type, None, &table)));
            let found = references(&Text::plain(text, 0), document_type, &table).map(|found| found.references);
            let texts: Vec<String> = found.into_iter().flatten().map(|one| one.text).collect();
            assert_eq!(&texts, expected, "{text}");
        }
    };
    of(DocumentType::Html, &html);
    of(DocumentType::Css, &css);
    of(DocumentType::Xml, &xml);
    assert_eq!(compared(old.as_bytes(), DocumentType::Html, None, &table), Ok(77));
}
