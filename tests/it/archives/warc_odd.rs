//! Web archives as they should not be: what can be read is done, what cannot is reported, and nothing is lost.

use std::fs;
use std::path::Path;

use crate::support::warc::{HTML, decompressed, member, records, response};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{IN_FULL, print_line};

/// Odd responses, each alone in an archive: what their conversion holds, or what is reported.
#[test]
fn odd_responses() -> Outcome {
    let page = b"<a href=x>";
    let url = "http://h/d/page";
    let done = Some("<a href=http://h/d/x>");
    let folder = folder_with(&[])?;
    let html = |fields: &str| format!("{HTML}{fields}\r\n");
    let with = |fields: &str, body: &[u8]| response(1, url, "200 OK", &html(fields), body);
    let plain = response(1, url, "200 OK", HTML, page);
    let old = String::from_utf8_lossy(&plain).replace("WARC/1.1", "WARC/0.17");
    let untyped = "WARC/1.0\r\nWARC-Type: Response\r\nWARC-Target-URI: http://h/d/\r\nContent-Length: 54\r\n\r\n\
                   HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>\r\n\r\n";
    let folded = "Content-Type: text/html;\r\n\tcharset=utf-8\r\n";
    for (name, archive, expected) in [
        ("206 of a part", response(1, url, "206 Partial", &html("Content-Range: bytes 100-109/200"), page), None),
        ("206 of all", response(1, url, "206 Partial", &html("Content-Range: bytes 0-9/10"), page), done),
        ("a status of Latin-1", response(1, url, "200 Tr\u{e8}s bien", HTML, page), done),
        ("two types", response(1, url, "200 OK", &format!("Content-Type: text/plain\r\n{HTML}"), page), done),
        ("a folded type", response(1, url, "200 OK", folded, page), done),
        ("no type in the archive", untyped.as_bytes().to_vec(), done),
        ("chunks cut off", with("Transfer-Encoding: chunked", b"a\r\n<a href=x>\r\n5\r\nab"), None),
        ("gzip that is none", with("Content-Encoding: gzip", b"<html><a href=x>"), Some("<html><a href=http://h/d/x>")),
        ("no line ends behind", plain[..plain.len() - 4].to_vec(), done),
        ("WARC/0.17 behind garbage", format!("garbage\r\n{old}").into_bytes(), done),
    ] {
        let (path, output, again) = (folder.path().join("a.warc"), folder.path().join("o"), folder.path().join("p"));
        fs::write(&path, &archive)?;
        let rewrite =
            |from: &Path, to: &Path| run(&["rewrite", argument(from), "--type", "warc", "-o", argument(to), "--force"]);
        let (status, _, told) = rewrite(&path, &output)?;
        let out = fs::read(&output)?;
        let added = out.strip_prefix(&archive[..]).ok_or("the archive has changed")?;
        let added = records(added.strip_prefix(b"\r\n\r\n").unwrap_or(added))?;
        let block = added.get(1).map(|record| String::from_utf8_lossy(&record.block).into_owned());
        let is_dropped = i32::from(name.ends_with("garbage"));
        assert_eq!((block.as_deref(), status), (expected, is_dropped), "{name}: {told}");
        rewrite(&output, &again)?;
        assert!(fs::read(&again)? == out, "{name}: a second run adds something");
    }
    Ok(())
}

