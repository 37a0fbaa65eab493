//! A Maildir: messages whose names contain their sizes, and the lists that a mail server keeps of them.

use std::fs::{self, FileTimes, OpenOptions};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::support::{Outcome, argument, folder_with, run, run_in};
use absolve_testing::files;
use serde_json::Value;

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
const CHANGED: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=http://h/x>\n";
const UNCHANGED: &str = "Content-Type: text/html\n\n<a href=http://a/x>\n";

fn maildir() -> std::io::Result<tempfile::TempDir> {
    let folder = folder_with(&[
        ("in/cur/1.M2P3.host,S=60,W=64:2,RS", MESSAGE),
        ("in/cur/2.M2P3.host:2,S", MESSAGE),
        ("in/cur/3.M2P3.host,S=45:2,", UNCHANGED),
        ("in/new/4.M2P3.host,S=60", MESSAGE),
        ("in/tmp/5.M2P3.host", MESSAGE),
        ("in/.Sent/cur/6.M2P3.host;2,S", MESSAGE),
        ("in/.Sent/new/.keep", ""),
        ("in/.Sent/maildirfolder", ""),
        ("in/subscriptions", "Sent\n"),
        ("in/dovecot-keywords", "0 work\n"),
    ])?;
    let delivered = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(884_000_000));
    for path in files(&folder.path().join("in"))? {
        OpenOptions::new().append(true).open(path)?.set_times(delivered)?;
    }
    Ok(folder)
}

fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let name = |path: &std::path::PathBuf| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
    Ok(files(folder)?.iter().map(name).collect())
}

const RENAMED: [&str; 9] = [
    ".Sent/cur/6.M2P3.host;2,S",
    ".Sent/maildirfolder",
    ".Sent/new/.keep",
    "cur/1.M2P3.host,S=69,W=73:2,RS",
    "cur/2.M2P3.host:2,S",
    "cur/3.M2P3.host,S=45:2,",
    "dovecot-keywords",
    "new/4.M2P3.host,S=69",
    "subscriptions",
];

#[test]
fn a_new_maildir_is_whole_but_for_what_a_server_makes_anew() -> Outcome {
    let folder = maildir()?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    for index in ["dovecot-uidlist", "dovecot.index", "dovecot.index.cache", "maildirsize", "courierimapuiddb"] {
        fs::write(input.join(index), "index")?;
    }
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://no/"])?;
    assert_eq!((status, told.matches(": mail-index: ").count()), (0, 5), "{told}");
    assert_eq!(names(&output)?, RENAMED);
    for (name, text) in
        RENAMED.iter().zip([CHANGED, "", "", CHANGED, CHANGED, UNCHANGED, "0 work\n", CHANGED, "Sent\n"])
    {
        let path = output.join(name);
        assert_eq!(fs::read_to_string(&path)?, text, "{name}");
        let modified = fs::metadata(&path)?.modified()?.duration_since(SystemTime::UNIX_EPOCH)?;
        assert_eq!(modified.as_secs(), 884_000_000, "{name}");
    }
    assert!(output.join("tmp").is_dir());
    Ok(())
}

#[test]
fn in_place_is_refused_beside_the_lists_of_a_server() -> Outcome {
    let folder = maildir()?;
    let input = folder.path().join("in");
    for index in ["dovecot-uidlist", "courierimapuiddb"] {
        fs::write(input.join(index), "index")?;
        let (status, _, told) = run(&["rewrite", argument(&input), "--in-place"])?;
        assert!(status == 2 && told.contains(index), "{told}");
        fs::remove_file(input.join(index))?;
    }
    let (status, _, told) = run(&["rewrite", argument(&input), "--in-place"])?;
    assert_eq!(status, 0, "{told}");
    let mut expected: Vec<&str> = RENAMED.to_vec();
    expected.push("tmp/5.M2P3.host");
    assert_eq!(names(&input)?, expected);
    let message = input.join("cur/1.M2P3.host,S=69,W=73:2,RS");
    assert_eq!(fs::read_to_string(&message)?, CHANGED);
    let delivered = fs::metadata(&message)?.modified()?.duration_since(SystemTime::UNIX_EPOCH)?;
    assert_eq!(delivered.as_secs(), 884_000_000);
    assert_eq!(fs::read_to_string(input.join("tmp/5.M2P3.host"))?, MESSAGE);
    Ok(())
}

