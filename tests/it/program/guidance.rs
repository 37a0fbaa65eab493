//! Who runs the program is not misled: by its exit status, by what it writes, or by what it says.

use std::fs;
use std::process::Command;

use crate::support::stops::{containers, gzip};
use crate::support::{Outcome, argument, folder_with, run, run_in, run_with};

#[test]
fn resolve_says_what_a_base_without_a_scheme_lacks() -> Outcome {
    for base in ["ex.org", "//ex.org/", ""] {
        let (status, _, stderr) = run(&["resolve", "--base", base, "x"])?;
        assert!(status == 2 && stderr.contains("--base: links cannot be resolved against"), "{base}: {stderr}");
        assert!(stderr.contains("add https:// in front of it"), "{base}: {stderr}");
    }
    Ok(())
}

#[test]
fn a_run_in_place_can_be_tried() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>")])?;
    let arguments = ["rewrite", "in", "--in-place", "--url", "http://h/", "--journal", "j"];
    let (status, out, stderr) = run_in(folder.path(), &[&arguments[..], &["--dry-run", "--diff"]].concat())?;
    assert!(status == 0 && out.contains("+<a href=http://h/b>") && stderr.contains("(dry run"), "{status} {stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("in/a.html"))?, "<a href=b>");
    assert!(!folder.path().join("j").exists());
    Ok(())
}

#[test]
fn keep_local_takes_the_urls_of_a_list() -> Outcome {
    let folder = folder_with(&[
        ("in/d/a.html", "<a href=b.html><a href=missing>"),
        ("in/d/b.html", ""),
        ("u.csv", "path,url\nd/b.html,http://h/s/d/?x\nd/a.html,http://h/s/d/a.html\n"),
        ("other.csv", "path,url\nd/a.html,http://h/\n"),
    ])?;
    let options = ["--urls", "u.csv", "--keep-local"];
    let (status, _, stderr) = run_in(folder.path(), &[&["rewrite", "in", "-o", "out"], &options[..]].concat())?;
    assert_eq!(status, 0, "{stderr}");
    let written = fs::read_to_string(folder.path().join("out/d/a.html"))?;
    assert_eq!(written, "<a href=b.html><a href=http://h/s/d/missing>");
    let (status, out, _) = run_in(folder.path(), &[&["verify", "in", "out"], &options[..]].concat())?;
    assert_eq!((status, &*out), (0, ""));
    for urls in [&["--urls", "other.csv"][..], &[]] {
        let (status, _, stderr) = run_in(folder.path(), &[&["check", "in", "--keep-local"], urls].concat())?;
        assert!(status == 2 && stderr.contains("--url"), "{stderr}");
    }
    Ok(())
}

/// The compression that the name says is not written.
#[test]
fn a_plain_page_does_not_get_the_name_of_a_compressed_one() -> Outcome {
    let mbox = "From a@b Thu Jan  1 00:00:00 1998\n\n";
    let folder = folder_with(&[
        ("a.html", "x"),
        ("a.eml", "To: x\n\n"),
        ("a.mbox", mbox),
        ("z.html.gz", "\u{1f}"),
        ("a.wacz", "PK"),
    ])?;
    for (input, output, extension) in [
        ("a.html", "b.html.gz", "gz"),
        ("a.eml", "b.eml.LZ", "lz"),
        ("a.mbox", "b.mbox.7z", "7z"),
        ("a.mbox", "b.zip", "zip"),
    ] {
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", input, "-o", output])?;
        let message = format!("{output} is not compressed by absolve; give the output a name without .{extension}");
        assert!(status == 2 && stderr.contains(&message), "{status} {stderr}");
        assert!(!folder.path().join(output).exists());
    }
    let (_, _, stderr) = run_in(folder.path(), &["rewrite", "a.wacz", "-o", "b.zip"])?;
    assert!(stderr.contains("a WACZ cannot hold conversions"), "{stderr}");
    for (input, output, expected) in [("a.mbox", "b.mbox.gz", 0), ("z.html.gz", "y.html.gz", 2)] {
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", input, "-o", output])?;
        assert!(status == expected && folder.path().join(output).exists(), "{status} {stderr}");
    }
    Ok(())
}

