//! The header of an entity, and its fields (RFC 5322, section 2.1).

use super::lines::{is_empty_line, lines};

/// A header.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) fields: Vec<Field>,
    /// The empty line behind the fields.
    pub(crate) blank: Vec<u8>,
    /// The first byte of the body.
    pub(crate) body: usize,
    /// Whether the body begins without an empty line.
    pub(crate) lacks_end: bool,
}

/// A header field, or a malformed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// In lower case; empty for a malformed line.
    pub(crate) name: String,
    /// The bytes behind the colon, with the line breaks that fold them.
    pub(crate) value: Vec<u8>,
    /// All bytes of the field.
    pub(crate) written: Vec<u8>,
    /// Its first byte.
    pub(crate) start: usize,
}

impl Field {
    /// Returns the name, and the value with the line breaks that fold it.
    pub(crate) fn named(&self) -> (String, String) {
        (self.name.clone(), String::from_utf8_lossy(&self.value).into_owned())
    }

    /// Returns the value without line breaks, but with the white space behind them (RFC 5322, section 2.2.3).
    pub(crate) fn unfolded(&self) -> String {
        String::from_utf8_lossy(&self.value).replace(['\r', '\n'], "")
    }
}

impl Header {
    /// Parses the header of an entity: everything in front of the first empty line (RFC 5322, section 2.1).
    ///
    /// A malformed line ends it as well, if no field behind it describes the body.
    pub(crate) fn read(entity: &[u8]) -> Self {
        let mut fields: Vec<Field> = Vec::new();
        let (mut at, mut blank) = (0, Vec::new());
        for line in lines(entity) {
            let start = at;
            at += line.len();
            if is_empty_line(line) {
                blank = line.to_vec();
                break;
            }
            match (line.first(), fields.last_mut()) {
                (Some(b' ' | b'\t'), Some(field)) => {
                    field.value.extend_from_slice(line);
                    field.written.extend_from_slice(line);
                }
                _ => fields.push(Field::read(line, start)),
            }
        }
        let lacks_end = |malformed: &usize| {
            !fields[*malformed].may_become_field() && !fields[malformed + 1..].iter().any(Field::describes_body)
        };
        match fields.iter().position(Field::is_malformed).filter(lacks_end) {
            Some(malformed) => {
                let body = fields[malformed].start;
                fields.truncate(malformed);
                Self { fields, blank: Vec::new(), body, lacks_end: true }
            }
            None => Self { fields, blank, body: at, lacks_end: false },
        }
    }

    /// Returns the unfolded value of the first field of this name.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        self.fields.iter().find(|field| field.name == name).map(Field::unfolded)
    }
}

impl Field {
    /// Reports whether it is a malformed line: without a colon or with a space in its name, and no separator line.
    pub(crate) fn is_malformed(&self) -> bool {
        let separates = [&b"From "[..], b">From "].iter().any(|mark| self.written.starts_with(mark));
        !separates && (self.name.contains(' ') || !self.written_name().contains(&b':'))
    }

    /// Returns the line that begins with its name.
    fn written_name(&self) -> &[u8] {
        self.written.split(|byte| *byte == b'\n').next().unwrap_or_default()
    }

    /// Reports whether a link in a malformed line may stand where its name would end.
    fn may_become_field(&self) -> bool {
        let line = self.written_name();
        match line.iter().position(|byte| matches!(byte, b' ' | b'\t')) {
            Some(end) if line[end] == b' ' => {
                !line[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || b"<>,!".contains(byte))
            }
            _ => true,
        }
    }

    /// Reports whether it is a signature that a server has added.
    pub(super) fn is_server_signature(&self) -> bool {
        ["dkim-signature", "arc-message-signature", "domainkey-signature", "x-google-dkim-signature"]
            .contains(&&*self.name)
    }

    fn describes_body(&self) -> bool {
        const OTHERS: [&str; 4] = ["base", "lines", "archived-at", "snapshot-content-location"];
        !self.name.contains(' ')
            && (self.name.starts_with("content-")
                || self.name.starts_with("list-")
                || OTHERS.contains(&&*self.name)
                || self.is_server_signature())
    }

    fn read(line: &[u8], start: usize) -> Self {
        let written = line.to_vec();
        match line.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                let name = String::from_utf8_lossy(line[..colon].trim_ascii_end()).to_ascii_lowercase();
                Self { name, value: line[colon + 1..].to_vec(), written, start }
            }
            None => Self { name: String::new(), value: Vec::new(), written, start },
        }
    }
}
