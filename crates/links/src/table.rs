//! The table of the places that contain references.

mod data_rows;
pub(crate) mod index;
mod mail_rows;
pub(crate) mod row;
mod rows;
pub(crate) mod vocabulary;
mod xml_rows;

use std::borrow::Cow;
use std::collections::HashMap;

use index::Index;
use row::{Grammar, Group, ResolvesIn, Row, Syntax};
use rows::Rows;
use vocabulary::{Vocabulary, is_same_namespace};

/// The rows of a table, with an index.
///
/// ```
/// use absolve_links::Table;
/// let table = Table::default();
/// assert!(table.rows().iter().any(|row| row.element == "a" && row.attribute == "href"));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Row>,
    /// Their indexes by their attributes.
    by_attribute: HashMap<Cow<'static, str>, Vec<u16>>,
    /// How many of them, the first ones, are searched for links in every document. Those of AMP behind them are searched in documents with
    /// its mark. Of others, references are only noted.
    searched: usize,
    /// Whether references in places that are not searched are noted.
    notes: bool,
    html: Index,
    /// The same with the rows of AMP, if those are searched in documents with its mark only.
    html_of_amp: Option<Index>,
    xml: Index,
    /// The namespaces in braces that begin names of rows: those of users.
    namespaces: Vec<String>,
    /// The elements of rows for all elements of a vocabulary, such as `dita:*`.
    wildcards: Vec<String>,
    /// Whether the text of an `mj-style` is CSS.
    pub(crate) reads_mjml: bool,
}

