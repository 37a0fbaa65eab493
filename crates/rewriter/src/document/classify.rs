//! What happens to one link.

pub(crate) mod decision;
mod fast;
mod parts;
mod url_pattern;

use std::mem;
use std::ops::{ControlFlow, Range};

use absolve_base::{Base, Layer, Profile};
use absolve_links::{
    Document, DocumentType, Grammar, Link, Place, Reference, ResolvesIn, Row, Scan, Scope, first_placeholder,
    placeholders,
};
use absolve_resolver::{ReferenceKind, Standard, strip};
use memchr::{memchr2, memchr3};

use crate::document::ascii;
use crate::document::classify::decision::{Decision, Depth};
use crate::document::classify::fast::{is_plain, is_plainly_absolute, needs_more_than_base, plain_base};
use crate::document::classify::parts::{leads_to_part, leads_to_part_as_written, names_field};
use crate::document::classify::url_pattern::{classify_pattern, is_pattern};
use crate::document::context::{DocumentContext, Kept, LocalLinks, declares_base, row_of};
use crate::document::given::resolve_below;
use crate::document::mapped::local::{local, path_of};
use crate::document::mapped::mapped;
use crate::document::out_of_reach::reach_of_link;
use crate::document::placeholder::{begins_in_placeholder, breaks_expression, is_kept};
use crate::document::placeholder_resolution::resolve_around;
use crate::entity::siblings::lender::Lent;
use crate::limits::resolved_bytes;
use crate::options::{Options, SameDocument, Spelling};
use crate::report::{Cause, Status};

