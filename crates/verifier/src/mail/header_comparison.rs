//! Compares headers: which fields may change, and which have to.

use std::cell::OnceCell;

use absolve_links::DocumentType;
use md5::{Digest, Md5};

use super::header::{Field, Header};
use super::parameters::{without_comments, written_parameter};
use super::transfer_encoding::{Encoding, decode};
use crate::base::Surroundings;
use crate::document::verify_document;
use crate::settings::{HeaderFields, Settings};
use crate::values::within;
use crate::verdict::{Difference, Rule};

const TRANSFER_ENCODING: &str = "content-transfer-encoding";

/// Returns the differences between two headers that are not allowed.
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
        differences.push(Difference::new(Rule::Header, "the empty line behind the header differs").at(old.body));
    }
    let has_encoding = old.fields.iter().any(|field| field.name == TRANSFER_ENCODING);
    // A part that became quoted-printable may get a field for that.
    let may_be_added = |field: &&Field| {
        let is_only_one = new.fields.iter().filter(|other| other.name == field.name).count() == 1;
        encodings.0 != encodings.1 && names_quoted_printable(field) && is_only_one
    };
    let mut new_fields = new.fields.iter().peekable();
    for field in &old.fields {
        let _ = new_fields.next_if(|candidate| !has_encoding && may_be_added(candidate));
        let Some(counterpart) = new_fields.next() else {
            differences
                .push(Difference::new(Rule::Header, format!("the field {:?} is missing", field.name)).at(field.start));
            return differences;
        };
        differences.extend(compare_field(field, counterpart, (&measured.0, &measured.1), surroundings, settings));
    }
    if let Some(field) = new_fields.find(|field| !may_be_added(field)) {
        differences.push(Difference::new(Rule::Header, format!("the field {:?} was added", field.name)));
    }
    differences
}

fn compare_field(
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
        return differ(Rule::Digest, format!("the field {:?} no longer matches the body", old.name));
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
    if has_same_name && was_right == Some(true) && without_value(old) == without_value(new) {
        return None;
    }
    if has_same_name && bodies.0.encoding != bodies.1.encoding && names_quoted_printable(new) {
        return None;
    }
    let rule = if was_right.is_some() { Rule::Digest } else { Rule::Header };
    differ(rule, format!("the field {:?} has become {:?}: {:?}", old.name, new.name, rewritten.trim()))
}

/// Reports whether an unchanged field holds encoded words, which may begin and end within a reference.
fn holds_words(old: &Field, new: &Field) -> bool {
    old.written == new.written && memchr::memmem::find(&old.value, b"=?").is_some()
}

/// Reports whether a field names the encoding of a part whose lines became too long, and nothing else.
fn names_quoted_printable(field: &Field) -> bool {
    field.name == TRANSFER_ENCODING && field.value.trim_ascii() == b"quoted-printable"
}

/// Reports whether references in a field of this name may become absolute.
fn refers(name: &str) -> bool {
    const LISTS: [&str; 6] = ["archive", "help", "owner", "post", "subscribe", "unsubscribe"];
    matches!(name, "content-location" | "archived-at")
        || name.strip_prefix("list-").is_some_and(|purpose| LISTS.contains(&purpose))
}

/// A body with its lengths and digests, each computed once.
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

    /// The length without the transfer encoding.
    fn length(&self) -> Option<usize> {
        *self.length.get_or_init(|| decode(self.body, self.encoding).map(|decoded| decoded.len()))
    }

    /// The MD5 digests without the transfer encoding: as it is, and with line ends of one kind.
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

/// Reports whether a field contains the right length or digest of the body; `None` if it contains none.
fn is_right(field: &Field, body: &Measured<'_>) -> Option<bool> {
    let (value, _) = split_at_value(field)?;
    let is = |number: usize| value.bytes().all(|byte| byte.is_ascii_digit()) && value.parse() == Ok(number);
    Some(match &*field.name {
        "content-length" => is(body.body.len()),
        "lines" => is(body.lines()),
        "content-disposition" => is(body.length()?),
        _ => body.digests().contains(&value),
    })
}

/// Returns the length or digest of the body that a field contains, and the field with a mark in its place. Comments are not part
/// of it: they may stand around a number, and in a digest.
fn split_at_value(field: &Field) -> Option<(String, String)> {
    const MARK: &str = "\0";
    let content = String::from_utf8_lossy(&field.value);
    let plain = without_comments(&content);
    let (places, value) = match &*field.name {
        "content-length" | "lines" => (vec![within(&plain, plain.trim_ascii())], plain.trim_ascii().to_owned()),
        "content-md5" => {
            let digest = plain.char_indices().filter(|(_, character)| !character.is_ascii_whitespace());
            let places = digest.clone().map(|(at, character)| at..at + character.len_utf8());
            (places.collect(), digest.map(|(_, character)| character).collect())
        }
        "content-disposition" => {
            let (place, size) = written_parameter(&content, "size")?;
            (vec![place], size)
        }
        _ => return None,
    };
    let mut rest = String::from_utf8_lossy(field.written.strip_suffix(&*field.value)?).into_owned();
    let mut behind = 0;
    for place in places {
        rest.extend([&content[behind..place.start], MARK]);
        behind = place.end;
    }
    rest.push_str(&content[behind..]);
    Some((value, rest))
}

/// Returns the field without its length or digest.
fn without_value(field: &Field) -> Option<String> {
    split_at_value(field).map(|(_, rest)| rest)
}
