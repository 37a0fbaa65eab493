//! The content of a part: encoded so that no byte is lost.

use std::borrow::Cow;

use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::raw::Raw;
use mail_builder::mime::{BodyPart, MimePart};

use crate::message::separators::without_separators;

/// How the line ends of a body are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnds {
    /// They become those of mail.
    OfMail,
    /// They are kept.
    Exact,
}

/// Returns a part of this type. A text is encoded as 7bit, quoted-printable or base64, whichever is shorter and
/// lossless, without lines that an mbox would quote; everything else as base64.
pub(crate) fn part<'m>(media_type: &str, charset: Option<&str>, bytes: &'m [u8], line_ends: LineEnds) -> MimePart<'m> {
    if is_text(media_type) && comes_back(bytes, line_ends) {
        let bytes = match line_ends {
            LineEnds::OfMail => with_line_ends_of_mail(bytes),
            LineEnds::Exact => bytes.into(),
        };
        let content_type = ContentType::new(media_type.to_owned());
        let content_type = match charset {
            Some(charset) => content_type.attribute("charset", charset.to_ascii_lowercase()),
            None => content_type,
        };
        if let Some((encoding, encoded)) = without_separators(&bytes) {
            let mut part = MimePart::new("text/plain", BodyPart::Binary(encoded.into()));
            let encoding = Raw::new(encoding).into();
            part.headers =
                vec![("Content-Type".into(), content_type.into()), ("Content-Transfer-Encoding".into(), encoding)];
            return part;
        }
        // The library decides by the content which of these is a text.
        let body = match bytes {
            Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
                Ok(text) => BodyPart::Text(text.into()),
                Err(_) => BodyPart::Binary(bytes.into()),
            },
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => BodyPart::Text(text.into()),
                Err(error) => BodyPart::Binary(error.into_bytes().into()),
            },
        };
        let mut part = MimePart::new("text/plain", body);
        part.headers = vec![("Content-Type".into(), content_type.into())];
        return part;
    }
    let charset = charset.map(|charset| format!("; charset={}", charset.to_ascii_lowercase())).unwrap_or_default();
    let mut part = MimePart::new("application/octet-stream", bytes);
    // The library encodes as base64 what it does not recognise as text.
    part.headers = vec![("Content-Type".into(), Raw::new(format!("{media_type}{charset}")).into())];
    part
}

/// Returns a text with the line ends of mail, also for base64 (RFC 2045, section 6.8).
fn with_line_ends_of_mail(text: &[u8]) -> Cow<'_, [u8]> {
    let has_others = text.iter().position(|byte| *byte == b'\n').is_some_and(|end| end == 0 || text[end - 1] != b'\r');
    if !has_others {
        return text.into();
    }
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    lines.join(&b"\r\n"[..]).into()
}

fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/") || media_type.ends_with("+xml")
}

/// Returns whether a text survives quoted-printable, where each line end is that of mail.
fn comes_back(bytes: &[u8], line_ends: LineEnds) -> bool {
    let (mut with_return, mut alone) = (0, 0);
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            0 => return false,
            b'\r' if bytes.get(index + 1) != Some(&b'\n') => return false,
            b'\n' if index > 0 && bytes[index - 1] == b'\r' => with_return += 1,
            b'\n' => alone += 1,
            _ => {}
        }
    }
    alone == 0 || (line_ends == LineEnds::OfMail && with_return == 0)
}

#[cfg(test)]
mod tests {
    use mail_parser::{MessageParser, MimeHeaders};

    use super::{LineEnds, part};

    /// Returns the transfer encoding, and the decoded body.
    fn written(media_type: &str, bytes: &[u8], line_ends: LineEnds) -> Option<(String, Vec<u8>)> {
        let mut message = Vec::new();
        part(media_type, None, bytes, line_ends).write_part(&mut message);
        let parsed = MessageParser::new().parse(&message)?;
        let encoding = parsed.parts[0].content_transfer_encoding()?.to_owned();
        Some((encoding, parsed.parts[0].contents().to_vec()))
    }

    #[test]
    fn everything_comes_back() {
        use LineEnds::{Exact, OfMail};
        let korean = "안녕하세요\n세계";
        for (media_type, bytes, line_ends, encoding) in [
            ("text/html", &b"<p>\n<p>\n"[..], OfMail, "7bit"),
            ("text/html", b"\n<p>\n", OfMail, "7bit"),
            ("text/html", b"<p>\n<p>\r\n", OfMail, "base64"),
            ("text/html", b"<p>\r<p>", OfMail, "base64"),
            ("text/html", "<p>é, wenig ist anders\nin einem langen Satz".as_bytes(), OfMail, "quoted-printable"),
            ("text/html", korean.as_bytes(), OfMail, "base64"),
            ("text/html", b"<\0p\0>\0", OfMail, "base64"),
            ("application/xhtml+xml", b"<html>\n</html> \n", OfMail, "quoted-printable"),
            ("text/css", b"a{}\n", Exact, "base64"),
            ("text/css", b"a{}\r\n", Exact, "7bit"),
            ("text/css", b"a{}", Exact, "7bit"),
            ("text/css", b"a{} ", Exact, "quoted-printable"),
            ("image/svg+xml", b"<svg/>", Exact, "7bit"),
            ("image/png", b"png", Exact, "base64"),
            ("image/png", b"", Exact, "base64"),
        ] {
            let is_alike = !bytes.contains(&b'\r') && !bytes.contains(&0);
            let expected = match line_ends {
                OfMail if is_alike => String::from_utf8_lossy(bytes).replace('\n', "\r\n").into_bytes(),
                _ => bytes.to_vec(),
            };
            assert_eq!(
                written(media_type, bytes, line_ends),
                Some((encoding.to_owned(), expected)),
                "{media_type} {bytes:?}"
            );
        }
    }
}
