//! The parts of a message. mail-parser finds them; an audit of our own accepts each before it may be edited.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Declaration, Field, Layer, declarations_in_heading, url_of_field_value};
use absolve_links::DocumentType;
use absolve_resolver::{ReferenceKind, Standard};
use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};
use memchr::memmem;

use crate::limits::{BOUNDARY_WORK, MESSAGES_IN_MESSAGES, NESTED_PARTS};
use crate::siblings::{Located, Siblings};
use crate::transfer::{Body, Transfer};
use crate::{Code, Finding, Part};

/// A message taken apart.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// The documents in it, in the order of their bytes.
    pub(crate) documents: Vec<Part>,
    /// What was left alone.
    pub(crate) findings: Vec<Finding>,
    /// The URL of the page, if a browser saved it as this message.
    pub(crate) snapshot: Option<String>,
}

/// The field by which Chromium tells that URL.
pub(crate) const SNAPSHOT: &str = "Snapshot-Content-Location";

/// Takes a message apart.
pub(crate) fn parts(message: &[u8]) -> Parts {
    let mut reader = Reader { message, headings: Vec::new(), siblings: None, parts: Parts::default() };
    match refusal(message) {
        Some(why) => reader.leave("", 0, Code::MessageStructure, why),
        None => match MessageParser::default().parse(message) {
            Some(parsed) => {
                reader.parts.snapshot = snapshot(&parsed);
                reader.root(&parsed, 0..message.len(), "");
            }
            None => reader.leave("", 0, Code::MessageStructure, "no message could be found in it"),
        },
    }
    reader.parts
}

/// Why a message is not even given to the parser, which would take too long or too deep a stack.
fn refusal(message: &[u8]) -> Option<&'static str> {
    let count = |needle: &[u8]| {
        let first = [needle[0].to_ascii_lowercase(), needle[0].to_ascii_uppercase()];
        memchr::memchr2_iter(first[0], first[1], message)
            .filter(|at| message[*at..].get(..needle.len()).is_some_and(|text| text.eq_ignore_ascii_case(needle)))
            .count()
    };
    if u32::try_from(message.len()).is_err() {
        return Some("it is larger than 4 GiB");
    }
    let messages = count(b"message/rfc822") + count(b"message/global") + count(b"multipart/digest");
    if messages > MESSAGES_IN_MESSAGES {
        return Some("too many messages stand in it");
    }
    (count(b"boundary=") as u64 * message.len() as u64 > BOUNDARY_WORK).then_some("too many boundaries stand in it")
}

struct Reader<'m> {
    message: &'m [u8],
    /// What the headings around the part that is read say of its base, outermost first.
    headings: Vec<Vec<Declaration>>,
    siblings: Option<Arc<Siblings>>,
    parts: Parts,
}

