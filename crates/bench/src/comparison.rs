//! Programs that do the same, compared in one run.

use crate::child::{Run, median};
use crate::table::{Table, cell, ratio, seconds};

/// The seconds from which on a run is reported to stderr, so that a table of minutes shows that it goes on.
const LONG: f64 = 1.0;

/// A program to compare.
pub(crate) struct Program<'p> {
    name: String,
    /// The bytes of its input.
    bytes: u64,
    run: Box<dyn FnMut() -> Result<Run, String> + 'p>,
    runs: Vec<Run>,
    failure: Option<String>,
}

impl<'p> Program<'p> {
    pub(crate) fn new(name: impl Into<String>, bytes: u64, run: impl FnMut() -> Result<Run, String> + 'p) -> Self {
        Self { name: name.into(), bytes, run: Box::new(run), runs: Vec::new(), failure: None }
    }

    /// Returns the speed in 10^6 bytes of input per second: the median of the runs, by one of their times.
    fn rate(&self, time: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
        Some(self.bytes as f64 / 1e6 / self.median(time)?)
    }

    fn median(&self, figure: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
        median(self.runs.iter().map(figure).collect::<Option<_>>()?)
    }

    fn peak(&self) -> Option<u64> {
        self.runs.iter().filter_map(|run| run.peak).max()
    }
}

/// Runs the programs in turn, and returns the table of their medians, with how many times as fast each is as the programs
/// whose places in the list are given. What failed has empty cells and a line that says why.
pub(crate) fn compare(mut programs: Vec<Program>, rounds: usize, with: &[(usize, &str)]) -> String {
    for _ in 0..rounds {
        for program in programs.iter_mut().filter(|program| program.failure.is_none()) {
            match (program.run)() {
                Ok(run) => {
                    if run.seconds >= LONG {
                        eprintln!("{}: {:.1} s", program.name, run.seconds);
                    }
                    program.runs.push(run);
                }
                Err(why) => {
                    program.failure = Some(why);
                    program.runs.clear();
                }
            }
        }
    }
    let notes = programs.iter().filter_map(|program| {
        let note = program.failure.as_ref().or_else(|| Some(&program.runs.last()?.note));
        note.filter(|note| !note.is_empty()).map(|note| format!("\n{}: {note}\n", program.name))
    });
    medians(&programs, with) + &notes.collect::<String>()
}

fn medians(programs: &[Program], with: &[(usize, &str)]) -> String {
    let wall = |run: &Run| Some(run.seconds);
    let work = |run: &Run| run.work;
    let instructions = |run: &Run| Some(run.instructions? as f64 / 1e9);
    let mut table = Table::new(programs)
        .column("", |program| program.name.clone())
        .column("wall s", |program| seconds(program.median(wall)))
        .column("processor s", |program| seconds(program.median(work)))
        .column("MB/s", |program| cell(program.rate(wall)));
    for &(place, name) in with {
        let peer = &programs[place];
        table = table
            .column(format!("x {name}, wall"), |program| ratio(program.rate(wall), peer.rate(wall)))
            .column(format!("x {name}, processor"), |program| ratio(program.rate(work), peer.rate(work)));
    }
    if programs.iter().any(|program| program.median(instructions).is_some()) {
        table = table.column("10^9 instructions", |program| cell(program.median(instructions)));
    }
    table
        .column("peak MB", |program| program.peak().map_or(String::new(), |peak| format!("{:.0}", peak as f64 / 1e6)))
        .text()
}
