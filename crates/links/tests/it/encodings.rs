//! The encodings that documents declare.

use absolve_links::{Document, DocumentType, Edits, Table};
use absolve_testing::corpus;
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, WINDOWS_1252};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn encodings_are_declared() {
    let html = |text: &str| Document::new(text.as_bytes(), DocumentType::Html).encoding().name();
    assert_eq!(html("<meta charset=EUC-KR>"), "EUC-KR");
    assert_eq!(html("<meta http-equiv=Content-Type content='text/html; charset=\"shift_jis\"'>"), "Shift_JIS");
    assert_eq!(html("<meta content='text/html; charset=big5'>"), "UTF-8");
    assert_eq!(html("<!--<meta charset=big5>--><meta charset=gbk>"), "GBK");
    assert_eq!(html("<meta charset=utf-16>"), "UTF-8");
    let late = format!("{}<meta charset=big5>", " ".repeat(1024));
    assert_eq!(html(&late), "UTF-8");
    assert_eq!(Document::new(&[late.as_bytes(), b"\xA5\x5C"].concat(), DocumentType::Html).encoding().name(), "Big5");
    assert_eq!(Document::new(b"<p>caf\xE9", DocumentType::Html).encoding().name(), "windows-1252");
    let marked = Document::new(b"\xEF\xBB\xBF<meta charset=big5>", DocumentType::Html).with_label("gbk");
    assert_eq!(marked.encoding().name(), "UTF-8");
    let css = Document::new(b"@charset \"windows-1251\"; a{}", DocumentType::Css);
    assert_eq!(css.encoding().name(), "windows-1251");
}

/// Browsers find a declaration even if longer links have moved it.
#[test]
fn finds_a_charset_label_behind_the_first_kilobyte() {
    let late = |rest: &[u8]| [" ".repeat(1024).as_bytes(), b"<meta charset=iso-2022-jp>", rest].concat();
    let encoding = |page: &[u8]| Document::new(page, DocumentType::Html).encoding();
    let japanese = late(b"\x1b$BF|K\\\x1b(B<a href=\"\x1b$BF|\x1b(B/x\">");
    assert_eq!(encoding(&japanese), ISO_2022_JP);
    let links =
        |page: &[u8]| Document::new(page, DocumentType::Html).scan(&Table::default()).map(|scan| scan.links.len());
    assert_eq!(links(&japanese), Ok(1));
    // Without an escape, or with non-ASCII bytes, a document is not in ISO-2022-JP.
    assert_eq!(encoding(&late(b"text")), UTF_8);
    assert_eq!(encoding(&late("\x1b日".as_bytes())), UTF_8);
    assert_eq!(encoding(&late(b"\x1b\xE9")), WINDOWS_1252);
}

/// Documents in UTF-16 and ISO-2022-JP are decoded, and edited in their encoding.
#[test]
fn wide_encodings() -> Outcome {
    let page = "<html><body><a title='日本' href='日/x&amp;y'>語</a><img src=z><style>a{b:url(c)}</style><a href>";
    let expected = page
        .replace("'日/x", "'http://h/日/x")
        .replace("src=z", "src=http://h/日/z")
        .replace("url(c)", "url(http://h/c)")
        .replace("<a href>", "<a href=\"http://h/\">");
    let little =
        |text: &str| [&b"\xFF\xFE"[..], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()].concat();
    let big =
        |text: &str| [&b"\xFE\xFF"[..], &text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>()].concat();
    let japanese = |text: &str| ISO_2022_JP.encode(text).0.into_owned();
    for (name, encode) in
        [("UTF-16LE", &little as &dyn Fn(&str) -> Vec<u8>), ("UTF-16BE", &big), ("ISO-2022-JP", &japanese)]
    {
        let input = encode(page);
        let document = Document::new(&input, DocumentType::Html).with_label("iso-2022-jp");
        assert_eq!(document.encoding().name(), name);
        let scan = document.scan(&Table::default())?;
        let mut edits = Edits::default();
        for (link, target) in scan.links.iter().zip(["http://h/日/x&y", "http://h/日/z", "http://h/c", "http://h/"]) {
            document.reference(link).edit_to(target, &mut edits);
        }
        assert_eq!(document.element(&scan.links[1]), "img", "{name}");
        let output = edits.splice(&input);
        let text = document.encoding().decode(&output).0;
        assert_eq!(text, expected, "{name}");
        if name != "ISO-2022-JP" {
            assert_eq!(output, encode(&expected), "{name}");
        }
    }
    Ok(())
}

#[test]
fn html5lib_encoding_tests() -> Outcome {
    let Some(folder) = corpus("html5lib-tests/encoding") else { return Ok(()) };
    let (mut run, mut failures) = (0, Vec::new());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "dat") {
            continue;
        }
        for case in split(&std::fs::read(&path)?, b"#data\n") {
            let [data, expected] = split(case, b"\n#encoding\n")[..] else { continue };
            let label = expected.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let expected = Encoding::for_label(label);
            let found = Document::new(data, DocumentType::Html).encoding();
            run += 1;
            // Without an early declaration, valid UTF-8 is decoded as UTF-8.
            let is_early = expected != Some(WINDOWS_1252) && data.len() < 2_000;
            let is_guess = found == UTF_8 && str::from_utf8(data).is_ok() && !is_early;
            if Some(found) != expected && !is_guess {
                let start = String::from_utf8_lossy(&data[..data.len().min(300)]);
                failures.push(format!("{}: {}, not {expected:?}: {start}", path.display(), found.name()));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {run}:\n{}", failures.len(), failures.join("\n"));
    assert!(run > 60, "{run} cases");
    Ok(())
}

/// Splits `bytes` at a separator.
fn split<'b>(bytes: &'b [u8], separator: &[u8]) -> Vec<&'b [u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, separator) {
        parts.push(&rest[..at]);
        rest = &rest[at + separator.len()..];
    }
    parts.push(rest);
    parts
}
