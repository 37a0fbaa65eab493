//! Messages: each link means what its base says, whatever encoding, line end and nesting it stands in, and nothing else
//! changes. Read by mail-parser's decoders.

mod support;

use absolve_rewriter::{Entity, Options, Report, edits_of, rewrite};
use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};
use support::{CORPORA, Outcome, corpus, files, tell};

/// A message that was made, and the links in it with what they mean.
struct Made {
    text: String,
    targets: Vec<String>,
}

const ENCODINGS: [&str; 4] = ["7bit", "8bit", "quoted-printable", "base64"];

#[test]
fn generated_messages() -> Outcome {
    let mut random = fastrand::Rng::with_seed(60);
    for encoding in ENCODINGS {
        for line_end in ["\n", "\r\n"] {
            let mut edits = 0;
            for _ in 0..400 {
                let made = message(&mut random, encoding, line_end);
                let (output, count) = rewritten(made.text.as_bytes())?;
                let found = links_of_message(&output);
                assert_eq!(found, made.targets, "{}\n{}", made.text, String::from_utf8_lossy(&output));
                edits += count;
                let (again, more) = rewritten(&output)?;
                assert!(again == output && more == 0, "a second run changes {}", made.text);
            }
            tell(&format!("{encoding}, {line_end:?}: {edits} links"));
            assert!(edits >= 1_000, "{edits} links");
        }
    }
    Ok(())
}

/// Parts within parts, each of which may declare a base; the innermost declaration counts.
fn message(random: &mut fastrand::Rng, encoding: &str, line_end: &str) -> Made {
    let mut targets = Vec::new();
    let (heading, body) = part(random, encoding, 0, "http://none.example/", &mut targets);
    let text = format!(
        "From: a@example.org\nSubject: made\nMIME-Version: 1.0\nContent-Base: http://none.example/\n{heading}\n{body}"
    );
    Made { text: text.replace('\n', line_end), targets }
}

fn part(
    random: &mut fastrand::Rng,
    encoding: &str,
    depth: usize,
    base: &str,
    targets: &mut Vec<String>,
) -> (String, String) {
    if depth > 3 || random.u8(..3) == 0 {
        return document(random, encoding, base, targets);
    }
    let kind = ["mixed", "alternative", "related", "rfc822"][random.usize(..4)];
    if kind == "rfc822" {
        let (own, inner_base) = declared(random, base);
        // A message that is nothing but a message confuses the parser, and is left alone.
        let (heading, body) = multipart(random, encoding, depth + 1, "mixed", &inner_base, targets);
        return ("Content-Type: message/rfc822\n".into(), format!("{own}Subject: inner\n{heading}\n{body}"));
    }
    multipart(random, encoding, depth, kind, base, targets)
}

