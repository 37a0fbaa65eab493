//! What `rewrite` makes of mutated fixtures, `verify` accepts, under every one of several sets of options.

use std::ffi::OsStr;
use std::panic::catch_unwind;
use std::path::Path;
use std::{fs, io};

use absolve_laws::runs::{Input, RUNS, check};
use absolve_testing::{files, fixtures, long_rounds, print_line, root};
use fastrand::Rng;
use serde_json::Value;

use crate::bodies::words;

/// Rounds of each test in full.
const ROUNDS: usize = 4_000;

/// Rounds of each test with `ABSOLVE_LONG=1`: a million in all.
const LONG_ROUNDS: usize = 150_000;

/// Rounds in any case: of fewer, the share that changes something is a matter of chance.
const LEAST_ROUNDS: usize = 400;

/// Failures that are shown.
const SHOWN: usize = 10;

macro_rules! tests {
    ($($name:ident: $kind:ident,)*) => {
        $(#[test]
        fn $name() -> io::Result<()> {
            assert_proven($kind)
        })*
    };
}

tests! {
    pages: PAGES,
    style_sheets: STYLE_SHEETS,
    xml: XML,
    json_feeds: JSON_FEEDS,
    messages: MESSAGES,
    mailboxes: MAILBOXES,
    archives: ARCHIVES,
    compressed_archives: COMPRESSED,
}

/// What is mutated.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    input: Input,
    /// Of files with one of these extensions, and of strings in JSON that contain one of these texts.
    seeds: (&'static [&'static str], &'static [&'static str]),
    /// Makes one input of several mutated seeds.
    join: fn(&mut Rng, &[Vec<u8>]) -> Vec<u8>,
    dictionary: &'static str,
}

const PAGES: Kind = Kind {
    name: "pages",
    input: Input::Document(absolve_links::DocumentType::Html),
    seeds: (&["html", "htm"], &["<a", "<base", "<img"]),
    join: |_, seeds| seeds[0].clone(),
    dictionary: "html",
};
const STYLE_SHEETS: Kind = Kind {
    name: "style-sheets",
    input: Input::Document(absolve_links::DocumentType::Css),
    seeds: (&["css"], &["url(", "@import"]),
    dictionary: "css",
    ..PAGES
};
const XML: Kind = Kind {
    name: "xml",
    input: Input::Document(absolve_links::DocumentType::Xml),
    seeds: (&["svg", "xhtml", "xml"], &["xmlns", "<rss", "xml:base"]),
    dictionary: "xml",
    ..PAGES
};
const JSON_FEEDS: Kind =
    Kind { name: "json-feeds", input: Input::Document(absolve_links::DocumentType::JsonFeed), join: feed, ..PAGES };
const MESSAGES: Kind = Kind {
    name: "messages",
    input: Input::Message,
    seeds: (&["eml", "mht"], &["Content-Type:"]),
    dictionary: "messages",
    ..PAGES
};
const MAILBOXES: Kind = Kind { name: "mailboxes", input: Input::Mailbox, join: mailbox, ..MESSAGES };
const ARCHIVES: Kind = Kind { name: "archives", input: Input::Archive, join: archive, dictionary: "archives", ..PAGES };
const COMPRESSED: Kind = Kind { name: "compressed-archives", join: compressed, ..ARCHIVES };

/// The number of seeds of one input.
const JOINED: usize = 3;

fn assert_proven(kind: Kind) -> io::Result<()> {
    let rounds = long_rounds(ROUNDS, LONG_ROUNDS).max(LEAST_ROUNDS);
    let words = words(&root().join(format!("fuzz/dictionaries/{}.dict", kind.dictionary)))?;
    let seeds = seeds(&kind)?;
    let (mut done, mut changed, mut failures) = (0, 0, 0);
    for round in 0..rounds {
        let mut random = Rng::with_seed(round as u64);
        let some: Vec<_> = (0..JOINED).map(|_| mutated(&mut random, &seeds, &words)).collect();
        let bytes = (kind.join)(&mut random, &some);
        let run = &RUNS[round % RUNS.len()];
        match catch_unwind(|| check(kind.input, &bytes, run)) {
            Ok(number) => changed += u64::from(number > 0),
            Err(_) => {
                let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{round}", kind.name));
                fs::write(&file, &bytes)?;
                print_line(&format!("{}, round {round}, {}: {}", kind.name, run.name, file.display()));
                failures += 1;
            }
        }
        done += 1;
        if failures == SHOWN {
            break;
        }
    }
    print_line(&format!("{}: {done} rounds, {changed} with changes, {failures} failures", kind.name));
    assert!(failures == 0 && changed * 20 > done, "{failures} of {done} fail, {changed} change something");
    Ok(())
}

