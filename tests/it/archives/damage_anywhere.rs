//! Archives damaged anywhere: no good record is missing in any form, and nothing is dropped without an exit status.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;

use absolve_verifier::{Rule, Settings, WarcOutput, verify_archive};
use flate2::bufread::GzDecoder;

use crate::support::derived::Failure;
use crate::support::warc::{HTML, check_by_warcio, member, record, response};
use crate::support::{Outcome, argument, folder_with, run};

/// A record of the archive, and what a run makes of it.
struct Made {
    raw: Vec<u8>,
    /// Bytes of its header and its block.
    length: usize,
    done: Option<String>,
}

fn made(number: u32) -> Made {
    let url = format!("http://h/{number}/page");
    let raw = match number % 5 {
        0 => record("metadata", number, &format!("WARC-Target-URI: {url}\r\n"), b"a: b\r\n"),
        1 => response(number, &url, "404 Not Found", HTML, b"<a href=x>"),
        _ => response(number, &url, "200 OK", HTML, format!("<p>{}\n<a href=x>", "text ".repeat(9)).as_bytes()),
    };
    let done = (number % 5 > 1).then(|| format!("<p>{}\n<a href=http://h/{number}/x>", "text ".repeat(9)));
    Made { length: raw.len() - 4, raw, done }
}

/// An archive in a file, and its good records.
struct Damaged {
    bytes: Vec<u8>,
    good: Vec<bool>,
    is_added: bool,
    what: String,
}

/// Damages these pieces, of which each is good while its range is whole.
fn damaged(pieces: &[(Vec<u8>, usize)], random: &mut fastrand::Rng) -> Damaged {
    let mut bytes = pieces.iter().flat_map(|(bytes, _)| bytes.clone()).collect::<Vec<u8>>();
    let mut starts = vec![0];
    starts.extend(pieces.iter().scan(0, |at, (bytes, _)| {
        *at += bytes.len();
        Some(*at)
    }));
    let boundary = starts[random.usize(..pieces.len())];
    let at = if random.bool() { boundary } else { random.usize(..bytes.len()) };
    let (what, range, inserted) = match random.u8(..5) {
        0 => ("zeros", at..at, vec![0; random.usize(1..200)]),
        1 => ("text", at..at, b"no record\r\nat all ".repeat(random.usize(1..9))),
        2 => ("cut", at..(at + random.usize(1..300)).min(bytes.len()), Vec::new()),
        3 => ("overwritten", at..(at + random.usize(1..60)).min(bytes.len()), vec![b'#'; 60]),
        _ => ("flipped", at..at + 1, vec![bytes[at] ^ 1 << random.u8(..8)]),
    };
    let is_good = |(start, length): (usize, usize)| {
        // What directly follows a block may be a part of it, if its length is damaged.
        range.end <= start || range.start > start + length
    };
    let good = starts.iter().zip(pieces).map(|(start, (_, length))| is_good((*start, *length))).collect();
    let what = format!("{what} {range:?} of {} ({starts:?})", bytes.len());
    let is_added = range.is_empty();
    bytes.splice(range, inserted);
    Damaged { bytes, good, is_added, what }
}

/// The decompressed archive, if each byte of it is of a member or of the zeros between members.
fn decompressed(mut file: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    while let Some(start) = file.iter().position(|byte| *byte != 0) {
        let mut member = GzDecoder::new(&file[start..]);
        member.read_to_end(&mut out).ok()?;
        file = member.into_inner();
    }
    Some(out)
}

type Pieces<'p> = HashSet<&'p [u8]>;

/// The records and their blocks, if the archive is one behind the other, perhaps with empty lines between them.
fn split(mut warc: &[u8]) -> Option<(Pieces<'_>, Pieces<'_>)> {
    let (mut records, mut blocks) = (HashSet::new(), HashSet::new());
    while !warc.is_empty() {
        let start = memchr::memmem::find(warc, b"\r\n\r\n").filter(|_| warc.starts_with(b"WARC/"))? + 4;
        let header = String::from_utf8_lossy(&warc[..start]).to_ascii_lowercase();
        let length =
            header.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok())?;
        let (record, rest) = warc.split_at_checked(start + length)?;
        records.insert(record);
        blocks.insert(&record[start..]);
        warc = rest.trim_ascii_start();
    }
    Some((records, blocks))
}

