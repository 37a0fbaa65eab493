//! References in the values of attributes and header fields.

use std::ops::Range;

/// Returns the URLs of a `srcset` (WHATWG HTML, section 4.8.4.3.10): each has no white space, loses commas at its end,
/// and is followed by descriptors.
pub(crate) fn srcset(value: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = find(value, at, |character| !is_space(character) && character != ',') {
        let end = find(value, start, is_space).unwrap_or(value.len());
        let url = value[start..end].trim_end_matches(',').len();
        found.push(start..start + url);
        at = if start + url == end { behind_descriptors(value, end) } else { end };
    }
    found
}

/// Returns the byte behind the first comma outside parentheses.
fn behind_descriptors(value: &str, from: usize) -> usize {
    let mut is_inside = false;
    let comma = value[from..].find(|character| {
        is_inside = character == '(' || (is_inside && character != ')');
        character == ',' && !is_inside
    });
    comma.map_or(value.len(), |comma| from + comma + 1)
}

/// Returns the items of a list separated by white space.
pub(crate) fn space_list(value: &str) -> Vec<Range<usize>> {
    let words = value.split(is_space).map(|word| within(value, word));
    words.filter(|word| !word.is_empty()).collect()
}

/// Returns the items of a list with this separator, without white space around them.
pub(crate) fn list(value: &str, separator: char) -> Vec<Range<usize>> {
    let items = value.split(separator).filter(|item| !item.is_empty());
    items.map(|item| within(value, item.trim_matches(is_space))).collect()
}

/// Returns the whole value without white space around it, unless it is a CURIE in brackets.
pub(crate) fn url_or_curie(value: &str) -> Vec<Range<usize>> {
    let url = value.trim_matches(is_space);
    if url.starts_with('[') { Vec::new() } else { vec![within(value, url)] }
}

/// Returns the URLs of the tasks, badges and notifications of pinned sites.
pub(crate) fn key_values(value: &str) -> Vec<Range<usize>> {
    let url = |pair: &str| {
        let (key, url) = pair.split_once('=')?;
        let key = key.trim().trim_end_matches(|digit: char| digit.is_ascii_digit()).to_ascii_lowercase();
        let url = url.trim_matches(is_space);
        let is_url = matches!(&*key, "action-uri" | "icon-uri" | "polling-uri") && !url.is_empty();
        is_url.then(|| within(value, url))
    };
    value.split(';').filter_map(url).collect()
}

/// Returns the references of plain text: between `<URL:` and `>`.
pub(crate) fn marked(text: &str) -> Vec<Range<usize>> {
    let marked = text.split('<').skip(1).filter_map(|stretch| {
        let url = behind_url_mark(stretch)?.split_once('>')?.0.trim_matches(is_space);
        (!url.is_empty()).then(|| within(text, url))
    });
    marked.collect()
}

/// Returns the text behind the prefix `URL:`; `None` if `text` does not begin with that.
pub(crate) fn behind_url_mark(text: &str) -> Option<&str> {
    let (mark, url) = text.split_at_checked(4)?;
    mark.eq_ignore_ascii_case("url:").then_some(url)
}

/// Unfolds a header field: removes line breaks, and the white space behind them. Comments and encoded words stay apart.
pub(crate) fn unfolded(value: &str) -> String {
    let mut lines = value.lines();
    let mut line = lines.next().unwrap_or_default().to_owned();
    for more in lines.map(str::trim_start) {
        let stays_apart = more.starts_with('(') || (more.starts_with("=?") && line.ends_with("?="));
        line.push_str(if stays_apart { " " } else { "" });
        line.push_str(more);
    }
    line
}

/// Reports whether a character is ASCII whitespace of HTML.
pub(crate) const fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// Returns the range of `part`, a slice of `whole`, in it.
pub(crate) fn within(whole: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - whole.as_ptr() as usize;
    start..start + part.len()
}

/// Returns a range of a text without the white space at its ends.
pub(crate) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    within(text, text[range].trim_matches(is_space))
}

fn find(value: &str, from: usize, is_wanted: impl Fn(char) -> bool) -> Option<usize> {
    value[from..].find(is_wanted).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    fn read(found: fn(&str) -> Vec<Range<usize>>, value: &str) -> Vec<&str> {
        found(value).into_iter().map(|range| &value[range]).collect()
    }

    #[test]
    fn references_in_values() {
        assert_eq!(read(super::srcset, " ,a,b 1x (c, d), e,, f"), ["a,b", "e", "f"]);
        assert_eq!(read(super::space_list, " a  b\n"), ["a", "b"]);
        assert_eq!(read(|value| super::list(value, ','), "a , b,,"), ["a", "b"]);
        assert_eq!(read(super::key_values, "name=A; action-uri=/x ;icon-uri2=y"), ["/x", "y"]);
        assert_eq!(read(super::marked, "<URL: a\n b> <b> <url:c> <URL:d"), ["a\n b", "c"]);
    }
}
