//! Records that are added to a web archive (ISO 28500, sections 6.2 and 6.8).

use std::time::SystemTime;

use absolve_rewriter::Options;
use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use uuid::{Builder, Uuid};

use crate::limits::RECORD_HEADING;
use crate::warc::header::Source;
use crate::warc::options::ArchiveOptions;
use crate::warc::payload::Payload;

/// What all records of a run have in common.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Says which program with which options has made them, so that the same ones are known again.
    identity: Uuid,
    /// When they are made.
    date: String,
}

impl Run {
    pub(crate) fn new(options: &ArchiveOptions) -> Self {
        let date = date_of(options);
        Self { identity: uuid_of(&Uuid::NAMESPACE_OID, &request(options)), date }
    }

    /// The id of the conversion of a record, and that conversion: its document with absolute links. `None` if its heading
    /// would be longer than any that is read.
    pub(crate) fn conversion(&self, source: &Source, page: &Payload<'_>, content: &[u8]) -> Option<(Uuid, Vec<u8>)> {
        let digest = digest(content);
        let id = self.id(source, &digest);
        let mut fields = vec![
            ("WARC-Type", "conversion".to_owned()),
            ("WARC-Record-ID", urn(id)),
            ("WARC-Target-URI", source.target.clone()),
            ("WARC-Date", self.date()),
        ];
        fields.extend(source.id.clone().map(|id| ("WARC-Refers-To", id)));
        Some((id, of_document(source, fields, digest, page, content)?))
    }

    /// The id of what is made of a record. The content counts as well: careless writers give two records one id, or none.
    pub(crate) fn id(&self, source: &Source, digest: &str) -> Uuid {
        self.id_of(&format!("{} {digest}", source.id.as_ref().unwrap_or(&source.target)))
    }

    /// The id that a record of this run has which is made of what has this name.
    pub(crate) fn id_of(&self, name: &str) -> Uuid {
        uuid_of(&self.identity, name)
    }

    /// The record that says who has made those behind it, of what.
    pub(crate) fn warcinfo(&self, version: &str, info: &Info<'_>, options: &ArchiveOptions) -> Vec<u8> {
        let input = plain(info.input);
        let mut block = format!(
            "software: absolve/{}\r\nformat: {}\r\ndescription: {}\r\nabsolve-input: {input}\r\n",
            env!("CARGO_PKG_VERSION"),
            version.replace("WARC/", "WARC File Format "),
            info.description,
        );
        if let Some(sha256) = &info.sha256 {
            block.push_str(&format!("absolve-input-sha256: {sha256}\r\n"));
        }
        block.push_str(&format!("absolve-run: {}\r\n", self.identity));
        let rules = options.documents.rules;
        let (standard, precedence) = (rules.standard.name(), rules.profile.name());
        block.push_str(&format!("absolve-standard: {standard}\r\nabsolve-precedence: {precedence}\r\n"));
        let fields = [
            ("WARC-Type", "warcinfo".to_owned()),
            ("WARC-Record-ID", urn(info.id)),
            ("WARC-Date", self.date()),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        written(version, &fields, block.as_bytes())
    }

    pub(crate) fn date(&self) -> String {
        self.date.clone()
    }
}

/// Returns the program and the options that decide about the bytes of a record: two runs with the same ones give their
/// records the same ids. When and where the records are written does not count.
fn request(options: &ArchiveOptions) -> String {
    let ArchiveOptions { documents, http_headers, digests, .. } = options;
    let Options { purpose, rules, same_document, base_element, keep, spelling, signatures, header_fields, .. } =
        documents;
    let (standard, precedence) = (rules.standard.name(), rules.profile.name());
    let places = documents.table.rows().iter().map(|row| (&*row.element, &*row.attribute)).collect::<Vec<_>>();
    let keeps_local = documents.local_files.is_some();
    format!(
        "absolve {} {standard} {precedence} {purpose:?} {same_document:?} {base_element:?} {spelling:?} {signatures:?} \
         {header_fields:?} {http_headers:?} {digests:?} {keeps_local} {:?} {places:?}",
        env!("CARGO_PKG_VERSION"),
        keep.patterns(),
    )
}

/// When what is written is made.
pub(crate) fn date_of(options: &ArchiveOptions) -> String {
    humantime::format_rfc3339_seconds(options.date.unwrap_or_else(SystemTime::now)).to_string()
}

/// What a warcinfo tells.
#[derive(Debug)]
pub(crate) struct Info<'i> {
    pub(crate) id: Uuid,
    pub(crate) description: &'static str,
    /// The name of the archive that was read.
    pub(crate) input: &'i str,
    /// The digest of that archive, where it is known yet.
    pub(crate) sha256: Option<String>,
}

/// A record that holds a document, with what all such records tell behind `fields`. `None` if its heading would be longer
/// than any that is read.
pub(crate) fn of_document(
    source: &Source,
    mut fields: Vec<(&str, String)>,
    digest: String,
    page: &Payload<'_>,
    content: &[u8],
) -> Option<Vec<u8>> {
    fields.extend(source.truncated.clone().map(|why| ("WARC-Truncated", why)));
    fields.extend([
        ("WARC-Block-Digest", digest.clone()),
        ("WARC-Payload-Digest", digest),
        ("Content-Type", page.content_type.clone()),
    ]);
    let length: usize = fields.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
    (length < RECORD_HEADING / 2).then(|| written(&source.version, &fields, content))
}

/// A name that may stand in a field.
pub(crate) fn plain(name: &str) -> String {
    name.replace(char::is_control, "_")
}

/// The digest of a block, as records tell it.
pub(crate) fn digest(block: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(block)))
}

/// Returns the name-based UUID of RFC 9562, section 5.5 (version 5).
fn uuid_of(space: &Uuid, name: &str) -> Uuid {
    let digest = Sha1::new().chain_update(space).chain_update(name).finalize();
    Builder::from_sha1_bytes(digest[..16].try_into().expect("a digest of 20 bytes has 16")).into_uuid()
}

pub(crate) fn urn(id: Uuid) -> String {
    format!("<urn:uuid:{id}>")
}

/// A record of these fields and this block.
pub(crate) fn written(version: &str, fields: &[(&str, String)], block: &[u8]) -> Vec<u8> {
    let mut record = format!("{version}\r\n").into_bytes();
    for (name, value) in fields {
        record.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    record.extend_from_slice(format!("Content-Length: {}\r\n\r\n", block.len()).as_bytes());
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::uuid_of;

    /// As `uuid.uuid5` of Python makes it.
    #[test]
    fn a_name_has_one_id() {
        let id = uuid_of(&Uuid::NAMESPACE_DNS, "example.org");
        assert_eq!(id.to_string(), "aad03681-8b63-5304-89e0-8ca8f49461b5");
    }
}
