//! A resource in the place of a response, and the record that tells of that.

use std::io;

use absolve_rewriter::Finding;
use data_encoding::HEXLOWER;
use uuid::Uuid;

use crate::compression::Compression;
use crate::framing::text_of_field;
use crate::warc::header::Source;
use crate::warc::http::Response;
use crate::warc::originals::Original;
use crate::warc::payload::Payload;
use crate::warc::records::{Change, heading_too_long};
use crate::warc::write::{Run, digest, of_document, plain, urn, written};

/// What stands in the place of a record.
pub(crate) struct Replacement {
    /// Both records, each compressed for itself.
    pub(crate) records: Vec<u8>,
    /// How many of those bytes are the first record.
    pub(crate) length: usize,
    /// What an index tells of the first one.
    pub(crate) digest: String,
    pub(crate) media_type: String,
    /// The ids of the record it replaces, and of those of the same transaction.
    pub(crate) transaction: Vec<String>,
    /// What was replaced, if revisits may refer to it.
    pub(crate) original: Option<Original>,
}

/// How records are replaced.
#[derive(Clone, Copy)]
pub(crate) struct Replacing<'r> {
    pub(crate) run: &'r Run,
    pub(crate) warcinfo: Uuid,
    pub(crate) compression: Compression,
}

impl Replacing<'_> {
    /// The records that stand in the place of one: of a response a resource, else a record of the same type.
    pub(crate) fn replacement(self, change: Change<'_>) -> Result<io::Result<Replacement>, Finding> {
        let Change { source, page, content } = change;
        let kind = if source.kind == "conversion" { "conversion" } else { "resource" };
        let digest = digest(&content);
        // Careless writers give no ids; then the date tells two visits apart.
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
        let resource = of_document(&source, fields, digest.clone(), &page, &content).ok_or_else(heading_too_long)?;
        let metadata = self.metadata(&source.version, &format!("metadata {id}"), &urn(id), &provenance(&source, &page));
        let media_type = page.content_type.split([';', ' ']).next().unwrap_or_default().to_owned();
        let original = ["response", "resource"].contains(&&*source.kind).then(|| Original {
            names: names(&source.id, Some((&source.target, &source.date)), &source.payload_digest),
            content_type: page.content_type.clone(),
            truncated: source.truncated.clone(),
            content: page.content().to_vec(),
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

    /// A record that tells something of another one. It has no URL, so that no index takes it for a page.
    pub(crate) fn metadata(self, version: &str, name: &str, of: &str, block: &str) -> Vec<u8> {
        let fields = [
            ("WARC-Type", "metadata".to_owned()),
            ("WARC-Record-ID", urn(self.run.id_of(name))),
            ("WARC-Date", self.run.date()),
            ("WARC-Refers-To", of.to_owned()),
            ("WARC-Warcinfo-ID", urn(self.warcinfo)),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        written(version, &fields, block.as_bytes())
    }
}

/// What the record behind a resource tells: which record it replaces, and the heading of HTTP, which a resource lacks.
fn provenance(source: &Source, page: &Payload<'_>) -> String {
    let mut block = String::new();
    let mut tell = |name: &str, value: &str| block.push_str(&format!("{name}: {}\r\n", plain(value)));
    tell("absolve-replaced", source.id.as_deref().unwrap_or("a record without an id"));
    tell("absolve-replaced-type", &source.kind);
    if let Some(digest) = &source.payload_digest {
        tell("absolve-replaced-payload-digest", digest);
    }
    for line in page.http_heading.split(|byte| *byte == b'\n').map(text_of_field).filter(|line| !line.is_empty()) {
        tell("absolve-replaced-http-field", &line);
    }
    block
}

/// The record at the end, which tells of what archive this one is made.
pub(crate) fn input_told(name: &str, sha256: &[u8]) -> String {
    format!("absolve-input: {}\r\nabsolve-input-sha256: {}\r\n", plain(name), HEXLOWER.encode(sha256))
}

/// The names by which a revisit refers to a record, or a record is referred to: by its id, by its URL and date, by its
/// payload.
pub(crate) fn names(
    id: &Option<String>,
    place: Option<(&String, &Option<String>)>,
    payload_digest: &Option<String>,
) -> Vec<String> {
    // Some writers put URLs into brackets.
    let bare = |url: &str| url.trim_start_matches('<').trim_end_matches('>').to_owned();
    let place = place.and_then(|(url, date)| Some(format!("{} {}", bare(url), date.as_ref()?)));
    [id.clone(), place, payload_digest.clone()].into_iter().flatten().collect()
}

/// The type that the heading of a revisit tells.
pub(crate) fn type_of_revisit(block: &[u8]) -> Option<String> {
    Response::read(block).map(|response| response.content_type()).filter(|content_type| !content_type.is_empty())
}
