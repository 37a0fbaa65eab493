//! Compressed files that are not what their names say, or are damaged.

use std::fs;

use crate::mail::compressed::{ALL, compressed};
use crate::support::{Outcome, argument, folder_with, run, run_in};
use absolve_framing::Compression;

/// A file in a compression that is not read, of a name that says another, is not compressed once more by the name of the output.
#[test]
fn what_is_not_read_is_not_compressed_again() -> Outcome {
    let both = &["a.mbox.gz", "a.eml.gz"][..];
    for (bytes, inputs) in [
        (&b"\x1f\x9d\x90 by compress"[..], both),
        (b"PK\x03\x04 by zip", both),
        (b"no message\n", &both[..1]),
        (b"BZh", &both[..1]),
    ] {
        let compressed = ALL.into_iter().map(|compression| compressed(compression, bytes));
        let all: Vec<_> = [Ok(bytes.to_vec())].into_iter().chain(compressed).collect::<Result<_, _>>()?;
        for (bytes, input) in all.iter().flat_map(|bytes| inputs.iter().map(move |input| (bytes, *input))) {
            for extension in [".gz", ".xz", ".bz2", ""] {
                let folder = folder_with(&[])?;
                let output = format!("{}{extension}", input.replace("a.", "b.").trim_end_matches(".gz"));
                let (from, to) = (folder.path().join(input), folder.path().join(&output));
                fs::write(&from, bytes)?;
                let (status, _, says) = run(&["rewrite", argument(&from), "-o", argument(&to)])?;
                if status == 0 || says.contains("nothing could be read") {
                    assert!(says.contains("left unchanged"), "{input} {output}: {says}");
                    assert!(fs::read(&to)? == *bytes, "{input} {output}: {says}");
                    let (verified, out, says) = run(&["verify", argument(&from), argument(&to)])?;
                    assert_eq!((verified, &*out), (status, ""), "{input} {output}: {says}");
                } else {
                    assert!(!to.exists(), "{input} {output}: {says}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn what_is_not_a_web_archive_is_not_compressed_again() -> Outcome {
    let folder = folder_with(&[])?;
    let file = compressed(Compression::Gzip, b"no record\n")?;
    fs::write(folder.path().join("a.warc.gz"), &file)?;
    let command = ["rewrite", "a.warc.gz", "-o", "b.warc.zst", "--warc", "resource"];
    let (status, _, says) = run_in(folder.path(), &command)?;
    assert!(status == 2 && says.contains("not a record of a web archive; left unchanged"), "{says}");
    assert!(fs::read(folder.path().join("b.warc.zst"))? == file);
    Ok(())
}

/// An mbox without messages is one nevertheless.
#[test]
fn an_empty_mbox_is_compressed_as_its_name_says() -> Outcome {
    let folder = folder_with(&[("a.mbox", "")])?;
    for compression in ALL {
        let output = format!("b.mbox{}", compression.extension());
        assert_eq!(run_in(folder.path(), &["rewrite", "a.mbox", "-o", &output])?.0, 0);
        assert_eq!(Compression::of(&fs::read(folder.path().join(&output))?), compression);
    }
    Ok(())
}

/// Apple Mail compresses no message.
#[test]
fn a_compressed_emlx_is_left_unchanged() -> Outcome {
    let message = "Subject: x\nContent-Type: text/html\n\n<base href=http://h/><a href=x>";
    let file = compressed(Compression::Gzip, format!("{}\n{message}", message.len()).as_bytes())?;
    let folder = folder_with(&[])?;
    fs::write(folder.path().join("a.emlx"), &file)?;
    let (status, _, says) = run_in(folder.path(), &["rewrite", "a.emlx", "-o", "b.emlx"])?;
    assert!(status == 2 && says.contains("it is compressed (gzip) and left unchanged"), "{says}");
    assert!(fs::read(folder.path().join("b.emlx"))? == file);
    assert_eq!(run_in(folder.path(), &["check", "a.emlx"])?.0, 1);
    assert_eq!(run_in(folder.path(), &["verify", "a.emlx", "b.emlx"])?.0, 0);
    Ok(())
}

/// What follows a stream is damage, and does not cut it off.
#[test]
fn damage_is_not_called_the_end_of_the_file() -> Outcome {
    let message = "Subject: x\nContent-Type: text/html\n\n<a href=x>\n".as_bytes();
    for compression in ALL {
        let whole = compressed(compression, message)?;
        let cut = whole[..whole.len() - 3].to_vec();
        for (bytes, is) in [([&whole[..], b"more text!"].concat(), "is damaged at byte "), (cut, "is cut off at byte ")]
        {
            let folder = folder_with(&[])?;
            fs::write(folder.path().join("a.eml"), &bytes)?;
            let (status, _, says) = run_in(folder.path(), &["check", "a.eml"])?;
            assert!(status == 1 && says.contains(is), "{compression:?}: {says}");
        }
    }
    Ok(())
}

#[test]
fn an_empty_file_stays_empty_whatever_its_name() -> Outcome {
    for (extension, name) in [("gz", "gzip"), ("bz2", "bzip2"), ("xz", "xz"), ("zst", "Zstandard"), ("lz4", "LZ4")] {
        for kind in ["mbox", "eml", "warc"] {
            let file = format!("a.{kind}.{extension}");
            let folder = folder_with(&[(&*file, "")])?;
            let (status, _, log) = run_in(folder.path(), &["rewrite", &file, "-o", "out/"])?;
            let why = format!("{file}: not-its-type: it is empty, not {name}; left unchanged");
            assert!(status == 0 && log.contains(&why), "{log}");
            assert_eq!(fs::read(folder.path().join("out").join(&file))?, b"");
            assert_eq!(run_in(folder.path(), &["check", &file])?.0, 1);
        }
    }
    Ok(())
}

/// Archives of Mailman are named `2026-November.txt.gz`.
#[test]
fn a_name_without_the_extension_of_the_input_is_of_a_plain_file() -> Outcome {
    let mbox = "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("m.txt.gz"), folder.path().join("m.txt"));
    fs::write(&input, compressed(Compression::Gzip, mbox.as_bytes())?)?;
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output)])?.0, 0);
    assert_eq!(fs::read_to_string(&output)?, mbox.replace("=x", "=http://h/x"));
    assert_eq!(run(&["verify", argument(&input), argument(&output)])?.0, 0);
    // Text is not compressed, whatever the input is named.
    let [named, packed] = ["m.gz", "n.txt.gz"].map(|name| folder.path().join(name));
    fs::copy(&input, &named)?;
    let rewrite = ["rewrite", "--force", argument(&named), "-o", argument(&output)];
    assert_eq!(run(&rewrite)?.0, 0);
    assert_eq!(fs::read_to_string(&output)?, mbox.replace("=x", "=http://h/x"));
    assert_eq!(run(&["verify", argument(&named), argument(&output)])?.0, 0);
    fs::write(&output, mbox)?;
    assert_eq!(run(&["rewrite", argument(&output), "-o", argument(&packed)])?.0, 0);
    assert_eq!(Compression::of(&fs::read(&packed)?), Compression::Gzip);
    assert_eq!(run(&["verify", argument(&output), argument(&packed)])?.0, 0);
    // Without a name the compression stays, and in a folder the name.
    let written = crate::support::absolve(&["rewrite", argument(&input), "-o", "-"])?;
    assert_eq!(Compression::of(&written.stdout), Compression::Gzip);
    let within = folder.path().join("out/");
    assert_eq!(run(&["rewrite", argument(&input), "-o", &format!("{}/", argument(&within))])?.0, 0);
    assert_eq!(Compression::of(&fs::read(within.join("m.txt.gz"))?), Compression::Gzip);
    Ok(())
}
