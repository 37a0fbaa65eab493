//! The rows of the table.

use std::borrow::Cow;
use std::str::FromStr;
use std::{error, fmt};

use super::vocabulary::Vocabulary;

/// The grammar of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// One URL, possibly with white space around it.
    Url,
    /// URLs separated by white space.
    SpaceList,
    /// URLs separated by commas.
    CommaList,
    /// URLs separated by semicolons.
    SemicolonList,
    /// Image candidates: URLs with descriptors.
    Srcset,
    /// One URL or image candidates, distinguished as scripts do. JSON contains no URLs.
    UrlOrSrcset,
    /// CSS declarations.
    Css,
    /// A time, and an optional URL.
    Refresh,
    /// `key=value` pairs separated by semicolons. Some values are URLs.
    KeyValue,
    /// One URL, or a CURIE in brackets, which is not a URL.
    UrlOrCurie,
    /// A nested HTML document.
    Html,
    /// A pattern of URLs (URL Pattern Standard). Nothing in it is resolved.
    UrlPattern,
}

/// The base that the URLs of a row resolve against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolvesIn {
    /// The base of the document.
    Document,
    /// The base outside of the document: the BASE element itself resolves there.
    Outside,
    /// The `codebase` of the same element, if any.
    Codebase,
    /// According to HTML 4 the `codebase` of the same element, if any. According to the HTML Standard the base of the
    /// document.
    DocumentOrCodebase,
    /// The URL of the stylesheet.
    Stylesheet,
    /// The base around the element: its `xml:base` resolves there.
    Around,
}

/// The documents that a row applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// HTML and XML.
    Any,
    /// HTML, and XML of any vocabulary: `*` is any element there, and others are in no namespace, or one of HTML or SVG.
    Everywhere,
    /// XML only. Prefixes stand for namespaces, by convention.
    Xml,
    /// JSON only. Elements stand for objects, attributes for their members.
    Json,
    /// Front matter of Markdown only. Attributes stand for keys.
    FrontMatter,
}

/// Whether an empty or fragment-only value may be made absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// It is a same-document reference, and made absolute if the user requests that.
    OnRequest,
    /// A fragment is one. An empty value is no URL here and always stays unchanged, as in `action=""` and `src=""`.
    FragmentOnRequest,
    /// It means the document itself whatever the base is, and always stays unchanged, as in `usemap="#m"` and `<use href="#i">`.
    Never,
}

impl SameDocument {
    /// Returns whether a same-document reference always stays unchanged.
    ///
    /// ```
    /// use absolve_links::SameDocument::FragmentOnRequest;
    /// assert!(FragmentOnRequest.keeps("") && !FragmentOnRequest.keeps("#top"));
    /// ```
    pub fn keeps(self, reference: &str) -> bool {
        match self {
            Self::OnRequest => false,
            Self::FragmentOnRequest => !reference.contains('#'),
            Self::Never => true,
        }
    }
}

/// A group of rows that users switch on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Group {
    /// Attributes of current standards and of HTML 4.
    Core,
    /// Attributes of former browsers and drafts.
    Legacy,
    /// Metadata for other sites, which require absolute URLs.
    Social,
    /// Attributes that scripts read. Off by default.
    Lazy,
    /// Parameters of plug-ins, for archives that are replayed with an emulator of the plug-in. Off by default.
    Plugins,
    /// RDFa. Off by default.
    Rdfa,
    /// Keys in the front matter of Markdown. Off by default.
    FrontMatter,
    /// Elements of AMP, as in AMP for Email. On in documents for mail.
    Amp,
    /// Elements of MJML, a language for the sources of mail. On in documents for mail.
    Mjml,
}

/// The condition of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum When {
    /// The row applies to all tags of its element.
    Always,
    /// The row applies to tags with one of the attributes that has one of the values. Case is ignored.
    Holds(&'static [&'static str], &'static [&'static str]),
    /// The row applies to tags with this attribute, if that lists one of the names, separated by white space. Case is ignored.
    Lists(&'static str, &'static [&'static str]),
    /// The row applies to links of an MJML navbar without a `base-url`, which MJML would put before them.
    WithoutBaseUrl,
}

/// A place that contains references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The element in lower case, or `*` for any element.
    pub element: Cow<'static, str>,
    /// The attribute in lower case, or empty for the text of the element.
    pub attribute: Cow<'static, str>,
    /// The documents that it applies to.
    pub syntax: Syntax,
    /// The condition on the tag.
    pub when: When,
    /// The grammar of its value.
    pub grammar: Grammar,
    /// The base of its URLs.
    pub resolves_in: ResolvesIn,
    /// Whether same-document references may be made absolute.
    pub same_document: SameDocument,
    /// The group it belongs to.
    pub group: Group,
    /// The specification that defines it.
    pub source: &'static str,
}

impl FromStr for Row {
    type Err = UnknownRow;

