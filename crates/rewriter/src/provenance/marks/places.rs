//! Where in a page programs write their marks: in front of the body, in comments, scripts and tags.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use absolve_links::Head;
use memchr::memmem::{self, Finder};

use crate::limits::MARKS;

/// The part of a page in front of its body. Most pages have no text there that looks like a mark, and are not read as HTML for it.
pub(super) struct Places<'p> {
    /// The page, up to the limit for marks.
    pub(super) page: &'p [u8],
    /// What may be in front of the body.
    pub(super) text: &'p [u8],
    head: OnceCell<Head>,
}

static COMMENT: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("<!--"));

impl<'p> Places<'p> {
    pub(super) fn of(page: &'p [u8]) -> Self {
        let page = &page[..page.len().min(MARKS)];
        Self { page, text: &page[..end_of_head(page)], head: OnceCell::new() }
    }

    fn head(&self) -> &Head {
        self.head.get_or_init(|| Head::of(self.page))
    }

    /// Returns what `of` makes of comments, whose texts are at these bytes of the page. Only for a text that it makes something of, the page
    /// is read as HTML.
    pub(super) fn in_comments<T>(&self, of: impl Fn(Range<usize>) -> Option<T>) -> impl Iterator<Item = T> {
        COMMENT.find_iter(self.text).filter_map(move |open| {
            let start = open + COMMENT.needle().len();
            let text = start..start + comment_length(&self.page[start..])?;
            of(text.clone()).filter(|_| self.head().comments.contains(&text))
        })
    }

    /// Returns the texts of scripts from a byte on.
    pub(super) fn scripts(&self, from: usize) -> impl Iterator<Item = &'p [u8]> {
        self.head().scripts.iter().filter(move |range| range.start >= from).map(|range| &self.page[range.clone()])
    }

    /// Returns what follows a text in scripts, up to the end of the script.
    pub(super) fn in_scripts(&self, text: &Finder<'_>) -> impl Iterator<Item = &'p [u8]> {
        let is_there = text.find(self.text).is_some();
        let scripts = is_there.then(|| self.scripts(0)).into_iter().flatten();
        scripts.filter_map(move |script| Some(&script[text.find(script)? + text.needle().len()..]))
    }

    /// Returns whether a tag begins with a text, and what follows the text.
    pub(super) fn of_tag(&self, text: &Finder<'_>) -> Option<&'p [u8]> {
        let at = text.find_iter(self.text).find(|at| self.head().tags.contains(at))?;
        Some(&self.text[at + text.needle().len()..])
    }

    /// Returns what follows a text with which an attribute of the `html` element begins, behind the white space in front of it.
    pub(super) fn of_html(&self, text: &Finder<'_>) -> Option<&'p [u8]> {
        let names = |at: usize| self.head().html_attributes.iter().any(|name| name.start == at + 1);
        let at = text.find_iter(self.text).find(|at| names(*at))?;
        Some(&self.text[at + text.needle().len()..])
    }
}

/// Returns the length of the text of a comment, up to `-->` or `--!>`.
fn comment_length(text: &[u8]) -> Option<usize> {
    let ends = |at: &usize| matches!(&text[at + 2..], [b'>', ..] | [b'!', b'>', ..]);
    memmem::find_iter(text, b"--").find(ends)
}

/// Returns the end of the part that may be in front of the body. The tag of a body within a comment, a script, a style or a title is none. Where
/// these are none themselves, the part is too long.
fn end_of_head(page: &[u8]) -> usize {
    const TEXTS: [(&[u8], &[u8]); 4] =
        [(b"!--", b"-->"), (b"script", b"</script"), (b"style", b"</style"), (b"title", b"</title")];
    let (mut text_end, mut is_open) = (0, [false; TEXTS.len()]);
    for open in memchr::memchr_iter(b'<', page) {
        if open < text_end {
            continue;
        }
        let rest = &page[open + 1..];
        if begins_with(rest, b"body") {
            return open;
        }
        let Some(index) = TEXTS.iter().position(|(start, _)| begins_with(rest, start)) else { continue };
        // Only once is the page searched in vain.
        if !is_open[index] {
            let length = memmem::find(rest, TEXTS[index].1);
            is_open[index] = length.is_none();
            text_end = open + 1 + length.unwrap_or(0);
        }
    }
    page.len()
}

fn begins_with(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::super::marks_of;

    const COMMENTS: [&str; 6] = [
        "<!-- saved from url=(0010)http://h/x -->",
        "<!-- Saved from https://h/a at 2026-11-20T09:58:56Z using monolith v2.12.0 -->",
        "<!--\n Page saved with SingleFile \n url: http://h/ \n-->",
        "<!-- Mirrored from h/a by HTTrack Website Copier/3.x [x], x -->",
        "<!-- Added by HTTrack -->",
        "<!-- OriginalSrc: http://h/x -->",
    ];

    const SCRIPT: &str = "__wm.wombat('http://h/x','20080102030405','https://web.archive.org/','web')";

    const META: &str = "<meta name=\"savepage-url\" content=\"http://h/\">";

    const HTML: &str = " data-scrapbook-source=\"http://h/\"";

    fn count(page: &str) -> usize {
        marks_of(page.as_bytes(), None).len()
    }

    #[test]
    fn comments_count_in_front_of_the_body() {
        for comment in COMMENTS {
            for before in [
                "",
                "<!DOCTYPE html>\n",
                "<html><head><title>&lt;body></title>",
                "<!-- <body> -->",
                "<title><body></title>",
                "<style>/* <body> */</style>",
                "<script>document.write('<body>')</script>",
                "<script>'<!--'</script>",
                "<noscript><img></noscript>",
            ] {
                assert_eq!(count(&format!("{before}{comment}</head><body>")), 1, "{before}{comment}");
            }
            for (before, after) in [
                ("<p>x", ""),
                ("<div>", "<body>"),
                ("<script>x = '", "'</script>"),
                ("<title>", "</title>"),
                ("<style>", "</style>"),
                ("<textarea>", "</textarea>"),
                ("<xmp>", "</xmp>"),
                ("<template>", "</template>"),
                ("<noscript>", "</noscript>"),
                ("<meta content='", "'>"),
                ("<iframe srcdoc='", "'>"),
                ("<!-- <!-- x", ""),
            ] {
                assert_eq!(count(&format!("<html><head>{before}{comment}{after}")), 0, "{before}{comment}");
            }
        }
    }

    #[test]
    fn scripts_and_attributes_count_as_themselves() {
        let script = format!("<script>{SCRIPT}</script>");
        for page in [
            format!("<html><head>{script}"),
            format!("<!-- <body> {script} -->{script}"),
            format!("<title><body></title>{META}"),
            format!("<meta content='{META}'>{META}"),
            format!("<!-- <html> --><html lang=x{HTML}>"),
        ] {
            assert_eq!(count(&page), 1, "{page}");
        }
        for page in [
            format!("<!-- {script} --><p>"),
            format!("<title>{SCRIPT}</title>"),
            format!("<style>{SCRIPT}</style>"),
            format!("<template>{script}</template>"),
            format!("<p>{script}"),
            format!("<script></script>{SCRIPT}"),
            format!("<meta content='{META}'>"),
            format!("<!-- {META} -->"),
            format!("<script>'{META}'</script>"),
            format!("<p>{META}"),
            format!("<!-- <html{HTML}> --><html>"),
            format!("<html title='{HTML}'>"),
            format!("<html><link{HTML}>"),
        ] {
            assert_eq!(count(&page), 0, "{page}");
        }
    }
}
