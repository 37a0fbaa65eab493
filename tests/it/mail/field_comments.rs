//! Comments and white space in the fields that describe a body: the rewriter and the verifier read them alike.

use crate::support::{Outcome, argument, run};
use absolve_rewriter::Options;
use absolve_rewriter::internal::{Entity, Report, edits_of};
use absolve_testing::{rounds, temporary_folder};
use absolve_verifier::{Difference, Retrieved, Rule, Settings, verify_message};
use md5::Digest;

const PAGE: &str = "<a href=x>";
const DONE: &str = "<a href=http://h/x>";

/// Returns a message with these fields after it was rewritten and verified.
fn rewritten(fields: &str, body: &str) -> String {
    let message = format!("Content-Base: http://h/\n{fields}\n\n{body}");
    let edits = edits_of(&Entity::message(message.as_bytes()), &Options::default(), &mut Report::default());
    let output = edits.splice(message.as_bytes());
    let verdict = verify_message(message.as_bytes(), &output, Retrieved::Nowhere, &Settings::default());
    let is_fault = |difference: &Difference| difference.rule != Rule::Relative || !edits.is_empty();
    assert!(!verdict.differences.iter().any(is_fault), "{fields:?}: {:?}", verdict.differences);
    String::from_utf8_lossy(&output).into_owned()
}

#[test]
fn a_comment_before_its_name_does_not_hide_a_transfer_encoding() -> Outcome {
    for comments in ["(c) NAME", "()NAME", "(a (b) \\) c)NAME(d)", "(a\n b) NAME (c);x=y", "NAME (\"", "\n (a)\n NAME"]
    {
        let encoded =
            |name| format!("Content-Type: text/html\nContent-Transfer-Encoding: {}", comments.replace("NAME", name));
        let output = rewritten(&encoded("quoted-printable"), "<a href=3Dx>y=\nz</a>");
        assert!(output.ends_with("\n\n<a href=3Dhttp://h/x>y=\nz</a>"), "{output}");
        let output = rewritten(&encoded("base64"), "PGEgaHJlZj14Pg==");
        assert!(output.ends_with("\n\nPGEgaHJlZj1odHRwOi8vaC94Pg=="), "{output}");
    }
    for doubtful in ["(base64", "\"(c) base64\"", "7bit (c) base64", ") base64"] {
        let fields = format!("Content-Type: text/html\nContent-Transfer-Encoding: {doubtful}");
        let is_none = doubtful == "(base64";
        assert!(rewritten(&fields, PAGE).ends_with(if is_none { DONE } else { PAGE }), "{doubtful}");
    }
    let folder = temporary_folder()?;
    let (message, pages) = (folder.path().join("a.eml"), folder.path().join("pages"));
    std::fs::write(&message, "Content-Type: text/html\nContent-Transfer-Encoding: (c) base64\n\nPGI+aGVsbG88L2I+\n")?;
    let (status, _, log) = run(&["unpack", argument(&message), "-o", argument(&pages)])?;
    assert_eq!(status, 0, "{log}");
    let unpacked = std::fs::read_dir(&pages)?.map(|file| std::fs::read_to_string(file?.path()));
    assert!(unpacked.collect::<Result<Vec<_>, _>>()?.iter().any(|page| page.contains("<b>hello</b>")));
    Ok(())
}

#[test]
fn media_types_may_have_comments_and_white_space() {
    for declared in [
        "text/html (c)",
        "(x) text/html",
        "(x (y)) text/html(z); charset=utf-8",
        "text / html",
        "\"text/html\"",
        "\"text\"/\"html\"",
        "text/ (c) html",
        "text\n /\n html",
        "TEXT/HTML(c)",
        "text/html (a;b); charset=utf-8",
        "text/html; (c) charset=(d)utf-8",
        "application/octet-stream (x); name=a.html",
        "application/octet-stream; (x) name=(y)\"a.html\"(z)",
        "application/octet-stream (x); name=(a.html)b.html",
        "(a\n b) text/html",
        "text/html; charset=\n utf-8",
    ] {
        assert!(rewritten(&format!("Content-Type: {declared}"), PAGE).ends_with(DONE), "{declared}");
    }
    for declared in [
        "text/plain (text/html)",
        "text/html(",
        "text",
        "text/",
        "/html",
        "text/plain (c) html",
        "te(c)xt/html",
        "text/html)",
        "image (/) png",
        "",
    ] {
        let is_html = declared == "text/html(";
        assert!(
            rewritten(&format!("Content-Type: {declared}"), PAGE).ends_with(if is_html { DONE } else { PAGE }),
            "{declared}"
        );
    }
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><a href='x'/></svg>";
    assert!(rewritten("Content-Type: image/svg+xml (c)", drawing).ends_with("<a href='http://h/x'/></svg>"));
    let parts = format!("--x\nContent-Type: text/html (c)\n\n{PAGE}\n--x--");
    for declared in [
        "multipart / mixed; boundary=x",
        "multipart/mixed; (c) boundary=x",
        "multipart/mixed; boundary=(c)x",
        "multipart/mixed (;); boundary=\"x\"(c)",
        "(c)multipart/mixed(d);(e)boundary(f)=(g)x(h)",
        "multipart/mixed;\n boundary=\n x",
        "multipart/mixed; (a\n b) boundary=x",
        "multipart/mixed; boundary = x ; y=z",
        "multipart/mixed; name=\"(\"; boundary=x",
    ] {
        assert!(rewritten(&format!("Content-Type: {declared}"), &parts).contains(DONE), "{declared}");
    }
    for declared in [
        "multipart/; boundary=x",
        "multipart; boundary=x",
        "multipart/mixed; (boundary=x)",
        "multipart/mixed; boundary=",
    ] {
        assert!(!rewritten(&format!("Content-Type: {declared}"), &parts).contains(DONE), "{declared}");
    }
}

