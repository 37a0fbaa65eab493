//! What happens to one link.

use std::ops::{ControlFlow, Range};

use absolve_base::{Base, Profile};
use absolve_links::{
    Document, Grammar, Link, Place, Reference, ResolvesIn, Row, SameDocument as RowSameDocument, Scan, Scope, Wrapping,
};
use absolve_resolver::{BaseUrl, ReferenceKind, Standard};
use memchr::memchr3_iter;

use crate::document::around::resolve_around;
use crate::document::ascii;
use crate::document::context::{DocumentContext, Kept};
use crate::document::placeholder::{begins_before, end_of_value, first_placeholder, holds_placeholder, is_kept};
use crate::entity::siblings::lender::Lent;
use crate::limits::resolved_bytes;
use crate::options::{Detail, Options, Purpose, SameDocument, Spelling};
use crate::report::{Cause, Status};

/// Classifies a link by its base and the options; `target` receives the URL of a relative one.
pub(crate) fn classify(
    link: &Link,
    reference: &str,
    base: Option<&Base>,
    is_first_base: IsFirstBase,
    options: &Options,
    target: &mut String,
) -> Status {
    target.clear();
    // An escape begins a stretch of ISO-2022-JP in a document that does not declare it.
    if reference.contains('\x1b') || is_kept(reference, options) || is_ignored_base(link, options) {
        return Status::Kept;
    }
    let standard = options.rules.standard;
    match standard.kind_of(reference) {
        ReferenceKind::Absolute => return Status::Absolute,
        ReferenceKind::SameDocument if is_first_base == IsFirstBase::No && stays_in_document(link, options) => {
            return Status::SameDocument;
        }
        _ => {}
    }
    if standard != Standard::Whatwg && Standard::Whatwg.kind_of(reference) == ReferenceKind::Absolute {
        // Every current reader sees a scheme there, `java\nscript:` included.
        return Status::Absolute;
    }
    let Some(base) = base.filter(|base| base.url.is_some()) else { return Status::Unresolved(Cause::NoBase) };
    let Some(url) = base.portable() else {
        let is_opaque = base.url.as_ref().is_some_and(|url| url.is_opaque());
        return Status::Unresolved(if is_opaque { Cause::OpaqueBase } else { Cause::BaseNotPortable });
    };
    if let Err(cause) = resolve_around(url, reference, options.purpose, target) {
        return Status::Unresolved(cause);
    }
    let is_local = options.local_files.as_ref().is_some_and(|files| files.contains(target));
    if is_local || (target.ends_with(',') && is_in_srcset(link, options)) {
        return Status::Kept;
    }
    Status::Relative
}

/// Whether a link is the first BASE, which is resolved even if it is empty.
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

/// Returns whether an empty or fragment-only reference is kept. `url(#id)` refers to an element of the document.
fn stays_in_document(link: &Link, options: &Options) -> bool {
    let can_be_absolute = |row: &Row| row.same_document == RowSameDocument::OnRequest && row.grammar != Grammar::Css;
    options.same_document == SameDocument::Keep || !row_of(link, options).is_some_and(can_be_absolute)
}

/// Returns whether a link is in a `srcset`, where a trailing comma is not part of the URL.
fn is_in_srcset(link: &Link, options: &Options) -> bool {
    row_of(link, options).is_some_and(|row| matches!(row.grammar, Grammar::Srcset | Grammar::UrlOrSrcset))
}

/// Returns whether a link declares a base that does not count: an `xml:base` in the browser profile.
fn is_ignored_base(link: &Link, options: &Options) -> bool {
    options.rules.profile == Profile::Browser
        && row_of(link, options).is_some_and(|row| row.resolves_in == ResolvesIn::Around)
}

/// Returns whether a reference is a part of a placeholder. One that is a whole value begins with it.
fn is_in_placeholder(document: &Document<'_>, link: &Link, options: &Options) -> bool {
    let is_whole = row_of(link, options).is_some_and(|row| row.grammar == Grammar::Url);
    !is_whole && begins_before(document.bytes(), link.range.start, end_of_value(link))
}

/// Returns whether a reference begins with a placeholder or is a part of one.
pub(crate) fn is_of_placeholder(
    document: &Document<'_>,
    link: &Link,
    reference: &Reference<'_>,
    options: &Options,
) -> bool {
    first_placeholder(reference.text(), options.purpose).is_some() || is_in_placeholder(document, link, options)
}

pub(crate) fn row_of<'o>(link: &Link, options: &'o Options) -> Option<&'o Row> {
    match link.place {
        Place::Attribute { row, .. } => Some(&options.table.rows()[usize::from(row)]),
        _ => None,
    }
}