fn check(name: &str, made: &[Made], damaged: &Damaged) -> Result<Vec<u8>, Failure> {
    let folder = folder_with(&[])?;
    let (path, output) = (folder.path().join(name), folder.path().join("out"));
    fs::write(&path, &damaged.bytes)?;
    let is_gzip = name.ends_with(".gz");
    let content = |file: &[u8]| if is_gzip { decompressed(file) } else { Some(file.to_vec()) };
    let may_be_done = content(&damaged.bytes).is_some_and(|content| split(&content).is_some());
    let mut derived = Vec::new();
    for (mode, form) in
        [("append", WarcOutput::Append), ("sidecar", WarcOutput::Sidecar), ("resource", WarcOutput::Resource)]
    {
        fs::write(&output, b"")?;
        let arguments = ["rewrite", argument(&path), "-o", argument(&output), "--force", "--type", "warc"];
        let (status, _, errors) = run(&[&arguments[..], &["--warc", mode, "--warc-date", "1600000000"]].concat())?;
        let named = format!("{name}, {mode}, {}: {errors}", damaged.what);
        assert!(status == 1 || may_be_done, "exit {status}: {named}");
        let out = fs::read(&output).unwrap_or_default();
        let new = match mode {
            "append" => out.strip_prefix(&damaged.bytes[..]).ok_or("not its beginning")?,
            _ => &out,
        };
        if mode == "append" && errors.contains("no conversions are appended") {
            assert!(status == 1 && new.is_empty(), "{named}");
            continue;
        }
        let mut good = made.iter().zip(&damaged.good).filter(|(_, is_good)| **is_good).map(|(made, _)| made);
        if out.is_empty() && status == 1 && good.clone().all(|made| made.done.is_none()) {
            // Of a damaged archive in which nothing changes, nothing is written.
            continue;
        }
        let new = if is_gzip { decompressed(new).ok_or("not gzip")? } else { new.to_vec() };
        let (records, blocks) = split(new.trim_ascii_start()).ok_or_else(|| format!("not an archive: {named}"))?;
        let missing = good.find(|made| match &made.done {
            Some(done) => !blocks.contains(done.as_bytes()),
            None => mode == "resource" && !records.contains(&made.raw[..made.length]),
        });
        let missing = missing.map(|made| String::from_utf8_lossy(&made.raw));
        assert!(missing.is_none(), "a good record is missing: {named}\n{missing:?}");
        let verdict = verify_archive(&File::open(&path)?, &File::open(&output)?, &output, form, &Settings::default())?;
        let wrong = verdict.differences.iter().find(|one| !(status == 1 && one.rule == Rule::Unread));
        assert!(wrong.is_none(), "{named}: {wrong:?}");
        derived = out;
    }
    let (status, listed, errors) = run(&["links", "--json", "--type", "warc", argument(&path)])?;
    assert!(status == 1 || may_be_done, "links: {}: {errors}", damaged.what);
    let good = made.iter().zip(&damaged.good).filter(|(made, is_good)| **is_good && made.done.is_some()).count();
    assert!(listed.lines().count() >= good, "links: {}: {listed}", damaged.what);
    Ok(derived)
}

/// Zeros, text, cuts and flipped bits anywhere, in plain archives, in their members, and within the contents of members.
#[test]
fn no_good_record_is_missing() -> Outcome {
    let folder = folder_with(&[])?;
    for seed in 0..absolve_testing::rounds(1_500) as u64 {
        let mut random = fastrand::Rng::with_seed(seed);
        let made: Vec<_> = (1..=random.u32(3..9)).map(made).collect();
        let plain: Vec<_> = made.iter().map(|made| (made.raw.clone(), made.length)).collect();
        let (name, damaged) = match seed % 3 {
            0 => ("a.warc", damaged(&plain, &mut random)),
            1 => {
                let members = made.iter().map(|made| member(&made.raw)).collect::<Result<Vec<_>, _>>()?;
                let members: Vec<_> = members.into_iter().map(|bytes| (bytes.clone(), bytes.len() - 1)).collect();
                ("a.warc.gz", damaged(&members, &mut random))
            }
            _ => {
                let damaged = damaged(&plain, &mut random);
                ("a.warc.gz", Damaged { bytes: member(&damaged.bytes)?, ..damaged })
            }
        };
        let derived = check(name, &made, &damaged).map_err(|error| format!("seed {seed}: {error}"))?;
        // warcio fails on some headers that are cut or overwritten, which are copied.
        if damaged.is_added {
            fs::write(folder.path().join(format!("{seed}{}", &name[1..])), derived)?;
        }
    }
    check_by_warcio(folder.path(), "archives derived of damaged ones");
    Ok(())
}
