//! Placeholders of mail and template systems.

use std::ops::Range;

use crate::options::Options;

/// The opening and closing marks of placeholders.
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

/// Returns whether `reference` begins with a placeholder: `{{x}}`, `{% %}`, `<% %>`, `<?php ?>`, `*|X|*`, `%%x%%`,
/// `${x}`, `$(x)`, `@@x@@`.
///
/// The opening mark is enough: another grammar may have cut the value before the closing one.
///
/// ```
/// assert!(absolve_rewriter::begins_with_placeholder("{{unsubscribe}}"));
/// assert!(!absolve_rewriter::begins_with_placeholder("img/{{hero}}.png"));
/// ```
pub fn begins_with_placeholder(reference: &str) -> bool {
    opening(reference).is_some()
}

/// Returns whether `reference` contains a placeholder.
///
/// ```
/// assert!(absolve_rewriter::holds_placeholder("img/{{hero}}.png"));
/// assert!(!absolve_rewriter::holds_placeholder("img/{hero}.png"));
/// ```
pub fn holds_placeholder(reference: &str) -> bool {
    placeholders(reference).next().is_some()
}

/// Returns the placeholders in a text, in their order.
pub(crate) fn placeholders(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    // Marks without a closing one later: a repeated search would be slow.
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

/// Returns the index of the mark that `text` begins with.
#[inline]
fn opening(text: &str) -> Option<usize> {
    match text.as_bytes().first() {
        Some(b'{' | b'<' | b'*' | b'%' | b'$' | b'@') => MARKS.iter().position(|(open, _)| text.starts_with(open)),
        _ => None,
    }
}

/// Returns whether a reference is kept as a placeholder, built-in or by option.
pub(crate) fn is_kept(reference: &str, options: &Options) -> bool {
    begins_with_placeholder(reference) || (!options.keep.is_empty() && options.keep.is_match(reference))
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
