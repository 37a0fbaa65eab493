//! The start of a page as Firefox writes it.

/// What Firefox writes in the line behind the tag of the head.
const META: &[u8] = b"<meta http-equiv=\"content-type\" content=\"text/html; charset=";

/// Returns whether a page begins exactly as Firefox writes one: a doctype if it has one, the tags of `html` and `head`, a line break and the
/// element with the charset. Comments of the author may stand in front of each tag.
pub(super) fn begins_as_by_firefox(page: &[u8]) -> bool {
    charset(page).is_some_and(|charset| !charset.is_empty() && charset.iter().all(|byte| is_of_charset(*byte)))
}

const fn is_of_charset(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn charset(page: &[u8]) -> Option<&[u8]> {
    let page = after_comments(page.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(page))?;
    let page = match page.strip_prefix(b"<!DOCTYPE ") {
        Some(doctype) => after_comments(&doctype[memchr::memchr(b'>', doctype)? + 1..])?,
        None => page,
    };
    let html = after_tag(page, b"<html")?;
    let head = after_tag(if html.starts_with(b"<!--") { after_comments(html)? } else { html }, b"<head")?;
    let line = head.strip_prefix(b"\r\n").or_else(|| head.strip_prefix(b"\n"))?;
    let charset = line.strip_prefix(META)?;
    let end = memchr::memchr(b'"', charset)?;
    charset[end + 1..].starts_with(b">").then(|| &charset[..end])
}

/// Returns what follows line breaks and comments.
fn after_comments(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        let Some(comment) = text.strip_prefix(b"<!--") else {
            let Some((b'\r' | b'\n', rest)) = text.split_first() else { return Some(text) };
            text = rest;
            continue;
        };
        text = &comment[memchr::memmem::find(comment, b"-->")? + 3..];
    }
}

/// Returns what follows this tag, with its attributes.
fn after_tag<'t>(text: &'t [u8], tag: &[u8]) -> Option<&'t [u8]> {
    let rest = text.strip_prefix(tag).filter(|rest| matches!(rest.first(), Some(b' ' | b'>')))?;
    let mut is_quoted = false;
    let end = rest.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        !is_quoted && *byte == b'>'
    })?;
    Some(&rest[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::begins_as_by_firefox;

    const META: &str = "<meta http-equiv=\"content-type\" content=\"text/html; charset=UTF-8\">";

    #[test]
    fn as_firefox_writes_it() {
        for start in [
            "<html><head>\n",
            "<!DOCTYPE html>\n<html><head>\n",
            "<!DOCTYPE html>\r\n<html><head>\r\n",
            "<!DOCTYPE html>\n<!-- x -->\n<html lang=\"en\" data-x=\"a>b\"><!-- y --><head prefix=\"a: b\">\n",
            "\u{FEFF}<html><head>\n",
        ] {
            assert!(begins_as_by_firefox(format!("{start}{META}<title>").as_bytes()), "{start}");
        }
        for start in [
            "<html><head>",
            "<html>\n<head>\n",
            "<html>\n <head>\n",
            "<html><head>\n\n",
            "<html><head>\n  ",
            "<!doctype html>\n<html><head>\n",
            "<HTML><HEAD>\n",
            "<html><header>\n",
            "<head>\n",
            "<p><html><head>\n",
            "<html><head>\n<title></title>",
        ] {
            assert!(!begins_as_by_firefox(format!("{start}{META}<title>").as_bytes()), "{start}");
        }
        assert!(!begins_as_by_firefox(format!("<html><head>\n{}", META.replace("UTF-8", "")).as_bytes()));
    }
}
