//! The text of a page for readers without HTML.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use absolve_links::{DocumentType, first_placeholder, holds_placeholder};
use absolve_resolver::{ReferenceKind, Standard};
use absolve_rewriter::internal::ascii;
use absolve_rewriter::{Code, Finding, Purpose};
use encoding_rs::{Encoding, REPLACEMENT};
use html2text::config;
use html2text::render::TextDecorator;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::limits::TEXT_COLUMNS;
use crate::text::{blocks, outline};

/// These enclose the number of a URL until lines are wrapped, so that no URL is broken.
const MARKS: [char; 2] = ['\u{F0000}', '\u{F0001}'];

/// Characters that a URL in angle brackets cannot contain.
const UNFIT: &AsciiSet = &CONTROLS.add(b'"').add(b'<').add(b'>');

/// Returns the text of a document. The target of a link comes after its text as `<URL:…>` (draft-fielding-uri-url-00e,
/// appendix B), unbroken, so that no white space follows a hyphen in it. Relative links have none. Passes a finding to `add` if
/// there is no text, or if it lacks those of drawings (SVG).
pub(crate) fn plain_text(
    bytes: &[u8],
    encoding: &'static Encoding,
    document_type: DocumentType,
    add: &mut impl FnMut(Finding),
) -> Option<String> {
    let (text, message) = match extracted(bytes, encoding, document_type) {
        Err(why) => (None, Some(format!("{why}; the message has no text for readers without HTML"))),
        Ok((text, 0)) => (Some(text), None),
        Ok((text, left_out)) => {
            let what = "texts in drawings (SVG) that are not in the text for readers without HTML";
            (Some(text), Some(format!("{what}: {left_out}")))
        }
    };
    message.into_iter().for_each(|message| add(Finding::new(Code::PlainText, message)));
    text
}

/// Returns the text, and the number of texts of drawings that are not in it; or why there is none.
pub(crate) fn extracted(
    bytes: &[u8],
    encoding: &'static Encoding,
    document_type: DocumentType,
) -> Result<(String, usize), &'static str> {
    if encoding == REPLACEMENT {
        return Err("the document is in an encoding that no browser reads");
    }
    let (text, ..) = encoding.decode(bytes);
    outline::check(&text, document_type)?;
    let text: String = text.chars().filter(|character| !MARKS.contains(character)).collect();
    let decorator = Decorator { encoding, links: Rc::default() };
    let links = decorator.links.clone();
    let config = config::with_decorator(decorator).raw_mode(true).link_footnotes(false).allow_width_overflow();
    // The library assumes that every character has a width, and that numbers are small.
    let made = catch_unwind(AssertUnwindSafe(|| {
        let document = match document_type {
            DocumentType::Xml => config.parse_xml(text.as_bytes())?,
            _ => config.parse_html(text.as_bytes())?,
        };
        let left_out = blocks::replace(&document);
        let rendered = config.render_to_string(config.dom_to_render_tree(&document)?, TEXT_COLUMNS)?;
        Ok::<_, html2text::Error>((rendered, left_out))
    }));
    let Ok(Ok((text, left_out))) = made else { return Err("no text can be extracted from the document") };
    let text = with_urls(&text, &links.borrow().urls);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n").trim_matches('\n').to_owned();
    if text.is_empty() { Err("the document has no text") } else { Ok((format!("{text}\n"), left_out)) }
}

/// Returns the text with its URLs inserted. One that is also the text of its link is not repeated.
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

/// Returns a URL for the text, if it is absolute.
fn shown(url: &str, encoding: &'static Encoding) -> Option<String> {
    const NOT_FOLLOWED: [&str; 4] = ["javascript:", "vbscript:", "data:", "cid:"];
    let url: String = url.trim().chars().filter(|character| !matches!(character, '\t' | '\n' | '\r')).collect();
    if first_placeholder(&url, Purpose::Mail).is_some() {
        return Some(url);
    }
    let is_absolute = Standard::Whatwg.kind_of(&url) == ReferenceKind::Absolute;
    let scheme = url.find(':').map_or("", |colon| &url[..=colon]).to_ascii_lowercase();
    if !is_absolute || NOT_FOLLOWED.contains(&&*scheme) {
        return None;
    }
    let url = ascii(&url, encoding, Purpose::Any);
    Some(if holds_placeholder(&url) { url } else { utf8_percent_encode(&url, UNFIT).to_string() })
}

/// The rendering of text.
#[derive(Clone, Debug)]
struct Decorator {
    /// That of the document.
    encoding: &'static Encoding,
    links: Rc<RefCell<Links>>,
}

#[derive(Debug, Default)]
struct Links {
    urls: Vec<String>,
    /// The targets of open links; `None` for those that are not shown.
    open: Vec<Option<usize>>,
}

impl TextDecorator for Decorator {
    type Annotation = ();

