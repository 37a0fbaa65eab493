//! Damaged archives: what is damaged stays, and is reported; all else is done, and the verifier finds that right.

use std::fs::{self, File};
use std::io;

use absolve_verifier::{Settings, WarcOutput, verify_archive};
use data_encoding::{BASE32, HEXLOWER};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::support::derived::Failure;
use crate::support::warc::{HTML, decompressed, member, record, records, response};
use crate::support::{Outcome, argument, folder_with, run};

const URL: &str = "http://h/d/page";

fn page(number: u32) -> Vec<u8> {
    response(number, URL, "200 OK", HTML, format!("<p>page {number} <a href=x>").as_bytes())
}

/// What comes of a run: its status, its messages, what it writes, and whether the verifier finds nothing wrong.
struct Made {
    status: i32,
    told: String,
    out: Vec<u8>,
    holds: bool,
}

fn rewritten(name: &str, input: &[u8], mode: &str, flags: &[&str]) -> Result<Made, Failure> {
    let folder = folder_with(&[])?;
    let (path, output) = (folder.path().join(name), folder.path().join("out"));
    fs::write(&path, input)?;
    let arguments = ["rewrite", argument(&path), "-o", argument(&output), "--warc", mode, "--verbose"];
    let (status, _, told) = run(&[&arguments[..], &["--warc-date", "1600000000"], flags].concat())?;
    let out = if output.exists() { fs::read(&output)? } else { Vec::new() };
    let (holds, ..) = run(&[&["verify", argument(&path), argument(&output), "--warc", mode][..], flags].concat())?;
    Ok(Made { status, told, out, holds: holds == 0 })
}

/// What the verifier says of two archives.
fn told_by_verify(original: &[u8], written: &[u8], mode: &str) -> Result<String, Failure> {
    let folder = folder_with(&[])?;
    let (old, new) = (folder.path().join("a.warc"), folder.path().join("out"));
    fs::write(&old, original)?;
    fs::write(&new, written)?;
    let (status, told, _) = run(&["verify", argument(&old), argument(&new), "--warc", mode])?;
    assert_eq!(status, 1, "{told}");
    Ok(told)
}

/// The blocks of the records of these types.
fn blocks(name: &str, bytes: &[u8], types: &[&str]) -> Result<Vec<String>, Failure> {
    let records = records(&decompressed(name, bytes)?)?.into_iter();
    let of_types = records.filter(|record| types.contains(&record.field("WARC-Type")));
    Ok(of_types.map(|record| String::from_utf8_lossy(&record.block).into_owned()).collect())
}

fn done(numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(|number| format!("<p>page {number} <a href=http://h/d/x>")).collect()
}

/// A digest of what is made of a record would hide a bit that is flipped in it.
#[test]
fn a_flipped_bit_gets_no_clean_digest() -> Outcome {
    let body = b"<p>\xe4 page <a href=x>";
    let block = [&b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"[..], body].concat();
    let flipped = b"<p>\xe4 qage <a href=x>";
    let digests = |bytes: &[u8]| {
        [
            format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes))),
            format!("sha1:{}", HEXLOWER.encode(&Sha1::digest(bytes))),
            format!("SHA-256:{}", HEXLOWER.encode(&Sha256::digest(bytes))),
            format!("sha512:{}", BASE32.encode(&Sha512::digest(bytes))),
            format!("md5:{}", HEXLOWER.encode(&Md5::digest(bytes)).to_uppercase()),
        ]
    };
    let told = ["WARC-Block-Digest", "WARC-Payload-Digest"].into_iter().zip([&block[..], body]);
    for (field, digest) in told.flat_map(|(field, bytes)| digests(bytes).map(|digest| (field, digest))) {
        let fields = format!("WARC-Target-URI: {URL}\r\nContent-Type: application/http\r\n{field}: {digest}\r\n");
        let good = record("response", 1, &fields, &block);
        let at = memchr::memmem::find(&good, b"page <a").ok_or("no page")?;
        let mut bad = good.clone();
        bad[at] ^= 1;
        assert!(memchr::memmem::find(&bad, flipped).is_some());
        for mode in ["append", "sidecar", "resource"] {
            let changed = rewritten("a.warc", &good, mode, &[])?;
            assert!(changed.status == 0 && changed.holds && changed.out != good, "{mode}: {}", changed.told);
            let left = rewritten("a.warc", &bad, mode, &[])?;
            assert!(left.told.contains(&format!("record 1: record-digest: its {field} is {digest}")), "{}", left.told);
            assert!(left.out == if mode == "sidecar" { &b""[..] } else { &bad }, "{mode}: {field}: {digest}");
            // Of an archive without conversions there is no sidecar.
            assert!(left.status == 0 && (left.holds || mode == "sidecar"), "{mode}: {field}: {digest}");
            let forced = rewritten("a.warc", &bad, mode, &["--ignore-digests"])?;
            assert!(forced.told.contains("record 1: record-digest") && forced.holds, "{mode}: {}", forced.told);
            assert!(forced.out.ends_with(b"\r\n\r\n") && forced.out != bad, "{mode}");
            let told = told_by_verify(&bad, &forced.out, mode)?;
            assert!(told.contains("has digests that do not match its content"), "{mode}: {told}");
        }
    }
    Ok(())
}

