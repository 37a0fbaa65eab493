//! The marks of programs that save pages: the retrieval URL, and the original BASE.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use absolve_base::UrlSource;
use encoding_rs::{Encoding, UTF_8};
use memchr::memmem::Finder;

use crate::limits::MARKS;
use crate::provenance::retrieval::{Links, Saver, Scheme};
use crate::provenance::urls::is_page_url;
use crate::provenance::wayback;

/// A mark of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) source: UrlSource,
    pub(crate) url: Result<String, Unused>,
    pub(crate) links: Links,
    /// The BASE that the program disabled.
    pub(crate) base: Option<SavedBase>,
}

/// Why a mark gives no URL, what a user can mend first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unused {
    /// Its URL has no scheme.
    NoScheme,
    /// It declares another length than that of its URL.
    OtherLength,
    /// It names something else than an http or https URL of a page.
    NoPage,
    /// It names nothing.
    Empty,
}

/// The BASE of a page before it was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SavedBase {
    /// It was put into a comment.
    Commented(CommentedBase),
    /// Its `href` was removed.
    Lost,
}

/// A BASE in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentedBase {
    /// What its `href` declares.
    pub value: String,
    /// Its first byte in the page.
    pub byte: usize,
}

/// Returns the marks of an HTML page; `scheme` completes URLs without one.
pub(crate) fn marks_of(page: &[u8], scheme: Option<Scheme>) -> Vec<Mark> {
    let text = utf_8(page);
    let head = head(&text);
    let mut marks: Vec<Mark> = comments(head).filter_map(|comment| of_comment(&comment, scheme)).collect();
    marks.extend(of_attribute(head, &SAVE_PAGE_WE, UrlSource::SavePageWe, Links::AsRetrieved));
    marks.extend(of_attribute(head, &SCRAPBOOK, UrlSource::WebScrapBook, Links::Local(Saver::Extension)));
    marks.extend(wayback::page_url(head).map(|url| as_retrieved(UrlSource::Wayback, &url)));
    let commented = || {
        let base = commented_base(head)?;
        let byte = match text {
            Cow::Borrowed(_) => base.byte,
            Cow::Owned(_) => 2 + 2 * String::from_utf8_lossy(&head[..base.byte]).encode_utf16().count(),
        };
        Some(SavedBase::Commented(CommentedBase { byte, ..base }))
    };
    for mark in &mut marks {
        mark.base = match mark.source {
            UrlSource::MarkOfTheWeb => commented(),
            UrlSource::Httrack if memchr::memmem::find(head, b"<base >").is_some() => Some(SavedBase::Lost),
            _ => None,
        };
    }
    marks
}

static SAVE_PAGE_WE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("<meta name=\"savepage-url\" content=\""));

static SCRAPBOOK: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(" data-scrapbook-source=\""));

/// Returns a page in UTF-8 or ASCII-compatible bytes. Internet Explorer writes UTF-16 as "Unicode".
fn utf_8(page: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(page) {
        Some((encoding, mark)) if encoding != UTF_8 => {
            let text = encoding.decode_without_bom_handling(&page[mark..page.len().min(BYTES_OF_MARKS)]).0;
            Cow::Owned(text.into_owned().into_bytes())
        }
        _ => Cow::Borrowed(page),
    }
}

/// Bytes at the start of a file in which marks are searched; a character may have two.
pub const BYTES_OF_MARKS: usize = 2 * MARKS;

/// Returns the part before the body, up to the limit for marks.
fn head(page: &[u8]) -> &[u8] {
    let page = &page[..page.len().min(MARKS)];
    let is_body = |at: &usize| page.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"body"));
    let body = memchr::memchr_iter(b'<', page).find(is_body);
    &page[..body.unwrap_or(page.len())]
}

fn comments(head: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    ranges_of_comments(head).map(|range| String::from_utf8_lossy(&head[range]))
}

fn ranges_of_comments(head: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memmem::find(&head[at..], b"<!--")? + 4;
        let end = start + memchr::memmem::find(&head[start..], b"-->")?;
        at = end;
        Some(start..end)
    })
}

