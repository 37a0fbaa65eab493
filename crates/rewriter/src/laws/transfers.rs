//! Decoded as mail-parser decodes it, an edited body reads like the edited document.

use absolve_framing::Transfer;
use absolve_links::Edits;

use crate::entity::body::Lifted;
use crate::entity::transfer::decode;

/// Checks the law on any bytes as a body in quoted-printable, edited after some of its `=`. Returns the number of
/// edits.
pub fn edits_in_quoted_printable(raw: &[u8]) -> usize {
    edited_behind_equals(raw, Transfer::QuotedPrintable)
}

/// Checks the law on a body in base64, if it is one.
pub fn edits_in_base64(raw: &[u8]) -> usize {
    edited_behind_equals(raw, Transfer::Base64)
}

/// Checks the law on a body without an encoding, whose lines may become too long.
pub fn edits_in_lines(raw: &[u8]) -> usize {
    edited_behind_equals(raw, Transfer::Lines)
}

fn edited_behind_equals(raw: &[u8], transfer: Transfer) -> usize {
    let Some(body) = decode(transfer, raw) else { return 0 };
    let text = body.bytes(raw);
    let mut edits = Edits::default();
    let mut behind = 0;
    for (number, at) in memchr::memchr_iter(b'=', text).enumerate() {
        let end = (at + 1 + number % 3).min(text.len());
        if at + 1 >= behind && number % 4 < 3 {
            edits.push(at + 1..end, b"http://example.org/a=b/");
            behind = end + 1;
        }
    }
    let count = edits.len();
    edits_are_made_inside(raw, transfer, edits);
    count
}

/// Checks the law on edits of the text of a body.
pub(crate) fn edits_are_made_inside(raw: &[u8], transfer: Transfer, edits: Edits) {
    let Some(body) = decode(transfer, raw) else { panic!("{transfer:?}: {}", String::from_utf8_lossy(raw)) };
    let text = body.bytes(raw);
    let expected = edits.splice(text);
    let is_edited = !edits.is_empty();
    let (new, written_in) = match body.lift(raw, b"", edits) {
        Lifted::Edits(lifted) => (lifted.splice(raw), transfer),
        Lifted::InQuotedPrintable(lifted) => (lifted.splice(raw), Transfer::QuotedPrintable),
    };
    assert!(is_edited || new == raw, "bytes change without an edit");
    let again = decode(written_in, &new).map(|body| body.bytes(&new).to_vec());
    let same = again.iter().flatten().zip(&expected).take_while(|(seen, expected)| seen == expected).count();
    let rest = String::from_utf8_lossy(&expected[same..]);
    assert!(again.as_ref() == Some(&expected), "{written_in:?}: {rest:?} in {}", String::from_utf8_lossy(&new));
    if decode_by_mail_parser(raw, transfer) == text && has_line_ends_of_one_kind(&new) {
        let seen = decode_by_mail_parser(&new, written_in);
        let (seen, expected) = (String::from_utf8_lossy(&seen), String::from_utf8_lossy(&expected));
        assert_eq!(seen, expected, "{written_in:?}: {}", String::from_utf8_lossy(&new));
    }
    if matches!(written_in, Transfer::QuotedPrintable | Transfer::Base64) {
        let longest = if written_in == transfer { longest_line(raw).max(76) } else { 76 };
        assert!(longest_line(&new) <= longest, "{}", String::from_utf8_lossy(&new));
    }
    if written_in != transfer {
        assert!(!new.windows(6).any(|window| window == b"\nFrom "), "a line begins like a separator");
    }
}

/// Returns whether all line ends are alike. Otherwise mail-parser converts all to the kind of the last one with a CR.
fn has_line_ends_of_one_kind(text: &[u8]) -> bool {
    let with_cr = memchr::memmem::find_iter(text, b"\r\n").count();
    with_cr == 0 || with_cr == memchr::memchr_iter(b'\n', text).count()
}

fn longest_line(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().len()).max().unwrap_or(0)
}

fn decode_by_mail_parser(raw: &[u8], transfer: Transfer) -> Vec<u8> {
    let decoded = match transfer {
        Transfer::Lines | Transfer::Binary => return raw.to_vec(),
        Transfer::QuotedPrintable => mail_parser::decoders::quoted_printable::quoted_printable_decode(raw),
        Transfer::Base64 => mail_parser::decoders::base64::base64_decode(raw),
    };
    decoded.unwrap_or_default()
}