/// What is no digest, or one of a reading that some writers take, is no damage.
#[test]
fn digests_that_say_nothing() -> Outcome {
    let chunked = b"a\r\n<a href=x>\r\n0\r\n\r\n";
    let gzipped = member(b"<a href=x>")?;
    let sha1 = |bytes: &[u8]| format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)));
    let other = sha1(b"other");
    let digest = |field: &str, told: &str| format!("{field}: {told}\r\n");
    for (name, coding, body, fields) in [
        ("as stored", "Transfer-Encoding: chunked\r\n", &chunked[..], digest("WARC-Payload-Digest", &sha1(chunked))),
        ("chunks", "Transfer-Encoding: chunked\r\n", chunked, digest("WARC-Payload-Digest", &sha1(b"<a href=x>"))),
        ("coding", "Content-Encoding: gzip\r\n", &gzipped, digest("WARC-Payload-Digest", &sha1(b"<a href=x>"))),
        ("algorithm", "", b"<a href=x>", digest("WARC-Block-Digest", "blake3:abcdef")),
        ("spelling", "", b"<a href=x>", digest("WARC-Block-Digest", "sha1:X")),
        ("part", "", b"<a href=x>", digest("WARC-Payload-Digest", &other) + "WARC-Truncated: length\r\n"),
    ] {
        let block = [format!("HTTP/1.1 200 OK\r\n{HTML}{coding}\r\n").as_bytes(), body].concat();
        let fields = format!("WARC-Target-URI: {URL}\r\nContent-Type: application/http\r\n{fields}");
        let made = rewritten("a.warc", &record("response", 1, &fields, &block), "sidecar", &[])?;
        assert_eq!(blocks("a.warc", &made.out, &["conversion"])?, ["<a href=http://h/d/x>"], "{name}: {}", made.told);
        assert!(made.status == 0 && made.holds && !made.told.contains("record-digest"), "{name}: {}", made.told);
    }
    Ok(())
}

/// The records before and behind it are done, and the finding names the damaged one.
#[test]
fn a_damaged_byte_costs_one_record_only() -> Outcome {
    let members: Vec<_> = (1..=4).map(|number| member(&page(number))).collect::<Result<_, _>>()?;
    let whole = members.concat();
    let (start, end) = (members[0].len(), members[0].len() + members[1].len());
    for (name, at, bit) in [
        ("magic", 0, 1),
        ("content", 40, 16),
        ("checksum", members[1].len() - 8, 1),
        ("length", members[1].len() - 1, 1),
    ] {
        let mut input = whole.clone();
        input[start + at] ^= bit;
        for mode in ["append", "sidecar", "resource"] {
            let made = rewritten("a.warc.gz", &input, mode, &[])?;
            let name = format!("{name}, {mode}: {}", made.told);
            let passed_over = format!("record 2: record-damaged: bytes {start} to {end} of the file");
            assert!(made.status == 1 && made.told.contains(&passed_over) && made.holds, "{name}");
            assert!(
                made.told.contains("record 2 is damaged and left unchanged; the records after it are processed"),
                "{name}"
            );
            let added = if mode == "append" {
                made.out.strip_prefix(&input[..]).ok_or("not its beginning")?
            } else {
                &made.out
            };
            assert_eq!(blocks("a.warc.gz", added, &["conversion", "resource"])?, done(&[1, 3, 4]), "{name}");
        }
        let again = rewritten("a.warc.gz", &rewritten("a.warc.gz", &input, "append", &[])?.out, "append", &[])?;
        assert!(again.told.contains("0 files changed") && again.holds, "{}", again.told);
    }
    Ok(())
}

