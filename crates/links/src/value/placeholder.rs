//! Placeholders of mail and template systems: they stand for what is put in later.

mod expression;

use std::ops::Range;

use absolve_options::Purpose;
use expression::expression;
use memchr::{memmem, memrchr3};

/// The opening and closing marks of placeholders. The first ones, [`EXPRESSIONS`], hold expressions.
///
/// ```
/// use absolve_links::{EXPRESSIONS, PLACEHOLDERS};
/// assert!(PLACEHOLDERS.contains(&("*|", "|*")) && !PLACEHOLDERS[..EXPRESSIONS].contains(&("*|", "|*")));
/// ```
pub const PLACEHOLDERS: [(&str, &str); 19] = [
    ("{{{", "}}}"),
    ("{{", "}}"),
    ("{%", "%}"),
    ("<%", "%>"),
    ("<?=", "?>"),
    ("<?php", "?>"),
    ("${", "}"),
    ("<c:url", ">"),
    ("<c:out", ">"),
    ("<s:url", ">"),
    ("<s:property", ">"),
    ("<spring:url", ">"),
    ("<html:rewrite", ">"),
    ("<cfoutput", "</cfoutput>"),
    ("<?", "?>"),
    ("*|", "|*"),
    ("%%", "%%"),
    ("$(", ")"),
    ("@@", "@@"),
];

/// How many of them, the first ones, hold expressions with white space, commas and quotes, where the grammar of a value cuts them.
pub const EXPRESSIONS: usize = 14;

/// Stands for the root of an application, at the start of a reference.
const ROOT: &str = "~/";

/// The marks of mail services, which count in documents for mail only; `docs/email.md` names a source for each.
const MARKS_IN_MAIL: [(&str, &str); 11] = [
    ("[[", "]]"),
    ("[", "]"),
    ("{", "}"),
    ("%", "%"),
    ("$[", "]$"),
    ("$", "$"),
    ("##", "##"),
    ("#", "#"),
    ("::", "::"),
    ("-", "-"),
    ("__", "__"),
];

/// Returns the placeholder that a reference in a document for this purpose begins with. One without its closing mark
/// reaches to the end.
///
/// ```
/// use absolve_links::first_placeholder;
/// use absolve_options::Purpose;
/// assert_eq!(first_placeholder("{{url}}/a", Purpose::Any), Some("{{url}}"));
/// assert_eq!(first_placeholder("[unsubscribe]", Purpose::Mail), Some("[unsubscribe]"));
/// assert_eq!(first_placeholder("[unsubscribe]", Purpose::Any), None);
/// ```
pub fn first_placeholder(reference: &str, purpose: Purpose) -> Option<&str> {
    let reference = behind_scheme(reference.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']));
    if let Some(mark) = opening(reference) {
        return Some(&reference[..end_of(reference, PLACEHOLDERS[mark]).unwrap_or(reference.len())]);
    }
    // The root of the application, to ASP.NET.
    if reference.starts_with(ROOT) {
        return Some(&reference[..ROOT.len()]);
    }
    let of_service = |(open, close): &(&str, &str)| {
        let after = reference.strip_prefix(open)?;
        let (inside, rest) = match *open {
            // These are in names, too.
            "-" | "__" => (after.strip_suffix(close)?, ""),
            _ => after.split_once(close)?,
        };
        is_of_service(open, inside, rest).then(|| &reference[..reference.len() - rest.len()])
    };
    let in_mail = || MARKS_IN_MAIL.iter().find_map(of_service).or_else(|| expression(reference));
    // Viewers of KML put the value of a field there (KML 2.3, 6.5). A mark of mail services closes it with a dollar sign.
    let of_kml = || {
        let (field, rest) = reference.split_at(end_of(reference, ("$[", "]"))?);
        (!rest.starts_with('$')).then_some(field)
    };
    (purpose == Purpose::Mail).then(in_mail).flatten().or_else(of_kml)
}

/// Returns whether `reference` contains a placeholder.
///
/// ```
/// assert!(absolve_links::holds_placeholder("img/{{hero}}.png"));
/// assert!(!absolve_links::holds_placeholder("img/{hero}.png"));
/// ```
pub fn holds_placeholder(reference: &str) -> bool {
    placeholders(reference, Purpose::Any).next().is_some()
}

/// Returns the placeholders in a text for this purpose, in their order. In a mail, what is in brackets or braces is one. One that is
/// cut reaches to the end.
pub fn placeholders(text: &str, purpose: Purpose) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    // Marks without a closing one later: a repeated search would be slow.
    let mut never_closed = [false; PLACEHOLDERS.len()];
    let may_open = move |byte: &u8| match byte {
        b'{' | b'<' | b'*' | b'%' | b'$' | b'@' => true,
        b'[' => purpose == Purpose::Mail,
        _ => false,
    };
    std::iter::from_fn(move || {
        while let Some(length) = text.as_bytes()[at..].iter().position(may_open) {
            let start = at + length;
            at = start + 1;
            let end = match opening(&text[start..]) {
                Some(mark) if never_closed[mark] => None,
                Some(mark) => {
                    let end = end_of(&text[start..], PLACEHOLDERS[mark]);
                    never_closed[mark] = end.is_none();
                    end.or((mark < EXPRESSIONS).then_some(text.len() - start))
                }
                None if purpose == Purpose::Mail => in_brackets(&text[start..]),
                None => None,
            };
            if let Some(length) = end {
                at = start + length;
                return Some(start..at);
            }
        }
        None
    })
}

