//! Nothing is written but the output that was named, whatever the names and the contents of the input are.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::support::warc::{HTML, response};
use crate::support::{Outcome, argument, folder_with, run};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const PAGE: &str = "<a href=x>";

/// All files and links below a folder, but for those below its `out`, with what they hold.
fn around(folder: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner)? {
            let path = entry?.path();
            let metadata = fs::symlink_metadata(&path)?;
            if metadata.is_symlink() {
                found.insert(path.clone(), fs::read_link(&path)?.into_os_string().into_encoded_bytes());
            } else if !metadata.is_dir() {
                found.insert(path.clone(), fs::read(&path)?);
            } else if path != folder.join("out") {
                folders.push(path);
            }
        }
    }
    Ok(found)
}

/// Rewrites `input` into `out` and asserts that nothing else is there than before; returns the messages.
#[track_caller]
fn rewritten(folder: &Path, input: &str, flags: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let before = around(folder)?;
    let (input, output) = (folder.join(input), folder.join("out"));
    let (status, _, told) = run(&[&["rewrite", argument(&input), "-o", argument(&output)], flags].concat())?;
    assert!(status <= 1, "{told}");
    assert!(around(folder)? == before, "something else than the output was written: {told}");
    assert!(!told.contains("which is a bug"), "{told}");
    Ok(told)
}

fn wacz(members: &[(&str, &[u8])]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored))?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[test]
fn members_of_a_wacz_stay_in_it() -> Outcome {
    let warc = response(1, "http://h/d/", "200 OK", HTML, PAGE.as_bytes());
    let folder = folder_with(&[("in/page.html", PAGE)])?;
    let names = ["archive/a.warc", "archive/../../b.warc", "../c.warc", "/tmp/absolve-d.warc", "archive/..\\e.warc"];
    let mut members: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &warc[..])).collect();
    members.push(("indexes/../../index.cdxj", b"x"));
    fs::write(folder.path().join("in/a.wacz"), wacz(&members)?)?;
    let told = rewritten(folder.path(), "in", &["--warc", "resource"])?;
    let out = fs::read(folder.path().join("out/a.wacz"))?;
    let changed = memchr::memmem::find_iter(&out, b"<a href=http://h/d/x>").count();
    assert!(changed == 3 && !Path::new("/tmp/absolve-d.warc").exists(), "{changed} archives changed: {told}");
    Ok(())
}

#[test]
fn lists_of_urls_name_no_output() -> Outcome {
    let evil = env::temp_dir().join("absolve-evil.html");
    let paths =
        ["../evil.html", "in/../../evil.html", "..\\evil.html", argument(&evil), ".", "", "page.html/../x.html"];
    let rows: String = paths.iter().map(|path| format!("{path},http://evil/\n")).collect();
    let columns: String = paths
        .iter()
        .map(|path| format!("1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttp://h/x\t{path}\t(from )\n"))
        .collect();
    let folder = folder_with(&[
        ("in/page.html", PAGE),
        ("mirror/page.html", PAGE),
        ("mirror/hts-cache/new.txt", &columns),
        ("mirror/hts-cache/doit.log", "http://h/ -O ../../evil\n"),
        ("urls.csv", &format!("path,url\n{rows}page.html,http://h/d/page.html\n")),
    ])?;
    let urls = folder.path().join("urls.csv");
    rewritten(folder.path(), "in", &["--urls", argument(&urls)])?;
    assert_eq!(fs::read_to_string(folder.path().join("out/page.html"))?, "<a href=http://h/d/x>");
    rewritten(folder.path(), "mirror", &["--layout", "httrack", "--scheme", "http", "--force"])?;
    assert!(!evil.exists());
    Ok(())
}

/// URLs of records and names in headers are no paths; a sidecar is called after its archive.
#[test]
fn records_name_no_output() -> Outcome {
    let url = "file:///../../evil.html";
    let warc = [
        response(
            1,
            url,
            "200 OK",
            &format!("{HTML}Content-Disposition: attachment; filename=../evil\r\n"),
            b"<a href=/x>",
        ),
        response(2, "http://h/../../../evil", "200 OK", HTML, PAGE.as_bytes()),
    ]
    .concat();
    let block = format!("HTTP/1.1 200 OK\r\n{HTML}\r\n{PAGE}");
    let arc = format!(
        "filedesc://../../evil.arc 0.0.0.0 20200101000000 text/plain 0\n\n\
         http://h/../../evil 1.2.3.4 20200101000000 text/html {}\n{block}\n",
        block.len()
    );
    let mail = "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html; name=../evil\n\n";
    let folder = folder_with(&[("in/...arc", &arc), ("in/a.mbox", &format!("{mail}{PAGE}\n\n"))])?;
    fs::write(folder.path().join("in/a.warc"), warc)?;
    rewritten(folder.path(), "in", &[])?;
    let mut names: Vec<_> = fs::read_dir(folder.path().join("out"))?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_, _>>()?;
    names.sort();
    assert_eq!(names.len(), 4, "{names:?}");
    assert_eq!((&*names[0], &*names[2], &*names[3]), ("...arc", "a.mbox", "a.warc"), "{names:?}");
    Ok(())
}

