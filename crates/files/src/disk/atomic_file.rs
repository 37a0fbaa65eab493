//! Atomic writes: a temporary file in the folder of the target is completed and then renamed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileTimes, Metadata, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xattr::FileExt;

use crate::disk::open_folder::OpenFolder;

/// How a complete temporary file gets its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rename<'p> {
    /// It replaces the file of its name, if there is one.
    Replace,
    /// A file of its name is an error.
    NoReplace,
    /// It replaces this file, which may have another name. A different file of the new name is an error.
    ReplaceOriginal(&'p OsStr),
    /// It is removed.
    Discard,
}

/// Writes the file `name` in a folder atomically: `write` fills a temporary file in the same folder, which is then renamed.
///
/// Only its owner may read the temporary file. After an error it is removed. Returns what `write` returned.
pub(crate) fn write_in<'p, E: From<io::Error>>(
    folder: &OpenFolder,
    name: &OsStr,
    write: impl FnOnce(&mut File) -> Result<Rename<'p>, E>,
) -> Result<Rename<'p>, E> {
    let mut temporary = TemporaryFile::create(folder, 0o600)?;
    let rename = write(&mut temporary.file)?;
    temporary.rename(name, rename)?;
    Ok(rename)
}

/// A file with a temporary name, which is removed unless it is renamed.
struct TemporaryFile<'f> {
    folder: &'f OpenFolder,
    name: OsString,
    file: File,
}

impl<'f> TemporaryFile<'f> {
    fn create(folder: &'f OpenFolder, mode: u32) -> io::Result<Self> {
        let name = temporary_name();
        let file = folder.create(Path::new(&name), mode)?;
        Ok(Self { folder, name, file })
    }

    /// Returns a file without a name under a temporary one, with the permissions of this one; `None` if it cannot have a name.
    fn replaced_by(&self, nameless: &File) -> io::Result<Option<Self>> {
        let name = temporary_name();
        if self.folder.link_nameless(nameless, &name).is_err() {
            return Ok(None);
        }
        let linked = Self { folder: self.folder, name, file: nameless.try_clone()? };
        linked.file.set_permissions(self.file.metadata()?.permissions())?;
        Ok(Some(linked))
    }

    fn rename(mut self, name: &OsStr, rename: Rename<'_>) -> io::Result<()> {
        match rename {
            Rename::Discard => return Ok(()),
            Rename::NoReplace => self.folder.rename_to_new(&self.name, name)?,
            Rename::ReplaceOriginal(original) if original != name => {
                // A message must not replace another one that has its new name. The same bytes are left from a killed run.
                let has_same_bytes = || have_same_bytes(&self.file, &self.folder.open(Path::new(name))?);
                let renamed = self.folder.rename_to_new(&self.name, name);
                if renamed.is_err() && !has_same_bytes()? {
                    return renamed;
                }
                self.folder.remove(Path::new(original))?;
                if renamed.is_err() {
                    return Ok(());
                }
            }
            Rename::Replace | Rename::ReplaceOriginal(_) => self.folder.rename(&self.name, name)?,
        }
        self.name.clear();
        Ok(())
    }
}

impl Drop for TemporaryFile<'_> {
    fn drop(&mut self) {
        if !self.name.is_empty() {
            let _ = self.folder.remove(Path::new(&self.name));
        }
    }
}

fn temporary_name() -> OsString {
    let random = RandomState::new().build_hasher().finish();
    format!("{}{random:016x}{}", TEMPORARY.0, TEMPORARY.1).into()
}

/// Returns whether this is a temporary file, which a killed run has left.
///
/// ```
/// assert!(absolve_files::is_temporary("d/.absolve-x1.tmp".as_ref()) && !absolve_files::is_temporary("d/x1.tmp".as_ref()));
/// ```
pub fn is_temporary(path: &Path) -> bool {
    let begins =
        |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(TEMPORARY.0.as_bytes()));
    path.as_os_str().as_encoded_bytes().ends_with(TEMPORARY.1.as_bytes()) && begins(path)
}

/// The prefix and the suffix of the names of temporary files.
const TEMPORARY: (&str, &str) = (".absolve-", ".tmp");

/// Copies the owner, the permissions and the extended attributes of `original` to a file, as far as permitted.
pub(crate) fn keep_attributes(file: &File, original: &File) -> io::Result<()> {
    let metadata = original.metadata()?;
    // A change of the owner clears the set-user-ID and set-group-ID bits.
    keep_owner(file, &metadata)?;
    file.set_permissions(metadata.permissions())?;
    // They may contain the URL of the file.
    for name in original.list_xattr().into_iter().flatten() {
        if let Ok(Some(value)) = original.get_xattr(&name) {
            let _ = file.set_xattr(&name, &value);
        }
    }
    Ok(())
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
/// it gets a temporary name and is renamed.
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
        OpenFolder::at(folder_of(&new.path)).and_then(|folder| new.temporary(&folder).map(drop))?;
        Ok(new)
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
        // It gets a name where the system can do that; elsewhere a copy does.
        let folder = OpenFolder::at(folder_of(&self.path))?;
        let mut temporary = self.temporary(&folder)?;
        temporary = match temporary.replaced_by(&nameless)? {
            Some(linked) => linked,
            None => {
                io::copy(&mut nameless, &mut temporary.file)?;
                temporary
            }
        };
        let rename = match self.place {
            Place::File(permissions) => temporary.file.set_permissions(permissions).map(|()| Rename::Replace)?,
            _ => Rename::NoReplace,
        };
        temporary.rename(self.path.file_name().unwrap_or_default(), rename)
    }

    fn temporary<'f>(&self, folder: &'f OpenFolder) -> io::Result<TemporaryFile<'f>> {
        // A new file has the default permissions. A replacement is private until it has those of the original.
        TemporaryFile::create(folder, if matches!(self.place, Place::Nothing) { 0o666 } else { 0o600 })
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
///
/// # Errors
///
/// If one of them cannot be read.
///
/// ```
/// let (one, other) = (tempfile::tempfile()?, tempfile::tempfile()?);
/// assert!(absolve_files::have_same_bytes(&one, &other)?);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn have_same_bytes(mut one: &File, mut other: &File) -> io::Result<bool> {
    one.rewind()?;
    other.rewind()?;
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
