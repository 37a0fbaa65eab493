//! Each input is opened once.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use absolve_testing::{print_line, temporary_folder};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::stops::{containers, gzip, mbox};
use crate::support::{Outcome, argument};

const PAGE: &[u8] = b"<!doctype html><a href=b>x</a>";
const MESSAGE: &[u8] = b"Received: from x\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=b>x</a>\n";

/// Returns how often a file with this name is opened to be read; `None` without strace.
fn opens(name: &str, arguments: &[&str], folder: &Path) -> io::Result<Option<usize>> {
    let traces = temporary_folder()?;
    let mut strace = Command::new("strace");
    strace.args(["-ff", "-e", "trace=openat,openat2", "-o", argument(&traces.path().join("of"))]);
    match strace.arg(env!("CARGO_BIN_EXE_absolve")).args(arguments).current_dir(folder).output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        output => output?,
    };
    let (alone, below) = (format!("\"{name}\""), format!("/{name}\""));
    let is_open = |line: &&str| line.contains("O_RDONLY") && (line.contains(&alone) || line.contains(&below));
    let mut opens = 0;
    for thread in fs::read_dir(traces.path())? {
        opens += fs::read_to_string(thread?.path())?.lines().filter(is_open).count();
    }
    Ok(Some(opens))
}

fn inputs() -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    let mut bundle = ZipWriter::new(io::Cursor::new(Vec::new()));
    for name in ["page.html", "page", "inbox.gz"] {
        bundle.start_file(name, SimpleFileOptions::default())?;
        bundle.write_all(PAGE)?;
    }
    let mailbox = gzip(mbox(3).as_bytes())?;
    let mut inputs = containers(3)?;
    let warc = inputs.iter().find(|(name, _)| *name == "a.warc").map(|(_, bytes)| bytes.clone()).unwrap_or_default();
    inputs.extend([
        ("page.html", PAGE.to_vec()),
        ("page", PAGE.to_vec()),
        ("letter.eml", MESSAGE.to_vec()),
        ("letter", MESSAGE.to_vec()),
        ("inbox.gz", mailbox.clone()),
        ("inbox", mailbox),
        ("crawl", warc),
        ("site.zip", bundle.finish()?.into_inner()),
    ]);
    Ok(inputs)
}

#[test]
fn opens_a_file_once() -> Outcome {
    for (name, bytes) in inputs()? {
        let folder = temporary_folder()?;
        fs::write(folder.path().join(name), bytes)?;
        let output = format!("output-{}", name.replace("a.arc", "a.warc"));
        let warc = if name.ends_with("wacz") { "resource" } else { "append" };
        let rewrite = ["rewrite", name, "-o", &output, "--warc", warc, "--url", "http://h/"];
        let commands: [&[&str]; 5] =
            [&rewrite, &["rewrite", name, "--dry-run"], &["check", name], &["links", name], &["base", name]];
        for arguments in commands {
            let Some(found) = opens(name, arguments, folder.path())? else {
                print_line("skipped: needs strace");
                return Ok(());
            };
            assert_eq!(found, 1, "{arguments:?}");
        }
        assert!(folder.path().join(output).exists(), "{name}");
    }
    Ok(())
}

#[test]
fn opens_each_message_of_a_folder_once() -> Outcome {
    let folder = temporary_folder()?;
    fs::create_dir(folder.path().join("in"))?;
    fs::write(folder.path().join("in/letter.eml"), MESSAGE)?;
    fs::write(folder.path().join("in/other.eml"), MESSAGE)?;
    for arguments in [&["rewrite", "in", "-o", "out"][..], &["check", "in"], &["links", "in"]] {
        assert!(opens("letter.eml", arguments, folder.path())?.is_none_or(|found| found == 1), "{arguments:?}");
    }
    Ok(())
}

/// Archives that cannot hold conversions are copied as well.
#[test]
fn opens_each_file_of_a_folder_once() -> Outcome {
    const TWICE: [&str; 2] = ["a.arc", "a.wacz"];
    let folder = temporary_folder()?;
    fs::create_dir(folder.path().join("in"))?;
    let inputs = inputs()?;
    for (name, bytes) in &inputs {
        fs::write(folder.path().join("in").join(name), bytes)?;
    }
    for (number, (name, _)) in inputs.iter().enumerate() {
        let output = format!("output-{number}");
        let Some(found) = opens(name, &["rewrite", "in", "-o", &output], folder.path())? else {
            print_line("skipped: needs strace");
            return Ok(());
        };
        assert_eq!(found, if TWICE.contains(name) { 2 } else { 1 }, "{name}");
    }
    Ok(())
}
