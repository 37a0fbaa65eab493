//! The table of what may be written where: the one of the documentation is that of the program, and each cell holds.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use absolve::refusal;
use absolve_containers::WarcOutput;
use absolve_files::{Cell, Column, Content, Given, Way};
use absolve_testing::temporary_folder;
use zip::CompressionMethod;

use crate::bundles::made::{Failure, gzip, unzipped, zip_of};
use crate::support::warc::{HTML, member, response};
use crate::support::{Outcome, absolve, argument, folder_with, run};

const COLUMNS: [Column; 8] = [
    Column::File,
    Column::Folder,
    Column::InPlace,
    Column::StandardOutput,
    Column::Member,
    Column::Journal,
    Column::Backup,
    Column::Diff,
];

const CONTENTS: [Content; 16] = [
    Content::Document,
    Content::Message,
    Content::CompressedMessage,
    Content::MaildirMessage,
    Content::Mbox,
    Content::CompressedMbox,
    Content::Warc(WarcOutput::Append),
    Content::CompressedWarc,
    Content::Warc(WarcOutput::Sidecar),
    Content::Warc(WarcOutput::Resource),
    Content::Arc,
    Content::ArcResources,
    Content::Wacz,
    Content::WaczResources,
    Content::Bundle,
    Content::Other,
];

const GIVEN: [Given; 5] =
    [Given::StandardInput, Given::Pipe, Given::Several, Given::IndexedMaildir, Given::CopiedLinks];

fn name_of(content: Content) -> &'static str {
    match content {
        Content::Document => "a document",
        Content::Message => "a message",
        Content::CompressedMessage => "a compressed message",
        Content::MaildirMessage => "a message of a Maildir",
        Content::Mbox => "an mbox",
        Content::CompressedMbox => "a compressed mbox",
        Content::Warc(WarcOutput::Append) => "a WARC, `append`",
        Content::CompressedWarc => "a compressed WARC, `append`",
        Content::Warc(WarcOutput::Sidecar) => "a WARC, `sidecar`",
        Content::Warc(WarcOutput::Resource) => "a WARC, `resource`",
        Content::Arc => "an ARC, `append` or `sidecar`",
        Content::ArcResources => "an ARC, `resource`",
        Content::Wacz => "a WACZ, `append` or `sidecar`",
        Content::WaczResources => "a WACZ, `resource`",
        Content::Bundle => "a ZIP or tar file",
        Content::Other => "any other file",
    }
}

fn name_of_given(given: Given) -> &'static str {
    match given {
        Given::StandardInput => "standard input",
        Given::Pipe => "a pipe or a device",
        Given::Several => "a folder, or several inputs",
        Given::IndexedMaildir => "a Maildir with the index of a mail server",
        Given::CopiedLinks => "links, by `--symlinks copy`",
    }
}

fn name_of_way(way: Way) -> &'static str {
    match way {
        Way::Edited => "edited",
        Way::Appended => "conversions behind it",
        Way::Conversions => "its conversions only",
        Way::Beside => "a copy, conversions beside it",
        Way::Derived => "derived",
        Way::Packed => "with edited members",
        Way::Copied => "a copy",
        Way::Recorded => "its edits",
        Way::Named => "its name",
        Way::Unchanged => "as it is",
        Way::ByContent => "as below",
    }
}

/// Returns the tables as Markdown, and the sentences that their numbers stand for.
fn documentation() -> String {
    let mut sentences: Vec<String> = Vec::new();
    let mut cell = |cell: Cell| match cell {
        Ok(way) => name_of_way(way).to_owned(),
        Err(why) => {
            let why = refusal(&why);
            let known = sentences.iter().position(|known| *known == why);
            let index = known.unwrap_or(sentences.len());
            if known.is_none() {
                sentences.push(why);
            }
            format!("no ({})", index + 1)
        }
    };
    let head = "| one file | a folder | `--in-place` | standard output | in a ZIP or tar file | `--journal` | `--backup` | `--diff` |\n\
                |---|---|---|---|---|---|---|---|---|\n";
    let mut row = |name: &str, to: &dyn Fn(Column) -> Cell| {
        let cells: Vec<String> = COLUMNS.into_iter().map(|column| cell(to(column))).collect();
        format!("| {name} | {} |\n", cells.join(" | "))
    };
    let given: String = GIVEN.into_iter().map(|given| row(name_of_given(given), &|column| given.to(column))).collect();
    let contents: String =
        CONTENTS.into_iter().map(|content| row(name_of(content), &|column| content.to(column))).collect();
    let list: String = sentences.iter().enumerate().map(|(index, why)| format!("{}. {why}\n", index + 1)).collect();
    format!("| given as {head}{given}\n| what it is {head}{contents}\n{list}")
}

