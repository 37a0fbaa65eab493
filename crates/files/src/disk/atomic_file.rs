//! Atomic writes: a temporary file in the folder of the target is completed and then renamed.

use std::fs::{self, File, FileTimes, Metadata, Permissions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::{Builder, NamedTempFile};

/// How a complete temporary file gets its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rename<'p> {
    /// It replaces the file at its path, if there is one.
    Replace,
    /// A file at its path is an error.
    NoReplace,
    /// It replaces this file, which may have another path. A different file at the new path is an error.
    ReplaceOriginal(&'p Path),
    /// It is removed.
    Discard,
}

/// Writes the file `path` atomically: `write` fills a temporary file in the same folder, which is then renamed.
///
/// Only its owner may read the temporary file. After an error it is removed. Returns what `write` returned.
pub(crate) fn write_beside<'p, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut NamedTempFile) -> Result<Rename<'p>, E>,
) -> Result<Rename<'p>, E> {
    write_and_rename(temporary_names().tempfile_in(folder_of(path))?, path, write)
}

fn write_and_rename<'p, E: From<io::Error>>(
    mut file: NamedTempFile,
    path: &Path,
    write: impl FnOnce(&mut NamedTempFile) -> Result<Rename<'p>, E>,
) -> Result<Rename<'p>, E> {
    let rename = write(&mut file)?;
    match rename {
        Rename::Discard => {}
        Rename::NoReplace => drop(file.persist_noclobber(path).map_err(io::Error::from)?),
        Rename::ReplaceOriginal(original) if original != path => replace_original(file, original, path)?,
        Rename::Replace | Rename::ReplaceOriginal(_) => drop(file.persist(path).map_err(io::Error::from)?),
    }
    Ok(rename)
}

fn replace_original(file: NamedTempFile, original: &Path, path: &Path) -> io::Result<()> {
    // A message must not replace another one that has its new name. The same bytes are left from a killed run.
    match file.persist_noclobber(path) {
        Err(refused) if !have_same_bytes(refused.file.path(), path)? => Err(refused.error),
        _ => fs::remove_file(original),
    }
}

/// Returns whether this is a temporary file, which a killed run has left.
///
/// ```
/// assert!(absolve_files::is_temporary("d/.absolve-x1.tmp".as_ref()) && !absolve_files::is_temporary("d/x1.tmp".as_ref()));
/// ```
pub fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(TEMPORARY.0.as_bytes()) && name.ends_with(TEMPORARY.1.as_bytes())
}

/// The prefix and the suffix of the names of temporary files.
const TEMPORARY: (&str, &str) = (".absolve-", ".tmp");

fn temporary_names() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    builder
}

/// Copies the owner, the permissions and the extended attributes of `original` to a file, as far as permitted.
pub(crate) fn keep_attributes(file: &NamedTempFile, original: &Path) -> io::Result<()> {
    let metadata = fs::metadata(original)?;
    // A change of the owner clears the set-user-ID and set-group-ID bits.
    keep_owner(file.as_file(), &metadata)?;
    file.as_file().set_permissions(metadata.permissions())?;
    // They may contain the URL of the file.
    for name in xattr::list(original).into_iter().flatten() {
        if let Ok(Some(value)) = xattr::get(original, &name) {
            let _ = xattr::set(file.path(), &name, &value);
        }
    }
    Ok(())
}

/// Flushes the folder of `path` to the disk, so that renames in it survive a loss of power.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// Returns the folder that contains `path`: `.` if the path is a bare file name.
///
/// ```
/// assert_eq!(absolve_files::folder_of("a.html".as_ref()), std::path::Path::new("."));
/// ```
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Sets the owner and the group, if this process may: otherwise it has become the owner itself.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// What to do if a file exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Existing {
    /// Fail with [`io::ErrorKind::AlreadyExists`].
    Refuse,
    /// Replace it.
    Replace,
}

/// A file that will be written atomically: first without a name, so that nothing is left of a run that is stopped; once complete
/// it is copied under a temporary name and renamed.
///
/// ```
/// use absolve_files::{Existing, NewFile};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.json");
/// NewFile::begin(&path, Existing::Refuse)?.write(|output| output.write_all(b"{}"))?;
/// assert_eq!(std::fs::read(path)?, b"{}");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    place: Place,
}

impl NewFile {
    /// Checks that the file `path` can be written, and writes nothing yet.
    ///
    /// If it is a symbolic link, its target will be replaced. `-` is standard output.
    ///
    /// # Errors
    ///
    /// If its folder is not writable, if it is a folder, or if it exists and `existing` is [`Existing::Refuse`].
    ///
    /// ```
    /// use absolve_files::{Existing, NewFile};
    /// let folder = tempfile::tempdir()?;
    /// assert!(NewFile::begin(&folder.path().join("a.json"), Existing::Refuse).is_ok());
    /// assert!(NewFile::begin(&folder.path().join("no folder/a.json"), Existing::Refuse).is_err());
    /// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn begin(path: &Path, existing: Existing) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self { path: path.to_owned(), place: Place::StandardOutput });
        }
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
                return Err(io::Error::other("it is a dangling symbolic link"));
            }
            (Err(_), _) => Self { path: path.to_owned(), place: Place::Nothing },
        };
        new.temporary().map(|_| new)
    }

    /// Writes the file; `write` writes its contents.
    ///
    /// # Errors
    ///
    /// The error of `write`, or of the file system. If the file was to be new, also if another program has created it
    /// since. No temporary file is left.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let buffered = |file: &mut dyn Write| {
            let mut output = BufWriter::new(file);
            write(&mut output)?;
            output.flush()
        };
        match self.place {
            Place::StandardOutput => return buffered(&mut io::stdout().lock()),
            Place::Device => return buffered(&mut File::options().write(true).open(&self.path)?),
            Place::Nothing | Place::File(_) => {}
        }
        let mut nameless = tempfile::tempfile_in(folder_of(&self.path))?;
        buffered(&mut nameless)?;
        nameless.rewind()?;
        let written = write_and_rename(self.temporary()?, &self.path, |file| {
            io::copy(&mut nameless, file.as_file_mut())?;
            let Place::File(permissions) = self.place else { return Ok(Rename::NoReplace) };
            file.as_file().set_permissions(permissions).map(|()| Rename::Replace)
        });
        written.map(drop)
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let mut builder = temporary_names();
        // A new file has the default permissions. A replacement is private until it has those of the original.
        #[cfg(unix)]
        if matches!(self.place, Place::Nothing) {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        builder.tempfile_in(folder_of(&self.path))
    }
}

/// What exists at the path of a new file.
#[derive(Debug)]
enum Place {
    Nothing,
    /// A file with these permissions, which will be replaced.
    File(Permissions),
    /// A device or a FIFO, which is written to and not replaced.
    Device,
    StandardOutput,
}

fn is_device(found: &Metadata) -> bool {
    !found.is_file() && !found.is_dir()
}

/// Sets the time of last modification, if it is given.
pub(crate) fn set_time(file: &File, modified: Option<SystemTime>) -> io::Result<()> {
    match modified {
        Some(modified) => file.set_times(FileTimes::new().set_modified(modified)),
        None => Ok(()),
    }
}

/// Returns whether two files have the same bytes.
pub(crate) fn have_same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        (&mut one).take(1 << 16).read_to_end(&mut left)?;
        (&mut other).take(1 << 16).read_to_end(&mut right)?;
        if left.is_empty() || left != right {
            return Ok(left == right);
        }
    }
}
