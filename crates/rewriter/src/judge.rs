//! What is to become of one link.

use absolve_base::Base;
use absolve_links::{Document, Link, Place, SameDocument as RowSameDocument, Scan};
use absolve_resolver::{ReferenceKind, Standard, Unresolvable};
use url::Url;

use crate::options::{Options, SameDocument};
use crate::placeholder::begins_with_placeholder;

/// What a link is, at its base and under the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It is to be made absolute.
    Relative,
    /// It means the same everywhere.
    Absolute,
    /// It means the document it stands in, and stays.
    SameDocument,
    /// It stays on purpose: a placeholder, or a file of the input.
    Kept,
    /// It has no target.
    Unresolved(Cause),
}

/// Why a link has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// There is no base.
    NoBase,
    /// The base has no hierarchy.
    OpaqueBase,
    /// The base means nothing elsewhere.
    BaseNotPortable,
    /// The standard gives it none.
    NoTarget,
    /// What it would be is no URL.
    UnreadableTarget,
}

impl Status {
    /// The name in JSON.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::Status::SameDocument.name(), "same-document");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::SameDocument => "same-document",
            Self::Kept => "kept",
            Self::Unresolved(_) => "unresolved",
        }
    }
}

/// Judges a link that reads `reference`; `target` receives its target when it has one.
pub(crate) fn judge(
    link: &Link,
    reference: &str,
    base: Option<&Base>,
    is_first_base: IsFirstBase,
    options: &Options,
    target: &mut String,
) -> Status {
    target.clear();
    if begins_with_placeholder(reference) {
        return Status::Kept;
    }
    let standard = options.rules.standard;
    match standard.kind_of(reference) {
        ReferenceKind::Absolute => {
            target.push_str(reference);
            return Status::Absolute;
        }
        ReferenceKind::SameDocument if is_first_base == IsFirstBase::No && stays_in_document(link, options) => {
            // Told for information: the document is where the base says.
            if let Some(url) = base.and_then(|base| base.url.as_ref()) {
                let _ = url.resolve_into(reference, target);
            }
            return Status::SameDocument;
        }
        _ => {}
    }
    if standard != Standard::Whatwg && Standard::Whatwg.kind_of(reference) == ReferenceKind::Absolute {
        // Every reader of today sees a scheme there, `java\nscript:` included.
        target.push_str(reference);
        return Status::Absolute;
    }
    let Some(base) = base.filter(|base| base.url.is_some()) else { return Status::Unresolved(Cause::NoBase) };
    let Some(url) = base.portable() else {
        let is_opaque = base.url.as_ref().is_some_and(|url| url.is_opaque());
        return Status::Unresolved(if is_opaque { Cause::OpaqueBase } else { Cause::BaseNotPortable });
    };
    match url.resolve_into(reference, target) {
        Err(Unresolvable::OpaqueBase) => return Status::Unresolved(Cause::OpaqueBase),
        Err(_) => return Status::Unresolved(Cause::NoTarget),
        Ok(()) => {}
    }
    // Only a reference that brings its own authority can make a target unreadable at a readable base.
    if brings_authority(reference) && Url::parse(target).is_err() {
        return Status::Unresolved(Cause::UnreadableTarget);
    }
    if options.local_files.as_ref().is_some_and(|files| files.contains(target)) {
        return Status::Kept;
    }
    Status::Relative
}

/// Whether a link is the BASE that counts, which is resolved even when it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IsFirstBase {
    Yes,
    No,
}

impl IsFirstBase {
    pub(crate) fn of(scan: &Scan, link: usize) -> Self {
        if scan.base == Some(link) { Self::Yes } else { Self::No }
    }
}

fn stays_in_document(link: &Link, options: &Options) -> bool {
    match (options.same_document, link.place) {
        (SameDocument::Keep, _) => true,
        (SameDocument::Absolute, Place::Attribute { row, .. }) => {
            let row = &options.table.rows()[usize::from(row)];
            row.same_document == RowSameDocument::Never || row.attribute == "xlink:href" || row.attribute == "style"
        }
        // `url(#id)` names something in the document that the style applies to.
        (SameDocument::Absolute, _) => true,
    }
}

/// `//host`, however it is written, or a scheme of its own.
fn brings_authority(reference: &str) -> bool {
    let mut bytes = reference.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte > b' ');
    let start = (bytes.next(), bytes.next());
    matches!(start, (Some(b'/' | b'\\'), Some(b'/' | b'\\'))) || reference.contains(':')
}

/// Whether an absolute reference looks like a path to a page whose name holds a colon, as in `Talk:Foo`.
pub(crate) fn may_be_path(reference: &str) -> bool {
    const NAMES: [&str; 8] = ["http", "https", "mailto", "ftp", "javascript", "data", "file", "tel"];
    match reference.split_once(':') {
        Some((scheme, rest)) => {
            scheme.starts_with(|first: char| first.is_ascii_uppercase())
                && !rest.starts_with("//")
                && !NAMES.iter().any(|name| name.eq_ignore_ascii_case(scheme))
        }
        None => false,
    }
}

/// The links of a document, judged one by one in their order.
pub(crate) fn judge_all<'d>(
    document: &Document<'d>,
    scan: &Scan,
    bases: &[Option<Base>],
    options: &Options,
    mut judged: impl FnMut(usize, &absolve_links::Reference<'d>, Status, &str),
) {
    let mut target = String::new();
    for (index, link) in scan.links.iter().enumerate() {
        let reference = document.reference(link);
        let base = bases[link.scope].as_ref();
        let status = judge(link, reference.text(), base, IsFirstBase::of(scan, index), options, &mut target);
        judged(index, &reference, status, &target);
    }
}
