//! Web archives that are expensive to read.

use std::io::{self, Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::bomb::{Bomb, bomb};
use super::documents::{numbered, text};

pub(crate) const BOMBS: &[Bomb] = &[
    bomb("WARC: gzip of spaces", "a.warc", |times| coded("gzip", &gzip(&spaces(30))?, 10 * times)),
    bomb("WARC: zstd of spaces", "a.warc", |times| coded("zstd", &zstd::bulk::compress(&spaces(30), 3)?, 10 * times)),
    bomb("WARC: brotli of spaces", "a.warc", |times| coded("br", &BROTLI_OF_SPACES, 10 * times)),
    bomb("WARC: contents that are too long", "a.warc", |times| coded("gzip", &gzip(&spaces(100))?, 5 * times)),
    bomb("WARC: codings in codings", "a.warc", |times| {
        let mut content = spaces(20);
        for _ in 0..12 {
            content = stored(&content)?;
        }
        coded(&["gzip"; 13].join(", "), &gzip(&content)?, times)
    }),
    bomb("WARC: names of codings", "a.warc", |times| {
        coded(&vec!["identity"; 5_000 * times].join(", "), b"<a href=x>", 100)
    }),
    bomb("WARC: chunks of a byte", "a.warc", |times| {
        let body = text("", "1\r\nx\r\n", 500_000 * times, "a\r\n<a href=x>\r\n0\r\n\r\n")?;
        Ok(response("Transfer-Encoding: chunked", &body))
    }),
    bomb("WARC: a chunk without end", "a.warc", |times| {
        Ok(response("Transfer-Encoding: chunked", &text("", "0", 2_000_000 * times, "")?))
    }),
    bomb("WARC: records of nothing", "a.warc", |times| {
        text("", "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", 100_000 * times, "")
    }),
    bomb("WARC: responses", "a.warc", |times| Ok(response("X: y", b"<a href=x>").repeat(5_000 * times))),
    bomb("WARC: headers without end", "a.warc", |times| text("", "WARC/1.0\n", 300_000 * times, "")),
    bomb("WARC: fields", "a.warc", |times| {
        text("", &format!("WARC/1.0\r\n{}\r\n", "X: y\r\n".repeat(10_000)), 10 * times, "")
    }),
    bomb("WARC: lengths beyond the end", "a.warc", |times| {
        text("WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n", "WARC/1.0\r\n\r\n", 300_000 * times, "")
    }),
    bomb("WARC: lines that nearly begin a record", "a.warc", |times| {
        text("WARC/1.0\r\nX: y\r\n\r\n", "\nWARC/x", 500_000 * times, "")
    }),
    bomb("WARC in gzip: members of a record", "a.warc.gz", |times| {
        Ok(gzip(&response("X: y", b"<a href=x>"))?.repeat(5_000 * times))
    }),
    bomb("WARC in gzip: empty members", "a.warc.gz", |times| {
        Ok([gzip(&response("X: y", b"<a href=x>"))?, gzip(b"")?.repeat(100_000 * times)].concat())
    }),
    bomb("WARC in gzip: a block of zeros", "a.warc.gz", |times| {
        let header = format!("WARC/1.0\r\nContent-Length: {}\r\n\r\n", (50 * times) << 20);
        gzip(&[header.into_bytes(), vec![0; (50 * times) << 20]].concat())
    }),
    bomb("WARC in gzip: nothing but zeros", "a.warc.gz", |times| {
        gzip(&[response("X: y", b"<a href=x>"), vec![0; (50 * times) << 20]].concat())
    }),
    bomb("WARC in zstd: nothing but zeros", "a.warc.zst", |times| {
        zstd::bulk::compress(&[response("X: y", b"<a href=x>"), vec![0; (50 * times) << 20]].concat(), 3)
    }),
    bomb("ARC: lines that are nearly records", "a.arc", |times| {
        let start = "filedesc://x 0.0.0.0 20200101000000 text/plain 0\n\n";
        text(start, "http://h/ 1.2.3.4 20200101000000 text/html x\n", 100_000 * times, "")
    }),
    bomb("WACZ: members", "a.wacz", |times| {
        let names = (0..5_000 * times).map(|n| (format!("pages/{n}"), Vec::new()));
        wacz(names.collect(), Vec::new())
    }),
    bomb("WACZ: archives", "a.wacz", |times| {
        let archive = response("X: y", b"<a href=x>");
        wacz((0..300 * times).map(|n| (format!("archive/{n}.warc"), archive.clone())).collect(), Vec::new())
    }),
    bomb("WACZ: an archive of zeros", "a.wacz", |times| {
        // Longer than a record may be, at both sizes.
        let archive = [response("X: y", b"<a href=x>"), vec![0; (140 * times) << 20]].concat();
        wacz(vec![("archive/a.warc".to_owned(), archive)], Vec::new())
    }),
    bomb("WACZ: an index of zeros", "a.wacz", |times| {
        wacz(vec![("archive/a.warc".to_owned(), response("X: y", b"<a href=x>"))], vec![0; (20 * times) << 20])
    }),
    bomb("WACZ: an index of rows", "a.wacz", |times| {
        let rows = numbered("h)/ 20200101000000 {\"offset\": \"", 50_000 * times, "\", \"filename\": \"a.warc\"}\n");
        wacz(vec![("archive/a.warc".to_owned(), response("X: y", b"<a href=x>"))], rows.into_bytes())
    }),
];

fn spaces(mebibytes: usize) -> Vec<u8> {
    vec![b' '; mebibytes << 20]
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish())
}

/// Compresses by gzip without making the bytes fewer.
fn stored(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(bytes).and_then(|()| encoder.finish())
}

/// 30 MiB of spaces in Brotli, for which there is no encoder here.
const BROTLI_OF_SPACES: [u8; 51] = [
    0xcb, 0xff, 0xff, 0x3f, 0x00, 0x24, 0x40, 0xe2, 0xb1, 0x40, 0x72, 0xef, 0xff, 0xf8, 0xff, 0xff, 0x07, 0x80, 0x04,
    0x40, 0x1c, 0x16, 0x80, 0xee, 0xfd, 0x1f, 0xff, 0xff, 0xff, 0x00, 0x90, 0x00, 0x88, 0xc3, 0x02, 0xd0, 0xbd, 0xff,
    0xcb, 0xff, 0xff, 0x2f, 0x00, 0x12, 0x00, 0x71, 0x58, 0x00, 0xba, 0xf7, 0x5f,
];

/// Returns responses whose content has this coding.
fn coded(coding: &str, content: &[u8], count: usize) -> io::Result<Vec<u8>> {
    Ok(response(&format!("Content-Encoding: {coding}"), content).repeat(count))
}

fn response(field: &str, body: &[u8]) -> Vec<u8> {
    let header = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{field}\r\n\r\n");
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n\
         WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
         Content-Length: {}\r\n\r\n",
        header.len() + body.len()
    );
    [record.as_bytes(), header.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn wacz(members: Vec<(String, Vec<u8>)>, index: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members.into_iter().chain([("indexes/index.cdxj".to_owned(), index)]) {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(&bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
