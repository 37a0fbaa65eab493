//! What a listing does not search for links: groups of places that are off, and scripts.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use absolve_links::Place;

use crate::document::classify::{IsFirstBase, classify};
use crate::entity::Entity;
use crate::entity::part::Part;
use crate::options::Options;
use crate::report::{Cause, Status};

/// Numbers of relative references that are not searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsearched {
    /// Of references in groups of places that are off, by the names of the group and the place.
    pub places: BTreeMap<(&'static str, String), u64>,
    /// Of inline scripts that import modules by relative references.
    pub scripts: u64,
}

/// Counts what a listing does not search in a part. `options` are those of the listing, with a table that has more rows after the
/// `searched` ones.
///
/// ```
/// use absolve_rewriter::{DocumentType, Entity, Group, Options, unsearched_in};
/// let entity = Entity::bare_file(b"<img src=a.png data-src=b.png>", DocumentType::Html);
/// let mut options = Options::default();
/// let searched = options.table.rows().len();
/// options.table = options.table.with_groups(&Group::ALL);
/// let found = unsearched_in(&entity, &entity.parts[0], &options, searched);
/// assert_eq!(found.places[&("lazy", "data-src".to_owned())], 1);
/// ```
pub fn unsearched_in(entity: &Entity<'_>, part: &Part, options: &Options, searched: usize) -> Unsearched {
    let document = entity.document(part);
    let mut found = Unsearched { scripts: document.scripts_with_relative_imports() as u64, ..Unsearched::default() };
    let Ok(scan) = document.scan(&options.table) else { return Unsearched::default() };
    for link in &scan.links {
        let Place::Attribute { row, .. } = link.place else { continue };
        let row = usize::from(row);
        let status =
            || classify(link, document.reference(link).text(), None, IsFirstBase::No, options, &mut String::new());
        if row >= searched && status() == Status::Unresolved(Cause::NoBase) {
            let row = &options.table.rows()[row];
            let place = match &*row.element {
                "*" => row.attribute.to_string(),
                element => format!("{element}@{}", row.attribute),
            };
            *found.places.entry((row.group.name(), place)).or_default() += 1;
        }
    }
    found
}

impl AddAssign for Unsearched {
    fn add_assign(&mut self, other: Self) {
        for (place, count) in other.places {
            *self.places.entry(place).or_default() += count;
        }
        self.scripts += other.scripts;
    }
}
