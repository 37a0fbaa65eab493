//! References in stylesheets (CSS Syntax Level 3).
//!
//! The scanner skips most of a stylesheet. It stops only where strings, URLs, functions, comments and some at-rules
//! begin. Tests check that it finds the same references as a complete tokenizer, cssparser.

pub(crate) mod custom_properties;
#[cfg(any(test, fuzzing))]
pub(crate) mod laws;
#[cfg(any(test, fuzzing))]
mod oracle;
mod token;

use std::ops::Range;

use memchr::{memchr3_iter, memmem};

use crate::document::{Document, behind_mark};
use crate::scan::{Link, Place, Scan, Scope};
use crate::table::row::ResolvesIn;
use crate::value::decoded::Decoded;
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;
use custom_properties::{ForeignValues, KnownProperties};
use token::Names;

/// Finds the links of a stylesheet.
pub(crate) fn scan(document: &Document<'_>) -> Scan {
    let (mut links, mut scopes) = (Vec::new(), vec![Scope::Document, Scope::Unknown]);
    if may_contain_references(document.bytes()) {
        let css = document.unwrapped(0..document.bytes().len(), Wrappings::of(Wrapping::Plain));
        // The mark is no part of a name that follows it.
        let mark = behind_mark(css.text().as_bytes());
        let text = &css.text().as_bytes()[mark..];
        let foreign = ForeignValues::of(text, || KnownProperties::of(text));
        find(text, &mut |found| {
            // The document that uses the stylesheet is unknown here.
            let scope = match found.resolves_in {
                ResolvesIn::Document => UNKNOWN,
                _ if foreign.contain(text, &found.range) => FOREIGN,
                _ => STYLESHEET,
            };
            let range = css.raw_range(found.range.start + mark..found.range.end + mark);
            links.push(Link { range, wrappings: found.wrappings, place: Place::Stylesheet, scope });
        });
    }
    if links.iter().any(|link| link.scope == FOREIGN) {
        scopes.push(Scope::CustomProperty { within: STYLESHEET });
    }
    Scan { links, scopes, ..Scan::default() }
}

const STYLESHEET: usize = 0;
const UNKNOWN: usize = 1;
const FOREIGN: usize = 2;

/// A reference in CSS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The range in the text.
    pub(crate) range: Range<usize>,
    pub(crate) wrappings: Wrappings,
    /// The stylesheet, or for filters of Internet Explorer the document that uses it.
    pub(crate) resolves_in: ResolvesIn,
}

/// Returns whether a stylesheet may contain references: `url(`, `src(`, `image(`, `...-set(`, `AlphaImageLoader(`,
/// `@import`, or an escape that could hide one of them.
pub(crate) fn may_contain_references(css: &[u8]) -> bool {
    memchr3_iter(b'(', b'\\', b'@', css).any(|at| css[at] != b'(' || token::may_take_references(css, at))
}

/// Finds the references of a stylesheet or of declarations.
///
/// Comments contain none, nor do `@namespace` and `@-moz-document`, whose URLs are names. `css` is UTF-8.
pub(crate) fn find(css: &[u8], found: &mut dyn FnMut(Found)) {
    find_among(Strings::Text, css, found);
}

/// The meaning of strings in the current block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    Text,
    References,
    /// The text of a filter, outside its parameters.
    Filter,
    /// Those after `src=` are references, and resolve in the document.
    Parameters,
}

/// The at-rule whose prelude is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prelude {
    None,
    Import,
    /// An at-rule whose URLs are names or patterns.
    Names,
}

/// An open function or block.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The byte that closes it.
    closer: u8,
    strings: Strings,
    prelude: Prelude,
}

impl Level {
    /// Passes a string or URL. Only the first one of an `@import` is a reference.
    fn pass_reference(&mut self) {
        if self.prelude == Prelude::Import {
            self.prelude = Prelude::None;
        }
    }

    /// Returns the meaning of strings in an ordinary block or function within. A filter contains no other filter.
    fn strings_within(&self) -> Strings {
        if self.strings == Strings::References { Strings::Text } else { self.strings }
    }
}

fn find_among(strings: Strings, css: &[u8], found: &mut dyn FnMut(Found)) {
    let level = Level { closer: 0, strings, prelude: Prelude::None };
    let mut reader = Reader { css, names: Names::default(), level, around: Vec::new(), found };
    let mut at = 0;
    loop {
        at = token::next_stop(css, at, reader.follows_blocks());
        let Some(byte) = css.get(at) else { return };
        at = match byte {
            b'"' | b'\'' => reader.string(at),
            b'/' if css.get(at + 1) == Some(&b'*') => {
                let length = memmem::find(&css[at + 2..], b"*/");
                length.map_or(css.len(), |length| at + 2 + length + 2)
            }
            b'\\' => reader.names.escape(css, at),
            b'@' => reader.at_keyword(at),
            b'(' => reader.parenthesis(at),
            b'[' | b'{' | b')' | b']' | b'}' | b';' => {
                reader.block(*byte);
                at + 1
            }
            _ => at + 1,
        };
    }
}

/// The state of the scanner. It follows blocks only while strings may be references, and in the prelude of an at-rule.
struct Reader<'c, 'f> {
    css: &'c [u8],
    names: Names,
    level: Level,
    /// The levels around it, outermost first.
    around: Vec<Level>,
    found: &'f mut dyn FnMut(Found),
}

impl Reader<'_, '_> {
    #[inline]
    fn follows_blocks(&self) -> bool {
        !self.around.is_empty() || self.level.prelude != Prelude::None || self.level.strings != Strings::Text
    }

