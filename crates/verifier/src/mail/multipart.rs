//! The parts of a multipart body (RFC 2046, section 5.1).

use std::collections::HashSet;
use std::iter;
use std::ops::Range;

use absolve_framing::media_type;
use memchr::memmem;

use super::header::Header;
use super::lines::{lines, without_end};
use super::part::file_name;
use super::transfer_encoding::Encoding;

/// Returns the parts of a body between its delimiter lines (RFC 2046, section 5.1.1). Without a closing delimiter, the last part ends with
/// the body.
pub(super) fn split(body: &[u8], boundary: &str) -> Vec<Range<usize>> {
    let delimiter = [b"--", boundary.as_bytes()].concat();
    let (mut parts, mut at, mut part_start) = (Vec::new(), 0, None);
    for line in lines(body) {
        let start = at;
        at += line.len();
        let Some(rest) = line.strip_prefix(&*delimiter) else { continue };
        let closing = rest.strip_prefix(b"--").filter(|rest| rest.trim_ascii().is_empty());
        if closing.is_some() || rest.trim_ascii().is_empty() {
            // The line end in front of a delimiter belongs to the delimiter.
            parts.extend(part_start.map(|part| part..without_end(&body[..start]).len().max(part)));
            part_start = closing.is_none().then_some(at);
        }
        if closing.is_some() {
            break;
        }
    }
    parts.extend(part_start.map(|part| part..body.len()));
    parts
}

/// Returns what is around the parts of a body: the preamble, the delimiters and the epilogue.
pub(super) fn between<'p>(body: &[u8], parts: &'p [Range<usize>]) -> impl Iterator<Item = Range<usize>> + 'p {
    let starts = iter::once(0).chain(parts.iter().map(|part| part.end));
    let ends = parts.iter().map(|part| part.start).chain([body.len()]);
    starts.zip(ends).map(|(start, end)| start..end)
}

/// Reports for each part of a body whether it has to stay, because another one is its signature: its name is that of the part with `.asc`,
/// `.sig` or `.p7s`. One with the type of a signature and no such name may be that of all.
pub(super) fn signed(body: &[u8], parts: &[Range<usize>]) -> Vec<bool> {
    let described = |part: &Range<usize>| {
        let header = Header::read(&body[part.clone()]);
        (file_name(&header).unwrap_or_default().to_ascii_lowercase(), is_signature(&header))
    };
    let described: Vec<(String, bool)> = parts.iter().map(described).collect();
    let names: HashSet<&str> = described.iter().map(|(name, _)| &**name).collect();
    let signed_by = |name: &str| {
        let (stem, extension) = name.rsplit_once('.')?;
        let is_known = matches!(extension, "asc" | "sig" | "p7s") && !stem.is_empty() && names.contains(stem);
        is_known.then(|| stem.to_owned())
    };
    let signed: HashSet<String> = names.iter().filter_map(|name| signed_by(name)).collect();
    let are_all = described.iter().any(|(name, is_signature)| *is_signature && signed_by(name).is_none());
    described.iter().map(|(name, _)| are_all || signed.contains(name)).collect()
}

fn is_signature(header: &Header<'_>) -> bool {
    header.named("content-type").any(|field| {
        let name = media_type(field.value).map(|media_type| media_type.name).unwrap_or_default();
        let subtype = name.strip_prefix("application/").map(|name| name.strip_prefix("x-").unwrap_or(name));
        matches!(subtype, Some("pgp-signature" | "pkcs7-signature"))
    })
}

/// Reports whether a body that declares an encoding reads as if it had none: RFC 2045 forbids an encoding of a multipart (section 6.4). No base64
/// has delimiters; of quoted-printable there are no escapes but in parts that declare it themselves.
pub(super) fn is_plain(body: &[u8], parts: &[Range<usize>], encoding: Encoding) -> bool {
    match encoding {
        Encoding::QuotedPrintable => !parts.iter().any(|part| is_escaped(&body[part.clone()], LEVELS)),
        encoding => encoding != Encoding::Unknown,
    }
}

/// The levels of parts within each other that are examined. What is deeper counts as text.
const LEVELS: usize = 8;

/// Reports whether a part has escapes where nothing in it declares quoted-printable.
fn is_escaped(part: &[u8], levels: usize) -> bool {
    let header = Header::read(part);
    let (text, body) = part.split_at(header.body);
    let (name, boundary) =
        header.media_type().map(|media_type| (media_type.name, media_type.boundary)).unwrap_or_default();
    let is_plain = matches!(Encoding::of(&header), Encoding::Lines | Encoding::Binary);
    let is_message = name.starts_with("message/");
    let inner: Vec<&[u8]> = match boundary {
        _ if levels == 0 || !is_plain => Vec::new(),
        Some(boundary) if name.starts_with("multipart/") => {
            split(body, &boundary).into_iter().map(|part| &body[part]).collect()
        }
        _ if is_message => vec![body],
        _ => Vec::new(),
    };
    let is_text = inner.is_empty() && (is_plain || is_message || name.starts_with("multipart/"));
    let escaped = |line: &[u8]| memmem::find(line, b"=3D").is_some() || memmem::find(line, b"=3d").is_some();
    // The line break before a delimiter is that of the delimiter.
    let ends = |line: &[u8]| line.ends_with(b"=") && !line.ends_with(b"==");
    lines(if is_text { part } else { text })
        .any(|line| escaped(line) || (line.ends_with(b"\n") && ends(without_end(line))))
        || inner.into_iter().any(|inner| is_escaped(inner, levels - 1))
}
