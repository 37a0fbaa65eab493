//! HTTP responses in web archives: their header, and their content after decoding (RFC 9110, RFC 9112).

use std::borrow::Cow;
use std::io::Read;

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
    /// What follows the first header of the block: the body, or behind interim responses the final one.
    pub behind_first_header: &'r [u8],
}

/// The content of a response without its codings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'c> {
    /// The bytes.
    pub bytes: Cow<'c, [u8]>,
    /// The codings that the header declares and the content does not have.
    pub absent: Vec<String>,
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

/// Codings that are not decoded, some of them without a registration. Any other unknown name is no coding: servers name charsets, transfer
/// encodings of mail or protocols there.
const UNDECODED: [&str; 12] =
    ["aes128gcm", "bzip2", "dcb", "dcz", "exi", "lz4", "lzma", "pack200-gzip", "sdch", "snappy", "x-bzip2", "xz"];

/// Returns a content without a coding; `None` if it does not have that.
fn decoded(coding: &str, content: &[u8], budget: &Budget) -> Result<Option<Vec<u8>>, Unreadable> {
    let decoded = match coding {
        "gzip" | "x-gzip" if Compression::of(content) == Compression::Gzip => {
            // Bytes after the last member are ignored.
            let members = read_all(MultiGzDecoder::new(content), budget);
            members.or_else(|_| read_all(GzDecoder::new(content), budget))
        }
        "zstd" if Compression::of(content) == Compression::Zstandard => {
            zstd::Decoder::new(content).map_err(|_| DAMAGED).and_then(|decoder| read_all(decoder, budget))
        }
        "compress" | "x-compress" if content.starts_with(b"\x1F\x9D") => Err(UNKNOWN_CODING),
        "deflate" => {
            let wrapped = read_all(ZlibDecoder::new(content), budget);
            wrapped.or_else(|_| read_all(DeflateDecoder::new(content), budget))
        }
        "br" => read_all(brotli_decompressor::Decompressor::new(content, READ_BUFFER), budget),
        _ if UNDECODED.contains(&coding) => Err(UNKNOWN_CODING),
        _ => return Ok(None),
    };
    match decoded {
        // These codings have no mark, but a text is in none of them.
        Err(DAMAGED | UNKNOWN_CODING) if is_text(content) => Ok(None),
        decoded => decoded.map(Some),
    }
}

/// Returns whether a content is a text by its first bytes (MIME Sniffing Standard, sections 3 and 7.2).
pub(crate) fn is_text(content: &[u8]) -> bool {
    const SNIFFED: usize = 1445;
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    let is_marked = [&b"\xFE\xFF"[..], b"\xFF\xFE"].iter().any(|mark| content.starts_with(mark));
    is_marked || !content.iter().take(SNIFFED).any(is_binary)
}

impl<'r> Response<'r> {
    /// Parses a response; `None` if the block does not begin with a status line. Interim responses (RFC 9110, section 15.2) and that of a
    /// proxy to CONNECT may precede it.
    pub fn read(block: &'r [u8]) -> Option<Self> {
        let mut response = Self::first(block)?;
        let behind_first_header = response.body;
        while response.may_precede_another()
            && let Some(next) = Self::first(response.body)
        {
            response = next;
        }
        Some(Self { behind_first_header, ..response })
    }

    fn first(block: &'r [u8]) -> Option<Self> {
        let line_end = memchr::memchr(b'\n', block)?;
        let line = &block[..line_end];
        let is_http = line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
        let status = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(1).filter(|_| is_http)?;
        let status = str::from_utf8(status).ok()?.parse().ok()?;
        let (header_end, body) = body_start(block, line_end + 1..block.len());
        let header = &block[line_end + 1..header_end];
        let (head, body) = block.split_at(body);
        Some(Self { status, head, header, fields: header_fields(header).collect(), body, behind_first_header: body })
    }

    /// Returns whether it is an interim response, or one without content.
    fn may_precede_another(&self) -> bool {
        const OF_CONTENT: [&str; 3] = ["Content-Type", "Content-Length", "Transfer-Encoding"];
        let has_content = || OF_CONTENT.iter().any(|name| self.fields.iter().any(|field| field.is_named(name)));
        self.is_interim() || ((200..300).contains(&self.status) && !has_content())
    }

    /// Returns whether a final response has to follow it.
    pub fn is_interim(&self) -> bool {
        (100..200).contains(&self.status)
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
    pub fn content(&self, budget: &Budget) -> Result<Decoded<'r>, Unreadable> {
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
        codings.retain(|coding| !["", "identity", "none"].contains(&&**coding));
        if codings.len() > CODINGS {
            return Err(UNKNOWN_CODING);
        }
        let mut absent = Vec::new();
        while let Some(coding) = codings.pop().filter(|_| !content.is_empty()) {
            match decoded(&coding, &content, budget)? {
                Some(bytes) => content = Cow::Owned(bytes),
                None => absent.push(coding),
            }
        }
        Ok(Decoded { bytes: content, absent })
    }
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
            ("Content-Encoding: gzip\r\n", "x", Ok("x")),
            ("Content-Encoding: br\r\n", "<p>plain", Ok("<p>plain")),
            ("Content-Encoding: deflate\r\n", "<p>plain", Ok("<p>plain")),
            ("Content-Encoding: compress\r\n", "x", Ok("x")),
            ("Content-Encoding: ISO-8859-1\r\n", "x", Ok("x")),
            ("Content-Encoding: sdch\r\n", "\0x", Err(UNKNOWN_CODING)),
            ("Content-Encoding: br\r\n", "\x01\x02", Err(DAMAGED)),
        ] {
            let text = response(fields, body);
            let Some(response) = Response::read(text.as_bytes()) else { panic!("{text}") };
            let content = response
                .content(&Budget::default())
                .map(|content| String::from_utf8_lossy(&content.bytes).into_owned());
            assert_eq!((response.status, content.as_deref().map_err(|error| *error)), (200, expected), "{text}");
        }
        let nested = format!("Content-Encoding: {}\r\n", ["gzip"; 9].join(","));
        let nested = response(&nested, "x");
        let content = Response::read(nested.as_bytes()).map(|response| response.content(&Budget::default()).map(drop));
        assert_eq!(content, Some(Err(UNKNOWN_CODING)), "codings in codings");
        assert!(Response::read(b"GET / HTTP/1.1\r\n\r\n").is_none() && Response::read(b"").is_none());
    }

    #[test]
    fn the_final_response_counts() {
        for (before, is_read) in [
            ("HTTP/1.1 100 Continue\r\n\r\n", true),
            ("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n", true),
            ("HTTP/1.0 200 Connection established\r\nVia: p\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", false),
            ("HTTP/1.1 404 Not Found\r\n\r\n", false),
        ] {
            let last = "HTTP/1.1 201 Created\r\nX: y\r\n\r\nx";
            let block = format!("{before}{last}");
            let found =
                Response::read(block.as_bytes()).map(|response| (response.status == 201, response.body == b"x"));
            assert_eq!(found, Some((is_read, is_read)), "{block}");
        }
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
