//! What an interrupted run says: what was done, and how to go on.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many of how many files are done.
pub(crate) type Counter = (Arc<AtomicUsize>, usize);

/// What is to be said if the run is interrupted now.
#[derive(Debug, Default)]
pub(crate) struct Interrupted(Mutex<(String, Option<Counter>)>);

impl Interrupted {
    /// Sets what becomes of the output.
    pub(crate) fn note(&self, what_now: impl Into<String>, counter: Option<Counter>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (what_now.into(), counter);
    }

    /// `interrupted after 2 of 5 files; site.partial is kept; --resume continues it`.
    fn line(&self) -> String {
        let (what_now, counter) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let after =
            counter.as_ref().map(|(done, all)| format!(" after {} of {all} files", done.load(Ordering::Relaxed)));
        let what_now = Some(what_now).filter(|text| !text.is_empty()).map(|text| format!("; {text}"));
        format!("interrupted{}{}", after.unwrap_or_default(), what_now.unwrap_or_default())
    }

    fn print(&self) {
        let mut errors = io::stderr();
        // A terminal shows `^C`, and perhaps a bar.
        let line_end = if errors.is_terminal() { "\n" } else { "" };
        let _ = writeln!(errors, "{line_end}absolve: {}", absolve_files::shown(&self.line()));
    }
}

/// Prints the line when the process is interrupted or terminated, and ends it by that signal. A signal that was ignored when the process
/// began, as in the background of a script, stays ignored.
#[cfg(target_os = "linux")]
pub(crate) fn watch(interrupted: &Arc<Interrupted>) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use std::thread;
    use std::time::Duration;

    let Some(ignored) = ignored_signals() else { return };
    let interrupted = Arc::clone(interrupted);
    let watching = move || {
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM].into_iter().filter(|number| ignored >> (number - 1) & 1 == 0) {
            let _ = signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize);
        }
        // A pipe to wait at would take file descriptors from the run.
        loop {
            thread::sleep(Duration::from_millis(20));
            let number = signal.load(Ordering::Relaxed);
            if number != 0 {
                interrupted.print();
                let _ = signal_hook::low_level::emulate_default_handler(number as i32);
            }
        }
    };
    let _ = thread::Builder::new().name("signals".into()).spawn(watching);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn watch(_interrupted: &Arc<Interrupted>) {}

/// Returns which signals this process ignores, one bit for each.
#[cfg(target_os = "linux")]
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}
