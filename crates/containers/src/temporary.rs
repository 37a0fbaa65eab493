//! Files without names, in the folder for temporary files.

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

/// A temporary file. Its errors name the folder it is in, which is seldom the one that the user thinks of.
#[derive(Debug)]
pub struct Temporary(File);

impl Temporary {
    pub fn new() -> io::Result<Self> {
        tempfile::tempfile().map(Self).map_err(in_folder)
    }

    /// Makes one of a file in a folder of its own, which is gone afterwards: it has the permissions of new files.
    pub fn with_permissions_of_new_files() -> io::Result<Self> {
        let folder = tempfile::tempdir().map_err(in_folder)?;
        let options = File::options().read(true).write(true).create_new(true).open(folder.path().join("input"));
        options.map(Self).map_err(in_folder)
    }

    pub fn into_file(self) -> File {
        self.0
    }
}

/// Adds to an error which folder it is about.
fn in_folder(error: io::Error) -> io::Error {
    let folder = env::temp_dir();
    let message = format!("in the folder for temporary files, {}: {error}; TMPDIR names another", folder.display());
    io::Error::new(error.kind(), message)
}

impl Read for &Temporary {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.0).read(buffer).map_err(in_folder)
    }
}

impl Write for &Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes).map_err(in_folder)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for &Temporary {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        (&self.0).seek(position).map_err(in_folder)
    }
}

/// What becomes a temporary file when it gets long.
#[derive(Debug)]
pub struct Spooled(SpooledTempFile);

impl Spooled {
    pub fn new() -> Self {
        const IN_MEMORY: usize = 1 << 20;
        Self(SpooledTempFile::new(IN_MEMORY))
    }
}

impl Read for Spooled {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(in_folder)
    }
}

impl Write for Spooled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(in_folder)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Spooled {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.0.seek(position).map_err(in_folder)
    }
}
