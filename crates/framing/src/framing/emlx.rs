//! Framing of a message by Apple Mail (`.emlx`): the number of its bytes stands before it, and a property list follows it.

use std::ops::Range;

/// Returns the range of the message in the content of a file: all of it, unless the first line is a number. Then so many bytes follow, and
/// the property list. If that does not follow, the number is an error.
///
/// ```
/// use absolve_framing::counted_message;
/// assert_eq!(counted_message(b"6   \nTo: x\n<plist>"), Ok(5..11));
/// assert_eq!(counted_message(b"To: x\n"), Ok(0..6));
/// assert_eq!(counted_message(b"7\nTo: x\n<plist>"), Err(&b"7"[..]));
/// ```
///
/// # Errors
///
/// The digits of a number that is wrong.
pub fn counted_message(content: &[u8]) -> Result<Range<usize>, &[u8]> {
    /// Maximum bytes of a line with a number.
    const LINE: usize = 64;
    let whole = 0..content.len();
    let Some(line_end) = memchr::memchr(b'\n', &content[..content.len().min(LINE)]) else { return Ok(whole) };
    let digits = content[..line_end].trim_ascii_end();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Ok(whole);
    }
    let start = line_end + 1;
    let count: Option<usize> = str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
    let end = count.and_then(|count| start.checked_add(count));
    let after = end.and_then(|end| Some((end, content.get(end..)?)));
    after.filter(|(_, after)| is_property_list(after)).map(|(end, _)| start..end).ok_or(digits)
}

/// Returns whether a property list begins here, or nothing but space follows.
fn is_property_list(bytes: &[u8]) -> bool {
    const STARTS: [&[u8]; 4] = [b"<?xml", b"<!DOCTYPE plist", b"<plist", b"bplist"];
    let list = bytes.trim_ascii_start();
    list.is_empty() || STARTS.iter().any(|start| list.starts_with(start))
}
