//! ZIP and tar files: which members they list, and where these are.

mod checked;
mod descriptor;
mod fields;
mod header_form;
mod links;
mod member;
mod message_sizes;
mod part;
mod paths;
mod pax;
pub(crate) mod tar_headers;
mod zip_directory;

pub use checked::{Checked, damaged};
pub use descriptor::Descriptor;
pub use fields::{ELSEWHERE, ZIP64, blocks, long_numbers, number, unicode_head, unicode_name};
pub use header_form::HeaderForm;
pub use links::Links;
pub use member::{Member, MemberKind};
pub use message_sizes::{sizes_of, with_sizes, without_sizes};
pub use part::{FilePart, bytes_at, read_at};
pub use paths::{normal, os_path};
pub use pax::{pax_record, pax_records};
pub use tar_headers::{BLOCK, Extension, ExtensionKind, Headers, TarMember, is_header, is_tar, padded, read_headers};
pub use zip_directory::{
    DEFLATED, Directory, DirectoryRecord, END_LENGTH, HAS_DESCRIPTOR, LOCAL_LENGTH, LOCATOR_LENGTH, LONG_END_LENGTH,
    is_zip, overlap,
};
