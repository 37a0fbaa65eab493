//! The candidates of an image (`srcset`). In drafts, mail programs show `src` by `cid:`, but not the others, which browsers
//! prefer to it.

use std::ops::Range;

use absolve_links::{Document, Edits, Link};

use crate::inline::files::Files;

/// The `srcset` attributes that lose to an embedded image.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    current: Option<Image>,
    /// Those of the `source` elements since the last image.
    sources: Vec<Attribute>,
    edits: Edits,
    count: usize,
}

#[derive(Debug, Default)]
struct Attribute {
    range: Range<usize>,
    links: usize,
}

#[derive(Debug, Default)]
struct Image {
    tag: usize,
    is_source: bool,
    /// Whether `src` leads to a part.
    is_embedded: bool,
    srcset: Option<Attribute>,
    /// The embedded candidate, in an image without `src`.
    chosen: Option<String>,
}

impl Candidates {
    /// Adds a link of an image or source.
    pub(crate) fn add(&mut self, element: &str, tag: usize, link: &Link, document: &Document<'_>, files: &Files<'_>) {
        if self.current.as_ref().is_none_or(|current| current.tag != tag) {
            self.end();
            self.current = Some(Image { tag, is_source: element == "source", ..Image::default() });
        }
        let Some((_, attributes)) = document.tag_and_attributes(link) else { return };
        let Some(range) = attributes.into_iter().next() else { return };
        let name = document.bytes()[range.clone()].trim_ascii_start().to_ascii_lowercase();
        let url = str::from_utf8(&document.bytes()[link.range.clone()]).unwrap_or_default();
        let is_part = files.file(url).is_some();
        let Some(image) = &mut self.current else { return };
        if name.starts_with(b"srcset") {
            let srcset = image.srcset.get_or_insert(Attribute { range, links: 0 });
            srcset.links += 1;
            image.chosen = image.chosen.take().or_else(|| is_part.then(|| url.to_owned()));
        } else if name.starts_with(b"src=") || name.starts_with(b"src ") {
            image.is_embedded |= is_part;
        }
    }

    /// Ends the current image.
    fn end(&mut self) {
        let Some(image) = self.current.take() else { return };
        if image.is_source {
            self.sources.extend(image.srcset);
            return;
        }
        let sources = std::mem::take(&mut self.sources);
        if !image.is_embedded && image.chosen.is_none() {
            return;
        }
        let text = image.chosen.filter(|_| !image.is_embedded).map(|url| format!(" src=\"{url}\"")).unwrap_or_default();
        for source in sources {
            self.count += source.links;
            self.edits.push(source.range, b"");
        }
        if let Some(srcset) = image.srcset {
            self.count += srcset.links - usize::from(!text.is_empty());
            self.edits.push(srcset.range, text.as_bytes());
        }
    }

    /// Returns the edits that take them out, and their number.
    pub(crate) fn finish(mut self) -> (Edits, usize) {
        self.end();
        (self.edits, self.count)
    }
}
