//! The table of the results.

use crate::child::Run;

/// The figures of one program, or why there are none.
#[derive(Debug)]
pub(crate) struct Row {
    name: String,
    outcome: Result<Figures, String>,
}

#[derive(Debug)]
pub(crate) struct Figures {
    /// The bytes of the input.
    pub(crate) bytes: u64,
    pub(crate) run: Run,
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, outcome: Result<Figures, String>) -> Self {
        Self { name: name.into(), outcome }
    }

    /// The speed in 10^6 bytes of input per second.
    fn rate(&self) -> Option<f64> {
        let figures = self.outcome.as_ref().ok()?;
        Some(figures.bytes as f64 / 1e6 / figures.run.seconds)
    }

    /// The same per second of processor time.
    fn rate_of_work(&self) -> Option<f64> {
        let figures = self.outcome.as_ref().ok()?;
        Some(figures.bytes as f64 / 1e6 / figures.run.work?)
    }
}

/// Prints the figures of absolve, and how many times as fast it is as each named peer, by the clock and by processor time.
pub(crate) fn print(absolve: &[Row], peers: [(&str, &Row); 2]) {
    let [(first_name, first), (second_name, second)] = peers;
    println!(
        "{:<30} {:>8} {:>9} {:>8} {:>14} {:>9} {:>18} {:>13} {:>8}",
        "program",
        "seconds",
        "processor",
        "MB/s",
        format!("x {first_name}"),
        format!("x {second_name}"),
        format!("work x {first_name}"),
        format!("work x {second_name}"),
        "peak MB"
    );
    for row in absolve.iter().chain([first, second]) {
        match &row.outcome {
            Ok(figures) => println!(
                "{:<30} {:>8.3} {:>9} {:>8.1} {:>14} {:>9} {:>18} {:>13} {:>8}",
                row.name,
                figures.run.seconds,
                figures.run.work.map_or("-".to_owned(), |work| format!("{work:.3}")),
                row.rate().unwrap_or_default(),
                ratio(row.rate(), first.rate()),
                ratio(row.rate(), second.rate()),
                ratio(row.rate_of_work(), first.rate_of_work()),
                ratio(row.rate_of_work(), second.rate_of_work()),
                figures.run.peak.map_or("-".to_owned(), |peak| format!("{:.0}", peak as f64 / 1e6)),
            ),
            Err(why) => println!("{:<30} {why}", row.name),
        }
    }
    println!();
}

fn ratio(rate: Option<f64>, peer: Option<f64>) -> String {
    rate.zip(peer).map_or("-".to_owned(), |(rate, peer)| format!("{:.2}", rate / peer))
}
