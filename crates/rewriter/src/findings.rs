//! The findings of documents, and their messages.

use std::fmt;

use absolve_base::Base;
use absolve_framing::{ForeignMailbox, Packing};
use absolve_links::{Document, DocumentType, Edits, Place, Refusal, Remark, RemarkKind, Scan};

use crate::finding::{Code, Finding, Remedy};

/// A number of references, and the byte of the first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) count: usize,
    pub(crate) first: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, byte: usize) {
        if self.count == 0 {
            self.first = byte;
        }
        self.count += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} reference{}", self.count, if self.count == 1 { "" } else { "s" })
    }
}

/// Reports that the document was left unread.
pub(crate) fn refused(refusal: Refusal) -> Finding {
    let (code, byte) = match refusal {
        Refusal::Charset => (Code::Charset, None),
        Refusal::TreeTooLarge => (Code::TreeTooLarge, None),
        Refusal::NestingTooDeep => (Code::NestingTooDeep, None),
        Refusal::NoXml => (Code::UnknownType, None),
        Refusal::NotWellFormed(byte) | Refusal::NotJson(byte) => (Code::NotWellFormed, Some(byte)),
        Refusal::Disputed(byte) => (Code::SelectContent, Some(byte)),
        _ => (Code::NotItsType, None),
    };
    Finding { byte, ..Finding::left_unchanged(code, refusal.to_string()) }
}

/// Reports that absolute links would make the document many times its size.
pub(crate) fn output_too_large() -> Finding {
    Finding::left_unchanged(Code::OutputTooLarge, "absolute links would make the document many times its size")
}

/// Reports that the charset that the user named cannot be that of the document.
pub fn charset_does_not_fit(charset: &str) -> Finding {
    let message = format!("it is UTF-8, and the charset given, {charset}, does not fit");
    Finding::left_unchanged(Code::Charset, message)
}

/// Reports references left relative, because without their bytes the document would be read in another encoding.
pub(crate) fn charset_needed(document: &Document<'_>, count: u64) -> Finding {
    let what = match count {
        0 => "the BASE is".to_owned(),
        1 => "1 reference is".to_owned(),
        _ => format!("{count} references are"),
    };
    let charset = document.encoding().name();
    let message = format!("{what} left relative: without their bytes the document would not be read as {charset}");
    Finding::new(Code::CharsetNeeded, message)
}

/// Reports that the list would be many times the size of the document.
pub(crate) fn listing_too_large() -> Finding {
    Finding::new(
        Code::OutputTooLarge,
        "its links and bases are many times its size; the rest of the links is not listed",
    )
}

/// Returns a finding if a file has a compression or packing that is not read, or is mail in a format that is not read.
pub fn packed(bytes: &[u8]) -> Option<Finding> {
    let of_outlook = |Packing { name, command, .. }| {
        format!("it is {name} of Outlook, which is not read, and left unchanged; convert it first, as with `{command}`")
    };
    let compressed = |Packing { name, command, .. }| {
        format!("it is compressed ({name}) and left unchanged; unpack it first, as with `{command}`")
    };
    let message = Packing::of_outlook(bytes).map(of_outlook).or_else(|| Packing::of(bytes).map(compressed));
    message.map(|message| Finding::new(Code::NotItsType, message)).or_else(|| foreign_mailbox(bytes))
}

/// Returns a finding if a file is a mailbox in a format that is not read.
pub fn foreign_mailbox(bytes: &[u8]) -> Option<Finding> {
    let ForeignMailbox { name, command, .. } = ForeignMailbox::of(bytes)?;
    let message = format!("it is {name}, which is not read, and left unchanged; convert it first, as with `{command}`");
    Some(Finding::new(Code::NotItsType, message))
}

/// Returns a finding if a file with the name of a message is none: it is packed, or begins like a document.
pub(crate) fn no_message(bytes: &[u8]) -> Option<Finding> {
    let message = "it begins with markup, not with the header of a message";
    packed(bytes)
        .or_else(|| DocumentType::of_fragment(bytes).map(|_| Finding::left_unchanged(Code::NotItsType, message)))
}

