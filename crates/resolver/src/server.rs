//! The parts of an authority.

/// The server component of draft-fielding-uri-url-00e, section 4.3.1:
/// `user:password@host:port`.
///
/// An empty part differs from an absent one, as the draft requires.
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
    /// The host name or number. A bracketed address keeps its brackets.
    pub host: &'a str,
    /// The port after the last colon. It may be empty.
    pub port: Option<&'a str>,
}

impl<'a> Server<'a> {
    /// Splits any authority.
    ///
    /// The last `@` ends the user part, as in browsers. The draft forbids an unescaped one before it.
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
}
