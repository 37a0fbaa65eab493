//! Records written to web archives (ISO 28500, sections 6.2 and 6.8).

use std::time::SystemTime;

use absolve_framing::{RECORD_HEADER, block_digest, name_based_uuid, printable, record_bytes, urn};
use absolve_options::{BaseElement, FeedBase, HeaderFields, Purpose, SameDocument, Signatures, Spelling};
use absolve_rewriter::Options;
use uuid::Uuid;

use crate::warc::options::{ArchiveOptions, Digests, HttpHeaders};
use crate::warc::payload::Payload;
use crate::warc::source::Source;

/// The values that all records of a run share.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The UUID of the program and its options, the name space of all record ids.
    identity: Uuid,
    /// The `WARC-Date` of new records.
    date: String,
}

impl Run {
    pub(crate) fn new(options: &ArchiveOptions) -> Self {
        let date = date_of(options);
        Self { identity: name_based_uuid(&Uuid::NAMESPACE_OID, &run_name(options)), date }
    }

    /// Returns a conversion and its id: the document of a record with absolute links. `None` if its header would be too long.
    pub(crate) fn conversion(&self, source: &Source, payload: &Payload<'_>, content: &[u8]) -> Option<(Uuid, Vec<u8>)> {
        let digest = block_digest(content);
        let id = self.id(source, &digest);
        let mut fields = vec![
            ("WARC-Type", "conversion".to_owned()),
            ("WARC-Record-ID", urn(id)),
            ("WARC-Target-URI", source.target.clone()),
            ("WARC-Date", self.date()),
        ];
        fields.extend(source.id.clone().map(|id| ("WARC-Refers-To", id)));
        Some((id, document_record(source, fields, digest, payload, content)?))
    }

    /// Returns the id of a record derived from `source`. It depends on the URL and the content too, because some writers give two
    /// records the same id, or none.
    pub(crate) fn id(&self, Source { id, target, .. }: &Source, digest: &str) -> Uuid {
        let id = id.as_ref().map(|id| format!("{id} ")).unwrap_or_default();
        self.id_of(&format!("{id}{target} {digest}"))
    }

    /// Returns the UUIDv5 of `name` within this run.
    pub(crate) fn id_of(&self, name: &str) -> Uuid {
        name_based_uuid(&self.identity, name)
    }

    /// Returns the `warcinfo` record: the program, its options and the input archive.
    pub(crate) fn warcinfo(&self, version: &str, info: &WarcinfoFields<'_>, options: &ArchiveOptions) -> Vec<u8> {
        let input = printable(info.input);
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
        record_bytes(version, &fields, block.as_bytes())
    }

    pub(crate) fn date(&self) -> String {
        self.date.clone()
    }
}

/// Returns the name of a run: the program and the options that affect the bytes of a record. Two runs with the same name give
/// the same records the same ids. The date and the form of the output do not count.
fn run_name(options: &ArchiveOptions) -> String {
    let ArchiveOptions { documents, http_headers, digests, .. } = options;
    let Options { purpose, rules, same_document, base_element, keep, spelling, signatures, header_fields, .. } =
        documents;
    let (standard, precedence) = (rules.standard.name(), rules.profile.name());
    let [purpose, same_document, base_element, spelling, signatures, header_fields, http_headers, digests, feed_base] = [
        word(&Purpose::NAMED, purpose),
        word(&SameDocument::NAMED, same_document),
        word(&BaseElement::NAMED, base_element),
        word(&Spelling::NAMED, spelling),
        word(&Signatures::NAMED, signatures),
        word(&HeaderFields::NAMED, header_fields),
        word(&HttpHeaders::NAMED, http_headers),
        word(&Digests::NAMED, digests).replace("Check", "Heed"),
        word(&FeedBase::NAMED, &documents.feed_base),
    ];
    let places = documents.table.rows().iter().map(|row| (&*row.element, &*row.attribute)).collect::<Vec<_>>();
    let keeps_local = documents.local_files.is_some();
    let Options { root, images_url, images_of, map, relative_links, .. } = documents;
    let given = format!(" {:?}", (root, images_url, images_of, map.pairs().collect::<Vec<_>>(), relative_links));
    // Runs without them have the names of earlier versions.
    let given = given.replace(" (None, None, None, [], Absolute)", "");
    format!(
        "absolve {} {standard} {precedence} {purpose} {same_document} {base_element} {spelling} {signatures} {header_fields} \
         {http_headers} {digests} {keeps_local} {feed_base} {:?} {places:?}{given}",
        env!("CARGO_PKG_VERSION"),
        keep.patterns(),
    )
}

/// Returns the value of an option as the ids of the first version have it, so that a second run finds its conversions:
/// `AsWritten` for the name `as-written`.
fn word<T: PartialEq>(named: &[(&str, T)], value: &T) -> String {
    let name = named.iter().find(|(_, named)| named == value).map_or("", |(name, _)| name);
    let parts = name.split('-').map(|part| part.split_at(part.len().min(1)));
    parts.map(|(initial, rest)| initial.to_ascii_uppercase() + rest).collect()
}

/// Returns the date of new records (RFC 3339): that of the options, or now.
///
/// ```
/// use absolve_containers::{ArchiveOptions, date_of};
/// let mut options = ArchiveOptions::default();
/// options.date = Some(std::time::SystemTime::UNIX_EPOCH);
/// assert_eq!(date_of(&options), "1970-01-01T00:00:00Z");
/// ```
pub fn date_of(options: &ArchiveOptions) -> String {
    humantime::format_rfc3339_seconds(options.date.unwrap_or_else(SystemTime::now)).to_string()
}

/// Variable fields of a `warcinfo` record.
#[derive(Debug)]
pub(crate) struct WarcinfoFields<'i> {
    pub(crate) id: Uuid,
    pub(crate) description: &'static str,
    /// The name of the input archive.
    pub(crate) input: &'i str,
    /// The SHA-256 of the input archive, if all of it was read.
    pub(crate) sha256: Option<String>,
}

/// Returns a record with a document. Its header has `fields` and those that all such records have. `None` if the header would
/// be too long.
pub(crate) fn document_record(
    source: &Source,
    mut fields: Vec<(&str, String)>,
    digest: String,
    payload: &Payload<'_>,
    content: &[u8],
) -> Option<Vec<u8>> {
    fields.extend(source.truncated.clone().map(|why| ("WARC-Truncated", why)));
    fields.extend([
        ("WARC-Block-Digest", digest.clone()),
        ("WARC-Payload-Digest", digest),
        ("Content-Type", payload.document.content_type.clone()),
    ]);
    let length: usize = fields.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
    (length < RECORD_HEADER / 2).then(|| record_bytes(&source.version, &fields, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_do_not_change() {
        let name = run_name(&ArchiveOptions::default());
        let options = "whatwg layered Any Keep Keep AsWritten Keep Keep Ignore Heed false Feed []";
        assert!(name.contains(options), "{name}");
        let mut options = ArchiveOptions::default();
        (options.http_headers, options.digests) = (HttpHeaders::Count, Digests::Ignore);
        options.documents.purpose = Purpose::Mail;
        options.documents.same_document = SameDocument::Absolute;
        options.documents.base_element = BaseElement::Comment;
        options.documents.spelling = Spelling::Ascii;
        options.documents.signatures = Signatures::KeepAll;
        options.documents.header_fields = HeaderFields::Absolute;
        options.documents.feed_base = FeedBase::Item;
        let name = run_name(&options);
        let options = "whatwg layered Mail Absolute Comment Ascii KeepAll Absolute Count Ignore false Item []";
        assert!(name.contains(options), "{name}");
    }
}
