//! What mail services do with long pages.

use absolve_rewriter::{Code, Finding};

use crate::limits::{GMAIL_PAGE_BYTES, GMAIL_STYLE_BYTES};

/// Returns a finding for each length of a page that Gmail does not show or apply whole.
pub(crate) fn findings(page: &[u8]) -> Vec<Finding> {
    let (length, style) = (page.len(), style_length(&String::from_utf8_lossy(page).to_ascii_lowercase()));
    let over = |length: usize, limit: usize, message: String| {
        (length > limit).then(|| Finding::new(Code::MailLength, message))
    };
    let page = format!("the page has {length} bytes, and Gmail shows the first {GMAIL_PAGE_BYTES} only");
    let style = over(
        style,
        GMAIL_STYLE_BYTES,
        format!("the style elements have {style} bytes, and Gmail applies none of those beyond {GMAIL_STYLE_BYTES}"),
    );
    over(length, GMAIL_PAGE_BYTES, page).into_iter().chain(style).collect()
}

/// Returns the length of all style elements of a page in lower case, without those in comments.
fn style_length(page: &str) -> usize {
    let (mut length, mut rest) = (0, page);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if rest.starts_with("<!--") {
            // `<!-->` is whole.
            let Some((_, after)) = rest[2..].split_once("-->") else { return length };
            rest = after;
        } else if rest.starts_with("<style") {
            let inside = rest.split_once('>').and_then(|(_, inside)| inside.split_once("</style"));
            let Some((text, after)) = inside else { return length };
            length += text.len();
            rest = after;
        } else {
            rest = &rest[1..];
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::{findings, style_length};

    #[test]
    fn long_pages_and_styles_are_reported() {
        let style = |length: usize| format!("<style>{}</style>", "x".repeat(length));
        assert_eq!(style_length(&format!("<!--{}-->{}<p>{}", style(9), style(3), style(4))), 7);
        let messages = |page: &str| findings(page.as_bytes()).into_iter().map(|finding| finding.message);
        assert_eq!(messages(&style(16 << 10)).count(), 0);
        assert_eq!(messages(&style((16 << 10) + 1)).count(), 1);
        let all: Vec<_> = messages(&style(102 << 10)).collect();
        assert_eq!(all[0], "the page has 104463 bytes, and Gmail shows the first 104448 only");
        assert_eq!(all[1], "the style elements have 104448 bytes, and Gmail applies none of those beyond 16384");
    }
}
