//! Compares the npm package with parsers in JavaScript, and with the program.

use std::env;
use std::io;
use std::path::Path;
use std::process::Command;

use absolve_links::DocumentType;
use absolve_rewriter::Options;

use crate::child::run;
use crate::corpora::absent;
use crate::machine;
use crate::pages::{ROUNDS, corpus, engines, script_speed, speed};
use crate::settings::Settings;
use crate::table::{Table, cell, ratio};

/// What `peers/rewrite_pages.mjs` runs, each with what it is called in the table.
const ENGINES: [(&str, &str); 4] = [
    ("bytes", "absolve in Node, bytes"),
    ("strings", "absolve in Node, strings"),
    ("parse5", "parse5, strings"),
    ("cheerio", "cheerio, strings"),
];

/// The speed of an engine on a corpus, in 10^6 bytes per second of processor time.
#[derive(Debug)]
struct Speed {
    corpus: &'static str,
    engine: &'static str,
    speed: Option<f64>,
    /// How many times as fast each of the others is: the program, parse5 and cheerio.
    peers: [Option<f64>; 3],
}

/// Measures all engines on the first two corpora of pages.
pub(crate) fn measure(settings: &Settings) -> io::Result<String> {
    let (corpora, _) = corpus::load(&settings.corpora)?;
    let corpora: Vec<_> = corpora.into_iter().filter(|corpus| !corpus.name.contains('(')).take(2).collect();
    if corpora.is_empty() {
        return Err(absent("pages", &settings.corpora));
    }
    let (options, mut notes, mut rows) = (Options::default(), Vec::new(), Vec::new());
    for corpus in &corpora {
        let native = |document: &[u8], out: &mut Vec<u8>| engines::absolve(document, DocumentType::Html, &options, out);
        let program = speed(corpus, &mut { native }).0;
        let mut speeds = vec![("absolve, the program", program)];
        for (name, title) in ENGINES {
            speeds.push((title, script_speed(name, script(name), corpus, &mut notes)?));
        }
        let peers = [program, speeds[3].1, speeds[4].1];
        rows.extend(speeds.into_iter().map(|(engine, speed)| Speed { corpus: corpus.name, engine, speed, peers }));
    }
    let times = |peer: usize| move |row: &Speed| ratio(row.speed, row.peers[peer]);
    let table = Table::new(&rows)
        .column("corpus", |row| row.corpus.to_owned())
        .column("engine", |row| row.engine.to_owned())
        .column("MB/s", |row| cell(row.speed))
        .column("x the program", times(0))
        .column("x parse5", times(1))
        .column("x cheerio", times(2))
        .text();
    notes.dedup();
    Ok(format!(
        "{}; MB/s of processor time on one thread (10^6 bytes of input), median of {ROUNDS}.\n\n{table}{}",
        machine::name(),
        notes.iter().map(|note| format!("\n{note}\n")).collect::<String>()
    ))
}

/// Returns the script for an engine, with the package that `scripts/build_js.sh` builds.
fn script(engine: &str) -> Result<Command, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let modules = env::var_os("NODE_PATH").unwrap_or_else(|| root.join("peers/node_modules").into());
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| root.join("target").into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/rewrite_pages.mjs");
    let node = |arguments: &[&str]| {
        let mut command = Command::new("node");
        command.env("NODE_PATH", &modules).env("ABSOLVE_PACKAGE", Path::new(&target).join("js/package/node.js"));
        command.arg(&script).args(arguments);
        command
    };
    let missing = |_| "absent: scripts/build_js.sh, and npm install --prefix peers parse5 cheerio".to_owned();
    run(&mut node(&[engine])).map_err(missing)?;
    Ok(node(&[engine]))
}
