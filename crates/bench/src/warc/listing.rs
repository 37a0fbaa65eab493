//! Compares the listing of all links of a web archive with fastwarc and resiliparse, on one thread.

use std::io;
use std::process::Command;

use super::made::{self, Changing};
use super::{megabytes, real};
use crate::child::{absolve, run};
use crate::comparison::{Program, compare};
use crate::corpora::absent;
use crate::machine;
use crate::python;
use crate::settings::Settings;

/// The default size of the archive, compressed.
const MIB: u64 = 64;

const ROUNDS: usize = 3;

/// Measures `absolve links` in each format, and the script, on an archive that is made in the temporary folder (`TMPDIR`) of
/// records of the corpora.
pub(crate) fn measure(settings: &Settings) -> io::Result<String> {
    let templates = made::templates(&real::files(&settings.corpora)?)?;
    if templates.is_empty() {
        return Err(absent("web archives", &settings.corpora));
    }
    let folder = tempfile::tempdir()?;
    let (archive, table) = (folder.path().join("made.warc.gz"), folder.path().join("links"));
    let made = made::write(&archive, settings.mib.unwrap_or(MIB) << 20, &templates, Changing::AsFound)?;
    let program = absolve();
    let links = |arguments: &[&str]| {
        let mut command = Command::new(program.clone()?);
        command.args(["links", "--quiet", "--force", "--jobs", "1"]).args(arguments).arg("-o");
        run(command.arg(&table).arg(&archive))
    };
    let script = || run(python::script("list_links.py", &["fastwarc", "resiliparse"])?.arg(&archive).arg(&table));
    let programs = vec![
        Program::new("`links --format csv`", made.all.bytes, || links(&["--format", "csv"])),
        Program::new("`links --format json`", made.all.bytes, || links(&["--format", "json"])),
        Program::new("`links --format parquet`", made.all.bytes, || links(&["--format", "parquet"])),
        Program::new("the same of two columns, CSV", made.all.bytes, || {
            links(&["--format", "csv", "--columns", "url,target"])
        }),
        Program::new("`links --graph hosts`", made.all.bytes, || links(&["--graph", "hosts", "--format", "csv"])),
        Program::new("fastwarc and resiliparse, JSON", made.all.bytes, script),
    ];
    Ok(format!(
        "{}; WARC of {} records, {:.0} MB in {:.0} MB of gzip, one thread, median of {ROUNDS}.\n\n{}",
        machine::name(),
        made.all.records,
        megabytes(made.all.bytes),
        megabytes(made.all.compressed),
        compare(programs, ROUNDS, &[(5, "the script")])
    ))
}
