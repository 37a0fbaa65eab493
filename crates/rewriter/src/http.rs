//! HTTP responses as archives keep them: what their headings say, and their content without its encodings (RFC 9110,
//! RFC 9112).

use std::borrow::Cow;
use std::io::{self, Read};

use absolve_base::header_fields;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use crate::limits::RECORD_BYTES;
use crate::message::heading::body_start;

/// A response.
#[derive(Debug)]
pub(crate) struct Response<'r> {
    pub(crate) status: u16,
    pub(crate) heading: &'r [u8],
    body: &'r [u8],
}

/// Why the content of a response cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// A coding that nobody knows.
    Coding,
    /// It is not what its coding says, or breaks off.
    Damaged,
    /// It is longer than any that is read.
    TooLong,
}

impl<'r> Response<'r> {
    /// Takes a response apart; `None` if it does not begin like one.
    pub(crate) fn read(block: &'r [u8]) -> Option<Self> {
        let line_end = memchr::memchr(b'\n', block)?;
        let line = str::from_utf8(&block[..line_end]).ok()?;
        let status = line.strip_prefix("HTTP/")?.split_ascii_whitespace().nth(1)?.parse().ok()?;
        let (heading_end, body) = body_start(block, line_end + 1..block.len());
        Some(Self { status, heading: &block[line_end + 1..heading_end], body: &block[body..] })
    }

    /// The value of a field; the first one, if there are more.
    pub(crate) fn field(&self, name: &str) -> Option<&'r str> {
        let field = header_fields(self.heading).find(|field| field.name.eq_ignore_ascii_case(name.as_bytes()))?;
        str::from_utf8(self.heading[field.value].trim_ascii()).ok()
    }

    /// The content, without chunks and codings.
    pub(crate) fn content(&self) -> Result<Cow<'r, [u8]>, Unreadable> {
        let is_chunked = self.field("Transfer-Encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
        let mut content = match without_chunks(self.body).filter(|_| is_chunked) {
            Some(content) => Cow::Owned(content),
            // Many writers take the chunks away and leave the field.
            None => Cow::Borrowed(self.body),
        };
        let codings = self.field("Content-Encoding").unwrap_or_default();
        for coding in codings.rsplit(',').map(str::trim).filter(|coding| !coding.is_empty()) {
            content = match &*coding.to_ascii_lowercase() {
                "identity" => content,
                "gzip" | "x-gzip" => Cow::Owned(all(MultiGzDecoder::new(&content[..]))?),
                "deflate" => {
                    Cow::Owned(all(ZlibDecoder::new(&content[..])).or_else(|_| all(DeflateDecoder::new(&content[..])))?)
                }
                "br" => Cow::Owned(all(brotli_decompressor::Decompressor::new(&content[..], 1 << 16))?),
                "zstd" => Cow::Owned(all(zstd::Decoder::new(&content[..]).map_err(|_| Unreadable::Damaged)?)?),
                _ => return Err(Unreadable::Coding),
            };
        }
        Ok(content)
    }
}

/// All that a decoder gives, up to a limit.
fn all(decoder: impl Read) -> Result<Vec<u8>, Unreadable> {
    let mut content = Vec::new();
    let read: io::Result<usize> = decoder.take(RECORD_BYTES as u64 + 1).read_to_end(&mut content);
    match read {
        Ok(length) if length > RECORD_BYTES => Err(Unreadable::TooLong),
        Ok(_) => Ok(content),
        Err(_) => Err(Unreadable::Damaged),
    }
}

/// A body without its chunks (RFC 9112, section 7.1); `None` if it is not in chunks from its beginning to its last one.
fn without_chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
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
    use super::{Response, Unreadable, without_chunks};

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
            assert_eq!(without_chunks(body).as_deref(), expected, "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn fields_and_codings() {
        let response = |fields: &str, body: &str| format!("HTTP/1.1 200 OK\r\n{fields}\r\n{body}");
        for (fields, body, expected) in [
            ("", "x", Ok("x")),
            ("Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n", Ok("x")),
            ("Transfer-Encoding: chunked\r\n", "<p>not in chunks", Ok("<p>not in chunks")),
            ("content-encoding: identity\r\n", "x", Ok("x")),
            ("Content-Encoding: gzip\r\n", "x", Err(Unreadable::Damaged)),
            ("Content-Encoding: compress\r\n", "x", Err(Unreadable::Coding)),
        ] {
            let text = response(fields, body);
            let Some(response) = Response::read(text.as_bytes()) else { panic!("{text}") };
            let content = response.content().map(|content| String::from_utf8_lossy(&content).into_owned());
            assert_eq!((response.status, content.as_deref().map_err(|error| *error)), (200, expected), "{text}");
        }
        assert!(Response::read(b"GET / HTTP/1.1\r\n\r\n").is_none() && Response::read(b"").is_none());
    }
}
