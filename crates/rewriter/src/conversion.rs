//! Records that are added to a web archive (ISO 28500, sections 6.2 and 6.8).

use std::time::SystemTime;

use data_encoding::{BASE32, HEXLOWER};
use sha1::{Digest, Sha1};
use uuid::Uuid;

use crate::Options;
use crate::archive::WarcOutput;
use crate::limits::RECORD_HEADING;
use crate::page::Page;

/// A record that a conversion is made of, as far as the conversion tells of it.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// As in `WARC/1.1`.
    pub(crate) version: String,
    pub(crate) id: Option<String>,
    pub(crate) target: String,
    pub(crate) truncated: Option<String>,
}

/// What all records of a run have in common.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Says which program with which options has made them, so that the same ones are known again.
    identity: Uuid,
    /// When they are made.
    date: SystemTime,
}

impl Run {
    pub(crate) fn new(options: &Options, date: SystemTime) -> Self {
        // When and where they are written makes no other records of them.
        let keeps_local = options.local_files.is_some();
        let (warc_date, warc_output, local_files) = (None, WarcOutput::default(), None);
        let options = Options { warc_date, warc_output, local_files, ..options.clone() };
        let request = format!("absolve {} {options:?} {keeps_local}", env!("CARGO_PKG_VERSION"));
        Self { identity: Uuid::new_v5(&Uuid::NAMESPACE_OID, request.as_bytes()), date }
    }

    /// The id of the conversion of a record, and that conversion: its document with absolute links. `None` if its heading
    /// would be longer than any that is read.
    pub(crate) fn conversion(&self, source: &Source, page: &Page<'_>, content: &[u8]) -> Option<(Uuid, Vec<u8>)> {
        let digest = format!("sha1:{}", BASE32.encode(&Sha1::digest(content)));
        // What has no id may stand there twice with other content.
        let name = source.id.clone().unwrap_or_else(|| format!("{} {digest}", source.target));
        let id = Uuid::new_v5(&self.identity, name.as_bytes());
        let mut fields = vec![
            ("WARC-Type", "conversion".to_owned()),
            ("WARC-Record-ID", urn(id)),
            ("WARC-Target-URI", source.target.clone()),
            ("WARC-Date", self.date()),
        ];
        fields.extend(source.id.clone().map(|id| ("WARC-Refers-To", id)));
        fields.extend(source.truncated.clone().map(|why| ("WARC-Truncated", why)));
        fields.extend([
            ("WARC-Block-Digest", digest.clone()),
            ("WARC-Payload-Digest", digest),
            ("Content-Type", page.content_type.clone()),
        ]);
        let length: usize = fields.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
        (length < RECORD_HEADING / 2).then(|| (id, written(&source.version, &fields, content)))
    }

    /// The record that says who has made those behind it, of what.
    pub(crate) fn warcinfo(&self, version: &str, input: &str, sha256: &[u8], options: &Options) -> Vec<u8> {
        let digest = HEXLOWER.encode(sha256);
        let input = input.replace(char::is_control, "_");
        let block = format!(
            "software: absolve/{}\r\nformat: {}\r\ndescription: relative links of {input} made absolute\r\n\
             absolve-input: {input}\r\nabsolve-input-sha256: {digest}\r\nabsolve-standard: {}\r\nabsolve-precedence: {}\r\n",
            env!("CARGO_PKG_VERSION"),
            version.replace("WARC/", "WARC File Format "),
            options.rules.standard.name(),
            options.rules.profile.name(),
        );
        let fields = [
            ("WARC-Type", "warcinfo".to_owned()),
            ("WARC-Record-ID", urn(Uuid::new_v5(&self.identity, digest.as_bytes()))),
            ("WARC-Date", self.date()),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        written(version, &fields, block.as_bytes())
    }

    fn date(&self) -> String {
        humantime::format_rfc3339_seconds(self.date).to_string()
    }
}

fn urn(id: Uuid) -> String {
    format!("<urn:uuid:{id}>")
}

fn written(version: &str, fields: &[(&str, String)], block: &[u8]) -> Vec<u8> {
    let mut record = format!("{version}\r\n").into_bytes();
    for (name, value) in fields {
        record.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    record.extend_from_slice(format!("Content-Length: {}\r\n\r\n", block.len()).as_bytes());
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}
