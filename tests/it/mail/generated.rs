//! Made messages, in every transfer encoding, line end, nesting and container: each link means what its base says,
//! read by others, and nothing else changes.

use std::path::{Path, PathBuf};

use crate::support::made_mail::{ENCODINGS, Made, Nesting, message};
use crate::support::mail_readers::{links_by_mail_parser, links_by_python};
use crate::support::{Outcome, argument, run};
use absolve_rewriter::Options;
use absolve_rewriter::internal::{Entity, Report, edits_of};
use absolve_testing::{IN_FULL, print_line, temporary_folder};

const LINE_ENDS: [&str; 2] = ["\n", "\r\n"];
const MESSAGES: usize = if IN_FULL { 300 } else { 8 };
const SEPARATOR: &str = "From a at example.org  Thu Jan  1 00:00:00 1998";

#[test]
fn each_link_means_what_it_meant() -> Outcome {
    let mut random = fastrand::Rng::with_seed(60);
    let folder = temporary_folder()?;
    let (mut paths, mut all) = (Vec::new(), Vec::new());
    for encoding in ENCODINGS {
        for line_end in LINE_ENDS {
            for nesting in [Nesting::Multiparts, Nesting::Messages] {
                let mut edits = 0;
                for made in messages(&mut random, encoding, line_end, nesting) {
                    let output = with_targets(&made, nesting)?;
                    let path = folder.path().join(format!("{}.eml", all.len()));
                    std::fs::write(&path, output)?;
                    edits += made.targets.len();
                    paths.push(path);
                    all.push(made);
                }
                print_line(&format!("{encoding:?}, {line_end:?}, {nesting:?}: {edits} links"));
                assert!(edits >= 10 * MESSAGES / 3, "{edits} links");
            }
        }
    }
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    if let Some(read) = links_by_python("message", &paths)? {
        assert_eq!(read.len(), all.len());
        for (read, Made { text, targets }) in read.iter().zip(&all) {
            let read: Vec<&String> = read.iter().map(|(reference, _)| reference).collect();
            assert_eq!(read, targets.iter().collect::<Vec<_>>(), "{text}");
        }
    }
    Ok(())
}

fn messages(random: &mut fastrand::Rng, encoding: &'static str, line_end: &str, nesting: Nesting) -> Vec<Made> {
    (0..MESSAGES).map(|_| message(random, encoding, line_end, nesting)).collect()
}

/// Returns the rewritten message, whose links are the targets.
fn with_targets(Made { text, targets }: &Made, nesting: Nesting) -> Result<String, Box<dyn std::error::Error>> {
    let (output, count) = rewritten(text)?;
    assert_eq!(count, targets.len(), "{text}");
    let (again, more) = rewritten(&output)?;
    assert!(again == output && more == 0, "a second run changes {text}");
    if nesting == Nesting::Multiparts {
        assert_eq!(&links_by_mail_parser(output.as_bytes()), targets, "{text}\n{output}");
    }
    Ok(output)
}

fn rewritten(message: &str) -> Result<(String, usize), Box<dyn std::error::Error>> {
    let mut report = Report::default();
    let output = edits_of(&Entity::message(message.as_bytes()), &Options::default(), &mut report);
    if let Some(finding) = report.findings.first() {
        return Err(format!("{finding}\n{message}").into());
    }
    Ok((String::from_utf8(output.splice(message.as_bytes()))?, report.counts.rewritten as usize))
}

/// How an mbox shows where a message ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// Lines that begin with `From ` are quoted.
    Mboxo,
    /// So are those that begin with `>From `.
    Mboxrd,
    /// They are quoted, and `Content-Length` counts.
    Mboxcl,
    /// `Content-Length` counts, and nothing is quoted.
    Mboxcl2,
}