/// Not every folder with the name of the output is the complete one.
#[test]
fn a_folder_of_another_run_is_not_complete() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>"), ("in/d/c.html", ""), ("out/d/c.html", ""), ("out/x", "")])?;
    let resume = ["rewrite", "in", "-o", "out", "--url", "http://h/", "--resume"];
    let (status, _, stderr) = run_in(folder.path(), &resume)?;
    assert!(
        status == 2 && stderr.contains("1 of 3 are missing in it, such as a.html; name another"),
        "{status} {stderr}"
    );
    assert!(!folder.path().join("out/a.html").exists());
    fs::remove_dir_all(folder.path().join("out"))?;
    for expected in ["1 file changed", "there is nothing to resume"] {
        let (status, _, stderr) = run_in(folder.path(), &resume)?;
        assert!(status == 0 && stderr.contains(expected), "{status} {stderr}");
    }
    let (status, _, stderr) =
        run_in(folder.path(), &[&resume[..], &["--report", "r.html", "--summary", "s.json"]].concat())?;
    assert!(status == 2 && stderr.contains("so no --summary and no --report is written"), "{status} {stderr}");
    assert!(!folder.path().join("r.html").exists() && !folder.path().join("s.json").exists());
    Ok(())
}

/// In the charset given, the page would have no link, and pass.
#[test]
fn a_page_in_another_charset_than_the_one_given_is_a_finding() -> Outcome {
    let folder = folder_with(&[("a.html", "<p>\u{201c}<a href=b>"), ("ascii.html", "<a href=b>")])?;
    for (charset, page) in [("utf-16", "ascii.html"), ("utf-16be", "a.html"), ("shift_jis", "a.html")] {
        let (status, out, stderr) = run_in(folder.path(), &["check", page, "--charset", charset])?;
        let is_said =
            stderr.contains("charset: it is UTF-8, and the charset given, ") && stderr.contains("does not fit");
        assert!(status == 1 && out.is_empty() && is_said, "{charset}: {status} {stderr}");
        let options = ["--charset", charset, "--url", "http://h/"];
        let (_, out, _) = run_in(folder.path(), &[&["rewrite", page, "-o", "-"], &options[..]].concat())?;
        assert_eq!(out, fs::read_to_string(folder.path().join(page))?);
        let (status, out, _) = run_in(folder.path(), &[&["verify", page, page], &options[..]].concat())?;
        assert_eq!((status, &*out), (0, ""), "{charset}");
    }
    for (charset, page) in [("shift_jis", "ascii.html"), ("latin1", "a.html"), ("utf-8", "a.html")] {
        let (_, out, _) = run_in(folder.path(), &["check", page, "--charset", charset])?;
        assert_eq!(out.lines().count(), 1, "{charset}");
    }
    Ok(())
}

#[test]
fn a_summary_or_report_may_go_to_standard_output() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=b>")])?;
    let at_url = |more: &[&str]| run_in(folder.path(), &[&["rewrite", "a.html", "--url", "http://h/"], more].concat());
    for (option, expected) in [("--summary", "{\"inputs\":1,"), ("--report", "path,record,")] {
        let (status, out, stderr) = at_url(&["--dry-run", option, "-"])?;
        assert!(status == 0 && out.starts_with(expected) && out.ends_with('\n'), "{stderr}");
        for how in [&["-o", "-"][..], &["--dry-run", "--diff"]] {
            let (status, out, stderr) = at_url(&[how, &[option, "-"]].concat())?;
            assert!(
                status == 2 && out.is_empty() && stderr.contains("cannot go to standard output as well"),
                "{stderr}"
            );
        }
    }
    let (status, _, stderr) = at_url(&["--dry-run", "--summary", "-", "--report", "-"])?;
    assert!(status == 2 && stderr.contains("name two"), "{stderr}");
    assert!(!folder.path().join("-").exists());
    Ok(())
}

