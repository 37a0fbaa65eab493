//! The documents of the corpora, those within messages and archives too, read as roughly as a test may.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use absolve_links::DocumentType;
use absolve_testing::files;
use flate2::read::MultiGzDecoder;
use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use memchr::memmem;
use serde_json::Value;

/// A document of a corpus.
pub(crate) struct CorpusDocument {
    /// Where it comes from.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) document_type: DocumentType,
    /// The charset of its header.
    pub(crate) label: Option<String>,
}

/// All documents below a folder, sorted by their files.
pub(crate) fn documents(folder: &Path) -> Result<Vec<CorpusDocument>, Box<dyn std::error::Error>> {
    let mut found = Vec::new();
    for path in files(folder)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let extension = name.rsplit('.').next().unwrap_or_default();
        let bytes = fs::read(&path)?;
        let is_mail =
            folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("mail-")) || extension == "mhtml";
        match extension {
            "warc" | "arc" => responses(&path, &bytes, &mut found),
            "gz" => responses(&path, &inflated(&bytes), &mut found),
            "mbox" => {
                for message in MessageIterator::new(io::Cursor::new(&bytes)).flatten() {
                    parts(&path, message.contents(), &mut found);
                }
            }
            "test" => html5lib_tests(&path, &bytes, &mut found)?,
            "json" if folder.ends_with("css-parsing-tests") => css_tests(&path, &bytes, &mut found)?,
            _ if is_mail => parts(&path, &bytes, &mut found),
            _ => {
                if let Some(document_type) = DocumentType::of_extension(extension) {
                    found.push(document(&path, bytes, document_type, None));
                }
            }
        }
    }
    Ok(found)
}

fn document(path: &Path, bytes: Vec<u8>, document_type: DocumentType, label: Option<String>) -> CorpusDocument {
    CorpusDocument { name: path.display().to_string(), bytes, document_type, label }
}

/// What can be inflated; some archives are cut off.
fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut decoder = MultiGzDecoder::new(bytes);
    let _ = decoder.read_to_end(&mut out);
    out
}

/// The bodies of the responses of an archive that no content encoding hides.
fn responses(path: &Path, archive: &[u8], found: &mut Vec<CorpusDocument>) {
    for start in memmem::find_iter(archive, b"HTTP/1.") {
        let rest = &archive[start..];
        let Some(head_end) = memmem::find(&rest[..rest.len().min(8192)], b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&rest[..head_end]).to_ascii_lowercase();
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let body = &rest[head_end + 4..];
        // A record ends where the next one begins.
        let end =
            memmem::find(body, b"\r\n\r\nWARC/").or_else(|| memmem::find(body, b"\nhttp://")).unwrap_or(body.len());
        let content_type = field("content-type:").unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default();
        if let (Some(document_type), None) = (DocumentType::of_media_type(media_type), field("content-encoding:")) {
            let label = content_type.split("charset=").nth(1).map(|label| label.trim_matches('"').to_owned());
            let body = match field("transfer-encoding:") {
                Some(_) => without_chunks(&body[..end]),
                None => body[..end].to_vec(),
            };
            found.push(document(path, body, document_type, label));
        }
    }
}

/// The chunks put together; if a length cannot be read, the body as it is.
fn without_chunks(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = body;
    while let Some(line_end) = memmem::find(rest, b"\r\n") {
        let length =
            str::from_utf8(&rest[..line_end]).ok().and_then(|line| usize::from_str_radix(line.trim(), 16).ok());
        let Some(length) = length else { return body.to_vec() };
        rest = &rest[line_end + 2..];
        if length == 0 {
            break;
        }
        out.extend_from_slice(&rest[..length.min(rest.len())]);
        rest = rest.get(length + 2..).unwrap_or_default();
    }
    out
}

/// The texts of a message, in UTF-8.
fn parts(path: &Path, message: &[u8], found: &mut Vec<CorpusDocument>) {
    if let Some(message) = MessageParser::default().parse(message) {
        parts_of(path, &message, found);
    }
}

fn parts_of(path: &Path, message: &Message<'_>, found: &mut Vec<CorpusDocument>) {
    for part in &message.parts {
        let media_type = part
            .content_type()
            .map(|media_type| format!("{}/{}", media_type.ctype(), media_type.subtype().unwrap_or_default()));
        let document_type = media_type.as_deref().and_then(DocumentType::of_media_type);
        match (&part.body, document_type) {
            (PartType::Html(text), _) => {
                found.push(document(path, text.as_bytes().to_vec(), DocumentType::Html, Some("utf-8".into())));
            }
            (PartType::Text(text), found_type) => {
                let document_type = found_type.unwrap_or(DocumentType::Text);
                found.push(document(path, text.as_bytes().to_vec(), document_type, Some("utf-8".into())));
            }
            (PartType::Message(message), _) => parts_of(path, message, found),
            _ => {}
        }
    }
}

fn html5lib_tests(
    path: &Path,
    bytes: &[u8],
    found: &mut Vec<CorpusDocument>,
) -> Result<(), Box<dyn std::error::Error>> {
    let tests: Value = serde_json::from_slice(bytes)?;
    for test in tests["tests"].as_array().into_iter().flatten() {
        if let Some(input) = test["input"].as_str() {
            found.push(document(path, input.as_bytes().to_vec(), DocumentType::Html, None));
        }
    }
    Ok(())
}

/// Every other value is an input.
fn css_tests(path: &Path, bytes: &[u8], found: &mut Vec<CorpusDocument>) -> Result<(), Box<dyn std::error::Error>> {
    let tests: Value = serde_json::from_slice(bytes)?;
    for input in tests.as_array().into_iter().flatten().step_by(2).filter_map(Value::as_str) {
        found.push(document(path, input.as_bytes().to_vec(), DocumentType::Css, None));
    }
    Ok(())
}
