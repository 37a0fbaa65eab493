//! The message of a document and its resources (RFC 2557).

mod content;
mod separators;

use std::borrow::Cow;
use std::ffi::OsStr;

use mail_builder::headers::HeaderType;
use mail_builder::headers::address::Address;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::raw::Raw;
use mail_builder::headers::text::Text;
use mail_builder::mime::{BodyPart, MimePart};
use sha2::{Digest, Sha256};

use crate::header::{Header, Mailbox};
use crate::id::{id_of, short};
use crate::message::content::{LineEnds, part};
use crate::request::{ContentBase, Format, Request};
use crate::resource::Resource;

/// The document itself.
#[derive(Debug)]
pub(crate) struct Root<'r> {
    pub(crate) media_type: &'static str,
    /// The name of its charset, if readers support it, and need it.
    pub(crate) charset: Option<&'static str>,
    /// Its URL, in ASCII, if it is known.
    pub(crate) location: Option<String>,
    pub(crate) bytes: &'r [u8],
    /// The text for readers without HTML.
    pub(crate) plain_text: Option<String>,
}

/// The longest line of a message, without its end (RFC 5322, section 2.1.1).
const LINE: usize = 998;

/// Returns the message; `title` is its subject unless the request has one.
pub(crate) fn message(root: &Root<'_>, resources: &[Resource], title: Option<String>, request: &Request) -> Vec<u8> {
    let digest = resources.iter().fold(Sha256::new_with_prefix(root.bytes), |digest, resource| {
        digest.chain_update(&resource.content_id).chain_update(&resource.bytes)
    });
    let digest = &short(digest);
    let mut parts = vec![root_part(root, request)];
    parts.extend(resources.iter().map(resource_part));
    let related = multipart("related", Some(root.media_type), digest, parts);
    let whole = match &root.plain_text {
        None => related,
        Some(text) => {
            let text = part("text/plain", Some("utf-8"), text.as_bytes(), LineEnds::OfMail);
            multipart("alternative", None, digest, vec![text, related])
        }
    };
    finished(whole, &request.header, title, request.format)
}

/// Returns the message with this header.
pub(crate) fn finished(mut whole: MimePart<'_>, header: &Header, title: Option<String>, format: Format) -> Vec<u8> {
    whole.headers.splice(0..0, fields(header, title, format));
    let mut message = Vec::new();
    whole.write_part(&mut message);
    // A mail program gives a draft its id when it sends it.
    if header.message_id.is_none() && !header.is_draft() {
        let id = format!("Message-ID: <{}>\r\n", id_of(Sha256::new_with_prefix(&message)));
        message.splice(0..0, id.into_bytes());
    }
    message
}

type Field<'m> = (Cow<'m, str>, HeaderType<'m>);

fn fields(header: &Header, title: Option<String>, format: Format) -> Vec<Field<'static>> {
    let mut fields: Vec<Field<'static>> = Vec::new();
    let mut add = |name: &'static str, value: HeaderType<'static>| fields.push((name.into(), value));
    if !header.from.is_empty() {
        add("From", addresses(&header.from));
    }
    if !header.to.is_empty() {
        add("To", addresses(&header.to));
    }
    if let Some(subject) = header.subject.clone().or(title) {
        add("Subject", text(subject));
    }
    if let Some(date) = &header.date {
        add("Date", Raw::new(date.clone()).into());
    }
    if let Some(id) = &header.message_id {
        add("Message-ID", MessageId::new(id.clone()).into());
    }
    if header.is_draft() && !header.is_of_part && format == Format::Eml {
        add("X-Unsent", Raw::new("1").into());
    }
    add("MIME-Version", Raw::new("1.0").into());
    fields
}

/// Returns a text in a header field. One that looks like an encoded word is encoded, so that nobody decodes what it contains.
fn text(text: String) -> HeaderType<'static> {
    const WORD: usize = 75 - "=?utf-8?Q??=".len();
    if !text.contains("=?") {
        return Text::new(text).into();
    }
    let mut words = vec![String::new()];
    for character in text.chars() {
        let escaped: String = match character.is_ascii_alphanumeric() {
            true => character.into(),
            false => character.to_string().bytes().map(|byte| format!("={byte:02X}")).collect(),
        };
        match words.last_mut() {
            Some(word) if word.len() + escaped.len() <= WORD => word.push_str(&escaped),
            _ => words.push(escaped),
        }
    }
    let words: Vec<String> = words.iter().map(|word| format!("=?utf-8?Q?{word}?=")).collect();
    Raw::new(words.join("\r\n ")).into()
}