impl Reader<'_> {
    fn leave(&mut self, path: &str, byte: usize, code: Code, why: &str) {
        let finding = Finding::new(code, format!("{why}; left as it is")).at(byte);
        self.parts.findings.push(Finding { part: path.to_owned(), ..finding });
    }

    /// Reads the whole of a message that stands in `within`; a part of a single part has the number 1 (RFC 3501).
    fn root(&mut self, message: &Message<'_>, within: Range<usize>, path: &str) {
        let Some(root) = message.parts.first() else { return };
        let path = match &root.body {
            PartType::Multipart(_) => path.to_owned(),
            _ => child(path, 0),
        };
        self.part(message, root, within, &path);
    }

    fn part(&mut self, message: &Message<'_>, part: &MessagePart<'_>, within: Range<usize>, path: &str) {
        let (start, body) = (part.offset_header as usize, part.offset_body as usize);
        // Of parts in parts the parser sometimes tells a wrong end; the delimiters around tell the right one.
        let is_leaf = !matches!(part.body, PartType::Multipart(_) | PartType::Message(_));
        let is_whole = !is_leaf || part.offset_end as usize == within.end || part.offset_end == part.offset_body;
        if start != within.start || start > body || body > within.end.max(start) || !is_whole {
            return self.leave(path, within.start, Code::MessageStructure, "its delimiters do not tell where it ends");
        }
        let end = if is_leaf { part.offset_end as usize } else { within.end };
        if self.headings.len() == NESTED_PARTS {
            return self.leave(path, start, Code::MessageStructure, "its parts nest too deep");
        }
        self.headings.push(declarations(&self.message[start..body]));
        match &part.body {
            PartType::Multipart(children) => self.multipart(message, part, children, body..end, path),
            PartType::Message(inner) => self.inner_message(inner, part, body..end, path),
            _ => self.leaf(part, body..end, path),
        }
        self.headings.pop();
    }

    fn multipart(
        &mut self,
        message: &Message<'_>,
        part: &MessagePart<'_>,
        children: &[u32],
        within: Range<usize>,
        path: &str,
    ) {
        let content_type = part.content_type();
        let subtype = content_type.and_then(|content_type| content_type.subtype()).unwrap_or_default();
        if ["signed", "encrypted"].iter().any(|kind| subtype.eq_ignore_ascii_case(kind)) {
            let why = "what is signed or encrypted would not be so any more";
            return self.leave(path, within.start, Code::Signed, why);
        }
        let boundary = content_type.and_then(|content_type| content_type.attribute("boundary"));
        let Some(lines) = boundary.and_then(|boundary| delimiters(self.message, boundary.as_bytes(), within.clone()))
        else {
            let why = "its delimiters are not those that its heading announces";
            return self.leave(path, within.start, Code::MessageStructure, why);
        };
        if lines.len() != children.len() + 1 {
            let why = "it has other parts than its delimiters tell";
            return self.leave(path, within.start, Code::MessageStructure, why);
        }
        let around = self.siblings.clone();
        if subtype.eq_ignore_ascii_case("related") {
            let parts = children.iter().filter_map(|id| message.parts.get(*id as usize));
            let found: Vec<Located> = parts.filter_map(|part| self.relative_location(part)).collect();
            if !found.is_empty() {
                self.siblings = Some(Arc::new(Siblings::new(around.as_deref(), found)));
            }
        }
        for (number, (id, pair)) in children.iter().zip(lines.windows(2)).enumerate() {
            let stretch = pair[0].end..before_line_end(self.message, pair[1].start).max(pair[0].end);
            let path = child(path, number);
            match message.parts.get(*id as usize) {
                Some(part) => self.part(message, part, stretch, &path),
                None => self.leave(&path, stretch.start, Code::MessageStructure, "it could not be found"),
            }
        }
        self.siblings = around;
    }

    /// The relative `Content-Location` of a part of the multipart that is read, and what may be its base.
    fn relative_location(&self, part: &MessagePart<'_>) -> Option<Located> {
        let own = declarations(self.message.get(part.offset_header as usize..part.offset_body as usize)?);
        let is_of = |declaration: &&Declaration, wanted: Field| matches!(declaration.layer, Layer::Header { field, .. } if field == wanted);
        let location = own.iter().find(|declaration| is_of(declaration, Field::ContentLocation))?.value.clone();
        let bases = own.iter().filter(|declaration| is_of(declaration, Field::ContentBase)).cloned();
        let is_relative = Standard::Rfc3986.kind_of(&location) != ReferenceKind::Absolute;
        is_relative.then(|| Located { location, declarations: bases.chain(self.declarations(1)).collect() })
    }

    fn inner_message(&mut self, inner: &Message<'_>, part: &MessagePart<'_>, within: Range<usize>, path: &str) {
        // A decoded copy has offsets of its own.
        let is_same_text = matches!(inner.raw_message, Cow::Borrowed(_));
        match transfer(part) {
            Some(Transfer::Lines | Transfer::Binary) if is_same_text => self.root(inner, within, path),
            _ => self.leave(path, within.start, Code::TransferEncoding, "a message in a transfer encoding"),
        }
    }

    fn leaf(&mut self, part: &MessagePart<'_>, body: Range<usize>, path: &str) {
        let content_type = part.content_type();
        let media_type = content_type.map_or("text/plain".to_owned(), |content_type| {
            format!("{}/{}", content_type.ctype(), content_type.subtype().unwrap_or_default())
        });
        let Some(document_type) = DocumentType::of_media_type(&media_type) else { return };
        let raw = &self.message[body.clone()];
        if part.is_encoding_problem {
            return self.leave(path, body.start, Code::MessageStructure, "it is cut off, or written wrongly");
        }
        if memmem::find(raw, b"-----BEGIN PGP SIGNED MESSAGE-----").is_some() {
            return self.leave(path, body.start, Code::Signed, "what is signed would not be so any more");
        }
        let content = transfer(part).and_then(|transfer| Body::decode(transfer, raw));
        let Some(content) = content else {
            let why = "its transfer encoding is not known, or not written as it would be written again";
            return self.leave(path, body.start, Code::TransferEncoding, why);
        };
        let charset = content_type.and_then(|content_type| content_type.attribute("charset")).map(str::to_owned);
        let (declarations, siblings) = (self.declarations(0), self.siblings.clone());
        self.parts.documents.push(Part {
            path: path.to_owned(),
            document_type,
            charset,
            declarations,
            siblings,
            body,
            content,
        });
    }

    /// What the headings around say of a base, the innermost of them `depth` headings outwards.
    fn declarations(&self, depth: usize) -> Vec<Declaration> {
        let outwards = |(index, heading): (usize, &Vec<Declaration>)| -> Vec<Declaration> {
            let further = |declaration: &Declaration| Declaration {
                layer: match declaration.layer {
                    Layer::Header { field, .. } => Layer::Header { depth: depth + index, field },
                    layer => layer,
                },
                ..declaration.clone()
            };
            heading.iter().map(further).collect()
        };
        self.headings.iter().rev().enumerate().flat_map(outwards).collect()
    }
}

