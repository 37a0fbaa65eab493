//! What becomes of messages.

/// How references in header fields of messages are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HeaderFields {
    /// They are kept; relative ones are listed as kept.
    #[default]
    Keep,
    /// They are made absolute, and so are references to parts by their `Content-Location`.
    Absolute,
}

impl HeaderFields {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("keep", Self::Keep), ("absolute", Self::Absolute)];
}

/// How signatures that edits would break are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Signatures {
    /// Signed and encrypted parts are left unchanged; server signatures (DKIM, ARC) are broken, with a finding.
    #[default]
    Keep,
    /// All are broken.
    Break,
    /// All are kept, including those of servers.
    KeepAll,
}

impl Signatures {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 3] =
        [("keep", Self::Keep), ("keep-all", Self::KeepAll), ("break", Self::Break)];
}