/// What stands before the damage in one member for all records is done.
#[test]
fn one_member_for_all_records() -> Outcome {
    let pages: Vec<u8> = (1..=40).flat_map(page).collect();
    let whole = member(&pages)?;
    let cut = whole[..whole.len() * 3 / 4].to_vec();
    let mut inside = [&whole[..], &member(&page(41))?].concat();
    inside.drain(whole.len() / 2..whole.len() - 20);
    let mut checksum = [&whole[..], &member(&page(41))?].concat();
    checksum[whole.len() - 6] ^= 1;
    for (name, input) in [("cut", cut), ("inside", inside), ("checksum", checksum)] {
        for mode in ["sidecar", "resource"] {
            let made = rewritten("a.warc.gz", &input, mode, &[])?;
            let blocks = blocks("a.warc.gz", &made.out, &["conversion", "resource"])?;
            let expected: Vec<u32> = match name {
                "checksum" => vec![41],
                _ => (1..=blocks.len() as u32 - 1)
                    .chain([if name == "cut" { blocks.len() as u32 } else { 41 }])
                    .collect(),
            };
            assert_eq!(blocks, done(&expected), "{name}, {mode}: {}", made.told);
            assert!(made.status == 1 && (made.holds || name == "cut"), "{name}, {mode}: {}", made.told);
            assert!(name == "checksum" || blocks.len() > 3, "{name}, {mode}: {}", blocks.len());
        }
    }
    Ok(())
}

/// The last record is damaged, or breaks off: then nothing is added, and nobody says that something is done.
#[test]
fn what_breaks_off_is_not_reported_as_done() -> Outcome {
    let members: Vec<_> = (1..=3).map(|number| member(&page(number))).collect::<Result<_, _>>()?;
    let whole = members.concat();
    let mut damaged = whole.clone();
    damaged[whole.len() - 5] ^= 1;
    let made = rewritten("a.warc.gz", &damaged, "append", &[])?;
    let added = made.out.strip_prefix(&damaged[..]).ok_or("not its beginning")?;
    assert_eq!(blocks("a.warc.gz", added, &["conversion"])?, done(&[1, 2]), "{}", made.told);
    assert!(made.status == 1 && made.holds && made.told.contains("record 3 is damaged"), "{}", made.told);
    for input in [&whole[..whole.len() - 5], &[&whole[..], b"garbage"].concat()] {
        let made = rewritten("a.warc.gz", input, "append", &[])?;
        assert!(made.status == 1 && made.out == input, "{}", made.told);
        assert!(made.told.contains("no conversions are appended") && !made.told.contains("processed"), "{}", made.told);
        let sidecar = rewritten("a.warc.gz", input, "sidecar", &[])?;
        let count = blocks("a.warc.gz", &sidecar.out, &["conversion"])?.len();
        assert!(
            (2..=3).contains(&count) && sidecar.told.contains("the records before it are processed"),
            "{}",
            sidecar.told
        );
    }
    Ok(())
}

/// A record whose length is damaged swallows none of those behind it.
#[test]
fn a_damaged_length_costs_one_record_only() -> Outcome {
    let good = String::from_utf8(page(2))?;
    let at = good.find("Content-Length: ").ok_or("no length")? + 16;
    let length: usize = good[at..].lines().next().unwrap_or_default().parse()?;
    for wrong in [length - 10, length + 30, length + 400, 999, 9_999_999] {
        let bad = good.replacen(&length.to_string(), &wrong.to_string(), 1);
        let bad =
            if bad.contains(&format!("Content-Length: {wrong}")) { bad } else { return Err("not damaged".into()) };
        let plain = [&page(1)[..], bad.as_bytes(), &page(3), &page(4)].concat();
        let gzip = [member(&page(1))?, member(bad.as_bytes())?, member(&page(3))?, member(&page(4))?].concat();
        for (name, input) in [("a.warc", plain), ("a.warc.gz", gzip)] {
            for mode in ["append", "sidecar", "resource"] {
                let made = rewritten(name, &input, mode, &[])?;
                let named = format!("{name}, {mode}, {wrong}: {}", made.told);
                assert!(made.status == 1 && made.told.contains("record 2: record-cut-off") && made.holds, "{named}");
                let start = if mode == "append" { input.len() } else { 0 };
                assert_eq!(blocks(name, &made.out[start..], &["conversion", "resource"])?, done(&[1, 3, 4]), "{named}");
            }
        }
    }
    Ok(())
}