/// Returns a multipart whose only part has a page of 22 bytes and this field, after it was rewritten and verified; the page has 31 bytes.
fn sized(field: &str) -> String {
    let body = format!("--x\nContent-Type: text/html\n{field}\n\n<a href=\"p.html\">x</a>\n--x--");
    rewritten("Content-Type: multipart/mixed; boundary=x", &body)
}

#[test]
fn sizes_beside_comments_and_in_folded_lines_stay_right() {
    for field in [
        "Content-Disposition: attachment; size=22 (bytes)",
        "Content-Disposition: attachment; size=\n 22",
        "Content-Disposition: attachment; size=\"22\"",
        "Content-Disposition: attachment; (s) size (t) = (u) 22",
        "Content-Disposition: (a\n b) attachment;\n\tsize\n\t=\n\t22 ;\n\tfilename=x.html",
        "Content-Disposition: attachment; filename=\"; size=\"; size=22",
        "Content-Disposition: attachment; filename=\"a\\\\\"; size=22",
        "Content-Disposition: attachment (size=9); size=22",
        "Content-Length: 22 (bytes)",
        "Content-Length: (\n 9)\n 22",
        "Lines: 1 (22)",
    ] {
        let expected = if field.starts_with("Lines") { field.to_owned() } else { field.replace("22", "31") };
        assert!(sized(field).contains(&format!("\n{expected}\n\n<a href=\"http://h/p.html\"")), "{field}");
    }
    for (field, expected) in [("SIZE = 022", "SIZE = 31"), ("size=\"2\\2\"", "size=\"31\"")] {
        assert!(
            sized(&format!("Content-Disposition: inline; {field}")).contains(&format!("inline; {expected}\n")),
            "{field}"
        );
    }
}

#[test]
fn other_text_is_not_taken_for_the_size_of_a_part() {
    for field in [
        "filename=\"size=22\"",
        "filename=x.html (size=22)",
        "filename=\"\\\"; size=22\"",
        "size=+22",
        "size=2\\2",
        "size=\"22",
        "size=\"2\"2\"",
        "size=22 bytes",
        "size=2(c)2",
        "x-size=22",
        "size=9; size=22",
        "size*=22",
        "size*0=2; size*1=2",
    ] {
        assert!(
            sized(&format!("Content-Disposition: attachment; {field}")).contains(&format!("; {field}\n\n")),
            "{field}"
        );
    }
}

#[test]
fn digests_beside_comments_and_in_folded_lines_stay_right() {
    let digest = |page: &str| data_encoding::BASE64.encode(&md5::Md5::digest(page));
    let [before, after] = ["<a href=\"p.html\">x</a>", "<a href=\"http://h/p.html\">x</a>"].map(digest);
    for at in [1, 12, 23] {
        for between in ["\n ", " (c)\n\t", ""] {
            let spelled = |digest: &str| format!("Content-MD5: (d) {}{between}{} (e)", &digest[..at], &digest[at..]);
            assert!(sized(&spelled(&before)).contains(&(spelled(&after) + "\n\n")), "{at} {between:?}");
        }
    }
}

#[test]
fn any_comments_and_white_space() {
    const SPELLINGS: [&str; 4] = [
        "_text_/_html_;_charset_=_utf-8_;_x_=_\"a(b\"_",
        "_application_/_octet-stream_;_name_=_\"a (1).html\"_",
        "_multipart_/_mixed_;_boundary_=_x_;_x_=_y_",
        "_multipart_/_digest_;_x_=_y_;_boundary_=_\"x\"_",
    ];
    const BETWEEN: [&str; 9] = ["", "", "", " ", "\n\t", "(c)", " (a;b=/\"(c)) ", "(\\)\n x) ", "()"];
    let mut random = fastrand::Rng::with_seed(27);
    for _ in 0..rounds(2_000) {
        let spelling = SPELLINGS[random.usize(..SPELLINGS.len())];
        let spelled: String = spelling
            .split_inclusive('_')
            .map(|word| word.replace('_', BETWEEN[random.usize(..BETWEEN.len())]))
            .collect();
        let page = PAGE.to_owned();
        let body = if spelling.contains("multipart") {
            format!("--x\n\nContent-Type: text/html\n\n{page}\n--x--")
        } else {
            page
        };
        let body = if spelling.contains("mixed") { body.replace("\n\nC", "\nC") } else { body };
        assert!(rewritten(&format!("Content-Type:{spelled}"), &body).contains(DONE), "{spelled:?}");
    }
}

#[test]
fn any_words_beside_a_size() {
    const WORDS: [&str; 18] = [
        "size=22",
        "size",
        "=",
        "22",
        ";",
        "; size=22",
        "\"",
        "\\",
        "(",
        ")",
        " ",
        "\n\t",
        "x",
        "2",
        "size*=",
        "\u{e9}",
        "+",
        "\u{b}",
    ];
    let mut random = fastrand::Rng::with_seed(28);
    for _ in 0..rounds(20_000) {
        let words: String = (0..random.usize(1..9)).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
        let name = ["Content-Disposition: x; ", "Content-Disposition: ", "Content-Length:"][random.usize(..3)];
        sized(&format!("{name}{words}"));
    }
}
