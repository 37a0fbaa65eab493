//! What browsers write into a page that they save with its files.

use absolve_base::UrlSource;
use memchr::memmem;

use super::comments::ranges_of_comments;
use super::mark::{CommentedBase, Mark, Unused, local};
use crate::provenance::local_copies::is_folder_of_copies;
use crate::provenance::retrieval::Saver;
use crate::provenance::urls::is_page_url;

/// What Chromium and QtWebEngine write behind the tag of the head.
const CHROMIUM: &[u8] = b"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=";

/// What Firefox writes there.
const FIREFOX: &[u8] = b"<meta http-equiv=\"content-type\" content=\"text/html; charset=";

/// Returns whether Chromium or a program with its engine saved a page, whatever its mark names.
pub(super) fn is_saved_by_chromium(head: &[u8]) -> bool {
    begins_with(head, CHROMIUM)
}

/// Returns the mark of a page that Firefox saved: it names no URL. A BASE in a comment shows it, or names of copies.
pub(super) fn of_firefox(page: &[u8], head: &[u8]) -> Option<Mark> {
    let is_saved = begins_with(head, FIREFOX) && (commented_by_firefox(head).is_some() || leads_to_copies(page));
    is_saved.then(|| local(UrlSource::MarkOfTheWeb, Saver::Browser, Err(Unused::Unmarked)))
}

/// Returns the BASE that a browser put into a comment.
pub(super) fn commented_base(head: &[u8]) -> Option<CommentedBase> {
    commented_by_chromium(head).or_else(|| commented_by_firefox(head).filter(|_| begins_with(head, FIREFOX)))
}

/// Returns the BASE in a comment in front of the one that replaces it.
fn commented_by_chromium(head: &[u8]) -> Option<CommentedBase> {
    const REPLACED: &[u8] = b"--><base href=\".\"";
    ranges_of_comments(head).filter(|range| head[range.end..].starts_with(REPLACED)).find_map(|range| {
        let base = commented(&head[range.clone()], "<base href=\"", range.start)?;
        Some(CommentedBase { value: base.value.replace("&amp;", "&"), ..base })
    })
}

/// Returns the first BASE in a comment. Firefox writes its URL, or that of the page if it has none.
fn commented_by_firefox(head: &[u8]) -> Option<CommentedBase> {
    ranges_of_comments(head).find_map(|range| {
        let comment = &head[range.clone()];
        let base = commented(comment, " base href=\"", range.start)?;
        let is_all = comment.len() == " base href=\"\" ".len() + base.value.len() && comment.ends_with(b" ");
        Some(base).filter(|base| is_all && is_page_url(&base.value))
    })
}

fn commented(comment: &[u8], start: &str, byte: usize) -> Option<CommentedBase> {
    let value = comment.strip_prefix(start.as_bytes())?;
    let value = str::from_utf8(&value[..memchr::memchr(b'"', value)?]).ok()?;
    Some(CommentedBase { value: value.to_owned(), byte: byte + start.len() })
}

/// Returns whether the head of a page begins with this element.
fn begins_with(head: &[u8], element: &[u8]) -> bool {
    let rest = memmem::find(head, b"<head").map(|start| &head[start..]);
    let rest = rest.and_then(|rest| Some(&rest[memchr::memchr(b'>', rest)? + 1..])).unwrap_or_default();
    rest.strip_prefix(b"\n").unwrap_or(rest).starts_with(element)
}

/// Returns whether a page leads to copies whose names all have the same four characters behind them, which are chance: `a_Ab1C.png`. Four
/// small letters or digits may be a word or a year of the author, unless several copies have them.
fn leads_to_copies(page: &[u8]) -> bool {
    let values = memmem::find_iter(page, b"=\"").filter_map(|start| {
        let value = &page[start + 2..];
        str::from_utf8(&value[..memchr::memchr(b'"', value)?]).ok()
    });
    let in_folders = values.filter_map(|value| value.split_once('/').filter(|(folder, _)| is_folder_of_copies(folder)));
    let mut names = in_folders.map(|(_, name)| name);
    let Some((first, end)) = names.next().and_then(|name| Some((name, end_of_stem(name)?))) else { return false };
    let is_word = |is: fn(&u8) -> bool| end.bytes().all(|byte| is(&byte));
    let mut needs_another = is_word(u8::is_ascii_lowercase) || is_word(u8::is_ascii_digit);
    let is_copy = |name: &str| {
        needs_another &= name == first;
        end_of_stem(name) == Some(end)
    };
    names.all(is_copy) && !needs_another
}

/// Returns the four characters behind the last `_` of a name, in front of its extension.
fn end_of_stem(name: &str) -> Option<&str> {
    let stem = name.split([' ', ',', '?', '#']).next()?.rsplit_once('.')?.0;
    let end = stem.get(stem.len().checked_sub(5)?..)?.strip_prefix('_')?;
    end.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::super::{CommentedBase, SavedBase, Unused, marks_of};

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
            ("<body><img src=\"Seite-Dateien/sp%20ace_fSxz.png\">", None),
            ("<body><img src=\"p_files/a_abcd.png\"><img src=\"p_files/b_abcd.png\">", None),
        ] {
            let mark = marks_of(format!("{FIREFOX}{text}").as_bytes(), None).remove(0);
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
