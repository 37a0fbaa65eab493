//! Compares the rewrite of a folder with `cp -r`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs, io};

use crate::corpora::files;

const FILES: usize = 10_000;
const ROUNDS: usize = 5;
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
        let copy = Command::new("cp").args(["-r", "--reflink=never"]).arg(&source).arg(&target).timed(&target)?;
        let rewrite = Command::new(&program)
            .args(["rewrite", "--quiet", "--jobs", "2", "--url", "https://example.org/archive/", "-o"])
            .arg(&target)
            .arg(&source)
            .timed(&target)?;
        if round > 0 {
            copying.push(copy);
            rewriting.push(rewrite);
        }
    }
    let (copy, rewrite) = (median(copying), median(rewriting));
    let megabytes = bytes as f64 / 1e6;
    println!("\ntree of {count} files, {megabytes:.0} MB in {}, median of {ROUNDS}\n", folder.path().display());
    println!("cp -r --reflink=never       {copy:.3} s");
    println!("absolve rewrite, 2 threads  {rewrite:.3} s   {:.2} of cp", rewrite / copy);
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

trait Timed {
    /// Returns the seconds that the command takes, and removes its output, `target`.
    fn timed(&mut self, target: &Path) -> io::Result<f64>;
}

impl Timed for Command {
    fn timed(&mut self, target: &Path) -> io::Result<f64> {
        let start = Instant::now();
        let status = self.stdout(Stdio::null()).status()?;
        let seconds = start.elapsed().as_secs_f64();
        if !status.success() {
            return Err(io::Error::other(format!("{self:?} failed: {status}")));
        }
        fs::remove_dir_all(target)?;
        Ok(seconds)
    }
}

pub(crate) fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
