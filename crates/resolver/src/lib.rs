#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod base_url;
mod components;
mod grammar;
mod hierarchical;
mod partial;
mod path;
mod plain;
mod scheme;
mod server;
mod standard;
mod whatwg;

#[cfg(any(test, fuzzing))]
pub mod laws;

use alloc::borrow::Cow;
use alloc::string::String;

pub use base_url::{BaseUrl, NotABase, Unresolvable};
pub use components::Components;
pub use grammar::{Grammar, Production};
pub use scheme::RelativeUse;
pub use server::Server;
pub use standard::{ReferenceKind, Standard, UnknownStandard};

/// `text` without leading and trailing controls and spaces, and without any tab or newline: what the URL Standard
/// ignores before it reads a URL (section 4.4).
///
/// ```
/// assert_eq!(absolve_resolver::strip(" http://a/\n b "), "http://a/ b");
/// ```
pub fn strip(text: &str) -> Cow<'_, str> {
    whatwg::strip(text)
}

/// The target of `reference` where there may be no base: then every reference is taken as absolute.
///
/// # Errors
///
/// [`Unresolvable::NoBase`] when the reference is not absolute.
///
/// ```
/// use absolve_resolver::{Standard, Unresolvable, resolve_without_base};
/// assert_eq!(resolve_without_base("http:g", Standard::Whatwg)?, "http://g");
/// assert_eq!(resolve_without_base("g", Standard::Whatwg), Err(Unresolvable::NoBase));
/// # Ok::<(), Unresolvable>(())
/// ```
pub fn resolve_without_base(reference: &str, standard: Standard) -> Result<String, Unresolvable> {
    let mut target = String::new();
    match standard {
        Standard::Whatwg => whatwg::resolve(None, reference, &mut target)?,
        _ if standard.scheme_of(reference).is_some() => target.push_str(reference),
        _ => return Err(Unresolvable::NoBase),
    }
    Ok(target)
}