#[test]
fn the_record_is_the_unique_name() -> Outcome {
    let folder = maildir()?;
    let (_, told, _) = run(&["links", argument(&folder.path().join("in")), "--json", "--url", "http://no/"])?;
    let objects: Result<Vec<Value>, _> = told.lines().map(serde_json::from_str).collect();
    let records: Vec<String> =
        objects?.iter().map(|object| object["record"].as_str().unwrap_or_default().into()).collect();
    let expected = ["6.M2P3.host", "1.M2P3.host,S=60,W=64", "2.M2P3.host", "3.M2P3.host,S=45", "4.M2P3.host,S=60"];
    assert_eq!(records, expected);
    Ok(())
}

/// Its new size would give a message the name that another one has; both stay.
#[test]
fn no_message_takes_the_place_of_another() -> Outcome {
    for in_place in [true, false] {
        let folder = folder_with(&[
            ("in/cur/1.host,S=60:2,S", MESSAGE),
            ("in/cur/1.host,S=69:2,S", UNCHANGED),
            ("in/new/.keep", ""),
        ])?;
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        let to = if in_place { vec!["--in-place"] } else { vec!["-o", argument(&output)] };
        let (status, _, told) = run(&[&["rewrite", argument(&input)], &to[..]].concat())?;
        assert!(status == 0 && told.contains("1.host,S=60:2,S: name-clash: "), "{told}");
        let result = if in_place { input } else { output };
        assert_eq!(fs::read_to_string(result.join("cur/1.host,S=60:2,S"))?, CHANGED);
        assert_eq!(fs::read_to_string(result.join("cur/1.host,S=69:2,S"))?, UNCHANGED);
    }
    Ok(())
}

/// They are different files, however alike their names are.
#[test]
fn verify_pairs_no_message_with_one_of_another_or_no_size() -> Outcome {
    for other in ["1.host,S=:2,S", "1.host,S=45:2,S"] {
        let unchanged = format!("in/cur/{other}");
        let folder =
            folder_with(&[("in/cur/1.host,S=60:2,S", MESSAGE), (&unchanged, UNCHANGED), ("in/new/.keep", "")])?;
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        let [input, written] = [&input, &output].map(|path| argument(path));
        assert_eq!(run(&["rewrite", input, "-o", written])?.0, 0);
        // Names that differ in nothing else are kept.
        let name = if other.contains("S=45") { "1.host,S=60:2,S" } else { "1.host,S=69:2,S" };
        let verify = || run(&["verify", input, written]);
        assert_eq!(verify()?.1, "", "{other}");
        fs::remove_file(output.join("cur").join(name))?;
        assert!(verify()?.1.contains("1.host,S=60:2,S: file: it is missing"), "{other}");
        fs::write(output.join("cur").join(other.replace("S=", "S=4")), UNCHANGED)?;
        fs::remove_file(output.join("cur").join(other))?;
        assert!(verify()?.1.contains("file: "), "{other}");
    }
    Ok(())
}

/// A folder of a Maildir, or a message of it, is guarded like the whole.
#[test]
fn the_lists_of_a_server_guard_all_that_is_below() -> Outcome {
    let folder = maildir()?;
    let input = folder.path().join("in");
    fs::write(input.join("dovecot-uidlist"), "index")?;
    for below in ["cur", "new", "cur/2.M2P3.host:2,S"] {
        let (status, _, told) = run(&["rewrite", argument(&input.join(below)), "--in-place"])?;
        assert!(status == 2 && told.contains("dovecot-uidlist"), "{below}: {told}");
    }
    Ok(())
}