/// The summary in the folder of the input is not missing in the output, nor is what a killed run leaves there added.
#[test]
fn files_that_the_run_writes_are_not_differences() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>")])?;
    let beside = ["--summary", "in/run.json"];
    let rewrite = [&["rewrite", "in", "-o", "out", "--url", "http://h/"], &beside[..]].concat();
    assert_eq!(run_in(folder.path(), &rewrite)?.0, 0);
    fs::write(folder.path().join("out/.absolve-x1.tmp"), "")?;
    fs::copy(folder.path().join("in/run.json"), folder.path().join("out/run.json"))?;
    let verify = ["verify", "in", "out", "--like", "in/run.json"];
    let (_, out, _) = run_in(folder.path(), &verify)?;
    assert!(out.lines().count() == 1 && out.starts_with("out/run.json: "), "{out}");
    fs::remove_file(folder.path().join("out/run.json"))?;
    let (status, out, _) = run_in(folder.path(), &verify)?;
    assert_eq!((status, &*out), (0, ""));
    Ok(())
}

/// A slash alone matches nothing in git.
#[test]
fn a_slash_excludes_no_file_and_is_reported() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>"), ("in/d/c.html", "<a href=b>")])?;
    for slash in ["/", "//"] {
        let (status, out, stderr) = run_in(folder.path(), &["check", "in", "--exclude", slash])?;
        let is_said = stderr.contains(&format!("glob-unmatched: --exclude \"{slash}\" matches no file"));
        assert!(status == 1 && out.lines().count() == 2 && is_said, "{status} {stderr}");
    }
    Ok(())
}

/// What is set for other programs does not end runs that write no date, and the last second of all is refused.
#[test]
fn a_date_in_the_environment_counts_for_archives_only() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=b>"), ("a.warc", "")])?;
    for (date, input, expected) in [("soon", "a.html", 0), ("soon", "a.warc", 2), ("18446744073709551615", "a.warc", 2)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"));
        let arguments = ["rewrite", input, "--dry-run", "--url", "http://h/"];
        let output = command.args(arguments).env("SOURCE_DATE_EPOCH", date).current_dir(folder.path()).output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(expected), "{date} {input}: {stderr}");
        assert!(expected == 0 || stderr.contains(&format!("SOURCE_DATE_EPOCH is {date:?}")), "{stderr}");
    }
    let (status, _, stderr) =
        run_in(folder.path(), &["rewrite", "a.warc", "--dry-run", "--warc-date", "18446744073709551615"])?;
    assert!(status == 2 && stderr.contains("--warc-date"), "{stderr}");
    Ok(())
}

/// What the options or the name of the output ask for cannot be done: of one file that is wrong usage, as the README says.
#[test]
fn a_refused_archive_is_wrong_use_if_it_is_the_only_input() -> Outcome {
    let folder = folder_with(&[("in/a.wacz", "PK"), ("in/b.html", "")])?;
    for (input, expected) in [("in/a.wacz", 2), ("in", 1)] {
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", input, "--dry-run"])?;
        assert!(status == expected && stderr.contains("a WACZ cannot hold conversions"), "{status} {stderr}");
        assert_eq!(stderr.contains("1 document"), expected == 1, "{stderr}");
    }
    Ok(())
}

