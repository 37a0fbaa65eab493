//! Compares headers: which fields may change, and which have to.

use absolve_framing::{Transfer, parameters, without_comments};
use absolve_links::DocumentType;
use md5::{Digest, Md5};

use super::header::{Field, Header};
use super::lines::{lines, without_end};
use super::transfer_encoding::decode;
use crate::base::Surroundings;
use crate::document::verify_document;
use crate::settings::{HeaderFields, Settings};
use crate::verdict::{Difference, Rule};

const TRANSFER_ENCODING: &str = "content-transfer-encoding";

/// A header in front of its body.
pub(super) struct Headed<'h> {
    pub(super) header: &'h Header<'h>,
    pub(super) body: &'h [u8],
    pub(super) encoding: Option<Transfer>,
}

/// Returns the differences between two headers that are not allowed.
pub(super) fn compare_headers(
    old: &Headed<'_>,
    new: &Headed<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    if old.header.blank != new.header.blank {
        let message = "the empty line behind the header differs";
        differences.push(Difference::new(Rule::Header, message).at(old.header.body));
    }
    let is_requoted = old.encoding != new.encoding;
    let names = |header: &Header<'_>| header.named(TRANSFER_ENCODING).count();
    // A part that became quoted-printable may get a field for that.
    let may_be_added = is_requoted && names(old.header) == 0 && names(new.header) == 1;
    let mut new_fields = new.header.fields.iter().filter(|field| !(may_be_added && names_quoted_printable(field)));
    let measured = (old.body != new.body).then(|| (Measured::of(old), Measured::of(new)));
    for field in &old.header.fields {
        let Some(counterpart) = new_fields.next() else {
            let message = format!("the field {:?} is missing", String::from_utf8_lossy(field.name));
            differences.push(Difference::new(Rule::Header, message).at(field.start));
            return differences;
        };
        let corrected = measured.as_ref().and_then(|(old, new)| corrected(field, old, new));
        let is_allowed = is_requoted && field.head() == counterpart.head() && names_quoted_printable(counterpart);
        let may_refer = settings.header_fields == HeaderFields::Absolute && refers(field);
        differences.extend(match may_refer && field.head() == counterpart.head() && !holds_words(field, counterpart) {
            true => compare_references(field, counterpart, surroundings, settings),
            false if is_allowed => None,
            false => compare_values(field, counterpart, corrected),
        });
    }
    differences.extend(new_fields.next().map(|field| {
        Difference::new(Rule::Header, format!("the field {:?} was added", String::from_utf8_lossy(field.name)))
    }));
    differences
}

