//! Compares the rewrite of a folder with `cp -r`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use crate::child::{Run, medians, run};
use crate::corpora::files;

const FILES: usize = 10_000;
/// One takes less than a second, of which the system counts processor time in hundredths.
const ROUNDS: usize = 15;
const TREES: [&str; 4] = ["html-postgresql-doc", "html-docbook-xsl-latin1", "html-apache2-ko", "html-phpdoc-base"];

/// Measures both on a folder of at least 10,000 files, made by repeating the corpora, in memory if there is such a file
/// system. The two take turns, and each round writes to a new destination.
pub(crate) fn measure(corpora: &Path) -> io::Result<()> {
    let trees: Vec<PathBuf> = TREES.iter().map(|name| corpora.join(name)).filter(|tree| tree.exists()).collect();
    if trees.is_empty() {
        println!("\nabsent: the trees for the tree rewrite (looked below {})", corpora.display());
        return Ok(());
    }
    let Some(program) = program() else {
        println!("\nabsent: the release build of absolve beside this program; cargo build --release makes it");
        return Ok(());
    };
    let place = ["/dev/shm", "/tmp"].into_iter().map(Path::new).find(|place| place.is_dir());
    let folder = tempfile::tempdir_in(place.unwrap_or(Path::new(".")))?;
    let (source, count, bytes) = repeat(&trees, folder.path())?;
    let target = folder.path().join("target");
    let (mut copying, mut rewriting) = (Vec::new(), Vec::new());
    // The first round warms up.
    for round in 0..=ROUNDS {
        let copy = timed(Command::new("cp").args(["-r", "--reflink=never"]).arg(&source).arg(&target), &target)?;
        let rewrite = timed(
            Command::new(&program)
                .args(["rewrite", "--quiet", "--jobs", "2", "--url", "https://example.org/archive/", "-o"])
                .arg(&target)
                .arg(&source),
            &target,
        )?;
        if round > 0 {
            copying.push(copy);
            rewriting.push(rewrite);
        }
    }
    let megabytes = bytes as f64 / 1e6;
    println!("\ntree of {count} files, {megabytes:.0} MB in {}, medians of {ROUNDS}\n", folder.path().display());
    println!("{:<28} {:>8} {:>8} {:>15} {:>8}", "program", "seconds", "of cp", "processor time", "of cp");
    for (name, runs) in [("cp -r --reflink=never", &copying), ("absolve rewrite, 2 threads", &rewriting)] {
        let (run, copy) = (medians(runs), medians(&copying));
        // Not a number where the system does not report it.
        let [work, of_copying] = [run.work, copy.work].map(|work| work.unwrap_or(f64::NAN));
        let (seconds, of_copy) = (run.seconds, run.seconds / copy.seconds);
        println!("{name:<28} {seconds:>8.3} {of_copy:>8.2} {work:>15.3} {:>8.2}", work / of_copying);
    }
    Ok(())
}

/// Returns the path of the release build of `absolve`, beside this program.
pub(crate) fn program() -> Option<PathBuf> {
    let program = env::current_exe().ok()?.with_file_name("absolve");
    program.exists().then_some(program)
}

/// Copies the corpora into one folder again and again; returns the number of its files and bytes.
fn repeat(trees: &[PathBuf], folder: &Path) -> io::Result<(PathBuf, usize, u64)> {
    let source = folder.join("source");
    let (mut count, mut bytes) = (0, 0);
    for round in 0.. {
        if count >= FILES {
            break;
        }
        for tree in trees {
            let name = tree.file_name().unwrap_or_default();
            for file in files(tree)? {
                let below = file.strip_prefix(tree).unwrap_or(&file);
                let copy = source.join(round.to_string()).join(name).join(below);
                copy.parent().map_or(Ok(()), fs::create_dir_all)?;
                bytes += fs::copy(&file, &copy)?;
                count += 1;
            }
        }
    }
    Ok((source, count, bytes))
}

/// Runs a command, and removes its output, `target`.
fn timed(command: &mut Command, target: &Path) -> io::Result<Run> {
    let timed = run(command).map_err(|error| io::Error::other(format!("{command:?} failed: {error}")))?;
    fs::remove_dir_all(target)?;
    Ok(timed)
}
