//! Compares the rewrite of an mbox with a parser that only parses, and with an ordinary script.

mod content;
mod encode;
mod made;
mod mbox;
mod real;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{fs, io};

use cpu_time::ThreadTime;
use fastrand::Rng;
use mail_parser::MessageParser;

use crate::child::{Run, absolve, run};
use crate::comparison::{Program, compare};
use crate::corpora::absent;
use crate::machine::{self, Instructions};
use crate::python;
use crate::settings::Settings;

/// The default size of the mbox.
const MIB: u64 = 128;
const ROUNDS: usize = 5;
const SEED: u64 = 2557;
/// The part that the script reads; it would take minutes for the rest, at the same speed.
const BYTES_FOR_THE_SCRIPT: usize = 64 << 20;
/// The name of the file with that part.
const HEAD: &str = "head.mbox";

/// The mbox that all programs are measured on.
#[derive(Debug)]
struct Made {
    path: PathBuf,
    mbox: Vec<u8>,
    messages: usize,
    /// The number of messages with a base and relative links.
    with_base: usize,
}

/// Measures all programs on one mbox, made in the temporary folder (`TMPDIR`).
pub(crate) fn measure(settings: &Settings) -> io::Result<String> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("mail.mbox");
    let real = real::messages(&settings.corpora)?;
    if real.is_empty() {
        return Err(absent("mail corpora", &settings.corpora));
    }
    let with_base = write_mbox(&path, settings.mib.unwrap_or(MIB) << 20, &real)?;
    let mbox = fs::read(&path)?;
    let made = Made { messages: mbox::messages(&mbox).count(), path, mbox, with_base };
    let head = mbox::head(&made.mbox, BYTES_FOR_THE_SCRIPT);
    fs::write(made.path.with_file_name(HEAD), head)?;
    let bytes = made.mbox.len() as u64;
    let program = absolve();
    let rewrite = |jobs: &str| rewrite(program.clone()?, &made, jobs);
    let programs = vec![
        Program::new("absolve, one thread", bytes, || rewrite("1")),
        Program::new("absolve, two threads", bytes, || rewrite("2")),
        Program::new("mail-parser, parsing in memory", bytes, || Ok(mail_parser(&made.mbox))),
        Program::new(format!("Python and lxml, first {:.0} MB", head.len() as f64 / 1e6), head.len() as u64, || {
            script(&made.path)
        }),
    ];
    Ok(format!(
        "{}; mbox of {} messages, {:.0} MB, {with_base} with a base and relative links, median of {ROUNDS}.\n\n{}",
        machine::name(),
        made.messages,
        bytes as f64 / 1e6,
        compare(programs, ROUNDS, &[(2, "mail-parser"), (3, "Python")])
    ))
}

/// Alternates real and made messages; returns how many have a base, which is one in ten.
fn write_mbox(path: &Path, wanted: u64, real: &[Vec<u8>]) -> io::Result<usize> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut random = Rng::with_seed(SEED);
    let mut real = real.iter().cycle();
    let (mut bytes, mut with_base, mut record) = (0, 0, Vec::new());
    for number in 0.. {
        if bytes >= wanted {
            break;
        }
        record.clear();
        match if number % 2 == 0 { real.next() } else { None } {
            Some(message) => mbox::append(message, &mut record),
            None => {
                let has_base = number % 10 == 1;
                with_base += usize::from(has_base);
                mbox::append(made::message(&mut random, has_base).as_bytes(), &mut record);
            }
        }
        bytes += record.len() as u64;
        out.write_all(&record)?;
    }
    out.flush()?;
    Ok(with_base)
}

fn mail_parser(mbox: &[u8]) -> Run {
    let parser = MessageParser::default();
    let (start, work, instructions) = (Instant::now(), ThreadTime::now(), Instructions::count());
    for message in mbox::messages(mbox) {
        black_box(parser.parse(message));
    }
    Run {
        seconds: start.elapsed().as_secs_f64(),
        work: Some(work.elapsed().as_secs_f64()),
        // What this program has in memory is not that of the parser.
        peak: None,
        instructions: instructions.so_far(),
        output: String::new(),
        note: String::new(),
    }
}

fn rewrite(program: PathBuf, made: &Made, jobs: &str) -> Result<Run, String> {
    let target = made.path.with_file_name("out.mbox");
    let mut command = Command::new(program);
    let run = run(command.args(["rewrite", "--quiet", "--jobs", jobs]).arg(&made.path).arg("-o").arg(&target))?;
    let note = changed(made, &target)?;
    fs::remove_file(&target).map_err(|error| error.to_string())?;
    Ok(Run { note, ..run })
}

/// Returns the number of changed messages; an error if they are too few, so that no copy counts as a rewrite.
fn changed(made: &Made, target: &Path) -> Result<String, String> {
    let after = fs::read(target).map_err(|error| format!("no output: {error}"))?;
    let count = mbox::messages(&after).count();
    let pairs = mbox::messages(&made.mbox).zip(mbox::messages(&after));
    let changed = pairs.filter(|(before, after)| before != after).count();
    if count != made.messages || changed < made.with_base {
        return Err(format!("no rewrite: {changed} of {count} messages changed, {} have a base", made.with_base));
    }
    Ok(format!("{count} messages, {changed} changed ({:.1} %)", 100.0 * changed as f64 / count as f64))
}

fn script(mbox: &Path) -> Result<Run, String> {
    let mut command = python::script("rewrite_mbox.py", &["lxml.html"])?;
    let run = run(command.arg(mbox.with_file_name(HEAD)).arg(mbox.with_file_name("python.mbox")))?;
    Ok(Run { note: run.output.trim().to_owned(), ..run })
}
