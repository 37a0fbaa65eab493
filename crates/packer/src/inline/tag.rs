//! The attributes of a tag, and text within and between tags.

use std::cell::RefCell;

use absolve_links::DocumentType;
use encoding_rs::{Encoding, UTF_8};
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// Returns the attribute of a tag, if it has it.
pub(crate) fn attribute(tag: &Tag, name: &str) -> Option<String> {
    tag.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| attribute.value.to_string())
}

/// Returns the tag that a text is.
pub(crate) fn parsed(text: &str) -> Option<Tag> {
    let tokenizer = Tokenizer::new(First::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let _ = tokenizer.feed(&input);
    tokenizer.sink.0.into_inner()
}

#[derive(Default)]
struct First(RefCell<Option<Tag>>);

impl TokenSink for First {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let TagToken(tag) = token {
            self.0.borrow_mut().get_or_insert(tag);
        }
        TokenSinkResult::Continue
    }
}

/// Returns a value between double quotes.
pub(crate) fn quoted(value: &str) -> String {
    let mut quoted = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '&' | '<' => quoted.push_str(&format!("&#{};", u32::from(character))),
            character if character.is_ascii() => quoted.push(character),
            character => quoted.push_str(&format!("&#x{:x};", u32::from(character))),
        }
    }
    quoted + "\""
}

/// Returns CSS as the text of a style element in a document of this type and encoding, with these line ends.
pub(crate) fn text(css: &str, document_type: DocumentType, encoding: &'static Encoding, line_end: &str) -> String {
    let css = css.replace('\n', line_end);
    let css = if encoding == UTF_8 { css } else { ascii(&css) };
    if document_type == DocumentType::Xml {
        return css.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    }
    without_end_tags(css)
}

/// Returns CSS with escapes in place of all characters outside ASCII.
fn ascii(css: &str) -> String {
    let escaped = |character: char| match character.is_ascii() {
        true => character.to_string(),
        false => format!("\\{:x} ", u32::from(character)),
    };
    css.chars().map(escaped).collect()
}

/// Escapes what would end a style element. CSS has it in strings, URLs and comments only, and there the escape is the
/// same.
fn without_end_tags(css: String) -> String {
    const END: &str = "</style";
    let lower = css.to_ascii_lowercase();
    if !lower.contains(END) {
        return css;
    }
    let mut escaped = String::new();
    let mut at = 0;
    for (start, _) in lower.match_indices(END) {
        escaped.push_str(&css[at..=start]);
        escaped.push('\\');
        at = start + 1;
    }
    escaped + &css[at..]
}

#[cfg(test)]
mod tests {
    use absolve_links::DocumentType::{Html, Xml};
    use encoding_rs::{EUC_KR, UTF_8};

    use super::{attribute, parsed, quoted, text};

    #[test]
    fn attributes_are_decoded() {
        let tag = parsed("<LINK Rel='a' media=\"x&amp;&quot;\" disabled/>");
        let value = |name: &str| tag.as_ref().and_then(|tag| attribute(tag, name));
        assert_eq!((value("rel").as_deref(), value("media").as_deref()), (Some("a"), Some("x&\"")));
        assert_eq!((value("disabled").as_deref(), value("title")), (Some(""), None));
        assert_eq!(quoted("a&\"é"), "\"a&#38;&#34;&#xe9;\"");
    }

    #[test]
    fn no_text_ends_its_element() {
        assert_eq!(text("a{b:'</STYLE>'}\n", Html, UTF_8, "\r\n"), "a{b:'<\\/STYLE>'}\r\n");
        assert_eq!(text("é>a{b:'</style'}", Xml, EUC_KR, "\n"), "\\e9 &gt;a{b:'&lt;/style'}");
    }
}
