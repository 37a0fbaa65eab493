//! Inputs that cost a careless program much time or memory, measured at two sizes, for `rewrite` and for `verify`.

mod archives;
mod bomb;
mod documents;
mod mail;
mod markdown;

use std::path::Path;
use std::process::Command;
use std::{fs, io};

use bomb::{Bomb, URLS};

use crate::child::{Run, absolve, run_that_ends};

const REWRITE: &str = "rewrite";
const VERIFY: &str = "verify";

/// The factor between the two sizes.
const TIMES: usize = 4;
/// The name of the page that a list of URLs is for.
const PAGE: &str = "page.html";
/// Growth of time that is no noise, in runs of at least `MEASURABLE_SECONDS`.
const SUSPICIOUS: f64 = 2.0 * TIMES as f64;
const MEASURABLE_SECONDS: f64 = 0.2;
/// The resolution of processor time.
const LEAST_SECONDS: f64 = 0.01;
/// Memory that no input of these sizes may need.
const MUCH_MEMORY: u64 = 400_000_000;
const ROUNDS: usize = 3;
/// The exit codes that are no failure; with a truncated file the program exits with 1.
const DONE: [i32; 2] = [0, 1];

/// Prints the costs of each bomb at both sizes; with `wanted`, of those whose name contains it.
pub(crate) fn measure(wanted: Option<&str>) -> io::Result<()> {
    let program = absolve().map_err(io::Error::other)?;
    let folder = tempfile::tempdir()?;
    let all = [documents::BOMBS, markdown::BOMBS, mail::BOMBS, archives::BOMBS].concat();
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

/// The costs of one size.
#[derive(Debug)]
struct Cost {
    bytes: usize,
    run: Result<Run, String>,
}

/// Returns the shortest processor time of some rounds, and their peak memory. For `verify`, the bomb is rewritten before.
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
        run_that_ends(&mut process, &DONE)
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

/// Reports whether `--url` is of use: the messages and records of a container have URLs of their own.
fn is_page(file: &str) -> bool {
    [".html", ".css", ".xml", ".txt", ".md", ".eml"].iter().any(|end| file.ends_with(end))
}

fn row(small: Cost, large: Cost) -> String {
    let (one, other) = match (small.run, large.run) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(why), _) | (_, Err(why)) => return format!("{why} | | | | | | | |"),
    };
    let [before, after] = [&one, &other].map(|run| run.work.unwrap_or(run.seconds).max(LEAST_SECONDS));
    let growth = after / before;
    let is_slow = growth > SUSPICIOUS && after > MEASURABLE_SECONDS;
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
