//! Compares the rewrite of pages in memory with libraries that parse them, and with a copy.

pub(crate) mod corpus;
pub(crate) mod engines;
pub(crate) mod javascript;

use std::fs;
use std::hint::black_box;
use std::io;
use std::process::Command;

use absolve_links::DocumentType;
use absolve_resolver::{BaseUrl, Standard};
use absolve_rewriter::Options;
use cpu_time::ThreadTime;

use crate::child::{median, run};
use crate::machine::{self, Instructions};
use crate::python;
use crate::settings::Settings;
use crate::table::{Table, cell, ratio};
use corpus::Corpus;

pub(crate) const ROUNDS: usize = 5;
/// Short corpora are read again and again, so that a round is long enough to measure.
const BYTES_A_ROUND: usize = 16_000_000;
/// The speeds of all engines on one corpus, in 10^6 bytes per second of processor time.
#[derive(Debug)]
struct Speeds<'c> {
    corpus: &'c Corpus,
    absolve: Option<f64>,
    /// The instructions of absolve for a byte of input, where the machine counts them.
    instructions: Option<f64>,
    lol_html: Option<f64>,
    html5ever: Option<f64>,
    lxml: Option<f64>,
    least: Option<f64>,
}

/// Measures all engines on all corpora that are there.
pub(crate) fn measure(settings: &Settings) -> io::Result<String> {
    let (corpora, absent) = corpus::load(&settings.corpora)?;
    let mut notes = Vec::new();
    let speeds = corpora.iter().map(|corpus| speeds(corpus, &mut notes)).collect::<io::Result<Vec<_>>>()?;
    let mut table = Table::new(&speeds)
        .column("corpus", |speeds| speeds.corpus.name.to_owned())
        .column("pages", |speeds| speeds.corpus.documents.len().to_string())
        .column("MB", |speeds| cell(Some(speeds.corpus.bytes() as f64 / 1e6)))
        .column("absolve", |speeds| cell(speeds.absolve))
        .column("lol_html", |speeds| cell(speeds.lol_html))
        .column("html5ever", |speeds| cell(speeds.html5ever))
        .column("lxml", |speeds| cell(speeds.lxml))
        .column("next `<` and copy", |speeds| cell(speeds.least))
        .column("x lol_html", |speeds| ratio(speeds.absolve, speeds.lol_html))
        .column("x html5ever", |speeds| ratio(speeds.absolve, speeds.html5ever))
        .column("x lxml", |speeds| ratio(speeds.absolve, speeds.lxml))
        .column("x next `<` and copy", |speeds| ratio(speeds.absolve, speeds.least));
    if speeds.iter().any(|speeds| speeds.instructions.is_some()) {
        table = table.column("instructions of absolve a byte", |speeds| cell(speeds.instructions));
    }
    notes.extend(absent.iter().map(|name| format!("{name}: absent, looked below {}", settings.corpora.display())));
    notes.dedup();
    Ok(format!(
        "{}; MB/s of processor time on one thread (10^6 bytes of input), median of {ROUNDS}. {}\n\n{}{}",
        machine::name(),
        machine::instructions(),
        table.text(),
        notes.iter().map(|note| format!("\n{note}\n")).collect::<String>()
    ))
}

fn speeds<'c>(corpus: &'c Corpus, notes: &mut Vec<String>) -> io::Result<Speeds<'c>> {
    let options = Options::default();
    let base = BaseUrl::parse(engines::URL, Standard::Whatwg).expect("the URL of the benchmark is a base");
    let (absolve, instructions) =
        speed(corpus, &mut |document, out| engines::absolve(document, DocumentType::Html, &options, out));
    let (lol_html, _) = speed(corpus, &mut |document, out| engines::lol_html(document, &base, out));
    let (html5ever, _) = speed(corpus, &mut |document, out| engines::html5ever_rcdom(document, &base, out));
    let (least, _) = speed(corpus, &mut engines::find_tags_and_copy);
    Ok(Speeds { corpus, absolve, instructions, lol_html, html5ever, lxml: lxml(corpus, notes)?, least })
}

/// Returns the speed, and the instructions for a byte: the medians of some rounds over all documents.
pub(crate) fn speed(corpus: &Corpus, work: &mut dyn FnMut(&[u8], &mut Vec<u8>) -> usize) -> (Option<f64>, Option<f64>) {
    let mut out = Vec::new();
    let mut round = || {
        let (start, instructions) = (ThreadTime::now(), Instructions::count());
        for _ in 0..repeats(corpus) {
            for document in &corpus.documents {
                out.clear();
                black_box(work(document, &mut out));
            }
        }
        (start.elapsed().as_secs_f64(), instructions.so_far())
    };
    // It warms up.
    round();
    let (seconds, instructions): (Vec<_>, Vec<_>) = (0..ROUNDS).map(|_| round()).unzip();
    let bytes = bytes_a_round(corpus);
    let instructions = instructions.into_iter().map(|number| Some(number? as f64 / bytes)).collect::<Option<_>>();
    (median(seconds).map(|seconds| bytes / 1e6 / seconds), instructions.and_then(median))
}

fn bytes_a_round(corpus: &Corpus) -> f64 {
    (repeats(corpus) * corpus.bytes()) as f64
}

fn repeats(corpus: &Corpus) -> usize {
    BYTES_A_ROUND.div_ceil(corpus.bytes().max(1))
}

fn lxml(corpus: &Corpus, notes: &mut Vec<String>) -> io::Result<Option<f64>> {
    script_speed("lxml", python::script("rewrite_pages.py", &["lxml.html"]), corpus, notes)
}

/// Returns the speed of a script, which measures itself: its start and the reading of files do not count.
pub(crate) fn script_speed(
    name: &str,
    script: Result<Command, String>,
    corpus: &Corpus,
    notes: &mut Vec<String>,
) -> io::Result<Option<f64>> {
    let folder = tempfile::tempdir()?;
    for (number, document) in corpus.documents.iter().enumerate() {
        fs::write(folder.path().join(number.to_string()), document)?;
    }
    let run = script.and_then(|mut command| {
        let [repeats, rounds] = [repeats(corpus), ROUNDS].map(|number| number.to_string());
        run(command.arg(folder.path()).args([engines::URL, &repeats, &rounds]))
    });
    let output = match run {
        Ok(run) => run.output,
        Err(why) => {
            notes.push(format!("{name}: {why}"));
            return Ok(None);
        }
    };
    let (failed, seconds) = output.split_once('\n').unwrap_or_default();
    if failed != "0" {
        notes.push(format!("{}: {name} cannot parse {failed} of the pages, and passes over them", corpus.name));
    }
    let seconds = seconds.lines().map(|line| line.parse().ok()).collect::<Option<Vec<f64>>>();
    let seconds = seconds.and_then(median).ok_or_else(|| io::Error::other("the script printed no times"))?;
    Ok(Some(bytes_a_round(corpus) / 1e6 / seconds))
}
