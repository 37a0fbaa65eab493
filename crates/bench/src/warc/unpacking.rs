//! Compares unpacking a site with copying the contents of an archive out: inflating them, and writing each into a file.

use std::{fs, io};

use super::made::{self, Changing};
use super::{MIB, ROUNDS, megabytes, real, subprocess};
use crate::child::{Run, run};
use crate::comparison::{Program, compare};
use crate::corpora::absent;
use crate::machine;
use crate::settings::Settings;

/// Measures both on an archive with as many relative links as in the corpora.
pub(crate) fn measure(settings: &Settings) -> io::Result<String> {
    let templates = made::templates(&real::files(&settings.corpora)?)?;
    if templates.is_empty() {
        return Err(absent("web archives", &settings.corpora));
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("made.warc.gz");
    let made = made::write(&path, settings.mib.unwrap_or(MIB) << 20, &templates, Changing::AsFound)?;
    let task = |what: &'static str, threads: usize| -> Result<Run, String> {
        let target = path.with_file_name(what);
        let mut command = subprocess(what)?;
        let done = run(command.env("RAYON_NUM_THREADS", threads.to_string()).arg(&path).arg(&target))?;
        fs::remove_dir_all(&target).map_err(|error| error.to_string())?;
        Ok(done)
    };
    let (bytes, threads) = (made.all.bytes, machine::threads());
    let programs = vec![
        Program::new("absolve unpack, one thread", bytes, || task("unpack", 1)),
        Program::new(format!("absolve unpack, {threads} threads"), bytes, || task("unpack", threads)),
        Program::new("inflating and writing each content, one thread", bytes, || task("copy", 1)),
    ];
    Ok(format!(
        "{}; WARC of {} records, {:.0} MB in {:.0} MB of gzip, median of {ROUNDS}.\n\n{}",
        machine::name(),
        made.all.records,
        megabytes(made.all.bytes),
        megabytes(made.all.compressed),
        compare(programs, ROUNDS, &[(2, "copying")])
    ))
}
