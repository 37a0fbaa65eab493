//! HTTP responses in web archives: their header, and their content after decoding (RFC 9110, RFC 9112).

use std::borrow::Cow;
use std::io::Read;

use absolve_links::DocumentType;
use flate2::read::{DeflateDecoder, GzDecoder, MultiGzDecoder, ZlibDecoder};

use crate::budget::Budget;
use crate::compression::Compression;
use crate::header_fields::{HeaderField, body_start, header_fields, text_of_field};
use crate::limits::{CODINGS, CONTENT_BYTES, READ_BUFFER};

/// A response.
#[derive(Debug)]
pub struct Response<'r> {
    /// The status code.
    pub status: u16,
    /// The status line, and the header with the empty line after it.
    pub head: &'r [u8],
    /// The header fields.
    pub header: &'r [u8],
    fields: Vec<HeaderField<'r>>,
    /// The body as stored, with its codings.
    pub body: &'r [u8],
}

/// Why the content of a response cannot be read.
pub type Unreadable = &'static str;

const UNKNOWN_CODING: Unreadable = "its content coding is unknown";

const DAMAGED: Unreadable = "its content is invalid or incomplete for its content coding";

const TOO_LONG: Unreadable = "its decoded content exceeds the limit";

const BUDGET_EXCEEDED: Unreadable = "the decoded contents of this record and its neighbours exceed the limit";

/// Reads all of a decoder, up to a limit. The bytes count against the budget even if decoding fails.
fn read_all(decoder: impl Read, budget: &Budget) -> Result<Vec<u8>, Unreadable> {
    if budget.is_spent() {
        return Err(BUDGET_EXCEEDED);
    }
    let mut content = Vec::new();
    let read = decoder.take(CONTENT_BYTES as u64 + 1).read_to_end(&mut content);
    budget.spend(content.len());
    match read {
        Ok(length) if length > CONTENT_BYTES => Err(TOO_LONG),
        Ok(_) => Ok(content),
        Err(_) => Err(DAMAGED),
    }
}

fn decode<'c>(coding: &str, content: Cow<'c, [u8]>, budget: &Budget) -> Result<Cow<'c, [u8]>, Unreadable> {
    let is = |compression| Compression::of(&content) == compression;
    Ok(match coding {
        // Some servers name a charset here.
        "identity" | "none" | "utf-8" => content,
        // Some crawlers decode the content and leave the field.
        "gzip" | "x-gzip" if !is(Compression::Gzip) && begins_like_document(&content) => content,
        "zstd" if !is(Compression::Zstandard) && begins_like_document(&content) => content,
        "gzip" | "x-gzip" => {
            // Bytes after the last member are ignored.
            let members = read_all(MultiGzDecoder::new(&content[..]), budget);
            Cow::Owned(members.or_else(|_| read_all(GzDecoder::new(&content[..]), budget))?)
        }
        "deflate" => {
            let wrapped = read_all(ZlibDecoder::new(&content[..]), budget);
            Cow::Owned(wrapped.or_else(|_| read_all(DeflateDecoder::new(&content[..]), budget))?)
        }
        "br" => Cow::Owned(read_all(brotli_decompressor::Decompressor::new(&content[..], READ_BUFFER), budget)?),
        "zstd" => Cow::Owned(read_all(zstd::Decoder::new(&content[..]).map_err(|_| DAMAGED)?, budget)?),
        _ => return Err(UNKNOWN_CODING),
    })
}

impl<'r> Response<'r> {
    /// Parses a response; `None` if the block does not begin with a status line.
    pub fn read(block: &'r [u8]) -> Option<Self> {
        let line_end = memchr::memchr(b'\n', block)?;
        let line = &block[..line_end];
        let is_http = line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
        let status = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(1).filter(|_| is_http)?;
        let status = str::from_utf8(status).ok()?.parse().ok()?;
        let (header_end, body) = body_start(block, line_end + 1..block.len());
        let header = &block[line_end + 1..header_end];
        Some(Self {
            status,
            head: &block[..body],
            header,
            fields: header_fields(header).collect(),
            body: &block[body..],
        })
    }

