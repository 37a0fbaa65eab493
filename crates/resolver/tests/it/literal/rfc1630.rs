//! RFC 1630, "Partial (relative) form": the copy in `specs`, with its list of rules as the README there gives it.

use super::decisions;

/// "A partial form can be distinguished from an absolute form in that the latter must have a colon and that colon must
/// occur before any reserved characters." The copy names neither those characters nor those of a scheme; here a scheme
/// has the characters of all later standards.
pub(super) fn is_absolute(reference: &str) -> bool {
    let end = reference.find(|character: char| !character.is_ascii_alphanumeric() && !"+.-".contains(character));
    end.is_some_and(|end| end > 0 && reference[end..].starts_with(':'))
}

pub(super) fn target(base: &str, reference: &str) -> Option<String> {
    if reference.is_empty() || reference.starts_with('#') {
        return Some(decisions::fragment_of_current_document(base, reference));
    }
    if !decisions::has_hierarchy(base) {
        return None;
    }
    // Slashes count in paths only: a query or fragment may hold some as data.
    let context = up_to_query(base);
    let partial = up_to_query(reference);
    let rest = &reference[partial.len()..];
    let slashes = leading_slashes(partial);
    let whole =
        if slashes > 0 { from_the_same_slashes(context, partial, slashes)? } else { in_place(context, partial) };
    Some(whole + rest)
}

/// "If the partial URI starts with a non-zero number of consecutive slashes, everything of the context URI up to (not
/// including) the first occurrence of exactly that many consecutive slashes which has no greater number of
/// consecutive slashes anywhere to its right is prepended."
fn from_the_same_slashes(context: &str, partial: &str, slashes: usize) -> Option<String> {
    let mut at = 0;
    while at < context.len() {
        let run = leading_slashes(&context[at..]);
        if run == slashes && !context[at + run..].contains(&"/".repeat(slashes + 1)) {
            return Some(format!("{}{partial}", &context[..at]));
        }
        at += run.max(context[at..].chars().next().map_or(1, char::len_utf8));
    }
    None
}

/// "Otherwise the last part of the context path (after the rightmost slash) is removed, the partial URI appended, and
/// all "xxx/../" and "/." removed recursively, where xxx, ".." and "." are complete path elements."
fn in_place(context: &str, partial: &str) -> String {
    let start = start_of_path(context);
    let (before, path) = context.split_at(start);
    // A base without a path has the path "/": the decision of all standards.
    let path = if path.is_empty() { "/" } else { path };
    let kept = path.rfind('/').map_or("", |slash| &path[..=slash]);
    format!("{before}{}", without_dots(format!("{kept}{partial}")))
}

/// Returns where the path begins. The host is no element of it, because `../../../g` would remove the host.
fn start_of_path(context: &str) -> usize {
    let colon = context.find(':').map_or(0, |colon| colon + 1);
    match context[colon..].strip_prefix("//") {
        Some(rest) => rest.find('/').map_or(context.len(), |slash| colon + 2 + slash),
        None => colon,
    }
}

/// "Recursively" gives no order, and the result for `../.` depends on it: here the leftmost match is removed first.
fn without_dots(mut path: String) -> String {
    while let Some((from, to)) = [dot(&path), element_and_parent(&path)].into_iter().flatten().min() {
        path.replace_range(from..to, "");
    }
    path
}

/// Finds the leftmost "/." that is a complete element, with the slash in front of it.
fn dot(path: &str) -> Option<(usize, usize)> {
    let ends_behind = |at: &usize| matches!(path[at + 2..].chars().next(), None | Some('/'));
    path.match_indices("/.").map(|(at, _)| at).find(ends_behind).map(|at| (at, at + 2))
}

/// Finds the leftmost "xxx/../". Two rules are not in the text: xxx is not "..", or `../../` would remove itself; and
/// it is not empty, because it stands for a name.
fn element_and_parent(path: &str) -> Option<(usize, usize)> {
    path.match_indices("/../").find_map(|(slash, _)| {
        let from = path[..slash].rfind('/')? + 1;
        (!["", ".."].contains(&&path[from..slash])).then_some((from, slash + 4))
    })
}

fn up_to_query(text: &str) -> &str {
    text.split(['?', '#']).next().unwrap_or_default()
}

fn leading_slashes(text: &str) -> usize {
    text.len() - text.trim_start_matches('/').len()
}
