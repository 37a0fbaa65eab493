//! Compares the rewrite of a folder with `cp -r`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::child::{Run, absolve, run};
use crate::comparison::{Program, compare};
use crate::corpora::{absent, files};
use crate::machine;
use crate::settings::Settings;

const FILES: usize = 10_000;
/// One takes less than a second, of which the system counts processor time in hundredths.
const ROUNDS: usize = 15;
const TREES: [&str; 4] = ["html-postgresql-doc", "html-docbook-xsl-latin1", "html-apache2-ko", "html-phpdoc-base"];

/// Measures both on a folder of at least 10,000 files, made by repeating the corpora, in memory if there is such a file
/// system. Each round writes to a new destination.
pub(crate) fn measure(settings: &Settings) -> io::Result<String> {
    let trees: Vec<PathBuf> =
        TREES.iter().map(|name| settings.corpora.join(name)).filter(|tree| tree.exists()).collect();
    if trees.is_empty() {
        return Err(absent("trees of pages", &settings.corpora));
    }
    let place = ["/dev/shm", "/tmp"].into_iter().map(Path::new).find(|place| place.is_dir());
    let folder = tempfile::tempdir_in(place.unwrap_or(Path::new(".")))?;
    let (source, count, bytes) = repeat(&trees, folder.path())?;
    let target = folder.path().join("target");
    let program = absolve();
    let copy = || timed(Command::new("cp").args(["-r", "--reflink=never"]).arg(&source).arg(&target), &target);
    let rewrite = |jobs: &str| {
        let mut command = Command::new(program.clone()?);
        command.args(["rewrite", "--quiet", "--jobs", jobs, "--url", "https://example.org/archive/", "-o"]);
        timed(command.arg(&target).arg(&source), &target)
    };
    let programs = vec![
        Program::new("absolve, one thread", bytes, || rewrite("1")),
        Program::new("absolve, two threads", bytes, || rewrite("2")),
        Program::new("`cp -r --reflink=never`", bytes, copy),
    ];
    Ok(format!(
        "{}; tree of {count} files, {:.0} MB in {}, median of {ROUNDS}.\n\n{}",
        machine::name(),
        bytes as f64 / 1e6,
        place.unwrap_or(Path::new("the current folder")).display(),
        compare(programs, ROUNDS, &[(2, "cp")])
    ))
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
fn timed(command: &mut Command, target: &Path) -> Result<Run, String> {
    let timed = run(command)?;
    fs::remove_dir_all(target).map_err(|error| error.to_string())?;
    Ok(timed)
}
