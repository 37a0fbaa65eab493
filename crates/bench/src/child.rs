//! Runs another program: how long it took, how much memory it had.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// A program that ran and succeeded.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) seconds: f64,
    /// The most resident memory in bytes, where `/proc` tells it.
    pub(crate) peak: Option<u64>,
    pub(crate) output: String,
}

/// Runs it to its end; else why that failed, in one line.
pub(crate) fn run(command: &mut Command) -> Result<Run, String> {
    let start = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.map_err(|error| error.to_string())?;
    let status = format!("/proc/{}/status", child.id());
    let watcher = thread::spawn(move || watch(&status));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let peak = watcher.join().unwrap_or_default();
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, errors.lines().next().unwrap_or_default()));
    }
    Ok(Run { seconds, peak, output: String::from_utf8_lossy(&output.stdout).into_owned() })
}

/// The most memory that this program had so far.
pub(crate) fn own_peak() -> Option<u64> {
    peak("/proc/self/status")
}

/// Asks until the program is gone.
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
