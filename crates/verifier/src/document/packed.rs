//! Pages that unpack themselves.

use std::cell::OnceCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// Reports whether a page of SingleFile contains the saved page as a ZIP file: its first tag is `<html data-sfz>`.
///
/// ```
/// assert!(absolve_verifier::unpacks_itself(b"<!-- <html> --><HTML lang=x Data-SFZ>PK\x03\x04"));
/// assert!(!absolve_verifier::unpacks_itself(b"<html><!-- <html data-sfz> -->PK\x03\x04"));
/// assert!(!absolve_verifier::unpacks_itself(b"<html data-sfz-x>PK\x03\x04"));
/// ```
pub fn unpacks_itself(page: &[u8]) -> bool {
    if memchr::memmem::find(page, b"PK\x03\x04").is_none() {
        return false;
    }
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(&String::from_utf8_lossy(page)));
    let tokenizer = Tokenizer::new(FirstTag::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&queue);
    let is_mark = |tag: &Tag| tag.attrs.iter().any(|attribute| &*attribute.name.local == "data-sfz");
    tokenizer.sink.0.get().is_some_and(|tag| &*tag.name == "html" && is_mark(tag))
}

#[derive(Default)]
struct FirstTag(OnceCell<Tag>);

impl TokenSink for FirstTag {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let _ = self.0.set(tag);
                TokenSinkResult::Plaintext
            }
            _ => TokenSinkResult::Continue,
        }
    }
}
