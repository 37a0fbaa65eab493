//! The rules that the page of a message applies, in the order of the cascade, as html5ever and cssparser find them.

use std::collections::HashMap;

use absolve_links::{Document, DocumentType};
use absolve_rewriter::internal::Entity;
use cssparser::{ParseError, Parser, Token};
use data_encoding::{BASE64, HEXLOWER};
use encoding_rs::{Encoding, WINDOWS_1252};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use mail_parser::{MessageParser, MimeHeaders};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use sha2::{Digest, Sha256};

use super::second_opinion::text_of;

/// Media queries: any of these, of which all conditions hold.
type Media = Vec<Vec<String>>;

/// A rule without white space, in which embedded files are digests, and the media that it applies to.
pub(crate) type AppliedRule = (Media, String);

/// The rules of the styles in the page of a message.
pub(crate) fn rules_of(message: &[u8]) -> Option<Vec<AppliedRule>> {
    let parsed = MessageParser::new().parse(message)?;
    let mut parts = HashMap::new();
    for part in &parsed.parts {
        let location: String = part.content_location().unwrap_or_default().split_whitespace().collect();
        parts.insert(location, part.contents());
        parts.insert(format!("cid:{}", part.content_id().unwrap_or_default()), part.contents());
    }
    let entity = Entity::message(message);
    let page = entity.parts.iter().find(|part| part.document_type == DocumentType::Html)?;
    let document = entity.document(page);
    let encoding = document.encoding();
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() })
        .one(&*encoding.decode(document.bytes()).0);
    let mut cascade = Cascade { parts, encoding, rules: Vec::new() };
    cascade.add_element(&tree.document);
    Some(cascade.rules)
}

struct Cascade<'c> {
    parts: HashMap<String, &'c [u8]>,
    encoding: &'static Encoding,
    rules: Vec<AppliedRule>,
}