/// The records of an ARC are found again as those of a WARC are.
#[test]
fn damaged_records_of_an_arc() -> Outcome {
    let block = |number: u32| format!("HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>page {number} <a href=x>");
    let line = |length: usize| format!("{URL} 127.0.0.1 20140216050221 text/html {length}\n");
    let one = |number: u32| format!("{}{}\n", line(block(number).len()), block(number)).into_bytes();
    let head = b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 2\n1\n\n".to_vec();
    let long = |more: usize| format!("{}{}\n", line(block(2).len() + more), block(2)).into_bytes();
    let plain = [head.clone(), one(1), long(40), one(3), one(4)].concat();
    let mut members = [member(&head)?, member(&one(1))?, member(&one(2))?, member(&one(3))?, member(&one(4))?];
    members[2][40] ^= 16;
    for (name, input) in [("a.arc", plain), ("a.arc.gz", members.concat())] {
        let made = rewritten(name, &input, "append", &[])?;
        assert!(made.status == 1 && made.told.contains("record 3: record-") && made.holds, "{name}: {}", made.told);
        let packing = if name == "a.arc" { "" } else { ".gz" };
        assert_eq!(blocks(packing, &made.out, &["conversion"])?, done(&[1, 3, 4]), "{name}");
    }
    // Lengths that end anywhere in the next record. One that ends where it does is right, as far as anyone can see.
    for more in (1..one(3).len()).filter(|more| *more != 1) {
        let input = [head.clone(), one(1), long(more), one(3), one(4)].concat();
        let made = rewritten("a.arc", &input, "append", &[])?;
        assert_eq!(blocks("", &made.out, &["conversion"])?, done(&[1, 3, 4]), "{more}: {}", made.told);
        assert!(made.status == 1 && made.told.contains("record 3: record-cut-off"), "{more}: {}", made.told);
    }
    // Without its first sector it is an ARC by its name and its next members.
    let mut members = [&members[..2], &[member(&one(2))?, member(&one(3))?]].concat().concat();
    members[..100].fill(0);
    let made = rewritten("a.arc.gz", &members, "append", &[])?;
    assert!(made.status == 1 && made.told.contains("record-damaged"), "{}", made.told);
    assert_eq!(blocks(".gz", &made.out, &["conversion"])?, done(&[2, 3]), "{}", made.told);
    Ok(())
}

/// Wherever one bit is damaged, nothing else is lost, and the verifier finds what is written right.
#[test]
fn any_bit_of_an_archive() -> Outcome {
    let members: Vec<_> = (1..=4).map(|number| member(&page(number))).collect::<Result<_, _>>()?;
    let (gzip, plain) = (members.concat(), (1..=4).flat_map(page).collect::<Vec<_>>());
    let folder = folder_with(&[])?;
    let mut random = fastrand::Rng::with_seed(17);
    for round in 0..absolve_testing::rounds(600) {
        let (name, whole) = if round % 2 == 0 { ("a.warc.gz", &gzip) } else { ("a.warc", &plain) };
        let mut input = whole.clone();
        let at = random.usize(..input.len());
        input[at] ^= 1 << random.u8(..8);
        let (path, output) = (folder.path().join(name), folder.path().join("out"));
        fs::write(&path, &input)?;
        for (mode, output_kind) in [("append", WarcOutput::Append), ("resource", WarcOutput::Resource)] {
            let arguments =
                ["rewrite", argument(&path), "-o", argument(&output), "--force", "--warc", mode, "--type", "warc"];
            let (status, _, told) = run(&arguments)?;
            let verdict =
                verify_archive(&File::open(&path)?, &File::open(&output)?, &output, output_kind, &Settings::default())?;
            let named = format!("{name}, {mode}, byte {at} of {}: {told}", input.len());
            // What is left relative is left with a finding, or is a link no more.
            let wrong =
                verdict.differences.iter().find(|one| !(status == 1 && one.rule == absolve_verifier::Rule::Unread));
            assert!(wrong.is_none(), "{named}: {wrong:?}");
            let changed = verdict.counts.proven;
            let is_refused = told.contains("no conversions are appended");
            assert!(changed >= 2 || is_refused, "{named}: {changed}");
        }
    }
    Ok(())
}