#[test]
fn the_documentation_has_the_table_of_the_program() -> Outcome {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/containers.md"))?;
    let expected = documentation();
    assert!(text.contains(&expected), "docs/containers.md lacks this:\n{expected}");
    Ok(())
}

/// A file to rewrite.
struct Sample {
    path: &'static str,
    bytes: Vec<u8>,
    form: &'static str,
}

fn sample(content: Content) -> Result<Sample, Failure> {
    let page = b"<base href=http://h/><a href=x>";
    let message = b"Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    let mbox = [&b"From a@b Thu Jan  1 00:00:00 1998\n"[..], message].concat();
    let warc = response(1, "http://h/", "200 OK", HTML, b"<a href=x>");
    let (head, block) = ("1 0 x\nURL IP-address Archive-date Content-type Archive-length\n\n", "HTTP/1.1 200 OK\r\n");
    let block = format!("{block}{HTML}\r\n<a href=x>");
    let arc = format!(
        "filedesc://a.arc 0.0.0.0 20140216050221 text/plain {}\n{head}\nhttp://h/ 1.2.3.4 20140216050221 text/html {}\n{block}\n",
        head.len(),
        block.len()
    );
    let wacz = || zip_of(&vec![("archive/a.warc".to_owned(), warc.clone())], CompressionMethod::Stored);
    let zip = || zip_of(&vec![("a.html".to_owned(), page.to_vec())], CompressionMethod::Stored);
    let (path, bytes, form) = match content {
        Content::Document => ("a.html", page.to_vec(), "append"),
        Content::Message => ("a.eml", message.to_vec(), "append"),
        Content::CompressedMessage => ("a.eml.gz", gzip(message)?, "append"),
        Content::MaildirMessage => ("m/cur/1700000000.M1P2.example:2,S", message.to_vec(), "append"),
        Content::Mbox => ("a.mbox", mbox, "append"),
        Content::CompressedMbox => ("a.mbox.gz", gzip(&mbox)?, "append"),
        Content::Warc(WarcOutput::Append) => ("a.warc", warc, "append"),
        Content::CompressedWarc => ("a.warc.gz", member(&warc)?, "append"),
        Content::Warc(WarcOutput::Sidecar) => ("a.warc", warc, "sidecar"),
        Content::Warc(WarcOutput::Resource) => ("a.warc", warc, "resource"),
        Content::Arc => ("a.arc", arc.into_bytes(), "append"),
        Content::ArcResources => ("a.arc", arc.into_bytes(), "resource"),
        Content::Wacz => ("a.wacz", wacz()?, "append"),
        Content::WaczResources => ("a.wacz", wacz()?, "resource"),
        Content::Bundle => ("a.zip", zip()?, "append"),
        Content::Other => ("a.png", b"\x89PNG".to_vec(), "append"),
    };
    Ok(Sample { path, bytes, form })
}

/// What a run has written, and what it says.
struct Tried {
    written: Option<Vec<u8>>,
    /// What lies beside the copy of an ARC.
    beside: Option<Vec<u8>>,
    says: String,
}

/// Writes the sample into `folder`, and runs what a column is about.
fn tried(folder: &Path, column: Column, Sample { path, bytes, form }: &Sample) -> Result<Tried, Failure> {
    let put = |path: PathBuf, bytes: &[u8]| -> Result<PathBuf, Failure> {
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(&path, bytes)?;
        Ok(path)
    };
    let input = put(folder.join("in").join(path), bytes)?;
    let (journal, zip) = (folder.join("journal"), folder.join("b.zip"));
    let name = if path.ends_with(".arc") { "out.warc" } else { path.rsplit('/').next().unwrap_or(path) };
    let output = match column {
        Column::Folder => folder.join("out"),
        Column::Member => folder.join("c.zip"),
        _ => folder.join("o").join(name),
    };
    let warc = ["--warc", form];
    let run_to = |input: &Path, more: &[&str]| run(&[&["rewrite", argument(input)], &warc[..], more].concat());
    let kept = |path: &Path| fs::read(path).ok();
    let (written, (_, out, says)) = match column {
        Column::File => (output.clone(), run_to(&input, &["-o", argument(&output)])?),
        // A ZIP file that is found in a folder is any other file; one of several inputs is not.
        Column::Folder if path.ends_with(".zip") => {
            let other = put(folder.join("other.html"), b"")?;
            (output.join(path), run_to(&input, &[argument(&other), "-o", argument(&output)])?)
        }
        Column::Folder => (output.join(path), run_to(&folder.join("in"), &["-o", argument(&output)])?),
        Column::InPlace => (input.clone(), run_to(&input, &["--in-place"])?),
        Column::Journal => (journal.clone(), run_to(&input, &["--in-place", "--journal", argument(&journal)])?),
        Column::Backup => {
            let backup = PathBuf::from(format!("{}.orig", input.display()));
            (backup, run_to(&input, &["--in-place", "--backup", ".orig"])?)
        }
        Column::Diff => (folder.join("none"), run_to(&input, &["--dry-run", "--diff"])?),
        Column::Member => {
            put(zip.clone(), &zip_of(&vec![((*path).to_owned(), bytes.clone())], CompressionMethod::Stored)?)?;
            (output.clone(), run_to(&zip, &["-o", argument(&output)])?)
        }
        Column::StandardOutput => {
            let printed = absolve(&[&["rewrite", argument(&input), "-o", "-"], &warc[..]].concat())?;
            let says = String::from_utf8_lossy(&printed.stderr).into_owned();
            let written = (!printed.stdout.is_empty()).then_some(printed.stdout);
            return Ok(Tried { written, beside: None, says });
        }
    };
    let beside = kept(&output.join(format!("{path}.warc")));
    let written = match column {
        Column::Diff => Some(out.into_bytes()),
        Column::Member => match kept(&written) {
            Some(zip) => unzipped(&zip)?.into_iter().next().map(|(_, bytes)| bytes),
            None => None,
        },
        _ => kept(&written),
    };
    Ok(Tried { written, beside, says })
}