fn seeds(kind: &Kind) -> io::Result<Vec<Vec<u8>>> {
    const LONGEST: usize = 4_000;
    let (extensions, texts) = kind.seeds;
    let mut seeds = Vec::new();
    for file in files(&fixtures())? {
        let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default();
        let bytes = fs::read(&file)?;
        if extensions.contains(&extension) {
            seeds.push(bytes);
        } else if extension == "json" {
            strings(&serde_json::from_slice(&bytes)?, &mut |text| {
                seeds.extend(texts.iter().any(|start| text.contains(start)).then(|| text.as_bytes().to_vec()));
            });
        } else if is_found_by_fuzzing(&file, kind.dictionary) {
            seeds.push(bytes);
        }
    }
    seeds.retain(|seed| seed.len() <= LONGEST);
    seeds.sort();
    seeds.dedup();
    assert!(seeds.len() > 10, "{} seeds of {}", seeds.len(), kind.name);
    Ok(seeds)
}

/// Returns whether the target of a folder of findings has the words of this dictionary.
fn is_found_by_fuzzing(file: &Path, dictionary: &str) -> bool {
    let target = file.parent().and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or_default();
    file.starts_with(fixtures().join("fuzz")) && dictionary.starts_with(target)
}

fn strings(value: &Value, found: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => found(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

/// A seed with up to four changes; one in eight has none.
fn mutated(random: &mut Rng, seeds: &[Vec<u8>], words: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.usize(..seeds.len())].clone();
    let changes = if random.u8(..8) == 0 { 0 } else { random.usize(1..5) };
    for _ in 0..changes {
        let at = random.usize(..=bytes.len());
        let end = bytes.len().min(at + random.usize(..40));
        match random.u8(..8) {
            0 => bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << random.u8(..8)),
            1 => bytes.insert(at, random.u8(..)),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let other = &seeds[random.usize(..seeds.len())];
                bytes.truncate(at);
                bytes.extend_from_slice(&other[random.usize(..=other.len())..]);
            }
            4 => {
                let chunk = bytes[at..end].to_vec();
                let to = random.usize(..=bytes.len());
                bytes.splice(to..to, chunk);
            }
            _ => drop(bytes.splice(at..at, words[random.usize(..words.len())].iter().copied())),
        }
    }
    bytes
}

fn mailbox(random: &mut Rng, messages: &[Vec<u8>]) -> Vec<u8> {
    let separator = |random: &mut Rng| match random.u8(..16) {
        0 => &b"From \n"[..],
        1 => b"From a@b Mon Nov 11 10:00:00 1996\r\n",
        _ => b"From a@b Mon Nov 11 10:00:00 1996\n",
    };
    messages.iter().flat_map(|message| [separator(random), message, b"\n\n"].concat()).collect()
}

/// A feed with each page in an item, and words of it in other members; in one of four something of it is changed.
fn feed(random: &mut Rng, pages: &[Vec<u8>]) -> Vec<u8> {
    let string = |random: &mut Rng, text: &str| {
        let mut written = String::from("\"");
        for character in text.chars() {
            let escaped = serde_json::to_string(&character.to_string()).unwrap_or_default();
            match random.u8(..16) {
                // The dots of `../` may become those of a host, which has no escapes.
                0 if character != '.' => {
                    character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| written += &format!("\\u{unit:04x}"))
                }
                1 if character == '/' => written += "\\/",
                _ => written += escaped.trim_start_matches('"').strip_suffix('"').unwrap_or_default(),
            }
        }
        written + "\""
    };
    let mut item = |page: &Vec<u8>| {
        let page = String::from_utf8_lossy(page);
        let url = page.split(['"', '\'', '=']).nth(random.usize(..8)).unwrap_or("p/");
        let [url, html] = [url, &page].map(|text| string(random, text));
        format!("{{\"url\":{url},\"content_html\":{html},\"image\":{url}}}")
    };
    let items: Vec<String> = pages.iter().map(&mut item).collect();
    let mut feed =
        format!("{{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{}]}}", items.join(",")).into_bytes();
    if random.u8(..4) == 0 {
        let at = random.usize(..feed.len());
        feed[at] ^= 1 << random.u8(..8);
    }
    feed
}

fn archive(random: &mut Rng, pages: &[Vec<u8>]) -> Vec<u8> {
    records(random, pages).concat()
}

fn compressed(random: &mut Rng, pages: &[Vec<u8>]) -> Vec<u8> {
    let member = |record: Vec<u8>| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        io::Write::write_all(&mut encoder, &record).and_then(|()| encoder.finish())
    };
    let mut members: Vec<u8> =
        records(random, pages).into_iter().map(member).flat_map(Result::unwrap_or_default).collect();
    if random.u8(..4) == 0 {
        let at = random.usize(..members.len());
        members[at] ^= 1 << random.u8(..8);
    }
    members
}

/// A response with each page; in one of four something of the framing is changed.
fn records(random: &mut Rng, pages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let types = ["text/html", "text/html; charset=utf-8", "text/css", "application/xhtml+xml", "", "image/png"];
    let record = |(number, page): (usize, &Vec<u8>)| {
        let kind = types[random.usize(..types.len())];
        let block = [format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n").as_bytes(), page].concat();
        let header = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
             WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://h/d/{number}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            block.len()
        );
        let mut record = [header.as_bytes(), &block, b"\r\n\r\n"].concat();
        if random.u8(..4) == 0 {
            let at = random.usize(..record.len());
            record[at] ^= 1 << random.u8(..8);
        }
        record
    };
    pages.iter().enumerate().map(record).collect()
}
