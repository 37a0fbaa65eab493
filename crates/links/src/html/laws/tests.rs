//! The law over fixtures, corpora and generated pages.

use std::path::{Path, PathBuf};
use std::{fs, io};

use absolve_testing::{corpus, files, fixtures as fixtures_root, print_line, rounds};

use super::check;

/// Pieces of generated documents: every construct that decides how a document is tokenized.
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
    print_line(&format!("{documents} documents, {tags} start tags, {trees} needed a tree"));
    assert!(documents > 9_500 && tags > 380_000, "{documents} documents, {tags} tags");
    Ok(())
}

fn html_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files_named(folder, &["html", "htm", "xhtml"])
}

fn files_named(folder: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let is_named = |path: &PathBuf| path.extension().is_some_and(|end| extensions.iter().any(|name| end == *name));
    Ok(files(folder)?.into_iter().filter(is_named).collect())
}
