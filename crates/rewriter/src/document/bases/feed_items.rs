//! The items of a feed, whose content is read at the URL of the feed or at that of the item.

use absolve_base::{Base, Layer};
use absolve_links::{Link, Scan, Scope};
use absolve_resolver::ReferenceKind;
use url::Url;

use crate::limits::COMPARED_BASE;
use crate::options::{FeedBase, Options};
use crate::provenance::urls::has_host;
use crate::report::{Cause, ItemDoubt, Status};

/// What the choice between both bases decides about the links of a feed.
#[derive(Debug)]
pub(crate) struct FeedItems {
    /// The bases of all scopes with the other choice.
    other: Vec<Option<Base>>,
    /// What is in doubt about the URL of the item around each scope.
    doubts: Vec<Option<ItemDoubt>>,
}

impl FeedItems {
    /// Returns whether a document has items.
    pub(crate) fn are_in(scan: &Scan) -> bool {
        scan.scopes.iter().any(|scope| matches!(scope, Scope::Item { .. }))
    }

    /// Compares the bases of a feed with those of the other choice.
    pub(crate) fn of(scan: &Scan, bases: &[Option<Base>], other: Vec<Option<Base>>, options: &Options) -> Self {
        let (by_feed, by_item) = match options.feed_base {
            FeedBase::Feed => (bases, &*other),
            FeedBase::Item => (&*other, bases),
        };
        let url = |base: &'_ Option<Base>| Some(base.as_ref()?.url.as_ref()?.to_string());
        let mut doubts: Vec<Option<ItemDoubt>> = Vec::with_capacity(scan.scopes.len());
        for (index, scope) in scan.scopes.iter().enumerate() {
            doubts.push(match *scope {
                Scope::Item { is_ambiguous, .. } => match &by_item[index] {
                    None => Some(ItemDoubt::Unclear),
                    Some(base) if !is_url_of_item(base) => Some(ItemDoubt::NoUrl),
                    Some(_) if is_ambiguous => Some(ItemDoubt::SeveralUrls),
                    base => {
                        let urls = url(&by_feed[index]).zip(url(base));
                        urls.and_then(|(feed, item)| (!has_host(&feed, &item)).then_some(ItemDoubt::OtherHost))
                    }
                },
                Scope::Nested { base: None, within }
                | Scope::ObjectData { within, .. }
                | Scope::BeforeBase { document: within, .. } => doubts[within],
                _ => None,
            });
        }
        Self { other, doubts }
    }

    /// Returns whether all references in a scope have one possible target, because its base is the same with both choices.
    pub(crate) fn are_certain(&self, scope: usize, bases: &[Option<Base>]) -> bool {
        let [own, other] = [&bases[scope], &self.other[scope]].map(|base| base.as_ref().map(|base| &base.url));
        self.doubts[scope].is_none() && own == other
    }

    /// Returns whether a reference resolves against the link of an item which is not read.
    pub(crate) fn is_unclear(&self, scope: usize, reference: &str, options: &Options) -> bool {
        let is_by_item = || options.feed_base == FeedBase::Item || is_same_document(reference, options);
        self.doubts[scope] == Some(ItemDoubt::Unclear) && is_by_item()
    }

    /// Returns the bases for a reference that leads to the document itself: that is the page of the item with either choice.
    pub(crate) fn of_same_document(&self, reference: &str, options: &Options) -> Option<&Vec<Option<Base>>> {
        let is_of_feed = options.feed_base == FeedBase::Feed;
        (is_of_feed && is_same_document(reference, options)).then_some(&self.other)
    }

    /// Returns why the target of a link is in doubt, if it is that of an item. `bases` are those of the choice that was made.
    pub(crate) fn doubt_of(
        &self,
        link: &Link,
        status: Status,
        reference: &str,
        bases: &[Option<Base>],
        options: &Options,
    ) -> Option<ItemDoubt> {
        let meant = |base: &Option<Base>| base.as_ref()?.portable()?.resolve(reference).ok();
        let is_meant = |target: &String| {
            meant(&bases[link.scope]).is_some_and(|meant| meant == *target || Url::parse(&meant) == Url::parse(target))
        };
        let is_long = |base: &Base| base.url.as_ref().is_some_and(|url| url.as_str().len() > COMPARED_BASE);
        let other = || match &self.other[link.scope] {
            Some(base) if is_long(base) => Some(String::new()),
            base => meant(base).filter(|other| !is_meant(other)),
        };
        let is_resolved = status == Status::Relative;
        let doubt = self.doubts[link.scope].filter(|_| is_resolved);
        match options.feed_base {
            _ if is_same_document(reference, options) => doubt.filter(|doubt| *doubt == ItemDoubt::NoUrl),
            FeedBase::Feed if is_resolved || status == Status::Unresolved(Cause::NoBase) => {
                other().map(|_| ItemDoubt::OtherAtItem)
            }
            FeedBase::Feed => None,
            FeedBase::Item => doubt.filter(|doubt| match doubt {
                ItemDoubt::OtherHost => other().is_some(),
                _ => !reference.starts_with('/'),
            }),
        }
    }
}

/// Returns whether the URL of an item was found and can be a base.
pub(super) fn is_url_of_item(base: &Base) -> bool {
    base.layer == Layer::Item && base.url.as_ref().is_some_and(|url| !url.is_opaque())
}

fn is_same_document(reference: &str, options: &Options) -> bool {
    options.rules.standard.kind_of(reference) == ReferenceKind::SameDocument
}
