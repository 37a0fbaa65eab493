//! Maildir: a folder of messages, whose names may contain their sizes.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use absolve_containers::FileType;
use absolve_framing::bundle::{os_path, with_sizes};
use absolve_rewriter::{Code, Finding};

use crate::input::no_document::is_no_document;

/// The role of a file in a Maildir.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is not part of a Maildir.
    None,
    /// A message, in `cur` or `new`.
    Message,
    /// A message that is being delivered, in `tmp`.
    Temporary,
    /// An index of a mail server: sizes or numbers of the messages, which are wrong for any other folder.
    Index,
}

/// The folders of a Maildir: two of messages, and one for deliveries.
const FOLDERS: [&str; 3] = ["cur", "new", "tmp"];
pub(crate) const OF_MESSAGES: [&str; 2] = [FOLDERS[0], FOLDERS[1]];
const OF_DELIVERIES: &str = FOLDERS[2];

/// Prefixes of the names of indexes, which mail servers rebuild.
const INDEXES: [&str; 5] =
    ["dovecot.index", "dovecot-uidlist", "dovecot.list.index", "maildirsize", "courierimapuiddb"];

/// Returns the role of a file in the Maildir that contains it.
pub(crate) fn role_of(path: &Path) -> Role {
    role(path, folder_of_messages(path).as_deref(), &Path::is_dir)
}

/// Returns the role of a member of a bundle with these folders. `maildirs` are the folders whose `cur` or `new` holds a file named like a message.
pub(crate) fn role_of_member(path: &Path, folders: &HashSet<&Path>, maildirs: &HashSet<&Path>) -> Role {
    let is_folder = |folder: &Path| folders.contains(folder);
    match role(path, path.parent().filter(|folder| is_in_maildir(path, folder, &is_folder)), &is_folder) {
        Role::Temporary if !path.ancestors().nth(2).is_some_and(|maildir| maildirs.contains(maildir)) => Role::None,
        role => role,
    }
}

/// Returns the Maildir of a file in `cur` or `new` whose name is that of a message.
pub(crate) fn maildir_by_name(path: &Path) -> Option<&Path> {
    let folder = path.parent().filter(|folder| OF_MESSAGES.iter().any(|name| folder.ends_with(name)))?;
    folder.parent().filter(|_| !has_other_name(path) && has_name_of_message(path))
}

/// Returns whether a file in a folder is in a Maildir. Archives, synchronization and version control lose empty folders: without the
/// other one, `cur` and `new` are those of a Maildir if the name of the file is that of a message.
fn is_in_maildir(path: &Path, folder: &Path, is_folder: &dyn Fn(&Path) -> bool) -> bool {
    let is_of_messages = OF_MESSAGES.iter().any(|name| folder.ends_with(name));
    let have_both = || OF_MESSAGES.iter().all(|name| is_folder(&folder.with_file_name(name)));
    let may_be_message = || {
        (is_of_messages && has_name_of_message(path))
            || ((is_of_messages || folder.ends_with(OF_DELIVERIES)) && have_both())
    };
    !has_other_name(path) && may_be_message()
}

