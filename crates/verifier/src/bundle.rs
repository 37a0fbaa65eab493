//! ZIP and tar files of any tree.

mod around;
mod headers;
mod links;
mod listed;
pub(crate) mod sizes;
mod tar;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;

use absolve_framing::Compression;
use absolve_framing::bundle::{Directory, is_tar, is_zip, padded, read_headers};

use crate::bundle::links::Paths;
use crate::bundle::listed::{AS_LISTED, Listed, Properties};
use crate::bundle::sizes::without_sizes;
use crate::bundle::tar::padding;
use crate::storage::Stored;
use crate::storage::temporary::Spool;
use crate::verdict::{Difference, Rule, Verdict};

/// The members of a ZIP or tar file.
#[derive(Debug)]
pub struct Bundle {
    /// The file, decompressed.
    file: Arc<File>,
    members: Vec<Listed>,
    /// The list at the end of a ZIP.
    directory: Option<Directory>,
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
        let begins_tar = is_tar(file)?;
        if !begins_tar && is_zip(file)? {
            let (file, directory) = (Arc::new(file.try_clone()?), Directory::read(file)?);
            let (members, properties) = around::listed(&file, &directory)?;
            return Ok(Self { file, members, directory: Some(directory), compression: Compression::None, properties });
        }
        let compression = if begins_tar { Compression::None } else { Stored::File(file).compression()? };
        let file = match compression {
            Compression::None => file.try_clone()?,
            _ => Spool::file_of(Stored::File(file).decompressed()?)?,
        };
        let members = tar::listed(&file, read_headers(&file)?)?;
        Ok(Self { file: Arc::new(file), members, directory: None, compression, properties: Vec::new() })
    }

    /// Copies the contents of the member with this index. Returns whether there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be read, has another size or checksum than it declares, or `output` cannot be written.
    pub fn copy_member(&self, index: usize, output: &mut dyn Write) -> io::Result<bool> {
        let Some(member) = self.members.get(index) else { return Ok(false) };
        match &self.directory {
            Some(directory) => io::copy(&mut directory.records[index].open(&self.file)?, output)?,
            None => io::copy(&mut self.stored().reader_at(member.range.start).take(member.size), output)?,
        };
        Ok(true)
    }

    fn stored(&self) -> Stored<'_> {
        Stored::File(&self.file)
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

    /// Returns whether what precedes the contents of one of its members, or these as they are packed, is the same in the original.
    fn is_same(
        &self,
        range: fn(&Listed) -> Range<u64>,
        member: &Listed,
        original: &Self,
        old: &Listed,
    ) -> io::Result<bool> {
        let (own, other) = (range(member), range(old));
        let is_as_long = own.end - own.start == other.end - other.start;
        Ok(is_as_long && self.stored().first_difference(own, original.stored(), other.start)?.is_none())
    }

    /// Returns whether what surrounds a member of a tar is that of the original, or right for its new contents.
    fn is_around(&self, member: &Listed, original: &Self, old: &Listed, is_same: bool) -> io::Result<bool> {
        let (before, after) = (padding(&original.file, old)?, padding(&self.file, member)?);
        Ok(match is_same {
            true => {
                before == after && self.is_same(|member| member.start..member.range.start, member, original, old)?
            }
            false => after.iter().all(|byte| *byte == 0),
        })
    }

    /// Returns whether the same follows the last member of a tar. The list at the end of a ZIP has been compared.
    fn ends_like(&self, original: &Self) -> io::Result<bool> {
        if self.directory.is_some() {
            return Ok(true);
        }
        let end = |bundle: &Self| bundle.members.last().map_or(0, |last| padded(last.range.end));
        let (own, other) = (end(self)..self.stored().length()?, end(original)..original.stored().length()?);
        let is_as_long = own.end - own.start == other.end - other.start;
        Ok(is_as_long && self.stored().first_difference(own, original.stored(), other.start)?.is_none())
    }
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
    if original.directory.is_some() != rewritten.directory.is_some() {
        differs("it has another format than the original".to_owned());
        return Ok(verdict);
    }
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
        let is_same = (old.size, old.crc) == (new.size, new.crc) && rewritten.is_same(packed, new, original, old)?;
        let is_in_place = is_same && (&old.name, &old.range) == (&new.name, &new.range);
        let right = if is_in_place { None } else { Some(AS_LISTED) };
        for (what, [before, after]) in differing(&old.properties, &new.properties, right) {
            differs(format!("its member {name} has another {what}: {after}, and not {before}"));
        }
        if paths.contain_target_of(old) && !new_paths.contain_target_of(new) {
            differs(format!("its link {name} leads nowhere, because what it led to has another name"));
        }
        if !compared.contains(&index) && !is_same {
            differs(format!("its member {name} is not read, but differs"));
        }
        if (old.size, old.crc) == (new.size, new.crc) && old.crc.is_some() && !is_same {
            differs(format!("its member {name} did not change, but is packed otherwise"));
        }
        if old.crc.is_none() && !rewritten.is_around(new, original, old, is_same)? {
            differs(format!("the headers or the padding of its member {name} differ"));
        }
    }
    if !rewritten.ends_like(original)? {
        differs("what follows its last member differs".to_owned());
    }
    Ok(verdict)
}

fn packed(member: &Listed) -> Range<u64> {
    member.range.clone()
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