#[test]
fn what_cannot_be_decompressed_in_a_maildir_is_an_error() -> Outcome {
    let folder = maildir()?;
    let input = folder.path().join("in");
    fs::write(input.join("cur/7.host"), b"\x1f\x8b\x08\0\0\0\0\0")?;
    let (status, _, told) = run(&["check", argument(&input)])?;
    assert!(status == 1 && told.contains("cur/7.host: its compression (gzip) is cut off at byte 8"), "{told}");
    let (_, _, told) = run(&["rewrite", argument(&input), "--dry-run", "--url", "http://no/"])?;
    assert_eq!(told.matches(": url-not-used: ").count(), 2, "{told}");
    Ok(())
}

/// Deliveries and the lists of a server are not an input, but `verify` compares them where both folders have them.
#[test]
fn verify_finds_deliveries_and_lists_in_the_original_too() -> Outcome {
    let folder = maildir()?;
    let [input, copy, output] = ["in", "copy", "out"].map(|name| folder.path().join(name));
    let list = |maildir: &Path| maildir.join("dovecot-uidlist");
    for path in files(&input)? {
        let to = copy.join(path.strip_prefix(&input)?);
        fs::create_dir_all(to.parent().ok_or("no folder")?)?;
        fs::copy(path, to)?;
    }
    assert_eq!(run(&["rewrite", argument(&copy), "--in-place"])?.0, 0);
    fs::write(list(&input), "one")?;
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output)])?.0, 0);
    let verified = |rewritten: &Path| run(&["verify", argument(&input), argument(rewritten)]);
    for rewritten in [&output, &copy, &input] {
        let (status, found, log) = verified(rewritten)?;
        assert_eq!(status, i32::from(rewritten == &input), "{found}{log}");
        assert!(!found.contains("no such file"), "{found}");
        fs::write(list(rewritten), "one")?;
        let (status, found, _) = verified(rewritten)?;
        assert!(status == i32::from(rewritten == &input) && !found.contains("dovecot"), "{found}");
    }
    fs::write(list(&copy), "two")?;
    fs::write(copy.join("tmp/5.M2P3.host"), "two")?;
    fs::create_dir(output.join("tmp/5.M2P3.host"))?;
    fs::write(output.join("maildirsize"), "new")?;
    for (rewritten, expected) in [
        (
            &copy,
            &[
                "dovecot-uidlist: file: it is not an input of a run, but differs",
                "tmp/5.M2P3.host: file: it is not an input of a run, but differs",
            ],
        ),
        (
            &output,
            &[
                "maildirsize: file: the original has no such file",
                "tmp/5.M2P3.host: file: it is not an input of a run, but has become something else",
            ],
        ),
    ] {
        let (status, found, _) = verified(rewritten)?;
        assert_eq!((status, found.lines().count()), (1, 2), "{found}");
        assert!(expected.iter().all(|difference| found.contains(difference)), "{found}");
    }
    Ok(())
}

