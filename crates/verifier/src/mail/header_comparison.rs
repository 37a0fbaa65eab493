//! Which fields of a header may change, and which must.

use std::cell::OnceCell;

use absolve_links::DocumentType;
use md5::{Digest, Md5};

use super::header::{Field, Header};
use super::transfer_encoding::{Encoding, decode};
use crate::base::Surroundings;
use crate::document::verify_document;
use crate::settings::{HeaderFields, Settings};
use crate::verdict::{Difference, Rule};

/// What differs in two headers and may not.
pub(crate) fn compare_headers(
    old: &Header,
    new: &Header,
    bodies: (&[u8], &[u8]),
    encodings: (Encoding, Encoding),
    surroundings: &Surroundings,
    settings: &Settings,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    let measured = (Measured::of(bodies.0, encodings.0), Measured::of(bodies.1, encodings.1));
    if old.blank != new.blank {
        differences.push(Difference::new(Rule::Heading, "the empty line behind the header differs").at(old.body));
    }
    let mut new_fields = new.fields.iter().peekable();
    for field in &old.fields {
        // Where a part became quoted-printable, its header may say so in a field of its own.
        let is_added = |candidate: &&Field| {
            candidate.name == "content-transfer-encoding"
                && encodings.0 != encodings.1
                && names_quoted_printable(candidate)
                && !old.fields.iter().any(|field| field.name == candidate.name)
                && new.fields.iter().filter(|field| field.name == candidate.name).count() == 1
        };
        let _ = new_fields.next_if(|candidate| is_added(candidate));
        let Some(counterpart) = new_fields.next() else {
            differences
                .push(Difference::new(Rule::Heading, format!("the field {:?} is gone", field.name)).at(field.start));
            return differences;
        };
        differences.extend(of_field(field, counterpart, (&measured.0, &measured.1), surroundings, settings));
    }
    let is_encoding = |field: &&Field| {
        field.name == "content-transfer-encoding"
            && encodings.0 != encodings.1
            && names_quoted_printable(field)
            && new.fields.iter().filter(|other| other.name == field.name).count() == 1
    };
    if let Some(field) = new_fields.find(|field| !is_encoding(field)) {
        differences.push(Difference::new(Rule::Heading, format!("the field {:?} was added", field.name)));
    }
    differences
}

fn of_field(
    old: &Field,
    new: &Field,
    bodies: (&Measured<'_>, &Measured<'_>),
    surroundings: &Surroundings,
    settings: &Settings,
) -> Option<Difference> {
    let was_right = is_right(old, bodies.0);
    let (original, rewritten) = (old.named().1, new.named().1);
    let differ = |rule: Rule, message: String| {
        let (original, rewritten) = (original.trim().to_owned(), rewritten.trim().to_owned());
        Some(Difference { original, rewritten, ..Difference::new(rule, message) }.at(old.start))
    };
    if was_right == Some(true) && is_right(new, bodies.1) != Some(true) {
        return differ(Rule::Digest, format!("the field {:?} was right of its body and is not any more", old.name));
    }
    let has_same_name =
        old.name == new.name && old.written.len() - old.value.len() == new.written.len() - new.value.len();
    if has_same_name
        && settings.header_fields == HeaderFields::Absolute
        && refers(&old.name)
        && (old.name == "content-location" || old.value.contains(&b'<'))
        && !holds_words(old, new)
    {
        let mut around = surroundings.clone();
        if let Some(own) = around.headers.first_mut() {
            // A field is not its own base.
            own.retain(|(name, _)| *name != old.name);
        }
        let verdict = verify_document(&old.value, &new.value, DocumentType::Field, None, &around, settings);
        return verdict
            .differences
            .into_iter()
            .next()
            .map(|difference| Difference { byte: Some(old.start), ..difference });
    }
    if old.written == new.written {
        return None;
    }
    if has_same_name && was_right == Some(true) && without_claim(old) == without_claim(new) {
        return None;
    }
    if has_same_name
        && old.name == "content-transfer-encoding"
        && bodies.0.encoding != bodies.1.encoding
        && names_quoted_printable(new)
    {
        return None;
    }
    let rule = if was_right.is_some() { Rule::Digest } else { Rule::Heading };
    differ(rule, format!("the field {:?} has become {:?}: {:?}", old.name, new.name, rewritten.trim()))
}

