//! A program that exchanges a folder for a symbolic link while a run goes on leads it to no file outside the input and the output: each
//! command that writes into folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tempfile::TempDir;

use crate::support::derived::Failure;
use crate::support::stops::Stop;
use crate::support::warc::{HTML, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::{print_line, rounds, temporary_folder};

const FILES: usize = 60;
const OUTSIDE: &str = "<a href=x>outside</a>";
const URL: [&str; 3] = ["--url", "http://h/", "--quiet"];

/// Exchanges the folder `d` in `tree` for a symbolic link to `outside`, again and again. Returns how often.
fn exchange(tree: &Path, outside: &Path, ends: &AtomicBool) -> usize {
    let [folder, aside, link] = ["d", "aside", "link"].map(|name| tree.join(name));
    let mut times = 0;
    let exchanged = || -> io::Result<()> {
        std::os::unix::fs::symlink(outside, &link)?;
        fs::rename(&folder, &aside)?;
        fs::rename(&link, &folder)?;
        thread::yield_now();
        fs::rename(&folder, &link)?;
        fs::rename(&aside, &folder)?;
        fs::remove_file(&link)
    };
    while !ends.load(Ordering::Relaxed) {
        times += usize::from(exchanged().is_ok());
        // The run has made a folder where the link or nothing was.
        if aside.exists() && (folder.is_symlink() || !folder.exists()) {
            let _ = fs::remove_file(&folder);
            let _ = fs::rename(&aside, &folder);
        }
        let _ = fs::remove_dir_all(&aside);
        let _ = fs::remove_file(&link);
    }
    times
}

/// Waits until this process has opened a folder: what the user names is opened once, wherever it leads then.
fn wait_until_open(folder: &Path, ends: &AtomicBool) {
    let is_open = || {
        let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
        open.into_iter().any(|open| fs::read_link(open.path()).is_ok_and(|path| path == folder))
    };
    while !ends.load(Ordering::Relaxed) && !is_open() {}
}

/// Input and output of a run, and files outside that must stay.
struct Around {
    outer: TempDir,
    paths: [PathBuf; 4],
}

impl Around {
    fn new() -> Result<Self, Failure> {
        let outer = temporary_folder()?;
        let paths = ["in", "out", "out.partial", "outside"].map(|name| outer.path().join(name));
        let around = Self { outer, paths };
        let (input, outside) = (&around.paths[0], around.outside());
        fs::create_dir_all(input.join("d"))?;
        fs::create_dir_all(around.at("named/d"))?;
        fs::create_dir(outside)?;
        let page = |number: usize| {
            let url = format!("http://out.partial/d/{number}.html");
            response(number as u32, &url, "200 OK", HTML, b"<a href=x>inside</a>")
        };
        fs::write(around.at("a.warc"), (0..FILES).map(page).collect::<Vec<_>>().concat())?;
        for number in 0..FILES {
            fs::write(input.join(format!("d/{number}.html")), format!("<img src={number}.png><a href=x>inside</a>"))?;
            fs::write(input.join(format!("d/{number}.png")), "inside")?;
            for name in ["html", "png"] {
                fs::write(outside.join(format!("{number}.{name}")), OUTSIDE)?;
            }
        }
        Ok(around)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.outer.path().join(name)
    }

    fn outside(&self) -> &Path {
        &self.paths[3]
    }

    /// Runs a command while the folder `d` in `tree` is exchanged. Returns how often that was.
    fn exchanged_run(&self, tree: &Path, arguments: &[&str]) -> Result<usize, Failure> {
        let ends = AtomicBool::new(false);
        let times = thread::scope(|scope| -> Result<_, Failure> {
            let other = scope.spawn(|| {
                if tree == self.at("named") {
                    wait_until_open(&tree.join("d"), &ends);
                }
                exchange(tree, self.outside(), &ends)
            });
            let done = run(arguments);
            ends.store(true, Ordering::Relaxed);
            let times = other.join().unwrap_or_default();
            let (status, _, told) = done?;
            assert!(status == 0 || tree != self.at("named"), "{told}");
            Ok(times)
        })?;
        self.check(&format!("{arguments:?}"))?;
        Ok(times)
    }

    fn check(&self, what: &str) -> Outcome {
        assert_eq!(fs::read_dir(self.outside())?.count(), 2 * FILES, "{what}");
        for found in fs::read_dir(self.outside())? {
            let path = found?.path();
            assert_eq!(fs::read_to_string(&path)?, OUTSIDE, "{what}: {}", path.display());
        }
        for written in &self.paths[..3] {
            let files = fs::read_dir(written.join("d")).into_iter().flatten().flatten();
            // What is a link is not the folder.
            for path in files.map(|found| found.path()).filter(|_| !written.join("d").is_symlink()) {
                let text = fs::read_to_string(&path)?;
                assert!(!text.contains("outside"), "{what}: {}", path.display());
            }
        }
        Ok(())
    }
}

/// Runs a command anew in each round, and says how often a folder was exchanged.
fn exchanged_runs(name: &str, one: &dyn Fn(&Around) -> Result<usize, Failure>) -> Outcome {
    const ROUNDS: usize = 200;
    let (mut times, mut round) = (0, 0);
    // On a busy machine, the other thread may not run at all for some rounds.
    while round < rounds(ROUNDS) || (times == 0 && round < ROUNDS) {
        times += one(&Around::new()?)?;
        round += 1;
    }
    print_line(&format!("{times} exchanges while {name} ran, in {round} rounds"));
    assert!(times > 0, "{name}");
    Ok(())
}

#[test]
fn rewrite_changes_and_copies_nothing_outside() -> Outcome {
    let rewrite = |around: &Around, tree: usize, more: &[&str]| {
        let [input, output, ..] = &around.paths;
        let to: &[&str] = if more.is_empty() { &["-o", argument(output)] } else { more };
        around.exchanged_run(&around.paths[tree], &[&["rewrite", argument(input)], &URL[..], to].concat())
    };
    exchanged_runs("rewrite in place", &|around| rewrite(around, 0, &["--in-place"]))?;
    exchanged_runs("rewrite read", &|around| rewrite(around, 0, &[]))?;
    exchanged_runs("rewrite wrote", &|around| rewrite(around, 2, &[]))
}

#[test]
fn revert_changes_nothing_outside() -> Outcome {
    exchanged_runs("revert", &|around| {
        let (input, journal) = (&around.paths[0], around.at("journal"));
        let journal = argument(&journal);
        let rewrite = ["rewrite", argument(input), "--in-place", "--journal", journal];
        assert_eq!(run(&[&rewrite[..], &URL].concat())?.0, 0);
        around.exchanged_run(input, &["revert", journal, "--quiet"])
    })
}

#[test]
fn unpack_writes_nothing_outside() -> Outcome {
    let [site, message] = ["a.warc", "a.eml"];
    exchanged_runs("unpack wrote a site", &|around| {
        let (archive, output, tree) = (around.at(site), &around.paths[1], around.at("out.partial/out.partial"));
        around.exchanged_run(&tree, &["unpack", argument(&archive), "-o", argument(output), "--quiet"])
    })?;
    exchanged_runs("unpack wrote a message", &|around| {
        let parts =
            (0..FILES).map(|number| format!("--b\nContent-Type: text/html; name={number}.html\n\n<a href=x>\n"));
        let text = parts.collect::<String>();
        fs::write(around.at(message), format!("Content-Type: multipart/mixed; boundary=b\n\n{text}--b--\n"))?;
        let (message, output) = (around.at(message), around.at("named/d"));
        let unpack = ["unpack", argument(&message), "-o", argument(&output), "--force", "--quiet"];
        around.exchanged_run(&around.at("named"), &unpack)
    })
}

#[test]
fn pack_writes_nothing_outside() -> Outcome {
    exchanged_runs("pack", &|around| {
        let (page, output) = (around.paths[0].join("d/1.html"), around.at("named/d/a.eml"));
        around.exchanged_run(&around.at("named"), &["pack", argument(&page), "-o", argument(&output), "--quiet"])
    })
}

#[test]
fn links_writes_nothing_outside() -> Outcome {
    for more in [&["--format", "csv"][..], &["--graph", "hosts", "--format", "webgraph"]] {
        exchanged_runs("links", &|around| {
            let (input, output) = (&around.paths[0], around.at("named/d/0"));
            let links = ["links", argument(input), "--url", "http://h/", "-o", argument(&output)];
            around.exchanged_run(&around.at("named"), &[&links[..], more].concat())
        })?;
    }
    Ok(())
}

/// A run that was stopped left a folder, which another program has exchanged since.
#[test]
fn a_resumed_unpack_writes_nothing_outside() -> Outcome {
    for exchanged in ["out.partial", "out.partial/out.partial", "out.partial/out.partial/d"] {
        let around = Around::new()?;
        let (archive, output) = (around.at("a.warc"), &around.paths[1]);
        let long =
            response(FILES as u32, "http://out.partial/long", "200 OK", "Content-Type: image/png\r\n", &[0; 40_000]);
        fs::write(&archive, [fs::read(&archive)?, long].concat())?;
        let unpack = ["unpack", argument(&archive), "-o", argument(output), "--quiet"];
        let (status, told) = Stop::ShortFiles(40).run(&unpack)?;
        assert!(status != Some(0) && around.at("out.partial/out.partial/d").exists(), "{told}");
        let folder = around.at(exchanged);
        fs::rename(&folder, around.at("aside"))?;
        std::os::unix::fs::symlink(around.outside(), &folder)?;
        let (status, _, told) = run(&[&unpack[..], &["--resume"]].concat())?;
        around.check(exchanged)?;
        let is_refused = status == 2 && told.contains("not a directory");
        assert_eq!(is_refused, exchanged == "out.partial", "{told}");
        assert!(is_refused || run(&["verify", argument(&archive), argument(output)])?.0 == 0, "{exchanged}");
    }
    Ok(())
}
