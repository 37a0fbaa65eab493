//! The names of content transfer encodings (RFC 2045, section 6).

use crate::comments::without_comments;

/// A content transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// `7bit`, `8bit`, or none declared: plain bytes in lines of limited length.
    Lines,
    /// Plain bytes.
    Binary,
    /// `quoted-printable`.
    QuotedPrintable,
    /// `base64`.
    Base64,
}

impl Transfer {
    /// Returns the encoding of this name; `None` if it is unknown.
    ///
    /// ```
    /// use absolve_framing::Transfer;
    /// assert_eq!(["", "8bits", "uuencode"].map(Transfer::named), [Some(Transfer::Lines), Some(Transfer::Lines), None]);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "" | "7bit" | "8bit" | "7bits" | "8bits" => Some(Self::Lines),
            "binary" => Some(Self::Binary),
            "quoted-printable" => Some(Self::QuotedPrintable),
            "base64" => Some(Self::Base64),
            _ => None,
        }
    }

    /// Returns the name in a value of `Content-Transfer-Encoding`, in lower case. Comments and parameters are not part of it.
    ///
    /// ```
    /// assert_eq!(absolve_framing::Transfer::name_in(b" (of the body) \"BASE64\"; x=y"), "base64");
    /// ```
    #[must_use]
    pub fn name_in(value: &[u8]) -> String {
        let words = without_comments(value);
        let name = words.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        String::from_utf8_lossy(name).trim_matches('"').to_ascii_lowercase()
    }
}
