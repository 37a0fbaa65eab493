//! A program that exchanges a folder for a symbolic link while a run goes on leads it to no file outside the input and the output.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::derived::Failure;
use crate::support::{Outcome, argument, run};
use absolve_testing::{print_line, rounds, temporary_folder};

const FILES: usize = 60;
const OUTSIDE: &str = "<a href=x>outside</a>";

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

/// Runs `absolve` over a folder while its folder `d`, or that of the output, is exchanged. Returns how often that was.
fn exchanged_run(in_output: bool, arguments: &[&str]) -> Result<usize, Failure> {
    let outer = temporary_folder()?;
    let [input, output, outside] = ["in", "out", "outside"].map(|name| outer.path().join(name));
    let partial = outer.path().join("out.partial");
    fs::create_dir_all(input.join("d"))?;
    fs::create_dir(&outside)?;
    for number in 0..FILES {
        fs::write(input.join(format!("d/{number}.html")), "<a href=x>inside</a>")?;
        fs::write(outside.join(format!("{number}.html")), OUTSIDE)?;
        fs::write(outside.join(format!("{number}.png")), OUTSIDE)?;
        fs::write(input.join(format!("d/{number}.png")), "inside")?;
    }
    let ends = AtomicBool::new(false);
    let exchanges = thread::scope(|scope| -> Result<_, Failure> {
        let tree = if in_output { &partial } else { &input };
        let other = scope.spawn(|| exchange(tree, &outside, &ends));
        let mut all = vec!["rewrite", argument(&input), "--url", "http://h/", "--quiet"];
        all.extend(arguments);
        if !arguments.contains(&"--in-place") {
            all.extend(["-o", argument(&output)]);
        }
        run(&all)?;
        ends.store(true, Ordering::Relaxed);
        Ok(other.join().unwrap_or_default())
    })?;
    assert_eq!(fs::read_dir(&outside)?.count(), 2 * FILES, "{arguments:?}");
    for found in fs::read_dir(&outside)? {
        let path = found?.path();
        assert_eq!(fs::read_to_string(&path)?, OUTSIDE, "{arguments:?}: {}", path.display());
    }
    for written in [&input, &output, &partial] {
        let files = fs::read_dir(written.join("d")).into_iter().flatten().flatten();
        // What is a link is not the folder.
        for path in files.map(|found| found.path()).filter(|_| !written.join("d").is_symlink()) {
            let text = fs::read_to_string(&path)?;
            assert!(!text.contains("outside"), "{arguments:?}: {}", path.display());
        }
    }
    Ok(exchanges)
}

#[test]
fn nothing_outside_is_changed_or_copied() -> Outcome {
    let mut exchanges = [0; 3];
    for _ in 0..rounds(200) {
        exchanges[0] += exchanged_run(false, &["--in-place"])?;
        exchanges[1] += exchanged_run(false, &[])?;
        exchanges[2] += exchanged_run(true, &[])?;
    }
    print_line(&format!("{exchanges:?} exchanges in place, of the input and of the output"));
    assert!(exchanges.iter().all(|times| *times > 0), "{exchanges:?}");
    Ok(())
}
