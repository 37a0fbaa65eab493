//! Decoding bodies (RFC 2045, section 6).

pub(crate) mod base64;

use std::sync::Arc;

use absolve_framing::Transfer;

use crate::entity::body::Body;
use crate::entity::quoted_printable;

/// Decodes `raw`. `None` for base64 that would be written very differently: an edit might change more than it should.
pub(crate) fn decode(transfer: Transfer, raw: &[u8]) -> Option<Body> {
    Some(match transfer {
        Transfer::Lines => Body::Lines,
        Transfer::Binary => Body::Binary,
        Transfer::QuotedPrintable => Body::Encoded(Arc::new(quoted_printable::decode(raw))),
        Transfer::Base64 => Body::Encoded(Arc::new(base64::decode(raw)?)),
    })
}

#[cfg(test)]
mod tests {
    use absolve_framing::Transfer;
    use absolve_links::Edits;
    use absolve_testing::rounds;

    use super::{Body, decode};
    use crate::entity::body::Lifted;
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
                let Some(body) = decode(transfer, &raw) else { panic!("{transfer:?}: {text:?}") };
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
            let Some(body) = decode(Transfer::QuotedPrintable, raw) else { panic!("{raw:?}") };
            let end = body.bytes(raw).len();
            edits_are_made_inside(raw, Transfer::QuotedPrintable, Edits::from([(end..end, "y")]));
        }
    }

    #[test]
    fn a_bare_sign_begins_no_escape_with_what_is_written_behind_it() {
        for (raw, at) in [(&b"<base href=3om>"[..], 11), (b"=zz", 1), (b"=3zz", 2), (b"=\n3zz", 0), (b"==zz", 2)] {
            edits_are_made_inside(raw, Transfer::QuotedPrintable, Edits::from([(at..at + 1, "ba")]));
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
            let Some(body) = decode(Transfer::Lines, text.as_bytes()) else { panic!("{text:?}") };
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
