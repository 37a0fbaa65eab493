//! Compares headers: which fields may change, and which have to.

use absolve_links::DocumentType;
use md5::{Digest, Md5};

use super::header::{Field, Header};
use super::lines::{lines, without_end};
use super::parameters::without_comments;
use super::sides::Sides;
use super::transfer_encoding::{Encoding, decode};
use crate::base::Surroundings;
use crate::document::verify_document;
use crate::settings::{HeaderFields, Settings};
use crate::verdict::{Difference, Rule};

const TRANSFER_ENCODING: &str = "content-transfer-encoding";

/// A header in front of its body.
pub(super) struct Headed<'h> {
    pub(super) header: &'h Header<'h>,
    pub(super) body: &'h [u8],
    pub(super) encoding: Encoding,
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
        let rights = measured.as_ref().map(|(old, new)| (old.rights(field), new.rights(field))).unwrap_or_default();
        let is_allowed = is_requoted && field.head() == counterpart.head() && names_quoted_printable(counterpart);
        let may_refer = settings.header_fields == HeaderFields::Absolute && refers(field);
        differences.extend(match may_refer && field.head() == counterpart.head() && !holds_words(field, counterpart) {
            true => compare_references(field, counterpart, surroundings, settings),
            false if is_allowed => None,
            false => compare_values(field, counterpart, rights),
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

/// Compares the values of fields; `rights` are the lengths or digests of the body, before and now, that would be right in this one.
fn compare_values(old: &Field<'_>, new: &Field<'_>, rights: (Vec<String>, Vec<String>)) -> Option<Difference> {
    let [stated, restated] = [old, new].map(stated_in);
    let read = |stated: &String| stated.parse().map_or_else(|_| stated.clone(), |number: usize| number.to_string());
    let was_right = stated.as_ref().is_some_and(|stated| rights.0.contains(&read(stated)));
    let is_right = restated.is_some_and(|restated| {
        let restated = if old.written == new.written { read(&restated) } else { restated };
        rights.1.contains(&restated)
    });
    let names = [old, new].map(|field| String::from_utf8_lossy(field.name).to_ascii_lowercase());
    let [original, rewritten] = [old, new].map(|field| String::from_utf8_lossy(field.value).trim().to_owned());
    let (rule, message) = if was_right && !is_right {
        (Rule::Digest, format!("the field {:?} no longer matches the body", names[0]))
    } else if old.written == new.written
        || (was_right && old.head() == new.head() && differ_in_number_or_digest(old, new))
    {
        return None;
    } else {
        let rule = if stated.is_some() { Rule::Digest } else { Rule::Header };
        (rule, format!("the field {:?} has become {:?}: {rewritten:?}", names[0], names[1]))
    };
    Some(Difference { original, rewritten, ..Difference::new(rule, message) }.at(old.start))
}

/// Reports whether an unchanged field holds encoded words, which may begin and end within a reference.
fn holds_words(old: &Field<'_>, new: &Field<'_>) -> bool {
    old.written == new.written && memchr::memmem::find(old.value, b"=?").is_some()
}

/// Reports whether a field names the encoding of a part whose lines became too long, and nothing else.
fn names_quoted_printable(field: &Field<'_>) -> bool {
    field.is(TRANSFER_ENCODING) && field.value.trim_ascii() == b"quoted-printable"
}

/// Reports whether references in a field may become absolute.
fn refers(field: &Field<'_>) -> bool {
    const IN_BRACKETS: [&str; 7] =
        ["archived-at", "list-archive", "list-help", "list-owner", "list-post", "list-subscribe", "list-unsubscribe"];
    field.is("content-location") || (IN_BRACKETS.iter().any(|name| field.is(name)) && field.value.contains(&b'<'))
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
            .map(|text| [with_ends(text, b"\n"), with_ends(text, b"\r\n"), text.to_vec()]);
        let digests = texts.iter().flatten().map(|text: &Vec<u8>| data_encoding::BASE64.encode(&Md5::digest(text)));
        Self {
            length: headed.body.len(),
            lines: memchr::memchr_iter(b'\n', headed.body).count(),
            decoded_length: decoded.as_ref().map(|text| text.len()),
            digests: digests.collect(),
        }
    }

    /// Returns what would be right in a field.
    fn rights(&self, field: &Field<'_>) -> Vec<String> {
        let number = match () {
            () if field.is("content-length") => Some(self.length),
            () if field.is("lines") => Some(self.lines),
            () if field.is("content-disposition") => self.decoded_length,
            () if field.is("content-md5") => return self.digests.clone(),
            () => None,
        };
        number.map(|number| number.to_string()).into_iter().collect()
    }
}

/// Returns the length or digest of the body that a field states. Comments may stand around a number, and in a digest.
fn stated_in(field: &Field<'_>) -> Option<String> {
    let number = match () {
        () if field.is("content-md5") => {
            let plain = without_comments(field.value);
            let digest: Vec<u8> = plain.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
            return Some(String::from_utf8_lossy(&digest).into_owned());
        }
        () if field.is("content-length") || field.is("lines") => without_comments(field.value).trim_ascii().to_vec(),
        () if field.is("content-disposition") => size_in(&without_comments(field.value))?,
        () => return None,
    };
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    String::from_utf8(number).ok().filter(|_| is_number)
}

/// Returns the `size` among the parameters of a value without comments, and without quotes.
fn size_in(plain: &[u8]) -> Option<Vec<u8>> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut parameters = plain.split(|byte| {
        is_quoted ^= *byte == b'"' && !is_escaped;
        is_escaped = is_quoted && *byte == b'\\' && !is_escaped;
        *byte == b';' && !is_quoted
    });
    let size = parameters.find_map(|parameter| {
        let equals = memchr::memchr(b'=', parameter)?;
        let (name, size) = (&parameter[..equals], &parameter[equals + 1..]);
        name.trim_ascii().eq_ignore_ascii_case(b"size").then(|| size.trim_ascii())
    })?;
    let quoted = size.strip_prefix(b"\"").and_then(|size| size.strip_suffix(b"\""));
    let mut is_escape = false;
    let mut is_kept = |byte: &u8| {
        is_escape = quoted.is_some() && *byte == b'\\' && !is_escape;
        !is_escape
    };
    Some(quoted.unwrap_or(size).iter().copied().filter(&mut is_kept).collect())
}

/// Reports whether nothing but a number, or the characters of a digest, differ in two fields.
fn differ_in_number_or_digest(old: &Field<'_>, new: &Field<'_>) -> bool {
    if old.is("content-md5") {
        let places = [old, new].map(|field| without_comments(field.value));
        let is_of_digest = |at: usize| places.iter().all(|plain| !plain[at].is_ascii_whitespace());
        return old.value.len() == new.value.len()
            && (0..old.value.len()).all(|at| old.value[at] == new.value[at] || is_of_digest(at));
    }
    let values = Sides { old: old.value, new: new.value };
    let (before, behind) = (values.common(), values.common_end());
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'\\';
    [old, new].iter().all(|field| field.value[before..field.value.len() - behind].iter().all(is_of_number))
}
