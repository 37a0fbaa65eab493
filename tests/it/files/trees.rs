//! A folder goes in, the same folder comes out.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};
use std::{ffi, fs, io};

use crate::support::{CORPORA, Outcome, argument, folder_with, run};
use absolve_testing::{corpus, files, fixtures, print_line, temporary_folder};

const URL: &str = "http://h/site/";

#[test]
fn other_files_modes_and_times_are_kept() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>"), ("in/sub/data.bin", "\0\u{1}"), ("in/tool.sh", "#!")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (name, mode) in [("a.html", 0o640), ("tool.sh", 0o777), ("sub", 0o555)] {
        fs::set_permissions(input.join(name), fs::Permissions::from_mode(mode))?;
    }
    fs::File::open(input.join("a.html"))?.set_modified(time)?;
    let (status, _, errors) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", URL])?;
    assert_eq!(status, 0, "{errors}");
    assert_eq!(fs::read_to_string(output.join("a.html"))?, "<a href=http://h/site/b>");
    assert_eq!(fs::read(output.join("sub/data.bin"))?, b"\0\x01");
    for (name, mode) in [("a.html", 0o640), ("tool.sh", 0o777), ("sub", 0o555)] {
        assert_eq!(fs::metadata(output.join(name))?.permissions().mode() & 0o777, mode, "{name}");
    }
    assert_eq!(fs::metadata(output.join("a.html"))?.modified()?, time);
    assert_eq!(files(&output)?.len(), 3, "nothing else is there");
    assert!(!folder.path().join("out.partial").exists() && !folder.path().join("out.partial.request").exists());
    fs::set_permissions(input.join("sub"), fs::Permissions::from_mode(0o755))?;
    fs::set_permissions(output.join("sub"), fs::Permissions::from_mode(0o755))?;
    Ok(())
}

#[test]
fn symbolic_links_are_copied_and_not_followed() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>"), ("outside.html", "<a href=b>")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    symlink("a.html", input.join("inside.html"))?;
    symlink("../outside.html", input.join("outside.html"))?;
    symlink("/", input.join("root"))?;
    let (status, _, errors) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", URL])?;
    assert_eq!(status, 0, "{errors}");
    assert_eq!(fs::read_link(output.join("inside.html"))?, Path::new("a.html"));
    assert_eq!(fs::read_link(output.join("outside.html"))?, Path::new("../outside.html"));
    assert_eq!(errors.matches("symlink-outside").count(), 2, "{errors}");
    assert_eq!(fs::read_to_string(folder.path().join("outside.html"))?, "<a href=b>");
    Ok(())
}

#[test]
fn names_that_are_not_utf_8() -> Outcome {
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    fs::create_dir(&input)?;
    let name = ffi::OsStr::from_bytes(b"caf\xe9 1.html");
    fs::write(input.join(name), "<a href=x><a href=?q>")?;
    let (status, out, _) = run(&["links", "--json", argument(&input), "--url", URL])?;
    let link: serde_json::Value = serde_json::from_str(out.lines().nth(1).unwrap_or_default())?;
    let path = data_encoding::BASE64.encode(input.join(name).as_os_str().as_bytes());
    assert_eq!((status, &link["path_base64"]), (0, &path.into()));
    assert_eq!(link["target"], "http://h/site/caf%E9%201.html?q");
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output), "--url", URL])?.0, 0);
    assert_eq!(fs::read(output.join(name))?, b"<a href=http://h/site/x><a href=http://h/site/caf%E9%201.html?q>");
    Ok(())
}

#[test]
fn what_cannot_be_read_does_not_stop_the_others() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>"), ("in/z.html", "<a href=b>")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let unreadable = input.join("m.html");
    let made = Command::new("mkfifo").arg(&unreadable).status();
    if !made.is_ok_and(|status| status.success()) {
        print_line("skipped: no named pipe could be made");
        return Ok(());
    }
    let (status, _, errors) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", URL])?;
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("m.html: not-a-file"), "{errors}");
    assert_eq!(files(&output)?.len(), 2);

    let missing = folder.path().join("missing.html");
    let (status, _, errors) = run(&["check", argument(&input.join("a.html")), argument(&missing)])?;
    assert_eq!(status, 2);
    assert!(errors.contains("cannot read") && errors.contains("missing.html"), "{errors}");
    Ok(())
}

