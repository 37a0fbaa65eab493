//! How URLs of parts of a message are compared.

use encoding_rs::WINDOWS_1252;
use url::Url;

/// The URL of a message that has none.
pub(crate) const MESSAGE: &str = "wss://message.invalid/";

/// Spells a URL as browsers do, with the percent-encoding of all characters but ASCII decoded: as UTF-8, or else as windows-1252.
pub(crate) fn part_key(url: &str) -> String {
    let is_own = url.split_once(':').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("thismessage"));
    let url = is_own.map_or(url.to_owned(), |(_, rest)| [MESSAGE, rest.trim_start_matches('/')].concat());
    let spelled = Url::parse(&url).map_or(url, |url| url.to_string());
    let (mut key, mut rest) = (String::new(), &*spelled);
    while let Some(escape) = rest.find('%') {
        key.push_str(&rest[..escape]);
        rest = &rest[escape..];
        let mut bytes = Vec::new();
        while let Some(byte) = high_byte(rest) {
            bytes.push(byte);
            rest = &rest[3..];
        }
        match String::from_utf8(bytes) {
            Ok(none) if none.is_empty() => {
                key.push('%');
                rest = &rest[1..];
            }
            Ok(text) => key.push_str(&text),
            Err(error) => key.push_str(&WINDOWS_1252.decode_without_bom_handling(error.as_bytes()).0),
        }
    }
    key.push_str(rest);
    key
}

/// Returns the byte that a text begins with in percent-encoding, if it is none of ASCII.
fn high_byte(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    u8::from_str_radix(digits, 16).ok().filter(|byte| *byte > 0x7F)
}

#[cfg(test)]
mod tests {
    use super::part_key;

    #[test]
    fn escapes_in_two_charsets() {
        for (one, other) in [
            ("http://h/B%FCro/gr%F6%DFe.png", "HTTP://h/./B%C3%BCro/größe.png"),
            ("thismessage:/a\\b", "wss://message.invalid/a/b"),
            ("http://h/%e4%", "http://h/%C3%A4%"),
            ("http://h/%C3%BC/%FC%zz", "http://h/ü/ü%zz"),
        ] {
            assert_eq!(part_key(one), part_key(other), "{one}");
        }
        assert_ne!(part_key("http://h/a%2Fb"), part_key("http://h/a/b"));
    }
}
