//! The document in a record.

use absolve_framing::{ArchivedDocument, ArchivedKind, Budget, NoDocument, header_fields, wrong_digest};

use super::record::Record;
use crate::base::{Retrieved, Surroundings, declared};
use crate::document::verify_document;
use crate::mail::message::verify_message;
use crate::settings::{Digests, HttpHeaders, Profile, Settings};
use crate::verdict::Verdict;

/// Returns the document in a record; an error says why the record holds none that may change.
pub(super) fn document_in<'r>(record: &'r Record, settings: &Settings) -> Result<ArchivedDocument<'r>, &'static str> {
    let (warc, budget) = (record.warc(), Budget::default());
    let document = match &warc {
        _ if record.long.is_some() => return Err("is too long"),
        Some(warc) => ArchivedDocument::of_record(warc, &budget),
        None => record.arc().map_or(Err(NoDocument::Other), |arc| ArchivedDocument::of_arc(&arc, &budget)),
    };
    let document = document.map_err(|why| match why {
        NoDocument::Other => "holds no document",
        NoDocument::Segment => "is a segment of a divided record",
        NoDocument::Untyped => "has neither a status line nor a type",
        NoDocument::OtherResponse => "is a response with another status than 2xx, or a partial one",
        NoDocument::Undecodable(_) => "has a content coding that cannot be decoded",
        NoDocument::WithoutUrl => "has no URL",
    })?;
    match settings.digests == Digests::Check && warc.is_some_and(|warc| wrong_digest(&warc, &document).is_some()) {
        true => Err("has digests that do not match its content"),
        false => Ok(document),
    }
}

/// Verifies a rewritten document of an archive against the original.
pub(super) fn verify_archived(document: &ArchivedDocument<'_>, rewritten: &[u8], settings: &Settings) -> Verdict {
    let ArchivedDocument { url, content_type, kind, charset, http_header, content, .. } = document;
    let with_header = |content: &[u8]| [format!("Content-Type: {content_type}\r\n\r\n").as_bytes(), content].concat();
    let retrieval = Retrieved::Found(url);
    let mut verdict = match kind {
        ArchivedKind::Document(document_type) => {
            // Browsers ignore what fields of HTTP say of a base.
            let counts = settings.http_headers == HttpHeaders::Count && settings.profile != Profile::Browser;
            let headers = if counts { vec![declared(|name| fields_of(name, http_header))] } else { Vec::new() };
            let around = Surroundings { headers, retrieval: Some(url.clone()), ..Surroundings::default() };
            verify_document(content, rewritten, *document_type, charset.as_deref(), &around, settings)
        }
        ArchivedKind::Message => verify_message(content, rewritten, retrieval, settings),
        ArchivedKind::Multipart => verify_message(&with_header(content), &with_header(rewritten), retrieval, settings),
    };
    // The archive counts its bytes and records itself.
    (verdict.counts.bytes, verdict.counts.records) = (0, 0);
    verdict
}

/// Returns the values of the fields of this name in a header.
fn fields_of<'h>(name: &'static str, header: &'h [u8]) -> impl Iterator<Item = &'h [u8]> {
    header_fields(header).filter(move |field| field.is_named(name)).map(|field| &header[field.value])
}

#[cfg(test)]
mod tests {
    use absolve_framing::{ArchivedDocument, Budget};

    use super::verify_archived;
    use crate::settings::{HttpHeaders, Settings};

    /// As in the header of a message, so that both sides find the same base.
    #[test]
    fn a_location_that_is_folded_in_a_header_of_http_has_no_space() {
        let response =
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Location: http://h/a\r\n b/\r\n\r\n<a href=x>";
        let document =
            ArchivedDocument::of_response("http://u/".to_owned(), response, &Budget::default()).expect("it is one");
        let settings = Settings { http_headers: HttpHeaders::Count, ..Settings::default() };
        assert!(verify_archived(&document, b"<a href=http://h/ab/x>", &settings).holds());
        assert!(!verify_archived(&document, b"<a href=http://u/x>", &settings).holds());
    }
}
