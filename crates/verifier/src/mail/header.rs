//! The header of an entity, and its fields (RFC 5322, section 2.1).

use std::ops::Range;

use absolve_framing::{HeaderExtent, HeaderField, Malformed, Measure, MediaType, Transfer, media_type};

/// A header.
#[derive(Clone)]
pub(super) struct Header<'m> {
    /// Its bytes up to the end of the last field.
    pub(super) bytes: &'m [u8],
    pub(super) fields: Vec<Field<'m>>,
    /// What follows the last field: the empty line.
    pub(super) blank: &'m [u8],
    /// The first byte of the body.
    pub(super) body: usize,
    pub(super) malformed: Malformed,
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

impl<'m> Header<'m> {
    pub(super) fn read(entity: &'m [u8]) -> Self {
        let (mut fields, mut end) = (Vec::new(), 0);
        let extent = HeaderExtent::of(entity, 0..entity.len(), &mut |field| {
            let (name, value) = (&entity[field.start..][..field.name.len()], &entity[field.value.clone()]);
            fields.push(Field { name, value, written: &entity[end..field.value.end], start: end });
            end = field.value.end;
        });
        let HeaderExtent { body, malformed, .. } = extent;
        Self { bytes: &entity[..extent.end], fields, blank: &entity[end..body], body, malformed }
    }

    /// Reads the new version of a header. If no empty line ends the old one, both have as many fields: what the body begins
    /// with after the rewrite may look like more of them.
    pub(super) fn read_after(old: &Header<'_>, entity: &'m [u8]) -> Self {
        let mut new = Self::read(entity);
        let encodings = |header: &Header<'_>| header.named("content-transfer-encoding").count();
        if old.malformed == Malformed::StartsBody && encodings(old) == encodings(&new) {
            new.fields.truncate(old.fields.len());
            let end = new.fields.last().map_or(0, |last| last.start + last.written.len());
            new.body = entity.len().min(end + old.blank.len());
            (new.bytes, new.blank) = (&entity[..new.body], &entity[end..new.body]);
        }
        new
    }

    /// Returns the fields of this name.
    pub(super) fn named<'h>(&'h self, name: &'h str) -> impl DoubleEndedIterator<Item = &'h Field<'m>> {
        self.fields.iter().filter(move |field| field.is(name))
    }

    /// Returns the transfer encoding of the body; `None` if it is unknown.
    pub(super) fn encoding(&self) -> Option<Transfer> {
        Transfer::named(&self.named("content-transfer-encoding").next().map_or_else(String::new, Field::encoding_name))
    }

    /// Returns the media type, if one is declared.
    pub(super) fn media_type(&self) -> Option<MediaType> {
        self.named("content-type").next_back().and_then(|field| media_type(field.value))
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
        Measure::of_field(&HeaderField { name: self.name, start: 0, value: 0..self.value.len() }, self.value)
    }

    /// Returns its bytes in front of the value.
    pub(super) fn head(&self) -> &'m [u8] {
        &self.written[..self.written.len() - self.value.len()]
    }
}
