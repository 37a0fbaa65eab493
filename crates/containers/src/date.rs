//! Dates of snapshots.

use std::time::{Duration, UNIX_EPOCH};

const LEAST: &str = "00000101000000";

/// Returns a date of 4 to 14 digits as a `WARC-Date`; what they leave out is the least.
///
/// ```
/// assert_eq!(absolve_containers::date_of_digits("202403"), "2024-03-01T00:00:00Z");
/// ```
pub fn date_of_digits(digits: &str) -> String {
    let digits = &digits[..digits.len() / 2 * 2];
    let all = format!("{digits}{}", &LEAST[digits.len()..]);
    let part = |range| &all[range];
    let day = format!("{}-{}-{}", part(0..4), part(4..6), part(6..8));
    format!("{day}T{}:{}:{}Z", part(8..10), part(10..12), part(12..14))
}

/// Returns the milliseconds since 1970 of a date, as a `WARC-Date` or with 14 digits or fewer; what it leaves out is the least. `None` if it is
/// no date.
///
/// ```
/// use absolve_containers::milliseconds;
/// assert_eq!(milliseconds("2024-03-01T00:00:00Z"), milliseconds("202403"));
/// assert_eq!(milliseconds("1970-01-01T00:00:02.54Z"), Some(2_540));
/// assert!(["yesterday", "-2024-03-01", "2024-03-01Zulu", "2024-13"].map(milliseconds) == [None; 4]);
/// ```
pub fn milliseconds(date: &str) -> Option<i64> {
    // A fraction of a second, and the time zone, which is always the same one.
    let end = date.find(['.', 'Z']).unwrap_or(date.len());
    let (seconds, rest) = date.split_at(end);
    let fraction = rest.strip_suffix('Z').unwrap_or(rest);
    let fraction = if fraction.is_empty() { "" } else { fraction.strip_prefix('.')? };
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: u32 = format!("{fraction:0<3}")[..3].parse().ok()?;
    // Of the digits and separators of a date, as many as there are.
    const FORM: &str = "dddd-dd-ddTdd:dd:dd";
    let is_alike = |(byte, of_form): (u8, u8)| match of_form {
        b'd' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b' '),
        separator => byte == separator,
    };
    let is_plain = seconds.len() <= LEAST.len() && seconds.bytes().all(|byte| byte.is_ascii_digit());
    let is_formed = seconds.len() <= FORM.len() && seconds.bytes().zip(FORM.bytes()).all(is_alike);
    if !is_plain && !is_formed {
        return None;
    }
    let digits: String = seconds.chars().filter(char::is_ascii_digit).take(LEAST.len()).collect();
    if digits.len() < 4 || digits.len() % 2 == 1 {
        return None;
    }
    let time = date_of_digits(&digits);
    let time = humantime::parse_rfc3339(&time).ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(time.as_secs()).ok()?.checked_mul(1000)?.checked_add(i64::from(thousandths))
}

/// Returns the seconds since 1970 of a date, as [`milliseconds`] does.
pub fn seconds(date: &str) -> Option<i64> {
    milliseconds(date).map(|milliseconds| milliseconds.div_euclid(1000))
}

/// Returns a date as seconds since 1970, in the form of a `WARC-Date` (RFC 3339).
///
/// ```
/// assert_eq!(absolve_containers::date_text(0), "1970-01-01T00:00:00Z");
/// ```
pub fn date_text(seconds: i64) -> String {
    let since = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}
