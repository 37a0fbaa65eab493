//! The namespaces of a document (Namespaces in XML 1.0).

use std::borrow::Cow;
use std::collections::HashMap;

use crate::table::Table;
use crate::table::vocabulary::Vocabulary::{self, Absent};

/// The namespaces in scope.
///
/// ```
/// use absolve_links::{Namespaces, Table};
/// let table = Table::default();
/// let mut namespaces = Namespaces::new(&table);
/// let count = namespaces.open([(&b":x"[..], "http://www.w3.org/2005/Atom".into())].into_iter());
/// let (vocabulary, local) = namespaces.element(b"x:link");
/// assert_eq!(&*vocabulary.name(local), b"atom:link");
/// namespaces.close(count);
/// ```
#[derive(Debug)]
pub struct Namespaces<'t> {
    table: &'t Table,
    /// The declarations of each prefix, innermost last.
    of_prefix: HashMap<Vec<u8>, Vec<Declaration<'t>>>,
    declared: Vec<Vec<u8>>,
    without: Vocabulary<'t>,
}

#[derive(Debug)]
struct Declaration<'t> {
    vocabulary: Vocabulary<'t>,
    /// The namespace, if the table does not know it.
    unknown: Option<Box<str>>,
}

impl<'t> Namespaces<'t> {
    /// Creates the namespaces of a document in which no element is open. Namespaces that the table names are known.
    pub fn new(table: &'t Table) -> Self {
        Self { table, of_prefix: HashMap::new(), declared: Vec::new(), without: Absent }
    }

    /// Adds the declarations of an element, given as the rest of the name after `xmlns` and the value. Returns their
    /// number.
    pub fn open<'a>(&mut self, declarations: impl Iterator<Item = (&'a [u8], Cow<'a, str>)>) -> usize {
        let before = self.declared.len();
        for (name, uri) in declarations {
            let prefix = match name {
                b"" => name,
                [b':', prefix @ ..] => prefix,
                _ => continue,
            };
            let vocabulary = self.table.vocabulary_of(uri.trim_ascii());
            let unknown = (vocabulary == Vocabulary::UNKNOWN).then(|| uri.trim_ascii().into());
            self.of_prefix.entry(prefix.to_vec()).or_default().push(Declaration { vocabulary, unknown });
            self.declared.push(prefix.to_vec());
        }
        self.declared.len() - before
    }

    /// Removes the last `count` declarations.
    pub fn close(&mut self, count: usize) {
        for prefix in self.declared.drain(self.declared.len() - count..) {
            if let Some(vocabularies) = self.of_prefix.get_mut(&prefix) {
                vocabularies.pop();
            }
        }
    }

    /// Sets the root element, whose name determines the vocabulary of names without a namespace.
    pub fn set_root(&mut self, name: &[u8]) {
        self.without = Vocabulary::of_root(name);
    }

    /// Returns the vocabulary and the local name of an element.
    pub fn element<'n>(&self, name: &'n [u8]) -> (Vocabulary<'t>, &'n [u8]) {
        match memchr::memchr(b':', name) {
            Some(colon) => (self.of_prefix(&name[..colon]), &name[colon + 1..]),
            None => match self.declared_for(b"") {
                None | Some(Absent) => (self.without, name),
                Some(vocabulary) => (vocabulary, name),
            },
        }
    }

    /// Returns the name of an attribute in the table. Without a prefix, an attribute is in no namespace.
    pub fn attribute<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        match memchr::memchr(b':', name) {
            Some(colon) => {
                let vocabulary = self.of_prefix(&name[..colon]).of_attribute();
                Cow::Owned(vocabulary.name(&name[colon + 1..]).into_owned())
            }
            None => Cow::Borrowed(name),
        }
    }

    /// Returns the namespace of an element, if the table does not know it.
    pub(crate) fn unknown_of(&self, name: &[u8]) -> Option<&str> {
        let prefix = memchr::memchr(b':', name).map_or(&b""[..], |colon| &name[..colon]);
        self.of_prefix.get(prefix)?.last()?.unknown.as_deref()
    }

    fn declared_for(&self, prefix: &[u8]) -> Option<Vocabulary<'t>> {
        self.of_prefix.get(prefix)?.last().map(|declaration| declaration.vocabulary)
    }

    fn of_prefix(&self, prefix: &[u8]) -> Vocabulary<'t> {
        self.declared_for(prefix).unwrap_or_else(|| Vocabulary::of_prefix(prefix))
    }
}
