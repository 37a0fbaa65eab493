//! The URL of messages whose headers declare none.

use std::str::FromStr;

use absolve_base::{Charset, Retrieval, Rules, UrlSource, header_fields, url_and_charset, without_comments};

use crate::finding::{Code, Finding};
use crate::provenance::retrieval_url::{BaseError, retrieval_url};
use crate::provenance::urls::{is_page_url, without_login};

/// The URL that counts as that which a message was retrieved from, if nothing else gives one.
///
/// ```
/// use absolve_rewriter::settings::MessageUrl;
/// assert_eq!("archived-at".parse(), Ok(MessageUrl::ArchivedAt));
/// assert_eq!("https://example.org/".parse(), Ok(MessageUrl::Given("https://example.org/".to_owned())));
/// assert!("example.org".parse::<MessageUrl>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageUrl {
    /// The same for all messages.
    Given(String),
    /// That of its `Archived-At` field (RFC 5064): a copy in an archive, where the message did not come from.
    ArchivedAt,
}

impl FromStr for MessageUrl {
    type Err = BaseError;

    fn from_str(text: &str) -> Result<Self, BaseError> {
        let url = text.trim();
        match url.eq_ignore_ascii_case("archived-at") {
            true => Ok(Self::ArchivedAt),
            false => retrieval_url(url, Rules::default()).map(|_| Self::Given(url.to_owned())),
        }
    }
}

impl MessageUrl {
    /// Returns the URL of the message with this header, or the finding about a field that cannot give one. `None` without the field.
    pub(crate) fn retrieval(&self, header: &[u8]) -> Result<Option<Retrieval>, Finding> {
        match self {
            Self::Given(url) => Ok(Some(Retrieval { source: UrlSource::MessageUrl, url: url.clone() })),
            Self::ArchivedAt => archived_at(header),
        }
    }
}

/// Returns the URL in the `Archived-At` field of a header.
fn archived_at(header: &[u8]) -> Result<Option<Retrieval>, Finding> {
    let fields = header_fields(header).filter(|field| field.is_named("Archived-At"));
    let values: Vec<&[u8]> = fields.map(|field| &header[field.value]).collect();
    let mut urls = values.iter().map(|value| url_and_charset(value));
    let Some((url, charset)) = urls.next() else { return Ok(None) };
    let has_host = url.split_once("://").is_some_and(|(_, host)| !host.starts_with(['/', '\\']));
    let is_of_page = has_host && is_page_url(&url) && retrieval_url(&url, Rules::default()).is_ok();
    let why = if urls.any(|(other, _)| other != url) {
        "the field appears twice with different values"
    } else if values.iter().any(|value| holds_several(value)) {
        "it has several URLs"
    } else if charset == Charset::Unknown || !is_of_page {
        "it is not an http or https URL"
    } else {
        return Ok(Some(Retrieval { source: UrlSource::ArchivedAt, url }));
    };
    Err(Finding::new(Code::BaseRejected, format!("its Archived-At {:?} gives no base: {why}", without_login(&url))))
}

/// Returns whether a value has more than the one URL that is allowed (RFC 5064, section 2.1).
fn holds_several(value: &[u8]) -> bool {
    let urls = without_comments(value);
    match urls.trim_ascii().strip_prefix(b"<") {
        Some(rest) => memchr::memchr(b'>', rest).is_some_and(|end| end + 1 < rest.len()),
        // A long URL is folded within its brackets only.
        None => urls.trim_ascii().iter().any(u8::is_ascii_whitespace),
    }
}

#[cfg(test)]
mod tests {
    use super::archived_at;

    #[test]
    fn one_http_url_in_the_header_counts() {
        for (header, url) in [
            ("Archived-At: <https://h/a/1>\n", Ok(Some("https://h/a/1"))),
            ("ARCHIVED-AT:\r\n <https://h/\r\n a>  (the copy)\r\n", Ok(Some("https://h/a"))),
            ("Archived-At: <http://h/1>\nArchived-At: http://h/1\n", Ok(Some("http://h/1"))),
            ("Subject: Archived-At: <https://h/a/1>\n", Ok(None)),
            ("Archived-At: <a/1>\n", Err(())),
            ("Archived-At: <//h/1>\n", Err(())),
            ("Archived-At: <mid:1@h>\n", Err(())),
            ("Archived-At: <http://[>\n", Err(())),
            ("Archived-At: <http:///h/1>\n", Err(())),
            ("Archived-At:\n", Err(())),
            ("Archived-At: <http://h/1> (not <http://h/2>)\n", Ok(Some("http://h/1"))),
            ("Archived-At: <http://h/1>, <http://h/2>\n", Err(())),
            ("Archived-At: <http://h/1>\r\n <http://h/2>\n", Err(())),
            ("Archived-At: http://h/1, http://h/2\n", Err(())),
            ("Archived-At: http://h/1 http://h/2\n", Err(())),
            ("Archived-At: http://h/1 (first),\n http://h/2\n", Err(())),
            ("Archived-At: <http://h/1> http://h/2\n", Err(())),
            ("Archived-At: <http://h/1>\nArchived-At: <http://h/2>\n", Err(())),
        ] {
            let found = archived_at(header.as_bytes()).map_err(drop);
            let found = found.as_ref().map(|found| found.as_ref().map(|found| &*found.url));
            assert_eq!(found, url.as_ref().copied(), "{header:?}");
        }
    }
}