/// Reports a message that exceeds the length limit, in bytes.
pub fn message_too_long(limit: u64) -> Finding {
    Finding::left_unchanged(Code::MessageTooLong, format!("it is longer than {} MiB", limit >> 20))
}

/// Reports a document that exceeds the length limit, in bytes.
pub fn document_too_long(limit: u64) -> Finding {
    Finding::left_unchanged(Code::DocumentTooLong, format!("it is longer than {} MiB", limit >> 20))
}

/// Reports the parts of a document that were left unread.
pub(crate) fn remarks(scan: &Scan) -> impl Iterator<Item = Finding> {
    scan.remarks.iter().map(|remark| match (remark.kind, &scan.unknown_place) {
        (RemarkKind::UnknownVocabulary, Some(place)) => unknown_vocabulary(remark, place),
        _ => self::remark(remark),
    })
}

/// Reports attributes of a vocabulary that is not known, the first of them at this place.
fn unknown_vocabulary(remark: &Remark, place: &str) -> Finding {
    let attributes = match remark.count {
        1 => "an attribute `href`, `src` or `url` with a relative reference is".to_owned(),
        count => format!("{count} attributes `href`, `src` or `url` with relative references are"),
    };
    let what = format!("{attributes} in a vocabulary of XML that is not known, such as {place}; left unchanged");
    Finding::new(Code::UnknownVocabulary, what).with_remedy(Remedy::NamePlace(place.to_owned())).at(remark.byte)
}

fn remark(remark: &Remark) -> Finding {
    let (code, what) = match remark.kind {
        RemarkKind::NestingTooDeep => (Code::NestingTooDeep, "documents nest too deep; left unchanged"),
        RemarkKind::NestedRefused => {
            (Code::NestedDocument, "a nested document cannot be read reliably; left unchanged")
        }
        RemarkKind::Composed => (
            Code::ComposedReference,
            "a value is composed of entities, expressions, sections, encoded words or lines; left unchanged",
        ),
        RemarkKind::PatternObject => (
            Code::UrlPattern,
            "a URL pattern is an object without a protocol, so it depends on the URL of the document; left unchanged",
        ),
        RemarkKind::WikiLink => {
            (Code::WikiLink, "`[[page]]` is a link of a wiki, but text in Markdown; left unchanged")
        }
        RemarkKind::Mathematics => (
            Code::Mathematics,
            "a link stands between two dollar signs, where some readers of Markdown show mathematics",
        ),
        _ => (
            Code::HyphenAtLineEnd,
            "a hyphen at the end of a line may not be part of the reference; it was read as part of it",
        ),
    };
    let count = if remark.count == 1 { String::new() } else { format!(" ({} times)", remark.count) };
    Finding::new(code, format!("{what}{count}")).at(remark.byte)
}

/// Reports changed styles in a document whose policy may allow them by hash only.
pub(crate) fn style_policy(scan: &Scan, edits: &Edits) -> Option<Finding> {
    let policy = scan.style_policy?;
    // Both are in the order of their bytes.
    let mut styles = scan.links.iter().filter(|link| matches!(link.place, Place::StyleElement { nesting: 0, .. }));
    let mut style = styles.next();
    let changes = edits.iter().any(|(edit, _)| {
        while style.is_some_and(|style| style.range.end < edit.start) {
            style = styles.next();
        }
        style.is_some_and(|style| style.range.start <= edit.start && edit.end <= style.range.end)
    });
    changes.then(|| {
        let message = "a style element changes, but the Content-Security-Policy may allow it by its hash only";
        Finding::new(Code::Integrity, message).at(policy)
    })
}

/// Reports fragment references whose target changes when the BASE is removed.
pub(crate) fn fragments_move(scan: &Scan, bases: &[Option<Base>], to_base: usize) -> Option<Finding> {
    let url = |index: usize| bases.get(index).and_then(|base| base.as_ref()).and_then(|base| base.url.as_ref());
    let moves = scan.base.is_some() && to_base > 0 && url(0).map(|url| url.as_str()) != url(1).map(|url| url.as_str());
    moves.then(|| {
        let tally = Tally { count: to_base, first: 0 };
        let message = format!("{tally} led to the base, and lead to the document itself without it");
        Finding::new(Code::FragmentMoves, message)
    })
}