fn multipart(
    random: &mut fastrand::Rng,
    encoding: &str,
    depth: usize,
    kind: &str,
    base: &str,
    targets: &mut Vec<String>,
) -> (String, String) {
    let boundary = format!("b{depth}-{}", random.u32(..));
    let mut body = String::from("preamble\n");
    for _ in 0..random.usize(1..4) {
        let (own, inner_base) = declared(random, base);
        let (heading, inner) = part(random, encoding, depth + 1, &inner_base, targets);
        body.push_str(&format!("--{boundary}\n{own}{heading}\n{inner}\n"));
    }
    body.push_str(&format!("--{boundary}--\nepilogue\n"));
    (format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\n"), body)
}

/// A field that declares a base, perhaps, and the base that applies then.
fn declared(random: &mut fastrand::Rng, base: &str) -> (String, String) {
    let own = format!("http://h{}.example/d/", random.u8(..));
    match random.u8(..4) {
        0 => (format!("Content-Base: {own}\n"), own),
        1 => (format!("Content-Location: {own}page.html\n"), own),
        2 => (format!("Base: <URL:{own}>\n"), own),
        _ => (String::new(), base.to_owned()),
    }
}

fn document(random: &mut fastrand::Rng, encoding: &str, base: &str, targets: &mut Vec<String>) -> (String, String) {
    let mut html = String::from("<html><body>\n");
    for number in 0..random.usize(1..6) {
        let filler = "Some words = of a text. ".repeat(random.usize(..6));
        let accent = if encoding == "7bit" { "" } else { "é" };
        html.push_str(&format!("<p>{filler}{accent}<a href=\"x{number}.html?a=1&amp;b={number}\">\n"));
        targets.push(format!("{base}x{number}.html?a=1&b={number}"));
    }
    let body = match encoding {
        "base64" => wrapped_base64(html.as_bytes(), 4 * random.usize(5..20)),
        "quoted-printable" => quoted_printable(&html, random.usize(30..76)),
        _ => html,
    };
    let heading = format!("Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n");
    (heading, body)
}

fn wrapped_base64(bytes: &[u8], width: usize) -> String {
    use base64::Engine;
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

fn rewritten(message: &[u8]) -> Result<(Vec<u8>, usize), Box<dyn std::error::Error>> {
    let entity = Entity::message(message);
    let mut report = Report::default();
    let mut out = Vec::new();
    rewrite(&entity, &Options::default(), &mut report, &mut out);
    if let Some(finding) = report.findings.first() {
        return Err(format!("{finding}\n{}", String::from_utf8_lossy(message)).into());
    }
    Ok((out, report.counts.rewritten as usize))
}

/// The links of all HTML parts, as mail-parser decodes them.
fn links_of_message(message: &[u8]) -> Vec<String> {
    let mut links = Vec::new();
    if let Some(message) = MessageParser::default().parse(message) {
        for part in leaves(&message) {
            if let PartType::Html(text) = &part.body {
                let hrefs = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
                links.extend(hrefs.map(|href| href.replace("&amp;", "&")));
            }
        }
    }
    links
}

fn leaves<'m>(message: &'m Message<'m>) -> Vec<&'m MessagePart<'m>> {
    let inner = |part: &'m MessagePart<'m>| match &part.body {
        PartType::Message(message) => leaves(message),
        _ => vec![part],
    };
    message.parts.iter().flat_map(inner).collect()
}

/// Over real messages with a base planted in their headings: the parts, the headings and all that holds no link stay.
#[test]
fn messages_of_corpora() -> Outcome {
    let (mut messages, mut edited) = (0, 0);
    for name in CORPORA.iter().map(|corpus| corpus.name).filter(|name| name.starts_with("mail-")) {
        let Some(folder) = corpus(name) else { return Ok(()) };
        for path in files(&folder)? {
            let original = std::fs::read(&path)?;
            let planted = [b"Content-Base: http://planted.example/d/\n", &original[..]].concat();
            for message in [&original, &planted] {
                let entity = Entity::message(message);
                let edits = edits_of(&entity, &Options::default(), &mut Report::default());
                let output = edits.splice(message);
                assert!(edits.is_empty() == (output == *message), "{}", path.display());
                messages += 1;
                edited += usize::from(!edits.is_empty());
                same_but_for_links(message, &output, &path.display().to_string());
            }
        }
    }
    assert_eq!((messages, edited), (848, 0));
    Ok(())
}

fn same_but_for_links(before: &[u8], after: &[u8], name: &str) {
    let (Some(before), Some(after)) = (MessageParser::default().parse(before), MessageParser::default().parse(after))
    else {
        return;
    };
    let (old, new) = (leaves(&before), leaves(&after));
    assert_eq!(old.len(), new.len(), "{name}: the number of parts");
    for (old, new) in old.iter().zip(&new) {
        let fields = |part: &MessagePart<'_>| -> Vec<String> {
            part.headers.iter().map(|field| format!("{:?} {:?}", field.name, field.value)).collect()
        };
        assert_eq!(fields(old), fields(new), "{name}: the headings");
        let is_document = matches!(old.body, PartType::Html(_) | PartType::Text(_)) || old.content_type().is_none();
        assert!(is_document || old.contents() == new.contents(), "{name}: a part that is no document");
    }
}
