//! The message to unpack.

use std::io;
use std::path::Path;

use absolve_containers::{ArchiveOptions, FileType};
use absolve_files::{Entry, Selection, collect, inspect_all, retrieval_of_message};
use absolve_rewriter::Finding;
use absolve_rewriter::internal::{Entity, Retrieval};

use crate::args::unpack::UnpackArguments;
use crate::messages::count;
use crate::outcome::{Stop, usage_error};
use crate::wording::file_error;

/// A message, and where it comes from.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) bytes: Vec<u8>,
    /// The URLs it was retrieved from.
    pub(crate) retrievals: Vec<Retrieval>,
    pub(crate) findings: Vec<Finding>,
}

/// Reads the message that the arguments name.
pub(crate) fn read(arguments: &UnpackArguments) -> Result<Message, Stop> {
    let name = arguments.message().display();
    let entry = entry(arguments)?;
    let wanted = arguments.number.map_or(1, u64::from);
    let number_and_message = |_: &Entry, record: &str, entity: &Entity<'_>| {
        // A file that is one message has no number, and a Maildir has names.
        let number: u64 = record.parse().unwrap_or(1);
        let message = (number == wanted).then(|| (entity.bytes.to_vec(), entity.findings.clone()));
        (number, message)
    };
    let (mut last, mut found) = (0, None);
    let inspection = inspect_all(
        std::slice::from_ref(&entry),
        &ArchiveOptions::default(),
        &number_and_message,
        &mut |(number, message)| {
            last = last.max(number);
            found = found.take().or(message);
            Ok(())
        },
        &|_| {},
    )?;
    if let Some(error) = inspection.errors.into_iter().next() {
        return Err(error.into());
    }
    if arguments.number.is_none() && last > 1 {
        return usage_error(format!("{name} holds {}; --message N chooses one", count(last, "message")));
    }
    let Some((bytes, unread)) = found else {
        return usage_error(format!("{name} holds {}, and no message {wanted}", count(last, "message")));
    };
    let is_mbox = entry.file_type()? == Some(FileType::Mailbox);
    let (retrieval, ignored) = if is_mbox { (None, None) } else { retrieval_of_message(&entry, &bytes) };
    let retrievals = retrieval.into_iter().collect();
    // A message that can be read is parsed again.
    let mut findings = if bytes.is_empty() { unread } else { Vec::from_iter(ignored) };
    findings.extend(inspection.findings.into_iter().map(|(_, finding)| finding));
    Ok(Message { bytes, retrievals, findings })
}

/// Returns the entry of the message.
fn entry(arguments: &UnpackArguments) -> Result<Entry, Stop> {
    let path = arguments.message();
    let name = path.display();
    let mut selection = Selection::default();
    selection.url.clone_from(&arguments.url);
    let mut entry = if path == Path::new("-") {
        match Entry::from_reader(io::stdin().lock(), &selection) {
            Ok(entry) => entry,
            Err(error) => return usage_error(format!("cannot read standard input: {error}")),
        }
    } else if path.is_dir() {
        return usage_error(format!("{name} is a folder; name one message in it"));
    } else {
        one_entry(path, &selection)?
    };
    let is_message = |file_type: &FileType| [FileType::Message, FileType::Mailbox].contains(file_type);
    let known = entry.file_type().or_else(|error| usage_error(format!("cannot read {name}: {error}")))?;
    // A name like `letter.txt` does not matter if it is a message.
    let by_content = || entry.type_of_content().ok().flatten().filter(is_message);
    match known.filter(is_message).or_else(by_content) {
        Some(FileType::Message) if entry.attributes.size == 0 => {
            usage_error(format!("{name} is not a message: it is empty"))
        }
        Some(file_type) => {
            entry.read_as(file_type);
            Ok(entry)
        }
        None => usage_error(format!("{name} is not a message; unpack reads .eml, .mhtml and mbox")),
    }
}

fn one_entry(path: &Path, selection: &Selection) -> Result<Entry, Stop> {
    let collection = collect(path, selection);
    match (collection.entries.into_iter().next(), collection.errors.first()) {
        (_, Some(error)) => usage_error(file_error(error)),
        (Some(entry), None) => Ok(entry),
        (None, None) => usage_error(format!("{} cannot be read", path.display())),
    }
}
