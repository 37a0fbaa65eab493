//! Measures absolve against its peers, in one run on the same documents, with every feature on.
//!
//! `cargo run --release -p absolve-bench -- all [CORPORA]` writes the tables of `docs/performance.md`.
//! `cargo run --release -p absolve-bench -- pages|markdown|javascript|trees|mail|warc|links|unpack [--mib MIB] [CORPORA]` prints one of them.
//! `cargo run --release -p absolve-bench -- bombs [WORD]`

#![allow(clippy::disallowed_methods)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints tables")]

mod bombs;
mod child;
mod comparison;
mod corpora;
mod machine;
mod mail;
mod markdown;
mod pages;
mod performance_page;
mod python;
mod settings;
mod table;
mod trees;
mod warc;

use std::process::ExitCode;
use std::{env, io};

use settings::Settings;

type Measure = fn(&Settings) -> io::Result<String>;

const TABLES: [(&str, Measure); 8] = [
    ("pages", pages::measure),
    ("markdown", markdown::measure),
    ("javascript", pages::javascript::measure),
    ("trees", trees::measure),
    ("mail", mail::measure),
    ("warc", warc::measure),
    ("links", warc::listing::measure),
    ("unpack", warc::unpacking::measure),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut arguments = env::args_os().skip(1);
    let word = arguments.next().unwrap_or_default();
    let done = match word.to_str().unwrap_or_default() {
        "all" => return all(&Settings::new(arguments)?),
        "bombs" => bombs::measure(arguments.next().as_deref().and_then(|wanted| wanted.to_str())),
        warc::SUBPROCESS => warc::run_subprocess(arguments),
        word => {
            let table = TABLES.iter().find(|(name, _)| *name == word);
            let names = TABLES.map(|(name, _)| name).join(", ");
            let (_, measure) = table.ok_or_else(|| format!("name a table, {names}; or all, or bombs"))?;
            measure(&Settings::new(arguments)?).map(|table| println!("{table}"))
        }
    };
    done.map_err(|error| error.to_string())
}

/// Prints all tables and writes them into the page; one that fails keeps none of the others back.
fn all(settings: &Settings) -> Result<(), String> {
    if settings.mib.is_some() {
        return Err("--mib is the size of one table".to_owned());
    }
    let mut failures = Vec::new();
    for (name, measure) in TABLES {
        let written = measure(settings).and_then(|table| {
            println!("{table}");
            performance_page::write(name, &table)
        });
        failures.extend(written.err().map(|error| format!("{name}: {error}")));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}