/// Returns the placeholder of a template system that begins before a byte of a document and ends behind it. The grammar of a value
/// cuts it where it has white space, commas or quotes: `url('{% static 'x.png' %}')`. No tag begins between.
///
/// ```
/// assert_eq!(absolve_links::placeholder_around(b"a {{ b, c }} d", 8), Some(2..12));
/// assert_eq!(absolve_links::placeholder_around(b"a {{ b, <c }} d", 9), None);
/// ```
pub fn placeholder_around(document: &[u8], byte: usize) -> Option<Range<usize>> {
    const LONGEST: usize = 200;
    let (mut before, floor) = (byte, byte.saturating_sub(LONGEST));
    while let Some(last) = memrchr3(b'{', b'<', b'$', &document[floor..before]) {
        before = floor + last;
        let Some((open, close)) =
            PLACEHOLDERS[..EXPRESSIONS].iter().find(|(open, _)| document[before..].starts_with(open.as_bytes()))
        else {
            if document[before] == b'<' {
                return None;
            }
            continue;
        };
        let inside = document.get(before + open.len()..byte).unwrap_or_default();
        if memmem::find(inside, close.as_bytes()).is_none() {
            // All of it counts, so that it stays one when a link in front of it becomes longer.
            let rest = &document[byte..document.len().min(before + LONGEST).max(byte)];
            let end = memmem::find(rest, close.as_bytes())?;
            return Some(before..byte + end + close.len());
        }
    }
    None
}

/// Returns whether a text has the opening mark of a placeholder that holds white space or quotes, and no escapes.
///
/// ```
/// assert!(absolve_links::holds_expression(b"a{{ 'b' }}") && !absolve_links::holds_expression(b"a%%b%%"));
/// ```
pub fn holds_expression(text: &[u8]) -> bool {
    let mut marks = PLACEHOLDERS[..EXPRESSIONS].iter();
    !text.contains(&b'\\') && marks.any(|(open, _)| memmem::find(text, open.as_bytes()).is_some())
}

/// Returns what follows the scheme of web pages, if a reference begins with one.
fn behind_scheme(reference: &str) -> &str {
    let colon = reference.find(':').unwrap_or(0);
    let is_of_web = ["http", "https"].iter().any(|scheme| reference[..colon].eq_ignore_ascii_case(scheme));
    if is_of_web { &reference[colon + 1..] } else { reference }
}

/// Returns the length of what is between these marks, with them, if `text` begins with the first.
fn end_of(text: &str, (open, close): (&str, &str)) -> Option<usize> {
    let length = text.strip_prefix(open)?.find(close)?;
    Some(open.len() + length + close.len())
}

