//! A member of a bundle.

/// A member of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name as it is written, with `/` between folders.
    pub name: Vec<u8>,
    /// Its size in bytes, unpacked.
    pub size: u64,
    /// What it is.
    pub kind: MemberKind,
    /// The target of a link, as it is written.
    pub target: Vec<u8>,
}

/// What a member is, and whether it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Another name of a member, whose name in the bundle is its target.
    HardLink,
    /// A link, whose target is relative to its folder.
    SymbolicLink,
    /// A file that is not read, and why.
    Unread(&'static str),
    /// Neither a file, a folder nor a link that stays inside, and what it is.
    Odd(&'static str),
}

/// The maximum length of a name in bytes: that of paths on file systems.
pub(crate) const NAME_BYTES: usize = 4096;

impl Member {
    /// Returns a member. One with a name that leads out of the bundle is not read.
    pub fn new(name: &[u8], size: u64, kind: MemberKind) -> Self {
        let kind = match kind {
            MemberKind::Odd(_) => kind,
            _ if name.len() > NAME_BYTES => MemberKind::Odd("its name is longer than 4096 bytes"),
            _ if leads_out(name) => MemberKind::Odd("its name leads out of the archive"),
            _ => kind,
        };
        Self { name: name[..name.len().min(NAME_BYTES)].to_vec(), size, kind, target: Vec::new() }
    }

    /// Returns the member with the target of a link; any other has none.
    pub fn with_target(self, target: impl FnOnce() -> Option<Vec<u8>>) -> Self {
        let is_link = matches!(self.kind, MemberKind::HardLink | MemberKind::SymbolicLink);
        let target = if is_link { target().unwrap_or_default() } else { Vec::new() };
        Self { target, ..self }
    }

    /// Returns its name with another last segment.
    pub fn with_last_segment(&self, segment: &[u8]) -> Vec<u8> {
        let start = memchr::memrchr(b'/', &self.name).map_or(0, |slash| slash + 1);
        [&self.name[..start], segment].concat()
    }
}

/// Returns whether a name, or the target of a link, leads out of the folder that it is relative to, on any system.
pub(crate) fn leads_out(name: &[u8]) -> bool {
    let mut segments = name.split(|byte| matches!(byte, b'/' | b'\\'));
    let is_absolute = matches!(name, [b'/' | b'\\', ..] | [b'a'..=b'z' | b'A'..=b'Z', b':', ..]);
    is_absolute || name.is_empty() || name.contains(&0) || segments.any(|segment| segment == b"..")
}
