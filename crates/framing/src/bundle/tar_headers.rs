//! The headers of a tar file: POSIX (pax, ustar), GNU and older.

use std::fs::File;
use std::io;
use std::ops::Range;

use tar::{EntryType, Header};

use crate::bundle::checked::damaged;
use crate::bundle::member::{Member, MemberKind, leads_out};
use crate::bundle::part::bytes_at;
use crate::bundle::pax::{pax_records, value_of};
use crate::limits::{MEMBERS, TAR_EXTENSION};

/// Where a member of a tar file is.
#[derive(Clone, Debug)]
pub struct TarMember {
    /// The headers before its own that extend that one.
    pub extensions: Vec<Extension>,
    /// Whether its name is in one of them.
    pub has_long_name: bool,
    /// Where its own header is.
    pub header: u64,
    /// Where its contents are.
    pub data: Range<u64>,
}

/// A header that extends the next one, and where it is in the file.
#[derive(Clone, Debug)]
pub struct Extension {
    /// What it says of the next one.
    pub kind: ExtensionKind,
    /// Where its header is.
    pub header: u64,
    /// Where its contents are.
    pub data: Range<u64>,
}

/// What a header says of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtensionKind {
    /// Records of pax.
    Records,
    /// The name of the member, by GNU tar.
    LongName,
    /// The target of a link, by GNU tar.
    LongLink,
}

/// The type of a header with the name of the archive (GNU tar).
const VOLUME_LABEL: u8 = b'V';

/// The bytes of a header; contents are padded to as many.
pub const BLOCK: u64 = 512;

/// Returns whether a file begins with a header.
pub fn is_tar(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.len() >= BLOCK && is_header(&bytes_at(file, 0..BLOCK)?))
}

/// Returns whether these bytes are the header of a member.
pub fn is_header(block: &[u8]) -> bool {
    block.len() == BLOCK as usize && is_intact(Header::from_byte_slice(block))
}

/// Returns the offset after contents and their padding.
pub const fn padded(end: u64) -> u64 {
    end.next_multiple_of(BLOCK)
}

/// What a tar file lists.
#[derive(Debug)]
pub struct Headers {
    /// The members in their order.
    pub members: Vec<Member>,
    /// Where each of them is.
    pub places: Vec<TarMember>,
    /// What may not have been read, if it does not end as a whole one.
    pub unread: Option<String>,
}

/// Reads all headers.
pub fn read_headers(file: &File) -> io::Result<Headers> {
    let length = file.metadata()?.len();
    let (mut members, mut places) = (Vec::new(), Vec::new());
    let mut extensions: Vec<Extension> = Vec::new();
    let (mut at, mut has_end) = (0, false);
    while at < length {
        let Some(FoundHeader { header, extended, data }) = header_at(file, at, length, &extensions)? else {
            has_end = true;
            break;
        };
        let next = padded(data.end);
        match (header.entry_type(), extension_kind(header.entry_type())) {
            (_, Some(kind)) => extensions.push(Extension { kind, header: at, data }),
            (EntryType::XGlobalHeader, _) => refuse_global(&bytes_at(file, data)?, at)?,
            (entry_type, _) if entry_type.as_byte() == VOLUME_LABEL => {}
            _ => {
                let has_long_name = extended.name.is_some();
                members.push(extended.member(&header, data.end - data.start));
                let extensions = std::mem::take(&mut extensions);
                places.push(TarMember { extensions, has_long_name, header: at, data });
            }
        }
        if members.len() as u64 > MEMBERS {
            return Err(damaged(&format!("archives of more than {MEMBERS} members are not read")));
        }
        at = next;
    }
    let unread = match has_end {
        _ if !is_blank(file, at..length)? => {
            Some(format!("it ends at byte {at}; what follows, perhaps another archive, is not read"))
        }
        false if !extensions.is_empty() => return Err(cut_off(at)),
        false if at > 0 => {
            Some(format!("no block of zeros marks its end; if it is cut off at byte {at}, members are missing"))
        }
        _ => None,
    };
    Ok(Headers { members, places, unread })
}

/// A header, what those before it say of it, and where its contents are.
struct FoundHeader {
    header: Header,
    extended: Extended,
    data: Range<u64>,
}

/// Reads the header at a byte of a file of this length; `None` if zeros mark the end there.
fn header_at(file: &File, at: u64, length: u64, extensions: &[Extension]) -> io::Result<Option<FoundHeader>> {
    if length - at < BLOCK {
        return Err(cut_off(at));
    }
    let block = bytes_at(file, at..at + BLOCK)?;
    if block.iter().all(|byte| *byte == 0) {
        return Ok(None);
    }
    let header = Header::from_byte_slice(&block);
    if !is_intact(header) {
        return Err(match at {
            0 => damaged("it is not a tar file, or its first header is damaged"),
            _ => damaged(&format!("the header at byte {at} is damaged")),
        });
    }
    let entry_type = header.entry_type();
    let extended = Extended::read(file, extensions)?;
    let own_size = if has_contents(entry_type) { header.entry_size()? } else { 0 };
    let size = extended.size.filter(|_| own_size_may_differ(header)).unwrap_or(own_size);
    let start = data_start(file, header, at)?;
    let end = start.checked_add(size).filter(|end| *end <= length && padded(*end) <= length);
    let end = end.ok_or_else(|| cut_off(at))?;
    let extends_others = extension_kind(entry_type).is_some() || entry_type == EntryType::XGlobalHeader;
    if extends_others && size > TAR_EXTENSION {
        return Err(damaged(&format!("the header at byte {at} is longer than {} MiB", TAR_EXTENSION >> 20)));
    }
    Ok(Some(FoundHeader { header: header.clone(), extended, data: start..end }))
}

