//! What the program makes of web archives, the verifier finds right by another road; and it finds each fault.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use crate::support::derived::{Failure, id};
use crate::support::warc::{archive, compressed, member, record, response};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{IN_FULL, corpus, files, print_line, rounds, temporary_folder};
use absolve_verifier::{
    Difference, Rule, Settings, Verdict, WarcOutput, verify_archive, verify_unconverted, verify_wacz,
};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const MODES: [(&str, WarcOutput); 3] =
    [("append", WarcOutput::Append), ("sidecar", WarcOutput::Sidecar), ("resource", WarcOutput::Resource)];

#[test]
fn archives_of_all_kinds_of_records() -> Outcome {
    let folder = folder_with(&[])?;
    let (made, _) = archive()?;
    for (name, bytes) in compressed(&made)? {
        let path = folder.path().join(name);
        fs::write(&path, bytes)?;
        for (mode, output) in MODES {
            let Checked { verdict, unexplained, .. } = check(&path, mode, output)?;
            assert!(unexplained.is_empty(), "{name}, {mode}: {}", unexplained.join("\n"));
            // Those of the message are counted where messages are verified.
            assert!(verdict.counts.proven >= 15, "{name}, {mode}: {} links", verdict.counts.proven);
            assert_eq!(verdict.counts.records, 25, "{name}, {mode}");
        }
    }
    Ok(())
}