#[test]
fn each_cell_of_the_table_holds() -> Outcome {
    for (content, column) in CONTENTS.into_iter().flat_map(|content| COLUMNS.map(|column| (content, column))) {
        let folder = temporary_folder()?;
        let sample = sample(content)?;
        let Tried { written, beside, says } = tried(folder.path(), column, &sample)?;
        let what = format!("{} to {column:?}: {says}", name_of(content));
        let has = |bytes: &[u8], text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
        let original = &sample.bytes;
        let output = written.as_deref().unwrap_or_default();
        match content.to(column) {
            Err(why) => {
                assert!(says.contains(&refusal(&why)), "{what}");
                let is_kept = fs::read(folder.path().join("in").join(sample.path))? == *original;
                assert!(is_kept && (output.is_empty() || output == original || column == Column::Journal), "{what}");
            }
            Ok(Way::Edited) if column == Column::Diff => {
                assert!(has(output, "+") && has(output, "http://h/x"), "{what}")
            }
            Ok(Way::Named) => assert!(output.is_empty() && says.contains("have no diff"), "{what}"),
            Ok(Way::Edited) if sample.path.ends_with(".gz") => {
                assert!(!output.is_empty() && output != original, "{what}")
            }
            Ok(Way::Edited | Way::Packed) => assert!(has(output, "<a href=http://h/x>"), "{what}"),
            Ok(Way::Appended) => assert!(output.starts_with(original) && output.len() > original.len(), "{what}"),
            Ok(Way::Conversions) => {
                assert!(has(output, "Type: conversion") && !has(output, "Type: response"), "{what}")
            }
            Ok(Way::Beside) => {
                assert!(output == original && has(&beside.unwrap_or_default(), "Type: conversion"), "{what}")
            }
            Ok(Way::Derived) => assert!(has(output, "WARC-Type: resource") && !has(output, "Type: response"), "{what}"),
            Ok(Way::Copied) => assert_eq!(output, original, "{what}"),
            Ok(Way::Recorded) => assert!(has(output, r#""kind":"edit""#), "{what}"),
            Ok(Way::Unchanged) if matches!(column, Column::InPlace | Column::Member) => {
                assert_eq!(output, original, "{what}")
            }
            Ok(Way::Unchanged) => assert!(!has(output, r#""kind":"edit""#) && !has(output, "+"), "{what}"),
            Ok(Way::ByContent) => return Err("a content is written by its content".into()),
        }
    }
    Ok(())
}

#[test]
fn how_an_input_is_given_may_refuse_a_run() -> Outcome {
    let page = "<base href=http://h/><a href=x>";
    let message = "m/cur/1700000000.M1P2.example:2,S";
    let folder =
        folder_with(&[("d/a.html", page), ("d/b.html", page), (message, "A: b\n\n"), ("m/dovecot.index", "")])?;
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    fs::create_dir(folder.path().join("m/new"))?;
    fs::write(at("a.zip"), zip_of(&vec![("a.html".to_owned(), page.into())], CompressionMethod::Stored)?)?;
    let (pages, mail, out, zip) = (at("d"), at("m"), at("out.zip"), at("a.zip"));
    let runs: [(Given, Column, &[&str]); 8] = [
        (Given::StandardInput, Column::InPlace, &["-", "--in-place", "--type", "html"]),
        (Given::Pipe, Column::InPlace, &["/dev/null", "--in-place", "--type", "html"]),
        (Given::Several, Column::StandardOutput, &[&pages, "-o", "-"]),
        (Given::Several, Column::File, &[&pages, "-o", &out]),
        (Given::IndexedMaildir, Column::InPlace, &[&mail, "--in-place"]),
        (Given::CopiedLinks, Column::InPlace, &[&pages, "--in-place", "--symlinks", "copy"]),
        (Given::CopiedLinks, Column::Diff, &[&pages, "--dry-run", "--diff", "--symlinks", "copy"]),
        (Given::CopiedLinks, Column::Member, &[&zip, "-o", &out, "--symlinks", "copy"]),
    ];
    let tried = |given: Given, column: Column| runs.iter().any(|run| (run.0, run.1) == (given, column));
    for (given, column) in GIVEN.into_iter().flat_map(|given| COLUMNS.map(|column| (given, column))) {
        assert_eq!(given.to(column).is_err(), tried(given, column), "{given:?} to {column:?}");
    }
    for (given, column, arguments) in runs {
        let (status, _, says) = run(&[&["rewrite"], arguments].concat())?;
        let why = given.to(column).err().map(|why| refusal(&why)).unwrap_or_default();
        assert!(status == 2 && says.contains(&why), "{given:?} to {column:?}: {says}");
    }
    Ok(())
}

/// The errors among what a run says.
fn errors(says: &str) -> Vec<&str> {
    says.lines().filter(|line| line.starts_with("absolve: ")).collect()
}

#[test]
fn a_dry_run_refuses_what_the_run_does() -> Outcome {
    for content in CONTENTS {
        for more in [&[][..], &["--journal", "J"], &["--backup", ".orig"]] {
            let folder = temporary_folder()?;
            let Sample { path, bytes, form } = sample(content)?;
            let input = folder.path().join(path);
            fs::create_dir_all(input.parent().ok_or("no folder")?)?;
            fs::write(&input, &bytes)?;
            let journal = folder.path().join("J");
            let more: Vec<&str> =
                more.iter().map(|more| if *more == "J" { argument(&journal) } else { more }).collect();
            let arguments = [&["rewrite", argument(&input), "--in-place", "--warc", form], &more[..]].concat();
            let (promised, _, promises) = run(&[&arguments[..], &["--dry-run"]].concat())?;
            let (status, _, says) = run(&arguments)?;
            let what = format!("{} {more:?}: {promises}{says}", name_of(content));
            assert_eq!((promised, errors(&promises)), (status, errors(&says)), "{what}");
            assert!(status < 2 || !journal.exists(), "{what}");
        }
    }
    Ok(())
}

#[test]
fn a_refused_run_leaves_a_journal_as_it_was() -> Outcome {
    let folder = temporary_folder()?;
    let (journal, input) = (folder.path().join("J"), folder.path().join("a.arc"));
    fs::write(&input, sample(Content::Arc)?.bytes)?;
    let page = folder.path().join("a.html");
    fs::write(&page, sample(Content::Document)?.bytes)?;
    let in_place = |input: &Path| run(&["rewrite", argument(input), "--in-place", "--journal", argument(&journal)]);
    assert_eq!(in_place(&page)?.0, 0);
    let before = fs::read(&journal)?;
    assert_eq!((in_place(&input)?.0, fs::read(&journal)? == before), (2, true));
    Ok(())
}

#[test]
fn a_member_is_not_replaced_in_place_where_an_archive_is_not() -> Outcome {
    let folder = temporary_folder()?;
    let zip = folder.path().join("a.zip");
    let page = sample(Content::Document)?.bytes;
    let members =
        vec![("a.warc".to_owned(), sample(Content::Warc(WarcOutput::Resource))?.bytes), ("a.html".to_owned(), page)];
    fs::write(&zip, zip_of(&members, CompressionMethod::Stored)?)?;
    let (status, _, says) = run(&["rewrite", argument(&zip), "--in-place", "--warc", "resource"])?;
    let why = Content::Warc(WarcOutput::Resource).to(Column::InPlace).err().ok_or("it is written")?;
    assert!(status == 1 && says.contains(&refusal(&why)), "{says}");
    let written = unzipped(&fs::read(&zip)?)?;
    assert!(written[0].1 == members[0].1 && written[1].1 != members[1].1, "{says}");
    Ok(())
}

#[test]
fn no_warc_gets_the_name_of_an_arc() -> Outcome {
    for form in ["append", "sidecar", "resource"] {
        for content in [Content::Warc(WarcOutput::Append), Content::Arc] {
            let folder = temporary_folder()?;
            let Sample { path, bytes, .. } = sample(content)?;
            let (input, output) = (folder.path().join(path), folder.path().join("out.arc"));
            fs::write(&input, bytes)?;
            let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output), "--warc", form])?;
            assert!(status == 2 && says.contains("an ARC holds no") && !output.exists(), "{says}");
        }
    }
    Ok(())
}
