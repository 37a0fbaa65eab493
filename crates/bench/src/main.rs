//! Measures absolve against its peers, in one run on the same documents, with every feature on.
//!
//! `cargo run --release -p absolve-bench [CORPORA]`
//! `cargo run --release -p absolve-bench -- mail [--mib MIB] [CORPORA]`
//! `cargo run --release -p absolve-bench -- warc [--mib MIB] [CORPORA]`
//! `cargo build --release --features parquet && cargo run --release -p absolve-bench -- links [--mib MIB] [CORPORA]`
//! `cargo run --release -p absolve-bench -- bombs [WORD]`

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

mod bombs;
mod child;
mod corpora;
mod engines;
mod mail;
mod python;
mod settings;
mod table;
mod trees;
mod warc;

use std::hint::black_box;
use std::path::PathBuf;
use std::{env, fs, io};

use absolve_resolver::{BaseUrl, Standard};
use absolve_rewriter::Options;
use cpu_time::ThreadTime;

use corpora::Corpus;
use settings::Settings;

const ROUNDS: usize = 5;
/// Short corpora are read again and again, so that a round is long enough to measure.
const BYTES_A_ROUND: usize = 16_000_000;

fn main() -> io::Result<()> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let mut arguments = env::args_os().skip(1).peekable();
    if arguments.next_if(|argument| argument == "mail").is_some() {
        return mail::measure(&Settings::new(arguments, mail::MIB, default)?);
    }
    if arguments.next_if(|argument| argument == "warc").is_some() {
        return warc::measure(&Settings::new(arguments, warc::MIB, default)?);
    }
    if arguments.next_if(|argument| argument == "links").is_some() {
        return warc::listing::measure(&Settings::new(arguments, warc::listing::MIB, default)?);
    }
    if arguments.next_if(|argument| argument == "bombs").is_some() {
        return bombs::measure(arguments.next().as_deref().and_then(|wanted| wanted.to_str()));
    }
    if arguments.next_if(|argument| argument == warc::SUBPROCESS).is_some() {
        return warc::run_subprocess(arguments);
    }
    let root = arguments.next().map_or(default, PathBuf::from);
    let (corpora, absent) = corpora::load(&root)?;
    for name in absent {
        println!("absent: {name} (looked below {})", root.display());
    }
    print_engines(&corpora);
    trees::measure(&root)
}

fn print_engines(corpora: &[Corpus]) {
    let options = Options::default();
    let base = BaseUrl::parse(engines::URL, Standard::Whatwg).expect("the URL of the benchmark is a base");
    println!("\n{}. MB/s of processor time on one thread (10^6 bytes of input), median of {ROUNDS}.\n", machine());
    println!(
        "| corpus | pages | MB | absolve | lol_html | html5ever | next `<` and copy | x lol_html | x html5ever | of next `<` and copy |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for corpus in corpora {
        let rate = |work: &mut dyn FnMut(&[u8], &mut Vec<u8>) -> usize| rate(corpus, work);
        let absolve = rate(&mut |document, out| engines::absolve(document, &options, out));
        let lol_html = rate(&mut |document, out| engines::lol_html(document, &base, out));
        let html5ever = rate(&mut |document, out| engines::html5ever_rcdom(document, &base, out));
        let least = rate(&mut engines::find_tags_and_copy);
        println!(
            "| {} | {} | {:.1} | {absolve:.0} | {lol_html:.0} | {html5ever:.1} | {least:.0} | {:.1} | {:.1} | {:.2} |",
            corpus.name,
            corpus.documents.len(),
            corpus.bytes() as f64 / 1e6,
            absolve / lol_html,
            absolve / html5ever,
            absolve / least,
        );
    }
}

/// Returns the name of the processor, where the system names it.
fn machine() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {count} threads", name.map_or("unknown processor", |(_, name)| name))
}

/// Returns the speed in 10^6 bytes per second of processor time: the median of some rounds over all documents.
fn rate(corpus: &Corpus, work: &mut dyn FnMut(&[u8], &mut Vec<u8>) -> usize) -> f64 {
    let repeats = BYTES_A_ROUND.div_ceil(corpus.bytes().max(1));
    let mut out = Vec::new();
    let mut seconds: Vec<f64> = (0..=ROUNDS)
        .map(|_| {
            let start = ThreadTime::now();
            for _ in 0..repeats {
                for document in &corpus.documents {
                    out.clear();
                    black_box(work(document, &mut out));
                }
            }
            start.elapsed().as_secs_f64()
        })
        // The first round warms up.
        .skip(1)
        .collect();
    seconds.sort_by(f64::total_cmp);
    (repeats * corpus.bytes()) as f64 / 1e6 / seconds[ROUNDS / 2]
}
