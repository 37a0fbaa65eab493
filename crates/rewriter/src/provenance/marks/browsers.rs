//! What browsers write into a page that they save with its files.

use std::ops::Range;
use std::sync::LazyLock;

use absolve_base::UrlSource;
use memchr::memmem::{self, Finder};

use super::firefox::begins_as_by_firefox;
use super::mark::{CommentedBase, Mark, Unused, local};
use super::places::Places;
use crate::provenance::copy_names::{FOLDER_OF_FRAME, is_folder_of_copies, saver_of_copies};
use crate::provenance::retrieval::Saver;
use crate::provenance::urls::is_page_url;

/// What Chromium and QtWebEngine write behind the tag of the head.
const CHROMIUM: &[u8] = b"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=";

/// Returns whether Chromium or a program with its engine saved a page, whatever its mark names.
pub(super) fn is_saved_by_chromium(head: &[u8]) -> bool {
    begins_with(head, CHROMIUM)
}

/// Returns the mark of a page that Firefox saved, or perhaps saved: it names no URL. A BASE in a comment shows it, or names of copies.
pub(super) fn of_firefox(page: &[u8], places: &Places<'_>) -> Option<Mark> {
    if !begins_as_by_firefox(places.page) {
        return None;
    }
    let saver = commented_by_firefox(places).map_or_else(|| saver_in(page), |_| Some(Saver::Browser))?;
    Some(local(UrlSource::MarkOfTheWeb, saver, Err(Unused::Unmarked)))
}

/// Returns the BASE that a browser put into a comment.
pub(super) fn commented_base(places: &Places<'_>) -> Option<CommentedBase> {
    commented_by_chromium(places).or_else(|| commented_by_firefox(places).filter(|_| begins_as_by_firefox(places.page)))
}

/// Returns the BASE in a comment in front of the one that replaces it.
fn commented_by_chromium(places: &Places<'_>) -> Option<CommentedBase> {
    const REPLACED: &[u8] = b"--><base href=\".\"";
    let replaced = |text: Range<usize>| {
        let base = commented(&places.page[text.clone()], "<base href=\"", text.start)?;
        let is_replaced = places.page[text.end..].starts_with(REPLACED);
        is_replaced.then(|| CommentedBase { value: base.value.replace("&amp;", "&"), ..base })
    };
    places.in_comments(replaced).next()
}

/// Returns the first BASE in a comment. Firefox writes its URL, or that of the page if it has none.
fn commented_by_firefox(places: &Places<'_>) -> Option<CommentedBase> {
    let base_alone = |text: Range<usize>| {
        let comment = &places.page[text.clone()];
        let base = commented(comment, " base href=\"", text.start)?;
        let is_all = comment.len() == " base href=\"\" ".len() + base.value.len() && comment.ends_with(b" ");
        Some(base).filter(|base| is_all && is_page_url(&base.value))
    };
    places.in_comments(base_alone).next()
}

fn commented(comment: &[u8], start: &str, byte: usize) -> Option<CommentedBase> {
    let value = comment.strip_prefix(start.as_bytes())?;
    let value = str::from_utf8(&value[..memchr::memchr(b'"', value)?]).ok()?;
    Some(CommentedBase { value: value.to_owned(), byte: byte + start.len() })
}

/// Returns whether the head of a page begins with this element.
fn begins_with(head: &[u8], element: &[u8]) -> bool {
    static HEAD: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("<head"));
    let rest = HEAD.find(head).map(|start| &head[start..]);
    let rest = rest.and_then(|rest| Some(&rest[memchr::memchr(b'>', rest)? + 1..])).unwrap_or_default();
    rest.strip_prefix(b"\n").unwrap_or(rest).starts_with(element)
}

/// Returns the saver whose copies a page leads to.
fn saver_in(page: &[u8]) -> Option<Saver> {
    let values = memmem::find_iter(page, b"=\"").filter_map(|start| {
        let value = &page[start + 2..];
        str::from_utf8(&value[..memchr::memchr(b'"', value)?]).ok()
    });
    let is_folder = |folder: &str| is_folder_of_copies(folder) || folder.ends_with(FOLDER_OF_FRAME);
    saver_of_copies(
        values.filter_map(|value| value.split_once('/').filter(|(folder, _)| is_folder(folder))).map(|(_, name)| name),
    )
}

#[cfg(test)]
mod tests {
    use super::super::{CommentedBase, Links, SavedBase, Saver, Unused, marks_of};

    const FIREFOX: &str = "<html><head>\n<meta http-equiv=\"content-type\" content=\"text/html; charset=UTF-8\">";

    #[test]
    fn the_base_that_chrome_has_put_into_a_comment() {
        let page = b"<!-- saved from url=(0009)http://h/ --><!--<base href=\"http://h/a&amp;b/\">--><base href=\".\">";
        let base = marks_of(page, None).remove(0).base;
        let expected = CommentedBase { value: "http://h/a&b/".to_owned(), byte: 55 };
        assert_eq!(base, Some(SavedBase::Commented(expected)));
    }

    #[test]
    fn pages_that_firefox_saved() {
        for (text, base) in [
            ("<!-- base href=\"http://h/a&b/\" -->", Some("http://h/a&b/")),
            ("<!-- base href=\"http://h/a/\" --><!-- base href=\"http://h/b/\" -->", Some("http://h/a/")),
            ("<body><img src=\"p_files/a_o-e6.png\"><img srcset=\"p_files/b_o-e6.png 2x\">", None),
            ("<script src=\"p_files/m_wU58.js\"></script><script src=\"p_files/api_wU58\">", None),
            ("<body><script src=\"p_files/lib_qXjm\">", None),
            ("<body><img src=\"Seite-Dateien/sp%20ace_fSxz.png\">", None),
            ("<body><img srcset=\"le%20n_data/a_fSxz.png 1x, le%20n_data/b_fSxz.png 2x\">", None),
            ("<body><img src=\"p_files/a_abcd.png\"><img src=\"p_files/b_abcd.png\">", None),
        ] {
            let mark = marks_of(format!("{FIREFOX}{text}").as_bytes(), None).remove(0);
            let saver = if text.contains("abcd") { Saver::PerhapsBrowser } else { Saver::Browser };
            assert_eq!(mark.links, Links::Local(saver), "{text}");
            let found = mark.base.as_ref().map(|base| match base {
                SavedBase::Commented(base) => &*base.value,
                _ => "",
            });
            assert_eq!((mark.url, found), (Err(Unused::Unmarked), base), "{text}");
        }
    }

    #[test]
    fn pages_that_look_like_it() {
        for page in [
            "<html><head><title>t</title><!-- base href=\"http://h/a/\" -->".to_owned(),
            format!("{FIREFOX}<!-- base href=\"/a/\" -->"),
            format!("{FIREFOX}<!-- base href=\"http://h/a/\" target=\"x\" -->"),
            format!("{FIREFOX}<!--<base href=\"http://h/a/\">-->"),
            format!("{FIREFOX}<body><!-- base href=\"http://h/a/\" -->"),
            format!("{FIREFOX}<body><img src=\"my_files/my_logo.png\"><img src=\"my_files/pic_2024.png\">"),
            format!("{FIREFOX}<body><img src=\"p_files/a_Ab1C.png\"><img src=\"p_files/b_Ab1D.png\">"),
            format!("{FIREFOX}<body><img src=\"img/a_Ab1C.png\">"),
        ] {
            assert!(marks_of(page.as_bytes(), None).is_empty(), "{page}");
        }
    }
}
