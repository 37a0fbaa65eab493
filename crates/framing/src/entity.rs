//! Entities of messages (RFC 2045 and 2046): how their bodies are divided and encoded, and what their fields describe.

pub(crate) mod body_fields;
#[cfg(feature = "mail")]
pub(crate) mod detached;
#[cfg(feature = "mail")]
pub(crate) mod field_url;
pub(crate) mod foreign_mailbox;
pub(crate) mod message_fields;
#[cfg(feature = "mail")]
pub(crate) mod multipart;
#[cfg(feature = "mail")]
pub(crate) mod transfer;
