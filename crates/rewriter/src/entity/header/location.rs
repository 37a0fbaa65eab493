//! The place of a message or part, as its header declares it.

use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Charset, Declaration, Field, Layer, Retrieval, Rules, UrlSource, declaration_of, url_and_charset};
use absolve_framing::{HeaderExtent, header_fields, holds_several_urls};
use absolve_resolver::{ReferenceKind, Standard};

use crate::entity::header::declare;
use crate::entity::header_chain::HeaderChain;
use crate::entity::siblings::Located;
use crate::finding::{Code, Finding};
use crate::provenance::message_url::MessageUrl;
use crate::provenance::retrieval_url::retrieval_url;
use crate::provenance::urls::{is_page_url, without_login};

impl MessageUrl {
    /// Returns the URL of the message with this header, or the finding about a field that cannot give one. `None` without the field.
    pub(crate) fn retrieval(&self, header: &[u8]) -> Result<Option<Retrieval>, Finding> {
        match self {
            Self::Given(url) => Ok(Some(Retrieval { source: UrlSource::MessageUrl, url: url.clone() })),
            Self::ArchivedAt => archived_at(header),
        }
    }
}

/// Returns the URL in the `Archived-At` field of a header.
fn archived_at(header: &[u8]) -> Result<Option<Retrieval>, Finding> {
    let fields = header_fields(header).filter(|field| field.is_named("Archived-At"));
    let values: Vec<&[u8]> = fields.map(|field| &header[field.value]).collect();
    let mut urls = values.iter().map(|value| url_and_charset(value));
    let Some((url, charset)) = urls.next() else { return Ok(None) };
    let has_host = url.split_once("://").is_some_and(|(_, host)| !host.starts_with(['/', '\\']));
    let is_of_page = has_host && is_page_url(&url) && retrieval_url(&url, Rules::default()).is_ok();
    let why = if urls.any(|(other, _)| other != url) {
        "the field appears twice with different values"
    } else if values.iter().any(|value| holds_several_urls(value)) {
        "it has several URLs"
    } else if charset == Charset::Unknown || !is_of_page {
        "it is not an http or https URL"
    } else {
        return Ok(Some(Retrieval { source: UrlSource::ArchivedAt, url }));
    };
    Err(Finding::new(Code::BaseRejected, format!("its Archived-At {:?} gives no base: {why}", without_login(&url))))
}

impl Located {
    /// Returns the location of a part within the headers `around`; `None` if it has none.
    pub(crate) fn of(bytes: &[u8], part: Range<usize>, around: Option<&Arc<HeaderChain>>) -> Option<Self> {
        let mut own = Vec::new();
        let header = &bytes[part.clone()];
        HeaderExtent::of(bytes, part, &mut |field| declare(&mut own, declaration_of(field, header, 0)));
        let is_of = |declaration: &Declaration, wanted: Field| matches!(declaration.layer, Layer::Header { field, .. } if field == wanted);
        let found = own.iter().find(|declaration| is_of(declaration, Field::ContentLocation))?;
        let (location, charset) = (found.value.clone(), found.charset);
        own.retain(|declaration| is_of(declaration, Field::ContentBase));
        let may_be_relative =
            Standard::ALL.iter().any(|standard| standard.kind_of(&location) != ReferenceKind::Absolute);
        let headers = may_be_relative.then(|| HeaderChain::within(around.cloned(), own));
        Some(Self { location, headers, charset })
    }
}

#[cfg(test)]
mod tests {
    use super::archived_at;

    #[test]
    fn one_http_url_in_the_header_counts() {
        for (header, url) in [
            ("Archived-At: <https://h/a/1>\n", Ok(Some("https://h/a/1"))),
            ("ARCHIVED-AT:\r\n <https://h/\r\n a>  (the copy)\r\n", Ok(Some("https://h/a"))),
            ("Archived-At: <http://h/1>\nArchived-At: http://h/1\n", Ok(Some("http://h/1"))),
            ("Subject: Archived-At: <https://h/a/1>\n", Ok(None)),
            ("Archived-At: <a/1>\n", Err(())),
            ("Archived-At: <//h/1>\n", Err(())),
            ("Archived-At: <mid:1@h>\n", Err(())),
            ("Archived-At: <http://[>\n", Err(())),
            ("Archived-At: <http:///h/1>\n", Err(())),
            ("Archived-At:\n", Err(())),
            ("Archived-At: <http://h/1> (not <http://h/2>)\n", Ok(Some("http://h/1"))),
            ("Archived-At: <http://h/1>, <http://h/2>\n", Err(())),
            ("Archived-At: <http://h/1>\r\n <http://h/2>\n", Err(())),
            ("Archived-At: http://h/1, http://h/2\n", Err(())),
            ("Archived-At: http://h/1 http://h/2\n", Err(())),
            ("Archived-At: http://h/1 (first),\n http://h/2\n", Err(())),
            ("Archived-At: <http://h/1> http://h/2\n", Err(())),
            ("Archived-At: <http://h/1>\nArchived-At: <http://h/2>\n", Err(())),
        ] {
            let found = archived_at(header.as_bytes()).map_err(drop);
            let found = found.as_ref().map(|found| found.as_ref().map(|found| &*found.url));
            assert_eq!(found, url.as_ref().copied(), "{header:?}");
        }
    }
}
