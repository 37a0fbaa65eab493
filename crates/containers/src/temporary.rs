//! Unnamed files in the folder for temporary files.

pub(crate) mod blob_spool;
pub(crate) mod sorter;

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

/// A temporary file. It is deleted on drop. Its errors name the folder for temporary files.
#[derive(Debug)]
pub struct Temporary(File);

impl Temporary {
    /// Returns a temporary file that only its owner may read, or the error of creating it.
    pub fn new() -> io::Result<Self> {
        tempfile::tempfile().map(Self).map_err(in_folder)
    }

    /// Returns a temporary file with the permissions of new files (`0666` less the umask), or the error of creating it.
    #[expect(clippy::disallowed_methods, reason = "nobody else can write into the folder")]
    pub fn with_permissions_of_new_files() -> io::Result<Self> {
        let folder = tempfile::tempdir().map_err(in_folder)?;
        let file = File::options().read(true).write(true).create_new(true).open(folder.path().join("input"));
        file.map(Self).map_err(in_folder)
    }

    /// Returns the open file. Its errors no longer name the folder.
    pub fn into_file(self) -> File {
        self.0
    }
}

/// Adds the folder for temporary files to an error.
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

impl Read for Temporary {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self).read(buffer)
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

/// A buffer in memory that becomes a temporary file when it exceeds 1 MiB.
#[derive(Debug)]
pub struct Spooled(SpooledTempFile);

impl Default for Spooled {
    fn default() -> Self {
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
