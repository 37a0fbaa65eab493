//! The title of a page.

use std::cell::RefCell;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    EndTag, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// The text of the first TITLE, with its white space in order; `None` if there is none.
pub(crate) fn title(html: &str) -> Option<String> {
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    // A script ends a step, as it could change what follows.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
        if let Title::Ended(_) = &*tokenizer.sink.title.borrow() {
            break;
        }
    }
    let Title::Ended(title) = tokenizer.sink.title.into_inner() else { return None };
    let words: Vec<&str> = title.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[derive(Default)]
struct Sink {
    title: RefCell<Title>,
}

#[derive(Default)]
enum Title {
    #[default]
    NotSeen,
    Begun(String),
    Ended(String),
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut title = self.title.borrow_mut();
        let is_title = |tag: &Tag| tag.name.eq_str_ignore_ascii_case("title");
        match (&mut *title, token) {
            (Title::NotSeen, TagToken(tag)) if tag.kind == StartTag && is_title(&tag) => {
                *title = Title::Begun(String::new());
                TokenSinkResult::RawData(RawKind::Rcdata)
            }
            (Title::Begun(text), TagToken(tag)) if tag.kind == EndTag && is_title(&tag) => {
                *title = Title::Ended(std::mem::take(text));
                TokenSinkResult::Continue
            }
            (Title::Begun(text), Token::CharacterTokens(characters)) => {
                text.push_str(&characters);
                TokenSinkResult::Continue
            }
            (_, TagToken(tag)) if tag.kind == StartTag => match &*tag.name {
                "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                "style" | "noscript" | "xmp" => TokenSinkResult::RawData(RawKind::Rawtext),
                "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                _ => TokenSinkResult::Continue,
            },
            _ => TokenSinkResult::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn the_first_one() {
        for (html, expected) in [
            ("<TITLE>\n The  lamp &amp; <b>\n</title><title>no</title>", Some("The lamp & <b>")),
            ("<script>'<title>no</title>'</script><title>yes</title>", Some("yes")),
            ("<style><title>no</title></style><p>", None),
            ("<title> </title>", None),
            ("<title>never closed", None),
        ] {
            assert_eq!(title(html).as_deref(), expected, "{html}");
        }
    }
}