fn of_comment(comment: &str, scheme: Option<Scheme>) -> Option<Mark> {
    let text = comment.trim();
    let is_single_file =
        ["Page saved with SingleFile", "Archive processed by SingleFile"].iter().any(|start| text.starts_with(start));
    if is_single_file {
        let url = text.lines().find_map(|line| line.trim().strip_prefix("url:"))?;
        return Some(as_retrieved(UrlSource::SingleFile, url));
    }
    if let Some(rest) = text.strip_prefix("saved from url=(") {
        return of_the_web(rest);
    }
    if let Some(url) = text.strip_prefix("OriginalSrc:") {
        return Some(local(UrlSource::MaoXian, Saver::Extension, Ok(url)));
    }
    if text == "Added by HTTrack" {
        return Some(local(UrlSource::Httrack, Saver::Httrack, Err(Unused::Empty)));
    }
    if let Some((url, _)) = text.strip_prefix("Mirrored from ").and_then(|rest| rest.split_once(" by HTTrack ")) {
        let url = match scheme {
            _ if url.contains("://") => Ok(Cow::Borrowed(url)),
            Some(scheme) => Ok(format!("{}://{url}", scheme.name()).into()),
            None => Err(Unused::NoScheme),
        };
        return Some(local(UrlSource::Httrack, Saver::Httrack, url.as_deref().map_err(|why| *why)));
    }
    // `Saved from local source` marks a page that was a file before.
    let (url, program) = text.strip_prefix("Saved from ")?.split_once(" at ")?;
    program.contains(" using monolith").then(|| as_retrieved(UrlSource::Monolith, url))
}

/// Parses the mark of the web. The length is that of the URL in bytes or characters; with another one, the mark was
/// changed. A space in the URL belongs to it.
fn of_the_web(text: &str) -> Option<Mark> {
    let (length, url) = text.split_once(')')?;
    let url = url.trim();
    let length = length.parse().ok()?;
    let is_whole = [url.len(), url.chars().count()].contains(&length);
    // These are zones, not pages: written by authors, so that scripts may run, and by mail programs.
    const ZONES: [&str; 3] = ["about:internet", "http://internet.e-mail", "http://localhost"];
    if ZONES.iter().any(|zone| zone.eq_ignore_ascii_case(url.trim_end_matches('/'))) {
        return None;
    }
    let url = url.replace(' ', "%20");
    Some(local(UrlSource::MarkOfTheWeb, Saver::Browser, if is_whole { Ok(&url) } else { Err(Unused::OtherLength) }))
}

fn of_attribute(head: &[u8], attribute: &Finder<'_>, source: UrlSource, links: Links) -> Option<Mark> {
    let start = attribute.find(head)? + attribute.needle().len();
    let length = memchr::memchr(b'"', &head[start..])?;
    let url = str::from_utf8(&head[start..start + length]).ok()?.replace("&amp;", "&");
    Some(Mark { links, ..as_retrieved(source, &url) })
}

fn as_retrieved(source: UrlSource, url: &str) -> Mark {
    let url = Some(url.trim().to_owned()).filter(|url| is_page_url(url)).ok_or(Unused::NoPage);
    Mark { source, url, links: Links::AsRetrieved, base: None }
}

fn local(source: UrlSource, saver: Saver, url: Result<&str, Unused>) -> Mark {
    let url = url.and_then(|url| as_retrieved(source, url).url);
    Mark { source, url, links: Links::Local(saver), base: None }
}

/// Returns the BASE that Chrome and Firefox put into a comment.
fn commented_base(head: &[u8]) -> Option<CommentedBase> {
    const START: &[u8] = b"<base href=\"";
    ranges_of_comments(head).find_map(|range| {
        let comment = &head[range.clone()];
        let before = comment.len() - comment.trim_ascii_start().len();
        let trimmed = comment.trim_ascii();
        let is_base = trimmed.get(..START.len()).is_some_and(|start| start.eq_ignore_ascii_case(START));
        let value = is_base.then(|| &trimmed[START.len()..])?;
        let value = str::from_utf8(&value[..memchr::memchr(b'"', value)?]).ok()?;
        Some(CommentedBase { value: value.replace("&amp;", "&"), byte: range.start + before + START.len() })
    })
}

#[cfg(test)]
mod tests {
    use super::{CommentedBase, SavedBase, Scheme, Unused, UrlSource, marks_of};

