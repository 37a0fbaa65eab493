//! HTTP responses in archives, and their content without chunks and codings (RFC 9110, RFC 9112).

use std::io::Read;

use absolve_links::DocumentType;
use flate2::read::{DeflateDecoder, GzDecoder, MultiGzDecoder, ZlibDecoder};

use super::record::{declared_fields, fields, text};
use crate::compression::Compression;

/// An HTTP response.
pub(super) struct Response<'b> {
    status: u16,
    header: &'b [u8],
    fields: Vec<(String, String)>,
    /// The message body as stored.
    pub(super) body: &'b [u8],
}

/// The longest content that is examined.
const LONGEST_CONTENT: u64 = 32 << 20;

impl<'b> Response<'b> {
    /// Parses a block as a response.
    pub(super) fn read(block: &'b [u8]) -> Option<Self> {
        let mut lines = block.split_inclusive(|byte| *byte == b'\n');
        let first = lines.next().filter(|line| line.ends_with(b"\n"))?;
        let mark = first.get(..5)?.to_ascii_uppercase();
        let status = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(1)?;
        let status = str::from_utf8(status).ok()?.parse().ok().filter(|_| mark == b"HTTP/")?;
        let mut end = first.len();
        let mut body = block.len();
        for line in lines {
            if matches!(line, b"\n" | b"\r\n") {
                body = end + line.len();
                break;
            }
            end += line.len();
        }
        let header = &block[first.len()..end];
        Some(Self { status, header, fields: fields(header), body: &block[body..] })
    }

    /// Returns the lines of the header in the form of the field `absolve-replaced-http-field`.
    pub(super) fn lines(&self) -> Vec<String> {
        let lines =
            self.header.split(|byte| *byte == b'\n').map(|line| text(line).trim().replace(char::is_control, "_"));
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// Returns the fields as they declare a base.
    pub(super) fn declared(&self) -> Vec<(String, String)> {
        declared_fields(self.header)
    }

    fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }

    /// Returns the media type of the content: of several, the last one.
    pub(super) fn content_type(&self) -> String {
        let last = |value: &str| value.rsplit(',').next().unwrap_or_default().trim().to_owned();
        self.values("Content-Type").map(last).filter(|value| value.contains('/')).last().unwrap_or_default()
    }

    /// Reports whether it is the complete response to a successful request.
    pub(super) fn is_whole(&self) -> bool {
        let is_all = |range: &str| {
            let range = range.strip_prefix("bytes").unwrap_or_default().trim();
            let numbers: Vec<u64> = range.split(['-', '/']).map_while(|number| number.parse().ok()).collect();
            matches!(numbers[..], [0, last, all] if last.checked_add(1) == Some(all))
        };
        let is_part = self.status == 206;
        (200..300).contains(&self.status) && (!is_part || self.values("Content-Range").next().is_some_and(is_all))
    }

    /// Returns the body without chunks, if it is chunked.
    pub(super) fn unchunked(&self) -> Option<Vec<u8>> {
        without_chunks(self.body).filter(|_| begins_with_chunk(self.body))
    }

    /// Returns the content; `None` if it cannot be decoded.
    pub(super) fn content(&self) -> Option<Vec<u8>> {
        let mut content = self.body.to_vec();
        let mut codings = self.codings("Content-Encoding");
        let mut transfer = self.codings("Transfer-Encoding");
        // Many writers remove the chunks and leave the field.
        if transfer.last().is_some_and(|last| last == "chunked") && begins_with_chunk(self.body) {
            content = without_chunks(self.body)?;
        }
        transfer.retain(|coding| coding != "chunked");
        codings.extend(transfer);
        while let Some(coding) = codings.pop() {
            content = without_coding(&coding, content)?;
        }
        Some(content)
    }

    /// Returns the codings in the fields of this name, in the order in which they were applied.
    fn codings(&self, name: &str) -> Vec<String> {
        let codings = self.values(name).flat_map(|value| value.split(','));
        codings.map(|coding| coding.trim().to_ascii_lowercase()).collect()
    }
}

fn without_coding(coding: &str, content: Vec<u8>) -> Option<Vec<u8>> {
    // Some crawlers remove a coding and leave the field.
    let is_plain =
        |compression| Compression::of(&content) != compression && DocumentType::of_content(&content).is_some();
    match coding {
        "" | "identity" | "none" | "utf-8" => Some(content),
        "gzip" | "x-gzip" if is_plain(Compression::Gzip) => Some(content),
        "zstd" if is_plain(Compression::Zstandard) => Some(content),
        "gzip" | "x-gzip" => all(MultiGzDecoder::new(&*content)).or_else(|| all(GzDecoder::new(&*content))),
        "deflate" => all(ZlibDecoder::new(&*content)).or_else(|| all(DeflateDecoder::new(&*content))),
        "br" => all(brotli_decompressor::Decompressor::new(&*content, 1 << 16)),
        "zstd" => all(zstd::Decoder::new(&*content).ok()?),
        _ => None,
    }
}

fn all(decoder: impl Read) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    let read = decoder.take(LONGEST_CONTENT + 1).read_to_end(&mut content).ok()?;
    (read as u64 <= LONGEST_CONTENT).then_some(content)
}

fn begins_with_chunk(body: &[u8]) -> bool {
    let line = body.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let length = line.split(|byte| matches!(byte, b';' | b'\r')).next().unwrap_or_default().trim_ascii();
    !length.is_empty() && length.iter().all(u8::is_ascii_hexdigit)
}

fn without_chunks(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    loop {
        let line_end = memchr::memchr(b'\n', body)?;
        let (line, rest) = (&body[..line_end], &body[line_end + 1..]);
        let length = str::from_utf8(line).ok()?.split(';').next()?.trim();
        let length = usize::from_str_radix(length, 16).ok()?;
        if length == 0 {
            return Some(content);
        }
        let (chunk, rest) = rest.split_at_checked(length)?;
        content.extend_from_slice(chunk);
        body = rest.strip_prefix(if line.ends_with(b"\r") { &b"\r\n"[..] } else { b"\n" })?;
    }
}

#[cfg(test)]
mod tests {
    use super::Response;

    #[test]
    fn content() {
        for (fields, body, expected) in [
            ("", "x", Some("x")),
            ("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\n", Some("abcd")),
            ("Transfer-Encoding: chunked\r\n", "<p>not in chunks", Some("<p>not in chunks")),
            ("Transfer-Encoding: chunked\r\n", "4\r\nabc", None),
            ("Content-Encoding: gzip\r\n", "<html>plain", Some("<html>plain")),
            ("Content-Encoding: gzip\r\n", "x", None),
            ("Content-Encoding: compress\r\n", "x", None),
        ] {
            let block = format!("HTTP/1.1 200 OK\r\n{fields}\r\n{body}");
            let content = Response::read(block.as_bytes()).and_then(|response| response.content());
            assert_eq!(content.as_deref(), expected.map(str::as_bytes), "{block}");
        }
        assert!(Response::read(b"GET / HTTP/1.1\r\n\r\n").is_none() && Response::read(b"").is_none());
    }

    #[test]
    fn parts_are_not_whole() {
        for (range, expected) in [("bytes 0-9/10", true), ("bytes 0-8/10", false), ("bytes 1-9/10", false), ("", false)]
        {
            let block = format!("HTTP/1.1 206 OK\nContent-Range: {range}\n\nx");
            assert_eq!(Response::read(block.as_bytes()).map(|response| response.is_whole()), Some(expected), "{range}");
        }
    }
}
