//! A ZIP or tar file is rewritten as the folder that was packed, and nothing else in it changes.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bundles::made::{Failure, Members, files_of, gzip, tar_of, untarred, unzipped, zip_of};
use crate::support::{Outcome, absolve, argument, folder_with, run, run_with};
use absolve_testing::{fixtures, print_line, temporary_folder};
use zip::CompressionMethod;

const URL: &str = "https://example.org/lighthouse/";
const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

/// A folder with the site of the fixtures, a Maildir and an mbox.
fn tree() -> Result<tempfile::TempDir, Failure> {
    let mbox = format!("From a@b Thu Jan  1 00:00:00 1998\n{MESSAGE}\n").repeat(3);
    let folder = folder_with(&[
        ("in/Takeout/Mail/All mail Including Spam and Trash.mbox", &mbox),
        ("in/list/cur/1.M2P3.host,S=60,W=64:2,RS", MESSAGE),
        ("in/list/cur/2.M2P3.host:2,S", MESSAGE),
        ("in/list/new/4.M2P3.host,S=60", MESSAGE),
    ])?;
    for (name, bytes) in files_of(&fixtures().join("site"))? {
        let path = folder.path().join("in").join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, bytes)?;
    }
    Ok(folder)
}

fn untar_gzip(archive: &[u8]) -> Result<Members, Failure> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(archive), &mut bytes)?;
    untarred(&bytes)
}

