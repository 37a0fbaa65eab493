//! From a document to a message.

use std::path::{Path, PathBuf};

use absolve_base::establish;
use absolve_links::DocumentType;
use absolve_rewriter::{Code, Counts, Entity, Finding};
use encoding_rs::{Encoding, REPLACEMENT};

use crate::error::PackError;
use crate::gather::{gather, leaves_links, location};
use crate::message::{self, Root};
use crate::request::{ContentBase, PlainText, Request};
use crate::resource::Resource;
use crate::rewriting::{Rewritten, rewritten};
use crate::text::plain_text::plain_text;
use crate::text::title::title;
use crate::tree::Tree;

/// A message, and the report on its links.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Packed {
    /// The message.
    pub message: Vec<u8>,
    /// The embedded files, in the order of their parts.
    pub embedded: Vec<Embedded>,
    /// The links of the document and of embedded styles and images. Those that became `cid:` do not count as rewritten.
    pub counts: Counts,
    /// Findings, with the path of their file below the folder.
    pub findings: Vec<(PathBuf, Finding)>,
}

/// An embedded file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Embedded {
    /// Its path below the folder.
    pub path: PathBuf,
    /// Its URL, which is its `Content-Location`, if it is known.
    pub location: Option<String>,
    /// Its `Content-ID`, without brackets.
    pub content_id: String,
    /// Its media type.
    pub media_type: String,
    /// Its length without the transfer encoding, in bytes.
    pub bytes: usize,
    /// The number of links to it.
    pub links: usize,
}

/// Packs the document at `path` below the folder `tree` into one message.
///
/// Its links, and those of embedded styles and images, are made absolute; links to embedded files lead to their parts.
/// The document gets the line ends of mail, unless its own are mixed; files without changed links are embedded byte for
/// byte. What cannot be embedded is a finding, and links to it are left absolute.
///
/// # Errors
///
/// If the input is not a page, or the message would be too long.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_packer::{Format, Request, Tree, pack};
/// use absolve_rewriter::Entity;
/// let folder = tempfile::tempdir()?;
/// let page = Entity::bare_file(b"<img src=missing.png>", DocumentType::Html);
/// let packed = pack(&page, "a.html".as_ref(), &Tree::new(folder.path())?, &Request::new(Format::Eml))?;
/// assert_eq!(packed.findings[0].1.code.name(), "resource-missing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pack(page: &Entity<'_>, path: &Path, tree: &Tree, request: &Request) -> Result<Packed, PackError> {
    let is_too_long = |finding: &&Finding| finding.code == Code::DocumentTooLong;
    if let Some(finding) = page.findings.iter().find(is_too_long) {
        return Err(PackError::Unread(finding.clone()));
    }
    let [part] = &page.parts[..] else { return Err(PackError::NotAPage) };
    let media_type = match part.document_type {
        DocumentType::Html => "text/html",
        DocumentType::Xml => "application/xhtml+xml",
        _ => return Err(PackError::NotAPage),
    };
    let retrieval = establish(part.declarations(), request.options.rules);
    let url = retrieval.portable().and_then(|url| location(url.as_str()));
    if request.content_base == ContentBase::Yes && url.is_none() {
        return Err(PackError::NoUrl);
    }
    let document = page.document(part);
    let encoding = document.encoding();
    let title = title(&encoding.decode(document.bytes()).0, part.document_type);

    let gathered = gather(page, path, tree, request)?;
    let Rewritten { page: bytes, resources, counts, mut findings } = rewritten(page, path, gathered, tree, request);
    let plain_text = match request.plain_text {
        PlainText::No => None,
        PlainText::Alternative => plain_text(&bytes, encoding, part.document_type)
            .inspect_err(|why| {
                let message = format!("{why}; the message has no text for readers without HTML");
                findings.push((path.to_owned(), Finding::new(Code::PlainText, message)));
            })
            .ok(),
    };
    // Relative links of a saved page would resolve to other targets.
    let is_base = !leaves_links(page, request);
    if url.is_some() && !is_base {
        let message = "the message declares no base, because links that stay relative would change their targets";
        findings.push((path.to_owned(), Finding::new(Code::LocalCopy, message)));
    }
    let location = url.filter(|_| is_base);
    let charset = Some(encoding).filter(|encoding| *encoding != REPLACEMENT).map(Encoding::name);
    let root = Root { media_type, charset, location, bytes: &bytes, plain_text };
    let message = message::message(&root, &resources, title, request);
    let (length, limit) = (message.len() as u64, request.max_bytes);
    if length > limit {
        return Err(PackError::TooLong { bytes: length, limit, path: None });
    }
    let embedded = resources.into_iter().map(embedded).collect();
    Ok(Packed { message, embedded, counts, findings })
}

fn embedded(resource: Resource) -> Embedded {
    Embedded {
        bytes: resource.bytes.len(),
        path: resource.path,
        location: resource.location,
        content_id: resource.content_id,
        media_type: resource.media_type.to_owned(),
        links: resource.links,
    }
}
