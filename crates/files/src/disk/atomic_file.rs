//! Atomic writes: a temporary file in the folder of the target is completed and then renamed.

use std::ffi::{OsStr, OsString};
use std::fs::{File, FileTimes, Metadata, Permissions};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::io::{self, Read, Seek};
use std::path::Path;
use std::time::{Duration, SystemTime};

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
    let mut temporary = TemporaryFile::create(folder, name, 0o600)?;
    let rename = write(&mut temporary.file)?;
    temporary.rename(name, rename)?;
    Ok(rename)
}

/// Writes a file by its name in a folder atomically: a new one with the permissions of new files, or in place of one with these.
pub(crate) fn write_new(
    folder: &OpenFolder,
    name: &OsStr,
    replaced: Option<Permissions>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut temporary = temporary_for(folder, name, replaced.as_ref())?;
    write(&mut temporary.file)?;
    let rename = match replaced {
        Some(permissions) => temporary.file.set_permissions(permissions).map(|()| Rename::Replace)?,
        None => Rename::NoReplace,
    };
    temporary.rename(name, rename)
}

/// Checks that a file can be written so.
pub(crate) fn try_new(folder: &OpenFolder, name: &OsStr, replaced: Option<&Permissions>) -> io::Result<()> {
    temporary_for(folder, name, replaced).map(drop)
}

/// Creates the temporary file. A new file has the default permissions. A replacement is private until it gets the permissions of the original.
fn temporary_for<'f>(
    folder: &'f OpenFolder,
    name: &OsStr,
    replaced: Option<&Permissions>,
) -> io::Result<TemporaryFile<'f>> {
    TemporaryFile::create(folder, name, if replaced.is_some() { 0o600 } else { 0o666 })
}

/// A file that is not complete. It has no name where the system can do that, so that nothing is left of a run that is stopped; elsewhere a
/// temporary one, under which the next run that writes the same file finds what is left. It is removed unless it is renamed.
struct TemporaryFile<'f> {
    folder: &'f OpenFolder,
    /// Empty if it has none.
    name: OsString,
    file: File,
}

impl<'f> TemporaryFile<'f> {
    /// Creates a file that will be renamed to `name`.
    fn create(folder: &'f OpenFolder, name: &OsStr, mode: u32) -> io::Result<Self> {
        match folder.create_nameless(mode) {
            Ok(file) => Ok(Self { folder, name: OsString::new(), file }),
            Err(_) => Self::create_named(folder, name, mode),
        }
    }

    fn create_named(folder: &'f OpenFolder, name: &OsStr, mode: u32) -> io::Result<Self> {
        let (name, file) = with_temporary_name(folder, name, &|name| folder.create(Path::new(name), mode))?;
        // Until it is renamed or the run is dead.
        let _ = file.try_lock();
        Ok(Self { folder, name, file })
    }

    /// Gives it a temporary name.
    fn with_name(mut self, name: &OsStr) -> io::Result<Self> {
        if !self.name.is_empty() {
            return Ok(self);
        }
        let _ = self.file.try_lock();
        let link = |name: &OsStr| self.folder.link_nameless(&self.file, name);
        if let Ok((name, ())) = with_temporary_name(self.folder, name, &link) {
            self.name = name;
            return Ok(self);
        }
        // A system without /proc.
        let mut copy = Self::create_named(self.folder, name, 0o600)?;
        (&self.file).rewind()?;
        io::copy(&mut &self.file, &mut copy.file)?;
        keep_attributes(&copy.file, &self.file)?;
        set_time(&copy.file, self.file.metadata()?.modified().ok())?;
        copy.file.sync_all()?;
        Ok(copy)
    }

    fn rename(self, name: &OsStr, rename: Rename<'_>) -> io::Result<()> {
        if rename == Rename::Discard {
            return Ok(());
        }
        let mut this = self.with_name(name)?;
        match rename {
            Rename::NoReplace => this.folder.rename_to_new(&this.name, name)?,
            Rename::ReplaceOriginal(original) if original != name => {
                // A message must not replace another one that has its new name. The same bytes are left from a killed run.
                let has_same_bytes = || have_same_bytes(&this.file, &this.folder.open(Path::new(name))?);
                let renamed = this.folder.rename_to_new(&this.name, name);
                if renamed.is_err() && !has_same_bytes()? {
                    return renamed;
                }
                this.folder.remove(Path::new(original))?;
                if renamed.is_err() {
                    return Ok(());
                }
            }
            Rename::Replace | Rename::ReplaceOriginal(_) | Rename::Discard => this.folder.rename(&this.name, name)?,
        }
        this.name.clear();
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

/// Calls `make` with a temporary name for the file `name`: always the same, unless another run uses it.
fn with_temporary_name<T>(
    folder: &OpenFolder,
    name: &OsStr,
    make: &dyn Fn(&OsStr) -> io::Result<T>,
) -> io::Result<(OsString, T)> {
    let named = |number: u64| OsString::from(format!("{}{number:016x}{}", TEMPORARY.0, TEMPORARY.1));
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    let usual = named(hasher.finish());
    match make(&usual) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let name =
                if remove_dead(folder, &usual) { usual } else { named(RandomState::new().build_hasher().finish()) };
            make(&name).map(|made| (name, made))
        }
        made => made.map(|made| (usual, made)),
    }
}

/// Removes a temporary file that no run has locked. A new one may not be locked yet.
fn remove_dead(folder: &OpenFolder, name: &OsStr) -> bool {
    const NEW: Duration = Duration::from_secs(1);
    let is_dead = folder.open(Path::new(name)).is_ok_and(|file| {
        let modified = file.metadata().and_then(|found| found.modified());
        let age = modified.ok().and_then(|modified| modified.elapsed().ok());
        age.is_some_and(|age| age > NEW) && file.try_lock().is_ok()
    });
    is_dead && folder.remove(Path::new(name)).is_ok()
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
fn keep_owner(_file: &File, _old: &Metadata) -> io::Result<()> {
    Ok(())
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

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::*;

    /// Where temporary files have names: the file of a dead run is replaced, and that of one that is running is not.
    #[test]
    fn the_next_run_removes_the_temporary_file_of_a_dead_one() -> io::Result<()> {
        let outer = tempfile::tempdir()?;
        let (folder, name) = (OpenFolder::at(outer.path())?, OsStr::new("a.html"));
        let temporary = || TemporaryFile::create_named(&folder, name, 0o600);
        let names = || fs::read_dir(outer.path()).map(|found| found.count());
        let mut dead = temporary()?;
        let running = temporary()?;
        assert_eq!((running.name != dead.name, names()?), (true, 2));
        set_time(&dead.file, Some(SystemTime::UNIX_EPOCH))?;
        let left = outer.path().join(std::mem::take(&mut dead.name));
        drop((dead, running));
        assert!(left.exists() && is_temporary(&left));
        temporary()?.rename(name, Rename::NoReplace)?;
        assert!(!left.exists() && names()? == 1);
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_has_no_name_until_it_is_complete() -> io::Result<()> {
        let outer = tempfile::tempdir()?;
        let names = || fs::read_dir(outer.path()).map(|found| found.count());
        let written = write_in(&OpenFolder::at(outer.path())?, OsStr::new("a"), |_| {
            Ok::<_, io::Error>((names()?, Rename::Replace)).map(|(names, rename)| {
                assert_eq!(names, 0);
                rename
            })
        });
        assert_eq!((written?, names()?), (Rename::Replace, 1));
        Ok(())
    }
}
