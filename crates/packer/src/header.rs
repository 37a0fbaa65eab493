//! Who writes to whom, and about what.

use std::{error, fmt};

use mail_parser::{Address, DateTime, MessageParser};

use crate::limits::ADDRESS_BYTES;

/// The fields of a message that tell who writes to whom, about what, and when. Without a sender the message is a draft, which
/// mail programs open for editing (`X-Unsent: 1`).
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
}

/// A name and an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mailbox {
    pub(crate) name: Option<String>,
    pub(crate) address: String,
}

/// What cannot stand in a header field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderError {
    /// A line break or another control, which could begin another field.
    Control,
    /// It is no address, or no list of addresses.
    NotAnAddress,
    /// It is no date.
    NotADate,
    /// It is no message id.
    NotAnId,
}

impl Header {
    /// Returns the same from this address: `Ann <ann@example.org>` or `ann@example.org`.
    ///
    /// # Errors
    ///
    /// When it is none, or several, of which RFC 5322 (section 3.6.2) wants to know who sends.
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().with_from("nobody").is_err());
    /// ```
    pub fn with_from(self, from: &str) -> Result<Self, HeaderError> {
        match mailboxes(from)? {
            from if from.len() == 1 => Ok(Self { from, ..self }),
            _ => Err(HeaderError::NotAnAddress),
        }
    }

    /// Returns the same to these addresses as well.
    ///
    /// # Errors
    ///
    /// When it is none.
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().with_to("ann@example.org, Bo <bo@example.org>").is_ok());
    /// ```
    pub fn with_to(mut self, to: &str) -> Result<Self, HeaderError> {
        self.to.extend(mailboxes(to)?);
        Ok(self)
    }

    /// Returns the same about this, instead of the title of the document.
    ///
    /// # Errors
    ///
    /// When it holds controls.
    ///
    /// ```
    /// assert!(absolve_packer::Header::default().with_subject("Grüße").is_ok());
    /// ```
    pub fn with_subject(self, subject: &str) -> Result<Self, HeaderError> {
        Ok(Self { subject: Some(plain(subject)?.to_owned()), ..self })
    }

    /// Returns the same of this date, written as RFC 5322 or RFC 3339 has it.
    ///
    /// # Errors
    ///
    /// When it is none.
    ///
    /// ```
    /// let header = absolve_packer::Header::default();
    /// assert_eq!(header.clone().with_date("2026-11-21T10:00:00Z"), header.with_date("Sat, 21 Nov 2026 10:00:00 +0000"));
    /// ```
    pub fn with_date(self, date: &str) -> Result<Self, HeaderError> {
        let date = plain(date)?;
        // The parser takes the 30th of February.
        let is_real = |date: &DateTime| {
            let again = DateTime::from_timestamp(date.to_timestamp_local());
            (again.month, again.day) == (date.month, date.day)
        };
        let of_field = || MessageParser::new().parse_headers(&*format!("Date: {date}\r\n\r\n"))?.date().cloned();
        let parsed = DateTime::parse_rfc3339(date).or_else(of_field).filter(|date| date.is_valid() && is_real(date));
        Ok(Self { date: Some(parsed.ok_or(HeaderError::NotADate)?.to_rfc822()), ..self })
    }

    /// Returns the same of this moment, in seconds since 1970.
    ///
    /// ```
    /// let header = absolve_packer::Header::default();
    /// assert_eq!(header.clone().at_second(0), header.with_date("1970-01-01T00:00:00Z").unwrap());
    /// ```
    #[must_use]
    pub fn at_second(self, second: i64) -> Self {
        Self { date: Some(DateTime::from_timestamp(second).to_rfc822()), ..self }
    }

    /// Returns the same with this id: `name@example.org`, in angle brackets or without.
    ///
    /// # Errors
    ///
    /// When it is none.
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

    /// Returns whether nobody sends it yet.
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
        Some(Mailbox { name, address: address.address().filter(is_address)?.to_owned() })
    };
    let mailboxes: Option<Vec<Mailbox>> = addresses.iter().map(mailbox).collect();
    mailboxes.filter(|mailboxes| !mailboxes.is_empty()).ok_or(HeaderError::NotAnAddress)
}

impl fmt::Display for HeaderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Control => "a header field holds no line breaks and no other controls",
            Self::NotAnAddress => {
                "an address is written `name@example.org` or `Name <name@example.org>`, in ASCII but for the name"
            }
            Self::NotADate => "a date is written as in RFC 5322 or RFC 3339: 2026-11-21T10:00:00Z",
            Self::NotAnId => "a message id is written `name@example.org`",
        })
    }
}

impl error::Error for HeaderError {}