    #[test]
    fn marks() {
        for (page, source, url) in [
            (
                "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://h/p?a=1 \n saved date: x\n--><head>",
                UrlSource::SingleFile,
                "https://h/p?a=1",
            ),
            (
                "<html><!--\n Archive processed by SingleFile \n url: http://h/ \n-->",
                UrlSource::SingleFile,
                "http://h/",
            ),
            (
                "<!-- Saved from https://h/a at 2026-11-20T09:58:56Z using monolith v2.12.0 -->\n<html>",
                UrlSource::Monolith,
                "https://h/a",
            ),
            (
                "<html><head><meta name=\"savepage-url\" content=\"http://h/?a&amp;b\">",
                UrlSource::SavePageWe,
                "http://h/?a&b",
            ),
            ("<!DOCTYPE html>\n<!-- saved from url=(0010)http://h/x -->\n", UrlSource::MarkOfTheWeb, "http://h/x"),
            ("<!-- saved from url=(0012)http://h/a b -->\n", UrlSource::MarkOfTheWeb, "http://h/a%20b"),
            ("<!-- saved from url=(0010)http://h/x/y -->\n", UrlSource::MarkOfTheWeb, ""),
            ("<html><!-- Added by HTTrack --><meta charset=utf-8>", UrlSource::Httrack, ""),
            ("<!-- saved from url=(0099)http://h/ -->", UrlSource::MarkOfTheWeb, ""),
            ("<html data-scrapbook-source=\"http://h/?a&amp;b\">", UrlSource::WebScrapBook, "http://h/?a&b"),
            ("<html><!-- OriginalSrc: http://h/x -->", UrlSource::MaoXian, "http://h/x"),
            ("<!-- Mirrored from h:8/a by HTTrack Website Copier/3.x [x], x -->", UrlSource::Httrack, "https://h:8/a"),
            ("<!-- Mirrored from http://h/a by HTTrack Website Copier/4 [x], x -->", UrlSource::Httrack, "http://h/a"),
            (
                "<head><script>__wm.wombat(\"http://h/x\",\"20080102030405\",\"https://web.archive.org/\",\"web\",\"/_static/\",\"1\");",
                UrlSource::Wayback,
                "https://web.archive.org/web/20080102030405/http://h/x",
            ),
            // No URL of a page.
            (
                "<!-- Saved from local source at 2026-11-20T09:58:56Z using monolith v2.12.0 -->",
                UrlSource::Monolith,
                "",
            ),
            ("<!--\n Page saved with SingleFile \n url: file:///home/x \n-->", UrlSource::SingleFile, ""),
            ("<!--\n Page saved with SingleFile \n url: javascript:x \n-->", UrlSource::SingleFile, ""),
            ("<!-- saved from url=(0009)file:///x -->", UrlSource::MarkOfTheWeb, ""),
            ("<html data-scrapbook-source=\"blob:http://h/x\">", UrlSource::WebScrapBook, ""),
        ] {
            let found = marks_of(page.as_bytes(), Some(Scheme::Https));
            let found: Vec<_> =
                found.iter().map(|mark| (mark.source, mark.url.as_deref().unwrap_or_default())).collect();
            assert_eq!(found, [(source, url)], "{page}");
        }
        for page in [
            "<html><body><!--\n Page saved with SingleFile \n url: http://h/ \n-->",
            "<!-- saved from url=(0014)about:internet -->",
            "<!-- saved from url=(0016)http://localhost -->",
            "<!-- saved from url=(0022)http://internet.e-mail -->",
            "<!-- saved from url=(0014)About:Internet -->",
            "<!-- Saved from here at noon -->",
            "",
        ] {
            assert!(marks_of(page.as_bytes(), None).is_empty(), "{page}");
        }
        let without_scheme = marks_of(b"<!-- Mirrored from h/a by HTTrack Website Copier/3.x [x], x -->", None);
        assert!(without_scheme.len() == 1 && without_scheme[0].url == Err(Unused::NoScheme));
    }

    #[test]
    fn the_base_that_chrome_has_put_into_a_comment() {
        let page = b"<!-- saved from url=(0009)http://h/ --><!--<base href=\"http://h/a&amp;b/\">--><base href=\".\">";
        let base = marks_of(page, None).remove(0).base;
        let expected = CommentedBase { value: "http://h/a&b/".to_owned(), byte: 55 };
        assert_eq!(base, Some(SavedBase::Commented(expected)));
    }
}
