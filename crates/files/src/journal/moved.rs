//! Messages of a Maildir that have got other flags, or gone to another folder, since a run.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use absolve_framing::bundle::os_path;

use crate::input::maildir::{OF_MESSAGES, maildir_of, path_of_any_size, unique_and_flags};
use crate::journal::read::ChangedFile;

/// Gives changed messages the folder and the flags that they have now: mail programs move messages to `cur` and mark them as read. A
/// message is found by its unique name, whatever sizes are in it, unless two have it.
pub(crate) fn follow<'c>(changes: impl Iterator<Item = &'c mut ChangedFile>) {
    let mut maildirs: HashMap<PathBuf, HashMap<PathBuf, Option<PathBuf>>> = HashMap::new();
    for change in changes {
        let Some(maildir) = maildir_of(&change.new_path) else { continue };
        let messages = maildirs.entry(maildir).or_insert_with_key(|maildir| messages_in(maildir));
        if let Some(Some(now)) = messages.get(&unique_name(&change.new_path)) {
            change.path = in_place_of(now, &change.path);
            change.new_path = in_place_of(now, &change.new_path);
        }
    }
}

/// Returns the messages of a Maildir by their unique names; `None` for a name that several have.
fn messages_in(maildir: &Path) -> HashMap<PathBuf, Option<PathBuf>> {
    let mut messages = HashMap::new();
    for folder in OF_MESSAGES {
        for file in fs::read_dir(maildir.join(folder)).into_iter().flatten().flatten() {
            let path = file.path();
            messages.entry(unique_name(&path)).and_modify(|known| *known = None).or_insert(Some(path));
        }
    }
    messages
}

fn unique_name(path: &Path) -> PathBuf {
    path_of_any_size(&os_path(unique_and_flags(path).0))
}

/// Returns the path of the message `now` with the unique name of `recorded`, and so with the sizes in that.
fn in_place_of(now: &Path, recorded: &Path) -> PathBuf {
    let name = [unique_and_flags(recorded).0, unique_and_flags(now).1].concat();
    now.with_file_name(os_path(&name))
}
