//! Parts of one message that refer to each other (RFC 2557, section 8).

pub(crate) mod content_ids;
pub(crate) mod lender;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use absolve_base::{Charset, Declaration, Layer, Rules, establish};
use absolve_resolver::{ReferenceKind, Standard, strip};
use encoding_rs::WINDOWS_1252;
use url::Url;

use crate::entity::header_chain::HeaderChain;

/// The base of what has none (RFC 2557, section 5): parts find each other by it, and it is never written. Its scheme is that
/// of no part: beside one of `http`, `http:/a/` would be relative (URL Standard, section 4.4).
pub const MESSAGE_BASE: &str = "wss://message.invalid/";

/// What the bases of a part are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseUse {
    /// Links are written with them.
    Links,
    /// Parts of the same message are found by them: any base will do that both sides share (RFC 2557, section 8.2).
    Parts,
}

/// Returns the declarations of the bases by which parts are found. Guessed characters of their headers are as good as others there.
pub(crate) fn finding_parts(mut declarations: Vec<Declaration>) -> Vec<Declaration> {
    declarations.retain(|one| one.layer != Layer::Retrieval || one.charset == Charset::Known);
    declarations.iter_mut().for_each(|declaration| declaration.charset = Charset::Known);
    if !declarations.iter().any(|declaration| declaration.layer == Layer::Retrieval) {
        declarations.push(Declaration::new(Layer::Retrieval, MESSAGE_BASE, "the message"));
    }
    declarations
}

/// Returns a URL as those of parts are compared: as browsers spell it, and with its escapes of other characters than ASCII decoded,
/// which are in UTF-8 or, in what old programs wrote, in windows-1252.
///
/// ```
/// use absolve_rewriter::internal::part_key;
/// assert_eq!(part_key("HTTP://h/./Gr%C3%BCn"), part_key("http://h/Gr%FCn"));
/// assert_eq!(part_key("thismessage:/a"), part_key("wss://message.invalid/a"));
/// ```
pub fn part_key(url: &str) -> String {
    const THIS_MESSAGE: &str = "thismessage:";
    let own = url.get(..THIS_MESSAGE.len()).filter(|scheme| scheme.eq_ignore_ascii_case(THIS_MESSAGE));
    let in_message = own.map(|_| format!("{MESSAGE_BASE}{}", url[THIS_MESSAGE.len()..].trim_start_matches('/')));
    let spelled = Url::parse(in_message.as_deref().unwrap_or(url)).map_or_else(|_| url.to_owned(), String::from);
    let mut stretches = spelled.split('%');
    let mut key = stretches.next().unwrap_or_default().to_owned();
    let mut escaped = Vec::new();
    for stretch in stretches {
        let byte = stretch.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let rest = match byte.filter(|byte| !byte.is_ascii()) {
            Some(byte) => {
                escaped.push(byte);
                &stretch[2..]
            }
            None => {
                push_decoded(&mut key, &mut escaped);
                key.push('%');
                stretch
            }
        };
        if !rest.is_empty() {
            push_decoded(&mut key, &mut escaped);
            key.push_str(rest);
        }
    }
    push_decoded(&mut key, &mut escaped);
    key
}

/// Moves bytes that were escaped in a row to the end of a key.
fn push_decoded(key: &mut String, escaped: &mut Vec<u8>) {
    match str::from_utf8(escaped) {
        Ok(text) => key.push_str(text),
        Err(_) => key.push_str(&WINDOWS_1252.decode_without_bom_handling(escaped).0),
    }
    escaped.clear();
}

/// The parts around a document with a `Content-Location`.
#[derive(Debug)]
pub(crate) struct Siblings {
    /// Those of the outer multipart.
    around: Option<Arc<Self>>,
    located: Vec<Located>,
    /// Whether one of them, or of those around, is found by references as they are written, and not by absolute ones: by one of
    /// the standards.
    pub(crate) are_found_only_as_written: bool,
    all: OnceLock<HashSet<String>>,
    only_as_written: OnceLock<HashSet<String>>,
    /// The first keys by the text behind their last slash.
    by_name: OnceLock<HashMap<String, Vec<String>>>,
}

/// The location of a part.
#[derive(Debug)]
pub(crate) struct Located {
    /// Its `Content-Location`.
    pub(crate) location: String,
    /// The headers that may declare its base, if a standard reads it as relative.
    pub(crate) headers: Option<HeaderChain>,
    pub(crate) charset: Charset,
}

