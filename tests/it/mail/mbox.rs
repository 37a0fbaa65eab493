//! An mbox: where its messages begin and end, and that nothing of it is lost.

use std::fs;
use std::io::{self, Read};

use crate::mail::compressed::compressed;
use crate::support::stops::gzip;
use crate::support::{Outcome, argument, folder_with, rewrite_mbox, run, run_in, run_with};
use absolve_containers::{ArchiveOptions, StreamError};
use absolve_files::{Destination, Output, Selection, collect, rewrite_all};
use absolve_framing::Compression;
use absolve_testing::{fixtures, temporary_folder};
use serde_json::Value;

/// Mail programs export folders so. A single message may have been saved with the separator line before it.
#[test]
fn a_file_named_as_a_message_that_holds_several_is_an_mbox() -> Outcome {
    const START: &str =
        "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    for filler in [0, 1, 2_000, 40_000] {
        let one = format!("{START}{}\n", "<p>text\n".repeat(filler));
        for (text, records) in [(one.repeat(3), 3), (format!("\n{}", one.repeat(2)), 2), (one, 1)] {
            for name in ["a.eml", "a.eml.gz"] {
                let folder = folder_with(&[])?;
                let (input, output) = (folder.path().join(name), folder.path().join("out"));
                let bytes = if name == "a.eml" { text.clone().into_bytes() } else { gzip(text.as_bytes())? };
                fs::write(&input, bytes)?;
                let (status, links, says) = run(&["links", argument(&input)])?;
                assert_eq!((status, links.lines().count()), (0, records), "{name}: {says}");
                assert_eq!(links.contains("record 2"), records > 1, "{name}: {links}");
                let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
                assert!(status == 0 && says.contains(&format!("{records} made absolute")), "{name}: {says}");
                assert_eq!(run(&["verify", argument(&input), argument(&output)])?.0, 0, "{name}");
            }
        }
    }
    Ok(())
}

#[test]
fn messages_begin_at_separator_lines() -> Outcome {
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(fixtures().join("mail/mbox.json"))?)?;
    assert_eq!(cases.len(), 18);
    for case in &cases {
        for line_end in ["\n", "\r\n"] {
            let name = format!("{}, {line_end:?}", case["name"]);
            let (before, after) = (mbox(&case["mbox"], line_end), mbox(&case["becomes"], line_end));
            let (output, told) = rewritten(before.as_bytes())?;
            assert_eq!(String::from_utf8_lossy(&output), after, "{name}");
            assert_eq!(told, pairs(&case["findings"]), "{name}");
            assert_eq!(rewritten(&output)?.0, output, "{name}: a second time");
        }
    }
    Ok(())
}

/// `LENGTH1` is how long the body of the first message is, up to the empty line before the last separator.
fn mbox(lines: &Value, line_end: &str) -> String {
    let lines: Vec<&str> = lines.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let text = lines.join(line_end) + line_end;
    let empty = line_end.repeat(2);
    let end = text.rfind(&format!("{empty}From ")).map_or(0, |at| at + line_end.len());
    let body = text.find(&empty).map_or(0, |at| at + empty.len());
    text.replace("LENGTH1", &end.saturating_sub(body).to_string())
}

fn pairs(value: &Value) -> Vec<Told> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    value.as_array().into_iter().flatten().map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
}

/// The record and the code of a finding.
type Told = (String, String);

fn rewritten(mbox: &[u8]) -> Result<(Vec<u8>, Vec<Told>), StreamError> {
    let (mut output, mut told) = (Vec::new(), Vec::new());
    let mut tell = |finding: absolve_rewriter::Finding| told.push((finding.record, finding.code.name().to_owned()));
    rewrite_mbox(mbox, &mut output, &mut tell)?;
    Ok((output, told))
}

const SEPARATOR: &str = "From ann@example.org Thu Jan  1 00:00:00 1998\n";
const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n\n";
const CHANGED: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=http://h/x>\n\n";