/// The name of an archive, its bytes, and how it is unpacked.
type Archive = (&'static str, Vec<u8>, fn(&[u8]) -> Result<Members, Failure>);

/// The tree in each format, and how that is unpacked.
fn archives(members: &Members) -> Result<Vec<Archive>, Failure> {
    let gnu = tar_of(members, &tar::Header::new_gnu())?;
    let ustar = tar_of(members, &tar::Header::new_ustar())?;
    Ok(vec![
        ("stored.zip", zip_of(members, CompressionMethod::Stored)?, unzipped),
        ("deflated.zip", zip_of(members, CompressionMethod::Deflated)?, unzipped),
        ("gnu.tar.gz", gzip(&gnu)?, untar_gzip),
        ("gnu.tgz", gzip(&gnu)?, untar_gzip),
        ("gnu.tar", gnu, untarred),
        ("ustar.tar", ustar, untarred),
    ])
}

#[test]
fn members_become_what_the_files_of_a_folder_become() -> Outcome {
    let folder = tree()?;
    let path = |name: &str| folder.path().join(name);
    let (status, _, folder_says) =
        run(&["rewrite", argument(&path("in")), "-o", argument(&path("out")), "--url", URL, "--symlinks", "keep"])?;
    assert_eq!(status, 0, "{folder_says}");
    let mut expected = files_of(&path("out"))?;
    expected.sort();
    for (name, archive, unpack) in archives(&files_of(&path("in"))?)? {
        fs::write(path(name), &archive)?;
        let output = path(&format!("out-{name}"));
        let (status, _, says) = run(&["rewrite", argument(&path(name)), "-o", argument(&output), "--url", URL])?;
        assert_eq!(status, 0, "{name}: {says}");
        let counts = |says: &str| {
            says.lines()
                .find(|line| line.contains(" documents, "))
                .unwrap_or_default()
                .rsplit_once(';')
                .map(|(counts, _)| counts.to_owned())
        };
        assert_eq!(counts(&says), counts(&folder_says), "{name}");
        let rewritten = fs::read(&output)?;
        let mut found = unpack(&rewritten)?;
        found.sort();
        assert!(found == expected, "{name}: members differ from the files of the folder");
        let (status, listed, says) = run(&["verify", argument(&path(name)), argument(&output), "--url", URL])?;
        assert_eq!((status, &*listed), (0, ""), "{name}: {says}");
        let (status, _, says) = run(&["check", argument(&output), "--quiet"])?;
        assert_eq!(status, 0, "{name}: {says}");
        let unread = absolve(&["rewrite", argument(&path(name)), "-o", "-", "--exclude", "*"])?;
        // No member is a document then.
        let is_same = unread.status.code() == Some(2) && unread.stdout == archive;
        assert!(is_same, "{name}: an archive without changes has other bytes");
        read_by_others(name, &output)?;
    }
    Ok(())
}

/// Others read the archive without a complaint, where they are.
fn read_by_others(name: &str, archive: &Path) -> Outcome {
    const PYTHON: &str = "import sys, tarfile, zipfile\n\
        path = sys.argv[1]\n\
        if zipfile.is_zipfile(path): assert zipfile.ZipFile(path).testzip() is None\n\
        else: assert all(tar.extractfile(m).read() is not None for tar in [tarfile.open(path)] for m in tar if m.isreg())";
    let is_zip = name.ends_with("zip");
    let own: &[&str] = if is_zip { &["unzip", "-tqq"] } else { &["tar", "-tf"] };
    for command in [own, &["python3", "-c", PYTHON]] {
        match Command::new(command[0]).args(&command[1..]).arg(archive).output() {
            Err(_) => print_line(&format!("skipped: {} is absent", command[0])),
            Ok(output) => {
                assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
    }
    Ok(())
}

#[test]
fn links_check_and_base_read_members() -> Outcome {
    let folder = tree()?;
    let members = files_of(&folder.path().join("in"))?;
    let archive = folder.path().join("a.zip");
    fs::write(&archive, zip_of(&members, CompressionMethod::Deflated)?)?;
    let (status, links, _) = run(&["links", argument(&archive), "--url", URL])?;
    let line = format!(
        "{}/list/cur/2.M2P3.host:2,S:4:9: part 1: relative a@href: x -> http://h/x (content-base)",
        archive.display()
    );
    assert!(status == 0 && links.contains(&line), "{links}");
    let (_, of_folder, _) = run(&["links", argument(&folder.path().join("in")), "--url", URL])?;
    assert_eq!(links.lines().count(), of_folder.lines().count());
    let (status, problems, says) = run(&["check", argument(&archive)])?;
    assert!(status == 1 && problems.contains("/index.html:"), "{says}");
    let (status, bases, says) = run(&["base", argument(&archive)])?;
    assert!(status == 0 && bases.contains(" content-base"), "{bases}{says}");
    let (_, piped, _) = run_with(&["links", "-", "--url", URL], &fs::read(&archive)?)?;
    assert_eq!(piped, links.replace(argument(&archive), "-"));
    Ok(())
}

#[test]
fn an_archive_is_replaced_in_place_and_kept_as_a_backup() -> Outcome {
    let folder = tree()?;
    let members = files_of(&folder.path().join("in"))?;
    let archive = folder.path().join("a.tar");
    let original = tar_of(&members, &tar::Header::new_gnu())?;
    fs::write(&archive, &original)?;
    let journal = folder.path().join("journal");
    let (status, _, says) =
        run(&["rewrite", argument(&archive), "--in-place", "--journal", argument(&journal), "--url", URL])?;
    assert!(status == 2 && says.contains("a journal cannot undo"), "{says}");
    assert!(fs::read(&archive)? == original);
    let (status, _, says) = run(&["rewrite", argument(&archive), "--in-place", "--dry-run", "--url", URL])?;
    assert!(status == 0 && fs::read(&archive)? == original, "{says}");
    let (status, _, says) = run(&["rewrite", argument(&archive), "--in-place", "--backup", ".orig", "--url", URL])?;
    assert_eq!(status, 0, "{says}");
    let backup = folder.path().join("a.tar.orig");
    assert!(fs::read(&backup)? == original && fs::read(&archive)? != original);
    let rewritten = fs::read(&archive)?;
    let (status, _, says) = run(&["rewrite", argument(&archive), "--in-place", "--url", URL])?;
    assert!(status == 0 && says.contains("; 0 files changed") && fs::read(&archive)? == rewritten, "{says}");
    Ok(())
}

#[test]
fn an_archive_is_written_of_an_archive_only() -> Outcome {
    let folder = tree()?;
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.zip"), zip_of(&files_of(&path("in"))?, CompressionMethod::Stored)?)?;
    for (input, output, why) in [
        ("in", "out.zip", "an archive is only written of one archive"),
        ("a.zip", "out.tar", "is not packed as"),
        ("a.zip", "out.zip.gz", "not compressed by absolve"),
    ] {
        let (status, _, says) = run(&["rewrite", argument(&path(input)), "-o", argument(&path(output)), "--url", URL])?;
        assert!(status == 2 && says.contains(why), "{input} {output}: {says}");
        assert!(!path(output).exists(), "{output}");
    }
    fs::create_dir(path("out"))?;
    let (status, _, says) = run(&["rewrite", argument(&path("a.zip")), "-o", argument(&path("out")), "--url", URL])?;
    assert!(status == 0 && path("out/a.zip").is_file(), "{says}");
    fs::copy(path("a.zip"), path("b.zip"))?;
    let inputs = [argument(&path("a.zip")).to_owned(), argument(&path("b.zip")).to_owned()];
    let (status, _, says) = run(&["rewrite", &inputs[0], &inputs[1], "-o", argument(&path("both"))])?;
    assert!(status == 0 && path("both/a.zip").is_file() && path("both/b.zip").is_file(), "{says}");
    Ok(())
}

#[test]
fn verify_finds_what_else_has_changed() -> Outcome {
    let folder = tree()?;
    let members = files_of(&folder.path().join("in"))?;
    let path = |name: &str| folder.path().join(name);
    let names = |members: &Members| tar_of(members, &tar::Header::new_gnu());
    let mut faults: Vec<(&str, Vec<u8>)> = Vec::new();
    let (mut swapped, mut dropped, mut renamed, mut edited) =
        (members.clone(), members.clone(), members.clone(), members.clone());
    swapped.swap(0, 1);
    dropped.pop();
    renamed[0].0.push('x');
    let picture = edited.iter_mut().find(|(name, _)| name.ends_with(".svg")).ok_or("no picture")?;
    picture.1.extend(b" ");
    for (what, members) in [("swapped", swapped), ("dropped", dropped), ("renamed", renamed), ("edited", edited)] {
        faults.push((what, names(&members)?));
    }
    let original = names(&members)?;
    let mut mode = original.clone();
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes().copy_from_slice(&original[..512]);
    header.set_mode(0o644);
    header.set_cksum();
    mode[..512].copy_from_slice(header.as_bytes());
    faults.push(("mode", mode));
    fs::write(path("a.tar"), &original)?;
    for (what, archive) in faults {
        fs::write(path("b.tar"), archive)?;
        let (status, found, says) = run(&["verify", argument(&path("a.tar")), argument(&path("b.tar"))])?;
        assert!(status == 1 && !found.is_empty(), "{what}: {says}");
    }
    Ok(())
}

/// It writes no values of the program, such as `Some(416)`, `Regular` or `[110, 111]`.
#[test]
fn verify_describes_members_in_words() -> Outcome {
    let folder = temporary_folder()?;
    let path = |name: &str| folder.path().join(name);
    let members: Members = vec![("a \"b\".html".into(), b"<a href=x>".to_vec())];
    let mut header = tar::Header::new_gnu();
    header.set_uid(0);
    let mut other = header.clone();
    other.set_username("somebody")?;
    other.set_uid(1000);
    fs::write(path("a.tar"), tar_of(&members, &header)?)?;
    fs::write(path("b.tar"), tar_of(&members, &other)?)?;
    let [stored, deflated] =
        [CompressionMethod::Stored, CompressionMethod::Deflated].map(|method| zip_of(&members, method));
    let mut earlier = stored?;
    fs::write(path("b.zip"), deflated?)?;
    let record = memchr::memmem::rfind(&earlier, b"PK\x01\x02").ok_or("no record")?;
    earlier[record + 12] ^= 1;
    earlier[record + 5] = 0;
    fs::write(path("a.zip"), earlier)?;
    for (original, rewritten, words) in [
        (
            "a.tar",
            "b.tar",
            &["another octal owner: 0001750, and not 0000000", "name of the owner: somebody, and not none"][..],
        ),
        (
            "a.zip",
            "b.zip",
            &[
                "another method: 8, and not 0",
                "another time: 2001-02-03T04:05:06, and not 2001-02-03T04:0",
                "another program: ",
            ],
        ),
    ] {
        let (status, found, _) = run(&["verify", argument(&path(original)), argument(&path(rewritten))])?;
        assert_eq!(status, 1, "{found}");
        assert!(
            words.iter().all(|words| found.contains(words)) && found.contains("its member a \"b\".html"),
            "{found}"
        );
        assert!(!["Some", "None", "\\", "[", "{"].iter().any(|value| found.contains(value)), "{found}");
    }
    Ok(())
}
