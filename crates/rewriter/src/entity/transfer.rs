//! Bodies in a transfer encoding, and edits made inside it (RFC 2045, section 6).

use absolve_links::Edits;

use crate::entity::base64::{self, Base64Body};
use crate::entity::lines::{edited_lines, line_end};
use crate::entity::quoted_printable::{self, QuotedPrintableBody};

/// A transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Transfer {
    /// 7bit, 8bit, or none declared.
    Lines,
    Binary,
    QuotedPrintable,
    Base64,
}

/// A decoded body, and how it is encoded.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Bytes as they are.
    Binary,
    /// Bytes as they are, in lines of limited length.
    Lines,
    QuotedPrintable(QuotedPrintableBody),
    Base64(Base64Body),
}

/// The longest line of a message in bytes, without its end (RFC 5322, section 2.1.1).
const LONGEST_LINE: usize = 998;

impl Body {
    /// Decodes `raw`. `None` for base64 that would be written very differently: an edit might change more than it
    /// should.
    pub(crate) fn decode(transfer: Transfer, raw: &[u8]) -> Option<Self> {
        Some(match transfer {
            Transfer::Lines => Self::Lines,
            Transfer::Binary => Self::Binary,
            Transfer::QuotedPrintable => Self::QuotedPrintable(quoted_printable::decode(raw)),
            Transfer::Base64 => Self::Base64(base64::decode(raw)?),
        })
    }

    /// Returns whether its encoding is slightly malformed.
    pub(crate) const fn is_irregular(&self) -> bool {
        matches!(self, Self::Base64(decoded) if decoded.is_irregular)
    }

    /// Returns the bytes of the document in it.
    pub(crate) fn bytes<'b>(&'b self, raw: &'b [u8]) -> &'b [u8] {
        match self {
            Self::Binary | Self::Lines => raw,
            Self::QuotedPrintable(decoded) => &decoded.bytes,
            Self::Base64(decoded) => &decoded.bytes,
        }
    }

    /// Returns where a byte of the document stands in the raw bytes; in base64, their beginning.
    pub(crate) fn raw_byte(&self, byte: usize) -> usize {
        match self {
            Self::Binary | Self::Lines => byte,
            Self::QuotedPrintable(decoded) => decoded.raw_range(byte..byte + 1).start,
            Self::Base64(_) => 0,
        }
    }

    /// Converts edits of the document to edits of the raw bytes. Without a line end in those, that of `around` is used.
    pub(crate) fn lift(&self, raw: &[u8], around: &[u8], edits: Edits) -> Lifted {
        let end = line_end(raw, around);
        Lifted::Edits(match self {
            _ if edits.is_empty() => edits,
            Self::Lines if makes_line_too_long(raw, &edits) => {
                let new = quoted_printable::encode_lines(&edits.splice(raw), end);
                return Lifted::InQuotedPrintable(Edits::from([(0..raw.len(), new)]));
            }
            Self::Binary | Self::Lines => edits,
            Self::QuotedPrintable(decoded) => decoded.lift(raw, &edits, end),
            Self::Base64(decoded) => decoded.lift(raw, &edits, end),
        })
    }
}

/// Edits of an encoded body.
#[derive(Debug)]
pub(crate) enum Lifted {
    /// In the transfer encoding it has.
    Edits(Edits),
    /// In quoted-printable, because a line would become too long otherwise.
    InQuotedPrintable(Edits),
}

/// Returns whether a line becomes longer than is allowed, although none of the lines in it was.
fn makes_line_too_long(raw: &[u8], edits: &Edits) -> bool {
    let is_long = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).len() > LONGEST_LINE;
    let holds_long = |lines: &[u8]| {
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', lines).chain([lines.len()]);
        lines.len() > LONGEST_LINE
            && ends.into_iter().any(|end| is_long(&lines[std::mem::replace(&mut start, end + 1)..end]))
    };
    edited_lines(raw, edits).any(|(lines, new)| holds_long(&new) && !holds_long(&raw[lines]))
}

#[cfg(test)]
mod tests {
    use absolve_links::Edits;
    use absolve_testing::rounds;

    use super::{Body, Lifted, Transfer};
    use crate::laws::edits_are_made_inside;

    /// Decoded as mail-parser decodes it, an edited body reads like the edited document; outside the edited lines the
    /// raw bytes are the same.
    #[test]
    fn edits_are_made_inside_the_encoding() {
        let mut random = fastrand::Rng::with_seed(50);
        let mut edited = 0;
        for round in 0..rounds(4_000) {
            let text = document(&mut random);
            let end: &str = if round % 2 == 0 { "\r\n" } else { "\n" };
            let text = text.replace('\n', end);
            for transfer in [Transfer::QuotedPrintable, Transfer::Base64, Transfer::Binary] {
                let raw = encode(&text, transfer, end, &mut random);
                let Some(body) = Body::decode(transfer, &raw) else { panic!("{transfer:?}: {text:?}") };
                assert_eq!(body.bytes(&raw), text.as_bytes(), "{transfer:?}");
                let mut edits = Edits::default();
                let mut at = 0;
                while let Some(offset) = text[at..].find("href=") {
                    at += offset + 5;
                    edits.push(at..at + random.usize(..2), b"http://example.org/a=b/");
                    edited += 1;
                }
                edits_are_made_inside(&raw, transfer, edits);
            }
        }
        assert!(edited > rounds(10_000), "{edited}");
    }

