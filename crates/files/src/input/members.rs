//! The members of a bundle as entries.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use absolve_containers::FileType;
use absolve_framing::bundle::{Links, Member, MemberKind, normal, os_path};
use absolve_rewriter::internal::url_below;
use absolve_rewriter::{Code, Finding};

use crate::bundle::Bundle;
use crate::input::entry::{Attributes, Collection, Entry, Storage};
use crate::input::kind::{EntryKind, Otherwise, is_bundle_name};
use crate::input::maildir;
use crate::input::maildir::Role;
use crate::input::selection::Selection;
use crate::input::walk::folder_url;

/// Returns whether an explicitly named file is opened as a bundle. Its name has to be that of one, or to have no extension: office
/// documents and books are ZIP files, too.
pub(crate) fn may_be_bundle(path: &Path) -> bool {
    is_bundle_name(path) || path.extension().is_none()
}

/// Adds the entry of a file that is a bundle, and those of its members after it.
pub(crate) fn add(archive: Entry, bundle: Bundle, selection: &Selection, collection: &mut Collection) {
    if is_wacz(&bundle) {
        return collection.entries.push(Entry { kind: EntryKind::File(FileType::Wacz), ..archive });
    }
    let archive = Entry { kind: EntryKind::Bundle(bundle.format()), ..archive };
    collection.entries.push(archive.clone());
    Members { archive: &archive, selection, bundle: Arc::new(bundle) }.add_to(collection);
}

/// Returns whether a ZIP file is a collection of web archives (WACZ).
fn is_wacz(bundle: &Bundle) -> bool {
    let has = |wanted: &dyn Fn(&Member) -> bool| bundle.members().iter().any(wanted);
    has(&|member| member.name == b"datapackage.json") && has(&|member| member.name.starts_with(b"archive/"))
}

/// A bundle whose members become entries.
struct Members<'m> {
    archive: &'m Entry,
    selection: &'m Selection,
    bundle: Arc<Bundle>,
}

impl Members<'_> {
    fn add_to(&self, collection: &mut Collection) {
        let paths: Vec<PathBuf> = self.bundle.members().iter().map(|member| normal(&os_path(&member.name))).collect();
        let links = Links::of(self.bundle.members(), &paths);
        let folders: HashSet<&Path> = paths.iter().flat_map(|path| path.ancestors()).collect();
        let places: HashMap<&Path, usize> = paths.iter().map(PathBuf::as_path).zip(0..).collect();
        let maildirs: HashSet<&Path> = paths.iter().filter_map(|path| maildir::maildir_by_name(path)).collect();
        let role_of = |index: usize| maildir::role_of_member(&paths[index], &folders, &maildirs);
        let entry_of =
            |index: usize| self.entry(index, self.bundle.members()[index].size, paths[index].clone(), role_of(index));
        if let Some(unread) = self.bundle.unread() {
            let finding = Finding::new(Code::MemberUnread, unread);
            collection.findings.push((self.archive.source.clone(), finding));
        }
        for (index, (member, path)) in self.bundle.members().iter().zip(&paths).enumerate() {
            let source = match member.kind {
                MemberKind::Odd(_) => self.odd_source(member),
                _ => self.archive.source.join(path),
            };
            let mut report = |finding| collection.findings.push((source.clone(), finding));
            match member.kind {
                MemberKind::Folder => {}
                MemberKind::HardLink | MemberKind::SymbolicLink => {
                    let (target, entry) = (links.target(path), entry_of(index));
                    let linked = target.and_then(|target| places.get(target)).map(|index| entry_of(*index));
                    if let Some(linked) = linked.filter(|linked| is_hard_link_to_other(&entry, linked)) {
                        let name = linked.path.display();
                        let why = format!("it is a hard link to {name}, whose contents are not read as this name says");
                        report(Finding::left_unchanged(Code::MemberUnread, why));
                    }
                    let target = target.map(|target| self.archive.source.join(target));
                    collection.entries.push(Entry { kind: EntryKind::Symlink(target), ..entry });
                }
                MemberKind::Odd(what) => report(Finding::new(Code::NotAFile, format!("{what}; it is kept as it is"))),
                MemberKind::Unread(why) => report(Finding::left_unchanged(Code::MemberUnread, why)),
                MemberKind::File => {
                    if role_of(index) == Role::Index {
                        let message = "kept as it is: the mail server rebuilds it from the messages";
                        report(Finding::new(Code::MailIndex, message));
                    }
                    if is_bundle_name(path) && !self.selection.leaves_out(path) {
                        let why = "an archive within an archive is not read; left unchanged, unpack it first";
                        report(Finding::new(Code::MemberUnread, why));
                    }
                    collection.entries.push(entry_of(index));
                }
            }
        }
    }

    /// Returns a name for messages. A path may be absolute, and would take the place of that of the archive.
    fn odd_source(&self, member: &Member) -> PathBuf {
        let mut name = self.archive.source.clone().into_os_string();
        name.push("/");
        name.push(os_path(&member.name));
        name.into()
    }

    fn entry(&self, index: usize, size: u64, path: PathBuf, role: Role) -> Entry {
        let Self { archive, selection, bundle } = self;
        let kind = match role {
            Role::Index | Role::Temporary => EntryKind::Copied,
            Role::Message | Role::None if is_bundle_name(&path) => EntryKind::Copied,
            Role::Message | Role::None => EntryKind::of_file(role, &path, selection),
        };
        let url = selection.url.as_deref().map(|url| url_below(folder_url(url), &path));
        let (source, record) = (archive.source.join(&path), maildir::record_of(&path, role));
        let storage = Storage::Member(bundle.clone(), index);
        let attributes = Attributes { size, modified: None, ..archive.attributes.clone() };
        let entry = Entry { source, path, record, kind, attributes, storage, ..(*archive).clone() };
        entry.given(selection, url)
    }
}

/// Returns whether a link is a hard link whose name is that of a document of a type, and the name of the member is not.
fn is_hard_link_to_other(link: &Entry, member: &Entry) -> bool {
    let named = Entry { storage: member.storage.clone(), ..link.clone() };
    let file_type = |entry: &Entry| entry.file_type().unwrap_or_default();
    (link.member_kind(), member.member_kind()) == (Some(MemberKind::HardLink), Some(MemberKind::File))
        && link.kind != member.kind
        // Without a type by its name, it is read as the member is.
        && !matches!(link.kind, EntryKind::Undecided(Otherwise::Copied | Otherwise::CopiedSource))
        && file_type(&named).is_some_and(|named| file_type(member) != Some(named))
}
