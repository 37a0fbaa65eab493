//! Placeholders of mail and template systems.

/// Whether `reference` begins with a placeholder, which its own system will replace: `{{x}}`, `{% %}`,
/// `<% %>`, `<?php ?>`, `*|X|*`, `%%x%%`, `${x}`, `$(x)`, `@@x@@`.
pub(crate) fn begins_with_placeholder(reference: &str) -> bool {
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
    let Some(b'{' | b'<' | b'*' | b'%' | b'$' | b'@') = reference.as_bytes().first() else { return false };
    MARKS.iter().any(|(open, close)| reference.strip_prefix(open).is_some_and(|rest| rest.contains(close)))
}

#[cfg(test)]
mod tests {
    use super::begins_with_placeholder;

    #[test]
    fn placeholders() {
        for reference in ["{{x}}", "{% url 'a' %}/b", "<%= x %>", "*|UNSUB|*", "%%link%%", "${x}/y", "<?php x ?>"] {
            assert!(begins_with_placeholder(reference), "{reference}");
        }
        for reference in ["x{{y}}", "{x}", "%20", "$x", "*", "%%", "{{x", "@x", ""] {
            assert!(!begins_with_placeholder(reference), "{reference}");
        }
    }
}
