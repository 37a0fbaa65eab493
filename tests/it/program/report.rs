//! `--report` shows of each document what becomes of it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{CORPORA, Outcome, argument, folder_with, run, run_in};
use absolve_testing::{corpus, fixtures, temporary_folder};
use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest, Sha256};

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x><a href=#s>\n";
const CHANGED: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=http://h/x><a href=#s>\n";
const COLUMNS: &str = "path,record,part,media_type,base,layer,links,rewritten,absolute,same_document,kept,unresolved,\
                       findings,sha256_in,sha256_out,mapped";

fn sha256(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

#[test]
fn each_document_has_a_row() -> Outcome {
    let mbox = format!("From a@b Thu Jan  1 00:00:00 1998\n{MESSAGE}\nFrom a@b Thu Jan  1 00:00:00 1998\n\n\n");
    let page = "<a href=Talk:Foo><a href=b>";
    let folder = folder_with(&[
        ("in/a.html", page),
        ("in/b.mbox", &mbox),
        ("in/c, d.css", "a{}"),
        ("in/e.html", "{\"a\": \"<a href=x>\"}"),
        ("in/f.png", "x"),
    ])?;
    let (input, report) = (folder.path().join("in"), folder.path().join("report.csv"));
    let arguments = ["rewrite", argument(&input), "--dry-run", "--url", "http://h/in/", "--report", argument(&report)];
    for jobs in ["1", "4"] {
        let (status, _, told) = run(&[&arguments[..], &["--jobs", jobs, "--force"]].concat())?;
        assert_eq!(status, 0, "{told}");
        let (page_in, page_out) = (sha256(page), sha256("<a href=Talk:Foo><a href=http://h/in/b>"));
        let (message_in, message_out) = (sha256(MESSAGE), sha256(CHANGED));
        let (empty, css, json) = (sha256("\n"), sha256("a{}"), sha256("{\"a\": \"<a href=x>\"}"));
        let folder = input.display();
        let expected = [
            COLUMNS.to_owned(),
            format!(
                "{folder}/a.html,,,text/html,http://h/in/a.html,retrieval,2,1,1,0,0,0,scheme-or-path,{page_in},{page_out},0"
            ),
            format!("{folder}/b.mbox,1,1,text/html,http://h/,content-base,2,1,0,1,0,0,,{message_in},{message_out},0"),
            format!("{folder}/b.mbox,2,1,text/plain,,none,0,0,0,0,0,0,,{empty},{empty},0"),
            format!("\"{folder}/c, d.css\",,,text/css,\"http://h/in/c,%20d.css\",retrieval,0,0,0,0,0,0,,{css},{css},0"),
            format!("{folder}/e.html,,,text/html,,none,0,0,0,0,0,0,not-its-type,{json},{json},0"),
        ];
        assert_eq!(fs::read_to_string(&report)?.lines().collect::<Vec<_>>(), expected, "{told}");
    }
    let (status, _, told) = run(&[&arguments[..6], &["/no/such/folder/report.csv"]].concat())?;
    assert!(status == 2 && told.contains("cannot write /no/such/folder/report.csv"), "{told}");
    let (status, _, told) = run(&[&arguments[..6], &[argument(&input.join("a.html"))]].concat())?;
    assert!(status == 2 && told.contains("a.html is an input; name another file"), "{told}");
    assert_eq!(fs::read_to_string(input.join("a.html"))?, page);
    Ok(())
}

/// A spreadsheet calculates what begins so.
#[test]
fn no_cell_of_the_report_is_a_formula() -> Outcome {
    let names = ["=1+1.html", "+1.html", "-1.html", "@a.html", "\ta.html", "\ra.html", "'a.html", "a=1.html"];
    let files: Vec<(String, &str)> = names.iter().map(|name| (format!("in/{name}"), "<a href=x>")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let folder = folder_with(&files)?;
    let (input, report) = (folder.path().join("in"), folder.path().join("report.csv"));
    let arguments = ["rewrite", "--dry-run", "--quiet", "--report", argument(&report), "--"];
    let (status, _, told) = run_in(&input, &[&arguments[..], &names].concat())?;
    assert!(status == 1 && told.contains("no base is known"), "{told}");
    let text = fs::read_to_string(&report)?;
    let mut expected: Vec<String> = names.iter().map(|name| format!("'{name}")).collect();
    expected[7] = names[7].to_owned();
    let mut found = Vec::new();
    for row in csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row?;
        assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{row:?}");
        found.push(row[0].to_owned());
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    Ok(())
}

#[test]
fn the_rows_add_up_to_the_summary() -> Outcome {
    add_up([fixtures()])
}

#[test]
#[ignore = "long: corpora"]
fn the_rows_of_corpora_add_up_to_the_summary() -> Outcome {
    add_up(CORPORA.iter().filter_map(|known| corpus(known.name)))
}

fn add_up(inputs: impl IntoIterator<Item = PathBuf>) -> Outcome {
    for input in inputs {
        let name = input.display().to_string();
        let folder = temporary_folder()?;
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let (one, four, summary) = (path("one.csv"), path("four.csv"), path("summary.json"));
        let common = ["rewrite", argument(&input), "--dry-run", "--url", "http://h/", "--quiet", "--report"];
        run(&[&common[..], &[&one, "--summary", &summary, "--jobs", "1"]].concat())?;
        run(&[&common[..], &[&four, "--jobs", "4"]].concat())?;
        assert!(fs::read(&one)? == fs::read(&four)?, "{name} depends on the threads");
        let summary: Value = serde_json::from_slice(&fs::read(Path::new(&summary))?)?;
        let mut reader = csv::Reader::from_path(&one)?;
        let mut sums = [0; 6];
        for row in reader.records() {
            let row = row?;
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum += row[6 + index].parse::<u64>()?;
            }
        }
        for (count, sum) in ["links", "rewritten", "absolute", "same_document", "kept", "unresolved"].iter().zip(sums) {
            assert_eq!(summary[*count], sum, "{}: {count}", input.display());
        }
    }
    Ok(())
}

/// The row of a record of a web archive has the digests of its content, before and after.
#[test]
fn rows_of_web_archives() -> Outcome {
    let (page, changed) = ("<a href=x>", "<a href=http://h/d/x>");
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:3f7c3b1e-0b0e-4b8e-9a51-000000000001>\r\n\
         WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    let folder = folder_with(&[("a.warc", &record)])?;
    let (input, output, report) =
        (folder.path().join("a.warc"), folder.path().join("b.warc"), folder.path().join("report.csv"));
    let common = ["rewrite", argument(&input), "-o", argument(&output), "--force", "--report", argument(&report)];
    for warc in ["append", "sidecar", "resource"] {
        let (status, _, told) = run(&[&common[..], &["--warc", warc]].concat())?;
        assert_eq!(status, 0, "{told}");
        let rows = fs::read_to_string(&report)?;
        let row = format!(
            "{},1,,text/html,http://h/d/,retrieval,1,1,0,0,0,0,,{},{},0",
            input.display(),
            sha256(page),
            sha256(changed)
        );
        assert_eq!(rows.lines().nth(1), Some(&*row), "{warc}");
    }
    Ok(())
}
