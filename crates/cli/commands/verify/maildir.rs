//! The names of messages in a Maildir, which may contain their sizes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use absolve_files::{Entry, os_path};
use absolve_verifier::{Difference, Rule, decompressed, without_sizes};

/// How many symbolic links Linux follows before it reports a circle.
const LINKS_IN_A_ROW: usize = 40;

/// The messages in the Maildirs of a rewritten tree.
#[derive(Debug)]
pub(crate) struct Messages {
    /// Those that have other names than any in the original, each by its path without sizes.
    renamed: HashMap<PathBuf, PathBuf>,
    /// The paths without sizes that several messages of the original have. They keep their names.
    several: HashSet<PathBuf>,
}

impl Messages {
    /// Lists the folders below `rewritten` that hold the counterparts of messages. Folders that cannot be read hold none.
    pub(crate) fn list(rewritten: &Path, entries: &[Entry]) -> Self {
        let messages = entries.iter().filter(|entry| !entry.record.is_empty());
        let folders: BTreeSet<&Path> = messages.filter_map(|entry| entry.path.parent()).collect();
        let known: HashSet<PathBuf> = entries.iter().map(|entry| rewritten.join(&entry.path)).collect();
        let files = folders.into_iter().flat_map(|folder| fs::read_dir(rewritten.join(folder))).flatten().flatten();
        let renamed = files.map(|file| file.path()).filter(|path| !known.contains(path));
        let mut seen = HashSet::new();
        let keys = entries.iter().filter(|entry| !entry.record.is_empty()).map(|entry| key(&entry.path));
        let several = keys.filter(|key| !seen.insert(key.clone())).collect();
        Self { renamed: renamed.map(|path| (key(&path), path)).collect(), several }
    }

    /// Returns the file whose path is `path` but for the sizes in its name.
    pub(crate) fn counterpart(&self, path: &Path) -> Option<PathBuf> {
        self.renamed.get(&key(path)).cloned()
    }

    /// Returns whether a symbolic link below `rewritten` leads nowhere, but would lead to a message with other sizes in its name.
    pub(crate) fn has_renamed_target_of(&self, link: &Path, rewritten: &Path) -> bool {
        let mut end = link.to_owned();
        for _ in 0..LINKS_IN_A_ROW {
            let Ok(target) = fs::read_link(&end) else { break };
            end = end.with_file_name(target);
        }
        let folder = end.parent().map(Path::canonicalize).and_then(Result::ok);
        let below = folder.zip(rewritten.canonicalize().ok());
        let below = below.and_then(|(folder, root)| Some(rewritten.join(folder.strip_prefix(root).ok()?)));
        let message = below.zip(end.file_name()).and_then(|(folder, name)| self.counterpart(&folder.join(name)));
        message.is_some() && !link.exists()
    }
}

fn key(path: &Path) -> PathBuf {
    path.with_file_name(os_path(&without_sizes(path.file_name().unwrap_or_default().as_encoded_bytes())))
}

/// Returns a difference if the name of a message in a Maildir contains wrong sizes: `,S=` in bytes, `,W=` in bytes with lines
/// ending in CRLF.
pub(crate) fn wrong_size(path: &Path, entry: &Entry, messages: &Messages) -> io::Result<Option<Difference>> {
    let keeps_name = path.file_name() == entry.path.file_name() && messages.several.contains(&key(&entry.path));
    if entry.record.is_empty() || keeps_name {
        return Ok(None);
    }
    let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let size_in = |name: &str, key: &str| -> Option<usize> {
        let digits = name.split_once(key)?.1;
        digits.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
    };
    let (old, new) = (name_of(&entry.path), name_of(path));
    // A size that was wrong may stay, but become no other wrong one.
    let may_stay = sizes(&entry.source)?
        .map(|(key, size)| size_in(&old, key) != Some(size) && size_in(&old, key) == size_in(&new, key));
    let is_right = sizes(path)?.map(|(key, size)| (key, size_in(&new, key) == Some(size)));
    let wrong = may_stay.iter().zip(is_right).find(|(may_stay, (_, is_right))| !**may_stay && !is_right);
    // A member of an archive has another name while it is compared.
    Ok(wrong.map(|(_, (key, _))| Difference::new(Rule::File, format!("its name contains another size behind {key:?}"))))
}

/// Returns the sizes for the name of a message: its bytes without compression, and its bytes with lines ending in CRLF.
fn sizes(path: &Path) -> io::Result<[(&'static str, usize); 2]> {
    let file = File::open(path)?;
    let mut message = BufReader::with_capacity(1 << 16, decompressed(&file)?);
    let (mut length, mut bare, mut last) = (0, 0, 0);
    loop {
        let bytes = message.fill_buf()?;
        let Some(end) = bytes.last() else { return Ok([(",S=", length), (",W=", length + bare)]) };
        let before = std::iter::once(last).chain(bytes.iter().copied());
        bare += before.zip(bytes).filter(|(before, byte)| **byte == b'\n' && *before != b'\r').count();
        last = *end;
        let read = bytes.len();
        length += read;
        message.consume(read);
    }
}
