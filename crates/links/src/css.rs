//! References in stylesheets (CSS Syntax Level 3).
//!
//! Most of a stylesheet is passed over: only where strings, URLs, functions, comments and some at-rules begin does the
//! scanner stop. That it finds what a whole tokenizer finds is a law, with cssparser as the second opinion.

#[cfg(test)]
mod laws;
#[cfg(test)]
mod oracle;
mod token;

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memmem};

use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;
use crate::{Decoded, Document, Link, Place, ResolvesIn, Scan, Scope};
use token::Names;

/// Finds the links of a stylesheet.
pub(crate) fn scan(document: &Document<'_>) -> Scan {
    let mut links = Vec::new();
    if may_hold_references(document.bytes()) {
        let css = document.unwrapped(0..document.bytes().len(), Wrappings::of(Wrapping::Plain));
        find(css.text(), &mut |found| {
            // The document that the stylesheet is for is not known here.
            let scope = if found.resolves_in == ResolvesIn::Document { UNKNOWN } else { STYLESHEET };
            let range = css.raw_range(found.range);
            links.push(Link { range, wrappings: found.wrappings, place: Place::Stylesheet, scope });
        });
    }
    Scan { links, scopes: vec![Scope::Document, Scope::Unknown], ..Scan::default() }
}

const STYLESHEET: usize = 0;
const UNKNOWN: usize = 1;

/// A reference in CSS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    pub(crate) wrappings: Wrappings,
    /// The stylesheet, or what Internet Explorer takes, the document that the stylesheet is for.
    pub(crate) resolves_in: ResolvesIn,
}

/// Whether a look is worth while: some `url(`, `src(`, `image(`, `...-set(`, `AlphaImageLoader(`, `@import`, or an
/// escape that could hide one.
pub(crate) fn may_hold_references(css: &[u8]) -> bool {
    let is_function = |open: usize| {
        ["url", "src", "set", "age", "der"]
            .iter()
            .any(|end| open >= 3 && css[open - 3..open].eq_ignore_ascii_case(end.as_bytes()))
    };
    memchr2(b'\\', b'@', css).is_some() || memchr_iter(b'(', css).any(is_function)
}

/// Finds the references of a stylesheet or of declarations.
///
/// Never: `@namespace` and `@-moz-document`, whose URLs are names, and comments.
pub(crate) fn find(css: &str, found: &mut dyn FnMut(Found)) {
    find_among(Strings::Text, css, found);
}

/// What a string means where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    Text,
    References,
    /// Those behind `src=` are references, and resolve in the document.
    Parameters,
}

/// What the at-rule says whose prelude is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prelude {
    None,
    Import,
    /// URLs in it are names or patterns.
    Names,
}

/// A function or block that is open.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// What closes it.
    closer: u8,
    strings: Strings,
    prelude: Prelude,
}

impl Level {
    /// Only the first string or URL of an `@import` is what it imports.
    fn pass_reference(&mut self) {
        if self.prelude == Prelude::Import {
            self.prelude = Prelude::None;
        }
    }

    /// What strings mean in a block or function within, unless it says so itself. A filter holds no other filter.
    fn strings_within(&self) -> Strings {
        if self.strings == Strings::Parameters { Strings::Parameters } else { Strings::Text }
    }
}

