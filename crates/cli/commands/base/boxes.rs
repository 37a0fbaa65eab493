//! A base as the nested boxes of the drafts.

use absolve_base::{Base, Declared, Layer, Verdict};
use absolve_files::shown;

/// Draws the layers as boxes, the innermost one in the middle, each with its declarations; the winner is marked.
pub(crate) fn boxes(name: &str, base: &Base) -> String {
    let result = match &base.url {
        Some(url) => format!("base: {} ({})", shown(url.as_str()), base.layer),
        None => "base: none; every reference is taken as absolute".to_owned(),
    };
    let mut inner: Vec<String> = Vec::new();
    for rank in [Rank::Document, Rank::Headers, Rank::Retrieval] {
        inner = boxed(&inner, &rank.lines(base));
    }
    let none = if base.layer == Layer::None {
        "=> (4) no base: it won because nothing else declares one"
    } else {
        "   (4) no base"
    };
    inner.push(none.to_owned());
    let indented: String = inner.iter().map(|line| format!("  {line}\n")).collect();
    format!("{}\n{indented}{result}\n", shown(name))
}

/// The boxes of the drafts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    Document,
    Headers,
    Retrieval,
}

impl Rank {
    fn title(self) -> &'static str {
        match self {
            Self::Document => "(1) embedded in the document",
            Self::Headers => "(2) headers of the entity, from the inside out",
            Self::Retrieval => "(3) URL the entity was retrieved from",
        }
    }

    fn holds(self, layer: Layer) -> bool {
        match layer {
            Layer::Header { .. } => self == Self::Headers,
            Layer::Retrieval => self == Self::Retrieval,
            _ => self == Self::Document,
        }
    }

    fn lines(self, base: &Base) -> Vec<String> {
        let mut lines = vec![format!("   {}", self.title())];
        let declared: Vec<_> = base.declared.iter().filter(|declared| self.holds(declared.declaration.layer)).collect();
        if declared.is_empty() {
            lines.push("       nothing declared".to_owned());
        }
        let of_all = declared.iter().flat_map(|declared| declaration_lines(declared));
        lines.extend(of_all.map(|line| shown(&line).into_owned()));
        lines
    }
}

fn declaration_lines(declared: &Declared) -> Vec<String> {
    let declaration = &declared.declaration;
    let mark = if declared.verdict == Verdict::Used { "=>" } else { "  " };
    let mut lines = vec![format!("{mark}     {} at {}: {}", declaration.layer, declaration.place, declaration.value)];
    if let Some(url) = declared.url.as_ref().filter(|url| **url != declaration.value) {
        lines.push(format!("           = {url}"));
    }
    if declared.verdict != Verdict::Used {
        lines.push(format!("           not used: {}", declared.verdict.why()));
    }
    lines
}

/// Draws a box around `inner`, with `lines` below it.
fn boxed(inner: &[String], lines: &[String]) -> Vec<String> {
    let content: Vec<String> = inner.iter().map(|line| format!("  {line}  ")).chain(lines.iter().cloned()).collect();
    let width = content.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 1;
    let side = |line: &String| format!("|{line}{}|", " ".repeat(width - line.chars().count()));
    let mut boxed = vec![format!(".{}.", "-".repeat(width))];
    boxed.extend(content.iter().map(side));
    boxed.push(format!("`{}'", "-".repeat(width)));
    boxed
}
