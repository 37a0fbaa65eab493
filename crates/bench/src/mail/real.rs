//! Messages of the corpora.

use std::path::Path;
use std::{fs, io};

use super::mbox;
use crate::corpora::files;

const FOLDERS: [&str; 5] = ["mail-cpython-email", "mail-enmime", "mail-imaptest-mbox", "mail-mikel", "mail-stalwart"];

/// Returns all messages of the folders that exist, with the line ends of an mbox.
pub(super) fn messages(root: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    for folder in FOLDERS.map(|name| root.join(name)).iter().filter(|folder| folder.exists()) {
        for file in files(folder)? {
            let content = with_unix_line_ends(&fs::read(&file)?);
            if content.starts_with(b"From ") {
                found.extend(mbox::messages(&content).map(<[u8]>::to_vec));
            } else if begins_with_a_field(&content) {
                found.push(content);
            }
        }
    }
    Ok(found)
}

/// Reports whether a file is a message; licences and the like lie among them.
fn begins_with_a_field(content: &[u8]) -> bool {
    let name_length = content.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    name_length > 0 && content.get(name_length) == Some(&b':')
}

fn with_unix_line_ends(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len());
    for (index, byte) in content.iter().enumerate() {
        if *byte != b'\r' || content.get(index + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out
}