fn extension_kind(entry_type: EntryType) -> Option<ExtensionKind> {
    match entry_type {
        EntryType::XHeader => Some(ExtensionKind::Records),
        EntryType::GNULongName => Some(ExtensionKind::LongName),
        EntryType::GNULongLink => Some(ExtensionKind::LongLink),
        _ => None,
    }
}

/// Returns the error of a file that ends within a member, whose headers begin at a byte.
fn cut_off(at: u64) -> io::Error {
    damaged(&format!("it is cut off: byte {at} begins a member that is not there"))
}

/// Returns an error if records for all members say what differs between members.
fn refuse_global(records: &[u8], at: u64) -> io::Result<()> {
    let is_of_one = |key: &[u8]| matches!(key, b"size" | b"path" | b"linkpath") || key.starts_with(SPARSE_KEYS);
    match pax_records(records)?.into_iter().find(|(key, _)| is_of_one(key)) {
        Some((key, _)) => Err(damaged(&format!(
            "the header at byte {at} gives all members one {}, which is not read",
            String::from_utf8_lossy(key)
        ))),
        None => Ok(()),
    }
}

/// Returns whether all bytes of a range are zero.
fn is_blank(file: &File, range: Range<u64>) -> io::Result<bool> {
    const AT_ONCE: u64 = 1 << 20;
    for start in range.clone().step_by(AT_ONCE as usize) {
        if bytes_at(file, start..range.end.min(start + AT_ONCE))?.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
    }
    Ok(true)
}

const SPARSE_KEYS: &[u8] = b"GNU.sparse.";

const SPARSE: MemberKind = MemberKind::Unread("it is sparse: its holes are left out of the archive");

fn kind_of(header: &Header, name: &[u8], target: Option<&[u8]>) -> MemberKind {
    match header.entry_type() {
        EntryType::Regular | EntryType::Continuous if name.ends_with(b"/") => MemberKind::Folder,
        EntryType::Regular | EntryType::Continuous => MemberKind::File,
        EntryType::Directory => MemberKind::Folder,
        EntryType::Link if target.is_none_or(leads_out) => {
            MemberKind::Odd("it is a hard link that leads out of the archive")
        }
        EntryType::Link => MemberKind::HardLink,
        EntryType::Symlink => MemberKind::SymbolicLink,
        EntryType::GNUSparse => SPARSE,
        EntryType::Char | EntryType::Block | EntryType::Fifo => MemberKind::Odd("it is a device"),
        _ => MemberKind::Odd("it is neither a file, a folder nor a link"),
    }
}

/// Returns whether a header has its checksum. Old programs add up signed bytes.
fn is_intact(header: &Header) -> bool {
    let bytes = header.as_bytes();
    let counted = |at: usize| if (148..156).contains(&at) { b' ' } else { bytes[at] };
    let sum: u32 = (0..bytes.len()).map(|at| u32::from(counted(at))).sum();
    let signed: i32 = (0..bytes.len()).map(|at| i32::from(counted(at).cast_signed())).sum();
    header.cksum().is_ok_and(|written| written == sum || i64::from(written) == i64::from(signed))
}

/// Returns whether the size in a header is that of contents: links, devices, folders and labels have none.
fn has_contents(entry_type: EntryType) -> bool {
    !matches!(entry_type.as_byte(), b'1'..=b'6' | VOLUME_LABEL)
}

/// Returns whether the size of a member may be that of a record before it.
fn own_size_may_differ(header: &Header) -> bool {
    matches!(header.entry_type(), EntryType::Regular | EntryType::Continuous)
}

/// Returns where the contents begin: after the header, and after the maps of a sparse file.
fn data_start(file: &File, header: &Header, at: u64) -> io::Result<u64> {
    const IS_EXTENDED: usize = 504;
    let mut start = at + BLOCK;
    let mut more = header.as_gnu().is_some_and(|gnu| gnu.is_extended()) && header.entry_type() == EntryType::GNUSparse;
    while more {
        more = bytes_at(file, start..start + BLOCK)?[IS_EXTENDED] != 0;
        start += BLOCK;
    }
    Ok(start)
}

/// What the headers before that of a member say of it.
#[derive(Default)]
struct Extended {
    name: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

impl Extended {
    fn read(file: &File, extensions: &[Extension]) -> io::Result<Self> {
        let mut all = Self::default();
        for Extension { kind, data, .. } in extensions {
            let bytes = bytes_at(file, data.clone())?;
            let text = || bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
            match kind {
                // Records have precedence.
                ExtensionKind::LongName => all.name = all.name.or_else(|| Some(text())),
                ExtensionKind::LongLink => all.target = all.target.or_else(|| Some(text())),
                ExtensionKind::Records => {
                    let records = pax_records(&bytes)?;
                    let value = |key: &[u8]| value_of(&records, key).map(<[u8]>::to_vec);
                    all.name = value(b"path").or(all.name);
                    all.target = value(b"linkpath").or(all.target);
                    let size = value_of(&records, b"size").and_then(|size| str::from_utf8(size).ok()?.parse().ok());
                    all.size = size.or(all.size);
                    all.is_sparse |= records.iter().any(|(key, _)| key.starts_with(SPARSE_KEYS));
                }
            }
        }
        Ok(all)
    }

    /// Returns the member with this header and size.
    fn member(self, header: &Header, size: u64) -> Member {
        let name = self.name.unwrap_or_else(|| header.path_bytes().into_owned());
        let target = self.target.or_else(|| header.link_name_bytes().map(|name| name.into_owned()));
        let kind = if self.is_sparse { SPARSE } else { kind_of(header, &name, target.as_deref()) };
        Member::new(&name, size, kind).with_target(|| target)
    }
}
