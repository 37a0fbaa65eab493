//! Messages that are made, with what each link in them means.

use base64::Engine;
use url::Url;

/// A message, and the links in it with what they mean, in the order of their bytes.
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) targets: Vec<String>,
}

/// How HTML is written in messages.
pub(crate) const ENCODINGS: [&str; 5] = ["", "7bit", "8bit", "quoted-printable", "base64"];

/// How messages are put into one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// In multiparts only.
    Multiparts,
    /// In messages too, which may themselves be in base64 or quoted-printable.
    Messages,
}

struct Maker<'r> {
    random: &'r mut fastrand::Rng,
    encoding: &'static str,
    nesting: Nesting,
    targets: Vec<String>,
}

/// A message whose parts stand in parts, each of which may declare a base; the innermost declaration counts.
pub(crate) fn message(random: &mut fastrand::Rng, encoding: &'static str, line_end: &str, nesting: Nesting) -> Made {
    let mut maker = Maker { random, encoding, nesting, targets: Vec::new() };
    let (heading, body) = maker.part(0, "http://none.example/");
    let text = format!(
        "From: a@example.org\nSubject: made\nMIME-Version: 1.0\nContent-Base: http://none.example/\n{heading}\n{body}"
    );
    Made { text: text.replace('\n', line_end), targets: maker.targets }
}

impl Maker<'_> {
    /// The header of a part, without what declares its base, and its body.
    fn part(&mut self, depth: usize, base: &str) -> (String, String) {
        if depth > 3 || self.random.u8(..3) == 0 {
            return self.document(base);
        }
        let kinds: &[&str] = match self.nesting {
            Nesting::Multiparts => &["mixed", "alternative", "related"],
            Nesting::Messages => &["mixed", "alternative", "related", "digest", "rfc822", "rfc822"],
        };
        match kinds[self.random.usize(..kinds.len())] {
            "rfc822" => {
                let message = self.message(depth, base);
                let (encoding, body) = match self.random.u8(..4) {
                    0 => ("base64", wrapped_base64(message.as_bytes(), 4 * self.random.usize(5..20))),
                    1 => ("quoted-printable", quoted_printable(&message, self.random.usize(30..76))),
                    _ => ("8bit", message),
                };
                let heading = format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: {encoding}\n");
                (heading, body)
            }
            kind => self.multipart(depth, kind, base),
        }
    }

    fn message(&mut self, depth: usize, base: &str) -> String {
        let (own, inner_base) = self.declared(base);
        let (heading, body) = self.part(depth + 1, &inner_base);
        format!("{own}Subject: inner\n{heading}\n{body}")
    }

    fn multipart(&mut self, depth: usize, kind: &str, base: &str) -> (String, String) {
        let boundary = format!("b{depth}-{}", self.random.u32(..));
        let mut body = String::from("preamble\n");
        for _ in 0..self.random.usize(1..4) {
            let (own, inner_base) = self.declared(base);
            let part = match kind {
                "digest" => format!("{own}\n{}", self.message(depth, &inner_base)),
                _ => {
                    let (heading, inner) = self.part(depth + 1, &inner_base);
                    format!("{own}{heading}\n{inner}")
                }
            };
            body.push_str(&format!("--{boundary}\n{part}\n"));
        }
        body.push_str(&format!("--{boundary}--\nepilogue\n"));
        (format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\n"), body)
    }

    /// A field that declares a base, perhaps, and the base that applies then.
    fn declared(&mut self, base: &str) -> (String, String) {
        let own = format!("http://h{}.example/d/", self.random.u8(..));
        let relative = format!("p{}/page.html", self.random.u8(..));
        match self.random.u8(..5) {
            0 => (format!("Content-Base: {own}\n"), own),
            1 => (format!("Content-Location: {own}page.html\n"), own),
            2 => (format!("Base: <URL:{own}>\n"), own),
            3 => (format!("Content-Location: {relative}\n"), joined(base, &relative)),
            _ => (String::new(), base.to_owned()),
        }
    }

    fn document(&mut self, base: &str) -> (String, String) {
        let mut html = String::from("<html><body>\n");
        for number in 0..self.random.usize(1..6) {
            let filler = "Some words = of a text. ".repeat(self.random.usize(..6));
            let accent = if matches!(self.encoding, "" | "7bit") { "" } else { "é" };
            let from = if self.random.bool() { "\nFrom me: 10:30 is too late in 1998\n" } else { "" };
            let long = if self.random.u8(..20) == 0 { "y".repeat(900) } else { String::new() };
            let reference = format!("x{number}.html?a=1&b={number}{long}");
            html.push_str(&format!("<p>{filler}{accent}<a href=\"{}\">{from}\n", reference.replace('&', "&amp;")));
            self.targets.push(joined(base, &reference));
        }
        let body = match self.encoding {
            "base64" => wrapped_base64(html.as_bytes(), 4 * self.random.usize(5..20)),
            "quoted-printable" => quoted_printable(&html, self.random.usize(30..76)),
            _ => html,
        };
        let encoding = match self.encoding {
            "" => String::new(),
            encoding => format!("Content-Transfer-Encoding: {encoding}\n"),
        };
        (format!("Content-Type: text/html; charset=utf-8\n{encoding}"), body)
    }
}

fn joined(base: &str, reference: &str) -> String {
    Url::parse(base).and_then(|base| base.join(reference)).map(String::from).unwrap_or_default()
}

fn wrapped_base64(bytes: &[u8], width: usize) -> String {
    let characters = base64::prelude::BASE64_STANDARD.encode(bytes);
    let lines: Vec<&str> = characters.as_bytes().chunks(width).filter_map(|line| str::from_utf8(line).ok()).collect();
    lines.join("\n")
}

fn quoted_printable(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut column = 0;
        for byte in line.bytes() {
            let written = match byte {
                b'=' | 0x80.. => format!("={byte:02X}"),
                _ => char::from(byte).to_string(),
            };
            if column + written.len() >= width && byte != b'\n' {
                out.push_str("=\n");
                column = 0;
            }
            column += written.len();
            out.push_str(&written);
        }
    }
    out
}
