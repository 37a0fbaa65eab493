//! The law over generated stylesheets.

use absolve_testing::{fixtures, rounds};

use super::check;

const PIECES: [&str; 77] = [
    "url(",
    "URL(",
    "u\\72l(",
    "\\75 rl(",
    "src(",
    "image-set(",
    "-webkit-image-set(",
    "image(",
    "type(",
    "calc(",
    "AlphaImageLoader(",
    "progid:X.AlphaImageLoader(",
    "\"progid:AlphaImageLoader(src='x')\"",
    "-ms-filter:",
    "filter : ",
    "src=",
    "src = ",
    "x=",
    "@import ",
    "@IMPORT",
    "@im\\70ort ",
    "@namespace ",
    "@-moz-document ",
    "@media ",
    "@",
    "#",
    "#url(",
    "@url(",
    "10url(",
    "1.url(",
    "-url(",
    "--url(",
    "<!--url(",
    "<!--",
    "-->",
    "\"x\"",
    "'y'",
    "'",
    "\"",
    "\"a\\\"b\"",
    "'a\\\nb'",
    "x",
    "x.png",
    " ",
    "\n",
    "\r\n",
    "\t",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "/*",
    "*/",
    "/",
    "*",
    "\\",
    "\\)",
    "\\29 ",
    "\\\n",
    "\\22",
    "é",
    "日",
    "\0",
    "\x01",
    "\x7f",
    "=",
    "1x",
    "<!",
    "a\\é(",
    "a long text without an end in it",
    "url(\"x\")",
    "image-set( 'y'\n)",
];

#[test]
fn finds_what_cssparser_finds() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut count = 0;
    for _ in 0..rounds(1_000_000) {
        let css: String = (0..random.usize(1..12)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        count += check(&css);
    }
    assert!(count > rounds(150_000), "{count} references");
}

#[test]
fn found_by_fuzzing() -> std::io::Result<()> {
    let folder = fixtures().join("fuzz/css");
    for file in std::fs::read_dir(folder)? {
        super::finds_what_cssparser_finds(&std::fs::read(file?.path())?);
    }
    Ok(())
}
