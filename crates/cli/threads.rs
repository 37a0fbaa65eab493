//! The threads of a run.

use rayon::ThreadPoolBuilder;

use crate::outcome::{Outcome, Stop, usage_error};

/// Runs a command on this number of threads, or on one for each processor.
///
/// They are of this run: with those of the process, several runs in it would wait for each other.
pub(crate) fn with(jobs: Option<u16>, command: impl FnOnce() -> Result<Outcome, Stop> + Send) -> Result<Outcome, Stop> {
    match ThreadPoolBuilder::new().num_threads(jobs.map_or(0, usize::from)).build() {
        Ok(pool) => pool.install(command),
        Err(error) => usage_error(format!("cannot start the threads: {error}")),
    }
}
