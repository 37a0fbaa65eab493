//! An entity: a header with its fields (RFC 5322, section 2.1), and a body.

use std::ops::Range;

use absolve_framing::{HeaderExtent, HeaderField, Malformed, Measure, MediaType, Transfer, type_of_part};

/// A message or a part of one.
#[derive(Clone)]
pub(super) struct Entity<'m> {
    /// The bytes of its header up to the end of the last field.
    pub(super) header: &'m [u8],
    pub(super) fields: Vec<Field<'m>>,
    /// What follows the last field: the empty line.
    pub(super) blank: &'m [u8],
    pub(super) malformed: Malformed,
    pub(super) body: &'m [u8],
    /// The transfer encoding of the body; `None` if it is unknown.
    pub(super) encoding: Option<Transfer>,
}

/// A header field.
#[derive(Clone, Copy)]
pub(super) struct Field<'m> {
    pub(super) name: &'m [u8],
    /// The bytes behind the colon, with the line breaks that fold them.
    pub(super) value: &'m [u8],
    /// All bytes behind the field before.
    pub(super) written: &'m [u8],
    /// The first of them.
    pub(super) start: usize,
}

/// The field that declares the transfer encoding.
pub(super) const TRANSFER_ENCODING: &str = "content-transfer-encoding";

impl<'m> Entity<'m> {
    pub(super) fn read(bytes: &'m [u8]) -> Self {
        let (mut fields, mut end) = (Vec::new(), 0);
        let extent = HeaderExtent::of(bytes, 0..bytes.len(), &mut |field| {
            let (name, value) = (&bytes[field.start..][..field.name.len()], &bytes[field.value.clone()]);
            fields.push(Field { name, value, written: &bytes[end..field.value.end], start: end });
            end = field.value.end;
        });
        let HeaderExtent { body, malformed, .. } = extent;
        let (header, blank, body) = (&bytes[..extent.end], &bytes[end..body], &bytes[body..]);
        let mut entity = Self { header, fields, blank, malformed, body, encoding: None };
        let encoding = entity.named(TRANSFER_ENCODING).next().map_or_else(String::new, Field::encoding_name);
        entity.encoding = Transfer::named(&encoding);
        entity
    }

    /// Reads the new version of an entity. If no empty line ends the old header, both have as many fields: what the body begins
    /// with after the rewrite may look like more of them.
    pub(super) fn read_after(old: &Entity<'_>, bytes: &'m [u8]) -> Self {
        let mut new = Self::read(bytes);
        let encodings = |entity: &Entity<'_>| entity.named(TRANSFER_ENCODING).count();
        if old.malformed == Malformed::StartsBody && encodings(old) == encodings(&new) {
            new.fields.truncate(old.fields.len());
            let end = new.fields.last().map_or(0, |last| last.start + last.written.len());
            let body = bytes.len().min(end + old.blank.len());
            (new.header, new.blank, new.body) = (&bytes[..body], &bytes[end..body], &bytes[body..]);
        }
        new
    }

    /// Returns the fields of this name.
    pub(super) fn named<'h>(&'h self, name: &'h str) -> impl DoubleEndedIterator<Item = &'h Field<'m>> {
        self.fields.iter().filter(move |field| field.is(name))
    }

    /// Returns the media type, if one is declared.
    pub(super) fn media_type(&self) -> Option<MediaType> {
        self.named("content-type").next_back().and_then(|field| type_of_part(field.value))
    }
}

impl<'m> Field<'m> {
    pub(super) const fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the name of the transfer encoding in its value.
    pub(super) fn encoding_name(&self) -> String {
        Transfer::name_in(self.value)
    }

    /// Returns what it states of the body, and where in its value.
    pub(super) fn measure(&self) -> Option<(Measure, Range<usize>)> {
        Measure::of_field(&self.parsed(), self.value)
    }

    /// Returns its name and value as if it began with the value.
    pub(super) fn parsed(&self) -> HeaderField<'m> {
        HeaderField { name: self.name, start: 0, value: 0..self.value.len() }
    }

    /// Returns its bytes in front of the value.
    pub(super) fn head(&self) -> &'m [u8] {
        &self.written[..self.written.len() - self.value.len()]
    }
}