#[test]
fn pages_in_folders_named_like_those_of_a_maildir_are_pages() -> Outcome {
    let page = "<a xmlns='http://www.w3.org/1999/xhtml' href='x'/>";
    let names = ["cur/index.html", "new/index.html", "new/a.HTM", "new/b.xhtml", "cur/c.css", "tmp/d.html"];
    let files = names.map(|name| (name, if name.ends_with("css") { "a{background:url(x)}" } else { page }));
    let paths = names.map(|name| format!("in/{name}"));
    let folder = folder_with(&paths.iter().zip(files).map(|(path, (_, text))| (&**path, text)).collect::<Vec<_>>())?;
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    // Flags behind the name make it that of a message.
    fs::write(folder.path().join("in/cur/e.html:2,S"), MESSAGE)?;
    let (status, _, log) = run(&["rewrite", "in", "-o", "out", "--url", "http://h/"])?;
    assert!(status == 0 && log.contains("7 files changed"), "{log}");
    let (status, found, log) = run(&["verify", "in", "out", "--url", "http://h/"])?;
    assert_eq!((status, &*found), (0, ""), "{log}");
    assert_eq!(fs::read_to_string(folder.path().join("out/new/index.html"))?, page.replace("x'/", "http://h/new/x'/"));
    assert_eq!(fs::read_to_string(folder.path().join("out/cur/e.html:2,S"))?, CHANGED);
    let (_, found, log) = run(&["check", "in/new/index.html"])?;
    assert!(found.contains("new/index.html"), "{found}{log}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn verify_finds_a_link_whose_message_is_renamed() -> Outcome {
    use std::os::unix::fs::symlink;
    let folder = maildir()?;
    let [input, output] = ["in", "out"].map(|name| folder.path().join(name));
    fs::write(input.join("cur/7.host,S=1"), MESSAGE)?;
    symlink("in/cur", folder.path().join("outside"))?;
    symlink("cur/7.host,S=1", input.join("direct"))?;
    symlink("direct", input.join("indirect"))?;
    symlink("cur", input.join("folder"))?;
    symlink("folder/7.host,S=1", input.join("through"))?;
    symlink("tmp/5.M2P3.host", input.join("delivery"))?;
    symlink("../outside/9", input.join("out"))?;
    symlink("cur/no,S=1", input.join("nowhere"))?;
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output)])?.0, 0);
    let verified = || run(&["verify", argument(&input), argument(&output)]);
    let (status, found, log) = verified()?;
    assert_eq!(status, 0, "{found}{log}");
    fs::rename(output.join("cur/7.host,S=1"), output.join("cur/7.host,S=69"))?;
    let (status, found, _) = verified()?;
    let lost = "file: the symbolic link leads nowhere, because the message it led to has another name";
    let expected = ["direct", "indirect", "through"].map(|link| format!("{}: {lost}\n", input.join(link).display()));
    assert_eq!((status, found), (1, expected.concat()));
    Ok(())
}

/// A size that was wrong may stay, or become right, but become no other wrong one; one that was right has to be right.
#[test]
fn verify_accepts_a_wrong_size_that_stays_and_no_other() -> Outcome {
    let folder = folder_with(&[
        ("in/cur/1.host,S=50:2,S", MESSAGE),
        ("in/cur/2.host,S=60,W=50:2,S", MESSAGE),
        ("in/cur/3.host,S=50:2,S", UNCHANGED),
        ("in/new/.keep", ""),
    ])?;
    let [input, output] = ["in", "out"].map(|name| folder.path().join(name));
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output)])?.0, 0);
    for (written, names) in [
        ("1.host,S=69:2,S", &[("1.host,S=50:2,S", ""), ("1.host,S=59:2,S", "S")][..]),
        (
            "2.host,S=69,W=73:2,S",
            &[
                ("2.host,S=69,W=50:2,S", ""),
                ("2.host,S=69,W=59:2,S", "W"),
                ("2.host,S=60,W=73:2,S", "S"),
                ("2.host,S=60,W=50:2,S", "S"),
            ],
        ),
        ("3.host,S=50:2,S", &[("3.host,S=45:2,S", ""), ("3.host,S=44:2,S", "S")]),
    ] {
        let written = output.join("cur").join(written);
        for (name, wrong) in [(argument(&written), "")].iter().chain(names) {
            let renamed = written.with_file_name(name);
            fs::rename(&written, &renamed)?;
            let (status, found, log) = run(&["verify", argument(&input), argument(&output)])?;
            let message = format!("its name contains another size behind \",{wrong}=\"");
            assert_eq!(status, i32::from(!wrong.is_empty()), "{name}: {found}{log}");
            assert!(wrong.is_empty() || (found.contains(&message) && found.lines().count() == 1), "{name}: {found}");
            fs::rename(&renamed, &written)?;
        }
    }
    Ok(())
}