/// Nothing is done, and the exit status is 2.
#[test]
fn an_input_without_documents_does_not_look_rewritten() -> Outcome {
    let folder =
        folder_with(&[("in/a.png", "x"), ("in/sub/b.png", "y"), ("empty/d/c.png", ""), ("page/a.html", "<p>")])?;
    fs::create_dir(folder.path().join("nothing"))?;
    for (inputs, without) in [
        (&["in"][..], &["in"][..]),
        (&["nothing"], &["nothing"]),
        (&["page"], &[]),
        (&["page", "in", "empty", "page/a.html"], &["empty", "in"]),
        (&["in/a.png"], &["in/a.png"]),
        (&["in/a.png", "empty"], &["in/a.png", "empty"]),
        (&["in/a.png", "page/a.html"], &[]),
    ] {
        for target in [&["--dry-run"][..], &["-o", "out"]] {
            let (status, _, says) = run_in(folder.path(), &[&["rewrite"], inputs, target].concat())?;
            assert_eq!(status, if without.is_empty() { 0 } else { 2 }, "{inputs:?}: {says}");
            for input in inputs {
                let line = format!("nothing to rewrite in {input}: no file of it is a document");
                assert_eq!(says.contains(&line), without.contains(input), "{inputs:?}: {says}");
            }
        }
        // It may be a part of a mirror.
        let copied = match inputs {
            ["in/a.png"] => "out",
            ["in"] => "out/sub/b.png",
            ["in/a.png", _] => "out/a.png",
            _ => "out/in/sub/b.png",
        };
        let has_picture = inputs.iter().any(|input| input.starts_with("in"));
        assert!(!has_picture || folder.path().join(copied).exists(), "{inputs:?}");
        fs::remove_dir_all(folder.path().join("out")).or_else(|_| fs::remove_file(folder.path().join("out")))?;
    }
    Ok(())
}

#[test]
fn no_option_is_advised_that_is_given() -> Outcome {
    let folder =
        folder_with(&[("in/h.example/about.html", "<a href=x.html>"), ("in/h.example/x.html", "<a href=about.html>")])?;
    let layout = ["--layout", "wget", "--scheme", "https"];
    for (more, advice) in [(&layout[..], "; --urls gives the URLs"), (&[], ", or --layout if it is a mirror")] {
        let (_, _, says) = run_in(folder.path(), &[&["rewrite", "in", "--dry-run"], more].concat())?;
        assert!(says.contains(advice) && says.contains("--layout") == more.is_empty(), "{more:?}: {says}");
    }
    Ok(())
}

/// It cannot be opened once more after its first bytes have shown the type.
#[cfg(unix)]
#[test]
fn a_pipe_is_read() -> Outcome {
    let folder = folder_with(&[])?;
    let message =
        "printf 'From a Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<base href=http://h/><a href=x>'";
    let run_shell = |command: &str| {
        let program = env!("CARGO_BIN_EXE_absolve");
        Command::new("bash").current_dir(folder.path()).arg("-c").arg(command.replace("absolve", program)).output()
    };
    for options in ["", "--type mbox", "--force"] {
        let done = run_shell(&format!("absolve rewrite {options} <({message}) -o {}out", options.len()))?;
        let written = fs::read_to_string(folder.path().join(format!("{}out", options.len())))?;
        assert!(done.status.success() && written.ends_with("<a href=http://h/x>"), "{written}");
    }
    let done = run_shell(&format!("mkfifo a.mbox && ({message} > a.mbox & absolve links a.mbox)"))?;
    assert!(String::from_utf8_lossy(&done.stdout).contains("-> http://h/x"), "{done:?}");
    for (command, why) in [
        ("absolve rewrite --in-place a.mbox", "a pipe or a device, which cannot be changed in place"),
        ("absolve verify a.mbox a.mbox", "reads both files more than once"),
    ] {
        let done = run_shell(&format!("({message} > a.mbox & timeout 20 {command}; code=$?; kill %1; exit $code)"))?;
        assert!(done.status.code() == Some(2) && String::from_utf8_lossy(&done.stderr).contains(why), "{done:?}");
    }
    Ok(())
}

/// Whatever its name says, another option does not help.
#[test]
fn an_empty_input_is_called_empty() -> Outcome {
    for name in ["empty", "empty.zip", "empty.gz", "empty.png"] {
        let folder = folder_with(&[(name, "")])?;
        let (status, _, says) = run(&["rewrite", argument(&folder.path().join(name)), "--dry-run"])?;
        assert!(
            status == 2 && says.contains(&format!("{name}: unknown-type: it is empty; left unchanged\n")),
            "{says}"
        );
        assert!(!says.contains("--type") && !says.contains("if it is named"), "{says}");
    }
    for command in [&["check", "-"][..], &["rewrite", "-", "-o", "-"], &["check", "-", "--for", "mail"]] {
        let (status, _, says) = run_with(command, b"")?;
        assert!(status == 2 && says.contains("standard input is empty"), "{says}");
    }
    Ok(())
}

