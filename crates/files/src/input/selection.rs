//! Which files are read as what.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

use absolve_containers::FileType;
use absolve_links::DocumentType;
use absolve_rewriter::Discovery;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::discover::mirror_layout::Layout;
use crate::input::entry::EntryKind;
use crate::input::maildir::Role;
use crate::input::symlinks::Symlinks;

/// How the files of an input are looked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Selection {
    /// The URL of the input: of its root, if it is a folder.
    pub url: Option<String>,
    /// The URLs of files by their paths, with `/` between names; what they do not name has that of `url`. The paths may
    /// begin with folders around the input.
    pub urls: HashMap<String, String>,
    /// Who has laid out the folders, if they tell URLs.
    pub layout: Option<Layout>,
    /// How the URLs of files are found that nobody tells.
    pub discovery: Discovery,
    /// The type of all files that are read as documents, instead of what their names tell.
    pub file_type: Option<FileType>,
    /// Only files whose paths match are read as documents; none: all.
    pub include: Option<GlobSet>,
    /// Files whose paths match are not read as documents.
    pub exclude: Option<GlobSet>,
    /// What becomes of symbolic links in a folder.
    pub symlinks: Symlinks,
}

/// Globs over paths below the input, with `*` staying within a folder and `**` crossing them.
///
/// # Errors
///
/// The message of the first pattern that is no glob.
///
/// ```
/// let globs = absolve_files::globs(&["old/**".to_owned()])?;
/// assert!(globs.is_match("old/a/b.html"));
/// # Ok::<(), globset::Error>(())
/// ```
pub fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    set.build()
}

pub(crate) fn kind_of_file(role: Role, path: &Path, selection: &Selection) -> EntryKind {
    let is_left_out = selection.include.as_ref().is_some_and(|globs| !globs.is_match(path))
        || selection.exclude.as_ref().is_some_and(|globs| globs.is_match(path));
    let extension = path.extension().and_then(OsStr::to_str);
    let by_name = extension.and_then(FileType::of_extension).or_else(|| compressed_stream(path));
    let is_text = by_name == Some(FileType::Document(DocumentType::Text)) && selection.file_type.is_none();
    match selection.file_type.or(by_name) {
        _ if is_left_out => EntryKind::Other,
        _ if role == Role::Message => EntryKind::Document(FileType::Message),
        _ if is_text => EntryKind::Text,
        Some(file_type) if by_name.is_some() || selection.include.is_some() => EntryKind::Document(file_type),
        Some(file_type) if may_be_page(path, extension) && is_readable(extension, file_type) => {
            EntryKind::Document(file_type)
        }
        _ if selection.include.is_some() || is_packed(path) => EntryKind::Explicit,
        _ if may_be_page(path, extension) => EntryKind::Unknown,
        _ => EntryKind::Other,
    }
}

/// The stream that a name tells behind that of its compression: `a.warc.gz`.
fn compressed_stream(path: &Path) -> Option<FileType> {
    let extension = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_owned);
    let inner = extension(path).filter(|outer| is_compressed(outer)).and(extension(Path::new(path.file_stem()?)))?;
    FileType::of_extension(&inner).filter(|known| matches!(known, FileType::Mbox | FileType::Warc | FileType::Arc))
}

/// Whether a file with this extension may be of a type that was asked for: a page is never compressed.
fn is_readable(extension: Option<&str>, file_type: FileType) -> bool {
    !extension.is_some_and(is_compressed) || !matches!(file_type, FileType::Document(_))
}

fn is_compressed(extension: &str) -> bool {
    ["gz", "zst"].iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Whether a name is that of mail or an archive which is compressed in another way: `inbox.mbox.bz2`.
fn is_packed(path: &Path) -> bool {
    const PACKED: [&str; 9] = ["gz", "zst", "bz2", "xz", "lz", "lz4", "z", "zip", "7z"];
    let extension = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let inner = || path.file_stem().and_then(|stem| extension(Path::new(stem)));
    extension(path).is_some_and(|extension| PACKED.contains(&&*extension))
        && inner()
            .and_then(|inner| FileType::of_extension(&inner))
            .is_some_and(|file_type| !matches!(file_type, FileType::Document(_)))
}

/// Whether a page may hide behind a name that is not that of a document: names without an extension, with a query,
/// with a number behind (`page.html.1`), or of the programs that make pages. Or an mbox or a web
/// archive, perhaps compressed.
fn may_be_page(path: &Path, extension: Option<&str>) -> bool {
    const PROGRAMS: [&str; 11] = ["php", "php3", "php4", "php5", "asp", "aspx", "jsp", "cfm", "cgi", "pl", "do"];
    let is_program = |extension: &str| PROGRAMS.iter().any(|program| program.eq_ignore_ascii_case(extension));
    let is_number = |extension: &str| extension.bytes().all(|byte| byte.is_ascii_digit());
    extension.is_none_or(|extension| is_program(extension) || is_number(extension) || is_compressed(extension))
        || path.file_name().is_some_and(|name| name.as_encoded_bytes().contains(&b'?'))
}
