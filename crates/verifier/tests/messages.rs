//! The verifier accepts correct rewrites of odd messages, and no change in those that readers take for different ones.

use absolve_verifier::{BaseElement, HeaderFields, Retrieved, Rule, Settings, verify_message};

/// Returns the rules that do not hold for a message with this header field, and with these bodies.
fn broken(field: &str, original: &str, rewritten: &str) -> Vec<Rule> {
    let message = |body: &str| format!("Content-Base: http://h/d/\nContent-Type: text/html\n{field}\n\n{body}");
    let (original, rewritten) = (message(original), message(rewritten));
    let settings = Settings::default();
    let verdict = verify_message(original.as_bytes(), rewritten.as_bytes(), Retrieved::Nowhere, &settings);
    verdict.differences.iter().map(|difference| difference.rule).collect()
}

const QUOTED: &str = "Content-Transfer-Encoding: quoted-printable";

#[test]
fn lines_of_quoted_printable_that_a_link_touches_may_change() {
    for (original, rewritten) in [
        ("<a href=3D\"x\n<b y\">\n=2D", "<a href=3D\"http://h/d/x%3Cb=20y\">\n=2D"),
        ("<a href=3D\"ht=\ntp:x\">y=\nz\n", "<a href=3D\"http://h/d/x\">y=\nz\n"),
        ("<a href=3D\"a=20b\\\">=\nz\n", "<a href=3D\"http://h/d/a%20b/\">=\nz\n"),
        ("<base href=3D\"e/\"=\n><p>=2D", "<base href=3D\"http://h/d/e/\"=\n><p>=2D"),
        ("<p>=+D <a href=3Dx>", "<p>=+D <a href=3Dhttp://h/d/x>"),
    ] {
        assert_eq!(broken(QUOTED, original, rewritten), [], "{original}");
    }
    for (original, rewritten) in [
        ("<a href=3D\"x\">y=\nz=2D", "<a href=3D\"http://h/d/x\">y=\nz-"),
        ("<p>z=\ny</p>=\n<a href=3D\"x\">", "<p>zy</p>=\n<a href=3D\"http://h/d/x\">"),
    ] {
        assert_eq!(broken(QUOTED, original, rewritten), [Rule::Encoding], "{original}");
    }
}

#[test]
fn what_has_two_types_stays() {
    let (original, rewritten) = ("<a href=x>", "<a href=http://h/d/x>");
    assert_eq!(broken("Content-Type: text/plain", original, rewritten), [Rule::Part]);
    assert_eq!(broken("Content-Type: text/html; charset=utf-8", original, rewritten), [Rule::Part]);
    assert_eq!(broken("Content-Type: TEXT/html (c)", original, rewritten), []);
    assert_eq!(broken("Content-Type: text/plain", original, original), [Rule::Relative]);
}

#[test]
fn a_corrected_length_is_written_without_zeros() {
    let (original, rewritten) = ("<a href=x>", "<a href=http://h/d/x>");
    let message = |length: &str, body: &str| {
        format!("Content-Base: http://h/d/\nContent-Type: text/html\nContent-Length: {length}\n\n{body}")
    };
    for (length, rules) in [("21", &[][..]), ("021", &[Rule::Digest]), ("10", &[Rule::Digest]), ("20", &[Rule::Digest])]
    {
        let (original, rewritten) = (message("10", original), message(length, rewritten));
        let settings = Settings::default();
        let verdict = verify_message(original.as_bytes(), rewritten.as_bytes(), Retrieved::Nowhere, &settings);
        let found: Vec<Rule> = verdict.differences.iter().map(|difference| difference.rule).collect();
        assert_eq!(found, rules, "{length}");
    }
}

#[test]
fn the_first_sign_of_padding_ends_base64() {
    let encoding = "Content-Transfer-Encoding: base64";
    let rewritten = "PGEgaHJlZj1odHRwOi8vaC9kL3g+";
    assert_eq!(broken(encoding, "PGEgaHJlZj14Pg=", rewritten), []);
    for damaged in ["PGEgaHJlZj14Pg===", "PGEgaHJlZj14PgA==", "PGEgaHJlZj14PgAB="] {
        assert_eq!(broken(encoding, damaged, rewritten), [Rule::Encoding], "{damaged}");
    }
}

/// Returns the rules that do not hold for a message whose fields become absolute.
fn broken_with_fields(original: &str, rewritten: &str) -> Vec<Rule> {
    let settings = Settings { header_fields: HeaderFields::Absolute, ..Settings::default() };
    let verdict = verify_message(original.as_bytes(), rewritten.as_bytes(), Retrieved::Given("http://h/d/"), &settings);
    verdict.differences.iter().map(|difference| difference.rule).collect()
}

#[test]
fn a_field_with_a_carriage_return_by_itself_stays() {
    let message = |location: &str| format!("Subject: x\nContent-Location: {location}\n\n");
    assert_eq!(broken_with_fields(&message("x\ry"), &message("x\ry")), []);
    assert_eq!(broken_with_fields(&message("x\ry"), &message("http://h/d/x\ry")), [Rule::Header]);
    assert_eq!(broken_with_fields(&message("x\r\n y"), &message("http://h/d/x\r\n y")), []);
}

#[test]
fn a_field_stays_where_a_line_of_it_would_be_too_long_and_only_there() {
    let message = |start: &str, length| format!("List-Archive:\n <{start}{}>,\n <{start}y>\n\n", "x".repeat(length));
    for (length, changed, kept) in [
        (998 - 15, vec![], vec![Rule::Relative]),
        (998 - 14, vec![Rule::Header], vec![]),
        (998, vec![], vec![Rule::Relative]),
    ] {
        assert_eq!(broken_with_fields(&message("", length), &message("http://h/d/", length)), changed, "{length}");
        assert_eq!(broken_with_fields(&message("", length), &message("", length)), kept, "{length}");
    }
}

#[test]
fn a_body_without_an_empty_line_before_it_begins_behind_the_same_fields() {
    let (before, after) = ("<base href=\"e/\">\n<a href=\"x\">", "<base>\n<a href=\"http://h/d/e/x\">");
    let message = |location: &str, body: &str| format!("Content-Location: {location}\nContent-Type: text/html\n{body}");
    let settings =
        Settings { header_fields: HeaderFields::Absolute, base_element: BaseElement::Remove, ..Settings::default() };
    let verdict = |original: &str, rewritten: &str| {
        verify_message(original.as_bytes(), rewritten.as_bytes(), Retrieved::Given("http://h/d/"), &settings)
    };
    assert_eq!(verdict(&message("y", before), &message("http://h/d/y", after)).differences, []);
    assert!(!verdict(&message("y", before), &message("http://h/d/y", &format!("X: y\n{after}"))).holds());
}

#[test]
fn fields_under_a_signature_stay() {
    let signed = |location: &str| {
        let fields = format!("Content-Type: text/plain\nContent-Location: {location}");
        [
            format!("Content-Type: multipart/signed; boundary=b\n\n--b\n{fields}\n\nx\n--b--\n"),
            format!(
                "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n{fields}\n\nx\n--b--\n"
            ),
        ]
    };
    for (original, rewritten) in signed("x").iter().zip(&signed("http://h/d/x")) {
        assert_eq!(broken_with_fields(original, original), []);
        assert_eq!(broken_with_fields(original, rewritten), [Rule::Header]);
        let unsigned = |message: &str| message.replace("signed", "mixed");
        assert_eq!(broken_with_fields(&unsigned(original), &unsigned(rewritten)), []);
    }
}
