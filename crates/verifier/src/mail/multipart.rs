//! The parts of a multipart body (RFC 2046, section 5.1).

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;

use super::header::Header;
use super::lines::{lines, without_end};
use super::parameters::{file_name, media_type, parameter};
use super::transfer_encoding::Encoding;

/// The ranges of the parts of a multipart body, and of the bytes around them.
pub(super) struct Split {
    pub(super) parts: Vec<Range<usize>>,
    /// The preamble, the delimiters and the epilogue.
    pub(super) around: Vec<Range<usize>>,
}

/// Splits a body at its delimiter lines (RFC 2046, section 5.1.1). Without a closing delimiter, the last part ends with
/// the body.
pub(super) fn split(body: &[u8], boundary: &str) -> Split {
    let delimiter = [b"--", boundary.as_bytes()].concat();
    let mut split = Split { parts: Vec::new(), around: Vec::new() };
    let (mut at, mut around_start, mut part_start) = (0, 0, None);
    for line in lines(body) {
        let start = at;
        at += line.len();
        let Some(rest) = line.strip_prefix(&*delimiter) else { continue };
        let is_last = rest.starts_with(b"--");
        if !rest[if is_last { 2 } else { 0 }..].trim_ascii().is_empty() {
            continue;
        }
        if let Some(part) = part_start {
            // The line end in front of a delimiter belongs to the delimiter.
            let end = without_end(&body[..start]).len().max(part);
            split.around.push(around_start..part);
            split.parts.push(part..end);
            around_start = end;
        }
        part_start = Some(at);
        if is_last {
            part_start = None;
            break;
        }
    }
    if let Some(part) = part_start {
        split.around.push(around_start..part);
        split.parts.push(part..body.len());
    } else {
        split.around.push(around_start..body.len());
    }
    split
}

/// Reports for each part of a body whether it has to stay, because another one is its signature: its name is that of the part with `.asc`,
/// `.sig` or `.p7s`. One with the type of a signature and no such name may be that of all.
pub(super) fn signed(body: &[u8], split: &Split) -> Vec<bool> {
    let headers: Vec<Header> = split.parts.iter().map(|part| Header::read(&body[part.clone()])).collect();
    let names: Vec<String> =
        headers.iter().map(|header| file_name(header).unwrap_or_default().to_ascii_lowercase()).collect();
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    let (mut signed, mut are_all_signed) = (HashSet::new(), false);
    for (header, name) in headers.iter().zip(&names) {
        let stem = name.rsplit_once('.').filter(|(_, extension)| matches!(*extension, "asc" | "sig" | "p7s"));
        match stem.map(|(stem, _)| stem).filter(|stem| !stem.is_empty() && known.contains(stem)) {
            Some(stem) => drop(signed.insert(stem)),
            None => {
                let media_type = media_type(header);
                let signature =
                    media_type.strip_prefix("application/").map(|name| name.strip_prefix("x-").unwrap_or(name));
                are_all_signed |= matches!(signature, Some("pgp-signature" | "pkcs7-signature"));
            }
        }
    }
    names.iter().map(|name| are_all_signed || signed.contains(&**name)).collect()
}

/// Reports whether a body that declares an encoding reads as if it had none: RFC 2045 forbids an encoding of a multipart (section 6.4). No base64
/// has delimiters; of quoted-printable there are no escapes but in parts that declare it themselves.
pub(super) fn is_plain(body: &[u8], boundary: &str, encoding: Encoding) -> bool {
    let parts = || split(body, boundary).parts;
    match encoding {
        Encoding::Lines | Encoding::Binary => true,
        Encoding::Base64 => !parts().is_empty(),
        Encoding::QuotedPrintable => {
            !parts().is_empty() && !parts().into_iter().any(|part| is_escaped(&body[part], LEVELS))
        }
        Encoding::Unknown => false,
    }
}

/// The levels of parts within each other that are examined. What is deeper counts as text.
const LEVELS: usize = 8;

/// Reports whether a part has escapes where nothing in it declares quoted-printable.
fn is_escaped(part: &[u8], levels: usize) -> bool {
    let header = Header::read(part);
    let (text, body) = part.split_at(header.body);
    let name = media_type(&header);
    let is_composite = name.starts_with("multipart/") || name.starts_with("message/");
    let is_plain = matches!(Encoding::of(&header), Encoding::Lines | Encoding::Binary);
    let inner: Vec<&[u8]> = match parameter(&header, "content-type", "boundary").filter(|boundary| !boundary.is_empty())
    {
        _ if levels == 0 || !is_plain => Vec::new(),
        Some(boundary) if name.starts_with("multipart/") => {
            split(body, &boundary).parts.into_iter().map(|part| &body[part]).collect()
        }
        _ if name.starts_with("message/") => vec![body],
        _ => Vec::new(),
    };
    let text = if inner.is_empty() && (is_plain || is_composite) { part } else { text };
    let escaped = |line: &[u8]| memmem::find(line, b"=3D").is_some() || memmem::find(line, b"=3d").is_some();
    // The line break before a delimiter is that of the delimiter.
    let ends = |line: &[u8]| line.ends_with(b"=") && !line.ends_with(b"==");
    lines(text).any(|line| escaped(line) || (line.ends_with(b"\n") && ends(without_end(line))))
        || inner.into_iter().any(|inner| is_escaped(inner, levels - 1))
}
