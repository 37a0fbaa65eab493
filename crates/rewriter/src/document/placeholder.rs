//! Placeholders of mail and template systems.

use std::ops::Range;

use crate::options::Options;

/// How placeholders open and close, each of which its own system will replace.
const MARKS: [(&str, &str); 9] = [
    ("{{", "}}"),
    ("{%", "%}"),
    ("<%", "%>"),
    ("<?", "?>"),
    ("*|", "|*"),
    ("%%", "%%"),
    ("${", "}"),
    ("$(", ")"),
    ("@@", "@@"),
];

/// Whether `reference` begins with a placeholder: `{{x}}`, `{% %}`, `<% %>`, `<?php ?>`, `*|X|*`, `%%x%%`, `${x}`,
/// `$(x)`, `@@x@@`.
///
/// The opening mark tells: where the closing one stands, another grammar may have cut the value before it.
///
/// ```
/// assert!(absolve_rewriter::begins_with_placeholder("{{unsubscribe}}"));
/// assert!(!absolve_rewriter::begins_with_placeholder("img/{{hero}}.png"));
/// ```
pub fn begins_with_placeholder(reference: &str) -> bool {
    opening(reference).is_some()
}

/// Whether a placeholder stands anywhere in `reference`.
///
/// ```
/// assert!(absolve_rewriter::holds_placeholder("img/{{hero}}.png"));
/// assert!(!absolve_rewriter::holds_placeholder("img/{hero}.png"));
/// ```
pub fn holds_placeholder(reference: &str) -> bool {
    placeholders(reference).next().is_some()
}

/// The placeholders in a text, in their order.
pub(crate) fn placeholders(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    // Marks behind which nothing closes; to look for that again and again would take long.
    let mut never_closed = [false; MARKS.len()];
    std::iter::from_fn(move || {
        while at < text.len() {
            let start = at + text[at..].find(['{', '<', '*', '%', '$', '@'])?;
            at = start + 1;
            let Some(mark) = opening(&text[start..]).filter(|mark| !never_closed[*mark]) else { continue };
            let (open, close) = MARKS[mark];
            match text[start + open.len()..].find(close) {
                Some(length) => {
                    at = start + open.len() + length + close.len();
                    return Some(start..at);
                }
                None => never_closed[mark] = true,
            }
        }
        None
    })
}

/// The mark that `text` begins with.
#[inline]
fn opening(text: &str) -> Option<usize> {
    match text.as_bytes().first() {
        Some(b'{' | b'<' | b'*' | b'%' | b'$' | b'@') => MARKS.iter().position(|(open, _)| text.starts_with(open)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{begins_with_placeholder, placeholders};

    #[test]
    fn at_the_start() {
        for reference in ["{{x}}", "{{", "{% url 'a' %}/b", "<%= x %>", "*|UNSUB|*", "%%link%%", "${x}/y", "<?php x ?>"]
        {
            assert!(begins_with_placeholder(reference), "{reference}");
        }
        for reference in ["x{{y}}", "{x}", "%20", "$x", "*", "@x", ""] {
            assert!(!begins_with_placeholder(reference), "{reference}");
        }
    }

    #[test]
    fn anywhere() {
        let found = |text: &'static str| placeholders(text).map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(found("a{{ b }}c*|D|*e%%f%%"), ["{{ b }}", "*|D|*", "%%f%%"]);
        assert_eq!(found("%20{x}{{ y"), [""; 0]);
    }
}

/// Whether a reference is kept because it is a placeholder, known or named by the user.
pub(crate) fn is_kept(reference: &str, options: &Options) -> bool {
    begins_with_placeholder(reference) || (!options.keep.is_empty() && options.keep.is_match(reference))
}