#[test]
fn a_full_device_ends_the_run() -> Outcome {
    if !Path::new("/dev/full").exists() {
        print_line("skipped: no /dev/full");
        return Ok(());
    }
    let folder = folder_with(&[("in/a.html", "<a href=b>")])?;
    let input = folder.path().join("in/a.html");
    let (status, out, errors) = {
        let output = Command::new(env!("CARGO_BIN_EXE_absolve"))
            .args(["rewrite", argument(&input), "-o", "-", "--url", URL])
            .stdout(fs::OpenOptions::new().write(true).open("/dev/full")?)
            .output()?;
        (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!((status, out.len()), (Some(2), 0));
    assert!(errors.contains("No space left"), "{errors}");
    Ok(())
}

#[test]
fn an_interrupted_run_is_resumed() -> Outcome {
    let pages: Vec<(String, String)> = (0..40).map(|n| (format!("in/{n}.html"), format!("<a href={n}>"))).collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = folder_with(&pages)?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--url", URL];
    assert_eq!(run(&arguments)?.0, 0);
    // As an interruption leaves it: some files missing, one half-written, the folder without its name.
    let partial = folder.path().join("out.partial");
    fs::rename(&output, &partial)?;
    for n in 0..10 {
        fs::remove_file(partial.join(format!("{n}.html")))?;
    }
    fs::write(partial.join("20.html"), "<a hr")?;

    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 2);
    assert!(errors.contains("left from an interrupted run; --resume continues it"), "{errors}");
    let (status, _, errors) = run(&[&arguments[..], &["--resume"]].concat())?;
    assert_eq!(status, 2, "no request is noted: {errors}");

    // One that takes long enough to be killed leaves the note of what it was asked for.
    let moved = folder.path().join("moved");
    fs::rename(&partial, &moved)?;
    let large = folder.path().join("in/large.html");
    fs::write(&large, "<a href=b>".repeat(5_000_000))?;
    let request = begin_and_kill(&arguments, &folder.path().join("out.partial.request"))?;
    fs::remove_dir_all(&partial)?;
    fs::rename(&moved, &partial)?;
    fs::write(folder.path().join("out.partial.request"), request)?;
    fs::remove_file(&large)?;

    let other = [&arguments[..5], &["http://other/", "--resume"]].concat();
    let (status, _, errors) = run(&other)?;
    assert_eq!(status, 2);
    assert!(errors.contains("begun with other options"), "{errors}");
    let (status, _, errors) = run(&[&arguments[..], &["--resume"]].concat())?;
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("29 done by the interrupted run"), "{errors}");
    for n in 0..40 {
        assert_eq!(fs::read_to_string(output.join(format!("{n}.html")))?, format!("<a href=http://h/site/{n}>"));
    }
    Ok(())
}

/// The note that a run leaves beside its folder while it works.
fn begin_and_kill(arguments: &[&str], note: &Path) -> io::Result<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_absolve")).args(arguments).spawn()?;
    while child.try_wait()?.is_none() {
        if let Ok(text) = fs::read_to_string(note)
            && text.ends_with('\n')
            && note.with_extension("").exists()
        {
            child.kill()?;
            child.wait()?;
            return Ok(text);
        }
    }
    Err(io::Error::other("the run ended before it was killed"))
}

#[test]
fn in_place_changes_only_what_changes() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=b>"), ("b.html", "<a href=http://h/>"), ("c.txt", "<a href=b>")])?;
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for name in ["a.html", "b.html"] {
        fs::File::open(folder.path().join(name))?.set_modified(time)?;
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o604))?;
    }
    let arguments = ["rewrite", argument(folder.path()), "--in-place", "--url", URL];
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("1 file changed"), "{errors}");
    assert_eq!(fs::read_to_string(folder.path().join("a.html"))?, "<a href=http://h/site/b>");
    assert_eq!(fs::metadata(folder.path().join("a.html"))?.permissions().mode() & 0o777, 0o604);
    assert_eq!(fs::metadata(folder.path().join("b.html"))?.modified()?, time);
    assert!(run(&arguments)?.2.contains("0 files changed"));
    assert_eq!(files(folder.path())?.len(), 3, "no temporary file is left");
    Ok(())
}

