//! Why parts are left, and what is wrong with those that are read.

pub(super) const IRREGULAR: &str =
    "its base64 has trailing white space, or no padding; what changes is written correctly";

pub(super) const ENCODED_MULTIPART: &str =
    "it is a multipart, which must not have a transfer encoding, and is read without: its delimiters are not encoded";

pub(super) const ENCODED_MULTIPART_UNREAD: &str = "a multipart body must not have a transfer encoding";

pub(super) const UNKNOWN_ENCODING: &str = "its transfer encoding is unknown or malformed";

pub(super) const TOO_MANY_BASES: &str = "the bases declared for all parts are many times the size of the message";

pub(super) const MALFORMED_TYPE: &str =
    "its Content-Type is malformed, and its content does not begin like HTML or XML";

pub(super) const REPAIRED_TYPE: &str =
    "its Content-Type is malformed; its content begins like HTML or XML, and is read as that";
