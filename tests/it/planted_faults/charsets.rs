//! HTML in encodings other than UTF-8.

use super::fault::{Fault, Files, Flags, Mutation, Original, Rules, replaced};

const FLAGS: Flags = &["--url", "http://h/d/page.html"];
const BYTES: Rules = &["bytes", "encoding"];
const TARGET: Rules = &["target", "bytes", "encoding"];

const fn made(make: fn() -> Vec<u8>) -> Original {
    Original { files: Files::Made("page.html", make), flags: FLAGS }
}

const LATIN: Original =
    made(|| b"<meta charset=windows-1252><p>caf\xe9 \x80</p><a href=\"\xe9t\xe9/x\">x</a>".to_vec());
/// By one byte alone no UTF-8.
const UNNAMED: Original = made(|| b"<p>\xc3\xa9</p><a href=\"\xe9/../x\">x</a><a href=y>y</a>".to_vec());
/// `\x95\x5c` and `\x83\x5c` are characters whose second byte is that of a backslash.
const SHIFT_JIS: Original = made(|| b"<meta charset=shift_jis><p>\x83\x5c</p><a href=\"\x95\x5c/x\">x</a>".to_vec());
const SHIFT_JIS_STYLE: Original =
    made(|| b"<meta charset=shift_jis><style>p { background: url(\"\x95\x5c.png\") }</style>".to_vec());
const ISO_2022_JP: Original =
    made(|| b"<meta charset=iso-2022-jp><p>\x1b$BF|K\\\x1b(B</p><a href=\"\x1b$BF|\x1b(B/x\">x</a>".to_vec());
const UTF_16: Original = made(|| utf_16("\u{feff}<p>Text é</p><a href=\"日/x\">x</a><a href='y'>y</a>"));
const UTF_16_WITHOUT_MARK: Original = made(|| utf_16("<html><p>Text</p><a href=\"x\">x</a></html>"));

const fn bytes(name: &'static str, original: Original, from: &'static [u8], to: &'static [u8], rules: Rules) -> Fault {
    Fault::new(name, original, Mutation::Instead(from, to), rules)
}

const fn in_utf_16(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, UTF_16, Mutation::Bytes(mutate), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    bytes("windows-1252: text as UTF-8", LATIN, b"caf\xe9", b"caf\xc3\xa9", BYTES),
    bytes("windows-1252: a character reference for a character", LATIN, b"\x80", b"&euro;", &["bytes"]),
    bytes("windows-1252: a link as UTF-8", LATIN, b"d/\xe9t\xe9/x", b"d/\xc3\xa9t\xc3\xa9/x", TARGET),
    bytes("windows-1252: an accent lost in a link", LATIN, b"d/\xe9t\xe9/x", b"d/\xe9te/x", TARGET),
    bytes("windows-1252: another label", LATIN, b"charset=windows-1252", b"charset=iso-8859-15", BYTES),
    bytes("windows-1252: the only byte that shows it gone", UNNAMED, b"\"\xe9/../x\"", b"\"http://h/d/x\"", &["bytes"]),
    bytes("Shift_JIS: a second byte taken for a backslash in a link", SHIFT_JIS, b"d/\x95\x5c/x", b"d/\x95//x", TARGET),
    bytes("Shift_JIS: a second byte dropped in the text", SHIFT_JIS, b"<p>\x83\x5c", b"<p>\x83", BYTES),
    bytes("Shift_JIS: a second byte doubled in the text", SHIFT_JIS, b"<p>\x83\x5c", b"<p>\x83\x5c\x5c", BYTES),
    bytes("Shift_JIS: a link to the wrong target", SHIFT_JIS, b"http://h/d/\x95", b"http://h/\x95", &["target"]),
    bytes("Shift_JIS: a second byte taken for an escape in CSS", SHIFT_JIS_STYLE, b"\x95\x5c.", b"\x95.", TARGET),
    bytes("Shift_JIS: CSS left relative", SHIFT_JIS_STYLE, b"\"http://h/d/\x95", b"\"\x95", &["relative"]),
    bytes("ISO-2022-JP: an escape sequence twice", ISO_2022_JP, b"\x1b(B</p>", b"\x1b(B\x1b(B</p>", BYTES),
    bytes("ISO-2022-JP: another character", ISO_2022_JP, b"F|K\\", b"F|K]", BYTES),
    bytes("ISO-2022-JP: a link to the wrong target", ISO_2022_JP, b"http://h/d/", b"http://h/", &["target"]),
    in_utf_16("UTF-16: one character of text", |honest| replaced(honest, &utf_16("Text"), &utf_16("Test")), BYTES),
    in_utf_16(
        "UTF-16: a link to the wrong target",
        |honest| replaced(honest, &utf_16("h/d/y"), &utf_16("h/e/y")),
        &["target"],
    ),
    in_utf_16(
        "UTF-16: a link left relative",
        |honest| replaced(honest, &utf_16("'http://h/d/y'"), &utf_16("'y'")),
        &["relative"],
    ),
    in_utf_16(
        "UTF-16: quotes",
        |honest| replaced(honest, &utf_16("'http://h/d/y'"), &utf_16("\"http://h/d/y\"")),
        &["bytes"],
    ),
    in_utf_16("UTF-16: the byte order mark dropped", |honest| honest[2..].to_vec(), BYTES),
    in_utf_16("UTF-16: the other byte order", big_endian, &["bytes", "links"]),
    in_utf_16("UTF-16: written as UTF-8", as_utf_8, &["bytes", "links"]),
    Fault::new(
        "UTF-16: a byte order mark added",
        UTF_16_WITHOUT_MARK,
        Mutation::Bytes(|honest| [&utf_16("\u{feff}"), honest].concat()),
        BYTES,
    ),
];

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn big_endian(honest: &[u8]) -> Vec<u8> {
    honest.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect()
}

fn as_utf_8(honest: &[u8]) -> Vec<u8> {
    let units: Vec<u16> = honest.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units).into_bytes()
}
