//! The findings of documents, and their messages.

use std::fmt;

use absolve_base::Base;
use absolve_links::{Document, DocumentType, Edits, Place, Refusal, Remark, RemarkKind, Scan};
use absolve_resolver::BaseUrl;

use crate::finding::packing::Packing;
use crate::finding::{Code, Finding, KeptPlaceholder};
use crate::provenance::retrieval_url::BaseError;
use crate::report::{Cause, ItemDoubt, OutOfReach};

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
        Refusal::NotWellFormed(byte) => (Code::NotWellFormed, Some(byte)),
        Refusal::Disputed(byte) => (Code::SelectContent, Some(byte)),
        _ => (Code::NotItsType, None),
    };
    Finding { byte, ..Finding::new(code, format!("{refusal}; left unchanged")) }
}

/// Reports that absolute links would make the document many times its size.
pub(crate) fn output_too_large() -> Finding {
    Finding::new(Code::OutputTooLarge, "absolute links would make the document many times its size; left unchanged")
}

/// Reports that the charset that the user named cannot be that of the document.
pub fn charset_does_not_fit(charset: &str) -> Finding {
    let message = format!("it is UTF-8, and the charset given, {charset}, does not fit; left unchanged");
    Finding::new(Code::Charset, message)
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

/// Returns a finding if a file has a compression or packing that is not read, or is one of Outlook.
pub fn packed(bytes: &[u8]) -> Option<Finding> {
    let of_outlook = |Packing { name, command, .. }| {
        format!("it is {name} of Outlook, which is not read, and left unchanged; convert it first, as with `{command}`")
    };
    let compressed = |Packing { name, command, .. }| {
        format!("it is compressed ({name}) and left unchanged; unpack it first, as with `{command}`")
    };
    let message = Packing::of_outlook(bytes).map(of_outlook).or_else(|| Packing::of(bytes).map(compressed))?;
    Some(Finding::new(Code::NotItsType, message))
}

/// Returns a finding if a file with the name of a message is none: it is packed, or begins like a document.
pub(crate) fn no_message(bytes: &[u8]) -> Option<Finding> {
    let message = "it begins with markup, not with the header of a message; left unchanged";
    packed(bytes).or_else(|| DocumentType::of_fragment(bytes).map(|_| Finding::new(Code::NotItsType, message)))
}

/// Reports a message that exceeds the length limit, in bytes.
pub fn message_too_long(limit: u64) -> Finding {
    Finding::new(Code::MessageTooLong, format!("it is longer than {} MiB; left unchanged", limit >> 20))
}

/// Reports a document that exceeds the length limit, in bytes.
pub fn document_too_long(limit: u64) -> Finding {
    Finding::new(Code::DocumentTooLong, format!("it is longer than {} MiB; left unchanged", limit >> 20))
}

/// Reports references without a target; `opaque` is the base if it has no hierarchy.
pub(crate) fn unresolved(cause: Cause, tally: Tally, opaque: Option<&BaseUrl>) -> Finding {
    let against = opaque.filter(|_| cause == Cause::OpaqueBase).map(|url| BaseError::of_opaque(url).to_string());
    let (code, why) = match cause {
        Cause::NoBase => (Code::NoBase, "no base is known"),
        Cause::PartBase(unclear) => (Code::PartBase, unclear.why()),
        Cause::UnclearItem => (
            Code::FeedBase,
            "the link of the item is a placeholder, is composed of several pieces, or has an xml:base of its own",
        ),
        Cause::OpaqueBase => (Code::OpaqueBase, against.as_deref().unwrap_or("the scheme of the base has no paths")),
        Cause::BaseNotPortable => (Code::BaseNotPortable, "the base is not valid elsewhere (file:, cid:)"),
        Cause::NoTarget => (Code::NoTarget, "the standard defines no target"),
        Cause::LostPlaceholder => (Code::NoTarget, "to resolve them would remove a placeholder"),
        Cause::LocalCopy => return local_copies(tally, 0),
        Cause::UnreadableTarget => (Code::UnreadableTarget, "the reference has an invalid host"),
    };
    Finding::new(code, format!("{tally} left relative: {why}")).at(tally.first)
}

/// Reports references to local copies whose URLs are not known; `missing` of them name no file of the input.
pub(crate) fn local_copies(tally: Tally, missing: usize) -> Finding {
    let verb = if missing == 1 { "names" } else { "name" };
    let why = match missing {
        0 => "they lead to local copies whose URLs are not known".to_owned(),
        _ if missing == tally.count => {
            "they name no file of the input, and the program that saved the page may have changed them".to_owned()
        }
        _ => {
            format!("they lead to local copies whose URLs are not known; {missing} of them {verb} no file of the input")
        }
    };
    Finding::new(Code::LocalCopy, format!("{tally} left relative: {why}")).at(tally.first)
}

/// Reports references in a document for mail that only its author can follow.
pub(crate) fn out_of_reach(why: OutOfReach, tally: Tally) -> Finding {
    Finding::new(Code::OutOfReach, format!("{tally} that no reader elsewhere can follow: {why}")).at(tally.first)
}

/// Reports references in a document for mail that begin with a placeholder.
pub(crate) fn placeholder(placeholder: &str, tally: Tally) -> Finding {
    const SHOWN: usize = 80;
    let mut shown: String = placeholder.chars().take(SHOWN).collect();
    if shown.len() < placeholder.len() {
        shown.push('…');
    }
    let kept = KeptPlaceholder { text: shown, references: tally.count as u64 };
    let finding = Finding::new(Code::Placeholder, kept.message(1)).at(tally.first);
    Finding { placeholder: Some(Box::new(kept)), ..finding }
}

/// Reports references that begin with placeholders that were not reported one by one.
pub(crate) fn other_placeholders(tally: Tally) -> Finding {
    let message = format!("{tally} with still other placeholders, which stay for the mail service to replace");
    Finding::new(Code::Placeholder, message).at(tally.first)
}

/// Reports references in a page saved by a browser that lead to no local copy.
pub(crate) fn no_copies(tally: Tally) -> Finding {
    let message = format!("{tally} in a saved page without a local copy; resolved against the URL of the page");
    Finding::new(Code::NoLocalCopy, message).at(tally.first)
}

/// Reports references in the items of a feed whose base is in doubt.
pub(crate) fn feed_base(doubt: ItemDoubt, tally: Tally) -> Finding {
    Finding::new(Code::FeedBase, format!("{tally} in items {doubt}")).at(tally.first)
}

/// Reports references like `Talk:Foo`.
pub(crate) fn perhaps_paths(tally: Tally) -> Finding {
    let message = format!("{tally} read as absolute, but perhaps meant as paths");
    Finding::new(Code::SchemeOrPath, message).at(tally.first)
}

/// Reports references like `www.example.org/x` in a document for mail.
pub(crate) fn perhaps_hosts(tally: Tally) -> Finding {
    let message = format!("{tally} perhaps meant as hosts, without https://; read as paths");
    Finding::new(Code::PerhapsHost, message).at(tally.first)
}

/// Reports a part of the document that was left unread.
pub(crate) fn remark(remark: &Remark) -> Finding {
    let (code, what) = match remark.kind {
        RemarkKind::NestingTooDeep => (Code::NestingTooDeep, "documents nest too deep; left unchanged"),
        RemarkKind::NestedRefused => {
            (Code::NestedDocument, "a nested document cannot be read reliably; left unchanged")
        }
        RemarkKind::Composed => {
            (Code::ComposedReference, "a value is composed of entities, sections or encoded words; left unchanged")
        }
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
pub(crate) fn fragments_move(scan: &Scan, bases: &[Option<Base>], same_document: usize) -> Option<Finding> {
    let url = |index: usize| bases.get(index).and_then(|base| base.as_ref()).and_then(|base| base.url.as_ref());
    let moves =
        scan.base.is_some() && same_document > 0 && url(0).map(|url| url.as_str()) != url(1).map(|url| url.as_str());
    moves.then(|| {
        let tally = Tally { count: same_document, first: 0 };
        let message = format!("{tally} led to the base, and lead to the document itself without it");
        Finding::new(Code::FragmentMoves, message)
    })
}
