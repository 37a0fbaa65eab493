//! ZIP and tar files of any tree. Their members are listed and read by libraries that the rewriter does not list them with.

mod around;
mod headers;
mod links;
mod listed;
mod listing;
pub(crate) mod sizes;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

use flate2::read::DeflateDecoder;

use crate::bundle::headers::AS_LISTED;
use crate::bundle::links::Paths;
use crate::bundle::listed::{Link, Listed, Packing, Properties};
use crate::bundle::listing::{BLOCK, listed};
use crate::bundle::sizes::without_sizes;
use crate::compression::Compression;
use crate::compression::decompressed::Decompressed;
use crate::storage::Stored;
use crate::storage::temporary::Spool;
use crate::verdict::{Difference, Rule, Verdict};

/// The members of a ZIP or tar file.
#[derive(Debug)]
pub struct Bundle {
    /// The file, decompressed. Readers of it have one position.
    file: Mutex<File>,
    members: Vec<Listed>,
    compression: Compression,
    /// Of what is around the members of a ZIP.
    properties: Properties,
}

impl Bundle {
    /// Lists the members of a ZIP file, or of a tar file that may be compressed.
    ///
    /// # Errors
    ///
    /// If it cannot be read as either.
    pub fn open(file: &File) -> io::Result<Self> {
        let compression = Compression::of_file(Stored::File(file))?;
        let decompressed = match compression {
            Compression::None => file.try_clone()?,
            _ => Spool::file_of(Decompressed::of_file(Stored::File(file))?)?,
        };
        let (members, properties) = listed(&decompressed)?;
        let mut bundle = Self { file: Mutex::new(decompressed), members, compression, properties };
        for index in 0..bundle.members.len() {
            if let Some(target) = bundle.target_in_contents(index) {
                bundle.members[index].link = Link::Symbolic(target);
            }
        }
        Ok(bundle)
    }

    /// Returns the target of a symbolic link of a ZIP; `None` if it is none, or its contents are damaged.
    fn target_in_contents(&self, index: usize) -> Option<Vec<u8>> {
        /// The longest path that Linux takes.
        const LONGEST: u64 = 4096;
        let member = &self.members[index];
        let is_one = matches!(member.link, Link::Symbolic(_)) && member.crc.is_some() && member.size <= LONGEST;
        let mut target = Vec::new();
        (is_one && self.copy_member(index, &mut target).is_ok()).then_some(target)
    }

    /// Copies the contents of the member with this index. Returns whether there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be read, has another size or checksum than it declares, or `output` cannot be written.
    pub fn copy_member(&self, index: usize, output: &mut dyn Write) -> io::Result<bool> {
        let Some(member) = self.members.get(index) else { return Ok(false) };
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let packed = Stored::File(&file).reader_at(member.range.start).take(member.range.end - member.range.start);
        let (size, crc) = match member.packing {
            Packing::Deflated => copy(&mut DeflateDecoder::new(packed), output)?,
            Packing::Stored | Packing::Other => copy(&mut { packed }, output)?,
        };
        let is_whole = size == member.size && member.crc.is_none_or(|expected| expected == crc);
        if !is_whole {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it does not have its size and checksum"));
        }
        Ok(true)
    }

    /// Returns the name of the member with this index.
    ///
    /// ```no_run
    /// use absolve_verifier::Bundle;
    /// let bundle = Bundle::open(&std::fs::File::open("mail.zip")?)?;
    /// println!("{:?}", bundle.name(0).map(String::from_utf8_lossy));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn name(&self, index: usize) -> Option<&[u8]> {
        self.members.get(index).map(|member| &*member.name)
    }

    /// Returns what follows the members of a tar: blocks of zeros, or none. The list at the end of a ZIP has been compared.
    fn rest(&self) -> io::Result<Option<File>> {
        let Some(last) = self.members.last().filter(|member| member.crc.is_none()) else { return Ok(None) };
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        Spool::file_of(Stored::File(&file).reader_at(last.range.end.next_multiple_of(BLOCK))).map(Some)
    }

    /// Returns whether one of its members has the same packed contents as one of the original.
    fn is_packed_like(&self, member: &Listed, original: &Self, old: &Listed) -> io::Result<bool> {
        let [own, other] = [self, original].map(|bundle| bundle.file.lock().unwrap_or_else(PoisonError::into_inner));
        let length = |member: &Listed| member.range.end - member.range.start;
        let stored = Stored::File(&own);
        let difference = stored.first_difference(member.range.clone(), Stored::File(&other), old.range.start)?;
        Ok(length(member) == length(old) && difference.is_none())
    }
}

