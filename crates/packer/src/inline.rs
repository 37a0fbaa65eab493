//! Mail programs apply style elements everywhere, linked styles in some places, and show no image by `cid:` that CSS names:
//! styles go into the page, and their images with them.

mod candidates;
mod files;
mod images;
pub(crate) mod lengths;
mod media;
mod page;
mod rules;
mod sheet;
mod tag;

use absolve_links::{Document, DocumentType};

use crate::error::PackError;
use crate::inline::files::{Files, InlinedPage};
use crate::request::{CssImages, Request};
use crate::resource::Resource;

pub(crate) use crate::inline::files::Page;

/// Puts the styles of a message, and the images that CSS names, into its page.
///
/// # Errors
///
/// If the page would be too long.
pub(crate) fn inline(page: &Page<'_>, resources: &[Resource], request: &Request) -> Result<InlinedPage, PackError> {
    let files = Files::of(page, resources);
    let table = &request.options.table;
    let mut inlined = page::with_styles(page, &files, table, request.max_bytes)?;
    if request.css_images == CssImages::Data {
        let with_images = images::with_data(&page.with_bytes(&inlined.bytes), &files, table, request.max_bytes)?;
        inlined.bytes = with_images.bytes;
        inlined.within.extend(with_images.within);
        inlined.findings.extend(with_images.findings);
    }
    Ok(inlined)
}

/// Returns the number of links to each file in the page, and in the files that it leads to.
pub(crate) fn links_to_files(page: &Page<'_>, resources: &[Resource]) -> Vec<usize> {
    let files = Files::of(page, resources);
    let mut links = vec![0; resources.len()];
    let mut texts = vec![page.encoding.decode(page.bytes).0];
    while let Some(text) = texts.pop() {
        for (start, _) in text.match_indices("cid:") {
            let end = text[start..].find(['@']).map(|at| start + at + "@absolve.invalid".len());
            let url = end.and_then(|end| text.get(start..end));
            let Some((file, _)) = url.and_then(|url| files.file(url)) else { continue };
            links[file] += 1;
            if links[file] == 1
                && let Some(document_type) = DocumentType::of_media_type(resources[file].media_type)
            {
                let bytes = &resources[file].bytes;
                texts.push(Document::new(bytes, document_type).encoding().decode(bytes).0);
            }
        }
    }
    links
}
