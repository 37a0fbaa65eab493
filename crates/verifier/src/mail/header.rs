//! The header of an entity, and its fields (RFC 5322, section 2.1).

use super::lines::{is_empty_line, lines};

/// A header.
#[derive(Clone)]
pub(super) struct Header<'m> {
    pub(super) fields: Vec<Field<'m>>,
    /// The empty line behind the fields.
    pub(super) blank: &'m [u8],
    /// The first byte of the body.
    pub(super) body: usize,
    /// Whether the body begins without an empty line.
    pub(super) lacks_end: bool,
}

/// A header field, or a malformed line.
#[derive(Clone, Copy)]
pub(super) struct Field<'m> {
    /// Empty for a line without a colon.
    pub(super) name: &'m [u8],
    /// The bytes behind the colon, with the line breaks that fold them.
    pub(super) value: &'m [u8],
    /// All bytes of the field.
    pub(super) written: &'m [u8],
    /// Its first byte.
    pub(super) start: usize,
}

impl<'m> Header<'m> {
    /// Parses the header of an entity: everything in front of the first empty line (RFC 5322, section 2.1).
    ///
    /// A malformed line ends it as well, if no field from there on describes the body.
    pub(super) fn read(entity: &'m [u8]) -> Self {
        let (mut starts, mut end, mut blank) = (Vec::new(), 0, &entity[..0]);
        for line in lines(entity) {
            if is_empty_line(line) {
                blank = line;
                break;
            }
            if starts.is_empty() || !matches!(line[0], b' ' | b'\t') {
                starts.push(end);
            }
            end += line.len();
        }
        let ends = starts.iter().skip(1).chain([&end]);
        let mut fields: Vec<Field<'m>> =
            starts.iter().zip(ends).map(|(start, end)| Field::of(&entity[*start..*end], *start)).collect();
        let begins_body =
            |first: &usize| !fields[*first].may_become_field() && !fields[*first..].iter().any(Field::describes_body);
        match fields.iter().position(Field::is_malformed).filter(begins_body) {
            Some(first) => {
                let body = fields[first].start;
                fields.truncate(first);
                Self { fields, blank: &entity[..0], body, lacks_end: true }
            }
            None => Self { fields, blank, body: end + blank.len(), lacks_end: false },
        }
    }

    /// Returns the fields of this name.
    pub(super) fn named<'h>(&'h self, name: &'h str) -> impl DoubleEndedIterator<Item = &'h Field<'m>> {
        self.fields.iter().filter(move |field| field.is(name))
    }
}

impl<'m> Field<'m> {
    fn of(written: &'m [u8], start: usize) -> Self {
        let colon = memchr::memchr(b':', written);
        let name = colon.map_or(&written[..0], |colon| written[..colon].trim_ascii_end());
        Self { name, value: colon.map_or(&written[..0], |colon| &written[colon + 1..]), written, start }
    }

    pub(super) const fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns its bytes in front of the value.
    pub(super) fn head(&self) -> &'m [u8] {
        &self.written[..self.written.len() - self.value.len()]
    }

    /// Reports whether it is a malformed line: without a colon or with a space in its name, and no separator line.
    pub(super) fn is_malformed(&self) -> bool {
        let line = self.first_line();
        let separates = line.starts_with(b"From ") || line.starts_with(b">From ");
        let is_indented = matches!(line.first(), Some(b' ' | b'\t'));
        !separates && (is_indented || self.name.contains(&b' ') || !line.contains(&b':'))
    }

    fn first_line(&self) -> &'m [u8] {
        lines(self.written).next().unwrap_or_default()
    }

    /// Reports whether a link in a malformed line may stand where its name would end.
    fn may_become_field(&self) -> bool {
        let word = self.first_line().split(|byte| matches!(byte, b' ' | b'\t')).next().unwrap_or_default();
        self.first_line().get(word.len()) != Some(&b' ')
            || !word.iter().all(|byte| byte.is_ascii_alphanumeric() || b"<>,!".contains(byte))
    }

    /// Reports whether it is a signature that a server has added.
    pub(super) fn is_server_signature(&self) -> bool {
        ["dkim-signature", "arc-message-signature", "domainkey-signature", "x-google-dkim-signature"]
            .iter()
            .any(|name| self.is(name))
    }

    fn describes_body(&self) -> bool {
        const OTHERS: [&str; 4] = ["base", "lines", "archived-at", "snapshot-content-location"];
        let begins =
            |start: &str| self.name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes()));
        !self.name.contains(&b' ')
            && (begins("content-")
                || begins("list-")
                || OTHERS.iter().any(|name| self.is(name))
                || self.is_server_signature())
    }
}
