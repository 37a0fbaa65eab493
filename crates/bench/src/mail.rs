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

use crate::child::{Run, medians, own_peak, run};
use crate::python;
use crate::settings::Settings;
use crate::table::{self, Figures, Row};
use crate::trees::program;

/// The default size of the mbox.
pub(crate) const MIB: u64 = 1024;
const ROUNDS: usize = 5;
const SEED: u64 = 2557;
/// The part that the script reads; it would take minutes for the rest, at the same speed.
const BYTES_FOR_THE_SCRIPT: usize = 64 << 20;

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
pub(crate) fn measure(settings: &Settings) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("mail.mbox");
    let real = real::messages(&settings.corpora)?;
    if real.is_empty() {
        println!("absent: the mail corpora (looked below {})", settings.corpora.display());
    }
    let with_base = write_mbox(&path, settings.mib << 20, &real)?;
    let mbox = fs::read(&path)?;
    let made = Made { messages: mbox::messages(&mbox).count(), path, mbox, with_base };
    println!(
        "\nmbox of {} messages, {:.0} MB in {}, {with_base} with a base and relative links, median of {ROUNDS}\n",
        made.messages,
        made.mbox.len() as f64 / 1e6,
        folder.path().display()
    );
    let mut notes = Vec::new();
    let (mut parsed, mut rewritten) = (Vec::new(), [Vec::new(), Vec::new()]);
    for _ in 0..ROUNDS {
        parsed.push(Ok(mail_parser(&made.mbox)));
        for (runs, jobs) in rewritten.iter_mut().zip(["1", "2"]) {
            runs.push(absolve(&made, jobs, &mut notes));
        }
    }
    let parser = row("mail-parser, mbox in memory", &made.mbox, parsed);
    let [one, two] = rewritten;
    let absolve = [("absolve rewrite --jobs 1", one), ("absolve rewrite --jobs 2", two)]
        .map(|(name, runs)| row(name, &made.mbox, runs));
    notes.dedup();
    let script = script(&made, &mut notes)?;
    table::print(&absolve, [("mail-parser", &parser), ("Python", &script)]);
    for note in notes {
        println!("{note}");
    }
    Ok(())
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

/// Returns the medians of the rounds.
fn row(name: &str, mbox: &[u8], rounds: Vec<Result<Run, String>>) -> Row {
    let runs: Result<Vec<Run>, String> = rounds.into_iter().collect();
    Row::new(name, runs.map(|runs| Figures { bytes: mbox.len() as u64, run: medians(&runs) }))
}

fn mail_parser(mbox: &[u8]) -> Run {
    let parser = MessageParser::default();
    let (start, work) = (Instant::now(), ThreadTime::now());
    for message in mbox::messages(mbox) {
        black_box(parser.parse(message));
    }
    let (seconds, work) = (start.elapsed().as_secs_f64(), Some(work.elapsed().as_secs_f64()));
    Run { seconds, work, peak: own_peak(), output: String::new() }
}

fn absolve(made: &Made, jobs: &str, notes: &mut Vec<String>) -> Result<Run, String> {
    let program = program().ok_or("absent beside this program; cargo build --release makes it")?;
    let target = made.path.with_file_name("out.mbox");
    if target.exists() {
        fs::remove_file(&target).map_err(|error| error.to_string())?;
    }
    let mut command = Command::new(program);
    let run = run(command.args(["rewrite", "--quiet", "--jobs", jobs]).arg(&made.path).arg("-o").arg(&target))?;
    notes.push(changed(made, &target)?);
    Ok(run)
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
    Ok(format!("absolve: {count} messages, {changed} changed ({:.1} %)", 100.0 * changed as f64 / count as f64))
}

fn script(made: &Made, notes: &mut Vec<String>) -> io::Result<Row> {
    let head = mbox::head(&made.mbox, BYTES_FOR_THE_SCRIPT);
    let name = format!("Python and lxml, first {:.0} MB", head.len() as f64 / 1e6);
    let mut command = match python::script("rewrite_mbox.py", "lxml.html") {
        Ok(command) => command,
        Err(why) => {
            notes.push(why);
            return Ok(Row::new(name, Err("skipped".to_owned())));
        }
    };
    let source = made.path.with_file_name("head.mbox");
    fs::write(&source, head)?;
    let outcome = run(command.arg(source).arg(made.path.with_file_name("python.mbox")));
    Ok(Row::new(
        name,
        outcome.map(|run| {
            notes.push(format!("Python: {}", run.output.trim()));
            Figures { bytes: head.len() as u64, run }
        }),
    ))
}
