//! A document with everything that affects its links.

use absolve_base::{Base, Charset, Declaration};
use absolve_links::{Document, DocumentType, Link, MarkdownPlace, Place, Row, Scan, embeds_image};

use crate::document::bases;
use crate::document::bases::feed_items::FeedItems;
use crate::document::given::{Root, declared_for_images, root_of, roots};
use crate::entity::part::Part;
use crate::entity::siblings::{BaseUse, Siblings};
use crate::options::{HeaderFields, Options, RelativeLinks};
use crate::report::{ItemDoubt, Status};

/// A scanned document, with its bases and the options.
#[derive(Debug)]
pub(crate) struct DocumentContext<'r, 'd> {
    pub(crate) document: &'r Document<'d>,
    pub(crate) part: &'r Part,
    pub(crate) scan: &'r Scan,
    /// The base of each scope, see [`bases::of_scopes`].
    pub(crate) bases: Vec<Option<Base>>,
    /// The bases by which parts of the same message are found, if those are others.
    pub(crate) finding: Option<Vec<Option<Base>>>,
    /// The bases of embedded images, if the user gives another URL for those.
    images: Option<Vec<Option<Base>>>,
    /// Those of all references, and those of images.
    roots: [Vec<Root>; 2],
    /// What the base of its items decides, in a feed.
    pub(crate) items: Option<FeedItems>,
    pub(crate) siblings: Option<&'r Siblings>,
    /// Whether the document has a BASE that changes the base.
    pub(crate) has_base: bool,
    pub(crate) kept: Kept,
    /// What becomes of links to local files.
    pub(crate) local_links: LocalLinks,
    pub(crate) options: &'r Options,
}

/// Which relative references are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kept {
    None,
    /// Those that would lose non-ASCII bytes.
    OfBytes,
    All,
}

/// Whether links of a document may lead to local files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocalLinks {
    /// They do not: there are none, or files would be looked for at a base that is not known, has no paths or is on one computer.
    Nowhere,
    /// They may, and the document declares no base.
    Beside,
    /// They may, and the bases that it declares become empty.
    InsteadOfBases,
}

impl LocalLinks {
    /// Returns what becomes of the links of a document with these bases of its scopes.
    pub(crate) fn of(part: &Part, scan: &Scan, bases: &[Option<Base>], options: &Options) -> Self {
        // Behind the document, the first scope is that of its surroundings, or of those that use a stylesheet.
        let has_paths = |(scope, base): (usize, &Option<Base>)| match base {
            Some(base) => base.url.is_none() || base.portable().is_some_and(|url| !url.is_opaque()),
            None => scope == 1,
        };
        match part.local_paths.is_some() && bases.iter().enumerate().all(has_paths) {
            false => Self::Nowhere,
            true if scan.links.iter().any(|link| declares_base(link, options)) => Self::InsteadOfBases,
            true => Self::Beside,
        }
    }
}

impl<'r, 'd> DocumentContext<'r, 'd> {
    /// Establishes the bases; `None` if they are many times as long as the document.
    pub(crate) fn new(
        document: &'r Document<'d>,
        scan: &'r Scan,
        part: &'r Part,
        options: &'r Options,
    ) -> Option<Self> {
        let declared = bases::declared_outside(part, part.base_use, options);
        let of_scopes =
            |declared: &[Declaration], feed_base| bases::of_scopes(document, scan, part, declared, options, feed_base);
        let bases = of_scopes(&declared, options.feed_base)?;
        let images = match declared_for_images(part, options) {
            Some(own) => Some(of_scopes(&[&declared[..], &[own]].concat(), options.feed_base)?),
            None => None,
        };
        let items = match FeedItems::are_in(scan) {
            true => Some(FeedItems::of(scan, &bases, of_scopes(&declared, options.feed_base.other())?, options)),
            false => None,
        };
        let has_base = bases::own(document, scan).is_some_and(|base| !bases::is_idle(&base));
        let keeps_fields = options.header_fields == HeaderFields::Keep;
        let siblings = part.siblings.as_deref().filter(|_| keeps_fields);
        let is_unsure = |declaration: &Declaration| declaration.charset == Charset::Unknown;
        let are_written = || bases.iter().flatten().all(|base| base.portable().is_some());
        let finding = match siblings.is_none() || (are_written() && !declared.iter().any(is_unsure)) {
            true => None,
            false => Some(of_scopes(&bases::declared_outside(part, BaseUse::Parts, options), options.feed_base)?),
        };
        let siblings = siblings.filter(|siblings| finding.is_some() || siblings.are_found_only_as_written);
        let kept = if keeps_fields && part.document_type == DocumentType::Field { Kept::All } else { Kept::None };
        let roots = [None, options.images_url.as_ref()].map(|images| roots(part, images, options));
        let local_links = LocalLinks::of(part, scan, &bases, options);
        Some(Self {
            document,
            part,
            scan,
            bases,
            finding,
            images,
            roots,
            items,
            siblings,
            has_base,
            kept,
            local_links,
            options,
        })
    }

    /// Returns why the target of a link in an item of a feed is in doubt.
    pub(crate) fn doubt_of(&self, link: &Link, status: Status, reference: &str) -> Option<ItemDoubt> {
        self.items.as_ref()?.doubt_of(link, status, reference, &self.bases, self.options)
    }

    /// Returns the base that a reference resolves against. One to the document itself means the page of its item in a feed.
    pub(crate) fn base_of(&self, link: &Link, reference: &str) -> Option<&Base> {
        let of_item = self.items.as_ref().and_then(|items| items.of_same_document(reference, self.options));
        let of_image = self.images.as_ref().filter(|_| self.is_image(link));
        let base = of_item.or(of_image).unwrap_or(&self.bases)[link.scope].as_ref()?;
        let [of_all, of_images] = &self.roots;
        let roots = if of_image.is_some() { of_images } else { of_all };
        Some(root_of(roots, base, reference, self.options.rules.standard).unwrap_or(base))
    }

    /// Returns whether relative links stay.
    pub(crate) const fn keeps_relative(&self) -> bool {
        matches!((self.kept, self.options.relative_links), (Kept::All, _) | (_, RelativeLinks::Keep))
    }

    fn is_image(&self, link: &Link) -> bool {
        match link.place {
            Place::Markdown(place) => place == MarkdownPlace::Image,
            _ => row_of(link, self.options).is_some_and(|row| match &*row.element {
                "*" => embeds_image(&self.document.element(link), &row.attribute),
                element => embeds_image(element, &row.attribute),
            }),
        }
    }
}

/// Returns the row of the table that a link matches.
pub(crate) fn row_of<'o>(link: &Link, options: &'o Options) -> Option<&'o Row> {
    match link.place {
        Place::Attribute { row, .. } => Some(&options.table.rows()[usize::from(row)]),
        _ => None,
    }
}

/// Returns whether a link declares a base.
pub(crate) fn declares_base(link: &Link, options: &Options) -> bool {
    row_of(link, options).is_some_and(|row| absolve_links::declares_base(&row.element, &row.attribute))
}
