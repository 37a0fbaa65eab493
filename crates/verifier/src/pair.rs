//! One link and what became of it.

use absolve_links::SameDocument as RowSameDocument;
use encoding_rs::Encoding;

use crate::base::holds_entity;
use crate::meaning::{
    begins_like_base, begins_with_placeholder, holds_dots, is_portable, is_same_document, keeps_spelling, means,
    stands_alone, target_in,
};
use crate::references::Reference;
use crate::settings::{SameDocument, Settings, Spelling, Standard};
use crate::verdict::{Difference, Rule};

/// A link and what became of it.
pub(crate) struct Pair<'p> {
    pub(crate) old: &'p Reference,
    pub(crate) new: &'p Reference,
    /// The bytes that stood and stand there.
    pub(crate) bytes: (&'p [u8], &'p [u8]),
    pub(crate) base: Option<&'p str>,
    /// Whether it is the BASE that counts, which is resolved even when it is empty.
    pub(crate) is_base: bool,
    /// The parts beside the document, references to which stay.
    pub(crate) siblings: &'p [String],
    /// The charset of the document, in which browsers write queries.
    pub(crate) encoding: &'static Encoding,
    /// Whether what looks like an entity is one.
    pub(crate) holds_entities: bool,
}

impl Pair<'_> {
    /// Whether other bytes stand there now.
    pub(crate) fn is_changed(&self) -> bool {
        self.bytes.0 != self.bytes.1
    }
}

/// What is wrong with what a link became, if something is.
pub(crate) fn judge(pair: &Pair<'_>, settings: &Settings) -> Option<Difference> {
    let (reference, standard) = (&*pair.old.text, settings.standard);
    let meant =
        pair.base.filter(|base| is_portable(base)).and_then(|base| target_in(standard, base, reference, pair.encoding));
    let stays = if stands_alone(standard, reference) {
        Some("it means the same everywhere")
    } else if is_same_document(standard, reference) && !pair.is_base && keeps_same_document(pair, settings) {
        Some("it means the document it stands in")
    } else if pair.holds_entities && holds_entity(reference) {
        Some("only the document tells what it says")
    } else if begins_with_placeholder(reference) {
        Some("it begins with a placeholder")
    } else if !settings.keep.is_empty() && settings.keep.is_match(reference) {
        Some("it is to be kept")
    } else if meant.as_ref().is_some_and(|meant| is_of_sibling(meant, pair)) {
        Some("it means a part beside it")
    } else if meant.as_ref().is_some_and(|meant| is_local(meant, settings)) {
        Some("it means a file of the input")
    } else {
        None
    };
    match (stays, meant, pair.is_changed()) {
        (Some(_), _, false) | (None, None, false) => None,
        (Some(why), ..) => Some(difference(pair, Rule::Kept, reference, why)),
        (None, None, true) => Some(difference(pair, Rule::Kept, reference, "nobody knows what it means")),
        (None, Some(meant), false) => {
            let why = format!("it is still relative, and means {meant}");
            Some(difference(pair, Rule::Relative, &meant, &why))
        }
        (None, Some(meant), true) => {
            let written = &*pair.new.text;
            let (old, new) = pair.bytes;
            let is_resolved = standard != Standard::Whatwg || !holds_dots(written);
            let is_spelled = settings.spelling == Spelling::Ascii
                || (standard != Standard::Whatwg && !meant.ends_with(reference))
                || (is_resolved
                    && keeps_spelling(old, new, reference)
                    && begins_like_base(new, pair.base.unwrap_or_default(), reference));
            match means(written, &meant, pair.encoding, settings) {
                true if is_spelled => None,
                true => Some(difference(pair, Rule::Target, &meant, "it is spelled otherwise than its author did")),
                false => {
                    let base = pair.base.unwrap_or_default();
                    let why = format!("it means {meant} at its base {base}");
                    Some(difference(pair, Rule::Target, &meant, &why))
                }
            }
        }
    }
}

fn is_of_sibling(meant: &str, pair: &Pair<'_>) -> bool {
    let meant = meant.split('#').next().unwrap_or_default();
    pair.siblings.iter().any(|sibling| sibling == meant)
}

/// Whether a URL is that of a file of the input, however it is percent-encoded.
fn is_local(meant: &str, settings: &Settings) -> bool {
    let plain = |url: &str| {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        unescaped(path.trim_end_matches('/'))
    };
    !settings.local.is_empty() && settings.local.iter().any(|local| plain(local) == plain(meant))
}

/// The bytes that percent signs stand for, and all others.
pub(crate) fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    while let Some((first, rest)) = bytes.split_first() {
        let digits = rest.get(..2).filter(|_| *first == b'%').and_then(|digits| str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        plain.push(byte.unwrap_or(*first));
        bytes = if byte.is_some() { &rest[2..] } else { rest };
    }
    plain
}

fn keeps_same_document(pair: &Pair<'_>, settings: &Settings) -> bool {
    settings.same_document == SameDocument::Keep || pair.old.same_document == RowSameDocument::Never
}

fn difference(pair: &Pair<'_>, rule: Rule, expected: &str, why: &str) -> Difference {
    let (original, rewritten) = (pair.old.text.clone(), pair.new.text.clone());
    let message = match pair.is_changed() {
        true => format!("the link {original:?} has become {rewritten:?}, but {why}"),
        false => format!("the link {original:?} has stayed, but {why}"),
    };
    Difference { original, rewritten, expected: expected.to_owned(), ..Difference::new(rule, message) }
}
