//! Generated documents: pieces of markup in any order, and links in unusual spellings, in several encodings.

use encoding_rs::Encoding;
use fastrand::Rng;

/// A generated document.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its text, before it was encoded.
    pub text: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The charset of its header, if it has one.
    pub label: Option<&'static str>,
}

/// Returns a page.
pub fn html(random: &mut Rng) -> Made {
    let mut text = String::new();
    for _ in 0..random.usize(1..6) {
        match random.u8(..3) {
            0 => text.extend((0..random.usize(1..12)).map(|_| any(random, &PIECES))),
            _ => fill(any(random, &PLACES), random, &mut text),
        }
    }
    encoded(text, random)
}

/// Returns a stylesheet.
pub fn css(random: &mut Rng) -> Made {
    let mut text = String::new();
    for _ in 0..random.usize(1..6) {
        match random.u8(..4) {
            0 => text.push_str(any(random, &PIECES)),
            _ => fill(any(random, &RULES), random, &mut text),
        }
    }
    encoded(text, random)
}

fn any<'p>(random: &mut Rng, pieces: &[&'p str]) -> &'p str {
    pieces[random.usize(..pieces.len())]
}

/// Appends `place` with a spelling of a link for each `$`.
fn fill(place: &str, random: &mut Rng, text: &mut String) {
    for stretch in place.split_inclusive('$') {
        text.push_str(stretch.trim_end_matches('$'));
        if stretch.ends_with('$') {
            text.extend((0..random.usize(1..5)).map(|_| any(random, &SPELLINGS)));
        }
    }
}

/// Encodes a text: usually in UTF-8; otherwise in UTF-16 or in a legacy charset, which a mark, a label or the document itself declares.
fn encoded(mut text: String, random: &mut Rng) -> Made {
    if random.u8(..8) == 0 {
        text = text.replace('\n', "\r\n");
    }
    let is_marked = random.bool();
    let (bytes, label) = match random.u8(..10) {
        0 => (utf_16(&text, is_marked, u16::to_le_bytes), (!is_marked).then_some("utf-16le")),
        1 => (utf_16(&text, is_marked, u16::to_be_bytes), (!is_marked).then_some("utf-16be")),
        2 => {
            let label = any(random, &["windows-1252", "shift_jis", "euc-kr", "gb18030", "koi8-r"]);
            if is_marked {
                text.insert_str(0, &format!("<meta charset={label}>"));
            }
            let encoding = Encoding::for_label(label.as_bytes()).expect("it is a label");
            (encoding.encode(&text).0.into_owned(), (!is_marked).then_some(label))
        }
        3 => ([b"\xef\xbb\xbf", text.as_bytes()].concat(), None),
        _ => (text.clone().into_bytes(), None),
    };
    Made { text, bytes, label }
}

fn utf_16(text: &str, is_marked: bool, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mark = is_marked.then_some(0xfeff);
    mark.into_iter().chain(text.encode_utf16()).flat_map(to_bytes).collect()
}

/// Places of links in pages.
const PLACES: [&str; 56] = [
    "<p style=\"background:url($)\">",
    "<p style=\"background:url( $ )\">",
    "<p style='background:url(\"$\")'>",
    "<p style=\"a:url($);b:url('$')\">",
    "<p style=a:url($)>",
    "<p style=\"a:url(&quot$&quot)\">",
    "<p style=\"@import '$'\">",
    "<p style=\"a:url($\">",
    "<p style='filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src=\"$\")'>",
    "<iframe srcdoc=\"<a href=$>$<p style='a:url($)'>\">",
    "<iframe srcdoc='&lt;img src=\"$\">'>",
    "<iframe srcdoc=\"&lta href=&quot$&quot>\">",
    "<iframe srcdoc=\"<p style='a:url(&amp;quot$&amp;quot)'>\">",
    "<meta http-equiv=refresh content=\"0;url=$\">",
    "<meta http-equiv=refresh content='1; url=\"$\"'>",
    "<meta http-equiv=refresh content=\"0;url=&quot$&quot\">",
    "<a href=$>",
    "<a href=\"$\">",
    "<a href='$'>",
    "<a href=&quot$>",
    "<a href=$ href=$>",
    "<a title=\"a>b\" href=\"$\">",
    "<a title=a>b href=$>",
    "<a title=&quot href=$ id=&lt>",
    "<base href=$ target=_top>",
    "<base href=\"$\" target=$>",
    "<base target=_top href='$' href=x>",
    "<img srcset=\"$ 1x,$ 2x\">",
    "<img srcset='$, $'>",
    "<img srcset=\"x 1x,&quot$ 2x\">",
    "<style>\u{feff}a{b:url($)}</style>",
    "<style>@import \"$\";a{b:url('$')}</style>",
    "<style>a{b:url($)",
    "<style><!-- a{b:url($)} --></style>",
    "<select><style>a{b:url($)}</style><option>$</select>",
    "<select><a href=$></select>",
    "<textarea><a href=$></textarea>",
    "<noscript><img src=$></noscript>",
    "<head><noscript><link href=$><style>a{b:url($)}</style></noscript>",
    "<template><a href='$'></template>",
    "<!--[if IE]><a href=$><![endif]-->",
    "<!--[if IE]><style>a{b:url($)}</style><p style=\"a:url(&quot$)\"><![endif]-->",
    "<!--[if !IE]><!--><a href=$><!--<![endif]-->",
    "<!--<a href=$>-->",
    "<!-- $",
    "<svg><style>a{b:url($)}</style><image href=$ /></svg>",
    "<svg><a xlink:href=\"$\"><rect fill='url($)'/></svg>",
    "<xmp><a href=$></xmp>",
    "<title>$</title>",
    "<script>'$'</script>",
    "<object codebase=$ data=$>",
    "<a ping=\"$ $\" href=x>",
    "<table><a href=$><tr><td background=$>",
    "<b><a href=$></b>$",
    "<meta property=og:image content=\"$\">",
    "<img data-src=\"$\" src=$>",
];