impl Cascade<'_> {
    fn add_element(&mut self, node: &Handle) {
        if let NodeData::Element { name, attrs, .. } = &node.data {
            let attribute = |name: &str| {
                let attributes = attrs.borrow();
                let found = attributes.iter().find(|attribute| &*attribute.name.local == name);
                found.map(|attribute| attribute.value.to_string())
            };
            let media = media_of(&attribute("media").unwrap_or_default());
            let rel = attribute("rel").unwrap_or_default().to_ascii_lowercase();
            if &*name.local == "style" {
                self.add_sheet(&text_of(node), &media, &mut Vec::new());
            } else if &*name.local == "link" && rel.split_whitespace().any(|word| word == "stylesheet") {
                self.add_linked(&attribute("href").unwrap_or_default(), &media, &mut Vec::new());
            }
        }
        node.children.borrow().iter().for_each(|child| self.add_element(child));
    }

    fn add_linked(&mut self, url: &str, media: &Media, open: &mut Vec<String>) {
        if open.iter().any(|other| other == url) {
            return;
        }
        let Some(bytes) = self.parts.get(url) else {
            return self.rules.push((media.clone(), format!("a style elsewhere: {url}")));
        };
        let own = Document::new(bytes, DocumentType::Css).encoding();
        let is_guess = own == WINDOWS_1252 && !bytes.starts_with(b"@charset");
        let text = if is_guess { self.encoding } else { own }.decode(bytes).0.into_owned();
        open.push(url.to_owned());
        self.add_sheet(&text, media, open);
        open.pop();
    }

    fn add_sheet(&mut self, css: &str, media: &Media, open: &mut Vec<String>) {
        let mut parser = Parser::new(css);
        let mut may_import = true;
        while let Ok(token) = parser.next().cloned() {
            let (mut text, mut block, mut urls) = (String::new(), None, Vec::new());
            let name = match &token {
                Token::AtKeyword(name) => name.to_ascii_lowercase(),
                Token::CDO | Token::CDC => continue,
                _ => String::new(),
            };
            // What follows the keyword, and what follows the URL of an import.
            let (mut start, mut end) = (parser.position().byte_index(), css.len());
            let mut next = Ok(token);
            while let Ok(token) = next {
                match token {
                    Token::Semicolon if !name.is_empty() => {
                        end = parser.position().byte_index() - 1;
                        break;
                    }
                    Token::CurlyBracketBlock => {
                        let inside = parser.position().byte_index();
                        end = inside - 1;
                        text.push('{');
                        block = Some(inside..self.add_block(&mut parser, &mut text, &mut urls));
                        break;
                    }
                    token => {
                        let is_first = urls.is_empty() && name == "import";
                        self.add_token(&mut parser, &token, &mut text, &mut urls);
                        if is_first {
                            start = parser.position().byte_index();
                        }
                    }
                }
                next = parser.next_including_whitespace().cloned();
            }
            match &*name {
                "charset" | "namespace" => {}
                "import" if may_import && block.is_none() => {
                    let media = both(media, &media_of(&css[start..end]));
                    let url = urls.first().cloned().unwrap_or_default();
                    self.add_linked(&url, &media, open);
                }
                "import" => {}
                "media" => {
                    let inner = css[block.unwrap_or_default()].to_owned();
                    self.add_sheet(&inner, &both(media, &media_of(&css[start..end])), open);
                    may_import = false;
                }
                _ => {
                    may_import &= name == "layer" && block.is_none();
                    self.rules.push((media.clone(), text));
                }
            }
        }
    }

    /// Adds the text of a block. Where it ends.
    fn add_block(&self, parser: &mut Parser<'_>, text: &mut String, urls: &mut Vec<String>) -> usize {
        let end = parser.parse_nested_block(|parser| {
            while let Ok(token) = parser.next_including_whitespace().cloned() {
                self.add_token(parser, &token, text, urls);
            }
            Ok::<usize, ParseError<()>>(parser.position().byte_index())
        });
        text.push('}');
        end.unwrap_or_default()
    }

    fn add_token(&self, parser: &mut Parser<'_>, token: &Token<'_>, text: &mut String, urls: &mut Vec<String>) {
        match token {
            Token::WhiteSpace(_) if text.ends_with([' ', '{', '}', ';', ':', ',']) => {}
            Token::WhiteSpace(_) => text.push(' '),
            Token::UnquotedUrl(url) => text.push_str(&format!("url\"{}\"}}", self.shown(url, urls))),
            Token::QuotedString(string) => text.push_str(&format!("\"{}\"", self.shown(string, urls))),
            Token::Function(name) => {
                text.push_str(name);
                let _ = self.add_block(parser, text, urls);
            }
            Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                text.push('(');
                let _ = self.add_block(parser, text, urls);
            }
            Token::AtKeyword(name) => text.push_str(&format!("@{}", name.to_ascii_lowercase())),
            token => text.push_str(&format!("{token:?}")),
        }
    }

    /// A URL as itself, and an embedded file as a digest.
    fn shown(&self, url: &str, urls: &mut Vec<String>) -> String {
        urls.push(url.to_owned());
        let digest = |bytes: &[u8]| HEXLOWER.encode(&Sha256::digest(bytes)[..8]);
        let data = url.strip_prefix("data:").and_then(|data| data.split_once(";base64,"));
        match (data, self.parts.get(url)) {
            (Some((_, data)), _) => {
                BASE64.decode(data.as_bytes()).map_or_else(|_| url.to_owned(), |data| digest(&data))
            }
            (None, Some(part)) => digest(part),
            (None, None) => url.to_owned(),
        }
    }
}

fn media_of(list: &str) -> Media {
    let list = list.trim().to_ascii_lowercase();
    if list.is_empty() {
        return vec![Vec::new()];
    }
    let query = |query: &str| -> Vec<String> {
        let query = query.trim();
        let query = query.strip_prefix("only ").unwrap_or(query);
        let conditions = query.split(" and ").map(|condition| condition.split_whitespace().collect::<String>());
        let mut conditions: Vec<String> = conditions.filter(|condition| condition != "all").collect();
        conditions.sort();
        conditions
    };
    list.split(',').map(query).collect()
}

fn both(one: &Media, other: &Media) -> Media {
    let is_type = |condition: &&String| condition.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut all = Vec::new();
    for (one, other) in one.iter().flat_map(|one| other.iter().map(move |other| (one, other))) {
        let mut conditions = [&one[..], &other[..]].concat();
        conditions.sort();
        conditions.dedup();
        if conditions.iter().filter(is_type).count() <= 1 {
            all.push(conditions);
        }
    }
    if all.is_empty() { vec![vec!["notall".to_owned()]] } else { all }
}
