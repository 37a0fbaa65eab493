//! The law over fixtures, corpora and generated pages.

use std::path::{Path, PathBuf};
use std::{fs, io};

use absolve_testing::{corpus, files, fixtures as fixtures_root, long_rounds, print_line, rounds};

use super::{check, common_tags_hold_the_same_links};

/// Pieces of generated documents: every construct that decides how a document is tokenized.
const ATOMS: [&str; 97] = [
    "\u{feff}",
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

/// Tags with links, and the ways of writing tags that are not common.
const TAGS: [&str; 32] = [
    "<a href=x>",
    "<a href='x>y'>",
    "<A\nHREF = \"x\" >",
    "<a href>",
    "<a href=x href=y>",
    "<a href=x/>",
    "<a/href=x>",
    "<a class=c title='t' href=\"a value of more than thirty-two bytes\">",
    "<img src=x alt='>' srcset='a 1x, b 2x'>",
    "<p background=x style=\"color: red; background: url(y)\">",
    "<blockquote cite=x>",
    "<link rel=stylesheet href=x integrity=sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=>",
    "<meta http-equiv=refresh content='0; url=x'>",
    "<meta name=description content=x>",
    "<object codebase=x data=y>",
    "<custom-element href=x src=y>",
    "<an-element-with-a-long-name href=x>",
    "<td an-attribute-with-a-long-name=x background=y>",
    "<body background=x>",
    "<h1 id=x>",
    "</h1>",
    "</a href='>'>",
    "</a\n>",
    "</a/>",
    "</blockquote>",
    "</",
    "<a href='",
    "<iframe srcdoc='&lt;a href=x&gt;'></iframe>",
    "<!--[if IE]><a href=x><![endif]-->",
    "<style>a { b: url(x) }</style>",
    "<svg><style>a { b: url(x) }</style></svg>",
    "<small\0 href=x>",
];

fn tags_and_atoms(documents: usize) -> usize {
    let mut random = fastrand::Rng::with_seed(11);
    let atoms: Vec<&str> = TAGS.iter().chain(&TAGS).chain(&ATOMS).copied().collect();
    let document = |_| -> String { (0..random.usize(1..10)).map(|_| atoms[random.usize(..atoms.len())]).collect() };
    (0..documents).map(document).map(|text| common_tags_hold_the_same_links(text.as_bytes())).sum()
}

#[test]
fn links_of_tags_and_atoms() {
    let links = tags_and_atoms(rounds(30_000));
    assert!(links > rounds(30_000), "{links} links");
}

#[test]
#[ignore = "long: a quarter of a million documents, or a million"]
fn links_of_a_million_documents() {
    let documents = long_rounds(250_000, 1_000_000);
    assert!(tags_and_atoms(documents) > documents);
}

#[test]
fn shuffled_atoms() {
    let mut random = fastrand::Rng::with_seed(10);
    let (mut tags, mut trees) = (0, 0);
    for round in 0..rounds(60_000) {
        let length = random.usize(1..if round % 8 == 0 { 60 } else { 12 });
        let text: String = (0..length).map(|_| ATOMS[random.usize(..ATOMS.len())]).collect();
        let (found, needed_tree) = check(&text, &format!("{text:?}"));
        tags += found;
        trees += usize::from(needed_tree);
    }
    assert!(tags > rounds(140_000) && (rounds(6_000)..rounds(30_000)).contains(&trees), "{tags} tags, {trees} trees");
}

#[test]
fn fixtures() -> io::Result<()> {
    let documents = html_files(&fixtures_root())?;
    assert!(!documents.is_empty());
    for path in documents {
        check(&String::from_utf8_lossy(&fs::read(&path)?), &path.display().to_string());
    }
    Ok(())
}

#[test]
#[ignore = "long: all documents of the corpora"]
fn corpora() -> io::Result<()> {
    let Some(corpora) = corpus("") else { return Ok(()) };
    let (mut documents, mut tags, mut trees, mut links) = (0, 0, 0, 0);
    for path in html_files(&corpora)? {
        let bytes = fs::read(&path)?;
        let text = encoding_rs::Encoding::for_bom(&bytes)
            .map_or_else(|| String::from_utf8_lossy(&bytes), |(encoding, _)| encoding.decode(&bytes).0);
        let (found, needed_tree) = check(&text, &path.display().to_string());
        links += common_tags_hold_the_same_links(&bytes);
        documents += 1;
        tags += found;
        trees += usize::from(needed_tree);
    }
    for path in files_named(&corpora.join("html5lib-tests/tokenizer"), &["test"])? {
        let tests: serde_json::Value = serde_json::from_slice(&fs::read(&path)?)?;
        for test in tests["tests"].as_array().into_iter().flatten() {
            let input = test["input"].as_str().unwrap_or_default();
            // Some inputs are escaped twice, for characters that JSON cannot represent.
            let input = input.replace("\\u0000", "\0").replace("\\u000A", "\n").replace("\\uFFFD", "\u{fffd}");
            check(&input, &format!("{}: {input:?}", path.display()));
            documents += 1;
        }
    }
    print_line(&format!("{documents} documents, {tags} start tags, {links} links, {trees} needed a tree"));
    assert!(documents > 9_500 && tags > 380_000 && links > 50_000, "{documents} documents, {tags} tags, {links} links");
    Ok(())
}

fn html_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files_named(folder, &["html", "htm", "xhtml"])
}

fn files_named(folder: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let is_named = |path: &PathBuf| path.extension().is_some_and(|end| extensions.iter().any(|name| end == *name));
    Ok(files(folder)?.into_iter().filter(is_named).collect())
}
