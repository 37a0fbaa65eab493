//! Links that stay in a message: they lead to its parts, or might be read as fields of a header.

use absolve_base::Base;
use absolve_links::Link;
use absolve_resolver::is_special;

use crate::document::context::DocumentContext;

/// Returns whether the scheme of a target may be the name of a field, like `content-x:`, behind a header that no empty line ends.
pub(super) fn names_field(context: &DocumentContext<'_, '_>, target: &str) -> bool {
    context.part.protection.needs_line_ends && !target.split_once(':').is_some_and(|(scheme, _)| is_special(scheme))
}

/// Returns whether a target is that of a part of the same message that is found only by the reference as it is written.
pub(super) fn leads_to_part_as_written(context: &DocumentContext<'_, '_>, target: &str) -> bool {
    let DocumentContext { siblings, part, options, .. } = context;
    siblings.is_some_and(|siblings| siblings.contains_only_as_written(target, &part.retrievals, options.rules))
}

/// Returns whether a reference leads to a part of the same message by a base that is not written into documents.
pub(super) fn leads_to_part(context: &DocumentContext<'_, '_>, link: &Link, reference: &str) -> bool {
    let DocumentContext { finding: Some(bases), siblings: Some(siblings), part, options, .. } = context else {
        return false;
    };
    let url = bases[link.scope].as_ref().and_then(|base| base.url.as_ref());
    let written = context.bases[link.scope].as_ref().and_then(Base::portable);
    let target = url.filter(|url| Some(*url) != written).and_then(|url| url.resolve(reference).ok());
    target.is_some_and(|target| siblings.contains(&target, &part.retrievals, options.rules))
}