/// What is compressed twice is read with no option.
#[test]
fn a_compressed_package_is_to_be_unpacked() -> Outcome {
    for (name, bytes) in containers(3)?.into_iter().filter(|(name, _)| *name == "a.wacz") {
        let folder = folder_with(&[])?;
        let (plain, packed) = (folder.path().join(name), folder.path().join("a.wacz.gz"));
        fs::write(&packed, gzip(&bytes)?)?;
        fs::write(&plain, bytes)?;
        let resource = ["--warc", "resource", "-o", argument(&folder.path().join("out.wacz.gz"))].map(String::from);
        let of = |input| [vec!["rewrite", argument(input)], resource.iter().map(|text| &**text).collect()].concat();
        let (status, _, says) = run(&of(&packed))?;
        assert!(
            status == 2 && says.contains("unpack it first, as with `gunzip`") && !says.contains("--type"),
            "{says}"
        );
        let (status, _, says) = run(&of(&plain))?;
        assert!(status == 2 && says.contains("give the output a name without .gz"), "{says}");
    }
    Ok(())
}

/// No browser reads UTF-32.
#[test]
fn a_page_in_utf_32_is_reported() -> Outcome {
    let text = |to_bytes: fn(u32) -> [u8; 4], mark: &str| -> Vec<u8> {
        format!("{mark}<a href=b>x</a>").chars().flat_map(|character| to_bytes(character.into())).collect()
    };
    let message = b"MIME-Version: 1.0\nContent-Base: http://h/\nContent-Type: text/html; charset=UTF-32LE\n\n";
    for (name, bytes) in [
        ("a.html", text(u32::to_le_bytes, "\u{feff}")),
        ("a.html", text(u32::to_be_bytes, "\u{feff}")),
        ("a.eml", [&message[..], &text(u32::to_le_bytes, "")].concat()),
    ] {
        let folder = folder_with(&[])?;
        fs::write(folder.path().join(name), bytes)?;
        let (_, _, says) = run(&["rewrite", argument(&folder.path().join(name)), "--dry-run"])?;
        assert!(says.contains("charset: the document declares an encoding that no browser reads"), "{name}: {says}");
    }
    Ok(())
}

/// Nothing of them is read, and the run does not look done.
#[test]
fn a_file_without_a_record_that_can_be_read_is_no_success() -> Outcome {
    for (name, bytes, expected) in [
        ("a.mbox", "garbage\n", 2),
        ("a.eml", "garbage", 2),
        ("a.eml", "Content-Type: text/html\nContent-Transfer-Encoding: x-any\n\n<a href=x>", 2),
        ("a.eml", "Content-Type: image/png\nContent-Transfer-Encoding: x-any\n\nPNG", 0),
        ("empty.mbox", "", 0),
        ("a.mbox", "From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\nx\n", 0),
    ] {
        let folder = folder_with(&[(name, bytes)])?;
        let (status, _, says) = run(&["rewrite", argument(&folder.path().join(name)), "--dry-run"])?;
        assert_eq!((status, says.contains("nothing could be read in")), (expected, expected == 2), "{name}: {says}");
    }
    for command in ["links", "base", "check"] {
        for (name, bytes, expected) in [("a.mbox", "garbage\n", 2), ("a.warc.gz", "garbage\n", 2), ("a.mbox", "\n", 0)]
        {
            let folder = folder_with(&[(name, bytes)])?;
            let (status, _, says) = run(&[command, argument(&folder.path().join(name))])?;
            assert_eq!(status, expected, "{command} {name}: {says}");
        }
    }
    let folder = folder_with(&[])?;
    for name in ["cur", "new", "tmp"] {
        fs::create_dir(folder.path().join(name))?;
    }
    assert_eq!(run(&["rewrite", argument(folder.path()), "--dry-run"])?.0, 0);
    Ok(())
}