/// Returns whether an absolute reference looks like a path to a page with a colon in its name, as `Talk:Foo`.
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

/// The classification of a link.
pub(crate) enum Classified<'j, 'd> {
    /// It is relative, and `prefix` replaces the bytes of `range`.
    Fast {
        /// Bytes of the document, at the start of the link.
        range: Range<usize>,
        /// The replacement that makes the link absolute.
        prefix: &'j str,
    },
    /// It is absolute, whatever the base is.
    Absolute,
    /// All others.
    Full {
        /// The decoded reference.
        reference: &'j Reference<'d>,
        /// Its status.
        status: Status,
        /// The URL of a relative one.
        target: &'j str,
        /// Whether it led to a web archive.
        is_unwrapped: bool,
    },
}

/// Classifies the links of a document in their order, plain and absolute references the fast way, until `classified` breaks off.
pub(crate) fn classify_all<'d>(
    context: &DocumentContext<'_, 'd>,
    mut classified: impl FnMut(&Link, Classified<'_, 'd>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let DocumentContext { document, scan, options, .. } = context;
    let holds_ignored_bases = options.rules.profile == Profile::Browser
        && scan.scopes.iter().any(|scope| matches!(scope, Scope::XmlBase { .. }));
    let is_plain = context.siblings.is_none()
        && context.saved.is_none()
        && context.targets.is_empty()
        && context.kept == Kept::None;
    // Mail needs the target of each link, to check whether readers can follow it.
    let is_mailed = options.purpose == Purpose::Mail;
    if holds_ignored_bases || is_mailed || !is_plain {
        return classify_all_fully(context, classified);
    }
    let mut room = resolved_bytes(document);
    let is_certain = |scope: usize| context.items.as_ref().is_none_or(|items| items.are_certain(scope, &context.bases));
    let plain_bases: Vec<_> = (0..context.bases.len())
        .map(|scope| plain_base(context.bases[scope].as_ref().filter(|_| is_certain(scope)), options))
        .collect();
    // Of an absolute link, only a report shows the text.
    let passes_absolute = options.keep.is_empty() && options.detail != Detail::Shown;
    let mut target = String::new();
    for (index, link) in scan.links.iter().enumerate() {
        let raw = &document.bytes()[link.range.clone()];
        if passes_absolute && is_plainly_absolute(raw) {
            classified(link, Classified::Absolute)?;
            continue;
        }
        if let Some(base) = plain_bases[link.scope]
            && let Some((prefix, replaced)) = base.plain_prefix(raw)
            // A dot before the slash might belong to a longer common end.
            && (replaced == 0 || !prefix.ends_with('.'))
            && document.is_delimited(link)
            && !is_in_placeholder(document, link, options)
        {
            let range = link.range.start..link.range.start + replaced;
            classified(link, Classified::Fast { range, prefix })?;
            continue;
        }
        spend(&mut room, context.bases[link.scope].as_ref())?;
        classify_fully(context, index, &mut target, &mut classified)?;
    }
    ControlFlow::Continue(())
}

/// Returns whether a reference is a web URL as it is written, in any wrapping: no escape or character reference in it can
/// be that of ISO-2022-JP.
fn is_plainly_absolute(raw: &[u8]) -> bool {
    (raw.starts_with(b"http://") || raw.starts_with(b"https://"))
        && memchr3_iter(b'\x1b', b'\\', b'&', raw).all(|at| raw[at] == b'&' && raw.get(at + 1) != Some(&b'#'))
}

/// Classifies all links of a document fully.
pub(crate) fn classify_all_fully<'d>(
    context: &DocumentContext<'_, 'd>,
    mut classified: impl FnMut(&Link, Classified<'_, 'd>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut target = String::new();
    let mut room = resolved_bytes(context.document);
    context.scan.links.iter().enumerate().try_for_each(|(index, link)| {
        spend(&mut room, context.bases[link.scope].as_ref())?;
        spend(&mut room, context.finding.as_ref().and_then(|bases| bases[link.scope].as_ref()))?;
        classify_fully(context, index, &mut target, &mut classified)
    })
}

