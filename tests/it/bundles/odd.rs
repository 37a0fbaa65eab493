//! Archives that are damaged, hostile or unusual.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use crate::bundles::made::{Failure, Odd, PAGE, gzip, odd, odd_zip, tar_header, tar_of, untarred, zip_of};
use crate::support::{Outcome, absolve, argument, run};
use absolve_testing::temporary_folder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use zip::CompressionMethod;

const DONE: &[u8] = b"<a href=http://h/x>";

/// An mbox with this link in each message. It is written when its turn comes, without a temporary file.
fn mbox(link: &str) -> Vec<u8> {
    let message = "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=";
    format!("{message}{link}>\n\n").repeat(3).into_bytes()
}

/// Rewrites an archive. Returns the exit status, the output, if there is one, and what was reported.
fn rewritten(name: &str, archive: &[u8]) -> Result<(i32, Option<Vec<u8>>, String), Failure> {
    let folder = temporary_folder()?;
    let (input, output) = (folder.path().join(name), folder.path().join("out").join(name));
    fs::write(&input, archive)?;
    let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"])?;
    let written = if output.exists() { Some(fs::read(&output)?) } else { None };
    let names: Vec<_> = fs::read_dir(folder.path())?.flatten().map(|entry| entry.file_name()).collect();
    assert!(names.len() <= 2, "{name}: {names:?}");
    if status == 0 {
        let (status, found, says) = run(&["verify", argument(&input), argument(&output), "--url", "http://h/"])?;
        assert!((status, &*found) == (0, "") || says.contains("no document"), "{name}: {found}{says}");
    }
    Ok((status, written, says))
}

