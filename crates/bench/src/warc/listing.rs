//! Compares the listing of all links of a web archive with fastwarc and resiliparse, on one thread.

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use super::made::{self, Changing};
use super::real;
use crate::child::{medians, run};
use crate::python;
use crate::settings::Settings;

/// The default size of the archive, compressed.
pub(crate) const MIB: u64 = 64;

const ROUNDS: usize = 3;

/// Measures `absolve links` in each format, and the script, on an archive that is made in the temporary folder (`TMPDIR`) of
/// records of the corpora. `absolve` is the program beside this one.
pub(crate) fn measure(settings: &Settings) -> io::Result<()> {
    let templates = made::templates(&real::files(&settings.corpora)?)?;
    if templates.is_empty() {
        println!("absent: the web archives (looked below {})", settings.corpora.display());
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let (archive, table) = (folder.path().join("made.warc.gz"), folder.path().join("links"));
    let made = made::write(&archive, settings.mib << 20, &templates, Changing::AsFound)?;
    println!(
        "\nWARC of {} records, {:.0} MB in {:.0} MB of gzip; processor seconds, median of {ROUNDS}\n",
        made.all.records,
        made.all.bytes as f64 / 1e6,
        made.all.compressed as f64 / 1e6,
    );
    println!("{:<32} {:>8} {:>8} {:>8} {:>8}", "program", "seconds", "MB/s", "table MB", "peak MB");
    let program = env::current_exe()?.with_file_name("absolve");
    for format in ["json", "csv", "parquet"] {
        let mut command = Command::new(&program);
        command
            .args(["links", "--quiet", "--force", "--jobs", "1", "--format", format, "-o"])
            .arg(&table)
            .arg(&archive);
        print(&format!("absolve links --format {format}"), made.all.bytes, &mut command, &table);
    }
    match python::script("list_links.py", "resiliparse") {
        Ok(mut command) => {
            let command = command.arg(&archive).arg(&table);
            print("fastwarc and resiliparse, JSON", made.all.bytes, command, &table);
        }
        Err(why) => println!("{why}"),
    }
    Ok(())
}

fn print(name: &str, bytes: u64, command: &mut Command, table: &Path) {
    let runs: Result<Vec<_>, String> = (0..ROUNDS).map(|_| run(command)).collect();
    match runs {
        Err(why) => println!("{name:<32} {why}"),
        Ok(runs) => {
            let run = medians(&runs);
            let seconds = run.work.unwrap_or(run.seconds);
            let written = fs::metadata(table).map_or(0, |table| table.len());
            let megabytes = |bytes: u64| bytes as f64 / 1e6;
            println!(
                "{name:<32} {seconds:>8.2} {:>8.1} {:>8.1} {:>8.0}",
                megabytes(bytes) / seconds,
                megabytes(written),
                megabytes(run.peak.unwrap_or_default()),
            );
        }
    }
}
