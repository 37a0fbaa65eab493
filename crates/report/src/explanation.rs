//! What a finding or a rule of `verify` means, as the documentation has it.

use std::collections::HashMap;
use std::sync::OnceLock;

/// The one source of both: the pages of the documentation.
const FINDINGS: &str = include_str!("findings.md");
const RULES: &str = include_str!("verify.md");

/// What a code means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// What it is, in one sentence.
    pub sentence: Vec<Span>,
    /// What was done, and what to do.
    pub more: Vec<Span>,
}

/// A stretch of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Words.
    Text(String),
    /// Something to type, or a name.
    Code(String),
}

/// Returns what a finding or a rule means, if it is documented.
///
/// ```
/// let explained = absolve_report::explanation("no-base").ok_or("undocumented")?;
/// assert!(format!("{:?}", explained.sentence).contains("There are relative references, but no base."));
/// assert!(absolve_report::explanation("bytes").is_some() && absolve_report::explanation("x").is_none());
/// # Ok::<(), &str>(())
/// ```
pub fn explanation(code: &str) -> Option<&'static Explanation> {
    static ALL: OnceLock<HashMap<&str, Explanation>> = OnceLock::new();
    ALL.get_or_init(|| findings().chain(rules()).collect()).get(code)
}

/// Returns the sections of the page of findings: a heading `` ### `code` ``, and paragraphs.
fn findings() -> impl Iterator<Item = (&'static str, Explanation)> {
    FINDINGS.split("\n### `").skip(1).filter_map(|section| {
        let (code, text) = section.split_once("`\n")?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (sentence, more) = text.split_once(". ").map_or((&*text, ""), |(first, more)| (first, more));
        let end = if sentence.ends_with('.') { "" } else { "." };
        Some((code, Explanation { sentence: words_and_code(&format!("{sentence}{end}")), more: words_and_code(more) }))
    })
}

/// Returns the rows of the table of rules: `` | `rule` | what has to hold | ``.
fn rules() -> impl Iterator<Item = (&'static str, Explanation)> {
    RULES.lines().filter_map(|line| {
        let (rule, text) = line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | ")?;
        Some((rule, Explanation { sentence: words_and_code(&format!("Does not hold: {text}.")), more: Vec::new() }))
    })
}

/// Splits Markdown into words and code; a link becomes its text.
pub(crate) fn words_and_code(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        match index % 2 {
            _ if piece.is_empty() => {}
            0 => spans.push(Span::Text(without_links(piece))),
            _ => spans.push(Span::Code(piece.to_owned())),
        }
    }
    spans
}

fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        match after.split_once("](").and_then(|(words, after)| Some((words, after.split_once(')')?.1))) {
            Some((words, after)) => {
                plain.push_str(words);
                rest = after;
            }
            None => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_words() {
        let text = |text: &str| Span::Text(text.to_owned());
        assert_eq!(
            words_and_code("see [the page](a.md#b) and `x [y]` [z"),
            [text("see the page and "), Span::Code("x [y]".to_owned()), text(" [z")]
        );
    }

    #[test]
    fn each_finding_and_rule_is_explained() {
        let findings: Vec<_> = findings().collect();
        assert_eq!(findings.len(), FINDINGS.matches("\n### ").count());
        for (code, Explanation { sentence, .. }) in findings {
            let length: usize = sentence.iter().map(|(Span::Text(text) | Span::Code(text))| text.len()).sum();
            assert!((20..600).contains(&length), "{code}: {sentence:?}");
        }
        for rule in ["bytes", "target", "relative", "kept", "links", "header", "unread"] {
            assert!(explanation(rule).is_some(), "{rule}");
        }
    }
}
