//! Where targets lead by the map of the user.

pub(crate) mod local;

use absolve_links::Link;
use absolve_resolver::{BaseUrl, ReferenceKind};
use encoding_rs::UTF_8;

use crate::document::ascii::ascii;
use crate::document::context::DocumentContext;
use crate::document::placeholder_resolution::resolve_around;
use crate::options::{HeaderFields, RelativeLinks};

/// Returns where a target leads by the map. One that names a part of the message stays, as the field that locates the part does.
pub(crate) fn mapped(context: &DocumentContext<'_, '_>, target: &str) -> Option<String> {
    let DocumentContext { part, options, .. } = context;
    let resolve = |base: &BaseUrl, reference: &str| {
        let mut target = String::new();
        resolve_around(base, reference, options.purpose, &mut target).ok().map(|()| target)
    };
    let leads_elsewhere = options.map.target_of(target, &resolve)?;
    let siblings = part.siblings.as_ref().filter(|_| options.header_fields == HeaderFields::Keep);
    let is_part = siblings.is_some_and(|parts| parts.contains(target, &part.retrievals, options.rules));
    (!is_part).then_some(leads_elsewhere)
}

/// Returns whether a link that stays relative leads elsewhere than by the map, because the absolute base that it has in the document is
/// mapped.
pub(crate) fn moves_with_base(context: &DocumentContext<'_, '_>, link: &Link, reference: &str, target: &str) -> bool {
    let standard = context.options.rules.standard;
    let moved = || {
        let base = context.base_of(link, reference)?;
        let declared = base.declared.iter().find(|declared| declared.verdict == absolve_base::Verdict::Used)?;
        let value = &declared.declaration.value;
        let is_written = base.layer.number_of_box() == 1 && standard.kind_of(value) == ReferenceKind::Absolute;
        let moved = mapped(context, value).filter(|_| is_written)?;
        BaseUrl::parse(&moved, standard).ok()?.resolve(reference).ok()
    };
    let is_kept_by_option = context.options.relative_links == RelativeLinks::Keep && !target.is_empty();
    // What is spelled in another way leads to the same, and what has a host of its own stays where it is.
    let is_same = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|url| ascii(url, UTF_8, context.options.purpose));
        one == other
    };
    is_kept_by_option
        && moved().is_some_and(|moved| {
            !is_same(&moved, target) && !is_same(&moved, &mapped(context, target).unwrap_or_else(|| target.into()))
        })
}