fn find_among(strings: Strings, css: &str, found: &mut dyn FnMut(Found)) {
    let bytes = css.as_bytes();
    let mut names = Names::default();
    // Blocks are followed only as far as it matters: while strings may be references, and in the prelude of an at-rule.
    let mut level = Level { closer: 0, strings, prelude: Prelude::None };
    let mut around: Vec<Level> = Vec::new();
    let mut at = 0;
    loop {
        let follows_blocks = !around.is_empty() || level.prelude != Prelude::None || level.strings != Strings::Text;
        at = token::next_stop(bytes, at, follows_blocks);
        let Some(byte) = bytes.get(at) else { return };
        match byte {
            b'"' | b'\'' => {
                let (inside, end) = token::string(bytes, at);
                if let Some(inside) = inside {
                    let wrapping = Wrapping::CssString(*byte);
                    let is_reference = level.strings == Strings::References || level.prelude == Prelude::Import;
                    let is_source = level.strings == Strings::Parameters
                        && names.of_parameter(css, at).is_some_and(|name| name.eq_ignore_ascii_case("src"));
                    if is_reference || is_source {
                        let resolves_in = if is_reference { ResolvesIn::Stylesheet } else { ResolvesIn::Document };
                        found(Found { range: inside, wrappings: Wrappings::of(wrapping), resolves_in });
                    } else if level.strings == Strings::Text && names.is_of_filter(css, at) {
                        find_in_filter(css, inside, wrapping, found);
                    }
                    level.pass_reference();
                } else if level.strings == Strings::References {
                    // A function with a broken string in it is none that anybody follows.
                    level.strings = Strings::Text;
                }
                names.pass(end);
                at = end;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |length| at + 2 + length + 2);
            }
            b'\\' => at = names.escape(css, at),
            b'@' => {
                let (name, end) = token::at_keyword(css, at);
                if name.eq_ignore_ascii_case("import") {
                    level.prelude = Prelude::Import;
                } else if ["namespace", "-moz-document", "document"]
                    .iter()
                    .any(|known| name.eq_ignore_ascii_case(known))
                {
                    level.prelude = Prelude::Names;
                }
                names.pass(end);
                at = end;
            }
            b'(' => {
                let name = names.of_function(css, at);
                at += 1;
                let is_names = level.prelude == Prelude::Names;
                if let Some(name) = &name {
                    if name.eq_ignore_ascii_case("url")
                        && let Some((inside, end)) = token::unquoted_url(bytes, at)
                    {
                        if let Some(range) = inside {
                            if !is_names {
                                let wrappings = Wrappings::of(Wrapping::CssUrl);
                                found(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
                            }
                            level.pass_reference();
                        }
                        at = end;
                        continue;
                    }
                    level.pass_reference();
                }
                let strings = match name {
                    Some(name) if !is_names && takes_references(&name) => Strings::References,
                    Some(name) if name.eq_ignore_ascii_case("AlphaImageLoader") => Strings::Parameters,
                    _ => level.strings_within(),
                };
                if follows_blocks || strings != Strings::Text {
                    around.push(level);
                    level = Level { closer: b')', strings, prelude: Prelude::None };
                }
            }
            b'[' | b'{' => {
                if *byte == b'{' {
                    level.prelude = Prelude::None;
                }
                let closer = if *byte == b'{' { b'}' } else { b']' };
                let strings = level.strings_within();
                around.push(level);
                level = Level { closer, strings, prelude: Prelude::None };
                at += 1;
            }
            b')' | b']' | b'}' => {
                match around.pop() {
                    Some(outer) if level.closer == *byte => level = outer,
                    outer => {
                        around.extend(outer);
                        level.prelude = Prelude::None;
                    }
                }
                at += 1;
            }
            b';' => {
                level.prelude = Prelude::None;
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// Finds the references of a filter in a string, as `-ms-filter` has it.
fn find_in_filter(css: &str, range: Range<usize>, outer: Wrapping, found: &mut dyn FnMut(Found)) {
    const FILTER: &[u8] = b"progid:";
    let string = &css[range.clone()];
    if !string.as_bytes().get(..FILTER.len()).is_some_and(|start| start.eq_ignore_ascii_case(FILTER)) {
        return;
    }
    let filter = Decoded::unwrap(string, outer);
    find_among(Strings::Parameters, &filter.text, &mut |inner| {
        if let Some(wrappings) = inner.wrappings.within(outer) {
            let raw = filter.raw_range(inner.range);
            found(Found { range: range.start + raw.start..range.start + raw.end, wrappings, ..inner });
        }
    });
}

/// Whether strings in a function are references.
fn takes_references(function: &str) -> bool {
    const NAMES: [&str; 5] = ["url", "src", "image-set", "-webkit-image-set", "image"];
    NAMES.iter().any(|name| name.eq_ignore_ascii_case(function))
}
