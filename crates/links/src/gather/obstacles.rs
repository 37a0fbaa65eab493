//! What keeps a browser from loading local files in the place of those that a page names.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::{Gatherer, LINK, Locate, META, Tag};
use crate::document::Document;
use crate::gather::values::is_one_of;
use crate::markup::attributes::attributes;
use crate::markup::name::Name;
use crate::scan::Obstacle;

impl Gatherer<'_, '_> {
    /// Returns whether obstacles in tags are recorded, and there may be some.
    pub(super) fn may_have_obstacles(document: &Document<'_>) -> bool {
        const WORDS: [&str; 5] = ["ntegrity", "NTEGRITY", "rossorigin", "rossOrigin", "ROSSORIGIN"];
        let holds = |word: &str| memmem::find(document.bytes(), word.as_bytes()).is_some();
        document.sought().local_files && WORDS.into_iter().any(holds)
    }

    /// Records the obstacles in a tag with links.
    #[cold]
    pub(super) fn record_obstacles(&mut self, tag: &Tag) {
        const NAMES: [Name; 2] = [Name::of("integrity"), Name::of("crossorigin")];
        attributes(self.document.bytes(), tag.attributes, |attribute| {
            if NAMES.contains(&attribute.name) {
                self.scan.obstacles.push(Obstacle { tag: Some(tag.range.start), name: attribute.name_range });
            }
        });
    }

    /// Records a policy for what a document loads, and one that allows styles by hashes.
    pub(super) fn record_policy(&mut self, tag: &Tag, content: &Range<usize>) {
        const HTTP_EQUIV: Name = Name::of("http-equiv");
        static POLICY: LazyLock<[Finder<'_>; 2]> = LazyLock::new(|| ["olicy", "OLICY"].map(Finder::new));
        let document = self.document.bytes();
        if tag.element != META || !POLICY.iter().any(|word| word.find(&document[tag.range.clone()]).is_some()) {
            return;
        }
        attributes(document, tag.attributes, |attribute| {
            if attribute.name == HTTP_EQUIV && is_one_of(&document[attribute.value], &["content-security-policy"]) {
                self.scan.obstacles.push(Obstacle { tag: None, name: attribute.name_range });
                if memmem::find(&document[content.clone()], b"'sha").is_some() {
                    self.scan.style_policy.get_or_insert(tag.range.start);
                }
            }
        });
    }

    /// Records the link of a `<link>` with an integrity hash.
    #[inline]
    pub(super) fn record_integrity(&mut self, tag: &Tag, link: usize) {
        // A shorter tag has no room for the shortest hash.
        const SHORTEST: usize = "<link href=x integrity=sha256->".len() + 44;
        if tag.range.len() >= SHORTEST {
            self.record_integrity_attributes(tag, link);
        }
    }

    // Apart, so that most tags are not compared.
    #[inline(never)]
    fn record_integrity_attributes(&mut self, tag: &Tag, link: usize) {
        const INTEGRITY: Name = Name::of("integrity");
        if tag.element != LINK {
            return;
        }
        attributes(self.document.bytes(), tag.attributes, |attribute| {
            if attribute.name == INTEGRITY && !attribute.value.is_empty() {
                self.scan.with_integrity.push(link);
            }
        });
    }

    /// Adds the obstacles of a nested document, those whose names are written as they are read.
    pub(super) fn nest_obstacles(&mut self, nested: Vec<Obstacle>, locate: Locate<'_>) {
        let raw = |range: Range<usize>| locate(range).map(|(range, _)| range);
        self.scan.obstacles.extend(nested.into_iter().filter_map(|Obstacle { tag, name }| {
            let tag = match tag {
                Some(tag) => Some(raw(tag..tag + 1)?.start),
                None => None,
            };
            let length = name.len();
            raw(name).filter(|name| name.len() == length).map(|name| Obstacle { tag, name })
        }));
    }
}