    /// Returns the values of a field, in order.
    fn fields(&self, name: &str) -> impl Iterator<Item = String> {
        let fields = self.fields.iter().filter(move |field| field.is_named(name));
        fields.map(|field| text_of_field(&self.header[field.value.clone()]))
    }

    /// Returns the content type. Of several, the last one counts, as in browsers.
    pub fn content_type(&self) -> String {
        let last = |value: String| value.rsplit(',').next().unwrap_or_default().trim().to_owned();
        let types = self.fields("Content-Type").map(last);
        types.filter(|value| value.contains('/')).last().unwrap_or_default()
    }

    /// Returns where a redirect leads, as its `Location` has it.
    pub fn redirect(&self) -> Option<String> {
        self.fields("Location").next().filter(|_| matches!(self.status, 301 | 302 | 303 | 307 | 308))
    }

    /// Returns whether the content is a complete document.
    pub fn is_complete(&self) -> bool {
        let range = || {
            let value = self.fields("Content-Range").next()?;
            let (range, whole) = value.strip_prefix("bytes")?.trim().split_once('/')?;
            let (first, last) = range.split_once('-')?;
            Some((first.parse::<u64>().ok()?, last.parse::<u64>().ok()?, whole.parse::<u64>().ok()?))
        };
        match self.status {
            206 => range().is_some_and(|(first, last, whole)| first == 0 && last.checked_add(1) == Some(whole)),
            status => (200..300).contains(&status),
        }
    }

    /// Returns the body without its chunked coding, if it has one.
    pub fn dechunked(&self) -> Option<Vec<u8>> {
        begins_with_chunk(self.body).then(|| dechunk(self.body)).flatten()
    }

    /// Returns the decoded content. Its bytes count against `budget`.
    pub fn content(&self, budget: &Budget) -> Result<Cow<'r, [u8]>, Unreadable> {
        let list = |name: &str| -> Vec<String> {
            let values = self.fields(name).collect::<Vec<_>>().join(",");
            values.split(',').map(|coding| coding.trim().to_ascii_lowercase()).collect()
        };
        let mut transfer = list("Transfer-Encoding");
        let mut content = Cow::Borrowed(self.body);
        // Many writers remove the chunked coding and leave the field.
        if transfer.last().is_some_and(|last| last == "chunked") && begins_with_chunk(self.body) {
            transfer.pop();
            content = Cow::Owned(dechunk(self.body).ok_or(DAMAGED)?);
        }
        transfer.retain(|coding| coding != "chunked");
        let mut codings = [list("Content-Encoding"), transfer].concat();
        codings.retain(|coding| !coding.is_empty());
        if codings.len() > CODINGS {
            return Err(UNKNOWN_CODING);
        }
        for coding in codings.iter().rev() {
            content = decode(coding, content, budget)?;
        }
        Ok(content)
    }
}

fn begins_like_document(content: &[u8]) -> bool {
    DocumentType::of_content(content).is_some()
}

/// Returns whether a body begins with the size line of a chunk.
fn begins_with_chunk(body: &[u8]) -> bool {
    let line = body.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let digits = line.split(|byte| matches!(byte, b';' | b'\r')).next().unwrap_or_default().trim_ascii();
    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
}

