//! Placeholders of mail and template systems.

/// Whether `reference` begins with a placeholder, which its own system will replace: `{{x}}`, `{% %}`, `<% %>`,
/// `<?php ?>`, `*|X|*`, `%%x%%`, `${x}`, `$(x)`, `@@x@@`.
///
/// The opening mark tells: where the closing one stands, another grammar may have cut the value before it.
pub(crate) fn begins_with_placeholder(reference: &str) -> bool {
    const MARKS: [&str; 9] = ["{{", "{%", "<%", "<?", "*|", "%%", "${", "$(", "@@"];
    matches!(reference.as_bytes().first(), Some(b'{' | b'<' | b'*' | b'%' | b'$' | b'@'))
        && MARKS.iter().any(|mark| reference.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::begins_with_placeholder;

    #[test]
    fn placeholders() {
        for reference in ["{{x}}", "{{", "{% url 'a' %}/b", "<%= x %>", "*|UNSUB|*", "%%link%%", "${x}/y", "<?php x ?>"]
        {
            assert!(begins_with_placeholder(reference), "{reference}");
        }
        for reference in ["x{{y}}", "{x}", "%20", "$x", "*", "@x", ""] {
            assert!(!begins_with_placeholder(reference), "{reference}");
        }
    }
}