    /// Passes the string at `at`. Returns its end.
    fn string(&mut self, at: usize) -> usize {
        let (inside, end) = token::string(self.css, at);
        if let Some(range) = inside {
            let wrapping = Wrapping::CssString(self.css[at]);
            let wrappings = Wrappings::of(wrapping);
            if self.level.strings == Strings::References || self.level.prelude == Prelude::Import {
                (self.found)(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
            } else if self.level.strings == Strings::Parameters && self.names.is_of_source(self.css, at) {
                (self.found)(Found { range, wrappings, resolves_in: ResolvesIn::Document });
            } else if self.level.strings == Strings::Text && self.names.is_of_filter(self.css, at) {
                let find = |filter: &str, found: &mut dyn FnMut(Found)| {
                    find_among(Strings::Filter, filter.as_bytes(), found);
                };
                find_in_filter(self.css, range, wrapping, find, self.found);
            }
            self.level.pass_reference();
        } else {
            // Browsers drop a function or an `@import` with a broken string.
            self.level.pass_reference();
            if self.level.strings == Strings::References {
                self.level.strings = Strings::Text;
            }
        }
        self.names.pass(end);
        end
    }

    /// Passes the at-keyword at `at`. Returns its end.
    fn at_keyword(&mut self, at: usize) -> usize {
        let (name, end) = token::at_keyword(self.css, at);
        if is_one_of(&name, &["import"]) {
            self.level.prelude = Prelude::Import;
        } else if names_in_prelude(&name) {
            self.level.prelude = Prelude::Names;
        }
        self.names.pass(end);
        end
    }

    /// Passes the parenthesis at `at`, or a whole unquoted URL. Returns the end.
    fn parenthesis(&mut self, at: usize) -> usize {
        // Most functions are colours and lengths.
        let may_matter = self.names.may_be_escaped() || token::may_take_references(self.css, at);
        if !may_matter && !self.follows_blocks() {
            return at + 1;
        }
        let name = self.names.of_function(self.css, at);
        let is_names = self.level.prelude == Prelude::Names;
        if let Some(name) = &name {
            if is_one_of(name, &["url"])
                && let Some((inside, end)) = token::unquoted_url(self.css, at + 1)
            {
                if let Some(range) = inside {
                    if !is_names {
                        let wrappings = Wrappings::of(Wrapping::CssUrl);
                        (self.found)(Found { range, wrappings, resolves_in: ResolvesIn::Stylesheet });
                    }
                    self.level.pass_reference();
                }
                return end;
            }
            self.level.pass_reference();
        }
        let strings = match name {
            Some(name) if !is_names && takes_references(&name) => Strings::References,
            Some(name) if is_one_of(&name, &["AlphaImageLoader"]) => Strings::Parameters,
            _ => self.level.strings_within(),
        };
        if strings == Strings::References
            && let Some((string, end)) = token::only_string(self.css, at + 1)
        {
            let wrappings = Wrappings::of(Wrapping::CssString(self.css[string.start - 1]));
            (self.found)(Found { range: string, wrappings, resolves_in: ResolvesIn::Stylesheet });
            return end;
        }
        if self.follows_blocks() || strings != Strings::Text {
            self.around.push(self.level);
            self.level = Level { closer: b')', strings, prelude: Prelude::None };
        }
        at + 1
    }

    /// Passes a byte that opens or closes a block, or ends a statement.
    fn block(&mut self, byte: u8) {
        let closer = match byte {
            b'{' => b'}',
            b'[' => b']',
            b';' => return self.level.prelude = Prelude::None,
            _ => {
                match self.around.pop_if(|_| byte == self.level.closer) {
                    Some(outer) => self.level = outer,
                    // An unmatched closing bracket ends an at-rule as well.
                    None => self.level.prelude = Prelude::None,
                }
                return;
            }
        };
        if byte == b'{' {
            self.level.prelude = Prelude::None;
        }
        self.around.push(self.level);
        self.level = Level { closer, strings: self.level.strings_within(), prelude: Prelude::None };
    }
}

/// Finds the references of a filter in a string, as in `-ms-filter`. `find` finds them in the unwrapped filter.
fn find_in_filter(
    css: &[u8],
    range: Range<usize>,
    outer: Wrapping,
    find: fn(&str, &mut dyn FnMut(Found)),
    found: &mut dyn FnMut(Found),
) {
    const FILTER: &[u8] = b"progid:";
    let string = &css[range.clone()];
    if !string.get(..FILTER.len()).is_some_and(|start| start.eq_ignore_ascii_case(FILTER)) {
        return;
    }
    let filter = Decoded::unwrap(&String::from_utf8_lossy(string), outer);
    find(&filter.text, &mut |inner| {
        if let Some(wrappings) = inner.wrappings.within(outer) {
            let raw = filter.raw_range(inner.range);
            found(Found { range: range.start + raw.start..range.start + raw.end, wrappings, ..inner });
        }
    });
}

/// Returns whether strings in a function are references.
fn takes_references(function: &[u8]) -> bool {
    is_one_of(function, &["url", "src", "image-set", "-webkit-image-set", "image"])
}

/// Returns whether the URLs in the prelude of an at-rule are names.
fn names_in_prelude(at_keyword: &[u8]) -> bool {
    is_one_of(at_keyword, &["namespace", "-moz-document", "document"])
}

fn is_one_of(name: &[u8], known: &[&str]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}