/// Classifies a link by its base and the options; `target` receives the URL of a relative one.
pub(crate) fn classify(
    context: &DocumentContext<'_, '_>,
    link: &Link,
    reference: &str,
    base: Option<&Base>,
    target: &mut String,
) -> Status {
    let options = context.options;
    target.clear();
    // An escape begins a stretch of ISO-2022-JP in a document that does not declare it.
    if reference.contains('\x1b') || is_kept(reference, options) || is_ignored_base(link, options) {
        return Status::Kept;
    }
    let standard = options.rules.standard;
    match standard.kind_of(reference) {
        ReferenceKind::Absolute => return Status::Absolute,
        // The first BASE is resolved even if it is empty.
        ReferenceKind::SameDocument
            if !is_first_base(context.scan, link) && stays_in_document(context, link, reference) =>
        {
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
    let resolve = if base.layer == Layer::Root { resolve_below } else { resolve_around };
    if let Err(cause) = resolve(url, reference, options.purpose, target) {
        return Status::Unresolved(cause);
    }
    let is_local = options.local_files.as_ref().is_some_and(|files| files.contains(target));
    let is_cut_in_srcset = || target.ends_with(',') && is_in_srcset(link, options);
    if is_local || is_cut_in_srcset() || needs_line_ends(context, link, reference) {
        return Status::Kept;
    }
    Status::Relative
}

/// Returns whether a reference has to keep the line ends or tabs in it, which a URL ignores: they delimit something else, or its
/// placeholders would be others.
fn needs_line_ends(context: &DocumentContext<'_, '_>, link: &Link, reference: &str) -> bool {
    // In Markdown, a tag in one line begins a block of HTML.
    let delimits =
        context.part.protection.needs_line_ends || context.document.document_type() == DocumentType::Markdown;
    if delimits && memchr2(b'\n', b'\r', &context.document.bytes()[link.range.clone()]).is_some() {
        return true;
    }
    let pieces = |text: &str| {
        let mut end = 0;
        let piece = |place: Range<usize>| {
            let between = text[mem::replace(&mut end, place.end)..place.start].replace(['\t', '\n', '\r'], "");
            (between, text[place].to_owned())
        };
        placeholders(text, context.options.purpose).map(piece).collect::<Vec<_>>()
    };
    memchr3(b'\t', b'\n', b'\r', reference.as_bytes()).is_some()
        && pieces(reference.trim_matches(|character| character <= ' ')) != pieces(&strip(reference))
}

fn is_first_base(scan: &Scan, link: &Link) -> bool {
    scan.base.is_some_and(|base| scan.links[base].range == link.range)
}

/// Returns whether an empty or fragment-only reference is kept. `url(#id)` refers to an element of the document.
fn stays_in_document(context: &DocumentContext<'_, '_>, link: &Link, reference: &str) -> bool {
    let options = context.options;
    (options.same_document == SameDocument::Keep && context.local_links != LocalLinks::InsteadOfBases)
        || means_document(link, reference, options)
}

/// Returns whether an empty or fragment-only reference means the document itself, or nothing, whatever the base is.
pub(crate) fn means_document(link: &Link, reference: &str, options: &Options) -> bool {
    let can_be_absolute = |row: &Row| !row.same_document.keeps(reference) && row.grammar != Grammar::Css;
    !matches!(link.place, Place::Markdown(_)) && !row_of(link, options).is_some_and(can_be_absolute)
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
    !is_whole && begins_in_placeholder(document.bytes(), link)
}

/// Returns whether links resolve at the documents that use them, in some browsers. Among unpacked files, the place of the declaration counts.
fn is_of_users(context: &DocumentContext<'_, '_>, scope: usize) -> bool {
    matches!(context.scan.scopes[scope], Scope::CustomProperty { .. }) && context.part.local_paths.is_none()
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

/// Decides what becomes of the links of a document in their order, and counts them. `decided` may break off.
pub(crate) fn decide_all<'d>(
    context: &DocumentContext<'_, 'd>,
    depth: Depth,
    mut decided: impl FnMut(&Link, Decision<'_, 'd>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let DocumentContext { document, scan, options, .. } = context;
    let is_fast = depth == Depth::Fast && is_plain(context);
    let is_certain = |scope: usize| context.items.as_ref().is_none_or(|items| items.are_certain(scope, &context.bases));
    let plain_base = |scope: usize| {
        plain_base(
            context.bases[scope].as_ref().filter(|_| is_fast && is_certain(scope) && !is_of_users(context, scope)),
            options,
        )
    };
    let plain_bases: Vec<_> = (0..context.bases.len()).map(plain_base).collect();
    let passes_absolute = is_fast && options.keep.is_empty();
    let paths = context.part.local_paths.as_deref();
    let mut room = resolved_bytes(document);
    let mut target = String::new();
    for (index, link) in scan.links.iter().enumerate() {
        let raw = &document.bytes()[link.range.clone()];
        if passes_absolute && is_plainly_absolute(raw) && (paths.is_none() || is_read_as_written(document, link)) {
            let path = paths.and_then(|paths| path_of(document, link, paths, str::from_utf8(raw).unwrap_or_default()));
            let local = path.as_deref().map(|path| Decision::Local { reference: None, path });
            decided(link, local.unwrap_or(Decision::Absolute))?;
            continue;
        }
        if let Some(base) = plain_bases[link.scope]
            && let Some((prefix, replaced)) = base.plain_prefix(raw)
            // A dot before the slash might belong to a longer common end.
            && (replaced == 0 || !prefix.ends_with('.'))
            && document.is_delimited(link)
            && !needs_more_than_base(document, link, options)
            // A character reference may be to a character that is not ASCII.
            && (options.spelling == Spelling::AsWritten || !raw.contains(&b'&'))
        {
            let range = link.range.start..link.range.start + replaced;
            let Some(paths) = paths else {
                decided(link, Decision::Fast { range, prefix })?;
                continue;
            };
            if is_read_as_written(document, link) {
                let url = [prefix, str::from_utf8(&raw[replaced..]).unwrap_or_default()].concat();
                let path = path_of(document, link, paths, &url);
                let local = path.as_deref().map(|path| Decision::Local { reference: None, path });
                decided(link, local.unwrap_or(Decision::Fast { range, prefix }))?;
                continue;
            }
        }
        spend(&mut room, context.bases[link.scope].as_ref())?;
        spend(&mut room, context.finding.as_ref().and_then(|bases| bases[link.scope].as_ref()))?;
        decide(context, index, &mut target, &mut decided)?;
    }
    ControlFlow::Continue(())
}

/// Returns whether something in a document may declare a base, which becomes empty if its files are local.
fn declares_bases(scan: &Scan, options: &Options) -> bool {
    scan.scopes.iter().any(|scope| !matches!(scope, Scope::Document | Scope::Outside))
        || scan.links.iter().any(|link| declares_base(link, options))
}

/// Returns whether the bytes of a link are its text, in any wrapping.
pub(crate) fn is_read_as_written(document: &Document<'_>, link: &Link) -> bool {
    let raw = &document.bytes()[link.range.clone()];
    // Without an early end, many bytes are compared at once.
    let is_plain = |byte: &u8| byte.is_ascii_graphic() & (*byte != b'&') & (*byte != b'\\');
    document.is_delimited(link) && raw.iter().fold(true, |all, byte| all & is_plain(byte))
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

/// Decides in full what becomes of the link of this index: what it is by itself, then what keeps it after all.
pub(crate) fn decide<'d>(
    context: &DocumentContext<'_, 'd>,
    index: usize,
    target: &mut String,
    decided: &mut impl FnMut(&Link, Decision<'_, 'd>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let DocumentContext { document, scan, options, .. } = context;
    let link = &scan.links[index];
    let reference = document.reference(link);
    let written = reference.text();
    let base = context.base_of(link, written);
    if is_pattern(link, options) {
        let status = classify_pattern(context, written, base, target);
        return decided(
            link,
            Decision::Full { reference: &reference, status, target, is_unwrapped: false, reach: None },
        );
    }
    let mut status = classify(context, link, written, base, target);
    if let Status::Unresolved(cause) = status {
        status = Status::Unresolved(unclear_base(context, link, written, cause));
    }
    let mut is_unwrapped = false;
    if let Some(saved) = &context.part.saved {
        let before = saved.unwraps().then(|| (status, target.clone()));
        status = saved.classify(context, link, written, status, target);
        is_unwrapped = before.is_some_and(|(before, meant)| before != status || meant != *target);
    }
    status = match status {
        Status::Relative if context.keeps_relative() || leads_to_part_as_written(context, target) => Status::Kept,
        Status::Relative | Status::Unresolved(_) if leads_to_part(context, link, written) => {
            // That URL is for nobody else.
            target.clear();
            Status::Kept
        }
        Status::Relative if is_in_placeholder(document, link, options) => Status::Kept,
        Status::Relative if is_of_users(context, link.scope) => {
            target.clear();
            Status::Unresolved(Cause::CssVariable)
        }
        Status::Relative => {
            *target = mapped(context, target).unwrap_or_else(|| mem::take(target));
            as_spelled(context, link, written, target)
        }
        Status::Absolute
            if !is_in_placeholder(document, link, options) && !needs_line_ends(context, link, reference.text()) =>
        {
            as_mapped(context, link, written, target)
        }
        Status::Unresolved(_) if context.keeps_relative() => Status::Kept,
        status => status,
    };
    if let Some(given) = context.part.targets.get(&link.range.start) {
        (status, *target) = (Status::Relative, given.clone());
    }
    if let Some(path) = local(context, link, written, status, target) {
        return decided(link, Decision::Local { reference: Some(&reference), path: &path });
    }
    let reach = reach_of_link(context, link, status, written, target);
    decided(link, Decision::Full { reference: &reference, status, target, is_unwrapped, reach })
}

/// Returns the status of an absolute link, and where it leads by the map.
fn as_mapped(context: &DocumentContext<'_, '_>, link: &Link, reference: &str, target: &mut String) -> Status {
    let Some(url) = mapped(context, reference) else { return Status::Absolute };
    *target = url;
    match as_spelled(context, link, reference, target) {
        Status::Relative if context.kept != Kept::All => Status::Mapped,
        _ => Status::Kept,
    }
}

/// Returns the cause for which a reference has no target; without a base, that may be why none is certain.
fn unclear_base(context: &DocumentContext<'_, '_>, link: &Link, reference: &str, cause: Cause) -> Cause {
    let is_unclear_item =
        || context.items.as_ref().is_some_and(|items| items.is_unclear(link.scope, reference, context.options));
    match (cause, &context.part.lent) {
        (Cause::NoBase, Lent::Unclear(why)) => Cause::PartBase(*why),
        (Cause::NoBase, _) if is_unclear_item() => Cause::UnclearItem,
        _ => cause,
    }
}

/// Spells a target as the options have it; returns the status of a link that has this target, unless something would be lost.
fn as_spelled(context: &DocumentContext<'_, '_>, link: &Link, reference: &str, target: &mut String) -> Status {
    let DocumentContext { document, options, .. } = context;
    if options.spelling == Spelling::Ascii {
        let spelled = ascii::ascii(target, ascii::encoding_of(document, link, options), options.purpose);
        if spelled != *target && ascii::changes_placeholders(target, &spelled, options.purpose) {
            return Status::Unresolved(Cause::LostPlaceholder);
        }
        *target = spelled;
    }
    // Readers trim the blank that an empty query has kept from the end of a reference (RFC 1808).
    let is_blank = |character: char| character <= ' ';
    let end = target.trim_end_matches(is_blank).len();
    if !reference.ends_with(is_blank) && end < target.len() {
        let escaped: String = target[end..].bytes().map(|byte| format!("%{byte:02X}")).collect();
        target.replace_range(end.., &escaped);
    }
    if breaks_expression(link, reference, target) {
        return Status::Unresolved(Cause::LostPlaceholder);
    }
    let loses_bytes = || !document.bytes()[link.range.clone()].is_ascii() && !keeps_characters(reference, target);
    if names_field(context, target) || (context.kept == Kept::OfBytes && loses_bytes()) {
        return Status::Kept;
    }
    Status::Relative
}

/// Returns whether a target ends with all non-ASCII characters of a reference.
fn keeps_characters(reference: &str, target: &str) -> bool {
    reference.find(|character: char| !character.is_ascii()).is_none_or(|at| target.ends_with(&reference[at..]))
}
