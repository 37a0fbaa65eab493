//! The partial form of RFC 1630.

use alloc::string::String;

use crate::base_url::{BaseUrl, Unresolvable};

/// Appends the target of `reference`, which has no scheme, to `out`.
///
/// `/g` follows the rule of RFC 1630, not its printed table (see the crate documentation). The path of the context ends
/// before its query and fragment. A reference that is empty before its `#` means the context itself.
pub(crate) fn resolve(base: &BaseUrl, reference: &str, out: &mut String) -> Result<(), Unresolvable> {
    let start = out.len();
    let context = base.without_query();
    let slashes = leading_slashes(reference);
    if reference.is_empty() || reference.starts_with('#') {
        out.push_str(base.without_fragment());
        out.push_str(reference);
        return Ok(());
    }
    if slashes > 0 {
        let prefix = prefix_before_slashes(context, slashes).ok_or(Unresolvable::NoSuchSlashes)?;
        out.push_str(prefix);
        out.push_str(reference);
        return Ok(());
    }
    let (path, rest) = reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
    match base.path().rfind('/') {
        Some(slash) => out.push_str(&context[..=base.path.start + slash]),
        None => {
            out.push_str(context);
            out.push('/');
        }
    }
    out.push_str(path);
    // Elements are removed only from the path, not from the authority.
    remove_elements(out, start + base.path.start);
    out.push_str(rest);
    Ok(())
}

/// Returns the context before the first run of exactly `count` slashes without a longer run to its right.
fn prefix_before_slashes(context: &str, count: usize) -> Option<&str> {
    let mut found = None;
    let mut at = 0;
    while let Some(offset) = context[at..].find('/') {
        let run = at + offset;
        let length = leading_slashes(&context[run..]);
        if length > count {
            found = None;
        } else if length == count && found.is_none() {
            found = Some(run);
        }
        at = run + length;
    }
    found.map(|run| &context[..run])
}

/// Removes all `xxx/../` and `/.` from `out[from..]`, where `xxx`, `..` and `.` are complete elements.
fn remove_elements(out: &mut String, from: usize) {
    let path = String::from(&out[from..]);
    out.truncate(from);
    let mut elements = path.split('/').peekable();
    let mut is_first = true;
    while let Some(element) = elements.next() {
        let is_last = elements.peek().is_none();
        if element == "." && !is_first {
            continue;
        }
        if element == ".." && !is_last && remove_last_element(out, from) {
            continue;
        }
        if !is_first {
            out.push('/');
        }
        out.push_str(element);
        is_first = false;
    }
}

/// Removes `/xxx` at the end, unless `xxx` is void or `..`.
fn remove_last_element(out: &mut String, from: usize) -> bool {
    let Some(slash) = out[from..].rfind('/') else { return false };
    let removable = !matches!(&out[from + slash + 1..], "" | "..");
    if removable {
        out.truncate(from + slash);
    }
    removable
}

fn leading_slashes(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'/').count()
}