#[test]
fn a_message_larger_than_any_is_copied_and_the_next_is_done() -> Outcome {
    const LONG: u64 = 300 << 20;
    let input = SEPARATOR
        .as_bytes()
        .chain("Content-Base: http://h/\nContent-Type: text/html\n\n".as_bytes())
        .chain(Lines { column: 0 }.take(LONG))
        .chain("\n".as_bytes())
        .chain(SEPARATOR.as_bytes())
        .chain(MESSAGE.as_bytes());
    let mut output = Tail { length: 0, last: Vec::new() };
    let mut told = Vec::new();
    let report = rewrite_mbox(input, &mut output, &mut |finding| told.push(finding))?;
    assert_eq!((report.records, report.changed), (2, 1));
    assert_eq!(told.iter().map(|finding| finding.code.name()).collect::<Vec<_>>(), ["message-too-long"]);
    assert_eq!(output.length, report.bytes_in + (CHANGED.len() - MESSAGE.len()) as u64);
    assert!(output.last.ends_with(CHANGED.as_bytes()));
    Ok(())
}

/// Lines of `<a href=y>` without end.
struct Lines {
    column: usize,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const LINE: &[u8; 64] = b"<a href=y> and text, text, text, text, text, text, text, text.\n\n";
        let rest = &LINE[self.column..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.column = (self.column + length) % LINE.len();
        Ok(length)
    }
}

/// The end of what is written, and how much it was.
struct Tail {
    length: u64,
    last: Vec<u8>,
}

impl io::Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.length += bytes.len() as u64;
        self.last = bytes[bytes.len().saturating_sub(1_000)..].to_vec();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_mbox_that_another_program_changed_is_not_replaced() -> Outcome {
    let mbox = format!("{SEPARATOR}{MESSAGE}");
    let folder = folder_with(&[("a.mbox", &mbox)])?;
    let path = folder.path().join("a.mbox");
    let collection = collect(&path, &Selection::default());
    let delivered = format!("{mbox}{SEPARATOR}{MESSAGE}");
    fs::write(&path, &delivered)?;
    let (options, destination) = (ArchiveOptions::default(), Destination::InPlace);
    let report = rewrite_all(collection, &options, Output::to(&destination), &|_| {});
    assert_eq!(report.errors.len(), 1);
    assert!(report.errors[0].to_string().contains("another program"), "{}", report.errors[0]);
    assert_eq!(fs::read_to_string(&path)?, delivered);
    Ok(())
}

#[test]
fn without_relative_links_a_compressed_mbox_is_the_same_file() -> Outcome {
    use std::io::Write;
    let folder = temporary_folder()?;
    let (input, output) = (folder.path().join("a.mbox.gz"), folder.path().join("b.mbox.gz"));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(format!("{SEPARATOR}{CHANGED}").as_bytes())?;
    let mut bytes = encoder.finish()?;
    fs::write(&input, &bytes)?;
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output), "--quiet"])?.0, 0);
    assert_eq!(fs::read(&output)?, bytes);
    bytes.truncate(bytes.len() - 9);
    fs::write(&input, &bytes)?;
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output), "--quiet", "--force"])?;
    assert!(status == 1 && told.contains("cannot read"), "{told}");
    Ok(())
}

#[test]
fn all_commands_know_the_record() -> Outcome {
    let mbox = format!("{SEPARATOR}Subject: none\n\n{SEPARATOR}{MESSAGE}");
    let folder = folder_with(&[("a.mbox", &mbox)])?;
    let path = folder.path().join("a.mbox");
    for command in ["links", "check", "base"] {
        let (status, told, _) = run(&[command, argument(&path), "--json"])?;
        let objects: Result<Vec<Value>, _> = told.lines().map(serde_json::from_str).collect();
        let last = objects?.pop().ok_or("nothing is told")?;
        assert_eq!((&last["record"], &last["part"]), (&"2".into(), &"1".into()), "{command}");
        assert_eq!(last["base"], "http://h/", "{command}");
        assert_eq!(status, i32::from(command == "check"));
    }
    let (_, _, told) = run(&["rewrite", argument(&path), "--dry-run", "--url", "http://a/"])?;
    assert!(told.contains("a.mbox: url-not-used: "), "{told}");
    Ok(())
}

