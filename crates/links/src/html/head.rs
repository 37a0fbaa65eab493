//! What stands in front of the body of a page.

use std::cell::Cell;
use std::ops::Range;

use super::feedback::Feedback;
use super::special::{Special, special};
use super::token::{Content, StartTag};
use super::tokenizer::{Visitor, tokenize};
use crate::markup::attributes::Attribute;
use crate::markup::name::Name;

/// The comments, scripts and tags in front of the body of a page. Text that looks like one of these within a script, style, title, template,
/// `noscript` or value of an attribute is not listed. Ranges are bytes of the page.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Head {
    /// The texts of whole comments.
    pub comments: Vec<Range<usize>>,
    /// The texts of scripts.
    pub scripts: Vec<Range<usize>>,
    /// The first bytes of start tags.
    pub tags: Vec<usize>,
    /// The names of the attributes of the `html` element. Each tag of this element may add some.
    pub html_attributes: Vec<Range<usize>>,
}

impl Head {
    /// Reads a page up to its body.
    ///
    /// ```
    /// let page = b"<!-- <body> --><html x><script>'<!-- a -->'</script><p><!-- b -->";
    /// let head = absolve_links::Head::of(page);
    /// assert_eq!((head.comments, head.scripts, head.tags), (vec![4..12], vec![31..43], vec![15, 23]));
    /// ```
    pub fn of(page: &[u8]) -> Self {
        read(page, Until::Body)
    }

    /// Reads a page up to its first tag.
    ///
    /// ```
    /// let head = absolve_links::Head::to_first_tag(b"<!-- x --><html a><b>");
    /// assert_eq!((head.tags, head.html_attributes), (vec![10], vec![16..17]));
    /// ```
    pub fn to_first_tag(page: &[u8]) -> Self {
        read(page, Until::FirstTag)
    }
}

/// How far a page is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Body,
    FirstTag,
}

fn read(page: &[u8], until: Until) -> Head {
    let state = State { page, until, templates: Cell::new(0), is_done: Cell::new(false) };
    let mut reader = Reader { state: &state, attributes: Vec::new(), is_script: false, head: Head::default() };
    tokenize(page, 0, &mut &state, &mut reader);
    reader.head
}

struct State<'p> {
    page: &'p [u8],
    until: Until,
    templates: Cell<usize>,
    is_done: Cell<bool>,
}

const SCRIPT: Name = Name::of("script");
const HTML: Name = Name::of("html");

/// The elements that begin no body.
const OF_HEAD: [Name; 13] =
    Name::of_words("html head meta link title base style script noscript template basefont bgsound noframes");

impl Feedback for &State<'_> {
    fn start_tag(&mut self, _document: &[u8], tag: &StartTag) -> Content {
        let in_template = self.templates.get() > 0;
        if !in_template && !OF_HEAD.contains(&tag.element) {
            self.is_done.set(true);
            return Content::Markup;
        }
        match special(tag.element) {
            Some(Special::Text(content)) => content,
            // Where scripts run, its content is text.
            Some(Special::Noscript) if !in_template => Content::RawText,
            Some(Special::Template) => {
                self.templates.update(|open| open + 1);
                Content::Markup
            }
            _ => Content::Markup,
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        match self.templates.get() {
            0 => self.is_done.set(["body", "html", "br"].iter().any(|end| name.eq_ignore_ascii_case(end.as_bytes()))),
            open => self.templates.set(open - usize::from(name.eq_ignore_ascii_case(b"template"))),
        }
    }

    fn is_done(&self) -> bool {
        self.is_done.get()
    }
}

struct Reader<'s, 'p> {
    state: &'s State<'p>,
    /// Those of the last tag.
    attributes: Vec<Range<usize>>,
    is_script: bool,
    head: Head,
}

impl Reader<'_, '_> {
    fn is_in_head(&self) -> bool {
        !self.state.is_done.get() && self.state.templates.get() == 0
    }
}

impl Visitor for Reader<'_, '_> {
    fn element(&mut self, _element: Name, _name: Range<usize>) {
        self.attributes.clear();
    }

    fn attribute(&mut self, attribute: Attribute) {
        self.attributes.push(attribute.name_range);
    }

    fn start_tag(&mut self, tag: &StartTag, _content: Content) {
        self.is_script = tag.element == SCRIPT && self.is_in_head();
        if self.is_in_head() && tag.element == HTML {
            self.head.html_attributes.append(&mut self.attributes);
        }
        if self.is_in_head() {
            self.head.tags.push(tag.range.start);
        }
        if self.state.until == Until::FirstTag {
            self.state.is_done.set(true);
        }
    }

    fn comment(&mut self, text: Range<usize>) {
        let inner = &self.state.page[text.clone()];
        let inner = inner.strip_suffix(b"-->").or_else(|| inner.strip_suffix(b"--!>"));
        if let Some(inner) = inner.filter(|_| self.is_in_head()) {
            self.head.comments.push(text.start..text.start + inner.len());
        }
    }

    fn raw_text(&mut self, text: Range<usize>) {
        if self.is_script {
            self.head.scripts.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn comments_in_front_of_the_body() {
        const MARK: &str = "<!--m-->";
        for (before, is_found) in [
            ("", true),
            ("<!DOCTYPE html><html><head><meta><link>", true),
            ("<!-- <body> --><title><body></title><script>'<body>'</script>", true),
            ("<meta content='<body>'>", true),
            ("<noscript><img></noscript>", true),
            ("<template><p></template>", true),
            ("</head>", true),
            ("<title>", false),
            ("<STYLE>", false),
            ("<script>'", false),
            ("<textarea>", false),
            ("<template>", false),
            ("<template><template></template>", false),
            ("<noscript>", false),
            ("<xmp>", false),
            ("<meta content='", false),
            ("<p>", false),
            ("<body>", false),
            ("<frameset>", false),
            ("</body>", false),
            ("<!-- ", false),
        ] {
            let page = format!("{before}{MARK}");
            let comments = Head::of(page.as_bytes()).comments;
            assert_eq!(comments.iter().any(|range| &page[range.clone()] == "m"), is_found, "{before}");
        }
        assert!(Head::of(b"<!--m--!>").comments.len() == 1 && Head::of(b"<!--m").comments.is_empty());
    }

    #[test]
    fn scripts_are_elements() {
        assert_eq!(Head::of(b"<script>a</script><script>b").scripts, [8..9, 26..27]);
        for page in [
            "<!-- <script>a</script> -->",
            "<title><script>a</title>",
            "<template><script>a",
            "<p><script>a",
            "<style>a",
        ] {
            assert!(Head::of(page.as_bytes()).scripts.is_empty(), "{page}");
        }
    }
}
