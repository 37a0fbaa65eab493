//! The text of a page for readers without HTML.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use absolve_resolver::{ReferenceKind, Standard};
use absolve_rewriter::begins_with_placeholder;
use html2text::config;
use html2text::render::TextDecorator;

/// The columns of a line, those of the URLs in it left out.
const WIDTH: usize = 72;

/// Between these stands the number of a URL until the lines are broken, so that no line is broken in a URL.
const MARKS: [char; 2] = ['\u{F0000}', '\u{F0001}'];

/// The text of an HTML document. The target of a link stands behind its text as `<URL:…>` (draft-fielding-uri-url-00e,
/// appendix B), in one piece, so that no white space follows a hyphen in it; what is relative has none.
///
/// `None` if it has no text, or none can be made of it.
pub(crate) fn plain_text(html: &str) -> Option<String> {
    let html: String = html.chars().filter(|character| !MARKS.contains(character)).collect();
    let decorator = Decorator::default();
    let links = decorator.links.clone();
    let config = config::with_decorator(decorator).raw_mode(true).link_footnotes(false).allow_width_overflow();
    // The library takes for granted that every character has a width.
    let text = catch_unwind(AssertUnwindSafe(|| config.string_from_read(html.as_bytes(), WIDTH))).ok()?.ok()?;
    let text = with_urls(&text, &links.borrow().urls);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n").trim_matches('\n').to_owned();
    (!text.is_empty()).then(|| format!("{text}\n"))
}

/// The text with the URLs in the place of their numbers. One that is all of the text of its link does not stand there twice.
fn with_urls(text: &str, urls: &[String]) -> String {
    let mut whole = String::with_capacity(text.len());
    for piece in text.split(MARKS[1]) {
        let Some((before, number)) = piece.rsplit_once(MARKS[0]) else {
            whole.push_str(piece);
            continue;
        };
        whole.push_str(before);
        let Some(url) = number.parse().ok().and_then(|number: usize| urls.get(number)) else { continue };
        if whole.trim_end().ends_with(&**url) {
            whole.truncate(whole.trim_end().len() - url.len());
        }
        whole.push_str(&format!("<URL:{url}>"));
    }
    whole
}

/// Whether a reader can follow it out of a text. What is relative leads nowhere.
fn is_shown(url: &str) -> bool {
    let is_absolute = Standard::Whatwg.kind_of(url) == ReferenceKind::Absolute;
    let is_script = url.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("javascript:"));
    begins_with_placeholder(url) || (is_absolute && !is_script)
}

/// How the parts of a text are shown.
#[derive(Clone, Debug, Default)]
struct Decorator {
    links: Rc<RefCell<Links>>,
}

#[derive(Debug, Default)]
struct Links {
    urls: Vec<String>,
    /// Those that have begun and not ended; `None` for links whose target is not shown.
    open: Vec<Option<usize>>,
}

impl TextDecorator for Decorator {
    type Annotation = ();

    fn decorate_link_start(&mut self, url: &str) -> (String, ()) {
        let mut links = self.links.borrow_mut();
        let url: String = url.split_whitespace().collect();
        let number = is_shown(&url).then(|| {
            links.urls.push(url);
            links.urls.len() - 1
        });
        links.open.push(number);
        (String::new(), ())
    }

    fn decorate_link_end(&mut self) -> String {
        let number = self.links.borrow_mut().open.pop().flatten();
        number.map(|number| format!(" {}{number}{}", MARKS[0], MARKS[1])).unwrap_or_default()
    }

    fn decorate_em_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_em_end(&self) -> String {
        String::new()
    }

    fn decorate_strong_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_strong_end(&self) -> String {
        String::new()
    }

    fn decorate_strikeout_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_strikeout_end(&self) -> String {
        String::new()
    }

    fn decorate_code_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_code_end(&self) -> String {
        String::new()
    }

    fn decorate_preformat_first(&self) {}

    fn decorate_preformat_cont(&self) {}

    fn decorate_image(&mut self, _source: &str, alternative: &str) -> (String, ()) {
        (alternative.to_owned(), ())
    }

    fn header_prefix(&self, _level: usize) -> String {
        String::new()
    }

    fn quote_prefix(&self) -> String {
        "> ".to_owned()
    }

    fn unordered_item_prefix(&self) -> String {
        "* ".to_owned()
    }

    fn ordered_item_prefix(&self, number: i64) -> String {
        format!("{number}. ")
    }

    fn make_subblock_decorator(&self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn targets_stand_behind_their_texts() {
        for (html, expected) in [
            ("<a href=http://h/a-b>A b</a>, and", Some("A b <URL:http://h/a-b>, and\n")),
            ("<a href=http://h/>http://h/</a>", Some("<URL:http://h/>\n")),
            ("<a href=more.html>more</a> <a href='JavaScript:x()'>x</a>", Some("more x\n")),
            ("<a href='#top'>up</a> <a href={{unsubscribe}}>no more</a>", Some("up no more <URL:{{unsubscribe}}>\n")),
            ("<img alt='The lamp' src=cid:x> <img src=cid:y>", Some("The lamp\n")),
            ("<a href=http://h/1><a href=http://h/2>x</a></a>", Some("x <URL:http://h/2>\n")),
            ("<table><tr><td>one<td>two</table>", Some("one\ntwo\n")),
            ("<style>a{}</style>", None),
        ] {
            assert_eq!(plain_text(html).as_deref(), expected, "{html}");
        }
    }

    #[test]
    fn no_url_is_broken() {
        let url = format!("http://h/{}", "a-b_c/".repeat(60));
        let text = plain_text(&format!("{} <a href={url}>here</a> {}", "word ".repeat(40), "word ".repeat(40)));
        let text = text.unwrap();
        assert!(text.contains(&format!("<URL:{url}>")), "{text}");
        let longest = text.lines().filter(|line| !line.contains("URL")).map(str::len).max();
        assert!(longest <= Some(72), "{longest:?}");
    }

    #[test]
    fn what_has_no_width_is_no_panic() {
        assert!(plain_text(&format!("{}\u{1}\u{7f}", "x".repeat(100))).is_none_or(|text| text.contains('x')));
    }
}