/// What must not be lost: the archive beside its sidecar, a WARC beside an ARC, what stands behind garbage.
#[test]
fn nothing_is_lost() -> Outcome {
    let warc = response(1, "http://h/d/", "200 OK", HTML, b"<a href=x>");
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, &warc)?;
    let (status, ..) = run(&["rewrite", argument(&path), "--in-place", "--warc", "sidecar"])?;
    assert!(status == 2 && fs::read(&path)? == warc);
    let twice = [&warc[..], &warc].concat();
    fs::write(&path, &twice)?;
    let output = folder.path().join("o");
    assert_eq!(run(&["rewrite", argument(&path), "-o", argument(&output), "--quiet"])?.0, 0);
    assert_eq!(records(&fs::read(&output)?[twice.len()..])?.len(), 2, "one conversion of what stands there twice");
    let garbage = [&warc[..], b"garbage"].concat();
    fs::write(&path, &garbage)?;
    let (status, _, told) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force"])?;
    assert!(status == 1 && told.contains("no conversions are appended") && fs::read(&output)? == garbage, "{told}");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &warc)?;
    let padded = [encoder.finish()?, vec![0; 512]].concat();
    fs::write(&path, &padded)?;
    let (status, ..) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force"])?;
    assert!(status == 1 && fs::read(&output)? == padded, "something was added behind zeros");
    let mut long = response(1, "http://h/d/", "200 OK", HTML, &[b' '; 1000]);
    let declared = String::from_utf8_lossy(&long).replace("Content-Length: 10", "Content-Length: 300000010");
    long = [&warc[..], declared.as_bytes(), &vec![b' '; 9 << 20]].concat();
    fs::write(&path, &long)?;
    let (status, ..) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force"])?;
    assert!(status == 1 && fs::read(&output)? == long, "something was added within a record");
    Ok(())
}

/// Small archives that hold much, or cost much: reported, in proportion.
#[test]
fn bombs_in_web_archives() -> Outcome {
    let zeros = vec![b' '; 30 << 20];
    let coded = zstd::bulk::compress(&zeros, 3)?;
    let bomb = response(1, "http://h/d/", "200 OK", &format!("{HTML}Content-Encoding: zstd\r\n"), &coded);
    let too_long = zstd::bulk::compress(&vec![b' '; 40 << 20], 3)?;
    let too_long = response(1, "http://h/d/", "200 OK", &format!("{HTML}Content-Encoding: zstd\r\n"), &too_long);
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    for (name, archive, code) in [
        ("a content that is too long", too_long, "content-coding"),
        ("headings without end", b"WARC/1.0\n".repeat(100_000), "not-its-type"),
        ("contents of 3 GB", bomb.repeat(100), "content-coding"),
    ]
    .into_iter()
    .take(if IN_FULL { 3 } else { 2 })
    {
        fs::write(&path, archive)?;
        let start = std::time::Instant::now();
        let (_, _, told) = run(&["rewrite", argument(&path), "--dry-run", "--verbose"])?;
        assert!(told.contains(code) && !told.contains("which is a bug"), "{name}: {told}");
        print_line(&format!("{name}: {:?}", start.elapsed()));
    }
    Ok(())
}

/// `-o x.warc.gz` of a plain WARC writes gzip, and `-o x.warc` of a compressed one does not; what is appended to cannot change.
#[test]
fn the_name_of_the_output_says_how_it_is_compressed() -> Outcome {
    let (plain, other) =
        (response(1, "http://h/d/", "200 OK", HTML, b"<a href=x>"), response(2, "urn:x", "200 OK", HTML, b""));
    let archives = [
        ("a.warc", [&plain[..], &other].concat()),
        ("a.warc.gz", [member(&plain)?, member(&other)?].concat()),
        ("absolute.warc", response(1, "http://h/d/", "200 OK", HTML, b"<a href=http://h/x>")),
    ];
    for (name, input) in archives {
        let folder = folder_with(&[])?;
        let path = folder.path().join(name);
        fs::write(&path, &input)?;
        for (output, is_gzip) in [("x.warc.gz", true), ("x.warc", false)] {
            let output = folder.path().join(output);
            let rewrite =
                |mode: &str| run(&["rewrite", argument(&path), "-o", argument(&output), "--force", "--warc", mode]);
            let (status, _, told) = rewrite("append")?;
            let is_named_so = name.ends_with(".gz") == is_gzip;
            assert_eq!((status, output.exists()), if is_named_so { (0, true) } else { (2, false) }, "{name}: {told}");
            assert!(is_named_so || told.contains("not compressed as this name says"), "{name}: {told}");
            for mode in ["sidecar", "resource"] {
                let (status, _, told) = rewrite(mode)?;
                assert_eq!(status, 0, "{name}, {mode}: {told}");
                if mode == "sidecar" && name == "absolute.warc" {
                    continue;
                }
                let out = fs::read(&output)?;
                assert_eq!(out.starts_with(&[0x1f, 0x8b]), is_gzip, "{name}, {mode}");
                let held = records(&decompressed(if is_gzip { ".gz" } else { "" }, &out)?)?.len();
                let begins = memchr::memmem::find_iter(&out, b"\x1f\x8b\x08\0").count();
                assert!(!is_gzip || begins == held, "{name}, {mode}: a member for each record");
                let (status, told, _) = run(&["verify", argument(&path), argument(&output), "--warc", mode])?;
                assert_eq!(status, 0, "{name}, {mode}: {told}");
            }
        }
    }
    let (mbox, output) = (folder_with(&[("a.mbox", "From a@b Thu Jan  1 00:00:00 1998\n\n")])?, folder_with(&[])?);
    let output = output.path().join("x.mbox.gz");
    let (status, _, told) = run(&["rewrite", argument(&mbox.path().join("a.mbox")), "-o", argument(&output)])?;
    assert!(status == 0 && fs::read(&output)?.starts_with(&[0x1f, 0x8b]), "{told}");
    Ok(())
}

