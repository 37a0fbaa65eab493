//! From a document to a message.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_base::establish;
use absolve_links::{Document, DocumentType};
use absolve_rewriter::internal::{Entity, Part, Report, Retrieval, base_of, rewrite};
use absolve_rewriter::results::Done;
use absolve_rewriter::{Code, Counts, Finding};
use encoding_rs::{Encoding, REPLACEMENT};

use crate::error::PackError;
use crate::gather::{gather, location};
use crate::inline::{Page, inline, lengths, links_to_files};
use crate::message::{self, Root};
use crate::request::{ContentBase, Embed, Format, PlainText, Request};
use crate::resource::Resource;
use crate::rewriting::{Rewritten, pinned, rewritten};
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
    /// The files whose content is in the page itself, in the order of their first links.
    pub within: Vec<Within>,
    /// The links of the document and of embedded styles and images. Those to embedded files do not count as rewritten.
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

/// A file whose content is in the page: a style in a style element, an image or font as a `data:` URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Within {
    /// Its path below the folder.
    pub path: PathBuf,
    /// Its URL, if it is known.
    pub location: Option<String>,
    /// Its media type.
    pub media_type: String,
    /// The number of places that it is in.
    pub places: usize,
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
/// use absolve_rewriter::internal::Entity;
/// let folder = tempfile::tempdir()?;
/// let page = Entity::bare_file(b"<img src=missing.png>", DocumentType::Html);
/// let packed = pack(&page, "a.html".as_ref(), &Tree::new(folder.path())?, &Request::new(Format::Eml))?;
/// assert_eq!(packed.findings[0].1.code.name(), "resource-missing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pack(page: &Entity<'_>, path: &Path, tree: &Tree, request: &Request) -> Result<Packed, PackError> {
    let (part, media_type) = page_part(page)?;
    let retrieval = establish(part.declarations(), request.options.rules);
    let url = retrieval.portable().and_then(|url| location(url.as_str()));
    if request.content_base == ContentBase::Yes && url.is_none() {
        return Err(PackError::NoUrl);
    }
    let document = page.document(part);
    let encoding = document.encoding();
    let name =
        || path.file_name().filter(|_| request.header.is_of_part).map(|name| name.to_string_lossy().into_owned());
    let title = title(&encoding.decode(document.bytes()).0, part.document_type).or_else(name);

    let mut made = rewritten(page, path, gather(page, path, tree, request)?, tree, request);
    let is_unread = |(on, finding): &&(PathBuf, Finding)| on == path && finding.code == Code::NotItsType;
    if let Some((_, finding)) = made.findings.iter().find(is_unread) {
        return Err(PackError::Unread(Finding { done: Done::NotPacked, ..finding.clone() }));
    }
    let within = with_styles_inline(page, path, encoding, &mut made, request)?;
    let Rewritten { page: bytes, resources, counts, mut findings, pins, leaves_links } = made;
    findings.extend(pins.iter().filter_map(|(path, pin)| Some((path.clone(), pinned(pin, &resources)?))));
    let mut add = |finding: Finding| findings.push((path.to_owned(), finding));
    if request.format == Format::Eml {
        lengths::findings(&bytes).into_iter().for_each(&mut add);
    }
    let plain_text = match request.plain_text {
        PlainText::No => None,
        PlainText::Alternative => plain_text(&bytes, encoding, part.document_type, &mut add),
    };
    // Relative links of a saved page would resolve to other targets.
    let is_base = !leaves_links;
    if url.is_some() && !is_base {
        let message = "the message declares no base, because links that stay relative would change their targets";
        add(Finding::new(Code::LocalCopy, message));
    }
    let location = url.filter(|_| is_base);
    // Some readers of MHTML find a page by its type only if that is all of the field.
    let is_declared = request.format == Format::Mhtml
        && part.document_type == DocumentType::Html
        && Document::new(&bytes, part.document_type).declares(encoding);
    let charset = Some(encoding).filter(|encoding| *encoding != REPLACEMENT && !is_declared).map(Encoding::name);
    let root = Root { media_type, charset, location, bytes: &bytes, plain_text };
    let message = message::message(&root, &resources, title, request);
    let (length, limit) = (message.len() as u64, request.max_bytes);
    if length > limit {
        return Err(PackError::TooLong { bytes: length, limit, path: None });
    }
    let embedded = resources.into_iter().map(embedded).collect();
    Ok(Packed { message, embedded, within, counts, findings })
}

/// Returns the only document of a page, and its media type.
fn page_part<'p>(page: &'p Entity<'_>) -> Result<(&'p Part, &'static str), PackError> {
    if let Some(finding) = page.findings.iter().find(|finding| finding.code == Code::DocumentTooLong) {
        return Err(PackError::Unread(finding.clone()));
    }
    match &page.parts[..] {
        // Others are parts of messages.
        [part] if part.path.is_empty() => match part.document_type {
            DocumentType::Html => Ok((part, "text/html")),
            DocumentType::Xml => Ok((part, "application/xhtml+xml")),
            _ => Err(PackError::NotAPage),
        },
        _ => Err(PackError::NotAPage),
    }
}

/// Puts styles and their images into the page itself, in a message for mail programs. Returns what is within it.
fn with_styles_inline(
    page: &Entity<'_>,
    path: &Path,
    encoding: &'static Encoding,
    made: &mut Rewritten,
    request: &Request,
) -> Result<Vec<Within>, PackError> {
    if request.format != Format::Eml || request.embed == Embed::None || made.resources.is_empty() {
        return Ok(Vec::new());
    }
    let part = &page.parts[0];
    let linked = Page { bytes: &made.page, document_type: part.document_type, encoding, path };
    let inlined = inline(&linked, &made.resources, request)?;
    made.findings.extend(inlined.findings);
    let within = places(&inlined.within, &made.resources);
    made.leaves_links |= inlined.within.iter().any(|file| made.resources[*file].leaves_links);
    let base = base_of(page, part, &request.options).url.filter(|_| !page.is_saved());
    let bytes = match base.filter(|_| !within.is_empty()) {
        Some(base) => with_links_of_styles(&inlined.bytes, part.document_type, encoding, base.as_str(), request),
        None => inlined.bytes,
    };
    let links = links_to_files(&linked.with_bytes(&bytes), &made.resources);
    made.page = bytes;
    made.resources.iter_mut().zip(links).for_each(|(file, links)| file.links = links);
    made.resources.retain(|file| file.links > 0);
    Ok(within)
}

/// Returns the page with absolute links in its styles: those that resolve in the document that uses a style.
fn with_links_of_styles(
    page: &[u8],
    document_type: DocumentType,
    encoding: &'static Encoding,
    base: &str,
    request: &Request,
) -> Vec<u8> {
    let entity =
        Entity::bare_file(page, document_type).with_charset(encoding.name()).retrieved_from(Retrieval::given(base));
    let mut bytes = Vec::new();
    rewrite(&entity, &request.options, &mut Report::default(), &mut bytes);
    bytes
}

/// Returns the files of these indexes, each once.
fn places(indexes: &[usize], resources: &[Resource]) -> Vec<Within> {
    let mut within: Vec<Within> = Vec::new();
    let mut seen: HashMap<usize, usize> = HashMap::new();
    for index in indexes {
        let at = *seen.entry(*index).or_insert_with(|| {
            let Resource { path, location, media_type, .. } = &resources[*index];
            let (path, location, media_type) = (path.clone(), location.clone(), (*media_type).to_owned());
            within.push(Within { path, location, media_type, places: 0 });
            within.len() - 1
        });
        within[at].places += 1;
    }
    within
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