impl Table {
    /// Creates a table of these rows. Of several rows for the same place, the first whose condition a tag meets
    /// applies. Rows for an element precede those for any element.
    ///
    /// ```
    /// use absolve_links::Table;
    /// let all = Table::default();
    /// let images = all.rows().iter().filter(|row| row.element == "img").cloned().collect();
    /// assert!(Table::new(images).rows().len() < all.rows().len());
    /// ```
    pub fn new(rows: Vec<Row>) -> Self {
        let html = Index::new(&rows, is_of_html);
        let xml = Index::new(&rows, |row| is_of_html(row) || row.syntax == Syntax::Xml);
        let names = || rows.iter().flat_map(|row| [&row.element, &row.attribute]);
        let in_braces =
            |name: &Cow<'_, str>| name.starts_with('{').then(|| name.find('}').map(|end| name[..=end].to_owned()));
        let namespaces = names().filter_map(in_braces).flatten().collect();
        let wildcards =
            rows.iter().map(|row| &*row.element).filter(|element| element.len() > 1 && element.ends_with('*'));
        let wildcards = wildcards.map(str::to_owned).collect();
        let reads_mjml = rows.iter().any(|row| row.group == Group::Mjml);
        let mut by_attribute: HashMap<_, Vec<u16>> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            by_attribute.entry(row.attribute.clone()).or_default().push(index as u16);
        }
        Self {
            searched: rows.len(),
            rows,
            notes: false,
            by_attribute,
            html,
            html_of_amp: None,
            xml,
            namespaces,
            wildcards,
            reads_mjml,
        }
    }

    /// Creates a table of `more` rows, followed by all built-in rows of these groups. In a document with the mark of AMP (`<html ⚡>`), those of
    /// AMP apply as well.
    ///
    /// ```
    /// use absolve_links::{Group, Table};
    /// let with_lazy = Table::of_groups(&[Group::Core, Group::Lazy], vec!["x-card@image=url".parse()?]);
    /// assert!(with_lazy.rows().iter().any(|row| row.attribute == "data-src"));
    /// assert_eq!(with_lazy.rows()[0].element, "x-card");
    /// # Ok::<(), absolve_links::UnknownRow>(())
    /// ```
    pub fn of_groups(groups: &[Group], mut more: Vec<Row>) -> Self {
        more.extend(built_in(groups));
        Self::with_marked(more)
    }

    /// Creates a table of these rows, and behind them of those of AMP, for documents with its mark.
    fn with_marked(mut rows: Vec<Row>) -> Self {
        let searched = rows.len();
        let of_amp: Vec<Row> = built_in(&[Group::Amp]).filter(|row| !rows.contains(row)).collect();
        if of_amp.is_empty() {
            return Self::new(rows);
        }
        // Other documents are not slower for them.
        let html = Index::new(&rows, is_of_html);
        rows.extend(of_amp);
        let all = Self::new(rows);
        Self { searched, html, html_of_amp: Some(all.html), ..all }
    }

    /// Returns the table with all built-in rows of these groups, behind those that it has.
    ///
    /// ```
    /// use absolve_links::{Group, Table};
    /// let for_mail = Table::default().with_groups(&Group::MAIL);
    /// assert!(for_mail.searched().iter().any(|row| row.element == "amp-img"));
    /// assert_eq!(for_mail.clone().with_groups(&Group::MAIL).rows().len(), for_mail.rows().len());
    /// ```
    #[must_use]
    pub fn with_groups(mut self, groups: &[Group]) -> Self {
        self.rows.truncate(self.searched);
        let more: Vec<Row> = built_in(groups).filter(|row| !self.rows.contains(row)).collect();
        self.rows.extend(more);
        Self::with_marked(self.rows)
    }

    /// Returns the table with rows of these groups behind its own that are not searched: a scan notes the references in their places, and
    /// inline scripts with relative imports, apart from its links ([`Scan::unsearched`](crate::Scan)). Rows that declare a base or hold
    /// documents are left out.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Group, Table};
    /// let image = Document::new(b"<img src=a.png data-src=b.png>", DocumentType::Html);
    /// let scan = image.scan(&Table::default().noting(&Group::ALL))?;
    /// assert_eq!((scan.links.len(), scan.unsearched.len()), (1, 1));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[must_use]
    pub fn noting(mut self, groups: &[Group]) -> Self {
        let (searched, reads_mjml) = (self.searched, self.reads_mjml);
        let is_noted = |row: &Row| {
            let is_in_place_of = |own: &Row| own == row || (own.element == "*" && own.attribute == row.attribute);
            let is_base = matches!(row.resolves_in, ResolvesIn::Outside | ResolvesIn::Around);
            !is_base
                && row.grammar != Grammar::Html
                && !row.attribute.is_empty()
                && !self.rows.iter().any(is_in_place_of)
        };
        let noted: Vec<Row> = built_in(groups).filter(is_noted).collect();
        self.rows.extend(noted);
        Self { searched, reads_mjml, notes: true, ..Self::new(self.rows) }
    }

    /// Returns whether the links in places of this row are searched in every document.
    #[inline]
    pub(crate) fn searches(&self, row: u16) -> bool {
        usize::from(row) < self.searched
    }

    /// Returns whether references in places that are not searched are noted.
    pub(crate) const fn notes(&self) -> bool {
        self.notes
    }

    /// Returns the rows that are searched in every document.
    ///
    /// ```
    /// let table = absolve_links::Table::default();
    /// assert!(!table.searched().iter().any(|row| row.element == "amp-img"));
    /// ```
    pub fn searched(&self) -> &[Row] {
        &self.rows[..self.searched]
    }

    /// Returns the rows in the order of their indexes.
    ///
    /// ```
    /// assert!(absolve_links::Table::default().rows().len() > 80);
    /// ```
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the rows for an attribute, of whatever element, in their order. Those for the text of an element have none.
    ///
    /// ```
    /// let table = absolve_links::Table::default();
    /// assert!(table.rows_of("href").any(|row| row.element == "a"));
    /// assert!(table.rows_of("hre").next().is_none());
    /// ```
    pub fn rows_of<'t>(&'t self, attribute: &str) -> impl Iterator<Item = &'t Row> + Clone + use<'t> {
        let indexes = self.by_attribute.get(attribute).into_iter().flatten();
        indexes.map(|index| &self.rows[usize::from(*index)])
    }

    /// Returns the vocabulary of a namespace.
    pub(crate) fn vocabulary_of(&self, uri: &str) -> Vocabulary<'_> {
        let is_of = |prefix: &&String| is_same_namespace(&prefix.as_bytes()[1..prefix.len() - 1], uri.as_bytes());
        let named = self.namespaces.iter().find(is_of);
        named.map_or_else(|| Vocabulary::of_namespace(uri.as_bytes()), |prefix| Vocabulary::Prefixed(prefix))
    }

    /// Returns the name of the rows for any element of a vocabulary, if there are some.
    ///
    /// ```
    /// use absolve_links::{Table, Vocabulary};
    /// assert_eq!(Table::default().wildcard_of(Vocabulary::of_root(b"topic")), Some("dita:*"));
    /// ```
    pub fn wildcard_of(&self, vocabulary: Vocabulary<'_>) -> Option<&str> {
        let Vocabulary::Prefixed(prefix) = vocabulary else { return None };
        self.wildcards.iter().map(String::as_str).find(|name| name.strip_suffix('*') == Some(prefix))
    }

    /// Returns the row for an attribute of an element in a language that has no tags.
    pub(crate) fn row_of(&self, syntax: Syntax, element: &str, name: &str) -> Option<u16> {
        let is_of_object = |row: &Row| row.syntax == syntax && row.element == element;
        let mut indexes = self.by_attribute.get(name).into_iter().flatten().copied();
        indexes.find(|index| is_of_object(&self.rows[usize::from(*index)]))
    }

    /// Returns the index of the rows for a document of HTML, where `is_amp` says whether that has the mark of AMP.
    pub(crate) fn html(&self, is_amp: impl FnOnce() -> bool) -> &Index {
        self.html_of_amp.as_ref().filter(|_| is_amp()).unwrap_or(&self.html)
    }

    /// Returns the index of the rows for XML.
    pub(crate) const fn xml(&self) -> &Index {
        &self.xml
    }
}

/// Returns whether a row applies to HTML.
fn is_of_html(row: &Row) -> bool {
    matches!(row.syntax, Syntax::Any | Syntax::Everywhere)
}

/// Returns the built-in rows of these groups.
fn built_in(groups: &[Group]) -> impl Iterator<Item = Row> {
    let all = rows::ROWS.iter().chain(&xml_rows::ROWS).chain(&mail_rows::ROWS).chain(&data_rows::ROWS);
    all.filter(move |rows| groups.contains(&rows.group())).flat_map(Rows::iter)
}

impl Default for Table {
    /// Creates a table of all rows of the groups that are on by default.
    fn default() -> Self {
        Self::of_groups(&Group::DEFAULT, Vec::new())
    }
}