#[test]
fn names_in_a_maildir_are_names() -> Outcome {
    let message = format!("Content-Base: http://h/\nContent-Type: text/html\n\n{PAGE}\n");
    let names =
        ["..,S=60:2,", ",S=", "1,S=60,S=..:2,", "\n,W=64", "-,S=9999999999999999999999:2,S", "2,S=60\\..\\evil"];
    let folder = folder_with(&[("in/new/.keep", "")])?;
    fs::create_dir(folder.path().join("in/cur"))?;
    for name in names {
        fs::write(folder.path().join("in/cur").join(name), &message)?;
    }
    rewritten(folder.path(), "in", &[])?;
    let written = fs::read_dir(folder.path().join("out/cur"))?.count();
    assert_eq!(written, names.len());
    // The same in place: still so many messages in the same folder, and nothing beside it.
    let (input, outside) = (folder.path().join("in"), folder.path().join("out"));
    fs::remove_dir_all(outside)?;
    assert_eq!(run(&["rewrite", argument(&input), "--in-place", "--quiet"])?.0, 0);
    assert_eq!(around(folder.path())?.len(), names.len() + 1);
    Ok(())
}

/// What stands in the output already may lead elsewhere.
#[test]
fn links_in_the_output_are_not_followed() -> Outcome {
    for flags in [&["--force"][..], &["--force", "--only-changed"], &["--force", "--include", "*/*.html"]] {
        let folder = folder_with(&[
            ("in/page.html", PAGE),
            ("in/sub/page.html", PAGE),
            ("in/sub/deep/page.html", PAGE),
            ("in/sub/deep/image.gif", "GIF89a"),
            ("outside/page.html", "mine"),
            ("outside/deep/page.html", "mine"),
            ("outside/victim.html", "mine"),
            ("out/old.html", "old"),
        ])?;
        let (out, outside) = (folder.path().join("out"), folder.path().join("outside"));
        symlink(&outside, out.join("sub"))?;
        symlink(outside.join("victim.html"), out.join("page.html"))?;
        let flags = [flags, &["--url", "http://h/d/"]].concat();
        let told = rewritten(folder.path(), "in", &flags)?;
        assert_eq!(fs::read_to_string(out.join("sub/page.html"))?, "<a href=http://h/d/sub/x>", "{flags:?}: {told}");
        assert!(!fs::symlink_metadata(out.join("sub"))?.is_symlink(), "{flags:?}");
    }
    Ok(())
}

/// Links of the input stay links: what they lead to is neither read as part of the tree nor written.
#[test]
fn links_in_the_input_are_not_followed() -> Outcome {
    let folder = folder_with(&[("in/page.html", PAGE), ("outside/page.html", PAGE), ("outside/one.html", PAGE)])?;
    let (input, outside) = (folder.path().join("in"), folder.path().join("outside"));
    symlink(&outside, input.join("sub"))?;
    symlink(outside.join("one.html"), input.join("one.html"))?;
    symlink("..", input.join("up"))?;
    rewritten(folder.path(), "in", &["--url", "http://h/d/"])?;
    assert!(fs::symlink_metadata(folder.path().join("out/sub"))?.is_symlink());
    let (status, _, told) = run(&["rewrite", argument(&input), "--in-place", "--url", "http://h/d/"])?;
    assert_eq!(status, 0, "{told}");
    assert_eq!(fs::read_to_string(input.join("page.html"))?, "<a href=http://h/d/x>");
    for name in ["page.html", "one.html"] {
        assert_eq!(fs::read_to_string(outside.join(name))?, PAGE, "{name} was changed through a link");
    }
    Ok(())
}

/// An input without a name of its own, beside others, is called as its folder is.
#[test]
fn inputs_without_names() -> Outcome {
    let folder = folder_with(&[("outer/in/page.html", PAGE), ("other/page.html", PAGE)])?;
    let (dots, other) = (folder.path().join("outer/in/../in/."), folder.path().join("other/../other"));
    let (outer, output) = (folder.path().join("outer/in/.."), folder.path().join("out"));
    let before = around(folder.path())?;
    let arguments = ["rewrite", argument(&dots), argument(&other), argument(&outer), "-o", argument(&output)];
    // No base is known.
    assert_eq!(run(&arguments)?.0, 1);
    assert_eq!(around(folder.path())?, before);
    for path in ["in/page.html", "other/page.html", "outer/in/page.html"] {
        assert!(output.join(path).exists(), "{path}");
    }
    Ok(())
}

#[test]
fn folders_around_the_output_are_created() -> Outcome {
    let folder =
        folder_with(&[("in/a.html", "<a href=x>"), ("m.eml", "Content-Type: text/html\n\n<p>"), ("file", "")])?;
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    for (command, output, file) in [
        (vec!["rewrite", &path("in")], "new/deep/folder", "new/deep/folder/a.html"),
        (vec!["rewrite", &path("in")], "slash/deep/folder/.", "slash/deep/folder/a.html"),
        (vec!["rewrite", &path("in/a.html")], "newer/deep/page.html", "newer/deep/page.html"),
        (vec!["unpack", &path("m.eml")], "newest/deep/letter/", "newest/deep/letter/index.html"),
    ] {
        let url = ["--url", "http://h/"];
        let (status, _, stderr) = run(&[&command[..], &url, &["-o", &path(output)]].concat())?;
        assert!(status == 0 && folder.path().join(file).exists(), "{output}: {stderr}");
    }
    // Where nothing can be written, nothing is created.
    for (input, output) in [
        ("in", "file/folder"),
        ("in", "file/deep/folder"),
        ("in", "file/"),
        ("in/a.html", "file/page.html"),
        ("in", "other/.."),
        ("in", "in/deep/folder"),
    ] {
        let (status, _, stderr) = run(&["rewrite", &path(input), "--url", "http://h/", "-o", &path(output)])?;
        let is_named = stderr.contains(path(output).trim_end_matches('/'));
        assert!(status == 2 && is_named && !stderr.contains("File exists"), "{output}: {stderr}");
    }
    assert!(!folder.path().join("other").exists() && !folder.path().join("in/deep").exists());
    Ok(())
}
