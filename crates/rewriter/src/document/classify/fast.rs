//! Which links are decided by their base alone.

use absolve_base::{Base, Profile};
use absolve_links::{Document, Grammar, Link, Scope};
use absolve_resolver::BaseUrl;
use memchr::memchr3_iter;

use crate::document::classify::declares_bases;
use crate::document::context::{DocumentContext, Kept, row_of};
use crate::document::placeholder::begins_in_placeholder;
use crate::document::saved_links::has_empty_base;
use crate::options::{Options, Purpose, RelativeLinks};

/// Returns whether the base alone decides about plain references.
pub(super) fn is_plain(context: &DocumentContext<'_, '_>) -> bool {
    let DocumentContext { scan, options, .. } = context;
    let is_ignored = |scope: &Scope| matches!(scope, Scope::XmlBase { .. });
    let holds_ignored_bases = options.rules.profile == Profile::Browser && scan.scopes.iter().any(is_ignored);
    context.siblings.is_none()
        && context.part.saved.is_none()
        && !has_empty_base(context)
        && context.part.targets.is_empty()
        && !(context.part.local_paths.is_some() && declares_bases(scan, options))
        && !context.part.protection.needs_line_ends
        && context.kept == Kept::None
        && !holds_ignored_bases
        && options.map.is_empty()
        && options.relative_links == RelativeLinks::Absolute
        && options.root.is_none()
        && options.images_url.is_none()
        // Mail needs the target of each link, to check whether readers can follow it.
        && options.purpose != Purpose::Mail
}

/// Returns whether more than the base decides about a plain reference: it is a pattern, or a part of a placeholder.
pub(super) fn needs_more_than_base(document: &Document<'_>, link: &Link, options: &Options) -> bool {
    // `~/` is a placeholder of plain characters.
    let is_at_root = || document.bytes()[link.range.clone()].starts_with(b"~/");
    match row_of(link, options).map(|row| row.grammar) {
        Some(Grammar::Url) => is_at_root(),
        Some(Grammar::UrlPattern) => true,
        _ => is_at_root() || begins_in_placeholder(document.bytes(), link),
    }
}

/// Returns whether a reference is a web URL as it is written, in any wrapping: no escape or character reference in it can
/// be that of ISO-2022-JP.
pub(super) fn is_plainly_absolute(raw: &[u8]) -> bool {
    (raw.starts_with(b"http://") || raw.starts_with(b"https://"))
        && memchr3_iter(b'\x1b', b'\\', b'&', raw).all(|at| raw[at] == b'&' && raw.get(at + 1) != Some(&b'#'))
}

/// Returns a base at which plain references may be resolved the fast way: only the base decides, and the prefix needs
/// no escapes.
pub(super) fn plain_base<'b>(base: Option<&'b Base>, options: &Options) -> Option<&'b BaseUrl> {
    let url = base?.portable().filter(|_| options.local_files.is_none() && options.keep.is_empty())?;
    let (directory, _) = url.plain_prefix(b"x")?;
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':' | b'/' | b'+' | b'@' | b'%')
    };
    directory.bytes().all(is_plain).then_some(url)
}
