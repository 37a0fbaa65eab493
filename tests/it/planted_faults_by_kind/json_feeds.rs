//! JSON Feed.

use crate::planted_faults::fault::{Fault, Files, Original, Rules};

const FEED: Original = Original {
    files: Files::Text(
        "feed.json",
        r#"{
  "version": "https://jsonfeed.org/version/1.1", "title": "T \u00e9",
  "home_page_url": "\/", "icon": "i.png", "_x": {"url": "x"},
  "hubs": [{"type": "WebSub", "url": "hub"}],
  "items": [
    {"id": "/1", "url": "p\/1", "content_html": "<p class=\"k\">\u003ca href=\"in?a&amp;b\">\n<img src='\ud83d\ude00.png'>",
     "authors": [{"name": "A", "url": "a"}], "tags": ["t", "u"]},
    {"id": "/2", "url": "p/2", "content_text": "<a href=x>", "attachments": [{"url": "s.mp3", "size_in_bytes": 5}]}
  ]
}
"#,
    ),
    flags: &["--url", "http://h/d/feed.json"],
};

const BYTES: Rules = &["bytes"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const LEFT: Rules = &["kept", "bytes", "links"];
const LINKS: Rules = &["links", "bytes", "relative"];

const fn feed(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, FEED, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    feed("JSON Feed, target: of a member", "http://h/d/i.png", "http://h/i.png", TARGET),
    feed("JSON Feed, target: of the page of an item", "http://h/d/p/2", "http://h/d/p/3", TARGET),
    feed("JSON Feed, target: of HTML", "http://h/d/in?a", "http://h/in?a", TARGET),
    feed("JSON Feed, target: another surrogate", "\\ude00.png", "\\ude01.png", TARGET),
    feed("JSON Feed, link: a member left", "http://h/d/hub", "hub", RELATIVE),
    feed("JSON Feed, link: of HTML left", "http://h/d/in?", "in?", RELATIVE),
    feed("JSON Feed, link: the name of an item", "\"id\": \"/1\"", "\"id\": \"http://h/1\"", LEFT),
    feed("JSON Feed, link: of text", "<a href=x>", "<a href=http://h/d/x>", LEFT),
    feed("JSON Feed, link: of an extension", "\"url\": \"x\"", "\"url\": \"http://h/d/x\"", LEFT),
    feed("JSON Feed, escape: of a title", "T \\u00e9", "T é", BYTES),
    feed("JSON Feed, escape: of a slash", "http://h/d/p\\/1", "http://h/d/p/1", &["bytes", "target"]),
    feed("JSON Feed, escape: of a tag", "\\u003ca", "<a", BYTES),
    feed("JSON Feed, escape: a quote of HTML dropped", "<p class=\\\"k\\\">", "<p class=k>", BYTES),
    feed("JSON Feed, escape: a line end of HTML", "\\n<img", "\\r\\n<img", BYTES),
    feed("JSON Feed, member: another name", "\"icon\"", "\"favicon\"", BYTES),
    feed("JSON Feed, member: twice", "\"icon\": ", "\"icon\": \"http://h/d/j\", \"icon\": ", LINKS),
    feed("JSON Feed, member: one dropped", ", \"tags\": [\"t\", \"u\"]", "", BYTES),
    feed("JSON Feed, member: a number", "\"size_in_bytes\": 5", "\"size_in_bytes\": 5.0", BYTES),
    feed("JSON Feed, white space: between members", "\", \"icon", "\",\"icon", BYTES),
    feed("JSON Feed, white space: the last line end", "\n}\n", "\n}", BYTES),
    feed("JSON Feed, white space: of HTML", "<p class", "<p  class", BYTES),
    feed("JSON Feed, added: an item", "\"items\": [", "\"items\": [{\"url\": \"http://h/d/n\"},", LINKS),
    feed("JSON Feed, added: an element of HTML", "<p class", "<a href='http://h/d/n'><p class", LINKS),
    feed("JSON Feed, missing: an author", "{\"name\": \"A\", \"url\": \"http://h/d/a\"}", "", LINKS),
];