#[test]
#[ignore = "long: archives of the corpora"]
fn archives_of_corpora() -> Outcome {
    let (mut failures, mut proven) = (Vec::new(), 0);
    for name in ["warc-aut-blackbook", "warc-commons-wget", "warc-jwarc", "warc-warcio", "wacz-py-wacz"] {
        let Some(folder) = corpus(name) else { continue };
        for path in files(&folder)?.into_iter().filter(|path| !path.ends_with("LICENSE")) {
            for (mode, output) in MODES {
                let is_wacz = path.extension().is_some_and(|extension| extension == "wacz");
                // A WACZ holds no conversions, and an ARC no resources.
                let is_arc = path.to_string_lossy().contains(".arc");
                if (is_wacz && output != WarcOutput::Resource) || (is_arc && output == WarcOutput::Resource) {
                    continue;
                }
                let Checked { verdict, unexplained, changed } = check(&path, mode, output)?;
                let named = format!("{}, {mode}", path.display());
                print_line(&format!("{named}: {:?}, {} differences", verdict.counts, verdict.differences.len()));
                if changed && verdict.counts.proven == 0 {
                    failures.push(format!("{named}: it changed, and nothing is proven"));
                }
                failures.extend(unexplained.into_iter().take(5).map(|one| format!("{named}: {one}")));
                proven += verdict.counts.proven;
            }
        }
    }
    print_line(&format!("{proven} links proven"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Where an archive breaks off, or holds something else, the program says so, and all else is right.
#[test]
fn odd_archives() -> Outcome {
    let folder = folder_with(&[])?;
    let (made, _) = archive()?;
    let page = |number: u32, fields: &str| {
        let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
        record("response", number, &format!("WARC-Target-URI: http://h/d/{number}\r\n{fields}"), block)
    };
    let page_without_links = |number: u32, fields: &str| {
        let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>none";
        record("response", number, &format!("WARC-Target-URI: http://h/d/{number}\r\n{fields}"), block)
    };
    let request = |fields: &str, method: &str| {
        record(
            "request",
            9,
            &format!("WARC-Target-URI: http://h/d/1\r\n{fields}"),
            format!("{method} / HTTP/1.1\r\n\r\n").as_bytes(),
        )
    };
    let concurrent = |number: u32| format!("WARC-Concurrent-To: {}\r\n", id(number));
    let revisit = |fields: &str| record("revisit", 8, &format!("WARC-Target-URI: http://h/e/\r\n{fields}"), b"");
    let refers = format!("WARC-Refers-To: {}\r\n", id(1));
    let place = "WARC-Refers-To-Target-URI: http://h/d/1\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n";
    let digest = "WARC-Payload-Digest: sha1:X\r\n";
    let whole = made.concat();
    let members = compressed(&made)?.swap_remove(1).1;
    let one = page(1, "");
    // Its length counts the line ends behind it, so that it has none.
    let ends_in_block = response(2, "http://h/d/2", "404 Not Found", "", b"x\r\n\r\n");
    let ends_in_block = ends_in_block[..ends_in_block.len() - 4].to_vec();
    let archives = [
        ("nothing.warc", Vec::new()),
        ("cut in a block.warc", whole[..whole.len() - 30].to_vec()),
        ("cut in a heading.warc", whole[..made[..24].concat().len() + 40].to_vec()),
        ("no line ends.warc", whole[..whole.len() - 4].to_vec()),
        ("half of them.warc", whole[..whole.len() - 2].to_vec()),
        ("cut.warc.gz", members[..members.len() / 2].to_vec()),
        ("cut in a trailer.warc.gz", members[..members.len() - 3].to_vec()),
        ("zeros.warc.gz", [&members[..], &[0; 100]].concat()),
        ("garbage.warc.gz", [&members[..], b"garbage"].concat()),
        ("garbage within.warc", [&one[..], b"garbage\r\n\r\n", &page(2, "")].concat()),
        ("garbage behind.warc", [&one[..], b"garbage"].concat()),
        ("one id.warc", [&one[..], &page(1, ""), &page(1, "X: y\r\n")].concat()),
        ("post before.warc", [request(&concurrent(1), "POST"), one.clone()].concat()),
        ("post behind.warc", [page(1, &concurrent(9)), request("", "POST"), page(2, "")].concat()),
        ("get.warc", [request(&concurrent(1), "GET"), one.clone()].concat()),
        ("revisit by id.warc", [one.clone(), revisit(&refers)].concat()),
        ("revisit by place.warc", [one.clone(), revisit(place)].concat()),
        ("revisit by digest.warc", [page(1, digest), revisit(digest)].concat()),
        // The page that is kept answers the revisit, so that the other one may be replaced.
        ("revisit of one of two.warc", [page_without_links(1, digest), revisit(digest), page(2, digest)].concat()),
        ("revisit of nothing.warc", [one.clone(), revisit("")].concat()),
        ("folded.warc", page(1, "X: a\r\n b\r\n")),
        ("line ends in a block.warc", [one.clone(), ends_in_block.clone()].concat()),
        ("line ends in a block.warc.gz", [member(&one)?, member(&ends_in_block)?].concat()),
    ];
    for (name, bytes) in archives {
        let path = folder.path().join(name);
        fs::write(&path, &bytes)?;
        for (mode, output) in MODES {
            let Checked { verdict, unexplained, changed } = check(&path, mode, output)?;
            assert!(unexplained.is_empty(), "{name}, {mode}: {}", unexplained.join("\n"));
            assert!(!changed || verdict.counts.proven > 0, "{name}, {mode}");
        }
    }
    Ok(())
}

/// A record that is too long to be held is copied in pieces, with line ends or a member of its own.
#[test]
fn records_over_the_limit_are_copied() -> Outcome {
    let folder = folder_with(&[])?;
    let page = |number| response(number, "http://h/d/", "200 OK", "Content-Type: text/html\r\n", b"<a href=x>");
    let long = response(2, "http://h/film", "200 OK", "Content-Type: video/mp4\r\n", &vec![b' '; 129 << 20]);
    let odd = [&long[..long.len() - 4], b"\n\n"].concat();
    let (one, other) = (page(1), page(3));
    let compressed = || Ok::<_, Failure>([member(&one)?, member(&long)?, member(&other)?, member(&odd)?].concat());
    let members = if IN_FULL { compressed()? } else { Vec::new() };
    // Of a record that begins there, the first piece that is read is short.
    let end_of_piece = (8 << 20) - one.len() - (odd.len() - (129 << 20));
    let image = |length| response(4, "http://h/i", "200 OK", "Content-Type: image/png\r\n", &vec![b' '; length]);
    let one = [image(end_of_piece - image(1 << 20).len() + (1 << 20)), one].concat();
    let row = json!({ "offset": one.len(), "length": odd.len(), "filename": "a.warc", "recordDigest": "sha256:0" });
    let plain = [one, odd, other, long].concat();
    let mut wacz = ZipWriter::new(Cursor::new(Vec::new()));
    let index = format!("h)/film 20200101000000 {row}\n");
    for (name, bytes) in [("archive/a.warc", &plain[..]), ("indexes/index.cdxj", index.as_bytes())] {
        wacz.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored))?;
        wacz.write_all(bytes)?;
    }
    let wacz = wacz.finish()?.into_inner();
    for (name, bytes) in [("long.warc", plain), ("long.wacz", wacz), ("long.warc.gz", members)]
        .into_iter()
        .take(if IN_FULL { 3 } else { 2 })
    {
        let path = folder.path().join(name);
        fs::write(&path, &bytes)?;
        let Checked { verdict, unexplained, .. } = check(&path, "resource", WarcOutput::Resource)?;
        assert!(unexplained.is_empty() && verdict.counts.proven == 2, "{name}: {}", unexplained.join("\n"));
    }
    Ok(())
}

/// Conversions that the archive holds already count.
#[test]
fn conversions_of_a_run_before() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, archive()?.0.concat())?;
    let (first, ..) = rewritten(&path, folder.path(), &[])?;
    let again = folder.path().join("again.warc");
    fs::rename(first, &again)?;
    let Checked { verdict, unexplained, changed } = check(&again, "append", WarcOutput::Append)?;
    assert!(unexplained.is_empty() && !changed, "{}", unexplained.join("\n"));
    assert!(verdict.counts.proven >= 15, "{:?}", verdict.counts);
    Ok(())
}

