//! Law 10: our tags are html5ever's, in the same bytes and with the same attributes.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::attributes::{Attribute, Quote, attributes};
use super::feedback::Content;
use super::lite::Lite;
use super::name::Name;
use super::oracle::{OracleTag, start_tags};
use super::tokenizer::{StartTag, Visitor, tokenize};
use super::tree::Tree;
use crate::value::character_reference;

/// Every kind of thing that decides how a document is read, in pieces to be shuffled.
const ATOMS: [&str; 96] = [
    "<a href=x>",
    "</a>",
    "<p>",
    "</p>",
    "<b>",
    "<i a=1>",
    "</b>",
    "<br>",
    "</br>",
    "<div>",
    "</div>",
    "text",
    " ",
    "\n",
    "<svg>",
    "</svg>",
    "<svg/>",
    "<math>",
    "</math>",
    "<mi>",
    "</mi>",
    "<mtext>",
    "</mtext>",
    "<annotation-xml>",
    "<annotation-xml encoding=\"text/html\">",
    "</annotation-xml>",
    "<foreignObject>",
    "</foreignobject>",
    "<desc>",
    "</desc>",
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<textarea>",
    "</textarea>",
    "<xmp>",
    "</xmp>",
    "<iframe>",
    "</iframe>",
    "<noembed>",
    "<noframes>",
    "</noframes>",
    "<noscript>",
    "</noscript>",
    "<plaintext>",
    "<template>",
    "</template>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<col>",
    "<caption>",
    "<select>",
    "</select>",
    "<option>",
    "<frameset>",
    "</frameset>",
    "<frame>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "<html>",
    "</html>",
    "<input type=hidden>",
    "<font color=red>",
    "<font>",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!doctype html>",
    "<![CDATA[",
    "]]>",
    "<!x>",
    "<?pi?>",
    "</>",
    "</ x>",
    "<<",
    "<a",
    "<a\u{e9}=1>",
    "&lt;",
    "&#32;",
    "\0",
    "<img src='a>b' x=\"<\" y=/z/>",
    "<a / href = x /b>",
    "<a =x =y>",
    "<!--<script>",
    "<script",
    "</script x>",
    "<base href=b>",
];

#[derive(Default)]
struct Recorder {
    tags: Vec<StartTag>,
}

impl Visitor for Recorder {
    fn element(&mut self, _element: Name, _name: Range<usize>) {}
    fn attribute(&mut self, _attribute: Attribute) {}
    fn start_tag(&mut self, tag: &StartTag, _content: Content) {
        self.tags.push(tag.clone());
    }
    fn end_tag(&mut self) {}
    fn text(&mut self, _text: Range<usize>) {}
    fn cdata(&mut self, _text: Range<usize>) {}
    fn comment(&mut self, _text: Range<usize>) {}
    fn raw_text(&mut self, _text: Range<usize>) {}
}

/// Our start tags, and whether a tree was needed. `None` when the tree went over its budget.
fn our_tags(text: &str) -> (Option<Vec<StartTag>>, bool) {
    let (mut lite, mut recorder) = (Lite::default(), Recorder::default());
    tokenize(text.as_bytes(), 0, &mut lite, &mut recorder);
    if !lite.is_ambiguous() {
        return (Some(recorder.tags), false);
    }
    let (mut tree, mut recorder) = (Tree::new(text.as_bytes()), Recorder::default());
    tokenize(text.as_bytes(), 0, &mut tree, &mut recorder);
    (Some(recorder.tags).filter(|_| !tree.is_over_budget()), true)
}

/// Compares one document; the number of its tags, and whether it needed a tree.
#[track_caller]
fn check(text: &str, name: &str) -> (usize, bool) {
    let (Some(ours), needed_tree) = our_tags(text) else { return (0, true) };
    let theirs = start_tags(text);
    let ranges: Vec<_> = ours.iter().map(|tag| tag.range.clone()).collect();
    let expected: Vec<_> = theirs.iter().map(|tag| tag.range.clone()).collect();
    assert_eq!(ranges, expected, "{name}: {:?}", excerpt(text, &ranges, &expected));
    for (our, their) in ours.iter().zip(&theirs) {
        check_attributes(text, our, their, name);
    }
    (ours.len(), needed_tree)
}

