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
use std::sync::{Arc, LazyLock, OnceLock};

use index::Index;
use row::{Grammar, Group, ResolvesIn, Row, Syntax};
use rows::Rows;
use vocabulary::{Vocabulary, is_same_namespace};

/// The rows of a table, with an index. A clone shares them.
///
/// ```
/// use absolve_links::Table;
/// let table = Table::default();
/// assert!(table.rows().iter().any(|row| row.element == "a" && row.attribute == "href"));
/// ```
#[derive(Clone, Debug)]
pub struct Table(Arc<Places>);

/// The rows. Most runs read HTML only, so what other documents need is made when the first of these is read.
#[derive(Debug)]
struct Places {
    rows: Vec<Row>,
    /// How many of them, the first ones, are searched for links in every document. Those of AMP behind them are searched in documents with
    /// its mark. Of others, references are only noted.
    searched: usize,
    /// Whether references in places that are not searched are noted.
    notes: bool,
    html: Index,
    /// The index with the rows of AMP.
    html_of_amp: OnceLock<Index>,
    xml: OnceLock<Index>,
    /// The indexes of the rows by their attributes.
    by_attribute: OnceLock<HashMap<Cow<'static, str>, Vec<u16>>>,
    /// The namespaces in braces that begin names of rows: those of users.
    namespaces: Vec<String>,
    /// The elements of rows for all elements of a vocabulary, such as `dita:*`.
    wildcards: Vec<String>,
    /// Whether the text of an `mj-style` is CSS.
    reads_mjml: bool,
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
        Self::with(rows.len(), rows, false)
    }

    /// Creates a table of these rows. Every document is searched for the first `searched` of them.
    fn with(searched: usize, rows: Vec<Row>, notes: bool) -> Self {
        let names = || rows.iter().flat_map(|row| [&row.element, &row.attribute]);
        let in_braces =
            |name: &Cow<'_, str>| name.starts_with('{').then(|| name.find('}').map(|end| name[..=end].to_owned()));
        let namespaces = names().filter_map(in_braces).flatten().collect();
        let wildcards =
            rows.iter().map(|row| &*row.element).filter(|element| element.len() > 1 && element.ends_with('*'));
        let wildcards = wildcards.map(str::to_owned).collect();
        Self(Arc::new(Places {
            searched,
            notes,
            // Documents without the mark of AMP are not slower for its rows.
            html: Index::new(&rows[..if notes { rows.len() } else { searched }], is_of_html),
            html_of_amp: OnceLock::new(),
            xml: OnceLock::new(),
            by_attribute: OnceLock::new(),
            namespaces,
            wildcards,
            reads_mjml: rows[..searched].iter().any(|row| row.group == Group::Mjml),
            rows,
        }))
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
        if groups == Group::DEFAULT && more.is_empty() {
            return Self::default();
        }
        more.extend(built_in(groups));
        Self::with_marked(more)
    }

    /// Creates a table of these rows, and behind them of those of AMP, for documents with its mark.
    fn with_marked(mut rows: Vec<Row>) -> Self {
        let searched = rows.len();
        let is_new = |row: &Row| !rows.iter().any(|own| own.group == Group::Amp && own == row);
        let of_amp: Vec<Row> = built_in(&[Group::Amp]).filter(is_new).collect();
        rows.extend(of_amp);
        Self::with(searched, rows, false)
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
    pub fn with_groups(self, groups: &[Group]) -> Self {
        let more = built_in(groups).filter(|row| !self.searched().contains(row));
        Self::with_marked(self.searched().iter().cloned().chain(more).collect())
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
    pub fn noting(self, groups: &[Group]) -> Self {
        let is_noted = |row: &Row| {
            let is_in_place_of = |own: &Row| own == row || (own.element == "*" && own.attribute == row.attribute);
            let is_base = matches!(row.resolves_in, ResolvesIn::Outside | ResolvesIn::Around);
            !is_base
                && row.grammar != Grammar::Html
                && !row.attribute.is_empty()
                && !self.rows().iter().any(is_in_place_of)
        };
        let rows = self.rows().iter().cloned().chain(built_in(groups).filter(is_noted)).collect();
        Self::with(self.0.searched, rows, true)
    }

    /// Returns whether the links in places of this row are searched in every document.
    #[inline]
    pub(crate) fn searches(&self, row: u16) -> bool {
        usize::from(row) < self.0.searched
    }

    /// Returns whether references in places that are not searched are noted.
    pub(crate) fn notes(&self) -> bool {
        self.0.notes
    }

    /// Returns the rows that are searched in every document.
    ///
    /// ```
    /// let table = absolve_links::Table::default();
    /// assert!(!table.searched().iter().any(|row| row.element == "amp-img"));
    /// ```
    pub fn searched(&self) -> &[Row] {
        &self.0.rows[..self.0.searched]
    }

    /// Returns the rows in the order of their indexes.
    ///
    /// ```
    /// assert!(absolve_links::Table::default().rows().len() > 80);
    /// ```
    pub fn rows(&self) -> &[Row] {
        &self.0.rows
    }

    /// Returns the rows for an attribute, of whatever element, in their order. Those for the text of an element have none.
    ///
    /// ```
    /// let table = absolve_links::Table::default();
    /// assert!(table.rows_of("href").any(|row| row.element == "a"));
    /// assert!(table.rows_of("hre").next().is_none());
    /// ```
    pub fn rows_of<'t>(&'t self, attribute: &str) -> impl Iterator<Item = &'t Row> + Clone + use<'t> {
        self.indexes_of(attribute).map(|index| &self.rows()[usize::from(index)])
    }

    /// Returns the indexes of the rows for an attribute.
    fn indexes_of<'t>(&'t self, attribute: &str) -> impl Iterator<Item = u16> + Clone + use<'t> {
        let by_attribute = self.0.by_attribute.get_or_init(|| {
            let mut by_attribute: HashMap<_, Vec<u16>> = HashMap::new();
            for (index, row) in self.rows().iter().enumerate() {
                by_attribute.entry(row.attribute.clone()).or_default().push(index as u16);
            }
            by_attribute
        });
        by_attribute.get(attribute).into_iter().flatten().copied()
    }

    /// Returns the vocabulary of a namespace.
    pub(crate) fn vocabulary_of(&self, uri: &str) -> Vocabulary<'_> {
        let is_of = |prefix: &&String| is_same_namespace(&prefix.as_bytes()[1..prefix.len() - 1], uri.as_bytes());
        let named = self.0.namespaces.iter().find(is_of);
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
        self.0.wildcards.iter().map(String::as_str).find(|name| name.strip_suffix('*') == Some(prefix))
    }

    /// Returns the row for an attribute of an element in a language that has no tags.
    pub(crate) fn row_of(&self, syntax: Syntax, element: &str, name: &str) -> Option<u16> {
        let is_of_object = |row: &Row| row.syntax == syntax && row.element == element;
        self.indexes_of(name).find(|index| is_of_object(&self.rows()[usize::from(*index)]))
    }

    /// Returns the index of the rows for a document of HTML, where `is_amp` says whether that has the mark of AMP.
    pub(crate) fn html(&self, is_amp: impl FnOnce() -> bool) -> &Index {
        let Places { rows, html, html_of_amp, .. } = &*self.0;
        match !self.notes() && rows.len() > self.0.searched && is_amp() {
            true => html_of_amp.get_or_init(|| Index::new(rows, is_of_html)),
            false => html,
        }
    }

    /// Returns the index of the rows for XML.
    pub(crate) fn xml(&self) -> &Index {
        self.0.xml.get_or_init(|| Index::new(self.rows(), |row| is_of_html(row) || row.syntax == Syntax::Xml))
    }

    /// Returns whether the text of an `mj-style` is CSS.
    pub(crate) fn reads_mjml(&self) -> bool {
        self.0.reads_mjml
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
        static DEFAULT: LazyLock<Table> = LazyLock::new(|| Table::with_marked(built_in(&Group::DEFAULT).collect()));
        DEFAULT.clone()
    }
}