/// Whatever stands in two files, they can be compared.
#[test]
fn any_bytes() -> Outcome {
    let folder = folder_with(&[])?;
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let mut random = fastrand::Rng::with_seed(1);
    let archives = compressed(&archive()?.0)?;
    for _ in 0..rounds(150) {
        for path in [&old, &new] {
            let mut bytes = archives[random.usize(..archives.len())].1.clone();
            for _ in 0..random.usize(..4) {
                let (at, length) = (random.usize(..bytes.len()), random.usize(..200));
                match random.u8(..3) {
                    0 => bytes[at] = random.u8(..),
                    1 => drop(bytes.drain(at..(at + length).min(bytes.len()))),
                    _ => drop(bytes.splice(at..at, vec![random.u8(..); length])),
                }
            }
            fs::write(path, bytes)?;
        }
        for (_, output) in MODES {
            // A damaged dictionary may keep a file from being read.
            let _ = verify_archive(&File::open(&old)?, &File::open(&new)?, &new, output, &Settings::default());
        }
        verify_wacz(&old, &new, &Settings::default())?;
    }
    Ok(())
}

/// What came of a run and of verifying it.
struct Checked {
    verdict: Verdict,
    /// Differences of which the run reports nothing.
    unexplained: Vec<String>,
    /// Whether anything was written that is not in the original.
    changed: bool,
}

fn check(path: &Path, mode: &str, output: WarcOutput) -> Result<Checked, Failure> {
    let folder = temporary_folder()?;
    let summary = folder.path().join("summary");
    let (written, status, told) = rewritten(path, folder.path(), &["--warc", mode, "--summary", argument(&summary)])?;
    let verdict = match path.extension().is_some_and(|extension| extension == "wacz") {
        true => verify_wacz(path, &written, &Settings::default())?,
        // Of what breaks off and has nothing to replace, nothing is written.
        false if status == 1 && written.metadata()?.len() == 0 => {
            verify_unconverted(&File::open(path)?, &Settings::default())?
        }
        false => verify_archive(&File::open(path)?, &File::open(&written)?, &written, output, &Settings::default())?,
    };
    let summary: Value = serde_json::from_str(&fs::read_to_string(&summary)?)?;
    let changed = ["conversions", "resources"].iter().any(|count| summary[*count].as_u64() > Some(0));
    let left = left(path)?;
    let is_explained = |one: &&Difference| match one.rule {
        Rule::Relative => {
            left.contains(&(one.record.clone(), one.original.clone()))
                || told.contains(&format!("record {}: ", one.record))
        }
        Rule::Unread => status == 1,
        _ => false,
    };
    let unexplained = verdict.differences.iter().filter(|one| !is_explained(one)).map(ToString::to_string).collect();
    Ok(Checked { verdict, unexplained, changed })
}

/// Runs the program; returns where it writes, its status, and its messages.
fn rewritten(path: &Path, folder: &Path, flags: &[&str]) -> Result<(PathBuf, i32, String), Failure> {
    let output = folder.join("out");
    let arguments = ["rewrite", argument(path), "-o", argument(&output), "--verbose", "--warc-date", "1600000000"];
    let (status, _, told) = run(&[&arguments[..], flags].concat())?;
    // Where there is nothing to write, there may be no file.
    if !output.exists() {
        fs::write(&output, "")?;
    }
    Ok((output, status, told))
}

/// The links that the program says it leaves: their records, and what they say.
fn left(path: &Path) -> Result<HashSet<(String, String)>, Failure> {
    let (_, told, _) = run(&["links", "--json", argument(path)])?;
    let mut left = HashSet::new();
    for line in told.lines() {
        let link: Value = serde_json::from_str(line)?;
        let text = |name: &str| link[name].as_str().unwrap_or_default().to_owned();
        if ["kept", "unresolved"].contains(&&*text("status")) {
            left.insert((text("record"), text("reference")));
        }
    }
    Ok(left)
}
