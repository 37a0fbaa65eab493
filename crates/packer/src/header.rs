//! The header of the message.

use mail_parser::{Address, DateTime, MessageParser};
use thiserror::Error;

use crate::limits::ADDRESS_BYTES;

/// The originator, destination and subject fields of a message (RFC 5322, section 3.6). Without a sender the message is
/// a draft, which mail programs open for editing (`X-Unsent: 1`).
///
/// ```
/// use absolve_packer::Header;
/// let header = Header::default().with_from("Ann <ann@example.org>")?.with_subject("The lamp")?;
/// assert!(!header.is_draft());
/// assert!(Header::default().with_subject("two\r\nlines").is_err());
/// # Ok::<(), absolve_packer::HeaderError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub(crate) from: Vec<Mailbox>,
    pub(crate) to: Vec<Mailbox>,
    pub(crate) subject: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) message_id: Option<String>,
    /// Whether its message is part of a digest, and not a draft by itself.
    pub(crate) is_of_part: bool,
}

/// A name and an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mailbox {
    pub(crate) name: Option<String>,
    pub(crate) address: String,
}

/// A value that cannot be written into a header field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// A line break or another control character, which could begin another field.
    #[error("a header field holds no line breaks and no other controls")]
    Control,
    /// Not an address, or not a list of addresses.
    #[error("an address is written `name@example.org` or `Name <name@example.org>`, in ASCII but for the name")]
    NotAnAddress,
    /// Not a date.
    #[error("a date is written as in RFC 5322 or RFC 3339: 2026-11-21T10:00:00Z")]
    NotADate,
    /// Not a message id.
    #[error("a message id is written `name@example.org`")]
    NotAnId,
}

impl Header {
    /// Sets the sender: `Ann <ann@example.org>` or `ann@example.org`.
    ///
    /// # Errors
    ///
    /// If it is not exactly one address; several would need a `Sender` (RFC 5322, section 3.6.2).
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().with_from("ann").is_err());
    /// assert!(absolve_packer::Header::default().with_from("=?utf-8?Q?a=0D=0ABcc:_b?= <ann@example.org>").is_err());
    /// ```
    pub fn with_from(self, from: &str) -> Result<Self, HeaderError> {
        match mailboxes(from)? {
            from if from.len() == 1 => Ok(Self { from, ..self }),
            _ => Err(HeaderError::NotAnAddress),
        }
    }

    /// Adds recipients.
    ///
    /// # Errors
    ///
    /// If it is not a list of addresses.
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().with_to("ann@example.org, Bo <bo@example.org>").is_ok());
    /// ```
    pub fn with_to(mut self, to: &str) -> Result<Self, HeaderError> {
        self.to.extend(mailboxes(to)?);
        Ok(self)
    }

    /// Sets the subject, instead of the title of the document.
    ///
    /// # Errors
    ///
    /// If it contains control characters.
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().with_subject("Grüße").is_ok());
    /// ```
    pub fn with_subject(self, subject: &str) -> Result<Self, HeaderError> {
        Ok(Self { subject: Some(plain(subject)?.to_owned()), ..self })
    }

    /// Sets the date, in the syntax of RFC 5322 or RFC 3339.
    ///
    /// # Errors
    ///
    /// If it is not a date.
    ///
    /// ```
    /// let header = absolve_packer::Header::default();
    /// assert_eq!(header.clone().with_date("2026-11-21T10:00:00Z"), header.with_date("Sat, 21 Nov 2026 10:00:00 +0000"));
    /// ```
    pub fn with_date(self, date: &str) -> Result<Self, HeaderError> {
        let date = plain(date)?;
        // The parser accepts the 30th of February.
        let is_real = |date: &DateTime| {
            let again = DateTime::from_timestamp(date.to_timestamp_local());
            (again.month, again.day) == (date.month, date.day)
        };
        let of_field = || MessageParser::new().parse_headers(&*format!("Date: {date}\r\n\r\n"))?.date().cloned();
        let parsed = DateTime::parse_rfc3339(date).or_else(of_field).filter(|date| date.is_valid() && is_real(date));
        Ok(Self { date: Some(parsed.ok_or(HeaderError::NotADate)?.to_rfc822()), ..self })
    }

    /// Sets the date, in seconds since 1970.
    ///
    /// ```
    /// let header = absolve_packer::Header::default();
    /// assert_eq!(header.clone().at_second(0), header.with_date("1970-01-01T00:00:00Z").unwrap());
    /// ```
    #[must_use]
    pub fn at_second(self, second: i64) -> Self {
        Self { date: Some(DateTime::from_timestamp(second).to_rfc822()), ..self }
    }

    /// Sets the message id: `name@example.org`, with or without angle brackets.
    ///
    /// # Errors
    ///
    /// If it is not a message id.
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().with_message_id("<1@example.org>").is_ok());
    /// ```
    pub fn with_message_id(self, id: &str) -> Result<Self, HeaderError> {
        let id = plain(id)?.trim();
        let id = id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or(id);
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>@".contains(&byte))
        };
        let is_id = id.split_once('@').is_some_and(|(left, right)| is_word(left) && is_word(right));
        if is_id && id.len() <= ADDRESS_BYTES {
            Ok(Self { message_id: Some(id.to_owned()), ..self })
        } else {
            Err(HeaderError::NotAnId)
        }
    }

    /// Returns the header of a message within a digest with this header: it has the same sender and date.
    ///
    /// ```
    /// let header = absolve_packer::Header::default().with_subject("The digest")?;
    /// assert_ne!(header.of_part(), header);
    /// # Ok::<(), absolve_packer::HeaderError>(())
    /// ```
    #[must_use]
    pub fn of_part(&self) -> Self {
        let (from, date) = (self.from.clone(), self.date.clone());
        Self { from, date, is_of_part: true, ..Self::default() }
    }

    /// Returns whether it is a draft: it has no sender.
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().is_draft());
    /// ```
    pub const fn is_draft(&self) -> bool {
        self.from.is_empty()
    }
}

fn plain(text: &str) -> Result<&str, HeaderError> {
    if text.chars().any(char::is_control) { Err(HeaderError::Control) } else { Ok(text) }
}

fn mailboxes(text: &str) -> Result<Vec<Mailbox>, HeaderError> {
    let field = format!("To: {}\r\n\r\n", plain(text)?);
    let message = MessageParser::new().parse_headers(&*field).ok_or(HeaderError::NotAnAddress)?;
    let Some(Address::List(addresses)) = message.to() else { return Err(HeaderError::NotAnAddress) };
    let mailbox = |address: &mail_parser::Addr<'_>| {
        let name = address.name().map(str::to_owned);
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic() && !b"()<>[]:;@\\,\"".contains(&byte))
        };
        let is_address = |address: &&str| {
            address.len() <= ADDRESS_BYTES
                && address.rsplit_once('@').is_some_and(|(left, right)| is_word(left) && is_word(right))
        };
        // The parser joins quoted and other words of a name without the space between them.
        let is_whole = |name: &String| !text.contains('"') || squeezed(text).contains(&squeezed(name));
        if !name.iter().all(is_whole) {
            return None;
        }
        Some(Mailbox { name, address: address.address().filter(is_address)?.to_owned() })
    };
    // An encoded word may contain any character.
    addresses.iter().filter_map(|address| address.name()).try_for_each(|name| plain(name).map(|_| ()))?;
    let mailboxes: Option<Vec<Mailbox>> = addresses.iter().map(mailbox).collect();
    mailboxes.filter(|mailboxes| !mailboxes.is_empty()).ok_or(HeaderError::NotAnAddress)
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && *character != '\\').collect()
}
