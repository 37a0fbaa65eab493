//! The resource that replaces a response, and the metadata record about it (ISO 28500, sections 6.4 and 6.6).

use std::io;

use absolve_framing::{Compression, block_digest, printable, record_bytes, text_of_field, urn};
use absolve_rewriter::Finding;
use data_encoding::HEXLOWER;
use uuid::Uuid;

use crate::warc::originals::Original;
use crate::warc::payload::Payload;
use crate::warc::records::{Change, header_too_long};
use crate::warc::source::Source;
use crate::warc::write::{Run, document_record};

/// The records that replace another one.
pub(crate) struct Replacement {
    /// The resource and the metadata record, each compressed on its own.
    pub(crate) records: Vec<u8>,
    /// Bytes of the first record.
    pub(crate) length: usize,
    /// The digest of the first record, for an index.
    pub(crate) digest: String,
    /// The media type of the first record, for an index.
    pub(crate) media_type: String,
    /// The ids of the replaced record and of other records of the same capture.
    pub(crate) transaction: Vec<String>,
    /// The replaced document, if revisits can refer to it.
    pub(crate) original: Option<Original>,
}

/// The values that the new records of a derived archive share.
#[derive(Clone, Copy)]
pub(crate) struct Derivation<'r> {
    pub(crate) run: &'r Run,
    pub(crate) warcinfo: Uuid,
    pub(crate) compression: Compression,
}

impl Derivation<'_> {
    /// Returns the records that replace one: a conversion for a conversion, a resource for any other.
    pub(crate) fn replacement(self, change: Change<'_>) -> Result<io::Result<Replacement>, Finding> {
        let Change { source, payload, content } = change;
        let kind = if source.kind == "conversion" { "conversion" } else { "resource" };
        let digest = block_digest(&content);
        // Some writers give no ids. Then the date distinguishes two captures.
        let date = source.date.as_deref().unwrap_or_default();
        let id = self.run.id_of(&format!("{kind} {} {date}", self.run.id(&source, &digest)));
        let mut fields = vec![
            ("WARC-Type", kind.to_owned()),
            ("WARC-Record-ID", urn(id)),
            ("WARC-Target-URI", source.target.clone()),
            ("WARC-Date", source.date.clone().unwrap_or_else(|| self.run.date())),
            ("WARC-Warcinfo-ID", urn(self.warcinfo)),
        ];
        fields.extend(source.refers_to.clone().filter(|_| kind == "conversion").map(|id| ("WARC-Refers-To", id)));
        let resource =
            document_record(&source, fields, digest.clone(), &payload, &content).ok_or_else(header_too_long)?;
        let metadata =
            self.metadata(&source.version, &format!("metadata {id}"), &urn(id), &provenance(&source, &payload));
        let media_type = payload.document.media_type().to_owned();
        let original = ["response", "resource"].contains(&&*source.kind).then(|| Original {
            names: source.names.clone(),
            content_type: payload.document.content_type.clone(),
            truncated: source.truncated.clone(),
            content: payload.content().to_vec(),
        });
        let compressed = || {
            let mut records = self.compression.compressed(resource)?;
            let length = records.len();
            records.extend(self.compression.compressed(metadata)?);
            let transaction = source.id.into_iter().chain(source.concurrent_to).collect();
            Ok(Replacement { records, length, digest, media_type, transaction, original })
        };
        Ok(compressed())
    }

    /// Returns a metadata record about another record. It has no URL, so that no index lists it as a page.
    pub(crate) fn metadata(self, version: &str, name: &str, of: &str, block: &str) -> Vec<u8> {
        let fields = [
            ("WARC-Type", "metadata".to_owned()),
            ("WARC-Record-ID", urn(self.run.id_of(name))),
            ("WARC-Date", self.run.date()),
            ("WARC-Refers-To", of.to_owned()),
            ("WARC-Warcinfo-ID", urn(self.warcinfo)),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        record_bytes(version, &fields, block.as_bytes())
    }
}

/// Returns the fields about a replaced record: its id, type and digest, and its HTTP header, which a resource lacks.
fn provenance(source: &Source, payload: &Payload<'_>) -> String {
    let mut block = String::new();
    let mut add = |name: &str, value: &str| block.push_str(&format!("{name}: {}\r\n", printable(value)));
    add("absolve-replaced", source.id.as_deref().unwrap_or("a record without an id"));
    add("absolve-replaced-type", &source.kind);
    if let Some(digest) = &source.payload_digest {
        add("absolve-replaced-payload-digest", digest);
    }
    for line in
        payload.document.http_header.split(|byte| *byte == b'\n').map(text_of_field).filter(|line| !line.is_empty())
    {
        add("absolve-replaced-http-field", &line);
    }
    block
}

/// Returns the fields about the input of a derived archive.
pub(crate) fn input_fields(name: &str, sha256: &[u8]) -> String {
    format!("absolve-input: {}\r\nabsolve-input-sha256: {}\r\n", printable(name), HEXLOWER.encode(sha256))
}
