//! The grammars of 1995 and 1996.

use alloc::vec::Vec;

use crate::server::Server;
use crate::standard::Standard;

/// A grammar for URL references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// draft-ietf-uri-relative-url-06, section 2.2.
    Draft06,
    /// draft-fielding-uri-url-00e, sections 1.3 to 4.3.
    Draft00e,
}

/// A production that derives a reference without its fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Production {
    /// `generic-RL`, `generic-URL`: a scheme and a hierarchical rest.
    GenericUrl,
    /// A scheme and any URL characters.
    OpaqueUrl,
    /// `net_path`: begins with two slashes.
    NetPath,
    /// `abs_path`: begins with one slash.
    AbsolutePath,
    /// `rel_path`: everything else.
    RelativePath,
    /// Only in draft 00e: no URL, which refers to the current document.
    CurrentDocument,
}

impl Grammar {
    /// Returns the productions of this grammar that derive `reference`, in the order of [`Production`].
    ///
    /// The list is empty if the text does not match the grammar. It has several entries if the text is ambiguous:
    /// `Talk:Foo` is both an absolute URL of the scheme `Talk` and a relative path.
    ///
    /// ```
    /// use absolve_resolver::{Grammar, Production};
    /// assert_eq!(Grammar::Draft06.productions("../g"), [Production::RelativePath]);
    /// assert!(Grammar::Draft06.productions("a b").is_empty());
    /// assert!(Grammar::Draft06.productions("Talk:Foo").len() > 1);
    /// ```
    pub fn productions(self, reference: &str) -> Vec<Production> {
        let mut productions = Vec::new();
        let (url, fragment) = match reference.split_once('#') {
            Some((url, fragment)) => (url, fragment),
            None => (reference, ""),
        };
        if !self.is_all(fragment, Self::is_url_byte) {
            return productions;
        }
        if let Some(scheme) = Standard::Rfc1808.scheme_of(url) {
            let rest = &url[scheme.len() + 1..];
            if self.relative_form(rest).is_some() {
                productions.push(Production::GenericUrl);
            }
            if self.is_all(rest, Self::is_url_byte) {
                productions.push(Production::OpaqueUrl);
            }
        }
        if self == Self::Draft00e && url.is_empty() {
            productions.push(Production::CurrentDocument);
        } else {
            productions.extend(self.relative_form(url));
        }
        productions
    }

    /// Returns the production of `relativeURL` that derives `text`. The first delimiters decide.
    fn relative_form(self, text: &str) -> Option<Production> {
        if let Some(after) = text.strip_prefix("//") {
            let end = after.find('/').unwrap_or(after.len());
            let (server, path) = after.split_at(end);
            let matches = self.is_server(server) && path.strip_prefix('/').is_none_or(|path| self.is_rel_path(path));
            matches.then_some(Production::NetPath)
        } else if let Some(after) = text.strip_prefix('/') {
            self.is_rel_path(after).then_some(Production::AbsolutePath)
        } else {
            self.is_rel_path(text).then_some(Production::RelativePath)
        }
    }

    /// Matches `rel_path = [ path ] [ ";" params ] [ "?" query ]`, where the path has no empty first segment.
    fn is_rel_path(self, text: &str) -> bool {
        let (before_query, query) = text.split_once('?').unwrap_or((text, ""));
        let (path, params) = before_query.split_once(';').unwrap_or((before_query, ""));
        !path.starts_with('/')
            && self.is_all(path, |grammar, byte| byte == b'/' || grammar.is_path_byte(byte))
            && self.is_all(params, |grammar, byte| matches!(byte, b'/' | b';') || grammar.is_path_byte(byte))
            && self.is_all(query, Self::is_url_byte)
    }

    /// Matches `net_loc` of draft-06, any run of its characters, or `server` of 00e, the form of section 4.3.1.
    fn is_server(self, text: &str) -> bool {
        match self {
            Self::Draft06 => {
                self.is_all(text, |grammar, byte| matches!(byte, b';' | b'?') || grammar.is_path_byte(byte))
            }
            Self::Draft00e => Server::split(text).is_well_formed(),
        }
    }

    /// Returns whether every byte of `text` satisfies `allowed` or belongs to a `%XX` escape.
    pub(crate) fn is_all(self, text: &str, allowed: fn(Self, u8) -> bool) -> bool {
        let mut rest = text.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            rest = match (byte, after) {
                (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => after,
                _ if allowed(self, byte) => after,
                _ => return false,
            };
        }
        true
    }

    pub(crate) fn is_unreserved(self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric()
            || match self {
                Self::Draft06 => b"$-_.+!*'(),".contains(&byte),
                Self::Draft00e => b"$-_.!~*'(),".contains(&byte),
            }
    }

    /// Matches `pchar` without escapes.
    fn is_path_byte(self, byte: u8) -> bool {
        self.is_unreserved(byte) || b":@&=".contains(&byte) || (self == Self::Draft00e && byte == b'+')
    }

    /// Matches `uchar | reserved` without escapes.
    fn is_url_byte(self, byte: u8) -> bool {
        self.is_path_byte(byte) || b";/?".contains(&byte)
    }
}

impl Server<'_> {
    /// Returns whether the parts match the grammar of the draft. An empty server does.
    ///
    /// ```
    /// use absolve_resolver::Server;
    /// assert!(Server::split("192.0.2.1:").is_well_formed());
    /// assert!(!Server::split("under_score.org").is_well_formed());
    /// ```
    pub fn is_well_formed(&self) -> bool {
        if *self == Self::default() {
            return true;
        }
        let is_login = |text: &str| {
            Grammar::Draft00e.is_all(text, |grammar, byte| grammar.is_unreserved(byte) || b";?&=+".contains(&byte))
        };
        self.user.is_none_or(is_login)
            && self.password.is_none_or(is_login)
            && (is_host_number(self.host) || is_host_name(self.host))
            && self.port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

impl Production {
    /// Returns the name in JSON: that of the production in the drafts.
    ///
    /// ```
    /// assert_eq!(absolve_resolver::Production::NetPath.name(), "net_path");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::GenericUrl => "generic-URL",
            Self::OpaqueUrl => "opaque-URL",
            Self::NetPath => "net_path",
            Self::AbsolutePath => "abs_path",
            Self::RelativePath => "rel_path",
            Self::CurrentDocument => "current-document",
        }
    }
}

fn is_host_number(host: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    host.split('.').count() == 4 && host.split('.').all(is_number)
}

/// Matches labels of letters, digits and inner hyphens. The last one begins with a letter.
fn is_host_name(host: &str) -> bool {
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        matches!((bytes.first(), bytes.last()), (Some(first), Some(last))
            if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric())
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    host.split('.').all(is_label)
        && host.rsplit('.').next().is_some_and(|top| top.starts_with(|first: char| first.is_ascii_alphabetic()))
}