#[test]
fn an_mbox_is_its_messages() -> Outcome {
    let mut random = fastrand::Rng::with_seed(61);
    for encoding in ENCODINGS {
        for line_end in LINE_ENDS {
            for dialect in [Dialect::Mboxo, Dialect::Mboxrd, Dialect::Mboxcl, Dialect::Mboxcl2] {
                let messages: Vec<String> = messages(&mut random, encoding, line_end, Nesting::Messages)
                    .into_iter()
                    .map(|made| in_dialect(&made.text, line_end, dialect))
                    .collect();
                let rewritten: Result<Vec<String>, _> =
                    messages.iter().map(|message| rewritten(message).map(|(output, _)| output)).collect();
                let rewritten = rewritten?;
                if matches!(dialect, Dialect::Mboxcl | Dialect::Mboxcl2) {
                    rewritten.iter().for_each(|message| assert_lengths_are_right(message));
                }
                let (before, after) = (framed(&messages, line_end), framed(&rewritten, line_end));
                in_containers(&before, &after, &format!("{encoding:?}, {line_end:?}, {dialect:?}"))?;
            }
        }
    }
    Ok(())
}

fn in_dialect(message: &str, line_end: &str, dialect: Dialect) -> String {
    let quoted = message.split('\n').map(|line| match dialect {
        Dialect::Mboxcl2 => line.to_owned(),
        _ if line.starts_with("From ") => format!(">{line}"),
        Dialect::Mboxrd if line.trim_start_matches('>').starts_with("From ") => format!(">{line}"),
        _ => line.to_owned(),
    });
    let message = quoted.collect::<Vec<_>>().join("\n");
    let body = body_of(&message);
    match dialect {
        Dialect::Mboxo | Dialect::Mboxrd => message,
        Dialect::Mboxcl | Dialect::Mboxcl2 => {
            let lines = body.matches('\n').count();
            format!("Lines: {lines}{line_end}Content-Length: {}{line_end}{message}", body.len())
        }
    }
}

fn body_of(message: &str) -> &str {
    let empty = if message.contains("\r\n") { "\r\n\r\n" } else { "\n\n" };
    message.split_once(empty).map_or("", |(_, body)| body)
}

fn framed(messages: &[String], line_end: &str) -> String {
    messages.iter().map(|message| format!("{SEPARATOR}{line_end}{message}{line_end}{line_end}")).collect()
}

/// The program makes `after` of `before`: as a file, compressed, on standard input, in place.
fn in_containers(before: &str, after: &str, name: &str) -> Outcome {
    let folder =
        crate::support::folder_with(&[("in/a.mbox", before), ("in/Inbox", before), ("in/2003-March.txt", before)])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    std::fs::write(input.join("b.mbox.gz"), gzipped(before.as_bytes())?)?;
    let (status, ..) = run(&["rewrite", argument(&input), "-o", argument(&output), "--quiet"])?;
    assert_eq!(status, 0);
    for file in ["a.mbox", "Inbox", "2003-March.txt"] {
        assert!(std::fs::read(output.join(file))? == after.as_bytes(), "{name}: {file}");
    }
    assert!(gunzipped(&std::fs::read(output.join("b.mbox.gz"))?)? == after.as_bytes(), "{name}: compressed");
    let (status, ..) = run(&["rewrite", argument(&input), "--in-place", "--quiet", "--jobs", "1"])?;
    assert_eq!(status, 0);
    assert!(std::fs::read(input.join("a.mbox"))? == after.as_bytes(), "{name}: in place");
    Ok(())
}

fn assert_lengths_are_right(message: &str) {
    let body = body_of(message);
    assert_eq!(field(message, "Content-Length"), Some(body.len()), "{message}");
    assert_eq!(field(message, "Lines"), Some(body.matches('\n').count()), "{message}");
}

fn field(message: &str, name: &str) -> Option<usize> {
    message.split_once(&format!("{name}: "))?.1.split(['\r', '\n']).next()?.parse().ok()
}

fn gzipped(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn gunzipped(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut out).map(|_| out)
}
