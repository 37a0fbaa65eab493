//! The table of the results.

/// The figures of one program, or why there are none.
#[derive(Debug)]
pub(crate) struct Row {
    name: String,
    outcome: Result<Figures, String>,
}

#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
    pub(crate) peak: Option<u64>,
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, outcome: Result<Figures, String>) -> Self {
        Self { name: name.into(), outcome }
    }

    /// The speed in 10^6 bytes of input per second.
    fn rate(&self) -> Option<f64> {
        let figures = self.outcome.as_ref().ok()?;
        Some(figures.bytes as f64 / 1e6 / figures.seconds)
    }
}

/// Prints the figures of absolve, and how many times as fast it is as each named peer.
pub(crate) fn print(absolve: &[Row], peers: [(&str, &Row); 2]) {
    let [(first_name, first), (second_name, second)] = peers;
    println!(
        "{:<30} {:>8} {:>8} {:>14} {:>9} {:>8}",
        "program",
        "seconds",
        "MB/s",
        format!("x {first_name}"),
        format!("x {second_name}"),
        "peak MB"
    );
    for row in absolve.iter().chain([first, second]) {
        match &row.outcome {
            Ok(figures) => println!(
                "{:<30} {:>8.3} {:>8.1} {:>14} {:>9} {:>8}",
                row.name,
                figures.seconds,
                row.rate().unwrap_or_default(),
                ratio(row, first),
                ratio(row, second),
                figures.peak.map_or("-".to_owned(), |peak| format!("{:.0}", peak as f64 / 1e6)),
            ),
            Err(why) => println!("{:<30} {why}", row.name),
        }
    }
    println!();
}

fn ratio(row: &Row, peer: &Row) -> String {
    match (row.rate(), peer.rate()) {
        (Some(rate), Some(peer)) => format!("{:.2}", rate / peer),
        _ => "-".to_owned(),
    }
}
