//! Markdown.

use crate::planted_faults::fault::{Fault, Files, Original, Rules};

const PAGE: Original = Original {
    files: Files::Text(
        "page.md",
        r#"---
image: a.png
title: T
---
# One [two](b(c).md "Title") *three*

![four](d.png 'five') [six][seven] <https://h/x> `[eight](e)`

> quoted <img src="f.png" alt='g'> [nine](<h i.md>)

```sh
[ten](j) <img src=k>
```

<div class=l>
  <a href='m'>eleven</a>
</div>

| n | o |
|---|---|
| [twelve](p\_q) | r[^1] |

[seven]: s "Thirteen"
[^1]: [fourteen](t)
"#,
    ),
    flags: &["--url", "http://h/d/page.md"],
};

const WITH_FRONT_MATTER: Original =
    Original { flags: &["--url", "http://h/d/page.md", "--groups", "core,front-matter"], ..PAGE };

const BYTES: Rules = &["bytes"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const LEFT: Rules = &["kept", "bytes", "links"];
const LINKS: Rules = &["links", "bytes", "relative"];
const TITLE: Rules = &["bytes", "target", "links"];

const fn page(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, PAGE, from, to, rules)
}

const fn with_front_matter(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, WITH_FRONT_MATTER, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    page("Markdown, target: of a link", "http://h/d/b(c).md", "http://h/b(c).md", TARGET),
    page("Markdown, target: a parenthesis", "http://h/d/b(c).md", "http://h/d/b(d).md", TARGET),
    page("Markdown, target: of an image", "http://h/d/d.png", "http://h/d/c.png", TARGET),
    page("Markdown, target: in brackets", "<http://h/d/h i.md>", "<http://h/d/h%20%20i.md>", TARGET),
    page("Markdown, target: of a definition", "http://h/d/s", "http://h/s", TARGET),
    page("Markdown, target: of a footnote", "http://h/d/t", "http://h/t", TARGET),
    page("Markdown, target: of a tag", "http://h/d/f.png", "http://h/f.png", TARGET),
    page("Markdown, target: in a block of HTML", "http://h/d/m", "http://h/m", TARGET),
    page("Markdown, target: of an autolink", "<https://h/x>", "<https://h/y>", LEFT),
    page("Markdown, link: one left", "http://h/d/b(c).md", "b(c).md", RELATIVE),
    page("Markdown, link: a definition left", "http://h/d/s", "s", RELATIVE),
    page("Markdown, link: of a tag left", "http://h/d/f.png", "f.png", RELATIVE),
    page("Markdown, link: of code", "`[eight](e)`", "`[eight](http://h/d/e)`", LEFT),
    page("Markdown, link: of a block of code", "[ten](j)", "[ten](http://h/d/j)", LEFT),
    page("Markdown, link: a tag in code", "<img src=k>", "<img src=http://h/d/k>", LEFT),
    page("Markdown, link: of front matter", "image: a.png", "image: http://h/d/a.png", LEFT),
    page("Markdown, text: of a heading", "# One", "# Two", BYTES),
    page("Markdown, text: of a link", "[two]", "[TWO]", BYTES),
    page("Markdown, text: front matter", "title: T", "title: U", BYTES),
    page("Markdown, title: another", "\"Title\"", "\"Titel\"", TITLE),
    page("Markdown, title: other quotes", "'five'", "\"five\"", TITLE),
    page("Markdown, title: dropped", " \"Thirteen\"", "", TITLE),
    page("Markdown, label: another", "[six][seven]", "[six][eight]", LINKS),
    page("Markdown, form: emphasis", "*three*", "_three_", BYTES),
    page("Markdown, form: brackets", "(<http://h/d/h i.md>)", "(http://h/d/h%20i.md)", TITLE),
    page("Markdown, form: an escape", "p\\_q", "p_q", TITLE),
    page("Markdown, form: a link becomes code", "[nine](<http://h/d/h i.md>)", "`[nine](<http://h/d/h i.md>)`", LINKS),
    page("Markdown, form: a quote ends", "> quoted", "quoted", LINKS),
    page("Markdown, white space: two at the end of a line", "*three*\n", "*three*  \n", BYTES),
    page("Markdown, white space: a line end", "```sh\n", "```sh\r\n", BYTES),
    page("Markdown, attribute: quotes", "alt='g'", "alt=\"g\"", BYTES),
    page("Markdown, attribute: one dropped", "<div class=l>", "<div>", BYTES),
    page("Markdown, added: a link", "*three*", "*three* [x](http://h/d/x)", LINKS),
    page("Markdown, added: a definition", "[^1]: ", "[y]: http://h/d/y\n[^1]: ", LINKS),
    page("Markdown, missing: an image", "![four](http://h/d/d.png 'five') ", "", LINKS),
    page("Markdown, missing: a row", "| [twelve](http://h/d/p\\_q) | r[^1] |\n", "", LINKS),
    with_front_matter("Markdown, target: of front matter", "http://h/d/a.png", "http://h/a.png", TARGET),
    with_front_matter("Markdown, link: of front matter left", "http://h/d/a.png", "a.png", RELATIVE),
    with_front_matter("Markdown, key: of front matter", "image: ", "cover: ", LINKS),
];
