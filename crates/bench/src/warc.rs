//! Compares the rewrite of a web archive with a program that copies its records, and with decompression alone.

mod contents;
pub(crate) mod listing;
mod made;
mod members;
mod real;
mod subprocess;
mod unchanged;
pub(crate) mod unpacking;

use std::fs::File;
use std::io::Read;
use std::process::Command;
use std::{env, fs, io};

use crate::child::{Run, run};
use crate::comparison::{Program, compare};
use crate::corpora::absent;
use crate::machine;
use crate::python;
use crate::settings::Settings;
use made::{Changing, Made};
pub(crate) use subprocess::run_subprocess;

/// The default size of the archive, compressed.
const MIB: u64 = 256;
/// The argument that runs one task in a process of its own, to measure its memory.
pub(crate) const SUBPROCESS: &str = "warc-subprocess";

const ROUNDS: usize = 3;
/// The part that slow peers read, compressed; they would take minutes for the rest, at the same speed.
const BYTES_FOR_PEERS: u64 = 64 << 20;
/// The name of the file with that part.
const HEAD: &str = "head.warc.gz";

/// Measures all programs on an archive with few relative links, then on one with as many as in the corpora. Both are made
/// in the temporary folder (`TMPDIR`), one after the other.
pub(crate) fn measure(settings: &Settings) -> io::Result<String> {
    let templates = made::templates(&real::files(&settings.corpora)?)?;
    if templates.is_empty() {
        return Err(absent("web archives", &settings.corpora));
    }
    let mut text = String::new();
    for changing in [Changing::OnePercent, Changing::AsFound] {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("made.warc.gz");
        let made = made::write(&path, settings.mib.unwrap_or(MIB) << 20, &templates, changing)?;
        io::copy(&mut File::open(&path)?.take(made.head.compressed), &mut File::create(path.with_file_name(HEAD))?)?;
        let separator = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!(
            "{separator}{}; WARC of {} records, {:.0} MB in {:.0} MB of gzip, {:.1} % with relative links, median of {ROUNDS}.\n\n{}",
            machine::name(),
            made.all.records,
            megabytes(made.all.bytes),
            megabytes(made.all.compressed),
            100.0 * made.changing as f64 / made.all.records as f64,
            compare(programs(&made), ROUNDS, &[(2, "inflating"), (5, "warcio")])
        ));
    }
    Ok(text)
}

fn programs(made: &Made) -> Vec<Program<'_>> {
    let (all, head) = (&made.all, &made.head);
    let path_of_head = || made.path.with_file_name(HEAD);
    let of_head = |what: &str| format!("{what}, first {:.0} MB", megabytes(head.bytes));
    vec![
        Program::new("absolve, one thread", all.bytes, || absolve(made, 1)),
        Program::new(format!("absolve, {} threads", machine::threads()), all.bytes, || {
            absolve(made, machine::threads())
        }),
        Program::new("inflating and counting, one thread", all.bytes, || {
            expect(run(subprocess("inflate")?.arg(&made.path))?, &all.bytes.to_string())
        }),
        Program::new(of_head("zcat"), head.bytes, move || {
            run(Command::new("sh").args(["-c", "exec gzip -dc -- \"$0\" > /dev/null"]).arg(path_of_head()))
        }),
        Program::new(of_head("fastwarc, reading all records"), head.bytes, move || {
            let mut command = python::script("read_warc.py", &["fastwarc"])?;
            expect(run(command.arg(path_of_head()))?, &head.records.to_string())
        }),
        Program::new(of_head("warcio, copying all records"), head.bytes, move || {
            let mut command = python::script("copy_warc.py", &["warcio"])?;
            let copy = made.path.with_file_name("warcio.warc.gz");
            expect(run(command.arg(path_of_head()).arg(copy))?, &head.records.to_string())
        }),
    ]
}

/// Measures `absolve` on so many threads.
fn absolve(made: &Made, threads: usize) -> Result<Run, String> {
    let target = made.path.with_file_name("out.warc.gz");
    let mut command = subprocess("absolve")?;
    command.env("RAYON_NUM_THREADS", threads.to_string());
    let run = run(command.arg(&made.path).arg(&target))?;
    let written = fs::metadata(&target).map_err(|error| error.to_string())?.len();
    fs::remove_file(&target).map_err(|error| error.to_string())?;
    if written <= made.all.compressed {
        return Err("nothing was added".to_owned());
    }
    expect(run, &format!("{} {} {}", made.all.records, made.all.bytes, made.changing))
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Returns the command that runs one task in a process of its own.
fn subprocess(what: &str) -> Result<Command, String> {
    let mut command = Command::new(env::current_exe().map_err(|error| error.to_string())?);
    command.args([SUBPROCESS, what]);
    Ok(command)
}

/// Returns an error if the output is another one, so that only the same work is compared.
fn expect(run: Run, expected: &str) -> Result<Run, String> {
    match run.output.trim() {
        output if output == expected => Ok(run),
        output => Err(format!("came to {output}, not to {expected}")),
    }
}