#[test]
fn responses_that_are_errors_are_counted_in_the_closing_words() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    let page = |number: u32, status: &str| response(number, "http://h/d/page", status, HTML, b"<a href=x>");
    for (errors, expected) in [(1, "1 response with a status other"), (2, "2 responses with a status other")] {
        let found = (0..errors).map(|number| page(number + 2, "404 Not Found"));
        fs::write(&path, [page(1, "200 OK")].into_iter().chain(found).collect::<Vec<_>>().concat())?;
        let (status, _, stderr) = run(&["rewrite", argument(&path), "--dry-run"])?;
        assert!(status == 0 && stderr.contains(expected), "{stderr}");
    }
    fs::write(&path, page(1, "200 OK"))?;
    assert!(!run(&["rewrite", argument(&path), "--dry-run"])?.2.contains("with a status other"));
    Ok(())
}

/// A redirection by either field is listed, and is in the header of the output as it was.
#[test]
fn refresh_is_treated_as_location_in_each_form() -> Outcome {
    let fields = "Location: ../b\r\nRefresh: 0; url=../b\r\n";
    let archive = [
        response(1, "http://h/d/one", "301 Moved", fields, b""),
        response(2, "http://h/d/two", "200 OK", &format!("{HTML}{fields}"), b"<a href=x>"),
    ];
    let folder = folder_with(&[])?;
    let [path, output] = ["a.warc", "b.warc"].map(|name| folder.path().join(name));
    fs::write(&path, archive.concat())?;
    let (path, output) = (argument(&path), argument(&output));
    let redirections = |file: &str, more: &[&str]| -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let (_, listed, _) = run(&[&["links", file, "--format", "csv"], more].concat())?;
        let of_header = |line: &&str| line.contains(",http,location,") || line.contains(",http,refresh,");
        Ok(listed.lines().filter(of_header).map(str::to_owned).collect())
    };
    for more in [&[][..], &["--http-headers"], &["--headers"]] {
        let found = redirections(path, more)?;
        let refresh = found.iter().filter(|line| line.contains(",refresh,"));
        assert!(refresh.clone().count() == 2 && found.len() == 4, "{found:?}");
        assert!(found.iter().all(|line| line.contains(",http://h/b,kept,")), "{found:?}");
        for form in ["append", "sidecar", "resource"] {
            let rewrite = ["rewrite", path, "-o", output, "--warc", form, "--force"];
            assert_eq!(run(&[&rewrite, more].concat())?.0, 0);
            let (written, written_records) = (fs::read(output)?, records(&fs::read(output)?)?);
            match form {
                "append" => assert!(written.starts_with(&archive.concat())),
                "sidecar" => assert!(written_records.iter().all(|record| record.field("WARC-Type") != "response")),
                _ => {
                    assert!(memchr::memmem::find(&written, &archive[0]).is_some());
                    let kept = written_records.iter().filter(|record| {
                        fields.lines().all(|line| {
                            let line = format!("absolve-replaced-http-field: {line}");
                            String::from_utf8_lossy(&record.block).contains(&line)
                        })
                    });
                    assert_eq!(kept.count(), 1);
                }
            }
            assert_eq!(run(&[&["verify", path, output, "--warc", form], more].concat())?.0, 0, "{form} {more:?}");
        }
    }
    Ok(())
}

