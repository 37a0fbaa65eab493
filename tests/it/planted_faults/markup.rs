//! HTML: what changes outside links.

use super::fault::{Fault, Files, Flags, Mutation, Original, Rules};

const FLAGS: Flags = &["--url", "http://h/d/page.html"];

const PAGE: Original = Original {
    files: Files::Text(
        "page.html",
        "<!DOCTYPE html>\r\n\
         <!-- a comment -->\r\n\
         <HTML lang=\"en\" class='c'>\r\n\
         <head>\r\n\
         <title>Tea &amp; caf&eacute;</title>\r\n\
         </head>\r\n\
         <body id=top title=\"a & b\">\r\n\
         <p  class=one id=\"p\">Some text.</p >\r\n\
         <br/>\r\n\
         <a href=\"x/y?q=1&amp;r=2#s\" rel=nofollow>one</a>\r\n\
         <a href='/z' class=k class=l>two</a>\r\n\
         <td>misplaced</td>\r\n\
         <script>var a = '<a href=\"in\">';</script>\r\n\
         <textarea><a href=\"held\"></textarea>\r\n\
         <!-- <a href=\"hidden\"> -->\r\n\
         <div data-src=\"lazy.png\" itemtype=\"kind\"></div>\r\n\
         </body>\r\n\
         </HTML>\r\n",
    ),
    flags: FLAGS,
};

const MARKED: Original = Original { files: Files::Text("page.html", "\u{feff}<p>é</p><a href=x>"), flags: FLAGS };

/// The tree stays the same.
const BYTES: Rules = &["bytes"];
const BYTES_AND_TREE: Rules = &["bytes"];

const fn page(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, PAGE, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    page("one byte of text", "Some text", "Some Text", BYTES_AND_TREE),
    page("a byte before the first link", "comment -->\r\n<HTML", "comment -->\r\n<hTML", BYTES).at(&[("byte", "38")]),
    page("a space more in the text", "Some text", "Some  text", BYTES_AND_TREE),
    page("quote style of another attribute", "class='c'", "class=\"c\"", BYTES),
    page("quotes put around a value", "class=one", "class=\"one\"", BYTES),
    page("quotes taken from a value", "id=\"p\"", "id=p", BYTES),
    page("quote style of a link", "'http://h/z'", "\"http://h/z\"", BYTES),
    Fault::new("line ends", PAGE, Mutation::Bytes(with_line_feeds), BYTES),
    page("one line end", "<br/>\r\n", "<br/>\n", BYTES),
    page("an ampersand escaped", "\"a & b\"", "\"a &amp; b\"", BYTES),
    page("an ampersand unescaped", "Tea &amp; caf", "Tea & caf", BYTES),
    page("an ampersand of a changed link unescaped", "q=1&amp;r=2", "q=1&r=2", &["bytes", "target"]),
    page("a character reference replaced by its character", "caf&eacute;", "caf\u{e9}", BYTES),
    page("a character reference spelled otherwise", "caf&eacute;", "caf&#233;", BYTES),
    page("a second attribute of one name removed", " class=k class=l", " class=k", BYTES),
    page("an attribute dropped", " rel=nofollow", "", BYTES_AND_TREE),
    page("an attribute added", " rel=nofollow", " rel=nofollow target=_top", BYTES_AND_TREE),
    page("the value of another attribute", "rel=nofollow", "rel=noopener", BYTES_AND_TREE),
    page("order of attributes", "lang=\"en\" class='c'", "class='c' lang=\"en\"", BYTES_AND_TREE),
    page("case of a tag", "<HTML lang", "<html lang", BYTES),
    page("case of an end tag", "</HTML>", "</html>", BYTES),
    page("case of an attribute", " id=top", " ID=top", BYTES),
    page("the slash of a void element", "<br/>", "<br>", BYTES),
    page("white space in a tag", "<p  class", "<p class", BYTES),
    page("white space in an end tag", "</p >", "</p>", BYTES),
    page("a tag that the tree leaves out", "<td>misplaced</td>", "misplaced", BYTES),
    page("an end tag left out", "</body>\r\n", "\r\n", BYTES_AND_TREE),
    page("a comment dropped", "<!-- a comment -->", "", BYTES_AND_TREE),
    page("a comment changed", "a comment", "a remark", BYTES_AND_TREE),
    page("the doctype changed", "<!DOCTYPE html>", "<!DOCTYPE html SYSTEM \"about:legacy-compat\">", BYTES_AND_TREE),
    page("case of the doctype", "<!DOCTYPE html>", "<!doctype html>", BYTES),
    page("the doctype dropped", "<!DOCTYPE html>\r\n", "", BYTES_AND_TREE),
    page("the last line end dropped", "</HTML>\r\n", "</HTML>", BYTES_AND_TREE),
    page("something behind the end", "</HTML>\r\n", "</HTML>\r\n<!-- made by -->", BYTES_AND_TREE),
    page("a reference in a script", "href=\"in\"", "href=\"http://h/d/in\"", BYTES_AND_TREE),
    page("a reference in a text area", "href=\"held\"", "href=\"http://h/d/held\"", BYTES_AND_TREE),
    page("a reference in a comment", "href=\"hidden\"", "href=\"http://h/d/hidden\"", BYTES_AND_TREE),
    page("an attribute that is no link", "itemtype=\"kind\"", "itemtype=\"http://h/d/kind\"", BYTES_AND_TREE),
    page("an attribute that only scripts read", "\"lazy.png\"", "\"http://h/d/lazy.png\"", &["bytes", "kept"]),
    Fault::instead("byte order mark dropped", MARKED, "\u{feff}", "", &["bytes", "encoding"]),
    Fault::new("serialised anew", PAGE, Mutation::Bytes(serialised), BYTES_AND_TREE),
    Fault::new("nothing is left", PAGE, Mutation::Bytes(|_| Vec::new()), &["bytes", "links"]),
    Fault::new("cut off", PAGE, Mutation::Bytes(|honest| honest[..honest.len() / 2].to_vec()), &["bytes", "links"]),
    Fault::new("doubled", PAGE, Mutation::Bytes(|honest| honest.repeat(2)), &["bytes", "links"]),
];

fn with_line_feeds(honest: &[u8]) -> Vec<u8> {
    honest.iter().copied().filter(|byte| *byte != b'\r').collect()
}

/// As a parser and a serialiser would leave it.
fn serialised(honest: &[u8]) -> Vec<u8> {
    use html5ever::serialize::{SerializeOpts, serialize};
    use html5ever::tendril::TendrilSink;
    use markup5ever_rcdom::{RcDom, SerializableHandle};

    let tree = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default())
        .one(&*String::from_utf8_lossy(honest));
    let mut out = Vec::new();
    let written = serialize(&mut out, &SerializableHandle::from(tree.document), SerializeOpts::default());
    written.map(|()| out).unwrap_or_default()
}