/// One bit at the start, or other bytes before it, and all members behind are done.
#[test]
fn damage_at_the_start_does_not_hide_the_archive() -> Outcome {
    let whole = [1, 2, 3].map(page).iter().map(|record| member(record)).collect::<io::Result<Vec<_>>>()?;
    let mut flipped = whole.concat();
    flipped[1] ^= 4;
    let before = [b"garbage".to_vec(), whole.concat()].concat();
    for (damaged, numbers) in [(flipped, &[2, 3][..]), (before, &[1, 2, 3])] {
        for (mode, kind) in [("append", "conversion"), ("sidecar", "conversion"), ("resource", "resource")] {
            let made = rewritten("a.warc.gz", &damaged, mode, &[])?;
            assert!(made.status == 1 && made.told.contains("record-damaged"), "{mode}: {}", made.told);
            assert!(mode != "append" || made.out.starts_with(&damaged), "{mode}");
            let out = if mode == "append" { &made.out[damaged.len()..] } else { &made.out };
            assert_eq!(blocks("a.warc.gz", out, &[kind])?, done(numbers), "{mode}: {}", made.told);
            assert!(made.holds, "{mode}: {}", made.told);
        }
    }
    Ok(())
}

/// A record whose length covers the next one as well: its gzip member ends before, and elsewhere no record follows what it claims.
#[test]
fn a_length_beyond_the_next_record_costs_one_record_only() -> Outcome {
    let next = page(3);
    let body = next.len() - 4 - "<p>page 3 <a href=x>".len();
    for (name, more) in [
        ("a.warc.gz", next.len()),
        ("a.warc.gz", 4 + next.len()),
        ("a.warc.gz", 7),
        ("a.warc.gz", 1 << 40),
        // It ends with the HTTP header of the next one.
        ("a.warc", body),
    ] {
        let text = String::from_utf8(page(2))?;
        let (before, rest) = text.split_once("Content-Length: ").ok_or("no length")?;
        let (length, rest) = rest.split_once('\r').ok_or("no end of the line")?;
        let longer = format!("{before}Content-Length: {}\r{rest}", length.parse::<usize>()? + more).into_bytes();
        let pages = [page(1), longer, next.clone(), page(4)];
        let members = pages.iter().map(|page| member(page)).collect::<Result<Vec<_>, _>>()?;
        let input = if name == "a.warc" { pages.concat() } else { members.concat() };
        for mode in ["append", "sidecar", "resource"] {
            let made = rewritten(name, &input, mode, &[])?;
            let damaged = "record 2 is damaged and left unchanged; the records after it are processed";
            assert!(made.status == 1 && made.told.contains(damaged) && made.holds, "{more}, {mode}: {}", made.told);
            let added = made.out.strip_prefix(&input[..]).unwrap_or(&made.out);
            assert_eq!(blocks(name, added, &["conversion", "resource"])?, done(&[1, 3, 4]), "{more}, {mode}");
        }
    }
    Ok(())
}

/// Members of the first bytes of which one is wrong are gzip nevertheless, however far the next one is.
#[test]
fn reads_behind_a_first_member_with_a_damaged_start() -> Outcome {
    let noise: String =
        (0..40_000_u64).map(|number| format!("{} ", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let long = member(&response(1, URL, "200 OK", HTML, noise.as_bytes()))?;
    assert!(long.len() > 100_000, "{}", long.len());
    for at in 0..3 {
        let mut input = [long.clone(), member(&page(2))?].concat();
        input[at] ^= 1;
        let made = rewritten("a.warc.gz", &input, "sidecar", &[])?;
        assert!(
            made.status == 1 && made.holds && made.told.contains("record 1: record-damaged"),
            "{at}: {}",
            made.told
        );
        assert_eq!(blocks("a.warc.gz", &made.out, &["conversion"])?, done(&[2]), "{at}: {}", made.told);
    }
    Ok(())
}