fn snapshot(message: &Message<'_>) -> Option<String> {
    let url = url_of_field_value(message.header_raw(SNAPSHOT)?.as_bytes());
    (Standard::Rfc3986.kind_of(&url) == ReferenceKind::Absolute).then_some(url)
}

/// What a heading says of the base. Of each field two different values are enough to contradict each other.
fn declarations(heading: &[u8]) -> Vec<Declaration> {
    let mut kept: Vec<Declaration> = Vec::new();
    for declaration in declarations_in_heading(heading, 0) {
        let same = kept.iter().filter(|known| known.layer == declaration.layer);
        if same.clone().count() < 2 && same.clone().all(|known| known.value != declaration.value) {
            kept.push(declaration);
        }
    }
    kept
}

/// The path of a child, counted from 1.
fn child(path: &str, index: usize) -> String {
    if path.is_empty() { format!("{}", index + 1) } else { format!("{path}.{}", index + 1) }
}

/// The transfer encoding, of the raw field; comments in it are none of it.
fn transfer(part: &MessagePart<'_>) -> Option<Transfer> {
    let field = part.content_transfer_encoding().unwrap_or_default();
    let name = field.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
    match &*name {
        "" | "7bit" | "8bit" => Some(Transfer::Lines),
        "binary" => Some(Transfer::Binary),
        "quoted-printable" => Some(Transfer::QuotedPrintable),
        "base64" => Some(Transfer::Base64),
        _ => None,
    }
}

/// The delimiter lines of a multipart body up to the closing one (RFC 2046, section 5.1.1); `None` without that.
fn delimiters(message: &[u8], boundary: &[u8], within: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut lines = Vec::new();
    let mut at = within.start;
    while at < within.end {
        let end = memchr::memchr(b'\n', &message[at..within.end]).map_or(within.end, |length| at + length + 1);
        let after = message[at..end].strip_prefix(b"--").and_then(|line| line.strip_prefix(boundary));
        if let Some(after) = after {
            let (is_last, padding) = match after.strip_prefix(b"--") {
                Some(padding) => (true, padding),
                None => (false, after),
            };
            if padding.trim_ascii().is_empty() {
                lines.push(at..end);
                if is_last {
                    return Some(lines);
                }
            }
        }
        at = end;
    }
    None
}

/// The line end before a delimiter belongs to the delimiter.
fn before_line_end(message: &[u8], at: usize) -> usize {
    match &message[..at] {
        [.., b'\r', b'\n'] => at - 2,
        [.., b'\n'] => at - 1,
        _ => at,
    }
}