/// Returns whether a file has the extension of a page, a style, an image or the like. Sites may have folders called `cur` and `new`, and the
/// files in those are not messages.
fn has_other_name(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    // The host in the name of a message may end in the two letters of a country, such as `py` and `so`.
    ["html", "htm", "xhtml", "css"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        || (extension.len() > 2 && is_no_document(extension))
}

/// Returns whether a folder `cur` or `new` holds a file that is named like a message. Sites may have folders of these names as well.
pub(crate) fn holds_message(maildir: &Path) -> bool {
    let files = OF_MESSAGES.iter().flat_map(|folder| fs::read_dir(maildir.join(folder))).flatten().flatten();
    files.map(|file| file.path()).any(|path| maildir_by_name(&path).is_some())
}

/// Returns whether the name of a file has flags, or is the unique name of a message.
fn has_name_of_message(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let has_flags = [b":2,", b";2,", b"!2,"].iter().any(|flags| memchr::memmem::find(name, *flags).is_some());
    has_flags || (is_unique(name) && FileType::of_name(path).is_none())
}

/// Returns whether a name is the unique name of a message: the seconds since 1970, something that differs between deliveries, and
/// a host.
fn is_unique(name: &[u8]) -> bool {
    // Since 1973.
    const DIGITS: usize = 9;
    let mut parts = name.splitn(3, |byte| *byte == b'.');
    let time = parts.next().unwrap_or_default();
    let is_time = time.len() >= DIGITS && time.iter().all(u8::is_ascii_digit);
    is_time && parts.filter(|part| !part.is_empty()).count() == 2
}

/// Returns the role of a file, whose folder of messages is given if it is in one.
fn role(path: &Path, of_messages: Option<&Path>, is_folder: &dyn Fn(&Path) -> bool) -> Role {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let is_of_maildir = || OF_MESSAGES.iter().any(|folder| is_folder(&path.with_file_name(folder)));
    if INDEXES.iter().any(|index| name.starts_with(index.as_bytes())) && is_of_maildir() {
        return Role::Index;
    }
    match of_messages {
        None => Role::None,
        Some(folder) if folder.ends_with(OF_DELIVERIES) => Role::Temporary,
        // Mail servers skip names that begin with a dot.
        Some(_) if name.starts_with(b".") => Role::None,
        Some(_) => Role::Message,
    }
}

/// Returns the Maildir that contains a message.
pub(crate) fn maildir_of(path: &Path) -> Option<PathBuf> {
    folder_of_messages(path)?.parent().map(Path::to_owned)
}

/// Returns the absolute path of the folder of a message in a Maildir.
fn folder_of_messages(path: &Path) -> Option<PathBuf> {
    // The name of `.` is not known yet.
    let may_be = |folder: &Path| folder.file_name().is_none_or(|name| FOLDERS.iter().any(|known| name == *known));
    let folder = absolute(path.parent().filter(|folder| may_be(folder))?);
    is_in_maildir(path, &folder, &Path::is_dir).then_some(folder)
}

/// Returns the indexes that a mail server keeps of a Maildir.
pub(crate) fn indexes_in(maildir: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(maildir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = files.filter(|path| role_of(path) == Role::Index).collect();
    found.sort();
    found
}

/// Returns the unique name of a message, and what its file name has behind that: its flags.
pub(crate) fn unique_and_flags(path: &Path) -> (&[u8], &[u8]) {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.split_at(memchr::memchr3(b':', b';', b'!', name).unwrap_or(name.len()))
}

/// Returns the absolute path, so that all parent folders have names.
fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the unique name of a message; an empty string for other files.
pub(crate) fn record_of(path: &Path, role: Role) -> String {
    match role {
        Role::Message => String::from_utf8_lossy(unique_and_flags(path).0).into_owned(),
        _ => String::new(),
    }
}

/// Returns the path of a message after its bytes have changed. Updates the sizes in its name, if there are any: `,S=`
/// in bytes, and `,W=` in bytes with CRLF line ends.
pub(crate) fn path_with_sizes(path: &Path, bytes: &[u8]) -> PathBuf {
    let line_feeds = memchr::memchr_iter(b'\n', bytes);
    let bare = line_feeds.filter(|at| !bytes[..*at].ends_with(b"\r")).count();
    with_numbers(path, bytes.len(), bytes.len() + bare)
}

/// Returns the same path for all messages whose names differ in their sizes only.
pub(crate) fn path_of_any_size(path: &Path) -> PathBuf {
    with_numbers(path, 0, 0)
}

fn with_numbers(path: &Path, size: usize, size_with_crlf: usize) -> PathBuf {
    let Some(name) = path.file_name().map(OsStr::as_encoded_bytes) else { return path.to_owned() };
    let sizes = [size, size_with_crlf].map(|size| size.to_string());
    let new = with_sizes(name, sizes.each_ref().map(String::as_bytes));
    if new == name { path.to_owned() } else { path.with_file_name(os_path(&new)) }
}

/// Returns the finding about an index.
pub(crate) fn index_finding() -> Finding {
    Finding::new(Code::MailIndex, "left out: the mail server rebuilds it from the messages")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{has_name_of_message, path_with_sizes};
    #[cfg(unix)]
    use absolve_framing::bundle::os_path;

    #[cfg(unix)]
    #[test]
    fn sizes_in_names_that_are_not_utf_8_change_too() {
        let [before, after] =
            [b"cur/1.M\xe9.host,S=9,W=9:2,\xff", b"cur/1.M\xe9.host,S=7,W=8:2,\xff"].map(|name| os_path(name));
        assert_eq!(path_with_sizes(&before, b"a\r\nb\ncd"), after);
    }

    #[test]
    fn names_of_messages() {
        for name in ["1700000000.M1P2.host", "854800000.12.host,S=60", "1700000000.12_0.mail.example.org", "1:2,S"] {
            assert!(has_name_of_message(&Path::new("new").join(name)), "{name}");
        }
        for name in ["1700000000.M1P2", "1700000000..host", "2024.12.host", "x1700000000.1.host", "1700000000.1.html"] {
            assert!(!has_name_of_message(&Path::new("new").join(name)), "{name}");
        }
    }

    #[test]
    fn sizes_in_names() {
        for (before, after) in [
            ("cur/1.M2P3.host,S=9,W=9:2,RS", "cur/1.M2P3.host,S=7,W=8:2,RS"),
            ("cur/1.M2P3.host,W=9,S=9:2,", "cur/1.M2P3.host,W=8,S=7:2,"),
            ("new/1.M2P3.host,S=10", "new/1.M2P3.host,S=7"),
            ("new/1.M2P3.host", "new/1.M2P3.host"),
            ("new/1.host,S=:2,S", "new/1.host,S=:2,S"),
        ] {
            assert_eq!(path_with_sizes(Path::new(before), b"a\r\nb\ncd"), Path::new(after), "{before}");
        }
    }
}