/// Returns the length of the placeholder of a mail service in brackets or braces that `text` begins with. A short search:
/// names are short.
fn in_brackets(text: &str) -> Option<usize> {
    const NAME_BYTES: usize = 200;
    let near = &text[..text.floor_char_boundary(NAME_BYTES)];
    let mut marks = MARKS_IN_MAIL.iter().filter(|(open, _)| matches!(*open, "[[" | "[" | "{" | "$["));
    marks.find_map(|(open, close)| {
        let length = end_of(near, (open, close))?;
        let inside = &text[open.len()..length - close.len()];
        // `filter[größe]` is a field of a query, and as `filter[gr%C3%B6%C3%9Fe]`.
        let may_be = *open != "[" || (inside.is_ascii() && !escapes_characters(inside));
        (may_be && is_of_service(open, inside, &text[length..])).then_some(length)
    })
}

/// Returns whether a text has escapes of characters that are not ASCII.
fn escapes_characters(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair[0] == b'%' && matches!(pair[1], b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'))
}

/// Returns the index of the mark that `text` begins with.
#[inline]
fn opening(text: &str) -> Option<usize> {
    match text.as_bytes().first() {
        Some(b'{' | b'<' | b'*' | b'%' | b'$' | b'@') => {
            PLACEHOLDERS.iter().position(|(open, _)| text.starts_with(open))
        }
        _ => None,
    }
}

/// Returns whether this text in the marks of a mail service is a placeholder, and no name of a file or an escape.
fn is_of_service(open: &str, inside: &str, rest: &str) -> bool {
    let is_part_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-');
    let is_name =
        || inside.starts_with(|first: char| first.is_ascii_alphabetic()) && inside.bytes().all(is_part_of_name);
    let is_escape = |text: &str| text.len() > 1 && text.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    match open {
        "$[" => !inside.is_empty(),
        // `[slug].html` and `{3F25}.png` are files.
        "[" if inside.starts_with('[') => false,
        "[[" | "[" | "{" => !inside.is_empty() && !rest.starts_with('.'),
        "%" => is_name() && !(is_escape(inside) && is_escape(rest)),
        _ => is_name(),
    }
}

#[cfg(test)]
mod tests {
    use absolve_options::Purpose;

    use super::{first_placeholder, placeholder_around, placeholders};

    #[test]
    fn at_the_start() {
        for reference in [
            "{{x}}",
            "{{",
            "{% url 'a' %}/b",
            "<%= x %>",
            "*|UNSUB|*",
            "%%link%%",
            "${x}/y",
            "<?php x ?>",
            "$[x]/y",
            "~/x",
            "<c:url value=",
        ] {
            assert!(first_placeholder(reference, Purpose::Any).is_some(), "{reference}");
        }
        for reference in ["https:{{ image | url }}", "HTTP:*|X|*"] {
            assert!(first_placeholder(reference, Purpose::Any).is_some(), "{reference}");
        }
        for reference in ["https://{{x}}", "x{{y}}", "{x}", "%20", "$x", "*", "@x", "~x/", "<cut>", ""] {
            assert!(first_placeholder(reference, Purpose::Any).is_none(), "{reference}");
        }
    }

    #[test]
    fn anywhere() {
        let found = |text: &'static str| placeholders(text, Purpose::Any).map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(found("a{{ b }}c*|D|*e%%f%%"), ["{{ b }}", "*|D|*", "%%f%%"]);
        assert_eq!(found("%20{x}%%a*|"), [""; 0]);
        assert_eq!(found("/p/{{ slug|default:"), ["{{ slug|default:"]);
        let found =
            |text: &'static str| placeholders(text, Purpose::Mail).map(|range| &text[range]).collect::<Vec<_>>();
        let text = "a{{ b }}?n=[FIRST NAME]&o[]=%20&[größe]&[gr%C3%B6]=$[UD:A B]$&{!A.B C}[[d:\"é\"]]/{a}.png[";
        assert_eq!(found(text), ["{{ b }}", "[FIRST NAME]", "$[UD:A B]$", "{!A.B C}", "[[d:\"é\"]]"]);
    }

    #[test]
    fn finds_parts_of_placeholders_in_one_value() {
        let ends = |document: &str| match document.find(['=', '>']).map(|at| &document[at..at + 2]) {
            Some("=\"") => &b"\""[..],
            Some("='") => b"'",
            _ => b"</",
        };
        let is_cut = |marked: &str| {
            let byte = marked.find('^').expect("a place is marked");
            let document = marked.replace('^', "");
            let around = placeholder_around(document.as_bytes(), byte);
            around.is_some_and(|around| {
                memchr::memmem::find(&document.as_bytes()[byte..around.end], ends(marked)).is_none()
            })
        };
        for document in [
            "<p style=\"background:url('{% static 'x.png' ^%}')\">",
            "<style>a{b:url(\"{{ asset(\"x.png\") ^}}\")}",
            "<a ping=\"{{ ^track }}\">",
            "<img srcset=\"{% if a > 1, ^b %}q.png{% endif %} 1x\">",
            "<img srcset='<%= x, ^y %>, z'>",
            "<img srcset='${ x, ^y }, z'>",
            "{{{ a, ^b }}}",
            "<p style=\"{{ a, {% b %}, ^c }}\">",
        ] {
            assert!(is_cut(document), "{document}");
        }
        for document in [
            "a{b:url(^x)}c{d:url({{e}})}",
            "<a title='{{'><a ping='^x' title='}}'>",
            "<p style='{{ a }};b:url(^x)}}'>",
            "{{ '<a ping=^x>' }}",
            "<img srcset='{{ x, ^y'>",
            "<img srcset='{{ x, ^y' alt='}}'>",
            "<style>a{b:url('{{ x', ^y)}</style>}}",
            "^x }}",
        ] {
            assert!(!is_cut(document), "{document}");
        }
    }

    /// Ordinary references and escapes are none, and without the purpose nothing but the marks of templates is.
    #[test]
    fn of_mail_services() {
        for (reference, placeholder) in [
            ("{{{Recipient.Url}}}/a", "{{{Recipient.Url}}}"),
            ("{{x", "{{x"),
            ("[unsubscribe]", "[unsubscribe]"),
            ("[[UNSUB_LINK_EN]]?a=[b]", "[[UNSUB_LINK_EN]]"),
            ("{$link}", "{$link}"),
            ("{!Contact.Url}#a", "{!Contact.Url}"),
            ("%recipient.url%/a%20b", "%recipient.url%"),
            ("%ad_url%", "%ad_url%"),
            ("%unsub%20", "%unsub%"),
            ("$[LI:UNSUBSCRIBE]$", "$[LI:UNSUBSCRIBE]$"),
            ("##unsubscribe##", "##unsubscribe##"),
            ("::webviewUrl::", "::webviewUrl::"),
            ("[* link.unsub_url *]", "[* link.unsub_url *]"),
            ("$unsubscribe$", "$unsubscribe$"),
            ("#recipient:url#", "#recipient:url#"),
            ("-customerID-", "-customerID-"),
            ("__UNSUBSCRIBE__", "__UNSUBSCRIBE__"),
            ("-unsubscribe-url-", "-unsubscribe-url-"),
            ("__A__B__", "__A__B__"),
        ] {
            assert_eq!(first_placeholder(reference, Purpose::Mail), Some(placeholder));
            assert_eq!(
                first_placeholder(reference, Purpose::Any).is_some(),
                reference.starts_with("{{"),
                "{reference}"
            );
        }
        for reference in [
            "%E4%F6.html",
            "%20a%20",
            "%20x%",
            "%C3%BC%C3%9F",
            "%dead%beef",
            "%",
            "%%",
            "% a %",
            "[",
            "[]",
            "[slug].html",
            "[[slug]].html",
            "{a",
            "{3F2504E0-4F89}.png",
            "a[b]",
            "#a",
            "##a",
            "#a b#",
            ":a:",
            "$1$",
            "-a-b",
            "-a-/b",
            "-1-",
            "--a--",
            "__init__.py",
            "__a",
        ] {
            let expected = (reference == "%%").then_some("%%");
            assert_eq!(first_placeholder(reference, Purpose::Mail), expected, "{reference}");
        }
    }
}
