//! ZIP and tar files of any tree.

mod place;
mod tar;
pub(crate) mod zip;

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Display, Path, PathBuf};
use std::sync::Arc;

use absolve_framing::Compression;
use absolve_framing::bundle::{
    Directory, Headers, Links, Member, TarMember, is_tar, is_zip, normal, os_path, read_headers, without_sizes,
};

use crate::bundle::place::{AS_LISTED, Place, Properties, differing};
use crate::storage::Stored;
use crate::storage::temporary::Spool;
use crate::verdict::{Difference, Rule, Verdict};

/// The members of a ZIP or tar file.
#[derive(Debug)]
pub struct Bundle {
    /// The file, decompressed.
    file: Arc<File>,
    members: Vec<Member>,
    places: Vec<Place>,
    /// The list of a ZIP.
    directory: Option<Directory>,
    /// The headers of each member of a tar.
    headers: Vec<TarMember>,
    compression: Compression,
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
            let (members, places) = (directory.members(&file), zip::places(&file, &directory)?);
            let (headers, compression) = (Vec::new(), Compression::None);
            return Ok(Self { file, members, places, directory: Some(directory), headers, compression });
        }
        let compression = if begins_tar { Compression::None } else { Stored::File(file).compression()? };
        let file = match compression {
            Compression::None => file.try_clone()?,
            _ => Spool::file_of(Stored::File(file).decompressed()?)?,
        };
        let Headers { members, places: headers, .. } = read_headers(&file)?;
        let places = tar::places(&headers);
        Ok(Self { file: Arc::new(file), members, places, directory: None, headers, compression })
    }

    /// Copies the contents of the member with this index. Returns whether there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be read, has another size or checksum than it declares, or `output` cannot be written.
    pub fn copy_member(&self, index: usize, output: &mut dyn Write) -> io::Result<bool> {
        let Some(Place { data, .. }) = self.places.get(index) else { return Ok(false) };
        match &self.directory {
            Some(directory) => io::copy(&mut directory.records[index].open(&self.file)?, output)?,
            None => io::copy(&mut self.stored().reader_at(data.start).take(data.end - data.start), output)?,
        };
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

    fn stored(&self) -> Stored<'_> {
        Stored::File(&self.file)
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.members.iter().map(|member| normal(&os_path(&member.name))).collect()
    }

    /// Returns the properties of the member with this index.
    fn properties(&self, index: usize) -> io::Result<Properties> {
        let place = &self.places[index];
        match &self.directory {
            Some(directory) => zip::properties(&self.file, directory, index, place),
            None => tar::properties(&self.file, &self.headers[index], place),
        }
    }

    /// Returns what is before the members of a ZIP, or behind those of a tar, and where that is.
    fn outside(&self) -> io::Result<(&'static str, Range<u64>)> {
        let Some(directory) = &self.directory else {
            let end = self.places.last().map_or(0, |place| place.end);
            return Ok(("follows its last member", end..self.stored().length()?));
        };
        let starts = self.places.iter().map(|place| place.start);
        Ok(("precedes its first member", 0..starts.min().unwrap_or(directory.start)))
    }

    /// Reports whether the same bytes are in a place of the original.
    fn is_same(&self, own: Range<u64>, original: &Self, old: Range<u64>) -> io::Result<bool> {
        let is_as_long = own.end - own.start == old.end - old.start;
        Ok(is_as_long && self.stored().first_difference(own, original.stored(), old.start)?.is_none())
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
    let [format, new_format] = [original, rewritten].map(|side| (side.directory.is_some(), side.compression));
    if format != new_format {
        differs("it has another format, or is compressed otherwise than the original".to_owned());
        return Ok(verdict);
    }
    let ((what, before), (_, after)) = (original.outside()?, rewritten.outside()?);
    if !rewritten.is_same(after, original, before)? {
        differs(format!("what {what} differs"));
    }
    if let (Some(old), Some(new)) = (&original.directory, &rewritten.directory)
        && !zip::is_right(new, old)
    {
        differs("the order of its members, or what follows their list, differs".to_owned());
    }
    let [old, new] = [original, rewritten].map(|bundle| bundle.members.len());
    if old != new {
        differs(format!("it has {new} members, and the original {old}"));
    }
    let [paths, new_paths] = [original, rewritten].map(Bundle::paths);
    for [name, one, other] in parted(&paths, &new_paths) {
        differs(format!("its members of the name {name} have different names: {one} and {other}"));
    }
    for [name, one, other] in parted(&new_paths, &paths) {
        differs(format!("its members {one} and {other} have the same name: {name}"));
    }
    let (leads, new_leads) = (leading(&original.members, &paths), leading(&rewritten.members, &new_paths));
    for (index, member) in original.members.iter().enumerate().take(new) {
        let name = String::from_utf8_lossy(&member.name);
        let differences = differences_of(original, rewritten, index, compared.contains(&index))?;
        differences.into_iter().for_each(|difference| differs(format!("its member {name} {difference}")));
        if leads[index] && !new_leads[index] {
            differs(format!("its link {name} leads nowhere, because what it led to has another name"));
        }
    }
    Ok(verdict)
}

/// Returns how the member with this index differs, besides contents that are compared by themselves.
fn differences_of(original: &Bundle, rewritten: &Bundle, index: usize, is_compared: bool) -> io::Result<Vec<String>> {
    let [(old, before), (new, after)] = [original, rewritten].map(|side| (&side.members[index], &side.places[index]));
    let is_same = |range: fn(&Place) -> Range<u64>| rewritten.is_same(range(after), original, range(before));
    let has_same_sums = (old.size, before.crc) == (new.size, after.crc);
    let has_same_contents = has_same_sums && is_same(|place| place.data.clone())?;
    let is_in_place = has_same_contents && (&old.name, &before.data) == (&new.name, &after.data);
    let right = if is_in_place { None } else { Some(AS_LISTED) };
    let mut differences = differing(&original.properties(index)?, &rewritten.properties(index)?, right);
    if without_sizes(&old.name) != without_sizes(&new.name) {
        differences.push(format!("is named {}", String::from_utf8_lossy(&new.name)));
    }
    if !has_same_contents && !is_compared {
        differences.push("is not read, but differs".to_owned());
    } else if !has_same_contents && has_same_sums && before.crc.is_some() {
        differences.push("did not change, but is packed otherwise".to_owned());
    }
    if before.crc.is_none() && has_same_contents && !(is_same(Place::before)? && is_same(Place::after)?) {
        differences.push("has other headers, or another padding".to_owned());
    }
    Ok(differences)
}

/// Returns the names that several members have in one list, each with two names that they have in the other one. A later member
/// supersedes an earlier one of its name.
fn parted<'p>(list: &'p [PathBuf], other: &'p [PathBuf]) -> impl Iterator<Item = [Display<'p>; 3]> {
    let mut first = HashMap::new();
    list.iter().zip(other).filter_map(move |(path, other)| {
        let one = *first.entry(path).or_insert(other);
        (one != other).then(|| [path, one, other].map(|path| path.display()))
    })
}

/// Returns whether each of the members is a link that leads to a member, or to a folder of one.
fn leading(members: &[Member], paths: &[PathBuf]) -> Vec<bool> {
    let (links, sorted) = (Links::of(members, paths), paths.iter().map(PathBuf::as_path).collect::<BTreeSet<_>>());
    let is_there = |target: &Path| sorted.range(target..).next().is_some_and(|path| path.starts_with(target));
    paths.iter().map(|path| links.target(path).is_some_and(is_there)).collect()
}
