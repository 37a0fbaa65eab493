//! Compares the rewrite of Markdown with a renderer that makes links absolute, and with a parser.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use absolve_links::DocumentType;
use absolve_rewriter::Options;
use pulldown_cmark::Parser;

use crate::child::run;
use crate::corpora::{absent, files};
use crate::machine;
use crate::pages::corpus::Corpus;
use crate::pages::{ROUNDS, engines, script_speed, speed};
use crate::settings::Settings;
use crate::table::{Table, cell, ratio};

/// The speeds of all engines, in 10^6 bytes per second of processor time.
#[derive(Debug)]
struct Speeds {
    absolve: Option<f64>,
    pulldown_cmark: Option<f64>,
    markdown_it: Option<f64>,
}

/// Measures all engines on the Markdown of the crates that cargo has unpacked.
pub(crate) fn measure(_: &Settings) -> io::Result<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let sources = home.join("registry/src");
    let is_markdown = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "md");
    let documents = files(&sources)?.into_iter().filter(is_markdown).map(fs::read).collect::<io::Result<Vec<_>>>()?;
    let corpus = Corpus { name: "crates", documents };
    if corpus.documents.is_empty() {
        return Err(absent("Markdown", &sources));
    }
    let (options, mut notes) = (Options::default(), Vec::new());
    let rewrite =
        &mut |document: &[u8], out: &mut Vec<u8>| engines::absolve(document, DocumentType::Markdown, &options, out);
    let parse = &mut |document: &[u8], _: &mut Vec<u8>| {
        Parser::new(str::from_utf8(document).unwrap_or_default()).into_offset_iter().count()
    };
    let speeds = Speeds {
        absolve: speed(&corpus, rewrite).0,
        pulldown_cmark: speed(&corpus, parse).0,
        markdown_it: script_speed("markdown-it", markdown_it(), &corpus, &mut notes)?,
    };
    let table = Table::new(&[speeds])
        .column("documents", |_| corpus.documents.len().to_string())
        .column("MB", |_| cell(Some(corpus.bytes() as f64 / 1e6)))
        .column("absolve", |speeds| cell(speeds.absolve))
        .column("pulldown-cmark, parsing", |speeds| cell(speeds.pulldown_cmark))
        .column("markdown-it, rendering", |speeds| cell(speeds.markdown_it))
        .column("x pulldown-cmark", |speeds| ratio(speeds.absolve, speeds.pulldown_cmark))
        .column("x markdown-it", |speeds| ratio(speeds.absolve, speeds.markdown_it))
        .text();
    Ok(format!(
        "{}; MB/s of processor time on one thread (10^6 bytes of input), median of {ROUNDS}.\n\n{table}{}",
        machine::name(),
        notes.iter().map(|note| format!("\n{note}\n")).collect::<String>()
    ))
}

/// Returns the script that renders by markdown-it, which `npm install --prefix peers markdown-it` installs.
fn markdown_it() -> Result<Command, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("peers");
    let modules = env::var_os("NODE_PATH").unwrap_or_else(|| folder.join("node_modules").into());
    let node = || {
        let mut command = Command::new("node");
        command.env("NODE_PATH", &modules);
        command
    };
    run(node().args(["-e", "require('markdown-it')"]))
        .map_err(|_| "absent: npm install --prefix peers markdown-it".to_owned())?;
    let mut command = node();
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/render_markdown.cjs"));
    Ok(command)
}
