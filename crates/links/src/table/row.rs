//! The rows of the table.

use std::borrow::Cow;
use std::str::FromStr;
use std::{error, fmt};

/// What the value of an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// One URL, perhaps between white space.
    Url,
    /// URLs between white space.
    SpaceList,
    /// URLs between commas.
    CommaList,
    /// Image candidates: URLs with descriptors.
    Srcset,
    /// One URL or image candidates, by what it looks like, as scripts take it; JSON holds none.
    UrlOrSrcset,
    /// CSS declarations.
    Css,
    /// A time and perhaps a URL.
    Refresh,
    /// `key=value` pairs between semicolons, of which some values are URLs.
    KeyValue,
    /// One URL, or a CURIE in brackets, which is none.
    UrlOrCurie,
    /// An HTML document of its own.
    Html,
}

/// What the URLs of an attribute resolve against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolvesIn {
    /// The document.
    Document,
    /// What stands outside the document, for the BASE itself.
    Outside,
    /// The `codebase` of the same element, if it has one.
    Codebase,
    /// By HTML 4 the `codebase` of the same element, if it has one; by the HTML Standard the document.
    DocumentOrCodebase,
    /// The stylesheet it stands in.
    Stylesheet,
    /// What stands around the element, for its `xml:base`.
    Around,
}

/// In which documents a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// In all.
    Any,
    /// In XML only: names stand for their namespaces, and have the prefixes that everybody uses.
    Xml,
}

/// What becomes of an empty or fragment-only value when same-document references are made absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// It is made absolute with the others.
    Asked,
    /// It means something else than a URL and always stays, as `usemap="#m"` and `action=""` do.
    Never,
}

/// A group of rows that is switched on or off together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Group {
    /// Defined by the standards in force and by HTML 4.
    Core,
    /// Of browsers and drafts past.
    Legacy,
    /// Metadata that other sites read, and want absolute.
    Social,
    /// Attributes that scripts read; off by default.
    Lazy,
    /// What plug-ins load, for archives that are replayed with an emulator of them; off by default.
    Plugins,
    /// RDFa; off by default.
    Rdfa,
}

/// Which tags a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum When {
    /// All of its element.
    Always,
    /// Those with one of the attributes, and in it one of the values, compared without regard to case.
    Holds(&'static [&'static str], &'static [&'static str]),
}

/// A place where references stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The element, in lower case, or `*` for any.
    pub element: Cow<'static, str>,
    /// The attribute, in lower case; empty for the text of the element.
    pub attribute: Cow<'static, str>,
    /// In which documents it counts.
    pub syntax: Syntax,
    /// Which tags of the element.
    pub when: When,
    /// What its value holds.
    pub grammar: Grammar,
    /// What its URLs resolve against.
    pub resolves_in: ResolvesIn,
    /// What becomes of same-document references.
    pub same_document: SameDocument,
    /// The group it belongs to.
    pub group: Group,
    /// The text that defines it.
    pub source: &'static str,
}

impl FromStr for Row {
    type Err = UnknownRow;

    /// Reads `ELEMENT@ATTRIBUTE=GRAMMAR`, as in `amp-img@srcset=srcset`; `*` is any element.
    fn from_str(text: &str) -> Result<Self, UnknownRow> {
        let (place, grammar) = text.split_once('=').ok_or(UnknownRow)?;
        let (element, attribute) = place.split_once('@').ok_or(UnknownRow)?;
        let grammar = Grammar::ALL.into_iter().find(|known| known.name() == grammar).ok_or(UnknownRow)?;
        let is_name = |text: &str| {
            !text.is_empty() && !text.contains(|character: char| " \t\n\r\x0c\"'<>/=@".contains(character))
        };
        if !is_name(element) || !is_name(attribute) {
            return Err(UnknownRow);
        }
        Ok(Self {
            element: element.to_ascii_lowercase().into(),
            attribute: attribute.to_ascii_lowercase().into(),
            syntax: Syntax::Any,
            when: When::Always,
            grammar,
            resolves_in: ResolvesIn::Document,
            same_document: SameDocument::Asked,
            group: Group::Core,
            source: "asked for",
        })
    }
}

/// The text is not `ELEMENT@ATTRIBUTE=GRAMMAR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRow;

impl fmt::Display for UnknownRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Grammar::ALL.map(Grammar::name).join(", ");
        write!(formatter, "a place is ELEMENT@ATTRIBUTE=GRAMMAR, and a grammar one of {names}")
    }
}

impl error::Error for UnknownRow {}

impl Grammar {
    /// All grammars.
    pub const ALL: [Self; 10] = [
        Self::Url,
        Self::SpaceList,
        Self::CommaList,
        Self::Srcset,
        Self::UrlOrSrcset,
        Self::Css,
        Self::Refresh,
        Self::KeyValue,
        Self::UrlOrCurie,
        Self::Html,
    ];

    /// The name used in documentation.
    ///
    /// ```
    /// assert_eq!(absolve_links::Grammar::Srcset.name(), "srcset");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::SpaceList => "space-list",
            Self::CommaList => "comma-list",
            Self::Srcset => "srcset",
            Self::UrlOrSrcset => "url-or-srcset",
            Self::Css => "css",
            Self::Refresh => "refresh",
            Self::KeyValue => "key-value",
            Self::UrlOrCurie => "url-or-curie",
            Self::Html => "html",
        }
    }
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 6] = [Self::Core, Self::Legacy, Self::Social, Self::Lazy, Self::Plugins, Self::Rdfa];

    /// The groups that are on by default.
    pub const DEFAULT: [Self; 3] = [Self::Core, Self::Legacy, Self::Social];

    /// The name used on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_links::Group::Core.name(), "core");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Legacy => "legacy",
            Self::Social => "social",
            Self::Lazy => "lazy",
            Self::Plugins => "plugins",
            Self::Rdfa => "rdfa",
        }
    }
}
