//! Runs another program, and measures its time and its memory.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// A program that ran and succeeded.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) seconds: f64,
    /// The processor time of all its threads in seconds, where `/proc` reports it.
    pub(crate) work: Option<f64>,
    /// The peak of its resident memory in bytes, where `/proc` reports it.
    pub(crate) peak: Option<u64>,
    pub(crate) output: String,
}

/// Runs a program to its end; an error describes in one line why that failed.
pub(crate) fn run(command: &mut Command) -> Result<Run, String> {
    run_that_ends(command, &[0])
}

/// Runs a program to its end; `exits` are the exit codes that are no failure.
pub(crate) fn run_that_ends(command: &mut Command, exits: &[i32]) -> Result<Run, String> {
    let (start, work_before) = (Instant::now(), work_of_children());
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.map_err(|error| error.to_string())?;
    let status = format!("/proc/{}/status", child.id());
    let watcher = thread::spawn(move || watch(&status));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let work = work_of_children().zip(work_before).map(|(after, before)| after - before);
    let peak = watcher.join().unwrap_or_default();
    if !output.status.code().is_some_and(|code| exits.contains(&code)) {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, errors.lines().next().unwrap_or_default()));
    }
    Ok(Run { seconds, work, peak, output: String::from_utf8_lossy(&output.stdout).into_owned() })
}

/// Returns the medians of the times of some runs, and the peak of all of them; without an output.
pub(crate) fn medians(runs: &[Run]) -> Run {
    let work = runs.iter().map(|run| run.work).collect::<Option<Vec<f64>>>();
    Run {
        seconds: median(runs.iter().map(|run| run.seconds).collect()),
        work: work.map(median),
        peak: runs.iter().filter_map(|run| run.peak).max(),
        output: String::new(),
    }
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Returns the peak of the resident memory of this program so far.
pub(crate) fn own_peak() -> Option<u64> {
    peak("/proc/self/status")
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