fn copy(input: &mut dyn Read, output: &mut dyn Write) -> io::Result<(u64, u32)> {
    let mut input = flate2::CrcReader::new(input);
    let size = io::copy(&mut input, output)?;
    Ok((size, input.crc().sum()))
}

/// Verifies that two bundles list the same members in the same order, with the same properties, and that those which are not
/// `compared` by themselves are the same, as is what is around them. A message of a Maildir may have another size in its name, if all
/// members of that name have the same new one, and no others.
///
/// # Errors
///
/// If a file cannot be read.
pub fn verify_bundle(original: &Bundle, rewritten: &Bundle, compared: &BTreeSet<usize>) -> io::Result<Verdict> {
    let mut verdict = Verdict::default();
    let mut differs = |message: String| verdict.differences.push(Difference::new(Rule::File, message));
    if original.compression != rewritten.compression {
        differs("it is compressed otherwise than the original".to_owned());
    }
    for (what, [before, after]) in differing(&original.properties, &rewritten.properties, Some(AS_LISTED)) {
        differs(format!("it has another {what}: {after}, and not {before}"));
    }
    let (old, new) = (&original.members, &rewritten.members);
    if old.len() != new.len() {
        differs(format!("it has {} members, and the original {}", new.len(), old.len()));
    }
    for (name, [one, other]) in parted(old, new) {
        differs(format!("its members of the name {name} have different names: {one} and {other}"));
    }
    for (name, [one, other]) in parted(new, old) {
        differs(format!("its members {one} and {other} have the same name: {name}"));
    }
    let (paths, new_paths) = (Paths::of(old), Paths::of(new));
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        let name = String::from_utf8_lossy(&old.name);
        if without_sizes(&old.name) != without_sizes(&new.name) {
            differs(format!("its member {name} is named {}", String::from_utf8_lossy(&new.name)));
        }
        let is_same = (old.size, old.crc) == (new.size, new.crc);
        let is_in_place = is_same && (&old.name, &old.range) == (&new.name, &new.range);
        let right = if is_in_place { None } else { Some(AS_LISTED) };
        for (what, [before, after]) in differing(&old.properties, &new.properties, right) {
            differs(format!("its member {name} has another {what}: {after}, and not {before}"));
        }
        if paths.contain_target_of(old) && !new_paths.contain_target_of(new) {
            differs(format!("its link {name} leads nowhere, because what it led to has another name"));
        }
        let is_compared = compared.contains(&index);
        if !is_compared && (!is_same || !rewritten.is_packed_like(new, original, old)?) {
            differs(format!("its member {name} is not read, but differs"));
        }
        if is_compared && is_same && old.crc.is_some() && !rewritten.is_packed_like(new, original, old)? {
            differs(format!("its member {name} did not change, but is packed otherwise"));
        }
    }
    if let (Some(before), Some(after)) = (original.rest()?, rewritten.rest()?)
        && !Stored::File(&after).is_same_as(Stored::File(&before))?
    {
        differs("what follows its last member differs".to_owned());
    }
    Ok(verdict)
}

/// Returns the names that several members have in one list, each with two names that they have in the other one. A later member
/// supersedes an earlier one of its name.
fn parted<'l>(list: &'l [Listed], other: &'l [Listed]) -> impl Iterator<Item = (Cow<'l, str>, [Cow<'l, str>; 2])> {
    let path = |member: &'l Listed| -> Vec<&'l [u8]> {
        member.name.split(|byte| *byte == b'/').filter(|segment| !matches!(segment, [] | [b'.'])).collect()
    };
    let mut first = HashMap::new();
    list.iter().zip(other).filter_map(move |(member, other)| {
        let one = *first.entry(path(member)).or_insert(other);
        let [name, names @ ..] = [member, one, other].map(|member| String::from_utf8_lossy(&member.name));
        (path(one) != path(other)).then_some((name, names))
    })
}

/// Returns the properties that differ, with both values. They may become `right`.
fn differing<'p>(
    old: &'p Properties,
    new: &'p Properties,
    right: Option<&'static str>,
) -> impl Iterator<Item = (&'static str, [&'p str; 2])> {
    let values = old.iter().zip(new).map(|((what, before), (_, after))| (*what, [&**before, &**after]));
    let differ = values.filter(move |(_, [before, after])| before != after && Some(*after) != right);
    differ.map(|(what, values)| (what, values.map(|value| if value.is_empty() { "none" } else { value })))
}