/// Decodes the chunked coding (RFC 9112, section 7.1); `None` if the body is malformed before its last chunk.
fn dechunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::with_capacity(rest.len());
    loop {
        let line_end = memchr::memchr(b'\n', rest)?;
        let line = str::from_utf8(&rest[..line_end]).ok()?;
        let end_of_chunk: &[u8] = if line.ends_with('\r') { b"\r\n" } else { b"\n" };
        let length = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        rest = &rest[line_end + 1..];
        if length == 0 {
            return Some(content);
        }
        content.extend_from_slice(rest.get(..length)?);
        rest = rest[length..].strip_prefix(end_of_chunk)?;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzEncoder;

    use super::{BUDGET_EXCEEDED, DAMAGED, Response, UNKNOWN_CODING, Unreadable, dechunk};
    use crate::budget::Budget;
    use crate::limits::{CONTENT_BYTES, DECODED_AT_ONCE};

    #[test]
    fn chunks() {
        for (body, expected) in [
            (&b"3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\n"[..], Some(&b"abcd"[..])),
            (b"0\r\n\r\n", Some(b"")),
            (b"3\nabc\n0\n\n", Some(b"abc")),
            (b"<html>\n", None),
            (b"4\r\nabc\r\n0\r\n", None),
            (b"ffffffffffffffff\r\nabc", None),
        ] {
            assert_eq!(dechunk(body).as_deref(), expected, "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn fields_and_codings() {
        let response = |fields: &str, body: &str| format!("HTTP/1.1 200 OK\r\n{fields}\r\n{body}");
        for (fields, body, expected) in [
            ("", "x", Ok("x")),
            ("Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n", Ok("x")),
            ("Transfer-Encoding: chunked\r\n", "<p>not in chunks", Ok("<p>not in chunks")),
            ("Transfer-Encoding: chunked\r\n", "b\r\n<a href=x> \r\n5\r\nab", Err(DAMAGED)),
            ("Transfer-Encoding: identity, chunked\r\n", "1\r\nx\r\n0\r\n\r\n", Ok("x")),
            ("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n", Ok("x")),
            ("Content-Encoding: gzip\r\n", "<html>plain", Ok("<html>plain")),
            ("Content-Encoding: UTF-8\r\n", "x", Ok("x")),
            ("Content-Encoding: ,identity,,\r\n", "x", Ok("x")),
            ("content-encoding: identity\r\n", "x", Ok("x")),
            ("Content-Encoding: gzip\r\n", "x", Err(DAMAGED)),
            ("Content-Encoding: compress\r\n", "x", Err(UNKNOWN_CODING)),
        ] {
            let text = response(fields, body);
            let Some(response) = Response::read(text.as_bytes()) else { panic!("{text}") };
            let content =
                response.content(&Budget::default()).map(|content| String::from_utf8_lossy(&content).into_owned());
            assert_eq!((response.status, content.as_deref().map_err(|error| *error)), (200, expected), "{text}");
        }
        let nested = format!("Content-Encoding: {}\r\n", ["gzip"; 9].join(","));
        let nested = response(&nested, "x");
        let content = Response::read(nested.as_bytes()).map(|response| response.content(&Budget::default()).map(drop));
        assert_eq!(content, Some(Err(UNKNOWN_CODING)), "codings in codings");
        assert!(Response::read(b"GET / HTTP/1.1\r\n\r\n").is_none() && Response::read(b"").is_none());
    }

    /// Every content of a hundred thousand small records used to be decoded, even beyond the budget.
    #[test]
    fn contents_that_are_one_too_many_are_not_decoded() {
        let mut content = Vec::new();
        let spaces = std::io::repeat(b' ').take(CONTENT_BYTES as u64);
        let read = GzEncoder::new(spaces, flate2::Compression::fast()).read_to_end(&mut content);
        assert!(read.is_ok_and(|length| length < CONTENT_BYTES / 100));
        let response = [&b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"[..], &content].concat();
        let budget = Budget::default();
        let outcomes: Vec<Option<Unreadable>> =
            (0..10).filter_map(|_| Some(Response::read(&response)?.content(&budget).err())).collect();
        let decoded = DECODED_AT_ONCE / CONTENT_BYTES;
        assert_eq!(outcomes[..decoded], vec![None; decoded]);
        assert_eq!(outcomes[decoded..], vec![Some(BUDGET_EXCEEDED); 10 - decoded]);
    }
}
