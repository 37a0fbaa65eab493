//! Lines like the separators of an mbox, which programs quote there, each in its way (RFC 4155).

use data_encoding::BASE64_MIME;
use encodify::qp::BODY;

/// The longest line of quoted-printable, without its end (RFC 2045, section 6.7).
const LINE: usize = 76;

/// Returns a text in which no line begins like a separator (RFC 2049, section 3), with its transfer encoding: quoted-printable
/// or base64, whichever is shorter. `None` if none begins so anyway.
pub(crate) fn without_separators(text: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    text.windows(SEPARATOR.len()).any(|bytes| bytes == SEPARATOR).then_some(())?;
    let quoted = BODY.encode(text).into_bytes();
    lines(&quoted).any(is_separator).then_some(())?;
    if quoted.len() >= BASE64_MIME.encode_len(text.len()) {
        return Some(("base64", BASE64_MIME.encode(text).into_bytes()));
    }
    let mut written = Vec::with_capacity(quoted.len());
    for mut line in lines(&quoted) {
        while is_separator(line) {
            written.extend(format!("={:02X}", line[0]).bytes());
            line = &line[1..];
            if line.trim_ascii_end().len() + "=46".len() <= LINE {
                break;
            }
            // Now the rest begins a line.
            written.extend(b"=\r\n");
        }
        written.extend(line);
    }
    Some(("quoted-printable", written))
}

const SEPARATOR: &[u8] = b"From ";

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n')
}

/// Returns whether a line begins like a separator, or like one that is quoted.
fn is_separator(line: &[u8]) -> bool {
    let quotes = line.iter().take_while(|byte| **byte == b'>').count();
    line[quotes..].starts_with(SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::without_separators;

    #[test]
    fn no_line_begins_like_a_separator() {
        let written = |text: &str| {
            let (encoding, bytes) = without_separators(text.as_bytes())?;
            Some((encoding, String::from_utf8(bytes).ok()?))
        };
        let long = "x".repeat(70);
        for (text, expected) in [
            ("To: a\r\nFrom: b\r\n a From b\r\nFrom", None),
            ("From a\r\n>From b=\r\n>>From ", Some("=46rom a\r\n=3EFrom b=3D\r\n>>From=20".to_owned())),
            (&format!("From {long}\r\n"), Some(format!("=46=\r\nrom {long}\r\n"))),
            (&format!(">From {}", &long[1..]), Some(format!("=3E=\r\n=46rom {}", &long[1..]))),
            (&format!("{long}12345From a"), Some(format!("{long}12345=\r\n=46rom a"))),
        ] {
            assert_eq!(written(text), expected.map(|text| ("quoted-printable", text)), "{text}");
        }
        assert_eq!(written(&format!("From {}", "=".repeat(90))).map(|(encoding, _)| encoding), Some("base64"));
    }
}
