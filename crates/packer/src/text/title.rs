//! The title of a page.

use std::cell::RefCell;

use absolve_links::DocumentType;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    EndTag, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::limits::TITLE_BYTES;

/// Returns the text of the first TITLE, with white space and controls normalised; `None` if there is none. Titles of
/// SVG do not count.
pub(crate) fn title(text: &str, document_type: DocumentType) -> Option<String> {
    let sink = Output { document_type, seen: RefCell::default() };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(&text[..text.floor_char_boundary(TITLE_BYTES)]));
    // A script ends a step, because it could change what follows.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
        if let Title::Ended(_) = tokenizer.sink.seen.borrow().title {
            break;
        }
    }
    let Title::Ended(title) = tokenizer.sink.seen.into_inner().title else { return None };
    let words: Vec<&str> = title.split(|character: char| character.is_whitespace() || character.is_control()).collect();
    let title = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

struct Output {
    document_type: DocumentType,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    title: Title,
    /// The number of open elements of SVG and MathML.
    foreign: usize,
}

#[derive(Default)]
enum Title {
    #[default]
    NotSeen,
    Begun(String),
    Ended(String),
}

impl TokenSink for Output {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let seen = &mut *self.seen.borrow_mut();
        match (&mut seen.title, token) {
            (Title::Begun(text), Token::CharacterTokens(characters)) => text.push_str(&characters),
            (Title::Begun(text), TagToken(tag)) if tag.kind == EndTag && &*tag.name == "title" => {
                seen.title = Title::Ended(std::mem::take(text));
            }
            (Title::NotSeen, TagToken(tag)) if matches!(&*tag.name, "svg" | "math") && !tag.self_closing => {
                seen.foreign = if tag.kind == EndTag { seen.foreign.saturating_sub(1) } else { seen.foreign + 1 };
            }
            (Title::NotSeen, TagToken(tag)) if tag.kind == StartTag => {
                let is_empty = tag.self_closing && self.document_type == DocumentType::Xml;
                if &*tag.name == "title" && seen.foreign == 0 && !is_empty {
                    seen.title = Title::Begun(String::new());
                }
                return self.raw_text(&tag);
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Output {
    /// Returns the state of the tokenizer after the tag: some elements of HTML contain text only.
    fn raw_text(&self, tag: &Tag) -> TokenSinkResult<()> {
        match &*tag.name {
            _ if self.document_type == DocumentType::Xml => TokenSinkResult::Continue,
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "noscript" | "xmp" => TokenSinkResult::RawData(RawKind::Rawtext),
            _ => TokenSinkResult::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use absolve_links::DocumentType;

    use super::title;

    #[test]
    fn the_first_one() {
        for (html, expected) in [
            ("<TITLE>\n The  lamp &amp; <b>\n</title><title>no</title>", Some("The lamp & <b>")),
            ("<script>'<title>no</title>'</script><title>yes</title>", Some("yes")),
            ("<svg><title>no</title></svg><title>yes</title>", Some("yes")),
            ("<style><title>no</title></style><p>", None),
            ("<title>a&#1;b&#x7f;</title>", Some("a b")),
            ("<title> </title>", None),
            ("<title>never closed", None),
        ] {
            assert_eq!(title(html, DocumentType::Html).as_deref(), expected, "{html}");
        }
        for (xml, expected) in [
            ("<html><script src='a.js'/><title>yes</title>", Some("yes")),
            ("<html><title/><body><title>yes</title>", Some("yes")),
            ("<html><title>a &amp; b</title>", Some("a & b")),
        ] {
            assert_eq!(title(xml, DocumentType::Xml).as_deref(), expected, "{xml}");
        }
    }
}