/// Subtracts the length of a base from the budget.
pub(crate) fn spend(room: &mut usize, base: Option<&Base>) -> ControlFlow<()> {
    let length = base.and_then(|base| base.url.as_ref()).map_or(0, |url| url.as_str().len());
    match room.checked_sub(length) {
        Some(rest) => {
            *room = rest;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    }
}

/// Classifies the link of this index fully.
pub(crate) fn classify_fully<'d>(
    context: &DocumentContext<'_, 'd>,
    index: usize,
    target: &mut String,
    classified: &mut impl FnMut(&Link, Classified<'_, 'd>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let DocumentContext { document, scan, options, .. } = context;
    let link = &scan.links[index];
    let reference = document.reference(link);
    let base = context.base_of(link, reference.text());
    let mut status = classify(link, reference.text(), base, IsFirstBase::of(scan, index), options, target);
    if let (Status::Unresolved(Cause::NoBase), Lent::Unclear(why)) = (status, &context.part.lent) {
        status = Status::Unresolved(Cause::PartBase(*why));
    }
    if status == Status::Unresolved(Cause::NoBase)
        && context.items.as_ref().is_some_and(|items| items.is_unclear(link.scope, reference.text(), options))
    {
        status = Status::Unresolved(Cause::UnclearItem);
    }
    let mut is_unwrapped = false;
    if let Some(saved) = context.saved {
        let before = saved.unwraps().then(|| (status, target.clone()));
        status = saved.classify(context, link, reference.text(), status, target);
        is_unwrapped = before.is_some_and(|(before, meant)| before != status || meant != *target);
    }
    let is_kept = context.kept == Kept::All;
    status = match status {
        Status::Relative if is_kept || leads_to_part_as_written(context, target) => Status::Kept,
        Status::Relative | Status::Unresolved(_) if leads_to_part(context, link, reference.text()) => {
            // That URL is for nobody else.
            target.clear();
            Status::Kept
        }
        Status::Relative if is_in_placeholder(document, link, options) => Status::Kept,
        Status::Unresolved(_) if is_kept => Status::Kept,
        status => status,
    };
    if status == Status::Relative && options.spelling == Spelling::Ascii {
        *target = ascii::ascii(target, document.encoding(), options.purpose);
    }
    if status == Status::Relative && breaks_expression(link, reference.text(), target) {
        status = Status::Unresolved(Cause::LostPlaceholder);
    }
    let loses_bytes =
        || !document.bytes()[link.range.clone()].is_ascii() && !keeps_characters(reference.text(), target);
    if status == Status::Relative && context.kept == Kept::OfBytes && loses_bytes() {
        status = Status::Kept;
    }
    if let Some(given) = context.targets.get(&link.range.start) {
        (status, *target) = (Status::Relative, given.clone());
    }
    classified(link, Classified::Full { reference: &reference, status, target, is_unwrapped })
}

/// Returns whether a target is that of a part of the same message that is found only by the reference as it is written.
fn leads_to_part_as_written(context: &DocumentContext<'_, '_>, target: &str) -> bool {
    let DocumentContext { siblings, retrievals, options, .. } = context;
    siblings.is_some_and(|siblings| siblings.contains_only_as_written(target, retrievals, options.rules))
}

/// Returns whether a reference leads to a part of the same message by a base that is not written into documents.
fn leads_to_part(context: &DocumentContext<'_, '_>, link: &Link, reference: &str) -> bool {
    let DocumentContext { finding: Some(bases), siblings: Some(siblings), retrievals, options, .. } = context else {
        return false;
    };
    let url = bases[link.scope].as_ref().and_then(|base| base.url.as_ref());
    let written = context.bases[link.scope].as_ref().and_then(Base::portable);
    let target = url.filter(|url| Some(*url) != written).and_then(|url| url.resolve(reference).ok());
    target.is_some_and(|target| siblings.contains(&target, retrievals, options.rules))
}

/// Returns whether an unquoted URL of CSS would have escapes in the expression of a template.
fn breaks_expression(link: &Link, reference: &str, target: &str) -> bool {
    let is_unquoted = link.wrappings.iter().next_back() == Some(Wrapping::CssUrl);
    let first = reference.find([' ', '\t', '\n', '\r', '\x0c', '"', '\'', '(']).filter(|_| is_unquoted);
    first.is_some_and(|first| !target.ends_with(&reference[first..]) && holds_placeholder(reference))
}

/// Returns whether a target ends with all non-ASCII characters of a reference.
fn keeps_characters(reference: &str, target: &str) -> bool {
    reference.find(|character: char| !character.is_ascii()).is_none_or(|at| target.ends_with(&reference[at..]))
}

/// Returns a base at which plain references may be resolved the fast way: only the base decides, and the prefix needs
/// no escapes.
fn plain_base<'b>(base: Option<&'b Base>, options: &Options) -> Option<&'b BaseUrl> {
    let url = base?.portable().filter(|_| options.local_files.is_none() && options.keep.is_empty())?;
    let (directory, _) = url.plain_prefix(b"x")?;
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':' | b'/' | b'+' | b'@' | b'%')
    };
    directory.bytes().all(is_plain).then_some(url)
}