/// Standard input goes the way of all files.
#[test]
fn an_mbox_on_standard_input() -> Outcome {
    use std::io::Write;
    let mbox = format!("{SEPARATOR}{MESSAGE}");
    let folder = folder_with(&[("precious.mbox.gz", "precious")])?;
    let output = folder.path().join("precious.mbox.gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(mbox.as_bytes())?;
    let cut = &encoder.finish()?[..30];
    let (status, _, told) = run_with(&["rewrite", "-", "--type", "mbox", "-o", argument(&output), "--force"], cut)?;
    assert!(status == 1 && told.contains("cannot read -"), "{told}");
    let kept = fs::read(&output)?;
    assert!(kept == cut || kept == b"precious", "half an mbox is left");
    let (status, out, _) = run_with(&["rewrite", "-", "-o", "-"], mbox.as_bytes())?;
    assert_eq!((status, out), (0, format!("{SEPARATOR}{CHANGED}")));
    let (_, _, told) = run_with(&["rewrite", "-", "--dry-run", "--url", "http://a/"], mbox.as_bytes())?;
    assert!(told.contains("url-not-used"), "{told}");
    let (status, _, told) = run_with(&["rewrite", "-", "--in-place"], mbox.as_bytes())?;
    assert!(status == 2 && told.contains("in place"), "{told}");
    let (status, _, told) = run_with(&["check", "-"], format!("{mbox}From me\nSubject: x\n").as_bytes())?;
    assert!(status == 1 && told.contains("-: record 1: message-separator: "), "{told}");
    Ok(())
}

/// A link that is broken over two lines becomes one, and what stood in two lines was no separator before.
#[test]
fn a_line_that_would_become_a_separator() -> Outcome {
    let mbox =
        "From a@b Thu Jan  1 00:00:00 1970\nContent-Base: http://h/d/\n\ntext\n\nFrom me <URL:x\ny\0> 10:00 1998\n";
    let folder = folder_with(&[("a.mbox", mbox)])?;
    let (input, output) = (folder.path().join("a.mbox"), folder.path().join("b.mbox"));
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 0 && told.contains("message-separator"), "{status}: {told}");
    assert_eq!(fs::read_to_string(&output)?, mbox);
    Ok(())
}

/// Each command reads it as an mbox, whatever its name is.
#[test]
fn an_archive_of_mailman_that_begins_with_empty_lines_is_an_mbox() -> Outcome {
    let message =
        "From ann at example.org  Sat Feb  1 00:00:00 2003\nContent-Base: http://h/\nContent-Type: text/html\n\n";
    for empty in ["\n", "\r\n\n"] {
        let file = format!("{empty}{message}<a href=a>\n\n{message}<a href=b>\n");
        let folder = folder_with(&[("2003-September.txt", &file), ("list", &file)])?;
        let packed = compressed(Compression::Gzip, file.as_bytes())?;
        fs::write(folder.path().join("2003-October.txt.gz"), packed)?;
        for input in ["2003-September.txt", "list", "2003-October.txt.gz"] {
            let (status, listed, _) = run_in(folder.path(), &["check", input])?;
            assert!(status == 1 && listed.contains("record 2: part 1: 4:9: a@href: b\n"), "{input}: {listed}");
            let (_, listed, _) = run_in(folder.path(), &["links", input])?;
            assert!(listed.contains("a -> http://h/a (content-base)\n"), "{input}: {listed}");
            let output = format!("out-{input}");
            let (status, _, says) = run_in(folder.path(), &["rewrite", input, "-o", &output])?;
            assert!(status == 0 && says.contains("2 links: 2 made absolute"), "{input}: {says}");
            let (status, _, says) = run_in(folder.path(), &["verify", input, &output])?;
            assert!(status == 0 && says.contains("2 records, 2 documents, 2 links: 2 changed"), "{input}: {says}");
        }
    }
    Ok(())
}

#[test]
fn an_empty_line_before_the_header_of_a_message_is_a_finding() -> Outcome {
    let header = "From: a@h.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n";
    let nested = format!("Content-Type: message/rfc822\n\n\n{header}<a href=x>");
    for message in [format!("\n{header}<a href=x>"), format!("\r\n\n{header}<URL:x>"), nested] {
        let folder = folder_with(&[("a.eml", &message)])?;
        let (status, _, says) = run_in(folder.path(), &["check", "a.eml"])?;
        assert!(status == 1 && says.contains(": message-structure: it begins with an empty line"), "{says}");
        let (_, _, says) = run_in(folder.path(), &["rewrite", "a.eml", "-o", "b.eml", "--url", "http://h/"])?;
        assert!(says.contains(": message-structure: "), "{says}");
        assert_eq!(fs::read_to_string(folder.path().join("b.eml"))?, message);
        assert_eq!(run_in(folder.path(), &["verify", "a.eml", "b.eml", "--url", "http://h/"])?.0, 0);
    }
    let folder = folder_with(&[("a.eml", "\nNote: plain text\nof several lines\n")])?;
    assert_eq!(run_in(folder.path(), &["check", "a.eml"])?.0, 0);
    Ok(())
}