/// A message that is read after the run has another name.
#[test]
fn revert_finds_messages_by_their_unique_names() -> Outcome {
    let folder = maildir()?;
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    assert_eq!(run(&["rewrite", "in", "--in-place", "--journal", "j"])?.0, 0);
    let moved = [
        ("cur/1.M2P3.host,S=69,W=73:2,RS", "cur/1.M2P3.host,S=69,W=73:2,FRS"),
        ("cur/2.M2P3.host:2,S", "cur/2.M2P3.host:2,ST"),
        ("new/4.M2P3.host,S=69", "cur/4.M2P3.host,S=69:2,S"),
        (".Sent/cur/6.M2P3.host;2,S", ".Sent/new/6.M2P3.host"),
    ];
    let rename =
        |(from, to): (&str, &str)| fs::rename(folder.path().join("in").join(from), folder.path().join("in").join(to));
    moved.into_iter().try_for_each(rename)?;
    let (status, _, log) = run(&["revert", "j", "--dry-run"])?;
    assert!(status == 0 && log.contains("4 files reverted"), "{log}");
    let (status, _, log) = run(&["revert", "j"])?;
    assert!(status == 0 && log.contains("4 files reverted"), "{log}");
    for name in
        ["cur/1.M2P3.host,S=60,W=64:2,FRS", "cur/2.M2P3.host:2,ST", "cur/4.M2P3.host,S=60:2,S", ".Sent/new/6.M2P3.host"]
    {
        assert_eq!(fs::read_to_string(folder.path().join("in").join(name))?, MESSAGE, "{name}");
    }
    let (status, _, log) = run(&["revert", "j"])?;
    assert!(status == 0 && log.contains("4 already unchanged"), "{log}");
    Ok(())
}

/// Each run, and what a mail program did between them, is undone; of two messages of one name, each keeps its own.
#[test]
fn revert_follows_a_message_through_several_runs() -> Outcome {
    let message = MESSAGE.replace("<a href=x>", "<a href=x><a href=#y>");
    let size = message.len();
    let first = format!("in/cur/1.host,S={size}:2,");
    let folder = folder_with(&[(&*first, &*message), ("in/new/2.host", MESSAGE), ("in/cur/2.host:2,S", UNCHANGED)])?;
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let at = |name: &str| folder.path().join("in").join(name);
    let rewrite = ["rewrite", "in", "--in-place", "--journal", "j"];
    assert_eq!(run(&rewrite)?.0, 0);
    let grown = size + "http://h/".len();
    fs::rename(at(&format!("cur/1.host,S={grown}:2,")), at(&format!("cur/1.host,S={grown}:2,S")))?;
    let (status, _, log) = run(&[&rewrite[..], &["--same-document", "absolute"]].concat())?;
    assert!(status == 0 && log.contains("1 file changed"), "{log}");
    let grown = grown + "http://h/".len();
    fs::rename(at(&format!("cur/1.host,S={grown}:2,S")), at(&format!("new/1.host,S={grown}")))?;
    let (status, _, log) = run(&["revert", "j"])?;
    assert!(status == 0 && log.contains("2 files reverted"), "{log}");
    assert_eq!(fs::read_to_string(at(&format!("new/1.host,S={size}")))?, message);
    assert_eq!(fs::read_to_string(at("new/2.host"))?, MESSAGE);
    assert_eq!(fs::read_to_string(at("cur/2.host:2,S"))?, UNCHANGED);
    Ok(())
}

/// Nothing to do is no error, for a mailbox.
#[test]
fn an_empty_mailbox_is_no_error() -> Outcome {
    let folder = folder_with(&[("empty.mbox", ""), ("lines.mbox", "\n\r\n"), ("line.mbox", "\n"), ("mail/a.txt", "")])?;
    for path in ["box/cur", "box/new", "box/tmp", "mail/box/cur", "mail/box/new", "tmp/tmp"] {
        fs::create_dir_all(folder.path().join(path))?;
    }
    for (input, expected) in
        [("box", 0), ("mail", 0), ("empty.mbox", 0), ("lines.mbox", 0), ("line.mbox", 0), ("tmp", 2), ("box/cur", 2)]
    {
        let output = format!("out-{}", input.replace('/', "-"));
        for command in [
            &["rewrite", input, "-o", &output][..],
            &["verify", input, &output],
            &["check", input],
            &["links", input],
            &["base", input],
        ] {
            let (status, found, log) = run_in(folder.path(), command)?;
            assert_eq!(status, expected, "{command:?}: {found}{log}");
        }
    }
    Ok(())
}
