//! ZIP and tar files: which members they list, and where these are.

mod checked;
mod fields;
mod member;
mod part;
mod pax;
pub(crate) mod tar_headers;
mod zip_directory;

pub use checked::{Checked, damaged};
pub use fields::{ELSEWHERE, blocks, long_numbers, number};
pub use member::{Member, MemberKind};
pub use part::{FilePart, bytes_at, read_at};
pub use pax::{pax_record, pax_records};
pub use tar_headers::{BLOCK, Extension, ExtensionKind, Headers, TarMember, is_header, is_tar, padded, read_headers};
pub use zip_directory::{
    DEFLATED, Directory, DirectoryRecord, END_LENGTH, HAS_DESCRIPTOR, LOCAL_LENGTH, LOCATOR_LENGTH, LONG_END_LENGTH,
    RECORD_LENGTH, is_zip, overlap,
};
