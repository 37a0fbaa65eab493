//! What a listing does not search for links: groups of places that are off, and scripts.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::document::classify::{classify, is_of_placeholder, spend};
use crate::document::context::{DocumentContext, row_of};
use crate::limits::resolved_bytes;
use crate::report::Status;

/// Numbers of relative references that are not searched for, if the table of the options notes them ([`absolve_links::Table::noting`]).
///
/// ```
/// use absolve_rewriter::internal::{Entity, links_of};
/// use absolve_rewriter::{DocumentType, Group, Options};
/// let entity = Entity::bare_file(b"<img src=a.png data-src=b.png>", DocumentType::Html);
/// let mut options = Options::default();
/// options.table = options.table.noting(&Group::ALL);
/// let unsearched = links_of(&entity, &entity.parts[0], &options).unsearched;
/// assert_eq!(unsearched.places[&("lazy", "data-src".to_owned())], 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsearched {
    /// Of references in groups of places that are off, by the names of the group and the place.
    pub places: BTreeMap<(&'static str, String), u64>,
    /// Of inline scripts that import modules by relative references.
    pub scripts: u64,
}

impl Unsearched {
    /// Counts the references of a document that its table only notes.
    pub(crate) fn of(context: &DocumentContext<'_, '_>) -> Self {
        let DocumentContext { document, scan, options, .. } = context;
        let mut found = Self { scripts: scan.scripts as u64, ..Self::default() };
        let (mut target, mut room) = (String::new(), resolved_bytes(document));
        for link in &scan.unsearched {
            let reference = document.reference(link);
            // Beyond the budget, the base says no more than that there is none.
            let base =
                context.base_of(link, reference.text()).filter(|base| spend(&mut room, Some(base)).is_continue());
            let status = classify(context, link, reference.text(), base, &mut target);
            let is_relative = matches!(status, Status::Relative | Status::Unresolved(_));
            let Some(row) = row_of(link, options).filter(|_| is_relative) else { continue };
            if is_of_placeholder(document, link, &reference, options) {
                continue;
            }
            let place = match &*row.element {
                "*" => row.attribute.to_string(),
                element => format!("{element}@{}", row.attribute),
            };
            *found.places.entry((row.group.name(), place)).or_default() += 1;
        }
        found
    }
}

impl AddAssign for Unsearched {
    fn add_assign(&mut self, other: Self) {
        for (place, count) in other.places {
            *self.places.entry(place).or_default() += count;
        }
        self.scripts += other.scripts;
    }
}