fn addresses(mailboxes: &[Mailbox]) -> HeaderType<'static> {
    let address = |mailbox: &Mailbox| Address::new_address(mailbox.name.clone(), mailbox.address.clone());
    Address::new_list(mailboxes.iter().map(address).collect()).into()
}

/// Returns a multipart whose boundary is a digest of its parts, so that none contains it.
pub(crate) fn multipart<'m>(
    subtype: &str,
    root_type: Option<&str>,
    digest: &str,
    parts: Vec<MimePart<'m>>,
) -> MimePart<'m> {
    let root_type = root_type.map(|root_type| format!(";\r\n\ttype=\"{root_type}\"")).unwrap_or_default();
    // A tab, because browsers accept nothing else before a continuation line.
    let content_type = format!("multipart/{subtype}{root_type};\r\n\tboundary=\"=_{subtype}_{digest}\"");
    let mut multipart = MimePart::new("multipart/mixed", BodyPart::Multipart(parts));
    multipart.headers = vec![("Content-Type".into(), Raw::new(content_type).into())];
    multipart
}

fn root_part<'m>(root: &Root<'m>, request: &Request) -> MimePart<'m> {
    let mut part = part(root.media_type, root.charset, root.bytes, LineEnds::OfMail);
    if let Some(location) = &root.location {
        if request.content_base == ContentBase::Yes {
            part = part.header("Content-Base", url_field("Content-Base", location));
        }
        part = part.header("Content-Location", url_field("Content-Location", location));
    } else if request.format == Format::Mhtml {
        // fast-mhtml names each part by its URL or its id, and fails without both.
        part = part.cid(id_of(Sha256::new_with_prefix("the page").chain_update(root.bytes)));
    }
    part
}

fn resource_part(resource: &Resource) -> MimePart<'_> {
    let Resource { path, location, content_id, media_type, bytes, .. } = resource;
    // A style or an image declares its charset itself, or has that of the document.
    let mut part = part(media_type, None, bytes, LineEnds::Exact).cid(content_id);
    if let Some(location) = location {
        part = part.header("Content-Location", url_field("Content-Location", location));
    }
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    part.header("Content-Disposition", ContentType::new("inline").attribute("filename", name))
}

/// Returns a URL in a header field: on one line, because several readers of MHTML lose a folded one. A URL longer than a
/// line may be is folded into words of 40 characters (RFC 2557, section 4.4; RFC 2017, section 3.1).
fn url_field(name: &str, url: &str) -> Raw<'static> {
    const WORD: usize = 40;
    if name.len() + ": ".len() + url.len() <= LINE {
        return Raw::new(url.to_owned());
    }
    let words: Vec<_> = url.as_bytes().chunks(WORD).map(String::from_utf8_lossy).collect();
    Raw::new(words.join("\r\n\t"))
}

#[cfg(test)]
mod tests {
    use mail_builder::headers::HeaderType;

    use super::{text, url_field};

    #[test]
    fn what_looks_like_an_encoded_word_is_encoded() {
        for title in ["=?utf-8?Q?a=0D=0ABcc:_x@y?=", "a =?", &"=?\u{fc}\u{51ac} \0".repeat(40)] {
            let HeaderType::Raw(field) = text(title.to_owned()) else { panic!("{title} is not encoded") };
            assert!(field.raw.lines().all(|line| line.trim().len() <= 75), "{}", field.raw);
            let message = format!("Subject: {}\r\n\r\n", field.raw);
            let parsed = mail_parser::MessageParser::new().parse(message.as_bytes());
            assert_eq!(parsed.as_ref().and_then(|message| message.subject()), Some(title));
        }
        assert!(matches!(text("a = ?b".into()), HeaderType::Text(_)));
    }

    #[test]
    fn urls_are_folded_that_are_longer_than_a_line() {
        let whole = format!("http://h/{}", "a-b/".repeat(200));
        assert_eq!(url_field("Content-Location", &whole).raw, whole);
        let url = format!("http://h/{}", "a-b/".repeat(250));
        let folded = url_field("Content-Location", &url).raw.into_owned();
        assert!(folded.lines().all(|line| line.trim().len() <= 40), "{folded}");
        assert_eq!(folded.replace("\r\n\t", ""), url);
    }
}
