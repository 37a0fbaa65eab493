//! Made messages: newsletters with HTML, some with an attachment, and mails of lists.

use fastrand::Rng;

use super::content::{Links, folders, host, html, text, word, words};
use super::encode::{Transfer, base64};

/// The field that declares the base of a message, and its place.
#[derive(Clone, Debug, Default)]
struct BaseField {
    in_message: String,
    in_part: String,
}

/// Returns a message. With a base, its HTML has relative links; without one, all links are absolute.
pub(super) fn message(random: &mut Rng, has_base: bool) -> String {
    if !has_base && random.u8(..100) < 45 {
        return list_mail(random);
    }
    let links = if has_base { Links::Relative } else { Links::Absolute };
    let base = if has_base { base_field(random) } else { BaseField::default() };
    let mut out = header(random);
    out.push_str(&base.in_message);
    if random.u8(..25) == 0 {
        let boundary = boundary(random);
        out.push_str(&format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\n\n--{boundary}\n"));
        alternatives(random, links, &base, &mut out);
        out.push_str(&format!("--{boundary}\n"));
        attachment(random, &mut out);
        out.push_str(&format!("--{boundary}--\n"));
    } else {
        alternatives(random, links, &base, &mut out);
    }
    out
}

fn base_field(random: &mut Rng) -> BaseField {
    let url = format!("http://{}/{}", host(random), folders(random));
    match random.u8(..4) {
        0 => BaseField { in_part: format!("Content-Base: {url}\n"), ..BaseField::default() },
        1 => BaseField { in_part: format!("Content-Location: {url}letter.html\n"), ..BaseField::default() },
        _ => BaseField { in_message: format!("Content-Base: {url}\n"), ..BaseField::default() },
    }
}

fn list_mail(random: &mut Rng) -> String {
    let mut out = header(random);
    let length = random.usize(2_000..10_000);
    out.push_str(&format!("List-Id: <{}.lists.example.edu>\n", ascii_word(random)));
    out.push_str("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n");
    out.push_str(&text(random, length));
    out
}

fn header(random: &mut Rng) -> String {
    let (sender, id) = (address(random), random.u64(..));
    let (hour, minute, second) = (random.u8(..24), random.u8(..60), random.u8(..60));
    let date = format!("Thu, 01 Jan 2026 {hour:02}:{minute:02}:{second:02} +0000");
    let mut out = format!("Return-Path: <{sender}>\n");
    for hop in 0..random.u8(1..5) {
        let (number, relay) = (random.u8(..), ascii_word(random));
        out.push_str(&format!(
            "Received: from {relay}.example.net ({relay}.example.net [192.0.2.{number}])\n\tby mx{hop}.example.org \
             with ESMTPS id {id:x}{hop};\n\t{date}\n"
        ));
    }
    let mut subject = String::new();
    base64(words(random, 4).as_bytes(), &mut subject);
    out.push_str(&format!(
        "Date: {date}\nMessage-ID: <{id:x}@mail.example.org>\nFrom: \"{} {}\" <{sender}>\nTo: <{}>\n\
         Subject: =?utf-8?B?{}?=\nMIME-Version: 1.0\n",
        ascii_word(random),
        ascii_word(random),
        address(random),
        subject.replace('\n', ""),
    ));
    out
}

/// Returns the rest of the header, and the body: the same content as text and as HTML.
fn alternatives(random: &mut Rng, links: Links, base: &BaseField, out: &mut String) {
    let boundary = boundary(random);
    let length = random.usize(2_000..8_000) * random.usize(1..6);
    let transfer = Transfer::ALL[random.usize(..Transfer::ALL.len())];
    let plain = text(random, length / 4);
    let html = html(random, length, links);
    out.push_str(&format!("Content-Type: multipart/alternative; boundary=\"{boundary}\"\n\n"));
    for (kind, base, content) in [("plain", "", plain), ("html", &*base.in_part, html)] {
        out.push_str(&format!(
            "--{boundary}\nContent-Type: text/{kind}; charset=utf-8\n{base}Content-Transfer-Encoding: {}\n\n",
            transfer.name()
        ));
        transfer.encode(&content, out);
        out.push('\n');
    }
    out.push_str(&format!("--{boundary}--\n"));
}

fn attachment(random: &mut Rng, out: &mut String) {
    let mut content = vec![0; random.usize(50_000..500_000)];
    random.fill(&mut content);
    let name = ascii_word(random);
    out.push_str(&format!(
        "Content-Type: application/pdf; name=\"{name}.pdf\"\nContent-Disposition: attachment; \
         filename=\"{name}.pdf\"\nContent-Transfer-Encoding: base64\n\n"
    ));
    base64(&content, out);
}

fn boundary(random: &mut Rng) -> String {
    format!("=_{:032x}", random.u128(..))
}

fn address(random: &mut Rng) -> String {
    format!("{}.{}@example.org", ascii_word(random), random.u16(..))
}

fn ascii_word(random: &mut Rng) -> &'static str {
    loop {
        let word = word(random);
        if word.is_ascii() {
            return word;
        }
    }
}
