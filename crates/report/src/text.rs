//! Text of others in the page.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use absolve_files::shown;
use maud::{Escaper, Markup, Render, html};

/// The longest text in bytes; what is longer is cut.
const LONGEST: usize = 600;

/// A text that was found, not written here: cut if it is long, with controls shown by their numbers, and escaped as HTML.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'t>(pub(crate) &'t str);

impl Render for Found<'_> {
    fn render_to(&self, buffer: &mut String) {
        let (text, end) = match self.0.len() {
            0..=LONGEST => (self.0, ""),
            _ => (&self.0[..self.0.floor_char_boundary(LONGEST)], "…"),
        };
        if is_plain(text) {
            buffer.push_str(text);
        } else {
            let _ = Escaper::new(buffer).write_str(&shown(text));
        }
        buffer.push_str(end);
    }
}

/// Returns whether a text needs no escape and holds no control: most do not.
fn is_plain(text: &str) -> bool {
    let is_other = |byte: u8| !matches!(byte, b' '..=b'~') | matches!(byte, b'<' | b'>' | b'&' | b'"');
    // All bytes are looked at, many at a time, which is faster than to stop at the first one.
    text.bytes().fold(0, |found, byte| found | u8::from(is_other(byte))) == 0
}

/// Returns a number with commas between thousands.
///
/// ```
/// assert_eq!(absolve_report::number(1_234_567), "1,234,567");
/// ```
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() <= 3 {
        return digits;
    }
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns a number with its noun.
///
/// ```
/// assert_eq!(absolve_report::count(2000, "document"), "2,000 documents");
/// ```
pub fn count(amount: u64, noun: &str) -> String {
    format!("{} {noun}{}", number(amount), if amount == 1 { "" } else { "s" })
}

/// Returns counts by their names, the largest first.
pub(crate) fn largest_first(counts: &BTreeMap<String, u64>) -> Vec<(&str, u64)> {
    let mut counts: Vec<(&str, u64)> = counts.iter().map(|(name, count)| (&**name, *count)).collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
}

/// Returns the heads of columns.
pub(crate) fn heads(names: &[&str]) -> Markup {
    html! { @for name in names { th scope="col" { (name) } } }
}

/// Returns a share in percent, rounded, but so that only all is 100 % and only nothing is 0 %.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let tenths = if whole == 0 { 0 } else { (u128::from(part) * 2000 + u128::from(whole)) / (u128::from(whole) * 2) };
    match (part, tenths) {
        (0, _) => "0 %".into(),
        (_, 0) => "<0.1 %".into(),
        _ if part == whole => "100 %".into(),
        (_, 1000..) => "99.9 %".into(),
        (_, tenths) => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_is_never_markup() {
        let render = |text: &str| Found(text).render().into_string();
        assert_eq!(render("<script>\"a\" & b"), "&lt;script&gt;&quot;a&quot; &amp; b");
        assert_eq!(render("a\0\u{1b}\n\u{202e}b\u{2028}é"), "a\\u{0}\\u{1b}\\n\\u{202e}b\\u{2028}é");
        for byte in 0..=127 {
            let character = char::from(byte);
            for text in [format!("{character}"), format!("{character}0123456789"), format!("0123456789{character}")] {
                let mut escaped = String::new();
                let _ = Escaper::new(&mut escaped).write_str(&shown(&text));
                assert_eq!(render(&text), escaped);
            }
        }
        assert_eq!(render(&"é".repeat(1000)).chars().count(), LONGEST / 2 + 1);
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(percent(999_999, 1_000_000), "99.9 %");
        assert_eq!([percent(2, 3), percent(1, 3), percent(1, 2000)], ["66.7 %", "33.3 %", "0.1 %"]);
        assert_eq!([percent(0, 0), percent(1, 100_000), percent(5, 5)], ["0 %", "<0.1 %", "100 %"]);
    }
}
