//! The scopes of custom properties.

use super::Gatherer;
use crate::css::custom_properties::KnownProperties;
use crate::scan::Scope;

impl Gatherer<'_, '_> {
    /// Returns the custom properties that the document uses itself.
    pub(super) fn properties(&self) -> &KnownProperties {
        self.properties.get_or_init(|| KnownProperties::of_page(self.document.bytes()))
    }

    /// Enters the scope of values that other stylesheets may use.
    #[cold]
    pub(super) fn enter_custom_property(&mut self) {
        let scope = Scope::CustomProperty { within: self.scope };
        let scopes = &mut self.scan.scopes;
        if scopes.last() != Some(&scope) {
            scopes.push(scope);
        }
        self.scope = scopes.len() - 1;
    }
}
