//! Character references without a semicolon directly before a reference: `style="background:url(&quot/a.png&quot)"`.

use encoding_rs::Encoding;

use super::decoded::Decoded;
use super::wrapping::Wrapping;
use super::wrappings::Wrappings;

/// Bytes before a reference that are decoded: more than the longest character reference, in several wrappings.
const BEFORE: usize = 256;

/// Returns whether the bytes before a reference may be a character reference that a letter or a digit would continue.
#[inline]
pub(crate) fn may_continue(before: &[u8]) -> bool {
    before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b';' | 0))
}

/// Returns what has to stand between `before` and `new`, which takes the place of `old`, so that `before` is decoded as it was: nothing, or a
/// semicolon in the wrapping that needs it. All texts are those of the document.
#[cold]
pub(crate) fn delimiter(
    before: &[u8],
    old: &[u8],
    new: &[u8],
    wrappings: Wrappings,
    encoding: &'static Encoding,
) -> String {
    // A unit of UTF-16 has an even place, whatever is before.
    let before = &before[before.len().saturating_sub(BEFORE)..];
    let mut texts = [before, old, new].map(|bytes| Decoded::from_charset(bytes, encoding).text);
    let mut layers: Vec<(Wrapping, [String; 3])> = Vec::new();
    for wrapping in wrappings.iter() {
        let [before, old, new] = &texts;
        let [old_text, new_text] = [old, new].map(|text| Decoded::unwrap(text, wrapping).text);
        let whole = Decoded::unwrap(&[&**before, old].concat(), wrapping).text;
        let Some(inner) = whole.strip_suffix(&old_text).map(str::to_owned) else { break };
        layers.push((wrapping, [before.clone(), new.clone(), inner.clone()]));
        texts = [inner, old_text, new_text];
    }
    let mut delimiter = String::new();
    for (wrapping, [before, new, inner]) in layers.iter().rev() {
        if !delimiter.is_empty() {
            delimiter = wrapping.escape(&delimiter);
        }
        let is_kept = |delimiter: &str| {
            let text = [&**before, delimiter, new].concat();
            Decoded::unwrap(&text, *wrapping).text == [&**inner, &Decoded::unwrap(new, *wrapping).text].concat()
        };
        if delimiter.is_empty() && !is_kept("") && is_kept(";") {
            delimiter.push(';');
        }
    }
    delimiter
}
