//! What the machine is called, and the instructions that it counts.

use std::{fs, thread};

/// Returns the name of the processor, where the system names it, and the number of its threads.
pub(crate) fn name() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    format!("{}, {} threads", name.map_or("unknown processor", |(_, name)| name), threads())
}

pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A counter of the instructions of this thread outside of the system, and of the programs that it runs.
#[derive(Debug)]
#[cfg(target_os = "linux")]
pub(crate) struct Instructions(Option<perf_event::Counter>);

#[cfg(target_os = "linux")]
impl Instructions {
    /// Begins to count, where the machine can: most virtual ones cannot.
    pub(crate) fn count() -> Self {
        let counter = perf_event::Builder::new(perf_event::events::Hardware::INSTRUCTIONS).inherit(true).build();
        Self(counter.and_then(|mut counter| counter.enable().map(|()| counter)).ok())
    }

    /// Returns the number so far.
    pub(crate) fn so_far(self) -> Option<u64> {
        self.0?.read().ok()
    }
}

/// Other systems have no such interface.
#[derive(Debug)]
#[cfg(not(target_os = "linux"))]
pub(crate) struct Instructions;

#[cfg(not(target_os = "linux"))]
impl Instructions {
    pub(crate) fn count() -> Self {
        Self
    }

    pub(crate) fn so_far(self) -> Option<u64> {
        None
    }
}

/// Returns a sentence on what the columns of instructions count.
pub(crate) fn instructions() -> &'static str {
    match Instructions::count().so_far() {
        Some(_) => "Instructions are those outside of the system.",
        None => "This machine counts no instructions.",
    }
}