/// The contents of a member of a ZIP file, by rawzip.
fn content(archive: &[u8], wanted: usize) -> Result<Vec<u8>, Failure> {
    let archive = rawzip::ZipArchive::from_slice(archive)?;
    let entry = archive.entries().nth(wanted).ok_or("no such member")??;
    let member = archive.get_entry(entry.wayfinder())?;
    let mut bytes = Vec::new();
    match entry.compression_method() {
        rawzip::CompressionMethod::STORE => member.verifying_reader(member.data()).read_to_end(&mut bytes)?,
        _ => member.verifying_reader(flate2::read::DeflateDecoder::new(member.data())).read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}

#[test]
fn members_that_are_not_read_stay_with_a_finding() -> Outcome {
    let nested = zip_of(&vec![("a.html".to_owned(), PAGE.to_vec())], CompressionMethod::Stored)?;
    for (member, finding) in [
        (Odd { flags: 1, ..odd(b"secret.html") }, "member-unread: it is encrypted; left unchanged"),
        (Odd { method: 12, ..odd(b"bzip2.html") }, "member-unread: it is compressed by a method that is not read"),
        (Odd { bytes: nested, ..odd(b"inner.zip") }, "member-unread: an archive within an archive is not read"),
        (odd(b"../evil.html"), "not-a-file: its name leads out of the archive"),
        (odd(b"/etc/evil.html"), "not-a-file: its name leads out of the archive"),
        (odd(b"C:\\evil.html"), "not-a-file: its name leads out of the archive"),
        (odd(b"a\\..\\..\\evil.html"), "not-a-file: its name leads out of the archive"),
        (odd(b"nul\0.html"), "not-a-file: its name leads out of the archive"),
        (odd(&[b"x".repeat(5000), b".html".to_vec()].concat()), "not-a-file: its name is longer than 4096 bytes"),
    ] {
        let archive = odd_zip(&[odd(b"a.html"), member.clone(), odd(b"b.html")]);
        let (status, output, says) = rewritten("a.zip", &archive)?;
        let output = output.ok_or("no output")?;
        let line = says.lines().find(|line| line.contains(finding)).ok_or("no finding")?;
        // An absolute name does not take the place of that of the archive.
        assert!(status == 0 && line.contains("/a.zip/"), "{finding}: {says}");
        assert_eq!((&*content(&output, 0)?, &*content(&output, 2)?), (DONE, DONE), "{finding}");
        let kept = output.windows(member.bytes.len()).filter(|bytes| *bytes == member.bytes).count();
        assert_eq!(kept, 1, "{finding}");
    }
    Ok(())
}

#[test]
fn unusual_headers_stay() -> Outcome {
    let latin = b"caf\xe9\x82.html";
    let members = [
        Odd { flags: 8, ..odd(b"later.html") },
        odd(latin),
        Odd { is_long: true, ..odd(b"long.html") },
        odd(b"twice.html"),
        Odd { bytes: b"<p>".to_vec(), ..odd(b"other.html") },
        odd(b"twice.html"),
        Odd { bytes: Vec::new(), ..odd(b"empty.html") },
        Odd { bytes: mbox("x"), ..odd(b"all.mbox") },
        Odd { flags: 8, bytes: mbox("x"), ..odd(b"later.mbox") },
        Odd { bytes: mbox("http://h/x"), ..odd(b"same.mbox") },
        Odd { is_long: true, bytes: mbox("x"), ..odd(b"long.mbox") },
    ];
    let archive = odd_zip(&members);
    let program = b"#!/bin/sh\nexit\n".repeat(9);
    for (what, archive) in
        [("plain", archive.clone()), ("with a program before it", [program.clone(), archive].concat())]
    {
        let (status, output, says) = rewritten("a.zip", &archive)?;
        assert!(status == 0 && says.contains("8 files changed"), "{what}: {says}");
        let output = output.ok_or("no output")?;
        let changed = members.clone().map(|member| match &*member.bytes {
            PAGE => Odd { bytes: DONE.to_vec(), ..member },
            bytes if bytes == mbox("x") => Odd { bytes: mbox("http://h/x"), ..member },
            _ => member,
        });
        // The checksums and sizes are those of new contents, and all else is as it was.
        let begin = if what == "plain" { &b""[..] } else { &program };
        let expected = [begin, &odd_zip(&changed)].concat();
        assert!(output == expected, "{what}");
    }
    Ok(())
}

/// Where a text stands in an archive.
fn places(archive: &[u8], text: &str) -> Vec<usize> {
    memchr::memmem::find_iter(archive, text.as_bytes()).collect()
}

#[test]
fn damaged_and_hostile_archives_are_refused() -> Outcome {
    let good = odd_zip(&[odd(b"a.html"), odd(b"b.html")]);
    let mut many = good.clone();
    let end = many.len() - 22 - b"comment".len();
    // A long end record with ten million members.
    let long = [
        b"PK\x06\x06",
        &44_u64.to_le_bytes()[..],
        &[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &10_000_000_u64.to_le_bytes().repeat(2),
        &460_000_000_u64.to_le_bytes(),
        &0_u64.to_le_bytes(),
        b"PK\x06\x07\0\0\0\0",
        &(end as u64).to_le_bytes(),
        &[1, 0, 0, 0],
    ]
    .concat();
    many.splice(end..end, long);
    let mut overlapping = good.clone();
    let second = memchr::memmem::rfind(&overlapping, b"PK\x01\x02").ok_or("no record")?;
    overlapping[second + 42..second + 46].fill(0);
    let mut parts = good.clone();
    parts[end + 4] = 1;
    let mut tar =
        tar_of(&vec![("a.html".into(), PAGE.to_vec()), ("b.html".into(), PAGE.to_vec())], &tar::Header::new_gnu())?;
    let cut = tar[..1024 + 512 + 5].to_vec();
    tar[1024 + 3] ^= 1;
    let mut endless = tar::Header::new_gnu();
    endless.set_entry_type(tar::EntryType::GNULongName);
    endless.set_size(64 << 20);
    endless.set_cksum();
    let endless = [endless.as_bytes().to_vec(), vec![b'x'; 64 << 20]].concat();
    for (name, archive, why) in [
        ("many.zip", many, "it has 10000000 members; archives of more than 1000000 are not read"),
        ("overlapping.zip", overlapping, "its members overlap"),
        ("parts.zip", parts, "one of several parts"),
        ("cut.zip", good[..good.len() - 40].to_vec(), "the end is cut off"),
        ("cut.tar", cut, "it is cut off"),
        ("damaged.tar", tar, "the header at byte 1024 is damaged"),
        ("bomb.tar.gz", gzip(&endless)?, "is longer than 1 MiB"),
    ] {
        let (status, output, says) = rewritten(name, &archive)?;
        assert!(status == 2 && output.is_none() && says.contains(why), "{name}: {status} {says}");
        let folder = temporary_folder()?;
        let input = folder.path().join(name);
        fs::write(&input, &archive)?;
        let (status, _, says) = run(&["check", argument(&input)])?;
        assert!(status == 2 && says.contains(why), "{name}: {status} {says}");
    }
    Ok(())
}

#[test]
fn a_damaged_member_does_not_keep_others_from_being_written() -> Outcome {
    let damaged_mbox = Odd { wrong: 1, bytes: mbox("x"), ..odd(b"a.mbox") };
    let archive = odd_zip(&[Odd { wrong: 1, ..odd(b"a.html") }, damaged_mbox, odd(b"b.html")]);
    let (status, output, says) = rewritten("a.zip", &archive)?;
    assert!(status == 1 && says.matches("its checksum is wrong").count() == 2, "{says}");
    let output = output.ok_or("no output")?;
    assert_eq!(content(&output, 2)?, DONE);
    assert_eq!((places(&output, "<a href=x>").len(), output.len()), (4, archive.len() + DONE.len() - PAGE.len()));
    Ok(())
}

#[test]
fn a_zip_of_web_archives_is_a_wacz() -> Outcome {
    let members =
        vec![("datapackage.json".to_owned(), b"{}".to_vec()), ("archive/a.warc".to_owned(), b"WARC/1.1\r\n".to_vec())];
    let (_, _, says) = rewritten("a.zip", &zip_of(&members, CompressionMethod::Stored)?)?;
    assert!(says.contains("a WACZ cannot hold conversions"), "{says}");
    Ok(())
}

#[test]
fn links_devices_and_what_follows_the_end_of_a_tar_stay() -> Outcome {
    let whole = tar_of(&vec![("a.html".into(), PAGE.to_vec())], &tar::Header::new_gnu())?;
    let page = whole[..1024].to_vec();
    let mut sparse = tar::Header::new_gnu();
    sparse.set_path("sparse.html")?;
    sparse.set_entry_type(tar::EntryType::GNUSparse);
    sparse.set_size(0);
    sparse.as_gnu_mut().ok_or("no GNU header")?.set_real_size(0);
    sparse.set_cksum();
    let archive = [
        tar_header("out", tar::EntryType::Link, "../../etc/passwd")?,
        tar_header("in", tar::EntryType::Link, "a.html")?,
        tar_header("symlink", tar::EntryType::Symlink, "/etc/passwd")?,
        tar_header("device", tar::EntryType::Char, "")?,
        sparse.as_bytes().to_vec(),
        page,
        vec![0; 1024],
        whole,
    ]
    .concat();
    let (status, output, says) = rewritten("a.tar", &archive)?;
    for finding in [
        "/out: not-a-file: it is a hard link that leads out of the archive",
        "/device: not-a-file: it is a device",
        "/sparse.html: member-unread: it is sparse",
        "what follows, perhaps another archive, is not read",
    ] {
        assert!(status == 0 && says.contains(finding), "{finding}: {says}");
    }
    assert!(!says.contains("/in:") && says.contains("1 file changed"), "{says}");
    let output = output.ok_or("no output")?;
    assert_eq!((output.len(), places(&output, "<a href=http://h/x>").len()), (archive.len(), 1));
    assert!(output[..5 * 512] == archive[..5 * 512] && output[7 * 512..] == archive[7 * 512..]);
    Ok(())
}

/// Archives of a few kilobytes that unpack to gigabytes do not fill the memory.
#[test]
fn bombs_keep_memory_flat() -> Outcome {
    let folder = temporary_folder()?;
    let archive = folder.path().join("bomb.zip");
    let zeros = vec![("zeros.html".to_owned(), vec![0; 300 << 20])];
    fs::write(&archive, zip_of(&zeros, CompressionMethod::Deflated)?)?;
    drop(zeros);
    let output = folder.path().join("out.zip");
    let (status, _, says) = run(&["rewrite", argument(&archive), "-o", argument(&output), "--url", "http://h/"])?;
    assert!(status == 0 && says.contains("document-too-long"), "{says}");
    assert!(same_files(&archive, &output)?);
    let mut lie = fs::read(&archive)?;
    // Its sizes say 1000 bytes.
    let record = memchr::memmem::rfind(&lie, b"PK\x01\x02").ok_or("no record")?;
    lie[record + 24..record + 28].copy_from_slice(&1000_u32.to_le_bytes());
    fs::write(&archive, lie)?;
    let output = absolve(&["check", argument(&archive)])?;
    let says = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1), "{says}");
    Ok(())
}

