//! Prints how long making the links of pages absolute takes: `cargo run --release --example rewrite_pages FOLDER URL ROUNDS` reads the
//! HTML files of 10 KB and more below a folder, and prints the seconds of processor time that a pass over them took in each round, by
//! `Rewriter::html`, by `Rewriter::document`, and by
//! `Rewriter::html` without all that is not ASCII.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use absolve_rewriter::{BaseError, DocumentType, Rewriter};

const LEAST: usize = 10_000;

/// Passes of a round: so many that a tick of the clock of Linux, 4 ms, is little.
const PASSES: u32 = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, url, rounds] = &arguments[..] else { return Err("FOLDER URL ROUNDS".into()) };
    let mut paths = Vec::new();
    find(Path::new(folder), &mut paths)?;
    let contents: Vec<Vec<u8>> = paths.iter().map(fs::read).collect::<Result<_, _>>()?;
    let texts: Vec<String> = contents.into_iter().filter_map(|content| String::from_utf8(content).ok()).collect();
    let texts: Vec<String> = texts.into_iter().filter(|text| text.len() >= LEAST).collect();
    println!("pages {} bytes {}", texts.len(), texts.iter().map(String::len).sum::<usize>());
    let ascii: Vec<String> = texts.iter().map(|text| text.chars().filter(char::is_ascii).collect()).collect();
    let rewriter = Rewriter::default();
    for _ in 0..rounds.parse()? {
        let html = seconds(&texts, |text| {
            black_box(rewriter.html(text, url.as_str())?.into_text());
            Ok(())
        })?;
        let document = seconds(&texts, |text| {
            black_box(rewriter.document(text.as_bytes(), DocumentType::Html, url.as_str())?.into_bytes());
            Ok(())
        })?;
        let ascii = seconds(&ascii, |text| {
            black_box(rewriter.html(text, url.as_str())?.into_text());
            Ok(())
        })?;
        println!("{html} {document} {ascii}");
    }
    Ok(())
}

fn seconds(texts: &[String], work: impl Fn(&String) -> Result<(), BaseError>) -> Result<f64, BaseError> {
    let start = now();
    for _ in 0..PASSES {
        texts.iter().try_for_each(&work)?;
    }
    Ok((now().saturating_sub(start) / PASSES).as_secs_f64())
}

fn find(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Returns the processor time of this thread where Linux says it, else the time since the first call.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let spent = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|line| line.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    spent.unwrap_or_else(|| START.elapsed())
}
