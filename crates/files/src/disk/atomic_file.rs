//! Files that are written beside their place and renamed: there is never half of one.

use std::fs::{self, File, FileTimes, Metadata, Permissions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::{Builder, NamedTempFile};

/// Gives a file the name `path`, in the place of `original`.
pub(crate) fn put(file: NamedTempFile, original: &Path, path: &Path) -> io::Result<()> {
    if original == path {
        file.persist(path)?;
        return Ok(());
    }
    // Under its new name a message must not take the place of another one; a killed run may have left it there.
    match file.persist_noclobber(path) {
        Err(refused) if !have_same_bytes(refused.file.path(), path)? => Err(refused.error),
        _ => fs::remove_file(original),
    }
}

/// A file that is to get the name `path`, and the permissions of what it replaces; until then it is the owner's alone.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(TEMPORARY.0).suffix(TEMPORARY.1).tempfile_in(folder_of(path))
}

/// Whether a killed run has left this file; it is nobody's document.
pub(crate) fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(TEMPORARY.0.as_bytes()) && name.ends_with(TEMPORARY.1.as_bytes())
}

/// How the names of files begin and end that are being written.
pub(crate) const TEMPORARY: (&str, &str) = (".absolve-", ".tmp");

/// Gives a file the permissions, the owner and the extended attributes of the one that it replaces, as far as may be.
pub(crate) fn keep_attributes(file: &NamedTempFile, original: &Path) -> io::Result<()> {
    let metadata = fs::metadata(original)?;
    // A change of the owner takes special permissions away.
    keep_owner(file.as_file(), &metadata)?;
    file.as_file().set_permissions(metadata.permissions())?;
    // They may tell where a file comes from.
    for name in xattr::list(original).into_iter().flatten() {
        if let Ok(Some(value)) = xattr::get(original, &name) {
            let _ = xattr::set(file.path(), &name, &value);
        }
    }
    Ok(())
}

/// Lets the names in the folder of `path` reach the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// The folder that a path stands in; `.` if it names none.
///
/// ```
/// assert_eq!(absolve_files::folder_of("a.html".as_ref()), std::path::Path::new("."));
/// ```
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Who may give files away keeps the owner; who may not has become the owner.
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

impl NewFile {
    /// Finds out whether a file can be written. A symbolic link stays; the file that it leads to is replaced.
    ///
    /// # Errors
    ///
    /// When its folder takes no files, or it exists and is to stay ([`io::ErrorKind::AlreadyExists`]).
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
    /// use absolve_files::{Existing, NewFile};
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

/// What stands where a file is to be written.
#[derive(Debug)]
enum Place {
    Nothing,
    /// A file that is replaced, with these permissions.
    File(Permissions),
    /// A device or a pipe, which is written into.
    Device,
}

fn is_device(found: &Metadata) -> bool {
    !found.is_file() && !found.is_dir()
}

pub(crate) fn set_time(file: &File, modified: Option<SystemTime>) -> io::Result<()> {
    match modified {
        Some(modified) => file.set_times(FileTimes::new().set_modified(modified)),
        None => Ok(()),
    }
}

/// Whether two files have the same bytes.
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
