//! Web archives: the archive stays byte for byte, and conversions with absolute links stand behind it.

use std::fs;
use std::path::Path;

use crate::support::warc::{Expected, Record, archive, check_by_warcio, compressed, decompressed, records};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{corpus, files, print_line, temporary_folder};
use data_encoding::BASE32;
use serde_json::Value;
use sha1::{Digest, Sha1};

#[test]
fn conversions_stand_behind_the_archive() -> Outcome {
    let (made, expected) = archive()?;
    let folder = folder_with(&[])?;
    let whole = made.concat();
    for (name, input) in compressed(&made)? {
        let (path, output, again) = (folder.path().join(name), folder.path().join("out"), folder.path().join("again"));
        fs::write(&path, &input)?;
        let arguments = ["rewrite", argument(&path), "-o", argument(&output), "--force", "--warc-date", "1600000000"];
        let (status, _, told) = run(&arguments)?;
        assert_eq!(status, 0, "{name}: {told}");
        assert!(told.contains("record 20: content-coding: "), "{name}: {told}");
        let out = fs::read(&output)?;
        assert!(out.starts_with(&input), "{name}: the archive has changed");
        let uncompressed = decompressed(name, &out)?;
        let added = records(uncompressed.strip_prefix(&whole[..]).ok_or("the records have changed")?)?;
        check_added(&added, &expected, name);
        let arguments = ["rewrite", argument(&output), "--type", "warc", "-o", argument(&again), "--force", "--quiet"];
        assert_eq!(run(&arguments)?.0, 0);
        assert!(fs::read(&again)? == out, "{name}: a second run adds something");
        let sidecar = folder.path().join("sidecar");
        let arguments =
            ["rewrite", argument(&path), "-o", argument(&sidecar), "--force", "--quiet", "--warc", "sidecar"];
        assert_eq!(run(&[&arguments[..], &["--warc-date", "1600000000"]].concat())?.0, 0);
        assert!(fs::read(&sidecar)? == out[input.len()..], "{name}: the sidecar is not what was added");
    }
    Ok(())
}

fn check_added(added: &[Record], expected: &[Expected], name: &str) {
    assert_eq!(added[0].field("WARC-Type"), "warcinfo", "{name}");
    assert_eq!(added.len(), expected.len() + 1, "{name}");
    for (record, (number, content_type, block)) in added[1..].iter().zip(expected) {
        let (name, digest) = (format!("{name}, {number}"), format!("sha1:{}", BASE32.encode(&Sha1::digest(block))));
        assert_eq!(String::from_utf8_lossy(&record.block), String::from_utf8_lossy(block), "{name}");
        assert!(record.field("WARC-Target-URI").contains("http://h/d/page"), "{name}");
        for (field, value) in [
            ("WARC-Type", "conversion"),
            ("WARC-Date", "2020-09-13T12:26:40Z"),
            ("WARC-Refers-To", &*format!("<urn:uuid:00000000-0000-0000-0000-{number:012}>")),
            ("Content-Type", content_type),
            ("WARC-Block-Digest", &*digest),
            ("WARC-Payload-Digest", &*digest),
        ] {
            assert_eq!(record.field(field), value, "{name}");
        }
    }
}

#[test]
fn http_headers_declare_a_base_on_request() -> Outcome {
    let (made, _) = archive()?;
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, made.concat())?;
    for (flags, base, layer) in
        [(&[][..], "http://h/d/page", "retrieval"), (&["--http-headers"], "http://other/", "content-base")]
    {
        let (_, told, _) = run(&[&["links", "--json", argument(&path)], flags].concat())?;
        let links: Result<Vec<Value>, _> = told.lines().map(serde_json::from_str).collect();
        let link = links?.into_iter().find(|link| link["record"] == "15").ok_or("record 15 is not listed")?;
        assert_eq!((&link["base"], &link["layer"]), (&base.into(), &layer.into()));
    }
    let (status, ..) = run(&["check", argument(&path), "--quiet"])?;
    assert_eq!(status, 1);
    Ok(())
}

/// What breaks off: the records before it are done, where a reader can find them.
#[test]
fn archives_that_break_off() -> Outcome {
    let (made, _) = archive()?;
    let folder = folder_with(&[])?;
    let (path, output) = (folder.path().join("a.warc"), folder.path().join("out"));
    let whole = made[..10].concat();
    for cut in [whole.len() - 30, whole.len() - made[9].len() + 20] {
        fs::write(&path, &whole[..cut])?;
        let (status, _, told) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force"])?;
        assert!(status == 1 && told.contains("record 10 is truncated"), "{told}");
        assert!(fs::read(&output)? == whole[..cut]);
        let (status, ..) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force", "--warc", "sidecar"])?;
        assert_eq!((status, records(&fs::read(&output)?)?.len()), (1, 8));
    }
    let (path, sidecar) = (folder.path().join("a.warc.gz"), folder.path().join("sidecar"));
    let members = compressed(&made)?.swap_remove(1).1;
    for cut in [members.len() - 4, members.len() / 2] {
        fs::write(&path, &members[..cut])?;
        let (status, _, told) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force"])?;
        assert!(status == 1 && told.contains("record-cut-off"), "{told}");
        assert!(fs::read(&output)? == members[..cut]);
        let (status, ..) =
            run(&["rewrite", argument(&path), "-o", argument(&sidecar), "--force", "--warc", "sidecar"])?;
        let added = records(&decompressed("a.gz", &fs::read(&sidecar)?)?)?;
        assert!(status == 1 && added.len() > 5, "{} conversions", added.len());
    }
    let path = folder.path().join("a.warc");
    let garbage = [&made[2][..], b"garbage\r\nmore\r\n\r\n", &made[3]].concat();
    fs::write(&path, &garbage)?;
    let (status, _, told) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force"])?;
    assert!(status == 1 && told.contains("not a record; the records after it are processed"), "{told}");
    assert_eq!(records(&fs::read(&output)?[garbage.len()..])?.len(), 3);
    Ok(())
}