/// `append` keeps the compression of the archive, whatever the names of both say.
#[test]
fn append_keeps_the_compression_whatever_its_name() -> Outcome {
    let folder = folder_with(&[])?;
    let page = member(&response(1, "http://h/d/", "200 OK", HTML, b"<a href=x>"))?;
    let [plain, gzip] = ["x.warc", "x.warc.gz"].map(|name| folder.path().join(name));
    let [output, refused] = ["y.warc", "z.warc"].map(|name| folder.path().join(name));
    fs::write(&plain, &page)?;
    fs::write(&gzip, &page)?;
    let date = ["--warc-date", "2024-01-01T00:00:00Z"];
    let rewrite = |from: &Path, to: &Path, date: [&str; 2]| {
        run(&[&["rewrite", argument(from), "-o", argument(to), "--force"], &date[..]].concat())
    };
    let (status, _, told) = rewrite(&plain, &output, date)?;
    let out = fs::read(&output)?;
    let added = records(&decompressed(".gz", out.strip_prefix(&page[..]).ok_or("not its beginning")?)?)?;
    assert!(status == 0 && added[1].field("WARC-Date") == "2024-01-01T00:00:00Z", "{told}");
    assert_eq!(run(&["verify", argument(&plain), argument(&output)])?.0, 0);
    rewrite(&plain, &output, ["--warc-date", "1704067200"])?;
    assert!(fs::read(&output)? == out, "both are one date");
    let (status, _, told) = rewrite(&gzip, &refused, date)?;
    assert!(status == 2 && told.contains("give it the extension of the input"), "{told}");
    let (status, _, told) = rewrite(&plain, &output, ["--warc-date", "2024-01-01"])?;
    assert!(status == 2 && told.contains("2024-01-01T00:00:00Z"), "{told}");
    Ok(())
}

/// Of several types in one field the last one counts, without the space before it.
#[test]
fn a_type_after_a_comma_is_trimmed() -> Outcome {
    let folder = folder_with(&[])?;
    let (path, output) = (folder.path().join("a.warc"), folder.path().join("o"));
    fs::write(
        &path,
        response(1, "http://h/d/", "200 OK", "Content-Type: text/html, text/html; charset=utf-8\r\n", b"<a href=x>"),
    )?;
    for mode in ["sidecar", "resource"] {
        let (status, _, told) = run(&["rewrite", argument(&path), "-o", argument(&output), "--force", "--warc", mode])?;
        let out = fs::read(&output)?;
        assert!(
            status == 0 && memchr::memmem::find(&out, b"\r\nContent-Type: text/html; charset=utf-8\r\n").is_some(),
            "{told}"
        );
        assert_eq!(run(&["verify", argument(&path), argument(&output), "--warc", mode])?.0, 0);
    }
    Ok(())
}

/// Some writers give two records one id. With one content, too, each URL has a conversion of its own.
#[test]
fn records_of_one_id_have_a_conversion_for_each_url() -> Outcome {
    let folder = folder_with(&[])?;
    let (path, output) = (folder.path().join("a.warc"), folder.path().join("o.warc"));
    let urls = ["http://h/d/1", "http://h/d/2", "http://h/d/1"];
    let pages = urls.map(|url| response(1, url, "200 OK", HTML, b"<a href=x>"));
    fs::write(&path, pages.concat())?;
    let (status, _, errors) = run(&["rewrite", argument(&path), "--warc", "sidecar", "-o", argument(&output)])?;
    assert_eq!(status, 0, "{errors}");
    let made = records(&fs::read(&output)?)?.into_iter().filter(|record| record.field("WARC-Type") == "conversion");
    let made: Vec<_> = made.map(|record| record.field("WARC-Target-URI").to_owned()).collect();
    assert_eq!(made, urls[..2]);
    let (status, printed, _) = run(&["verify", argument(&path), argument(&output), "--warc", "sidecar"])?;
    assert_eq!(status, 0, "{printed}");
    Ok(())
}
