//! The tags, instructions and declarations of XML.

use std::ops::Range;

use memchr::memmem;

/// A piece of an XML document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A start tag, or the tag of an empty element.
    Start(Range<usize>),
    End(Range<usize>),
    Doctype(Range<usize>),
    /// A comment or an instruction.
    Aside(Range<usize>),
    Section(Range<usize>),
}

/// Splits a document into pieces (XML 1.0, sections 2 and 3).
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'<', &text.as_bytes()[at..])?;
        let rest = &text[start..];
        let (length, piece): (usize, fn(Range<usize>) -> Piece) = match rest.as_bytes()[1..] {
            [b'!', b'-', b'-', ..] => (length_to(rest, "-->"), Piece::Aside),
            [b'!', b'[', ..] => (length_to(rest, "]]>"), Piece::Section),
            [b'!', ..] => (doctype_length(rest), Piece::Doctype),
            [b'?', ..] => (length_to(rest, "?>"), Piece::Aside),
            [b'/', ..] => (tag_length(rest), Piece::End),
            _ => (tag_length(rest), Piece::Start),
        };
        at = start + length;
        Some(piece(start..at))
    })
}

fn length_to(text: &str, end: &str) -> usize {
    memmem::find(text.as_bytes(), end.as_bytes()).map_or(text.len(), |at| at + end.len())
}

/// Returns the length up to the first `>` outside quotes.
fn tag_length(text: &str) -> usize {
    length_to_one_of(text, b">")
}

/// Returns the length up to the first of these bytes outside quotes.
fn length_to_one_of(text: &str, ends: &[u8]) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'"' | b'\'' => memchr::memchr(*byte, &bytes[at + 1..]).map_or(bytes.len(), |length| length + 2),
            _ if ends.contains(byte) => return at + 1,
            _ => 1,
        };
    }
    bytes.len()
}

/// Returns the length of a document type declaration with its internal subset, if it has one (section 2.8).
fn doctype_length(text: &str) -> usize {
    const WITH_QUOTES: [&str; 3] = ["<!ATTLIST", "<!ENTITY", "<!NOTATION"];
    let mut at = length_to_one_of(text, b">[");
    if !text[..at].ends_with('[') {
        return at;
    }
    while let Some(length) = memchr::memchr2(b'<', b']', &text.as_bytes()[at..]) {
        at += length;
        let rest = &text[at..];
        at += match rest {
            _ if rest.starts_with(']') => return at + length_to(rest, ">"),
            _ if rest.starts_with("<!--") => length_to(rest, "-->"),
            _ if rest.starts_with("<?") => length_to(rest, "?>"),
            _ if WITH_QUOTES.iter().any(|declaration| rest.starts_with(declaration)) => tag_length(rest),
            _ => length_to(rest, ">"),
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn a_document_type_declaration_ends_behind_its_subset() {
        for doctype in [
            "<!DOCTYPE a>",
            "<!DOCTYPE a [] >",
            "<!DOCTYPE a PUBLIC \"]>\" '['>",
            "<!DOCTYPE a [<!ENTITY b ']>'><!-- \" ]> --><?c ' ]> ?> %d; <!ENTITY e \">\">]\n>",
        ] {
            let found: Vec<Piece> = pieces(&format!("{doctype}<a b='>'><![CDATA[]]>")).collect();
            let (end, length) = (doctype.len(), doctype.len() + 9);
            let expected = [Piece::Doctype(0..end), Piece::Start(end..length), Piece::Section(length..length + 12)];
            assert_eq!(found, expected, "{doctype}");
        }
    }
}