fn same_files(one: &Path, other: &Path) -> std::io::Result<bool> {
    Ok(fs::read(one)? == fs::read(other)?)
}

/// A member whose record says more bytes than it has would be written over the next one: its local header has an extra field.
#[test]
fn a_member_that_reaches_into_the_next_is_an_error() -> Outcome {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
    deflated.write_all(PAGE)?;
    let page = Odd { method: 8, bytes: deflated.finish()?, extra: vec![0x55, 0x54, 1, 0, 7], ..odd(b"a.html") };
    let mut archive = odd_zip(&[page.clone(), Odd { name: b"b.html".to_vec(), ..page }]);
    let mut crc = Crc::new();
    crc.update(PAGE);
    for (mark, checksum) in [(b"PK\x03\x04", 14), (b"PK\x01\x02", 16)] {
        for at in memchr::memmem::find_iter(&archive.clone(), mark).map(|at| at + checksum) {
            archive[at..at + 4].copy_from_slice(&crc.sum().to_le_bytes());
            archive[at + 8..at + 12].copy_from_slice(&(PAGE.len() as u32).to_le_bytes());
        }
    }
    assert_eq!(rewritten("a.zip", &archive)?.0, 0);
    for (record, byte) in memchr::memmem::find_iter(&archive, b"PK\x01\x02").flat_map(|at| [(at, 1), (at, 5)]) {
        let mut wrong = archive.clone();
        wrong[record + 20] += byte;
        let (status, output, says) = rewritten("a.zip", &wrong)?;
        assert!(status == 1 && output.is_none(), "{says}");
        assert!(says.contains("cannot read") && says.contains("a.zip: its members overlap"), "{says}");
    }
    Ok(())
}

