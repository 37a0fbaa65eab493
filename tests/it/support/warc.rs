//! Web archives: made ones, and what another reader sees of them.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Once;

use absolve_testing::{IN_FULL, fixtures, print_line};

type Fields = Vec<(String, String)>;

/// A record as another reader may see it.
pub(crate) struct Record {
    fields: Fields,
    pub(crate) block: Vec<u8>,
    /// All bytes of it.
    pub(crate) raw: Vec<u8>,
}

impl Record {
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

pub(crate) fn records(mut warc: &[u8]) -> Result<Vec<Record>, Box<dyn std::error::Error>> {
    let mut found = Vec::new();
    while !warc.is_empty() {
        let end = memchr::memmem::find(warc, b"\r\n\r\n").ok_or("no heading")?;
        let heading = str::from_utf8(&warc[..end])?;
        let fields: Fields = heading
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut record = Record { fields, block: Vec::new(), raw: Vec::new() };
        let length: usize = record.field("Content-Length").parse()?;
        record.block = warc[end + 4..end + 4 + length].to_vec();
        assert_eq!(&warc[end + 4 + length..end + 8 + length], b"\r\n\r\n");
        record.raw = warc[..end + 8 + length].to_vec();
        warc = &warc[end + 8 + length..];
        found.push(record);
    }
    Ok(found)
}

pub(crate) fn record(kind: &str, number: u32, fields: &str, block: &[u8]) -> Vec<u8> {
    let heading = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
         WARC-Date: 2020-01-01T00:00:00Z\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [heading.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub(crate) fn response(number: u32, url: &str, status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 {status}\r\n{headers}\r\n").as_bytes(), body].concat();
    let fields = format!("WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n");
    record("response", number, &fields, &block)
}

/// The field by which a response says that it is HTML.
pub(crate) const HTML: &str = "Content-Type: text/html\r\n";

/// The number of a record, and the type and block of the conversion of it.
pub(crate) type Expected = (u32, &'static str, Vec<u8>);

/// An archive of records of all kinds, and what the conversions of some of them hold.
pub(crate) fn archive() -> std::io::Result<(Vec<Vec<u8>>, Vec<Expected>)> {
    let page = b"<a href=x>";
    let converted = b"<a href=http://h/d/x>".to_vec();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(page)?;
    let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    raw.write_all(page)?;
    let zstandard = zstd::bulk::compress(page, 3)?;
    // Uncompressed, as RFC 7932 section 9.2 has it: window, one meta-block of 10 bytes, then the last, empty one.
    let brotli = [&[0x8b, 0x04, 0x80][..], page, &[0x03]].concat();
    let url = "http://h/d/page";
    let encoding = |name: &str| format!("{HTML}Content-Encoding: {name}\r\n");
    let records = vec![
        record("warcinfo", 1, "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        record(
            "request",
            2,
            &format!("WARC-Target-URI: {url}\r\nContent-Type: application/http\r\n"),
            b"GET / HTTP/1.1\r\n\r\n",
        ),
        response(3, url, "200 OK", HTML, page),
        response(4, url, "200 OK", &encoding("gzip"), &member(page)?),
        response(5, url, "200 OK", &encoding("deflate"), &zlib.finish()?),
        response(6, url, "200 OK", &encoding("deflate"), &raw.finish()?),
        response(7, url, "203 OK", &encoding("zstd"), &zstandard),
        response(8, url, "200 OK", &encoding("br"), &brotli),
        response(
            9,
            url,
            "200 OK",
            &format!("{HTML}Transfer-Encoding: chunked\r\n"),
            b"4\r\n<a h\r\n6\r\nref=x>\r\n0\r\n\r\n",
        ),
        response(10, url, "200 OK", &format!("{HTML}Transfer-Encoding: chunked\r\n"), page),
        response(11, url, "404 Not Found", HTML, page),
        response(12, url, "302 Found", &format!("{HTML}Location: /x\r\n"), page),
        response(13, url, "200 OK", "Content-Type: image/png\r\n", b"<a href=x>"),
        response(
            14,
            url,
            "200 OK",
            "Content-Type: text/html; charset=iso-8859-1\r\n",
            b"<meta charset=utf-8><a href=\xe9>",
        ),
        response(15, url, "200 OK", &format!("{HTML}Content-Base: http://other/\r\n"), page),
        response(16, url, "200 OK", HTML, b"<base href=/e/><a href=x>"),
        response(17, "<http://h/d/page>", "200 OK", HTML, page),
        response(18, "urn:x", "200 OK", HTML, page),
        response(19, url, "200 OK", "", b"<html><a href=x>"),
        response(20, url, "200 OK", &encoding("compress"), b"\x1F\x9D\x90 <a href=x>"),
        record("resource", 21, &format!("WARC-Target-URI: {url}\r\nContent-Type: text/css\r\n"), b"a{b:url(x)}"),
        record(
            "revisit",
            22,
            &format!("WARC-Target-URI: {url}\r\nContent-Type: application/http\r\n"),
            b"HTTP/1.1 200 OK\r\n\r\n",
        ),
        record("metadata", 23, &format!("WARC-Target-URI: {url}\r\nContent-Type: text/html\r\n"), page),
        record("unheard-of", 24, &format!("WARC-Target-URI: {url}\r\nContent-Type: text/html\r\n"), page),
        response(25, url, "200 OK", "Content-Type: message/rfc822\r\n", b"Content-Type: text/html\r\n\r\n<a href=x>"),
    ];
    let mut conversions: Vec<_> = (3..=10).map(|number| (number, "text/html", converted.clone())).collect();
    conversions.extend([
        (14, "text/html; charset=iso-8859-1", b"<meta charset=utf-8><a href=http://h/d/\xe9>".to_vec()),
        (15, "text/html", converted.clone()),
        (16, "text/html", b"<base href=http://h/e/><a href=http://h/e/x>".to_vec()),
        (17, "text/html", converted.clone()),
        (19, "text/html", b"<html><a href=http://h/d/x>".to_vec()),
        (21, "text/css", b"a{b:url(http://h/d/x)}".to_vec()),
        (25, "message/rfc822", b"Content-Type: text/html\r\n\r\n<a href=http://h/d/x>".to_vec()),
    ]);
    Ok((records, conversions))
}

/// The archive as files have it: plain; a member for each record; one for all; two that part within a record; frames.
pub(crate) fn compressed(records: &[Vec<u8>]) -> std::io::Result<Vec<(&'static str, Vec<u8>)>> {
    let whole = records.concat();
    let members: std::io::Result<Vec<_>> = records.iter().map(|record| member(record)).collect();
    let frames: std::io::Result<Vec<_>> = records.iter().map(|record| zstd::bulk::compress(record, 3)).collect();
    let dictionary = std::fs::read(fixtures().join("archives/warc.zdict"))?;
    let mut with_dictionary =
        [&[0x5d, 0x2a, 0x4d, 0x18][..], &(dictionary.len() as u32).to_le_bytes(), &dictionary].concat();
    for record in records {
        with_dictionary.extend(zstd::bulk::Compressor::with_dictionary(3, &dictionary)?.compress(record)?);
    }
    Ok(vec![
        ("a.warc", whole.clone()),
        ("members.warc.gz", members?.concat()),
        ("whole.warc.gz", member(&whole)?),
        ("parted.warc.gz", [member(&whole[..1000])?, member(&whole[1000..])?].concat()),
        ("frames.warc.zst", frames?.concat()),
        ("dictionary.warc.zst", with_dictionary),
    ])
}

/// What they hold.
pub(crate) fn decompressed(name: &str, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    if name.ends_with(".gz") {
        flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut out)?;
    } else if name.starts_with("dictionary") {
        let length = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
        zstd::Decoder::with_dictionary(&bytes[8 + length..], &bytes[8..8 + length])?.read_to_end(&mut out)?;
    } else if name.ends_with(".zst") {
        zstd::Decoder::new(bytes)?.read_to_end(&mut out)?;
    } else {
        out.extend_from_slice(bytes);
    }
    Ok(out)
}

/// A member of gzip.
pub(crate) fn member(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish())
}

/// warcio verifies the digests of an archive, or of all archives in a folder, if it is installed. Starting it takes longer than most
/// tests.
pub(crate) fn check_by_warcio(path: &Path, name: &str) {
    static TOLD: Once = Once::new();
    if !IN_FULL {
        return TOLD.call_once(|| print_line("skipped: warcio, which `just laws` runs"));
    }
    let files = match path.read_dir() {
        Ok(files) => files.flatten().map(|file| file.path()).collect(),
        Err(_) => vec![path.to_owned()],
    };
    match Command::new("warcio").arg("check").args(files).output() {
        // Some releases of it fail on contents in Brotli, which says nothing of the digests.
        Ok(output) if output.stderr.starts_with(b"Traceback") => {
            print_line(&format!("skipped: warcio fails on {name}"))
        }
        Ok(output) => assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout)),
        Err(_) => TOLD.call_once(|| print_line("skipped: warcio is not installed")),
    }
}
