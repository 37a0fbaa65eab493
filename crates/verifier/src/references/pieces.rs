//! The tags, instructions and declarations of XML.

use std::ops::Range;

/// A piece of an XML document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A start tag, or the tag of an empty element.
    Start {
        range: Range<usize>,
        is_empty: bool,
    },
    End(Range<usize>),
    Instruction(Range<usize>),
    Doctype(Range<usize>),
}

/// Splits a document into pieces (XML 1.0, sections 2 and 3).
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('<') {
        let start = at + open;
        let rest = &text[start..];
        let length = match rest {
            _ if rest.starts_with("<!--") => length_to(rest, "-->"),
            _ if rest.starts_with("<![CDATA[") => length_to(rest, "]]>"),
            _ if rest.starts_with("<?") => length_to(rest, "?>"),
            _ if rest.starts_with("<!") => doctype_length(rest),
            _ => tag_length(rest),
        };
        let range = start..start + length;
        match rest.as_bytes().get(1) {
            Some(b'?') => pieces.push(Piece::Instruction(range.clone())),
            Some(b'/') => pieces.push(Piece::End(range.clone())),
            Some(b'!') if rest.starts_with("<!--") || rest.starts_with("<![") => {}
            Some(b'!') => pieces.push(Piece::Doctype(range.clone())),
            None => {}
            _ => {
                let is_empty = text[range.clone()].ends_with("/>");
                pieces.push(Piece::Start { range: range.clone(), is_empty });
            }
        }
        at = range.end;
    }
    pieces
}

pub(super) fn length_to(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

/// Returns the length up to the first `>` outside quotes.
fn tag_length(text: &str) -> usize {
    let mut quote = None;
    let end = text.find(|character| {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            _ => {}
        }
        quote.is_none() && character == '>'
    });
    end.map_or(text.len(), |end| end + 1)
}

/// Returns the length up to the `>` behind the internal subset, if there is one.
fn doctype_length(text: &str) -> usize {
    let head = tag_length(text);
    match text[..head].find('[') {
        Some(open) => {
            let close = text[open..].find("]>").or_else(|| text[open..].find(']')).map_or(text.len(), |at| open + at);
            close + length_to(&text[close..], ">")
        }
        None => head,
    }
}
