//! A WARC record: its header and its block (ISO 28500, section 5).

use crate::framing::arc::is_internal;
use crate::header_fields::{HeaderField, body_start, header_fields, text_of_field};

/// A record, split into its header and its block.
#[derive(Debug)]
pub struct WarcRecord<'r> {
    header: &'r [u8],
    fields: Vec<HeaderField<'r>>,
    /// What follows the empty line after its header.
    pub block: &'r [u8],
}

impl<'r> WarcRecord<'r> {
    /// Splits a record.
    pub fn new(record: &'r [u8]) -> Self {
        let (header_end, block) = body_start(record, 0..record.len());
        let header = &record[..header_end];
        Self { header, fields: header_fields(header).collect(), block: &record[block..] }
    }

    /// Returns the value of the first field of this name, unfolded.
    pub fn field(&self, name: &str) -> Option<String> {
        self.fields(name).next()
    }

    /// Returns the values of all fields of this name, unfolded.
    pub fn fields(&self, name: &str) -> impl Iterator<Item = String> {
        let fields = self.fields.iter().filter(move |field| field.is_named(name));
        fields.map(|field| text_of_field(&self.header[field.value.clone()]))
    }

    /// Returns whether a field has this value, without regard to case.
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.field(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    /// Returns the `WARC-Target-URI` without angle brackets, unless it is of a scheme that documents are not retrieved from.
    pub fn target(&self) -> Option<String> {
        let target = self.url()?;
        // The grammar of WARC/1.0 has angle brackets around it, and some writers follow that.
        let target = match target.strip_prefix('<').and_then(|target| target.strip_suffix('>')) {
            Some(target) => target.to_owned(),
            None => target,
        };
        (!is_internal(&target)).then_some(target)
    }

    /// Returns whether it is a segment of a record with content that is divided (ISO 28500, section 7).
    pub fn is_segment(&self) -> bool {
        let is_divided = ["response", "resource", "conversion"].iter().any(|kind| self.is("WARC-Type", kind));
        self.is("WARC-Type", "continuation") || (is_divided && self.field("WARC-Segment-Number").is_some())
    }

    /// Returns the type of its block, if that is no message of HTTP, or else the one that the writer identified; empty without one.
    pub fn own_type(&self) -> String {
        let is_own = |declared: &String| {
            let name = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            !["", "application/http", "message/http"].contains(&&*name)
        };
        let declared = self.field("Content-Type").filter(is_own);
        declared.or_else(|| self.field("WARC-Identified-Payload-Type")).unwrap_or_default()
    }

    /// Returns the `WARC-Target-URI` as written, unfolded without white space.
    pub fn url(&self) -> Option<String> {
        let field = self.fields.iter().find(|field| field.is_named("WARC-Target-URI"))?;
        let lines = self.header[field.value.clone()].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        Some(text_of_field(&lines.collect::<Vec<_>>().concat()))
    }

    /// Returns the version, such as `WARC/1.1`; `WARC/1.0` if it is malformed.
    pub fn version(&self) -> &'r str {
        let line = self.header.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = str::from_utf8(line.trim_ascii()).unwrap_or_default();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = version.strip_prefix("WARC/").and_then(|numbers| numbers.split_once('.'));
        let is_version = numbers.is_some_and(|(major, minor)| is_number(major) && is_number(minor));
        if is_version { version } else { "WARC/1.0" }
    }
}

/// Returns whether a URL has no scheme, as `www.h.example/x` and `h.example:8080/x` have none. Control characters and spaces in front of a
/// URL do not belong to it (URL Standard, section 4.4).
///
/// ```
/// use absolve_framing::lacks_scheme;
/// assert!(lacks_scheme("h.example/x") && lacks_scheme("h.example:80/x") && lacks_scheme("//h/a:b"));
/// assert!(!lacks_scheme("http://h/") && !lacks_scheme("urn:1a") && !lacks_scheme("\0 http://h/"));
/// ```
pub fn lacks_scheme(url: &str) -> bool {
    let url = url.trim_start_matches(|character| character <= ' ');
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let Some((scheme, rest)) = url.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else { return true };
    let port = rest.split('/').next().unwrap_or_default();
    scheme.contains('.') && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}
