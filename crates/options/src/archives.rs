//! What becomes of web archives.

/// Form of the output for a web archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WarcOutput {
    /// The archive byte for byte, followed by `conversion` records (ISO 28500, section 6.8) of the changed documents.
    #[default]
    Append,
    /// The conversions only, as a separate archive.
    Sidecar,
    /// A derived archive: `resource` records (ISO 28500, section 6.4) replace the responses whose links change.
    Resource,
}

impl WarcOutput {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 3] =
        [("append", Self::Append), ("sidecar", Self::Sidecar), ("resource", Self::Resource)];
}

/// Whether `Content-Base`, `Content-Location` and `Base` of an HTTP response declare the base of its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HttpHeaders {
    /// They do not (RFC 7231, appendix B).
    #[default]
    Ignore,
    /// They do (RFC 2068, sections 14.11 and 14.15).
    Count,
}

impl HttpHeaders {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("ignore", Self::Ignore), ("count", Self::Count)];
}

/// Treatment of records whose content does not match their digest (ISO 28500, sections 5.8 and 5.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Digests {
    /// They are damaged, and are left unchanged.
    #[default]
    Check,
    /// They change like other records.
    Ignore,
}

impl Digests {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("check", Self::Check), ("ignore", Self::Ignore)];
}
