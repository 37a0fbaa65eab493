//! Expressions in the templates of mail that no mark closes.

use super::end_of;

/// Returns the expression that a reference in a template of mail begins with: `$!{x}`, `$x.y` and `$!x` of Velocity, `@Model.Url`, `@item.Url`
/// and `@(x)` of Razor, `@{/x}` of Thymeleaf, `<#if x>` and `<@x>` of FreeMarker, `!*x*!`. Names end before any other byte.
pub(super) fn expression(reference: &str) -> Option<&str> {
    const MARKS: [(&str, &str); 6] = [("$!{", "}"), ("@{", "}"), ("@(", ")"), ("<#", ">"), ("<@", ">"), ("!*", "*!")];
    if let Some(marks) = MARKS.into_iter().find(|(open, _)| reference.starts_with(open)) {
        return Some(&reference[..end_of(reference, marks).unwrap_or(reference.len())]);
    }
    let rest = reference.strip_prefix("$!").or_else(|| reference.strip_prefix(['$', '@']))?;
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    let is_name = match reference.as_bytes()[0] {
        // `@ann` and `@ann.html` are pages.
        b'@' => rest[..length].split_once('.').is_some_and(|(object, member)| {
            let begins = |name: &str, is: fn(&u8) -> bool| name.as_bytes().first().is_some_and(is);
            begins(object, u8::is_ascii_uppercase)
                || (begins(object, u8::is_ascii_lowercase) && begins(member, u8::is_ascii_uppercase))
        }),
        _ => rest.starts_with(|first: char| first.is_ascii_alphabetic()),
    };
    is_name.then(|| &reference[..reference.len() - rest.len() + length])
}