    fn decorate_link_start(&mut self, url: &str) -> (String, ()) {
        let mut links = self.links.borrow_mut();
        let number = shown(url, self.encoding).map(|url| {
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
    use absolve_links::DocumentType;
    use encoding_rs::UTF_8;

    fn plain_text(html: &str, document_type: DocumentType) -> Result<String, &'static str> {
        super::extracted(html.as_bytes(), UTF_8, document_type).map(|(text, _)| text)
    }

    #[test]
    fn targets_stand_behind_their_texts() {
        for (html, expected) in [
            ("<a href=http://h/a-b>A b</a>, and", "A b <URL:http://h/a-b>, and\n"),
            ("<a href=http://h/>http://h/</a>", "<URL:http://h/>\n"),
            ("<a href=more.html>more</a> <a href='JavaScript:x()'>x</a> <a href=data:,x>y</a>", "more x y\n"),
            ("<a href='#top'>up</a> <a href='{{ no }}'>no more</a>", "up no more <URL:{{ no }}>\n"),
            (
                "<a href='<%= a %>'>a</a> <a href='http://h/?{{ b }}'>b</a>",
                "a <URL:<%= a %>> b <URL:http://h/?{{ b }}>\n",
            ),
            ("<a href='http://h/a>b \"\né'>x</a>", "x <URL:http://h/a%3Eb%20%22%C3%A9>\n"),
            ("<a href='javascript:$(x)'>x</a> <a href='x?{{ y }}'>y</a>", "x y\n"),
            ("<a href='http://bücher.example/'>x</a>", "x <URL:http://xn--bcher-kva.example/>\n"),
            ("<img alt='The lamp' src=cid:x> <img src=cid:y>", "The lamp\n"),
            ("<a href=http://h/1><a href=http://h/2>x</a></a>", "x <URL:http://h/2>\n"),
            ("<table><tr><td>one<td>two</table>", "one\ntwo\n"),
        ] {
            assert_eq!(plain_text(html, DocumentType::Html).as_deref(), Ok(expected), "{html}");
        }
        let xml =
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><script src='a.js'/></head><body><p>Hi</p></body></html>";
        assert_eq!(plain_text(xml, DocumentType::Xml).as_deref(), Ok("Hi\n"));
    }

    #[test]
    fn all_text_stays_and_words_stay_apart() {
        for (html, expected) in [
            (
                "<dl><div><dt>9:00</dt><dd>Doors</dd></div><div><dt>10:00<dd>Climb</div></dl>",
                "9:00\n  Doors\n10:00\n  Climb\n",
            ),
            ("<dl>x<dt>a<p>b</dl>y", "x\na\n\nb\n\ny\n"),
            ("<table><caption>Prices</caption><tr><td>10<tfoot><tr><td>foot</table>", "Prices\n10\nfoot\n"),
            ("Price 10<hr>20 left", "Price 10\n\n---\n\n20 left\n"),
            ("<section>9 to 5</section><section>Closed</section>Sunday", "9 to 5\nClosed\nSunday\n"),
            (
                "<header>a</header><nav>b</nav><main>c<article>d</article>e</main><aside>f</aside>g",
                "a\nb\nc\nd\ne\nf\ng\n",
            ),
            ("a<figure>b<figcaption>c</figcaption></figure>d", "a\n\nb\nc\n\nd\n"),
            (
                "<form>a<fieldset><legend>b</legend>c</fieldset><select><option>d<option>e</select></form>",
                "a\nb\nc\nd\ne\n",
            ),
            ("<details><summary>a</summary>b</details><center>c</center><address>d</address>e", "a\nb\nc\nd\ne\n"),
            ("<ol><li>a</li><!--x--><ol><li>b</ol><li>c</ol>", "1. a\n   1. b\n2. c\n"),
            ("<ul>a<li>b</ul><menu><li>c</menu><xmp>d\ne</xmp>", "* a\n* b\n* c\n\nd\ne\n"),
            ("<img alt=Lamp>", "Lamp\n"),
        ] {
            assert_eq!(plain_text(html, DocumentType::Html).as_deref(), Ok(expected), "{html}");
        }
        let xml = "<table xmlns='http://www.w3.org/1999/xhtml'>a<tr>b<td>c</td></tr><tbody><td>d</td></tbody></table>";
        assert_eq!(plain_text(xml, DocumentType::Xml).as_deref(), Ok("a\nb\nc\nd\n"));
    }

    #[test]
    fn no_url_is_broken() -> Result<(), &'static str> {
        let url = format!("http://h/{}", "a-b_c/".repeat(60));
        let text = plain_text(&format!("<a href={url}>here</a><p><a href={url}>{url}</a>"), DocumentType::Html)?;
        assert_eq!(text, format!("here <URL:{url}>\n\n<URL:{url}>\n"));
        Ok(())
    }

    #[test]
    fn what_gives_no_text_is_reported() {
        for (html, why) in [
            ("<style>a{}</style>".to_owned(), "the document has no text"),
            ("<blockquote>".repeat(10_000), "the elements of the document nest too deep"),
            (format!("<p {}>x", "a ".repeat(5_001)), "a tag of the document has too many attributes"),
        ] {
            assert_eq!(plain_text(&html, DocumentType::Html), Err(why), "{}", &html[..12]);
        }
    }
}