/// Whether a field that stayed holds encoded words, which may begin and end within a reference.
fn holds_words(old: &Field, new: &Field) -> bool {
    old.written == new.written && memchr::memmem::find(&old.value, b"=?").is_some()
}

/// Whether a field names the encoding of a part whose lines became too long, and says no more.
fn names_quoted_printable(field: &Field) -> bool {
    field.value.trim_ascii() == b"quoted-printable"
}

/// Fields whose references may become absolute.
fn refers(name: &str) -> bool {
    const LISTS: [&str; 6] = ["archive", "help", "owner", "post", "subscribe", "unsubscribe"];
    matches!(name, "content-location" | "archived-at")
        || name.strip_prefix("list-").is_some_and(|purpose| LISTS.contains(&purpose))
}

/// A body, and what fields may tell of it, each found out once.
struct Measured<'b> {
    body: &'b [u8],
    encoding: Encoding,
    lines: OnceCell<usize>,
    length: OnceCell<Option<usize>>,
    digests: OnceCell<Vec<String>>,
}

impl<'b> Measured<'b> {
    const fn of(body: &'b [u8], encoding: Encoding) -> Self {
        Self { body, encoding, lines: OnceCell::new(), length: OnceCell::new(), digests: OnceCell::new() }
    }

    fn lines(&self) -> usize {
        *self.lines.get_or_init(|| memchr::memchr_iter(b'\n', self.body).count())
    }

    /// Without the transfer encoding.
    fn length(&self) -> Option<usize> {
        *self.length.get_or_init(|| decode(self.body, self.encoding).map(|decoded| decoded.len()))
    }

    /// Without the transfer encoding: as it is, and in lines that all end alike.
    fn digests(&self) -> &[String] {
        self.digests.get_or_init(|| {
            let Some(decoded) = decode(self.body, self.encoding) else { return Vec::new() };
            let with_ends = |end: &[u8]| {
                let mut text = Vec::with_capacity(decoded.len());
                for line in decoded.split_inclusive(|byte| *byte == b'\n') {
                    let content = line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
                    text.extend_from_slice(content.unwrap_or(line));
                    text.extend_from_slice(if content.is_some() { end } else { b"" });
                }
                text
            };
            let texts = [with_ends(b"\n"), with_ends(b"\r\n"), decoded.to_vec()];
            texts.iter().map(|text| data_encoding::BASE64.encode(&Md5::digest(text))).collect()
        })
    }
}

/// Whether a field tells the length or the digest of the body, and if so, whether that is right.
fn is_right(field: &Field, body: &Measured<'_>) -> Option<bool> {
    let claim = claim(field)?;
    let is = |number: usize| claim.parse::<usize>().is_ok_and(|told| told == number);
    Some(match &*field.name {
        "content-length" => is(body.body.len()),
        "lines" => is(body.lines()),
        "content-disposition" => is(body.length()?),
        _ => body.digests().contains(&claim),
    })
}

/// The number or digest that a field tells.
fn claim(field: &Field) -> Option<String> {
    let value = String::from_utf8_lossy(&field.value).into_owned();
    match &*field.name {
        "content-length" | "lines" | "content-md5" => Some(value.trim().to_owned()),
        "content-disposition" => {
            let start = value.to_ascii_lowercase().find("size=")? + 5;
            let digits = value[start..].trim_start_matches('"');
            Some(digits.chars().take_while(char::is_ascii_digit).collect())
        }
        _ => None,
    }
}

/// The field without what it tells of the body.
fn without_claim(field: &Field) -> String {
    let written = String::from_utf8_lossy(&field.written).into_owned();
    match claim(field).filter(|claim| !claim.is_empty()) {
        Some(claim) => {
            let value = written.len() - field.value.len();
            let from = match &*field.name {
                "content-disposition" => {
                    value + written[value..].to_ascii_lowercase().find("size=").unwrap_or_default()
                }
                _ => value,
            };
            match written[from..].find(&claim).map(|at| from + at) {
                Some(at) => format!("{}{}", &written[..at], &written[at + claim.len()..]),
                None => written,
            }
        }
        None => written,
    }
}
