//! Properties of messages.

use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of, links_of};
use absolve_rewriter::{Code, Options};

use crate::options::{OPTIONS, RUNS};
use crate::rewritten::verified;
use crate::rewritten::{ELSEWHERE, check_rewritten};

const URL: &str = "https://example.org/mail/1";

/// Checks any bytes as a message: laws 2 to 5 on each decoded part, and the verifier accepts the result. Returns the
/// number of changed links.
pub fn message(bytes: &[u8]) -> usize {
    let options = &*OPTIONS;
    let mut report = Report::default();
    let edits = edits_of(&Entity::message(bytes), options, &mut report);
    if report.counts.rewritten == 0 {
        assert!(edits.is_empty(), "edits without a rewritten link");
    }

    let before = Entity::message(bytes).retrieved_from(Retrieval::given(URL));
    let mut report = Report::default();
    let output = edits_of(&before, options, &mut report).splice(bytes);
    if report.counts.rewritten == 0 {
        assert!(output == bytes, "edits without a rewritten link");
    }
    let after = Entity::message(&output).retrieved_from(Retrieval::given(ELSEWHERE));
    if !report.findings.iter().any(|finding| matches!(finding.code, Code::OutputTooLarge | Code::LineTooLong)) {
        check_parts(&before, &after, options);
    }

    verified::message(&before, bytes, &output, URL, &RUNS[0]);

    let again = Entity::message(&output).retrieved_from(Retrieval::given(URL));
    let second = edits_of(&again, options, &mut Report::default());
    assert!(second.is_empty(), "a second run changes {}", String::from_utf8_lossy(&output));
    report.counts.rewritten as usize
}

fn check_parts(before: &Entity<'_>, after: &Entity<'_>, options: &Options) {
    let paths = |entity: &Entity<'_>| -> Vec<_> {
        entity.parts.iter().map(|part| (part.path.clone(), part.document_type)).collect()
    };
    assert_eq!(paths(before), paths(after), "the parts are others");
    let documents = |part: &&absolve_rewriter::internal::Part| part.document_type != DocumentType::Field;
    for (old, new) in before.parts.iter().zip(&after.parts).filter(|(old, _)| documents(old)) {
        let (input, output) = (before.document(old).bytes().to_vec(), after.document(new).bytes().to_vec());
        let (links, links_after) = (links_of(before, old, options).links, links_of(after, new, options).links);
        check_rewritten(&input, &links, &output, &links_after, &format!("part {}", old.path));
    }
}

/// Checks any bytes as a page in quoted-printable.
pub fn quoted_printable(bytes: &[u8]) -> usize {
    encoded("quoted-printable", bytes)
}

/// Checks any bytes as a page in base64; and, because few bytes are base64, as a page to be encoded.
pub fn base64(bytes: &[u8]) -> usize {
    encoded("base64", bytes) + encoded("base64", &in_base64(bytes))
}

fn encoded(encoding: &str, body: &[u8]) -> usize {
    let heading =
        format!("MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n");
    message(&[heading.as_bytes(), body].concat())
}

/// Encodes in lines of 76 characters, from the bits (RFC 2045, section 6.8).
fn in_base64(bytes: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    for (index, group) in bytes.chunks(3).enumerate() {
        if index > 0 && index % 19 == 0 {
            out.push(b'\n');
        }
        let bits = group.iter().chain(&[0, 0]).take(3).fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        for character in 0..4 {
            out.push(if character <= group.len() { ALPHABET[bits >> (18 - 6 * character) & 63] } else { b'=' });
        }
    }
    out
}