/// Verifies the references in a field, which is not its own base.
fn compare_references(
    old: &Field<'_>,
    new: &Field<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Option<Difference> {
    let mut around = surroundings.clone();
    around.headers.iter_mut().take(1).for_each(|own| own.retain(|(name, _)| !old.is(name)));
    let verdict = verify_document(old.value, new.value, DocumentType::Field, None, &around, settings);
    verdict.differences.into_iter().next().map(|difference| difference.at(old.start))
}

/// Compares fields; `corrected` is the value with the length or digest of the body as it is now, if it had the right one.
fn compare_values(old: &Field<'_>, new: &Field<'_>, corrected: Option<Vec<u8>>) -> Option<Difference> {
    if old.head() == new.head() && new.value == corrected.as_deref().unwrap_or(old.value) {
        return None;
    }
    let rule = if corrected.is_some() { Rule::Digest } else { Rule::Header };
    let names = [old, new].map(|field| String::from_utf8_lossy(field.name).to_ascii_lowercase());
    let [original, rewritten, expected] = [old.value, new.value, corrected.as_deref().unwrap_or_default()]
        .map(|value| String::from_utf8_lossy(value).trim().to_owned());
    let message = match old.written == new.written {
        true => format!("the field {:?} no longer matches the body", names[0]),
        false => format!("the field {:?} has become {:?}: {rewritten:?}", names[0], names[1]),
    };
    Some(Difference { original, rewritten, expected, ..Difference::new(rule, message) }.at(old.start))
}

/// Reports whether an unchanged field holds encoded words, which may begin and end within a reference.
fn holds_words(old: &Field<'_>, new: &Field<'_>) -> bool {
    old.written == new.written && memchr::memmem::find(old.value, b"=?").is_some()
}

/// Reports whether a field names the encoding of a part whose lines became too long, and nothing else.
fn names_quoted_printable(field: &Field<'_>) -> bool {
    field.is(TRANSFER_ENCODING) && field.value.trim_ascii() == b"quoted-printable"
}

/// Reports whether references in a field may become absolute. A field with a carriage return by itself ends there to some readers.
fn refers(field: &Field<'_>) -> bool {
    const IN_BRACKETS: [&str; 7] =
        ["archived-at", "list-archive", "list-help", "list-owner", "list-post", "list-subscribe", "list-unsubscribe"];
    let mut lines = field.value.trim_ascii().split(|byte| *byte == b'\n');
    let is_whole = lines.all(|line| !line.strip_suffix(b"\r").unwrap_or(line).contains(&b'\r'));
    let is_in_brackets = || IN_BRACKETS.iter().any(|name| field.is(name)) && field.value.contains(&b'<');
    is_whole && (field.is("content-location") || is_in_brackets())
}

/// The lengths and digests of a body.
struct Measured {
    length: usize,
    lines: usize,
    /// Without the transfer encoding, like the digests.
    decoded_length: Option<usize>,
    /// As it is, and with line ends of one kind; empty if no field of the header has one.
    digests: Vec<String>,
}

impl Measured {
    fn of(headed: &Headed<'_>) -> Self {
        let decoded = decode(headed.body, headed.encoding);
        let with_ends = |text: &[u8], end: &[u8]| {
            let line = |line| [without_end(line), if line.ends_with(b"\n") { end } else { b"" }].concat();
            lines(text).flat_map(line).collect()
        };
        let has_digest = headed.header.named("content-md5").next().is_some();
        let texts = decoded
            .as_deref()
            .filter(|_| has_digest)
            .map(|text| [text.to_vec(), with_ends(text, b"\r\n"), with_ends(text, b"\n")]);
        let digests = texts.iter().flatten().map(|text: &Vec<u8>| data_encoding::BASE64.encode(&Md5::digest(text)));
        Self {
            length: headed.body.len(),
            lines: memchr::memchr_iter(b'\n', headed.body).count(),
            decoded_length: decoded.as_ref().map(|text| text.len()),
            digests: digests.collect(),
        }
    }
}

/// Returns the value of a field with the length or digest of the body as it is now, if it had that of before. Comments may stand around a
/// number, and in a digest.
fn corrected(field: &Field<'_>, old: &Measured, new: &Measured) -> Option<Vec<u8>> {
    let plain = without_comments(field.value);
    let (place, old, new) = match () {
        () if field.is("content-length") => (digits(plain.trim_ascii())?, old.length, new.length),
        () if field.is("lines") => (digits(plain.trim_ascii())?, old.lines, new.lines),
        () if field.is("content-disposition") => (size_in(&plain)?, old.decoded_length?, new.decoded_length?),
        () if field.is("content-md5") => return with_digest(field.value, &plain, old, new),
        () => return None,
    };
    let start = place.as_ptr().addr() - plain.as_ptr().addr();
    let number = without_escapes(place);
    let is_right = str::from_utf8(digits(&number)?).ok()?.parse() == Ok(old);
    let corrected =
        || [&field.value[..start], new.to_string().as_bytes(), &field.value[start + place.len()..]].concat();
    is_right.then(corrected)
}

/// Returns a value with the new digest in place of the old one.
fn with_digest(value: &[u8], plain: &[u8], old: &Measured, new: &Measured) -> Option<Vec<u8>> {
    let places: Vec<usize> = (0..plain.len()).filter(|at| !plain[*at].is_ascii_whitespace()).collect();
    let stated: Vec<u8> = places.iter().map(|at| plain[*at]).collect();
    let form = old.digests.iter().position(|digest| digest.as_bytes() == stated)?;
    let mut value = value.to_vec();
    places.into_iter().zip(new.digests.get(form)?.bytes()).for_each(|(at, byte)| value[at] = byte);
    Some(value)
}

/// Returns the `size` among the parameters of a value without comments, and without quotes.
fn size_in(plain: &[u8]) -> Option<&[u8]> {
    let size = parameters(plain).find_map(|parameter| {
        let (name, size) = parameter.split_at(memchr::memchr(b'=', parameter)?);
        name.trim_ascii().eq_ignore_ascii_case(b"size").then(|| size[1..].trim_ascii())
    })?;
    let quoted = size.strip_prefix(b"\"").and_then(|size| size.strip_suffix(b"\""));
    quoted.or_else(|| digits(size))
}

fn digits(text: &[u8]) -> Option<&[u8]> {
    text.iter().all(u8::is_ascii_digit).then_some(text)
}

/// Returns a quoted text without the backslashes that escape its characters.
fn without_escapes(quoted: &[u8]) -> Vec<u8> {
    let mut is_escape = false;
    let is_kept = |byte: &u8| {
        is_escape = *byte == b'\\' && !is_escape;
        !is_escape
    };
    quoted.iter().copied().filter(is_kept).collect()
}
