//! The URL of messages whose headers declare none.

use std::str::FromStr;

use absolve_base::Rules;

use crate::provenance::retrieval_url::{BaseError, retrieval_url};

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
