//! Transfer encodings of made messages.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The bytes that make a line of 76 characters.
const BYTES_A_LINE: usize = 57;
const LINE_LENGTH: usize = 76;
const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    QuotedPrintable,
    Base64,
    EightBit,
}

impl Transfer {
    pub(super) const ALL: [Self; 3] = [Self::QuotedPrintable, Self::Base64, Self::EightBit];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::QuotedPrintable => "quoted-printable",
            Self::Base64 => "base64",
            Self::EightBit => "8bit",
        }
    }

    pub(super) fn encode(self, text: &str, out: &mut String) {
        match self {
            Self::QuotedPrintable => text.lines().for_each(|line| quoted_printable(line.as_bytes(), out)),
            Self::Base64 => base64(text.as_bytes(), out),
            Self::EightBit => out.push_str(text),
        }
    }
}

pub(super) fn base64(bytes: &[u8], out: &mut String) {
    for line in bytes.chunks(BYTES_A_LINE) {
        STANDARD.encode_string(line, out);
        out.push('\n');
    }
}

fn quoted_printable(line: &[u8], out: &mut String) {
    let mut column = 0;
    for (index, byte) in line.iter().enumerate() {
        let is_last = index + 1 == line.len();
        let is_literal = matches!(byte, b'!'..=b'<' | b'>'..=b'~') || *byte == b' ' && !is_last;
        let width = if is_literal { 1 } else { 3 };
        if column + width >= LINE_LENGTH {
            out.push_str("=\n");
            column = 0;
        }
        column += width;
        if is_literal {
            out.push(char::from(*byte));
        } else {
            out.push('=');
            out.extend([byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)])));
        }
    }
    out.push('\n');
}
