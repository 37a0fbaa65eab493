//! HeaderChain: what they say, and what of them may change.

/// A header as it stands.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) fields: Vec<Field>,
    /// The empty line behind them.
    pub(crate) blank: Vec<u8>,
    /// Where the body begins.
    pub(crate) body: usize,
    /// Whether the body begins in the place of an empty line.
    pub(crate) lacks_end: bool,
}

/// A header field, or a line that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// In lower case; empty for a line that is none.
    pub(crate) name: String,
    /// With the line ends that fold it.
    pub(crate) value: Vec<u8>,
    /// All of it.
    pub(crate) written: Vec<u8>,
    /// Its first byte.
    pub(crate) start: usize,
}

impl Field {
    /// The name and the value with the line breaks that fold it.
    pub(crate) fn named(&self) -> (String, String) {
        (self.name.clone(), String::from_utf8_lossy(&self.value).into_owned())
    }

    /// The value without line breaks, but with the white space behind them (RFC 5322, section 2.2.3).
    pub(crate) fn unfolded(&self) -> String {
        String::from_utf8_lossy(&self.value).replace(['\r', '\n'], "")
    }
}

impl Header {
    /// Reads the header of an entity: everything before the first empty line (RFC 5322, section 2.1).
    ///
    /// The first line that is no field ends it as well, if no field behind it says anything of the body.
    pub(crate) fn read(entity: &[u8]) -> Self {
        let mut fields: Vec<Field> = Vec::new();
        let (mut at, mut blank) = (0, Vec::new());
        for line in entity.split_inclusive(|byte| *byte == b'\n') {
            let start = at;
            at += line.len();
            if matches!(line, b"\n" | b"\r\n") {
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
        let lacks_end = |stray: &usize| {
            !fields[*stray].may_become_field() && !fields[stray + 1..].iter().any(Field::says_something_of_body)
        };
        match fields.iter().position(Field::is_stray).filter(lacks_end) {
            Some(stray) => {
                let body = fields[stray].start;
                fields.truncate(stray);
                Self { fields, blank: Vec::new(), body, lacks_end: true }
            }
            None => Self { fields, blank, body: at, lacks_end: false },
        }
    }

    /// The value of the first field of this name, without folds.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        self.fields.iter().find(|field| field.name == name).map(Field::unfolded)
    }
}

impl Field {
    /// Whether it is none: it has no colon or a space in its name, and separates no messages.
    pub(crate) fn is_stray(&self) -> bool {
        let separates = [&b"From "[..], b">From "].iter().any(|mark| self.written.starts_with(mark));
        !separates && (self.name.contains(' ') || !self.written_name().contains(&b':'))
    }

    /// The line that begins with its name.
    fn written_name(&self) -> &[u8] {
        self.written.split(|byte| *byte == b'\n').next().unwrap_or_default()
    }

    /// Whether a link in a line that is no field may stand where its name would end.
    fn may_become_field(&self) -> bool {
        let line = self.written_name();
        match line.iter().position(|byte| matches!(byte, b' ' | b'\t')) {
            Some(end) if line[end] == b' ' => {
                !line[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || b"<>,!".contains(byte))
            }
            _ => true,
        }
    }

    fn says_something_of_body(&self) -> bool {
        const OTHERS: [&str; 7] = [
            "base",
            "lines",
            "archived-at",
            "snapshot-content-location",
            "dkim-signature",
            "arc-message-signature",
            "domainkey-signature",
        ];
        !self.name.contains(' ')
            && (self.name.starts_with("content-") || self.name.starts_with("list-") || OTHERS.contains(&&*self.name))
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
