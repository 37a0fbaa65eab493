//! The vocabularies of XML names.

use std::borrow::Cow;
use std::collections::HashMap;

use absolve_links::Vocabulary;

use super::attributes::in_lower_case;

/// Returns a name of a vocabulary as in the table.
pub(crate) fn in_table(vocabulary: Vocabulary, local: &str) -> String {
    String::from_utf8_lossy(&vocabulary.name(local.to_ascii_lowercase().as_bytes())).into_owned()
}

/// The prefixes that are declared at the current position.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    /// The vocabularies of each prefix, the outermost first.
    meanings: HashMap<String, Vec<Vocabulary>>,
}

impl Prefixes {
    pub(crate) fn declare(&mut self, prefix: &str, vocabulary: Vocabulary) {
        self.meanings.entry(prefix.to_owned()).or_default().push(vocabulary);
    }

    /// Restores the previous vocabulary of a prefix.
    pub(crate) fn undeclare(&mut self, prefix: &str) {
        self.meanings.get_mut(prefix).and_then(Vec::pop);
    }

    fn declared(&self, prefix: &str) -> Option<Vocabulary> {
        self.meanings.get(prefix)?.last().copied()
    }

    /// Returns the vocabulary of an element; that of names without a namespace is `root`.
    pub(crate) fn of_element(&self, name: &str, root: Vocabulary) -> Vocabulary {
        match name.split_once(':') {
            Some((prefix, _)) => self.of_prefix(prefix),
            None => self.declared("").filter(|known| *known != Vocabulary::Absent).unwrap_or(root),
        }
    }

    /// Returns the name of an attribute in the table. Without a prefix it has no namespace.
    pub(crate) fn attribute<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match name.split_once(':') {
            Some((prefix, local)) => in_table(self.of_prefix(prefix).of_attribute(), local).into(),
            None => in_lower_case(name),
        }
    }

    fn of_prefix(&self, prefix: &str) -> Vocabulary {
        self.declared(prefix).unwrap_or_else(|| Vocabulary::of_prefix(prefix.as_bytes()))
    }
}
