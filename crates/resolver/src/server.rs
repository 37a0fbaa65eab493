//! The parts of an authority.

use crate::Grammar;

/// The server component of draft-fielding-uri-url-00e, section 4.3.1:
/// `user:password@host:port`.
///
/// An empty part differs from an absent one, as the draft asks for.
///
/// ```
/// use absolve_resolver::Server;
/// let server = Server::split("foo:@host.com:8080");
/// assert_eq!((server.user, server.password), (Some("foo"), Some("")));
/// assert_eq!((server.host, server.port), ("host.com", Some("8080")));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Server<'a> {
    /// The user name before `:` or `@`.
    pub user: Option<&'a str>,
    /// The password between `:` and `@`.
    pub password: Option<&'a str>,
    /// The host name or number; a bracketed address with its brackets.
    pub host: &'a str,
    /// The port after the last colon, perhaps empty.
    pub port: Option<&'a str>,
}

impl<'a> Server<'a> {
    /// Splits an authority; it never fails.
    ///
    /// The last `@` ends the user part: the draft forbids a raw one before it, and browsers read it so.
    ///
    /// ```
    /// use absolve_resolver::Server;
    /// assert_eq!(Server::split("[::1]:80").host, "[::1]");
    /// assert_eq!(Server::split("@host.com").user, Some(""));
    /// ```
    pub fn split(authority: &'a str) -> Self {
        let (login, host_and_port) = match authority.rsplit_once('@') {
            Some((login, rest)) => (Some(login), rest),
            None => (None, authority),
        };
        let (user, password) = match login.map(|login| login.split_once(':').ok_or(login)) {
            Some(Ok((user, password))) => (Some(user), Some(password)),
            Some(Err(user)) => (Some(user), None),
            None => (None, None),
        };
        let (host, port) = match host_and_port.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (host_and_port, None),
        };
        Self { user, password, host, port }
    }

    /// Whether the parts have the form that the draft gives them. An empty server has.
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

fn is_host_number(host: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    host.split('.').count() == 4 && host.split('.').all(is_number)
}

/// Labels of letters, digits and inner hyphens, the last of which begins with a letter.
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