    /// Parses `ELEMENT@ATTRIBUTE=GRAMMAR`, as in `amp-img@srcset=srcset`, or `ELEMENT:text=GRAMMAR` for the text of an element of XML. The
    /// element `*` is any element. In XML, a namespace in braces may stand before both names, as in `{urn:x}item@href=url`.
    fn from_str(text: &str) -> Result<Self, UnknownRow> {
        let (place, grammar) = text.rsplit_once('=').ok_or(UnknownRow)?;
        let grammar = Grammar::ALL.into_iter().find(|known| known.name() == grammar).ok_or(UnknownRow)?;
        let (prefix, element, rest) = qualified(place).ok_or(UnknownRow)?;
        let (element, of_attribute, attribute) = match rest.strip_prefix('@') {
            Some(rest) => match qualified(rest).ok_or(UnknownRow)? {
                (prefix, attribute, "") if is_name(attribute) => (element, prefix, attribute),
                _ => return Err(UnknownRow),
            },
            None => (element.strip_suffix(":text").filter(|name| *name != "*").ok_or(UnknownRow)?, String::new(), ""),
        };
        if !is_name(element) {
            return Err(UnknownRow);
        }
        Ok(Self {
            element: (prefix + element).to_ascii_lowercase().into(),
            attribute: (of_attribute + attribute).to_ascii_lowercase().into(),
            syntax: if attribute.is_empty() || place.contains('{') { Syntax::Xml } else { Syntax::Everywhere },
            when: When::Always,
            grammar,
            resolves_in: ResolvesIn::Document,
            same_document: SameDocument::OnRequest,
            group: Group::Core,
            source: "user",
        })
    }
}

/// Splits a text into the prefix in the table of the namespace that it begins with, a name, and what is behind that, from an `@` on.
fn qualified(text: &str) -> Option<(String, &str, &str)> {
    let (prefix, rest) = match text.strip_prefix('{') {
        Some(text) => {
            let (uri, rest) = text.split_once('}')?;
            let prefix = match Vocabulary::of_namespace(uri.as_bytes()) {
                Vocabulary::UNKNOWN => format!("{{{uri}}}"),
                Vocabulary::Prefixed(prefix) => prefix.to_owned(),
                _ => String::new(),
            };
            (prefix, rest)
        }
        None => (String::new(), text),
    };
    let (name, rest) = rest.split_at(rest.find('@').unwrap_or(rest.len()));
    Some((prefix, name, rest))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|character: char| " \t\n\r\x0c\"'<>/=@{}".contains(character))
}

/// Returns whether the references of an attribute of this element are embedded images, or what a picture chooses one of.
///
/// ```
/// assert!(absolve_links::embeds_image("img", "srcset") && !absolve_links::embeds_image("a", "href"));
/// ```
pub fn embeds_image(element: &str, attribute: &str) -> bool {
    match element {
        "img" => matches!(attribute, "src" | "srcset" | "lowsrc" | "dynsrc") || attribute.starts_with("data-"),
        "image" | "feimage" => matches!(attribute, "src" | "href" | "xlink:href"),
        "source" => attribute == "srcset",
        "input" => attribute == "src",
        "link" => attribute == "imagesrcset",
        "amp-img" | "amp-anim" | "mj-image" => matches!(attribute, "src" | "srcset"),
        _ => false,
    }
}

/// Returns whether an attribute of this element declares a base.
///
/// ```
/// assert!(absolve_links::declares_base("base", "href") && !absolve_links::declares_base("a", "href"));
/// ```
pub fn declares_base(element: &str, attribute: &str) -> bool {
    (element, attribute) == ("base", "href") || ["codebase", "xml:base"].contains(&attribute)
}

/// Error: the text is not `ELEMENT@ATTRIBUTE=GRAMMAR` or `ELEMENT:text=GRAMMAR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRow;

impl fmt::Display for UnknownRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Grammar::ALL.map(Grammar::name).join(", ");
        write!(
            formatter,
            "a place is ELEMENT@ATTRIBUTE=GRAMMAR or ELEMENT:text=GRAMMAR, in XML with {{NAMESPACE}} before a name, and a grammar one of {names}"
        )
    }
}

impl error::Error for UnknownRow {}

impl Grammar {
    /// All grammars.
    pub const ALL: [Self; 12] = [
        Self::Url,
        Self::SpaceList,
        Self::CommaList,
        Self::SemicolonList,
        Self::Srcset,
        Self::UrlOrSrcset,
        Self::Css,
        Self::Refresh,
        Self::KeyValue,
        Self::UrlOrCurie,
        Self::Html,
        Self::UrlPattern,
    ];

    /// Returns the name used in the documentation and on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_links::Grammar::Srcset.name(), "srcset");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::SpaceList => "space-list",
            Self::CommaList => "comma-list",
            Self::SemicolonList => "semicolon-list",
            Self::Srcset => "srcset",
            Self::UrlOrSrcset => "url-or-srcset",
            Self::Css => "css",
            Self::Refresh => "refresh",
            Self::KeyValue => "key-value",
            Self::UrlOrCurie => "url-or-curie",
            Self::Html => "html",
            Self::UrlPattern => "url-pattern",
        }
    }
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 9] = [
        Self::Core,
        Self::Legacy,
        Self::Social,
        Self::Lazy,
        Self::Plugins,
        Self::Rdfa,
        Self::FrontMatter,
        Self::Amp,
        Self::Mjml,
    ];

    /// The groups that are on by default.
    pub const DEFAULT: [Self; 3] = [Self::Core, Self::Legacy, Self::Social];

    /// The groups that are on in documents for mail besides.
    pub const MAIL: [Self; 2] = [Self::Amp, Self::Mjml];

    /// Returns the name used on the command line.
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
            Self::FrontMatter => "front-matter",
            Self::Amp => "amp",
            Self::Mjml => "mjml",
        }
    }
}
