//! What programs that save pages write into them: the URL that a page was retrieved from.
//!
//! Only programs that leave links as they were, or make them absolute, or embed what they lead to: after others, a
//! relative link leads to a file beside the page and not to what it led to before.

use crate::{Code, Finding};

/// A mark of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Which program, in words for reports.
    pub(crate) program: &'static str,
    pub(crate) url: String,
}

/// The mark of an HTML page, if it has one; two that contradict each other are told, and neither counts.
pub(crate) fn mark_of(page: &[u8]) -> Result<Option<Mark>, Finding> {
    let head = head(page);
    let mut marks: Vec<Mark> = comments(head).filter_map(of_comment).collect();
    marks.extend(of_save_page_we(head));
    marks.retain(|mark| is_page_url(&mark.url));
    match &marks[..] {
        [] => Ok(None),
        [first, others @ ..] if others.iter().all(|other| other.url == first.url) => Ok(Some(first.clone())),
        [first, ..] => {
            let other = marks.iter().find(|other| other.url != first.url).map_or("", |other| &other.url);
            let message = format!("it says that it was saved from {} and from {other}; neither counts", first.url);
            Err(Finding::new(Code::UrlNotUsed, message))
        }
    }
}

/// What stands before the body, as far as marks may stand.
fn head(page: &[u8]) -> &[u8] {
    const FURTHEST: usize = 64 << 10;
    let page = &page[..page.len().min(FURTHEST)];
    let is_body = |at: &usize| page.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"body"));
    let body = memchr::memchr_iter(b'<', page).find(is_body);
    &page[..body.unwrap_or(page.len())]
}

fn comments(head: &[u8]) -> impl Iterator<Item = &str> {
    let mut rest = head;
    std::iter::from_fn(move || {
        let start = memchr::memmem::find(rest, b"<!--")? + 4;
        let length = memchr::memmem::find(&rest[start..], b"-->")?;
        let comment = &rest[start..start + length];
        rest = &rest[start + length..];
        Some(str::from_utf8(comment).unwrap_or_default())
    })
}

fn of_comment(comment: &str) -> Option<Mark> {
    let text = comment.trim();
    let is_single_file =
        ["Page saved with SingleFile", "Archive processed by SingleFile"].iter().any(|start| text.starts_with(start));
    if is_single_file {
        let url = text.lines().find_map(|line| line.trim().strip_prefix("url:"))?;
        return Some(Mark { program: "the mark of SingleFile", url: url.trim().to_owned() });
    }
    // `Saved from local source` is of a page that was a file before.
    let (url, program) = text.strip_prefix("Saved from ")?.split_once(" at ")?;
    program.contains(" using monolith").then(|| Mark { program: "the mark of monolith", url: url.trim().to_owned() })
}

fn of_save_page_we(head: &[u8]) -> Option<Mark> {
    const MARK: &[u8] = b"<meta name=\"savepage-url\" content=\"";
    let start = memchr::memmem::find(head, MARK)? + MARK.len();
    let length = memchr::memchr(b'"', &head[start..])?;
    let url = str::from_utf8(&head[start..start + length]).ok()?.replace("&amp;", "&");
    Some(Mark { program: "the mark of Save Page WE", url })
}

/// Whether pages are retrieved from such URLs; anybody may have written the mark.
fn is_page_url(url: &str) -> bool {
    let start = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let is_plain = |character: char| !character.is_whitespace() && !character.is_control();
    (start.starts_with("http://") || start.starts_with("https://")) && url.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::mark_of;

    #[test]
    fn marks() {
        for (page, url) in [
            (
                "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://h/p?a=1 \n saved date: x\n--><head>",
                "https://h/p?a=1",
            ),
            ("<html><!--\n Archive processed by SingleFile \n url: http://h/ \n-->", "http://h/"),
            ("<!-- Saved from https://h/a at 2026-11-20T09:58:56Z using monolith v2.12.0 -->\n<html>", "https://h/a"),
            ("<html><head><meta name=\"savepage-url\" content=\"http://h/?a&amp;b\">", "http://h/?a&b"),
            ("<!-- Saved from local source at 2026-11-20T09:58:56Z using monolith v2.12.0 -->", ""),
            ("<html><body><!--\n Page saved with SingleFile \n url: http://h/ \n-->", ""),
            ("<!--\n Page saved with SingleFile \n url: file:///home/x \n-->", ""),
            ("<!--\n Page saved with SingleFile \n url: javascript:x \n-->", ""),
            ("<!-- saved from url=(0014)about:internet -->", ""),
            ("<!-- Saved from here at noon -->", ""),
            ("", ""),
        ] {
            let found = mark_of(page.as_bytes()).map(|mark| mark.map_or(String::new(), |mark| mark.url));
            assert_eq!(found.as_deref(), Ok(url), "{page}");
        }
        let two = "<!--\n Page saved with SingleFile \n url: http://h/ \n--><meta name=\"savepage-url\" content=\"http://i/\">";
        assert!(mark_of(two.as_bytes()).is_err());
    }
}
