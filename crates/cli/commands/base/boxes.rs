//! A base as the nested boxes of the drafts.

use absolve_base::{Base, Declared, Layer, Verdict};
use absolve_files::shown;

use crate::wording::place;

const INDENT: &str = "  ";

/// The boxes of the drafts, from the inside out.
const BOXES: [&str; 3] =
    ["embedded in the document", "headers of the entity, from the inside out", "URL the entity was retrieved from"];

/// Draws the layers as boxes, the innermost one in the middle, each with its declarations; the winner is marked. In fewer columns than
/// the boxes need, the layers are a list.
pub(crate) fn boxes(name: &str, base: &Base, columns: usize) -> String {
    let result = match &base.url {
        Some(url) => format!("base: {} ({})", shown(url.as_str()), base.layer),
        None => "base: none; every reference is taken as absolute".to_owned(),
    };
    let all: Vec<_> = BOXES.iter().enumerate().map(|(index, title)| lines(index + 1, title, base)).collect();
    let mut inner = all.iter().fold(Vec::new(), |inner, lines| boxed(&inner, lines));
    if inner.first().is_some_and(|line| line.len() + INDENT.len() > columns) {
        inner = all.concat();
    }
    let none = if base.layer == Layer::None {
        "=> (4) no base: it won because nothing else declares one"
    } else {
        "   (4) no base"
    };
    inner.push(none.to_owned());
    let indented: String = inner.iter().map(|line| format!("{INDENT}{line}\n")).collect();
    format!("{}\n{indented}{result}\n", shown(name))
}

/// Returns the title of a box, and what its layers declare.
fn lines(number: usize, title: &str, base: &Base) -> Vec<String> {
    let is_here = |declared: &&Declared| declared.declaration.layer.number_of_box() == number;
    let declared: Vec<_> = base.declared.iter().filter(is_here).collect();
    let mut lines = vec![format!("   ({number}) {title}")];
    if declared.is_empty() {
        lines.push("       nothing declared".to_owned());
    }
    let of_all = declared.iter().flat_map(|declared| declaration_lines(declared));
    lines.extend(of_all.map(|line| shown(&line).into_owned()));
    lines
}

fn declaration_lines(declared: &Declared) -> Vec<String> {
    let declaration = &declared.declaration;
    let mark = if declared.verdict == Verdict::Used { "=>" } else { "  " };
    let mut lines =
        vec![format!("{mark}     {} at {}: {}", declaration.layer, place(&declaration.place), declaration.value)];
    if let Some(url) = declared.url.as_ref().filter(|url| **url != declaration.value) {
        lines.push(format!("           = {url}"));
    }
    match declared.verdict {
        Verdict::Used => {}
        Verdict::OfSome(_) | Verdict::BeforeBase => lines.push(format!("           {}", declared.verdict.why())),
        unused => lines.push(format!("           not used: {}", unused.why())),
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

#[cfg(test)]
mod tests {
    use absolve_base::{Declaration, Layer, Rules, UrlSource, establish};

    use super::boxes;

    /// The sides of boxes would run into the next line.
    #[test]
    fn a_narrow_terminal_gets_no_boxes() {
        let declared = Declaration::new(Layer::Retrieval, "http://h/", UrlSource::Url);
        let base = establish(vec![declared], Rules::default());
        let (wide, narrow) = (boxes("a.html", &base, 80), boxes("a.html", &base, 40));
        assert!(wide.contains("|=>     retrieval at --url: http://h/") && wide.contains("`--"), "{wide}");
        assert!(narrow.contains("\n  =>     retrieval at --url: http://h/\n") && !narrow.contains('|'), "{narrow}");
    }
}
