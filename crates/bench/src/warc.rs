//! Compares the rewrite of a web archive with a program that copies its records, and with decompression alone.

pub(crate) mod listing;
mod made;
mod members;
mod real;
mod subprocess;
mod unchanged;

use std::fs::File;
use std::io::Read;
use std::process::Command;
use std::{env, fs, io, thread};

use crate::child::{Run, medians, run};
use crate::python;
use crate::settings::Settings;
use crate::table::{self, Figures, Row};
use made::{Changing, Made};
pub(crate) use subprocess::run_subprocess;

/// The default size of the archive, compressed.
pub(crate) const MIB: u64 = 256;
/// The argument that runs one task in a process of its own, to measure its memory.
pub(crate) const SUBPROCESS: &str = "warc-subprocess";

const ROUNDS: usize = 3;
/// The part that the script reads, compressed; it would take minutes for the rest, at the same speed.
const BYTES_FOR_THE_SCRIPT: u64 = 256 << 20;

/// Measures all programs on an archive with few relative links, then on one with as many as in the corpora. Both are made
/// in the temporary folder (`TMPDIR`), one after the other.
pub(crate) fn measure(settings: &Settings) -> io::Result<()> {
    let templates = made::templates(&real::files(&settings.corpora)?)?;
    if templates.is_empty() {
        println!("absent: the web archives (looked below {})", settings.corpora.display());
        return Ok(());
    }
    for changing in [Changing::OnePercent, Changing::AsFound] {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("made.warc.gz");
        let made = made::write(&path, settings.mib << 20, &templates, changing)?;
        println!(
            "\nWARC of {} records, {:.0} MB in {:.0} MB of gzip in {}, {} ({:.1} %) with relative links, median of {ROUNDS}\n",
            made.all.records,
            made.all.bytes as f64 / 1e6,
            made.all.compressed as f64 / 1e6,
            folder.path().display(),
            made.changing,
            100.0 * made.changing as f64 / made.all.records as f64,
        );
        let mut notes = Vec::new();
        let absolve = [Some(1), None].map(|threads| absolve(&made, threads));
        let inflate = inflate(&made);
        let warcio = warcio(&made, &mut notes)?;
        table::print(&absolve, [("inflating", &inflate), ("warcio", &warcio)]);
        notes.iter().for_each(|note| println!("{note}"));
    }
    Ok(())
}

/// Measures `absolve` on so many threads, or on all.
fn absolve(made: &Made, threads: Option<usize>) -> Row {
    let target = made.path.with_file_name("out.warc.gz");
    let expected = format!("{} {} {}", made.all.records, made.all.bytes, made.changing);
    let figures = rounds(made.all.bytes, &expected, || {
        let mut command = subprocess("absolve")?;
        match threads {
            Some(threads) => command.env("RAYON_NUM_THREADS", threads.to_string()),
            None => command.env_remove("RAYON_NUM_THREADS"),
        };
        let run = run(command.arg(&made.path).arg(&target))?;
        let written = fs::metadata(&target).map_err(|error| error.to_string())?.len();
        fs::remove_file(&target).map_err(|error| error.to_string())?;
        if written > made.all.compressed { Ok(run) } else { Err("nothing was added".to_owned()) }
    });
    let threads = threads.or_else(|| Some(thread::available_parallelism().ok()?.get()));
    let threads = threads.map_or("all".to_owned(), |threads| threads.to_string());
    Row::new(format!("absolve, threads: {threads}"), figures)
}

fn inflate(made: &Made) -> Row {
    let figures = rounds(made.all.bytes, &made.all.bytes.to_string(), || run(subprocess("inflate")?.arg(&made.path)));
    Row::new("inflating and counting", figures)
}

fn warcio(made: &Made, notes: &mut Vec<String>) -> io::Result<Row> {
    let head = &made.head;
    let name = format!("warcio, first {:.0} MB", head.bytes as f64 / 1e6);
    let mut command = match python::script("copy_warc.py", "warcio") {
        Ok(command) => command,
        Err(why) => {
            notes.push(why);
            return Ok(Row::new(name, Err("skipped".to_owned())));
        }
    };
    let source = made.path.with_file_name("head.warc.gz");
    io::copy(&mut File::open(&made.path)?.take(head.compressed), &mut File::create(&source)?)?;
    command.arg(source).arg(made.path.with_file_name("warcio.warc.gz"));
    let run = run(&mut command).and_then(|run| expect(run, &head.records.to_string()));
    Ok(Row::new(name, run.map(|run| Figures { bytes: head.bytes, run })))
}

/// Returns the command that runs one task in a process of its own.
fn subprocess(what: &str) -> Result<Command, String> {
    let mut command = Command::new(env::current_exe().map_err(|error| error.to_string())?);
    command.args([SUBPROCESS, what]);
    Ok(command)
}

/// Returns the figures of some rounds that read `bytes` bytes; an error if one of them has another result than expected.
fn rounds(bytes: u64, expected: &str, mut round: impl FnMut() -> Result<Run, String>) -> Result<Figures, String> {
    let runs: Result<Vec<Run>, String> = (0..ROUNDS).map(|_| expect(round()?, expected)).collect();
    Ok(Figures { bytes, run: medians(&runs?) })
}

/// Returns an error if the output is another one, so that only the same work is compared.
fn expect(run: Run, expected: &str) -> Result<Run, String> {
    match run.output.trim() {
        output if output == expected => Ok(run),
        output => Err(format!("came to {output}, not to {expected}")),
    }
}
