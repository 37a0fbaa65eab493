//! Mail in the compressions in which it is kept: read, rewritten in the same one, verified, taken back.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use absolve_framing::Compression;
use absolve_testing::{long_rounds, print_line};

use crate::support::stops::{containers, mbox};
use crate::support::{Outcome, argument, folder_with, run, run_in, run_with};

pub(crate) const ALL: [Compression; 5] =
    [Compression::Gzip, Compression::Zstandard, Compression::Bzip2, Compression::Xz, Compression::Lz4];

pub(crate) fn compressed(compression: Compression, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = compression.encoder(Vec::new())?;
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn decompressed(file: &Path) -> io::Result<Vec<u8>> {
    let file = fs::read(file)?;
    let mut bytes = Vec::new();
    Compression::of(&file).decoder(&file[..]).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Tests a file by the program of its compression, if that is there.
pub(crate) fn test_by_its_program(compression: Compression, file: &Path) -> io::Result<()> {
    let program = match compression {
        Compression::None | Compression::Gzip => "gzip",
        Compression::Zstandard => "zstd",
        Compression::Bzip2 => "bzip2",
        Compression::Xz => "xz",
        Compression::Lz4 => "lz4",
    };
    match Command::new(program).arg("-t").arg(file).stderr(Stdio::null()).status() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => print_line(&format!("skipped: needs {program}")),
        tested => assert!(tested?.success(), "{program} -t {}", file.display()),
    }
    Ok(())
}

#[test]
fn reads_every_compression() -> Outcome {
    let folder = folder_with(&[("a.mbox", &mbox(40))])?;
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let path = |name: &str| folder.path().join(name);
    assert_eq!(run(&["rewrite", "a.mbox", "-o", "plain.mbox"])?.0, 0);
    let (plain, links) = (fs::read(path("plain.mbox"))?, run(&["links", "--json", "a.mbox"])?.1);
    for compression in ALL {
        let extension = compression.extension();
        let [input, output, again] = ["a", "b", "c"].map(|name| format!("{name}.mbox{extension}"));
        fs::write(path(&input), compressed(compression, mbox(40).as_bytes())?)?;
        let (status, _, stderr) = run(&["rewrite", &input, "-o", &output])?;
        assert_eq!(status, 0, "{stderr}");
        assert_eq!(Compression::of(&fs::read(path(&output))?), compression);
        assert!(decompressed(&path(&output))? == plain);
        test_by_its_program(compression, &path(&output))?;
        assert_eq!(run(&["verify", &input, &output])?.0, 0, "{output}");
        assert_eq!(run(&["verify", &input, "plain.mbox"])?.0, 0, "{output}");
        assert_eq!(run(&["links", "--json", &input])?.1.replace(&input, "a.mbox"), links);
        assert_eq!((run(&["check", &input])?.0, run(&["check", &output])?.0), (1, 0));
        // Nothing is left to change: the same bytes.
        assert_eq!(run(&["rewrite", &output, "-o", &again])?.0, 0);
        assert!(fs::read(path(&output))? == fs::read(path(&again))?);
        // The name of the output asks for a compression, or for none.
        assert_eq!(run(&["rewrite", &input, "-o", "d.mbox"])?.0, 0);
        assert_eq!(run(&["rewrite", "d.mbox", "--force", "-o", &again])?.0, 0);
        assert!(fs::read(path("d.mbox"))? == plain && decompressed(&path(&again))? == plain);
        assert_eq!(Compression::of(&fs::read(path(&again))?), compression);
        assert_eq!(run(&["verify", "a.mbox", &again])?.0, 0);
        // Another compression than that of the original is seen, and so is an end that is missing.
        fs::copy(path(&again), path("e.mbox"))?;
        assert_eq!(run(&["verify", "a.mbox", "e.mbox"])?.0, 1);
        let whole = fs::read(path(&output))?;
        fs::write(path(&again), &whole[..whole.len() - 3])?;
        assert!(run(&["verify", &input, &again])?.0 > 0, "{again}");
        fs::remove_file(path("d.mbox"))?;
    }
    Ok(())
}

/// Names of list archives, names without any extension but that of the compression, and standard input.
#[test]
fn a_compressed_mbox_is_one_by_its_content() -> Outcome {
    for compression in ALL {
        let file = compressed(compression, mbox(300).as_bytes())?;
        let folder = folder_with(&[("in/x.html", "")])?;
        let extension = compression.extension();
        for name in ["2003-March.txt", "inbox", "list-2019"] {
            fs::write(folder.path().join(format!("in/{name}{extension}")), &file)?;
        }
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", "in", "-o", "out"])?;
        assert_eq!(status, 0, "{stderr}");
        for name in ["2003-March.txt", "inbox", "list-2019"] {
            let text = decompressed(&folder.path().join(format!("out/{name}{extension}")))?;
            assert_eq!(String::from_utf8(text)?.matches("<a href=http://h/x>").count(), 300, "{name}{extension}");
        }
        let (status, out, _) = run_with(&["links", "--json", "-"], &file)?;
        assert_eq!((status, out.lines().count()), (0, 300));
    }
    Ok(())
}

const MESSAGE: &str = "Received: from x\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
const CHANGED: &str = "Received: from x\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=http://h/x>\n";

#[test]
fn compressed_messages_are_rewritten() -> Outcome {
    for compression in ALL {
        let extension = compression.extension();
        let folder = folder_with(&[("plain.eml", MESSAGE)])?;
        let path = |name: &str| folder.path().join(name);
        let [input, output] = ["a", "b"].map(|name| format!("{name}.eml{extension}"));
        fs::write(path(&input), compressed(compression, MESSAGE.as_bytes())?)?;
        for from in [&*input, "plain.eml"] {
            for to in [&*output, "c.eml"] {
                let (status, _, stderr) = run_in(folder.path(), &["rewrite", from, "--force", "-o", to])?;
                assert_eq!(status, 0, "{stderr}");
                assert_eq!(decompressed(&path(to))?, CHANGED.as_bytes());
                let expected = if to == output { compression } else { Compression::None };
                assert_eq!(Compression::of(&fs::read(path(to))?), expected);
                assert_eq!(run_in(folder.path(), &["verify", from, to])?.0, 0);
            }
        }
        test_by_its_program(compression, &path(&output))?;
        let (_, out, _) = run_in(folder.path(), &["check", &input])?;
        assert!(out.contains(&format!("{input}:5:9: part 1: a@href: x")), "{out}");
        // A compression that no name asks for is kept, and unchanged messages are the same bytes.
        assert_eq!(run_in(folder.path(), &["rewrite", &output, "-o", "same"])?.0, 0);
        assert!(fs::read(path("same"))? == fs::read(path(&output))?);
        // In place, with a journal.
        let before = fs::read(path(&input))?;
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", &input, "--in-place", "--journal", "j"])?;
        assert_eq!((status, decompressed(&path(&input))?), (0, CHANGED.into()), "{stderr}");
        assert_eq!(run_in(folder.path(), &["revert", "j"])?.0, 0);
        assert!(fs::read(path(&input))? == before);
    }
    Ok(())
}

/// Servers compress the files of messages. The sizes in their names are those of the messages: `S=` in bytes, `W=` with CRLF.
#[test]
fn compressed_messages_of_a_maildir_are_rewritten() -> Outcome {
    for compression in ALL {
        let folder = folder_with(&[("in/new/.keep", ""), ("in/cur/2.M.host,S=77,W=82:2,S", MESSAGE)])?;
        let file = compressed(compression, MESSAGE.as_bytes())?;
        fs::write(folder.path().join("in/cur/1.M.host,S=77,W=82:2,SZ"), &file)?;
        let run = |arguments: &[&str]| run_in(folder.path(), arguments);
        let (status, _, stderr) = run(&["rewrite", "in", "-o", "out"])?;
        assert_eq!(status, 0, "{stderr}");
        let renamed = folder.path().join("out/cur/1.M.host,S=86,W=91:2,SZ");
        assert_eq!(decompressed(&renamed)?, CHANGED.as_bytes());
        assert_eq!(Compression::of(&fs::read(&renamed)?), compression);
        let (status, out, stderr) = run(&["verify", "in", "out"])?;
        assert_eq!(status, 0, "{out}{stderr}");
        fs::rename(&renamed, folder.path().join("out/cur/1.M.host,S=87,W=91:2,SZ"))?;
        assert!(run(&["verify", "in", "out"])?.1.contains("contains another size"));
        assert_eq!(run(&["rewrite", "in", "--in-place", "--journal", "j"])?.0, 0);
        assert_eq!(decompressed(&folder.path().join("in/cur/1.M.host,S=86,W=91:2,SZ"))?, CHANGED.as_bytes());
        assert_eq!(run(&["revert", "j"])?.0, 0);
        assert!(fs::read(folder.path().join("in/cur/1.M.host,S=77,W=82:2,SZ"))? == file);
    }
    Ok(())
}

#[test]
fn web_archives_in_each_compression() -> Outcome {
    let containers = containers(5)?;
    let (_, warc) = containers.iter().find(|(name, _)| *name == "a.warc").ok_or("there is one")?;
    for compression in ALL {
        let folder = folder_with(&[])?;
        let extension = compression.extension();
        let name = |name: &str| format!("{name}.warc{extension}");
        fs::write(folder.path().join(name("a")), compressed(compression, warc)?)?;
        for mode in ["append", "sidecar", "resource"] {
            let output = name(mode);
            let (status, _, stderr) = run_in(folder.path(), &["rewrite", &name("a"), "-o", &output, "--warc", mode])?;
            assert_eq!(status, 0, "{mode} {stderr}");
            test_by_its_program(compression, &folder.path().join(&output))?;
            let (status, out, stderr) = run_in(folder.path(), &["verify", &name("a"), &output, "--warc", mode])?;
            assert_eq!(status, 0, "{compression:?} {mode}: {out}{stderr}");
            let (_, links, _) = run_in(folder.path(), &["links", "--json", &output])?;
            assert!(links.contains("\"written\":\"http://h/d/x5\""), "{compression:?} {mode}: {links}");
        }
    }
    Ok(())
}

#[test]
fn damage_is_an_error_with_the_byte_and_no_output() -> Outcome {
    for compression in ALL {
        let file = compressed(compression, mbox(500).as_bytes())?;
        let (mut damaged, cut) = (file.clone(), &file[..file.len() / 2]);
        damaged[file.len() / 2] ^= 0x40;
        for (what, bytes) in [("cut", cut), ("damaged", &damaged)] {
            let folder = folder_with(&[])?;
            let name = format!("{what}.mbox{}", compression.extension());
            fs::write(folder.path().join(&name), bytes)?;
            let (status, _, stderr) = run_in(folder.path(), &["rewrite", &name, "-o", "out.mbox"])?;
            assert!(status == 1 && stderr.contains("byte "), "{compression:?} {what}: {status} {stderr}");
            assert!(!folder.path().join("out.mbox").exists());
            let (status, _, stderr) = run_in(folder.path(), &["check", &name])?;
            assert!(status == 1 && stderr.contains("cannot read"), "{stderr}");
        }
    }
    Ok(())
}

/// A journal records edits of the file, and those of an mbox that is compressed are all of it.
#[test]
fn a_journal_of_a_compressed_mbox_is_refused() -> Outcome {
    for compression in ALL {
        let folder = folder_with(&[])?;
        let name = format!("a.mbox{}", compression.extension());
        let file = compressed(compression, mbox(3).as_bytes())?;
        fs::write(folder.path().join(&name), &file)?;
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", &name, "--in-place", "--journal", "j"])?;
        assert!(status > 0 && stderr.contains("which a journal cannot undo"), "{stderr}");
        assert!(fs::read(folder.path().join(&name))? == file);
        assert_eq!(run_in(folder.path(), &["rewrite", &name, "--in-place", "--backup", ".orig"])?.0, 0);
        assert!(fs::read(folder.path().join(format!("{name}.orig")))? == file);
    }
    Ok(())
}

/// Mailman and public-inbox: an obfuscated address in the separator line, and two spaces before the date.
#[test]
fn archives_of_lists_are_mboxes() -> Outcome {
    let message = |number: u32| {
        format!(
            "From ada at example.org  Thu Jan  {number} 10:00:00 2004\nFrom: ada at example.org (Ada)\n\
             Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x{number}>\n\n"
        )
    };
    let file = compressed(Compression::Gzip, (1..=9).map(message).collect::<String>().as_bytes())?;
    let folder = folder_with(&[])?;
    fs::write(folder.path().join("2004-January.txt.gz"), file)?;
    let (_, out, _) = run_in(folder.path(), &["links", "--json", "2004-January.txt.gz"])?;
    let records: Vec<serde_json::Value> = out
        .lines()
        .map(|line| Ok(serde_json::from_str::<serde_json::Value>(line)?["record"].clone()))
        .collect::<io::Result<_>>()?;
    assert_eq!(records, (1..=9).map(|number| number.to_string()).collect::<Vec<_>>());
    Ok(())
}

/// Header fields in UTF-8 (RFC 6532) need no encoded words: they stay, and declare bases.
#[test]
fn header_fields_in_utf_8_are_read() -> Outcome {
    let message = "From: Zoë <zoë@example.org>\nSubject: Grüße, 你好\nContent-Base: http://h/ü/\n\
                   Content-Type: multipart/mixed; boundary=\"grenze-ß\"\n\n--grenze-ß\nContent-Type: text/html; name=\"öl.html\"\n\n\
                   <a href=x>\n--grenze-ß--\n";
    let folder = folder_with(&[("a.eml", message)])?;
    assert_eq!(run_in(folder.path(), &["rewrite", "a.eml", "-o", "b.eml"])?.0, 0);
    let expected = message.replace("<a href=x>", "<a href=http://h/%C3%BC/x>");
    assert_eq!(fs::read_to_string(folder.path().join("b.eml"))?, expected);
    let (status, out, _) =
        run(&["verify", argument(&folder.path().join("a.eml")), argument(&folder.path().join("b.eml"))])?;
    assert_eq!(status, 0, "{out}");
    Ok(())
}

/// Ten thousand messages in each compression, and compressed messages of a Maildir.
#[test]
#[ignore = "long: 10,000 messages in each compression"]
fn ten_thousand_messages_in_each_compression() -> Outcome {
    const COUNT: u32 = 10_000;
    let text = mbox(COUNT);
    for compression in ALL {
        let folder = folder_with(&[("in/new/.keep", ""), ("in/cur/.keep", "")])?;
        let [input, output] = ["a", "b"].map(|name| format!("{name}.mbox{}", compression.extension()));
        fs::write(folder.path().join(&input), compressed(compression, text.as_bytes())?)?;
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", &input, "-o", &output])?;
        assert!(status == 0 && stderr.contains("10000 made absolute"), "{stderr}");
        test_by_its_program(compression, &folder.path().join(&output))?;
        let rewritten = String::from_utf8(decompressed(&folder.path().join(&output))?)?;
        assert!(rewritten == text.replace("<a href=x>", "<a href=http://h/x>"));
        assert_eq!(run_in(folder.path(), &["verify", &input, &output])?.0, 0);
        let message = compressed(compression, MESSAGE.as_bytes())?;
        let files = long_rounds(1_000, COUNT as usize);
        for number in 0..files {
            fs::write(folder.path().join(format!("in/cur/{number}.M.host,S=77,W=82:2,SZ")), &message)?;
        }
        assert_eq!(run_in(folder.path(), &["rewrite", "in", "-o", "out"])?.0, 0);
        assert_eq!(run_in(folder.path(), &["verify", "in", "out"])?.0, 0);
        let changed = absolve_testing::files(&folder.path().join("out/cur"))?;
        assert_eq!(changed.iter().filter(|path| path.to_string_lossy().contains(",S=86,W=91:2,SZ")).count(), files);
    }
    Ok(())
}
