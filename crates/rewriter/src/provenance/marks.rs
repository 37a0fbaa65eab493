//! The marks of programs that save pages: the retrieval URL, and the original BASE.

mod browsers;
mod comments;
mod firefox;
mod mark;
mod places;
mod scripts;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use absolve_base::UrlSource;
use encoding_rs::{Encoding, UTF_8};
use memchr::memmem::Finder;

use comments::{of_comment, of_lynx};
use firefox::begins_as_by_firefox;
pub use mark::{CommentedBase, SavedBase};
pub(crate) use mark::{Mark, Unused};
use mark::{as_retrieved, of_copy};
use places::Places;

use crate::limits::MARKS;
use crate::provenance::copy_names::saver_of_copies;
use crate::provenance::retrieval::{Links, Saver, Scheme};
use crate::provenance::wayback::{self, ArchivePrefix};

/// Returns the marks of an HTML page; `scheme` completes URLs without one.
pub(crate) fn marks_of(page: &[u8], scheme: Option<Scheme>) -> Vec<Mark> {
    let text = utf_8(page);
    let places = Places::of(&text);
    let in_comment = |text: Range<usize>| of_comment(&String::from_utf8_lossy(&places.page[text]), scheme);
    let mut marks: Vec<Mark> = places.in_comments(in_comment).collect();
    let of_page = places.of_tag(&SAVE_PAGE_WE).and_then(|url| of_attribute(url, UrlSource::SavePageWe));
    marks.extend(of_page.map(|mark| Mark { links: Links::AsRetrieved, ..mark }));
    let of_page = places.of_html(&SCRAPBOOK).and_then(|url| of_attribute(url, UrlSource::WebScrapBook));
    marks.extend(of_page.map(|mark| Mark { links: Links::Local(Saver::Extension), ..mark }));
    marks.extend(
        places
            .in_scripts(&WOMBAT)
            .find_map(wayback::page_url)
            .map(|url| of_copy(UrlSource::Wayback, &url, ArchivePrefix::of_wayback_machine())),
    );
    marks.extend(scripts::of_replay(&places));
    marks.extend(of_lynx(places.text));
    // What Firefox saves may have marks already. What it perhaps saved is a page of the program that certainly did.
    let of_firefox = browsers::of_firefox(&text, &places);
    let is_local = |mark: &Mark| matches!(mark.links, Links::Local(_));
    if let Some(mark) = of_firefox
        && (mark.links == Links::Local(Saver::Browser) || !marks.iter().any(is_local))
    {
        marks.insert(0, mark);
    }
    marks.retain(|mark| mark.url != Err(Unused::Private) || browsers::is_saved_by_chromium(places.text));
    add_bases(&mut marks, &places, matches!(text, Cow::Owned(_)));
    marks
}

/// Adds to marks what the programs did to the BASE of the page, which may be UTF-16 in the file.
fn add_bases(marks: &mut [Mark], places: &Places<'_>, is_utf_16: bool) {
    static LOST: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("<base >"));
    let commented = || {
        let base = browsers::commented_base(places)?;
        let byte = match is_utf_16 {
            false => base.byte,
            true => 2 + 2 * String::from_utf8_lossy(&places.page[..base.byte]).encode_utf16().count(),
        };
        Some(SavedBase::Commented(CommentedBase { byte, ..base }))
    };
    for mark in marks {
        mark.base = match mark.source {
            UrlSource::MarkOfTheWeb => commented(),
            UrlSource::Httrack if places.of_tag(&LOST).is_some() => Some(SavedBase::Lost),
            UrlSource::SingleFile | UrlSource::Warc2zim => Some(SavedBase::Dropped),
            UrlSource::Lynx => Some(SavedBase::Second),
            _ => None,
        };
    }
}

static SAVE_PAGE_WE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("<meta name=\"savepage-url\" content=\""));

static SCRAPBOOK: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(" data-scrapbook-source=\""));

static WOMBAT: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("__wm.wombat("));

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

/// Returns the saver if Firefox, or perhaps Firefox, saved a page next to copies with these names.
pub fn saved_by_firefox<'n>(page: &[u8], copies: impl Iterator<Item = &'n str>) -> Option<Saver> {
    if begins_as_by_firefox(page) { saver_of_copies(copies) } else { None }
}

/// Returns the mark that names the URL which an attribute begins with; the URL ends at the quote.
fn of_attribute(value: &[u8], source: UrlSource) -> Option<Mark> {
    let length = memchr::memchr(b'"', value)?;
    let url = str::from_utf8(&value[..length]).ok()?.replace("&amp;", "&");
    Some(as_retrieved(source, &url))
}

#[cfg(test)]
mod tests {
    use super::{Scheme, Unused, UrlSource, marks_of};

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
            (
                "<!-- X-URL: http://h/p?a&b -->\n<!-- Date: x -->\n<BASE HREF=\"http://h/\">\n\n<html>",
                UrlSource::Lynx,
                "http://h/p?a&b",
            ),
            ("<!-- saved from url=(0012)about:srcdoc -->\n<html>", UrlSource::MarkOfTheWeb, ""),
            (
                "<!-- saved from url=(0014)about:internet -->\n<html><head><meta http-equiv=\"Content-Type\" \
                 content=\"text/html; charset=UTF-8\">",
                UrlSource::MarkOfTheWeb,
                "",
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
            "<!-- X-URL: http://h/p -->\n<html><BASE HREF=\"http://h/\">",
            "<html><!-- X-URL: http://h/p -->\n<BASE HREF=\"http://h/\">",
            "",
        ] {
            assert!(marks_of(page.as_bytes(), None).is_empty(), "{page}");
        }
        let without_scheme = marks_of(b"<!-- Mirrored from h/a by HTTrack Website Copier/3.x [x], x -->", None);
        assert!(without_scheme.len() == 1 && without_scheme[0].url == Err(Unused::NoScheme));
    }
}