#[test]
#[ignore = "long: archives of the corpora"]
fn archives_of_corpora() -> Outcome {
    let mut archives = Vec::new();
    for name in ["warc-aut-blackbook", "warc-commons-wget", "warc-jwarc", "warc-warcio", "wacz-py-wacz"] {
        let Some(folder) = corpus(name) else { return Ok(()) };
        archives.extend(files(&folder)?.into_iter().filter(|path| path.to_string_lossy().contains(".warc")));
    }
    assert_eq!(archives.len(), 21);
    let folder = temporary_folder()?;
    let (output, again) = (folder.path().join("out"), folder.path().join("again"));
    let mut added = 0;
    for archive in &archives {
        let rewrite = |from: &Path, to: &Path| {
            run(&["rewrite", argument(from), "--type", "warc", "-o", argument(to), "--force", "--quiet"])
        };
        let (input, (status, _, told)) = (fs::read(archive)?, rewrite(archive, &output)?);
        let out = fs::read(&output)?;
        assert!(out.starts_with(&input), "{}", archive.display());
        let is_told = told.contains("is truncated") || told.contains("is damaged");
        assert!(status == 0 || is_told, "{}: {told}", archive.display());
        rewrite(&output, &again)?;
        assert!(fs::read(&again)? == out, "{}: a second run adds something", archive.display());
        if out != input {
            added += 1;
            check_by_warcio(&output, &archive.display().to_string());
        }
    }
    assert_eq!(added, 6);
    Ok(())
}

/// The same crawl in both formats: the same conversions.
#[test]
fn an_arc_gives_what_the_warc_gives() -> Outcome {
    let Some(corpus) = corpus("warc-aut-blackbook") else { return Ok(()) };
    let resources = corpus.join("src/test/resources");
    let folder = temporary_folder()?;
    let mut conversions = Vec::new();
    for archive in ["warc/example.warc.gz", "arc/example.arc.gz"] {
        let (input, output) = (resources.join(archive), folder.path().join("out.warc.gz"));
        let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--warc", "sidecar"];
        let (status, _, told) = run(&[&arguments[..], &["--force", "--quiet"]].concat())?;
        assert_eq!(status, 0, "{told}");
        let added = records(&decompressed("a.gz", &fs::read(&output)?)?)?;
        let mut found: Vec<(String, Vec<u8>)> = added
            .into_iter()
            .skip(1)
            .map(|record| (record.field("WARC-Target-URI").to_owned(), record.block))
            .collect();
        found.sort();
        conversions.push(found);
    }
    print_line(&format!("{} conversions", conversions[0].len()));
    assert_eq!(conversions[0].len(), 92);
    assert!(conversions[0] == conversions[1], "{} conversions of the ARC", conversions[1].len());
    Ok(())
}

#[test]
fn arcs_are_left_as_they_are() -> Outcome {
    let page = "HTTP/1.0 200 OK\nContent-Type: text/html\n\n<a href=x>";
    let line = |url: &str, length: usize| format!("{url} 127.0.0.1 20140216050221 text/html {length}\n");
    let arc = format!(
        "filedesc://a.arc 0.0.0.0 20140216050221 text/plain 2\n1\n\n{}{page}\n{}{page}\ngarbage\n\n{}{page}\n{}cut",
        line("http://h/d/one", page.len()),
        line("http://h/d/with a space", page.len()),
        line("http://h/e/two", page.len()),
        line("http://h/e/three", 1000),
    );
    let folder = folder_with(&[("in/a.arc", &arc)])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 1 && told.contains("record 5 is truncated") && told.contains("not-its-type"), "{told}");
    assert_eq!(fs::read_to_string(output.join("a.arc"))?, arc);
    let added = records(&fs::read(output.join("a.arc.warc"))?)?;
    let targets: Vec<&str> = added[1..].iter().map(|record| record.field("WARC-Target-URI")).collect();
    assert_eq!(targets, ["http://h/d/one", "http://h/d/with a space", "http://h/e/two"]);
    assert_eq!(added[3].block, b"<a href=http://h/e/x>");
    let (status, _, told) = run(&["rewrite", argument(&input), "--in-place"])?;
    assert!(status == 1 && told.contains("an ARC holds no conversions"), "{told}");
    let (_, told, _) = run(&["links", argument(&input)])?;
    assert_eq!(told.lines().count(), 3, "{told}");
    Ok(())
}
