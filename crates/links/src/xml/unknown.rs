//! Attributes that may contain references, in vocabularies whose places the table does not know.

use absolve_options::Purpose;

use super::Walker;
use crate::markup::attributes::Attribute;
use crate::scan::RemarkKind;
use crate::table::vocabulary::Vocabulary;
use crate::value::placeholder::first_placeholder;

impl Walker<'_, '_> {
    /// Remarks the attributes `href`, `src` and `url` of a tag with relative references that no row reads. `name` is that of the element as
    /// it is written, `element` that in the table.
    #[cold]
    pub(super) fn remark_unknown(&mut self, vocabulary: Vocabulary<'_>, name: &[u8], element: &[u8]) {
        let document = self.gatherer.document.bytes();
        let is_unread = |attribute: &&Attribute| {
            let name = &document[attribute.name_range.clone()];
            ["href", "src", "url"].iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
                && is_relative(&document[attribute.value.clone()])
                && self.row_of(vocabulary, element, &self.namespaces.attribute(name)).is_none()
        };
        let unread: Vec<usize> = self.attributes.iter().filter(is_unread).map(|one| one.value.start).collect();
        let Some(first) = self.attributes.iter().find(is_unread) else { return };
        let scan = &mut self.gatherer.scan;
        if scan.unknown_place.is_none() {
            let namespace = self.namespaces.unknown_of(name).map(|uri| format!("{{{uri}}}"));
            let local = name.rsplit(|byte| *byte == b':').next().filter(|_| namespace.is_some());
            let element = String::from_utf8_lossy(local.unwrap_or(element));
            let attribute = String::from_utf8_lossy(&document[first.name_range.clone()]);
            scan.unknown_place = Some(format!("{}{element}@{attribute}", namespace.unwrap_or_default()));
        }
        unread.into_iter().for_each(|byte| scan.remark(RemarkKind::UnknownVocabulary, byte));
    }
}

/// Returns whether a value may be a relative reference that leads out of its document.
fn is_relative(value: &[u8]) -> bool {
    let value = String::from_utf8_lossy(value.trim_ascii());
    let is_of_scheme = |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
    let has_scheme = value.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(is_of_scheme));
    !value.is_empty() && !value.starts_with('#') && !has_scheme && first_placeholder(&value, Purpose::Any).is_none()
}
