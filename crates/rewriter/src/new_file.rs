//! One file that is written as a whole.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::in_place::{TEMPORARY, folder_of};

/// What becomes of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Existing {
    /// It stays, and nothing is written.
    Refuse,
    /// It is replaced.
    Replace,
}

/// A file that is to be written: beside its place, and under its name when it is complete, so that it is never half there.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    place: Place,
}

/// What stands where a file is to be written.
#[derive(Debug)]
enum Place {
    Nothing,
    /// A file that is replaced, with these permissions.
    File(Permissions),
    /// A device or a pipe, which is written into.
    Device,
}

impl NewFile {
    /// Finds out whether a file can be written. A symbolic link stays; the file that it leads to is replaced.
    ///
    /// # Errors
    ///
    /// When its folder takes no files, or it exists and is to stay ([`io::ErrorKind::AlreadyExists`]).
    ///
    /// ```
    /// use absolve_rewriter::{Existing, NewFile};
    /// let folder = tempfile::tempdir()?;
    /// assert!(NewFile::begin(&folder.path().join("a.json"), Existing::Refuse).is_ok());
    /// assert!(NewFile::begin(&folder.path().join("no folder/a.json"), Existing::Refuse).is_err());
    /// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn begin(path: &Path, existing: Existing) -> io::Result<Self> {
        let found = fs::metadata(path);
        let new = match (found, existing) {
            (Ok(found), _) if is_device(&found) => return Ok(Self { path: path.to_owned(), place: Place::Device }),
            (Ok(found), _) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            (Ok(_), Existing::Refuse) => return Err(io::ErrorKind::AlreadyExists.into()),
            (Ok(found), Existing::Replace) => {
                Self { path: path.canonicalize()?, place: Place::File(found.permissions()) }
            }
            (Err(_), Existing::Refuse) if path.is_symlink() => return Err(io::ErrorKind::AlreadyExists.into()),
            (Err(_), Existing::Replace) if path.is_symlink() => {
                return Err(io::Error::other("it is a symbolic link that leads nowhere"));
            }
            (Err(_), _) => Self { path: path.to_owned(), place: Place::Nothing },
        };
        new.beside().map(|_| new)
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or another program has made one meanwhile; then nothing is left of it.
    ///
    /// ```
    /// use absolve_rewriter::{Existing, NewFile};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("a.json");
    /// NewFile::begin(&path, Existing::Refuse)?.write(|output| output.write_all(b"{}"))?;
    /// assert_eq!(std::fs::read(path)?, b"{}");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let buffered = |file: &mut File| {
            let mut output = BufWriter::new(file);
            write(&mut output)?;
            output.flush()
        };
        if matches!(self.place, Place::Device) {
            return buffered(&mut File::options().write(true).open(&self.path)?);
        }
        let mut file = self.beside()?;
        buffered(file.as_file_mut())?;
        match self.place {
            Place::File(permissions) => {
                file.as_file().set_permissions(permissions)?;
                file.persist(self.path)?
            }
            _ => file.persist_noclobber(self.path)?,
        };
        Ok(())
    }

    /// A file that gets the name.
    fn beside(&self) -> io::Result<NamedTempFile> {
        let mut builder = Builder::new();
        builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
        // Those of a new file; what replaces another is the owner's alone until it gets the permissions of that.
        #[cfg(unix)]
        if matches!(self.place, Place::Nothing) {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        builder.tempfile_in(folder_of(&self.path))
    }
}

fn is_device(found: &Metadata) -> bool {
    !found.is_file() && !found.is_dir()
}