impl Located {
    /// Returns its headers if it is relative, as `http:/a` is to the URL Standard, but not to the RFCs.
    fn headers_of_relative(&self, standard: Standard) -> Option<&HeaderChain> {
        self.headers.as_ref().filter(|_| standard.kind_of(&strip(&self.location)) != ReferenceKind::Absolute)
    }

    /// Returns whether an absolute reference does not lead to it, or perhaps not: it is relative, or its characters are a guess.
    fn is_found_only_as_written(&self, standard: Standard) -> bool {
        self.headers_of_relative(standard).is_some() || self.charset == Charset::Unknown
    }

    /// Returns its URL, as [`part_key`].
    fn key(&self, retrievals: &[Declaration], rules: Rules) -> Option<String> {
        let Some(headers) = self.headers_of_relative(rules.standard) else { return Some(part_key(&self.location)) };
        let mut declarations = headers.declarations(0);
        declarations.extend(retrievals.iter().cloned());
        let base = establish(finding_parts(declarations), rules).url?;
        base.resolve(&self.location).ok().map(|url| part_key(&url))
    }
}

fn behind_slashes(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

impl Siblings {
    /// Adds the locations of an inner multipart to those `around`.
    pub(crate) fn new(around: Option<Arc<Self>>, located: Vec<Located>) -> Self {
        let are_found_only_as_written =
            Standard::ALL.iter().any(|standard| located.iter().any(|one| one.is_found_only_as_written(*standard)))
                || around.as_ref().is_some_and(|around| around.are_found_only_as_written);
        let (all, only_as_written, by_name) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { around, located, are_found_only_as_written, all, only_as_written, by_name }
    }

    /// Returns whether one of them has the URL `target`, regardless of the fragment. `retrievals` and the rules are the same for
    /// the whole run.
    pub(crate) fn contains(&self, target: &str, retrievals: &[Declaration], rules: Rules) -> bool {
        let keys = |siblings: &Self| siblings.located.iter().filter_map(|one| one.key(retrievals, rules)).collect();
        self.any_has(target, &|siblings, key| siblings.all.get_or_init(|| keys(siblings)).contains(key))
    }

    /// Returns the same of those that are found only as written. References to them stay relative like their own location.
    pub(crate) fn contains_only_as_written(&self, target: &str, retrievals: &[Declaration], rules: Rules) -> bool {
        let keys = |siblings: &Self| {
            let found = siblings.located.iter().filter(|located| located.is_found_only_as_written(rules.standard));
            found.filter_map(|one| one.key(retrievals, rules)).collect()
        };
        self.any_has(target, &|siblings, key| siblings.only_as_written.get_or_init(|| keys(siblings)).contains(key))
    }

    /// Returns the location of a part on the server of `target` that ends with this path, if there is one.
    pub(crate) fn ending_with(
        &self,
        path: &str,
        target: &str,
        retrievals: &[Declaration],
        rules: Rules,
    ) -> Option<String> {
        /// So many parts with the same name are compared, so that a message of many costs no more than its length.
        const OF_A_NAME: usize = 64;
        let end = format!("/{path}");
        let server = |url: &str| url.split('/').take(3).collect::<Vec<_>>().join("/");
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name = HashMap::<String, Vec<String>>::new();
            for key in self.located.iter().filter_map(|one| one.key(retrievals, rules)) {
                let named = by_name.entry(behind_slashes(&key).to_owned()).or_default();
                if named.len() < OF_A_NAME {
                    named.push(key);
                }
            }
            by_name
        });
        let mut named = by_name.get(behind_slashes(path)).into_iter().flatten();
        let own = named.find(|key| key.ends_with(&end) && server(key) == server(target)).cloned();
        own.or_else(|| self.around.as_ref()?.ending_with(path, target, retrievals, rules))
    }

    fn any_has(&self, target: &str, has: &dyn Fn(&Self, &str) -> bool) -> bool {
        let key = part_key(target.split_once('#').map_or(target, |(target, _)| target));
        let mut siblings = Some(self);
        while let Some(inner) = siblings {
            if has(inner, &key) {
                return true;
            }
            siblings = inner.around.as_deref();
        }
        false
    }
}