#[test]
fn only_changed_leaves_the_rest_out() -> Outcome {
    let folder = folder_with(&[("in/d/a.html", "<a href=b>"), ("in/e/b.html", "<p>"), ("in/c.txt", "x")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--url", URL, "--only-changed"];
    assert_eq!(run(&arguments)?.0, 0);
    assert_eq!(files(&output)?, [output.join("d/a.html")]);
    assert!(!output.join("e").exists());
    Ok(())
}

#[test]
fn links_to_files_of_the_input_can_stay() -> Outcome {
    let page = "<a href='b c.html#x'><a href=../d/><a href=missing.html><a href=//h/site/d/a.html>";
    let folder = folder_with(&[("in/d/a.html", page), ("in/d/b c.html", "")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/site", "--keep-local"];
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    let kept = "<a href='b c.html#x'><a href=../d/><a href=http://h/site/d/missing.html><a href=//h/site/d/a.html>";
    assert_eq!(fs::read_to_string(output.join("d/a.html"))?, kept);
    Ok(())
}

#[test]
fn nothing_is_written_through_a_link_of_the_output() -> Outcome {
    let folder = folder_with(&[("in/sub/a.html", "<a href=b>"), ("victim/a.html", "precious"), ("out/x", "")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    symlink("../victim", output.join("sub"))?;
    let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--url", URL, "--force"];
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    assert_eq!(fs::read_to_string(folder.path().join("victim/a.html"))?, "precious");
    assert_eq!(fs::read_to_string(output.join("sub/a.html"))?, "<a href=http://h/site/sub/b>");
    Ok(())
}

#[test]
fn links_named_by_the_same_name_clash() -> Outcome {
    let folder = folder_with(&[("s1/r1.html", "<a href=1>"), ("s2/r2.html", "<a href=2>")])?;
    for (target, place) in [("r1.html", "s1"), ("r2.html", "s2")] {
        symlink(target, folder.path().join(place).join("page.html"))?;
    }
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    let (one, two, output) = (path("s1/page.html"), path("s2/page.html"), path("out"));
    assert_eq!(run(&["rewrite", &one, &two, "-o", &output])?.0, 2);
    assert_eq!(run(&["rewrite", &one, &path("s1/r1.html"), "-o", &output])?.0, 1);
    assert!(folder.path().join("out/page.html").exists());
    Ok(())
}

#[test]
fn local_links_are_known_however_the_url_is_spelled() -> Outcome {
    for url in ["http://h/x/../docs/", "http://h/docs", "http:/h/docs/", "http://u:p@h/docs/", "http://h/docs/?q"] {
        let folder = folder_with(&[("in/a.html", "<a href=b.html><a href=c.html>"), ("in/b.html", "")])?;
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--url", url, "--keep-local"];
        assert_eq!(run(&arguments)?.0, 0);
        assert_eq!(fs::read_to_string(output.join("a.html"))?, "<a href=b.html><a href=http://h/docs/c.html>", "{url}");
    }
    Ok(())
}

#[test]
fn pages_behind_other_names_are_known_by_their_content() -> Outcome {
    let page = "<?xml version=\"1.0\"?>\n<!DOCTYPE html><a href=b>";
    let names = ["in/index.php", "in/a.html.1", "in/noext", "in/view.php?id=1"];
    let folder = folder_with(&names.map(|name| (name, page)))?;
    fs::write(folder.path().join("in/source.php"), "<?php echo '<a href=b>';")?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output), "--url", URL])?.0, 0);
    for name in names {
        assert!(
            fs::read_to_string(folder.path().join(name.replacen("in", "out", 1)))?
                .ends_with("<a href=http://h/site/b>")
        );
    }
    assert_eq!(fs::read_to_string(output.join("source.php"))?, "<?php echo '<a href=b>';");
    Ok(())
}

#[test]
fn include_and_exclude_choose_documents() -> Outcome {
    let folder = folder_with(&[
        ("in/a.html", "<a href=b>"),
        ("in/old/b.html", "<a href=b>"),
        ("in/c.tpl", "<!doctype html><a href=b>"),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let arguments = [
        "rewrite",
        argument(&input),
        "-o",
        argument(&output),
        "--url",
        URL,
        "--include",
        "**/*.html",
        "--include",
        "*.tpl",
        "--exclude",
        "old/**",
    ];
    assert_eq!(run(&arguments)?.0, 0);
    assert_eq!(fs::read_to_string(output.join("a.html"))?, "<a href=http://h/site/b>");
    assert_eq!(fs::read_to_string(output.join("old/b.html"))?, "<a href=b>");
    assert_eq!(fs::read_to_string(output.join("c.tpl"))?, "<!doctype html><a href=http://h/site/b>");
    Ok(())
}

/// Law 6.
#[test]
fn the_output_does_not_depend_on_the_number_of_threads() -> Outcome {
    independent_of_threads([fixtures()])
}

#[test]
#[ignore = "long: corpora"]
fn no_corpus_depends_on_the_number_of_threads() -> Outcome {
    independent_of_threads(CORPORA.iter().filter_map(|known| corpus(known.name)))
}

fn independent_of_threads(inputs: impl IntoIterator<Item = PathBuf>) -> Outcome {
    for input in inputs {
        let folder = temporary_folder()?;
        let mut told = Vec::new();
        for jobs in ["1", "2", "7"] {
            let output = folder.path().join(jobs);
            let arguments =
                ["rewrite", argument(&input), "-o", argument(&output), "--url", URL, "--jobs", jobs, "--verbose"];
            let (status, _, errors) = run(&[&arguments[..], &["--warc-date", "0"]].concat())?;
            // Some web archives are cut off, some are WACZ, and one corpus has no documents.
            let known = ["is truncated", "a WACZ cannot hold conversions", "no file of it is a document"];
            assert!(status == 0 || known.iter().any(|known| errors.contains(known)), "{errors}");
            // But for the time it took.
            let is_time = |word: &&str| word.ends_with(" s");
            let without_time = |line: &str| line.split("; ").filter(|word| !is_time(word)).collect::<String>();
            told.push(errors.lines().map(without_time).collect::<Vec<_>>());
        }
        assert!(told.iter().all(|text| *text == told[0]), "{}: findings differ", input.display());
        for path in files(&folder.path().join("1"))? {
            let name = path.strip_prefix(folder.path().join("1"))?;
            let bytes = fs::read(&path)?;
            for jobs in ["2", "7"] {
                assert!(bytes == fs::read(folder.path().join(jobs).join(name))?, "{} at {jobs}", name.display());
            }
        }
    }
    Ok(())
}

/// `--urls` gives the URL of a file, beside that of the whole; redirections and what is not a page give none.
#[test]
fn urls_of_single_files() -> Outcome {
    let page = "<a href=x>";
    let names = ["a.html", "b c/d.html", "e.html", "f.html", "g.html"];
    let inputs: Vec<(String, &str)> = names.iter().map(|name| (format!("in/{name}"), page)).collect();
    let inputs: Vec<(&str, &str)> = inputs.iter().map(|(name, text)| (&**name, *text)).collect();
    let folder = folder_with(&inputs)?;
    let (input, list) = (folder.path().join("in"), folder.path().join("urls"));
    for text in [
        "path,url,status\na.html,http://one/x/,200\n./b c/d.html,https://two/y,200\ne.html,http://r/,302\n\
         f.html,http://p/,\nf.html,http://q/,\ng.html,file:///etc,\nnone.html,http://n/,\n",
        "{\"path\": \"a.html\", \"url\": \"http://one/x/\"}\n{\"path\": \"b c/d.html\", \"url\": \"https://two/y\"}\n\
         {\"path\": \"e.html\", \"url\": \"http://r/\", \"status\": 301}\n{\"path\": \"f.html\", \"url\": \"http://p/\"}\n\
         {\"path\": \"f.html\", \"url\": \"http://q/\"}\n{\"path\": \"g.html\", \"url\": \"about:blank\"}\n\
         {\"path\": \"none.html\", \"url\": \"http://n/\"}\n",
    ] {
        fs::write(&list, text)?;
        let arguments = ["links", argument(&input), "--urls", argument(&list), "--url", "http://all/"];
        let (status, out, told) = run(&arguments)?;
        let targets: Vec<&str> = out.lines().filter_map(|line| line.split(" -> ").nth(1)?.split(' ').next()).collect();
        assert_eq!(
            (status, targets),
            (0, vec!["http://one/x/x", "https://two/x", "http://all/x", "http://all/x", "http://all/x"])
        );
        assert_eq!(told.matches("url-not-used: ").count(), 3, "{told}");
        let (_, out, _) = run(&["base", argument(&input.join("a.html")), "--urls", argument(&list)])?;
        assert!(out.contains("retrieval at --urls: http://one/x/"), "{out}");
    }
    fs::write(&list, "nothing of use\n")?;
    let (status, _, told) = run(&["check", argument(&input), "--urls", argument(&list)])?;
    assert!(status == 2 && told.contains("neither CSV"), "{told}");
    Ok(())
}

/// A page knows where it was saved from; `--url` knows better, and `--discover nothing` does not ask.
#[test]
fn marks_of_programs_that_save_pages() -> Outcome {
    let page = "<html><!--\n Page saved with SingleFile \n url: https://h/d/p \n saved date: x\n--><a href=x>";
    let folder = folder_with(&[("a.html", page)])?;
    let file = folder.path().join("a.html");
    for (flags, target, place) in [
        (&[][..], "https://h/d/x", "retrieval at the mark of SingleFile: https://h/d/p"),
        (&["--url", "http://u/"], "http://u/x", "retrieval at --url: http://u/"),
        (&["--discover", "nothing"], "no target", "nothing declared"),
    ] {
        let (_, links, _) = run(&[&["links", argument(&file)], flags].concat())?;
        assert!(links.contains(&format!("x -> {target} ")), "{links}");
        let (_, base, _) = run(&[&["base", argument(&file)], flags].concat())?;
        assert!(base.contains(place), "{base}");
    }
    Ok(())
}