    /// An edit at the very end is made before a soft line break or white space, which would become text otherwise.
    #[test]
    fn the_end_of_the_text_is_before_what_is_none() {
        for raw in [&b"x="[..], b"x =", b"x  ", b"x=\n", b"x==", b"x", b""] {
            let Some(body) = Body::decode(Transfer::QuotedPrintable, raw) else { panic!("{raw:?}") };
            let end = body.bytes(raw).len();
            edits_are_made_inside(raw, Transfer::QuotedPrintable, Edits::from([(end..end, "y")]));
        }
    }

    /// Lines that would be too long otherwise are put into quoted-printable, and read as they were.
    #[test]
    fn long_lines_are_put_into_quoted_printable() {
        let mut random = fastrand::Rng::with_seed(51);
        for round in 0..rounds(500) {
            let end = if round % 2 == 0 { "\r\n" } else { "\n" };
            let padding = "y".repeat(980);
            let text = format!("{}\n<a href=x>{padding} \nFrom me\t\n", document(&mut random)).replace('\n', end);
            let Some(body) = Body::decode(Transfer::Lines, text.as_bytes()) else { panic!("{text:?}") };
            let at = text.rfind("=x>").map_or(0, |at| at + 1);
            let edits = Edits::from([(at..at, "http://example.org/")]);
            assert!(matches!(body.lift(text.as_bytes(), b"", edits.clone()), Lifted::InQuotedPrintable(_)), "{text:?}");
            edits_are_made_inside(text.as_bytes(), Transfer::Lines, edits);
        }
    }

    /// An edit that removes a line end from a reference joins two lines, and the joined line counts.
    #[test]
    fn a_line_made_of_two_is_not_longer_than_lines_may_be() {
        for end in ["\r\n", "\n"] {
            let lines = |before: usize, behind: usize| {
                format!("x{end}{}<a href=\"dir/{end}x.html\">{}{end}x", "y".repeat(before), "z".repeat(behind))
            };
            let edits = |text: &str| {
                let at = text.find("dir/").map_or(0, |at| at + 4);
                Edits::from([(at - 4..at - 4, "http://h/"), (at..at + end.len(), "")])
            };
            let lift = |text: &str| Body::Lines.lift(text.as_bytes(), b"", edits(text));
            for (before, behind, is_too_long) in [
                (600, 600, true),
                (600, 998 - 600 - 29, true),
                (600, 998 - 600 - 30, false),
                (100, 990, true),
                (1000, 600, false),
                (600, 1000, false),
            ] {
                let text = lines(before, behind);
                let is_encoded = matches!(lift(&text), Lifted::InQuotedPrintable(_));
                assert_eq!(is_encoded, is_too_long, "{before} and {behind}, {end:?}");
                edits_are_made_inside(text.as_bytes(), Transfer::Lines, edits(&text));
            }
        }
    }

    fn document(random: &mut fastrand::Rng) -> String {
        const PIECES: [&str; 12] = [
            "<a href=x>",
            "<a href=y&amp;z>",
            "word ",
            "é",
            "=",
            "日本",
            "\n",
            "\n\n",
            "From me ",
            ".",
            "long-word-without-space",
            "> ",
        ];
        (0..random.usize(1..60)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
    }

    /// As some program may have encoded it: with escapes that need not be, and lines of any length.
    fn encode(text: &str, transfer: Transfer, end: &str, random: &mut fastrand::Rng) -> Vec<u8> {
        match transfer {
            Transfer::Lines | Transfer::Binary => text.as_bytes().to_vec(),
            Transfer::Base64 => super::base64::encode(text.as_bytes(), 4 * random.usize(1..19), end.as_bytes()),
            Transfer::QuotedPrintable => {
                let mut raw = String::new();
                let mut column = 0;
                let width = random.usize(20..76);
                for (at, byte) in text.bytes().enumerate() {
                    let ends_line = matches!(text.as_bytes().get(at + 1), None | Some(b'\n' | b'\r'));
                    let written = match byte {
                        b'\n' | b'\r' => char::from(byte).to_string(),
                        b' ' if ends_line || random.u8(..3) == 0 => "=20".to_owned(),
                        b'!'..=b'<' | b'>'..=b'~' | b' ' if random.u8(..20) > 0 => char::from(byte).to_string(),
                        _ if random.bool() => format!("={byte:02X}"),
                        _ => format!("={byte:02x}"),
                    };
                    column += written.len();
                    if column >= width && !matches!(byte, b'\n' | b'\r') {
                        raw.push('=');
                        raw.push_str(end);
                        column = written.len();
                    }
                    raw.push_str(&written);
                    if byte == b'\n' {
                        column = 0;
                    }
                }
                raw.into_bytes()
            }
        }
    }
}
