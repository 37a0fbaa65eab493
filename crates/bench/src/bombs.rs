//! Input that costs a careless program its time or its memory, at two sizes: what each costs to rewrite, and to verify.

mod archives;
mod documents;
mod mail;

use std::path::Path;
use std::process::Command;
use std::{fs, io};

use crate::child::{Run, run_that_ends};
use crate::trees::program;

/// Something that is made to cost much, and grows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bomb {
    name: &'static str,
    /// What its file is called; the name of a list of URLs is that of an option.
    file: &'static str,
    /// Its bytes at a size.
    make: fn(usize) -> io::Result<Vec<u8>>,
}

/// A bomb, some bytes of which are its size.
pub(crate) const fn bomb(name: &'static str, file: &'static str, make: fn(usize) -> io::Result<Vec<u8>>) -> Bomb {
    Bomb { name, file, make }
}

const REWRITE: &str = "rewrite";
const VERIFY: &str = "verify";

/// How many times as large the second of both is.
const TIMES: usize = 4;
/// What all runs share: a list of URLs is for this page.
const URLS: &str = "urls.csv";
const PAGE: &str = "page.html";
/// Growth of time that is no noise, in what takes long enough to tell.
const SUSPICIOUS: f64 = 2.0 * TIMES as f64;
const SECONDS_THAT_TELL: f64 = 0.2;
/// Time is counted in such steps.
const LEAST_SECONDS: f64 = 0.01;
/// Memory that no input of these sizes may need.
const MUCH_MEMORY: u64 = 400_000_000;
const ROUNDS: usize = 3;
/// A file that breaks off is told, and fails.
const DONE_OR_TOLD: [i32; 2] = [0, 1];

/// Prints what each bomb costs at both sizes; those whose name holds `wanted`, if it is told.
pub(crate) fn measure(wanted: Option<&str>) -> io::Result<()> {
    let Some(program) = program() else {
        println!("absent: the release build of absolve beside this program; cargo build --release makes it");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let all = [documents::BOMBS, mail::BOMBS, archives::BOMBS].concat();
    for command in [REWRITE, VERIFY] {
        println!(
            "| `{command}` | MB | s | peak MB | MB, x {TIMES} | s, x {TIMES} | peak MB, x {TIMES} | time grows | |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---:|---|");
        for bomb in all.iter().filter(|bomb| wanted.is_none_or(|wanted| bomb.name.contains(wanted))) {
            let [small, large] = [1, TIMES].map(|times| measured(&program, folder.path(), bomb, times, command));
            println!("| {} | {}", bomb.name, row(small?, large?));
        }
        println!();
    }
    Ok(())
}

/// What one size costs.
#[derive(Debug)]
struct Cost {
    bytes: usize,
    run: Result<Run, String>,
}

/// The fastest of some rounds, with the most memory of all. Time is that of the processors, whoever else is at work. What is
/// verified is what was made of the bomb before.
fn measured(program: &Path, folder: &Path, bomb: &Bomb, times: usize, measured: &str) -> io::Result<Cost> {
    let bytes = (bomb.make)(times)?;
    let input = folder.join(if bomb.file == URLS { PAGE } else { bomb.file });
    let output = folder.join("out");
    fs::write(&input, "<a href=x>")?;
    fs::write(folder.join(bomb.file), &bytes)?;
    let run = |command: &str| {
        let mut process = Command::new(program);
        process.args([command, "--quiet", "--jobs", "2"]);
        match bomb.file {
            URLS => process.arg("--urls").arg(folder.join(URLS)),
            file if file.ends_with(".wacz") => process.args(["--warc", "resource"]),
            file if is_page(file) => process.args(["--url", "http://h/d/"]),
            _ => &mut process,
        };
        match command {
            REWRITE => process.args(["--force", "-o"]).arg(&output).arg(&input),
            _ => process.arg(&input).arg(if output.exists() { &output } else { &input }),
        };
        run_that_ends(&mut process, &DONE_OR_TOLD)
    };
    if measured == VERIFY
        && let Err(why) = run(REWRITE)
    {
        return Ok(Cost { bytes: bytes.len(), run: Err(why) });
    }
    let mut best: Result<Run, String> = Err("no round".to_owned());
    for _ in 0..ROUNDS {
        best = match (best, run(measured)) {
            (Ok(best), Ok(run)) => {
                let (seconds, work) = (best.seconds.min(run.seconds), best.work.zip(run.work));
                Ok(Run { seconds, work: work.map(|(one, other)| one.min(other)), peak: best.peak.max(run.peak), ..run })
            }
            (_, run) => run,
        };
    }
    fs::remove_file(input)?;
    if output.exists() {
        fs::remove_file(output)?;
    }
    Ok(Cost { bytes: bytes.len(), run: best })
}

/// Whether a URL of its own is of use: the messages and records of a container have theirs.
fn is_page(file: &str) -> bool {
    [".html", ".css", ".xml", ".txt", ".eml"].iter().any(|end| file.ends_with(end))
}

fn row(small: Cost, large: Cost) -> String {
    let (one, other) = match (small.run, large.run) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(why), _) | (_, Err(why)) => return format!("{why} | | | | | | | |"),
    };
    let [before, after] = [&one, &other].map(|run| run.work.unwrap_or(run.seconds).max(LEAST_SECONDS));
    let growth = after / before;
    let is_slow = growth > SUSPICIOUS && after > SECONDS_THAT_TELL;
    let needs_much = other.peak.is_some_and(|peak| peak > MUCH_MEMORY + 4 * large.bytes as u64);
    let verdict = match (is_slow, needs_much) {
        (true, _) => "**not linear**",
        (false, true) => "**much memory**",
        (false, false) => "",
    };
    let peak = |run: &Run| run.peak.map_or("-".to_owned(), |peak| format!("{:.0}", peak as f64 / 1e6));
    format!(
        "{:.2} | {before:.2} | {} | {:.2} | {after:.2} | {} | {growth:.1} | {verdict} |",
        small.bytes as f64 / 1e6,
        peak(&one),
        large.bytes as f64 / 1e6,
        peak(&other),
    )
}