/// Places of links in stylesheets.
const RULES: [&str; 14] = [
    "a{b:url($)}",
    "a{b:url( $ )}",
    "a{b:url('$')}",
    "a{b:url(\"$\")}",
    "@import '$';",
    "@import url($) screen;",
    "a{b:image-set('$' 1x, url($) 2x)}",
    "a{b:url($",
    "@import '$",
    "/*$*/",
    "/*url($)",
    "@charset \"utf-8\";",
    "@namespace url($);",
    "\u{feff}a{filter:progid:X.AlphaImageLoader(src='$')}",
];

/// Pieces of links.
const SPELLINGS: [&str; 76] = [
    "a",
    "b9",
    "c",
    "x.png",
    "x.png",
    "y.html",
    "d/",
    "../",
    "./",
    "/",
    "//h/",
    "http:",
    "http://h/",
    "mailto:",
    "?q=1",
    "?a=1&b=2",
    "?a=1&copy=2",
    "&copy=1",
    "#s",
    "&quot",
    "&quot;",
    "&lt",
    "&lt;",
    "&gt",
    "&amp",
    "&amp;",
    "&ampquot",
    "&ampamp",
    "&copy",
    "&copy;",
    "&not",
    "&notin",
    "&nbsp",
    "&apos;",
    "&#34",
    "&#34a",
    "&#32a",
    "&#32",
    "&#39",
    "&#x22g",
    "&#x22",
    "&#x20;",
    "&#9",
    "&#10;",
    "&#13;",
    "&#0;",
    "&#x80",
    "&",
    "\\",
    "\\e9",
    "\\e9 ",
    "\\0",
    "\\0 ",
    "\\a ",
    "\\22",
    "\\29 ",
    "\\000029",
    "\\\n",
    "\\'",
    "é",
    "日",
    "\u{feff}",
    "\r\n",
    "\n",
    "\r",
    "\t",
    "\0",
    " ",
    "=",
    ";",
    ",",
    "%2e",
    ">",
    "'",
    "\"",
    "<",
];

/// Pieces of pages in any order.
const PIECES: [&str; 70] = [
    "<iframe srcdoc='",
    "<iframe srcdoc=\"",
    "&quot;",
    "<URL:",
    "<!--[if IE]>",
    "<![endif]-->",
    "<svg><style>",
    "<![CDATA[",
    "]]>",
    "<rect fill='",
    "<a href=",
    "<a href=\"",
    "<a href='",
    "<img src=",
    "<base href='",
    "<base href=../>",
    "<style>",
    "</style>",
    "<p style=\"",
    "<img srcset='",
    "<meta http-equiv=refresh content='5;url=",
    "<object codebase=",
    " data=",
    ">",
    "'",
    "\"",
    " ",
    "x",
    "x.html",
    "../",
    "./",
    "/",
    "//h/",
    "?q=1",
    "#s",
    "&amp;",
    "&#46;",
    "&#x2F;",
    "&eacute;",
    "é",
    "\\",
    "%2e%2e/",
    "url(",
    "url('",
    ")",
    "@import '",
    ";",
    ",",
    " 1x",
    "http:",
    "mailto:",
    "javascript:",
    "{{x}}",
    "\n",
    "\t",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<svg>",
    "</svg>",
    "<template>",
    "</template>",
    "<noscript>",
    "</noscript>",
    "<table>",
    "\\29 ",
    "<title>",
    "</title>",
    "<br/>",
];