/// Contents would be cut off, or taken for headers.
#[test]
fn one_size_for_all_members_is_refused() -> Outcome {
    let whole = tar_of(&vec![("a.html".into(), PAGE.to_vec())], &tar::Header::new_ustar())?;
    for (record, why) in
        [("12 size=512\n", Some("one size")), ("14 path=a.htm\n", Some("one path")), ("8 a=bcd\n", None)]
    {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::XGlobalHeader);
        header.set_size(record.len() as u64);
        header.set_cksum();
        let mut archive = [header.as_bytes(), record.as_bytes()].concat();
        archive.resize(1024, 0);
        archive.extend(&whole);
        let (status, output, says) = rewritten("a.tar", &archive)?;
        match why {
            Some(why) => {
                assert!(status == 2 && output.is_none() && says.contains(why), "{record}: {says}");
            }
            // Verified, too: the archives of `git archive` have such records.
            None => assert!(status == 0 && says.contains("1 file changed"), "{record}: {says}"),
        }
    }
    Ok(())
}

#[test]
fn a_tar_with_a_label_is_read() -> Outcome {
    let mut label = tar_header("LABEL", tar::EntryType::new(b'V'), "")?;
    // As GNU tar writes it.
    label[124..136].fill(0);
    label[257..265].fill(0);
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes().copy_from_slice(&label);
    header.set_cksum();
    let page = tar_of(&vec![("a.html".into(), PAGE.to_vec())], &tar::Header::new_gnu())?;
    let archive = [header.as_bytes(), &page[..]].concat();
    let (status, output, says) = rewritten("a.tar", &archive)?;
    assert!(status == 0 && says.starts_with("1 document, 1 link: 1 made absolute"), "{says}");
    assert_eq!(output.ok_or("no output")?[..512], *header.as_bytes());
    Ok(())
}

/// The end of a ZIP within its comment is not its end.
#[test]
fn a_comment_may_contain_the_mark_of_an_end() -> Outcome {
    let mut archive = odd_zip(&[odd(b"a.html")]);
    let end = archive.len() - b"comment".len();
    archive.truncate(end);
    archive[end - 2] = 0;
    let another_end = archive[end - 22..].to_vec();
    for comment in [&b"about PK\x05\x06 and PK\x05\x06"[..], &another_end] {
        archive.truncate(end);
        archive[end - 2] = comment.len() as u8;
        archive.extend(comment);
        let (status, output, says) = rewritten("a.zip", &archive)?;
        assert!(status == 0 && output.is_some_and(|output| output.ends_with(&comment[comment.len() - 4..])), "{says}");
    }
    Ok(())
}

#[test]
fn a_tar_that_ends_with_a_zip_is_read_as_a_tar() -> Outcome {
    let members = vec![("a.html".to_owned(), PAGE.to_vec()), ("b.zip".to_owned(), odd_zip(&[odd(b"c.html")]))];
    let (status, output, says) = rewritten("a.tar", &tar_of(&members, &tar::Header::new_gnu())?)?;
    assert!(status == 0 && says.contains("a.tar/b.zip: member-unread: "), "{says}");
    let written = untarred(&output.ok_or("no output")?)?;
    assert_eq!((&*written[0].1, &written[1]), (DONE, &members[1]));
    Ok(())
}

/// What is not read is not unpacked, so its checksum is not seen.
#[test]
fn a_wrong_checksum_of_another_file_stays() -> Outcome {
    let archive = odd_zip(&[odd(b"a.html"), Odd { wrong: 1, bytes: b"GIF89a".to_vec(), ..odd(b"a.gif") }]);
    let (status, output, says) = rewritten("a.zip", &archive)?;
    let kept = output.ok_or("no output")?;
    assert!(status == 0 && content(&kept, 0)? == DONE && content(&kept, 1).is_err(), "{says}");
    Ok(())
}