#[track_caller]
fn check_attributes(text: &str, our: &StartTag, their: &OracleTag, name: &str) {
    let read = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let mut found: Vec<(String, String)> = Vec::new();
    attributes(text.as_bytes(), our.name.end, |attribute| {
        let name = read(&text[attribute.name_range].to_ascii_lowercase());
        let raw = &text[attribute.value];
        let value = match attribute.quote {
            Quote::Absent => String::new(),
            _ => character_reference::decode_all(&read(raw)),
        };
        if found.iter().all(|(known, _)| *known != name) {
            found.push((name, value));
        }
    });
    assert_eq!(read(&text[our.name.clone()].to_ascii_lowercase()), their.name, "{name}");
    assert_eq!(found, their.attributes, "{name}: {:?}", &text[our.range.clone()]);
}

fn excerpt<'t>(text: &'t str, ours: &[Range<usize>], theirs: &[Range<usize>]) -> &'t str {
    let same = ours.iter().zip(theirs).take_while(|(our, their)| our == their).count();
    let at = |ranges: &[Range<usize>]| ranges.get(same).map_or(text.len(), |range| range.start);
    let start = at(ours).min(at(theirs)).saturating_sub(200);
    let start = (0..=start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = (start + 400).min(text.len());
    &text[start..(end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())]
}

#[test]
fn shuffled_atoms() {
    let mut random = fastrand::Rng::with_seed(10);
    let (mut tags, mut trees) = (0, 0);
    for round in 0..60_000 {
        let length = random.usize(1..if round % 8 == 0 { 60 } else { 12 });
        let text: String = (0..length).map(|_| ATOMS[random.usize(..ATOMS.len())]).collect();
        let (found, needed_tree) = check(&text, &format!("{text:?}"));
        tags += found;
        trees += usize::from(needed_tree);
    }
    assert!(tags > 140_000 && (6_000..30_000).contains(&trees), "{tags} tags, {trees} trees");
}

#[test]
fn fixtures() -> io::Result<()> {
    let documents = html_files(&root().join("fixtures"))?;
    assert!(!documents.is_empty());
    for path in documents {
        check(&String::from_utf8_lossy(&fs::read(&path)?), &path.display().to_string());
    }
    Ok(())
}

#[test]
fn corpora() -> io::Result<()> {
    let corpora = root().join("../shared/corpora");
    if !corpora.exists() {
        writeln!(io::stderr(), "skipped: {} is absent", corpora.display())?;
        return Ok(());
    }
    let (mut documents, mut tags, mut trees) = (0, 0, 0);
    for path in html_files(&corpora)? {
        let bytes = fs::read(&path)?;
        let text = encoding_rs::Encoding::for_bom(&bytes)
            .map_or_else(|| String::from_utf8_lossy(&bytes), |(encoding, _)| encoding.decode(&bytes).0);
        let (found, needed_tree) = check(&text, &path.display().to_string());
        documents += 1;
        tags += found;
        trees += usize::from(needed_tree);
    }
    for path in files(&corpora.join("html5lib-tests/tokenizer"), &["test"])? {
        let tests: serde_json::Value = serde_json::from_slice(&fs::read(&path)?)?;
        for test in tests["tests"].as_array().into_iter().flatten() {
            let input = test["input"].as_str().unwrap_or_default();
            // Some inputs are escaped twice, to name what JSON cannot.
            let input = input.replace("\\u0000", "\0").replace("\\u000A", "\n").replace("\\uFFFD", "\u{fffd}");
            check(&input, &format!("{}: {input:?}", path.display()));
            documents += 1;
        }
    }
    writeln!(io::stderr(), "{documents} documents, {tags} start tags, {trees} needed a tree")?;
    assert!(documents > 9_500 && tags > 380_000, "{documents} documents, {tags} tags");
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn html_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files(folder, &["html", "htm", "xhtml"])
}

fn files(folder: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path, extensions)?);
        } else if path.extension().and_then(|end| end.to_str()).is_some_and(|end| extensions.contains(&end)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
