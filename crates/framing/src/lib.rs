#![doc = include_str!("../README.md")]

#[cfg(feature = "records")]
mod archived;
#[cfg(feature = "records")]
mod batches;
#[cfg(feature = "records")]
mod budget;
#[cfg(feature = "records")]
pub mod bundle;
mod comments;
#[cfg(feature = "records")]
mod compression;
mod entity;
#[cfg(feature = "records")]
mod framing;
#[cfg(feature = "mail")]
mod header_extent;
mod header_fields;
#[cfg(feature = "records")]
mod limits;
mod packing;
#[cfg(feature = "mail")]
mod parameters;
#[cfg(feature = "records")]
mod pieces;

pub use comments::without_comments;
pub use entity::body_fields::{Measure, digested_forms, trimmed, unescaped, with_digest};
pub use entity::foreign_mailbox::ForeignMailbox;
pub use entity::message_fields::{is_saved_by_browser, is_saved_page, referring_field};
pub use header_fields::{HeaderField, body_start, content_length, header_fields, text_of_field};
pub use packing::Packing;

#[cfg(feature = "mail")]
pub use crate::{
    entity::{
        detached::are_signed,
        field_url::{FieldUrl, holds_several_urls},
        multipart::{Division, divide, may_be_encoded},
        transfer::Transfer,
    },
    header_extent::{HeaderExtent, Malformed, SERVER_SIGNATURES, describes_body},
    parameters::{
        FIELD_BYTES, MediaType, attached_name, media_type, parameters, type_of_part, with_parameters,
        word_and_parameters,
    },
};

#[cfg(feature = "records")]
pub use crate::{
    archived::{
        response::{Decoded, Response, Unreadable},
        warc_record::{WarcRecord, lacks_scheme},
    },
    batches::{Batch, Batches, RECORDS, Record, Sizes},
    budget::Budget,
    compression::{Compression, DEFLATE_LEVEL, Encoder, rewindable::READ_AHEAD, skimming::LengthByHead},
    framing::{
        Content, Damage, Extent, Framed, Framing, arc::ArcRecord, archive::ArchiveFormat, emlx::counted_message,
        mailbox::MailboxFraming,
    },
    limits::{INDEX_BYTES, MESSAGE_BYTES, RECORD_BYTES, RECORD_HEADER},
    pieces::{PieceEnd, Splitting},
};

#[cfg(feature = "archives")]
pub use crate::archived::{
    document::{ArchivedDocument, ArchivedKind, NoDocument},
    fixity::wrong_digest,
    index_row::{ArchivePaths, IndexRow, head_of_blocks, row_of_block},
    package::{FileHash, PACKAGE, PACKAGE_DIGEST, PAGES, Package, StartPage, is_digest_of, package_digest},
    wat::WatPage,
    writing::{DEFAULT_VERSION, block_digest, name_based_uuid, printable, record_bytes, urn},
};
