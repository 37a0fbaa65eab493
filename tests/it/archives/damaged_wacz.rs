//! WACZ with damaged archives in them: what is good in them is read.

use std::fs;
use std::io;

use crate::support::warc::{HTML, member, response};
use crate::support::{Outcome, argument, folder_with, run};

/// Of the archives of a WACZ, one that does not match its checksum is an error with its name, and the others are read.
#[test]
fn a_damaged_archive_of_a_wacz_does_not_hide_the_next() -> Outcome {
    let archives = [("archive/a.warc.gz", "http://a.example/"), ("archive/b.warc.gz", "http://b.example/")];
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, url) in archives {
        let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        writer.start_file(name, stored)?;
        io::Write::write_all(&mut writer, &member(&response(1, url, "200 OK", HTML, b"<a href=x>"))?)?;
    }
    let mut package = writer.finish()?.into_inner();
    let start = memchr::memmem::find(&package, b"\x1f\x8b").ok_or("no member")?;
    package[start + 40] ^= 0xFF;
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.wacz");
    fs::write(&path, &package)?;
    let (status, out, errors) = run(&["links", "--json", "--columns", "target", argument(&path)])?;
    assert_eq!((status, &*out), (1, "{\"target\":\"http://b.example/x\"}\n"));
    assert!(errors.contains("archive/a.warc.gz: "), "{errors}");
    Ok(())
}

/// An archive that is stored, and whose checksum does not match, loses the damaged record only.
#[test]
fn a_damaged_record_of_a_stored_archive_is_lost_alone() -> Outcome {
    let urls = ["http://h.example/1", "http://h.example/2", "http://h.example/3"];
    let members: Vec<_> =
        urls.iter().map(|url| member(&response(1, url, "200 OK", HTML, b"<a href=x>"))).collect::<Result<_, _>>()?;
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    writer.start_file("archive/a.warc.gz", stored)?;
    io::Write::write_all(&mut writer, &members.concat())?;
    let mut package = writer.finish()?.into_inner();
    let start = memchr::memmem::find(&package, b"\x1f\x8b").ok_or("no member")?;
    package[start + members[0].len() + 40] ^= 0xFF;
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.wacz");
    fs::write(&path, &package)?;
    let (status, out, errors) = run(&["links", "--json", "--columns", "url", argument(&path)])?;
    let rows = [urls[0], urls[2]].map(|url| format!("{{\"url\":\"{url}\"}}\n")).concat();
    assert_eq!((status, out), (1, rows), "{errors}");
    assert!(errors.contains("record archive/a.warc.gz 2: record-damaged") && errors.contains("checksum"), "{errors}");
    Ok(())
}

/// What the name of a file in a WACZ calls an archive is read as one, wherever it is damaged.
#[test]
fn a_damaged_start_does_not_hide_an_archive_of_a_wacz() -> Outcome {
    let record = |number: u32, url: &str| member(&response(number, url, "200 OK", HTML, b"<a href=x>"));
    let mut damaged = [record(1, "http://a.example/")?, record(2, "http://a.example/b")?].concat();
    damaged[30] ^= 0xFF;
    for (first, why, files) in [
        (damaged, "record-damaged", 2),
        (b"\x1f\x8b and no archive".to_vec(), "invalid gzip header", 1),
        (b"no archive".to_vec(), "not-its-type", 1),
    ] {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, bytes) in [("archive/a.warc.gz", first), ("archive/b.warc.gz", record(3, "http://b.example/")?)] {
            writer.start_file(name, zip::write::SimpleFileOptions::default())?;
            io::Write::write_all(&mut writer, &bytes)?;
        }
        writer.start_file("datapackage.json", zip::write::SimpleFileOptions::default())?;
        io::Write::write_all(&mut writer, b"{\"resources\": []}")?;
        let folder = folder_with(&[])?;
        let (path, site) = (folder.path().join("a.wacz"), folder.path().join("site"));
        fs::write(&path, writer.finish()?.into_inner())?;
        let (status, _, errors) = run(&["unpack", argument(&path), "-o", argument(&site)])?;
        let says = errors.contains("archive/a.warc.gz") && errors.contains(why);
        assert!(status == 1 && says && errors.contains(&format!("{files} file")), "{status}: {errors}");
        assert!(site.join("b.example/index.html").exists(), "{errors}");
        let output = folder.path().join("out.wacz");
        let (_, _, errors) = run(&["rewrite", argument(&path), "-o", argument(&output), "--warc", "resource"])?;
        let left = match why {
            "record-damaged" => "record archive/a.warc.gz 1: record-damaged",
            _ => "record archive/a.warc.gz: not-its-type: it does not begin like a WARC; left unchanged",
        };
        assert!(errors.contains(left) && errors.contains(&format!("{files} made absolute")), "{errors}");
    }
    Ok(())
}
