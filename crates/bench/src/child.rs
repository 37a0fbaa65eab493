//! Runs another program, and measures its time and its memory.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::machine::Instructions;

/// A program that ran and succeeded.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) seconds: f64,
    /// The processor time of all its threads in seconds, where `/proc` reports it.
    pub(crate) work: Option<f64>,
    /// The peak of its resident memory in bytes, where `/proc` reports it.
    pub(crate) peak: Option<u64>,
    /// The instructions of all its threads, where the machine counts them.
    pub(crate) instructions: Option<u64>,
    pub(crate) output: String,
    /// What to know of its result.
    pub(crate) note: String,
}

/// Runs a program to its end; an error describes in one line why that failed.
pub(crate) fn run(command: &mut Command) -> Result<Run, String> {
    run_that_ends(command, &[0])
}

/// Runs a program to its end; `exits` are the exit codes that are no failure.
pub(crate) fn run_that_ends(command: &mut Command, exits: &[i32]) -> Result<Run, String> {
    let (start, work_before, instructions) = (Instant::now(), work_of_children(), Instructions::count());
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.map_err(|error| error.to_string())?;
    let status = format!("/proc/{}/status", child.id());
    let watcher = thread::spawn(move || watch(&status));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let work = work_of_children().zip(work_before).map(|(after, before)| after - before);
    let instructions = instructions.so_far();
    let peak = watcher.join().unwrap_or_default();
    if !output.status.code().is_some_and(|code| exits.contains(&code)) {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, errors.lines().last().unwrap_or_default()));
    }
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Run { seconds, work, peak, instructions, output, note: String::new() })
}

/// Returns the middle one of some figures; the upper one of two.
pub(crate) fn median(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}

/// Returns the program `absolve` of the sources as they are now, which cargo builds beside this one. Without cargo it is the
/// one that lies there.
pub(crate) fn absolve() -> Result<PathBuf, String> {
    let folder = env::current_exe().map_err(|error| error.to_string())?.with_file_name("");
    let program = folder.join("absolve");
    if let Some(cargo) = env::var_os("CARGO") {
        let mut command = Command::new(cargo);
        command.args([
            "build",
            "--quiet",
            "--release",
            "--package",
            "absolve",
            "--features",
            "parquet",
            "--manifest-path",
        ]);
        run(command
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
            .arg("--target-dir")
            .arg(folder.join("..")))?;
    }
    if program.exists() { Ok(program) } else { Err(format!("{} is absent", program.display())) }
}

/// Returns the processor time of all programs that have ended, in seconds: the fields `cutime` and `cstime` of proc(5), in
/// hundredths of a second on every Linux.
fn work_of_children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let behind_name = stat.rsplit_once(") ")?.1;
    let ticks = behind_name.split(' ').skip(13).take(2).map(|field| field.parse::<u64>().ok());
    Some(ticks.sum::<Option<u64>>()? as f64 / 100.0)
}

/// Polls until the program has ended.
fn watch(status: &str) -> Option<u64> {
    let mut last = None;
    while let Some(now) = peak(status) {
        last = Some(now);
        thread::sleep(Duration::from_millis(10));
    }
    last
}

fn peak(status: &str) -> Option<u64> {
    let status = fs::read_to_string(status).ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    Some(kibibytes.parse::<u64>().ok()? * 1024)
}
