//! How far an interrupted run came: up to which record its files are written.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

use absolve_files::OpenFolder;
use absolve_rewriter::Counts;
use absolve_site::Written;
use serde_json::{Value, json};

/// The files that are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    /// The place of the last record: the numbers of its archive, of the archive in a WACZ, and of the record.
    pub(crate) place: (u32, u32, u64),
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) counts: Counts,
}

impl Done {
    pub(crate) fn add(&mut self, written: &Written) {
        self.place = written.place;
        self.files += 1;
        self.bytes += written.bytes;
        self.counts += written.counts;
    }
}

/// The name of the file, and the name of its next version until that is complete.
const FILE: &str = ".unpacked";
const NEW: &str = ".unpacked.new";

/// The file that records how far a run came, in its folder.
#[derive(Debug)]
pub(crate) struct Progress<'f> {
    folder: &'f OpenFolder,
    /// What the run before has written.
    pub(crate) done: Done,
    /// How many records were written since it was recorded.
    since: u32,
}

impl<'f> Progress<'f> {
    /// Reads how far the run before came that wrote into a folder.
    pub(crate) fn begin(folder: &'f OpenFolder) -> io::Result<Self> {
        let done = match folder.open(Path::new(FILE)) {
            Ok(file) => done_of(&serde_json::from_reader(file)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Done::default(),
            Err(error) => return Err(error),
        };
        Ok(Self { folder, done, since: 0 })
    }

    /// Records what is written, now and then.
    pub(crate) fn note(&mut self, done: &Done) -> io::Result<()> {
        const RECORDS: u32 = 1_000;
        self.since += 1;
        if self.since < RECORDS {
            return Ok(());
        }
        self.since = 0;
        self.folder.create_anew(Path::new(NEW))?.write_all(value_of(done).to_string().as_bytes())?;
        self.folder.rename(OsStr::new(NEW), OsStr::new(FILE))
    }

    /// Removes the file: all is written.
    pub(crate) fn end(self) -> io::Result<()> {
        match self.folder.remove(Path::new(FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

fn value_of(done: &Done) -> Value {
    let Done { place, files, bytes, counts } = done;
    json!([
        place.0,
        place.1,
        place.2,
        files,
        bytes,
        counts.documents,
        counts.links,
        counts.rewritten,
        counts.mapped,
        counts.local,
        counts.absolute,
        counts.same_document,
        counts.kept,
        counts.unresolved
    ])
}

fn done_of(value: &Value) -> Done {
    let number = |index: usize| value[index].as_u64().unwrap_or_default();
    let mut counts = Counts::default();
    let fields = [
        &mut counts.documents,
        &mut counts.links,
        &mut counts.rewritten,
        &mut counts.mapped,
        &mut counts.local,
        &mut counts.absolute,
        &mut counts.same_document,
        &mut counts.kept,
        &mut counts.unresolved,
    ];
    fields.into_iter().enumerate().for_each(|(index, field)| *field = number(5 + index));
    Done { place: (number(0) as u32, number(1) as u32, number(2)), files: number(3), bytes: number(4), counts }
}
