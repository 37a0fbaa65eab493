//! Messages (RFC 5322) with their parts (RFC 2045 and 2046), and mailboxes of them (mbox).

mod entity;
mod header_comparison;
mod lenders;
mod lines;
pub(crate) mod mbox;
pub(crate) mod message;
pub(crate) mod message_file;
mod part;
mod sides;
mod transfer_encoding;
mod walk;
