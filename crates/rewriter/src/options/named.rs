//! Options by their names, for programs that are called with names and values.

use std::fmt::Display;

use absolve_base::Profile;
use absolve_links::{Group, Patterns, Row, Table};
use absolve_resolver::Standard;

use crate::options::charset::charset;
use crate::options::given_bases::FolderUrl;
use crate::options::url_map::UrlMap;
use crate::options::{
    BaseElement, FeedBase, HeaderFields, Options, Purpose, RelativeLinks, SameDocument, Signatures, Spelling,
};
use crate::provenance::message_url::MessageUrl;

/// The form of the value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One text.
    Text,
    /// A list of texts.
    Texts,
    /// Texts by texts.
    Pairs,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// One text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// Texts by texts, in their order.
    Pairs(Vec<(String, String)>),
}

/// All options for documents, with the form of their values.
pub const OPTIONS: [(&str, Shape); 18] = [
    ("standard", Shape::Text),
    ("precedence", Shape::Text),
    ("base_element", Shape::Text),
    ("root", Shape::Text),
    ("images_url", Shape::Text),
    ("map", Shape::Pairs),
    ("relative_links", Shape::Text),
    ("same_document", Shape::Text),
    ("feed_base", Shape::Text),
    ("groups", Shape::Texts),
    ("attributes", Shape::Texts),
    ("keep", Shape::Texts),
    ("spelling", Shape::Text),
    ("purpose", Shape::Text),
    ("headers", Shape::Text),
    ("signatures", Shape::Text),
    ("message_url", Shape::Text),
    ("charset", Shape::Text),
];

/// A value that an option cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidOption {
    /// The name of the option.
    pub name: &'static str,
    why: String,
}

impl InvalidOption {
    /// Returns the message, with the name that the option has in a language.
    ///
    /// ```
    /// use absolve_rewriter::internal::named;
    /// let error = named("base_element", "drop", &[("keep", ()), ("remove", ())]).unwrap_err();
    /// assert_eq!(error.message("baseElement"), "baseElement must be one of keep, remove, not \"drop\"");
    /// ```
    pub fn message(&self, name: &str) -> String {
        format!("{name}{}", self.why)
    }
}

/// Returns the value with a name. The error lists all names.
///
/// ```
/// assert_eq!(absolve_rewriter::internal::named("answer", "yes", &[("yes", true), ("no", false)]), Ok(true));
/// ```
pub fn named<T: Copy>(option: &'static str, text: &str, values: &[(&'static str, T)]) -> Result<T, InvalidOption> {
    let found = values.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        InvalidOption { name: option, why: format!(" must be one of {}, not {text:?}", names.join(", ")) }
    })
}

/// Returns default options with these values, and the charset that the transport declared. A name that is not one of [`OPTIONS`], and a
/// value of another form, is passed over.
///
/// ```
/// use absolve_rewriter::{Options, Spelling};
/// use absolve_rewriter::internal::{OptionValue, named_options};
/// let (options, charset) = named_options(Options::default(), &[("spelling", OptionValue::Text("ascii".to_owned()))])?;
/// assert_eq!((options.spelling, charset), (Spelling::Ascii, None));
/// # Ok::<(), absolve_rewriter::internal::InvalidOption>(())
/// ```
pub fn named_options(
    mut options: Options,
    values: &[(&'static str, OptionValue)],
) -> Result<(Options, Option<&'static str>), InvalidOption> {
    let given = Given(values);
    if given.value("purpose", &Purpose::NAMED)? == Some(Purpose::Mail) {
        options = options.for_mail();
    }
    set(&mut options.rules.standard, given.value("standard", &Standard::ALL.map(|one| (one.name(), one)))?);
    set(&mut options.rules.profile, given.value("precedence", &Profile::ALL.map(|one| (one.name(), one)))?);
    set(&mut options.base_element, given.value("base_element", &BaseElement::NAMED)?);
    set(&mut options.relative_links, given.value("relative_links", &RelativeLinks::NAMED)?);
    set(&mut options.same_document, given.value("same_document", &SameDocument::NAMED)?);
    set(&mut options.feed_base, given.value("feed_base", &FeedBase::NAMED)?);
    set(&mut options.spelling, given.value("spelling", &Spelling::NAMED)?);
    set(&mut options.header_fields, given.value("headers", &HeaderFields::NAMED)?);
    set(&mut options.signatures, given.value("signatures", &Signatures::NAMED)?);
    options.message_url = given.read("message_url", str::parse::<MessageUrl>)?;
    options.root = given.read("root", str::parse::<FolderUrl>)?;
    options.images_url = given.read("images_url", str::parse::<FolderUrl>)?;
    if let Some(pairs) = given.pairs("map") {
        options.map = UrlMap::new(pairs.to_vec()).map_err(|error| invalid("map", &error))?;
    }
    if let Some(patterns) = given.texts("keep") {
        options.keep = Patterns::new(patterns).map_err(|error| invalid("keep", &error))?;
    }
    if let Some(table) = given.table(options.purpose)? {
        options.table = table;
    }
    Ok((options, given.read("charset", charset)?))
}

fn set<T>(place: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *place = value;
    }
}

fn invalid(name: &'static str, why: &dyn Display) -> InvalidOption {
    InvalidOption { name, why: format!(": {why}") }
}

/// The values of a call.
struct Given<'v>(&'v [(&'static str, OptionValue)]);

impl<'v> Given<'v> {
    fn get(&self, name: &str) -> Option<&'v OptionValue> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<&'v str> {
        if let Some(OptionValue::Text(text)) = self.get(name) { Some(text) } else { None }
    }

    fn texts(&self, name: &str) -> Option<&'v [String]> {
        if let Some(OptionValue::Texts(texts)) = self.get(name) { Some(texts) } else { None }
    }

    fn pairs(&self, name: &str) -> Option<&'v [(String, String)]> {
        if let Some(OptionValue::Pairs(pairs)) = self.get(name) { Some(pairs) } else { None }
    }

    fn value<T: Copy>(&self, name: &'static str, values: &[(&'static str, T)]) -> Result<Option<T>, InvalidOption> {
        self.text(name).map(|text| named(name, text, values)).transpose()
    }

    fn read<T, E: Display>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, InvalidOption> {
        self.text(name).map(parse).transpose().map_err(|error| invalid(name, &error))
    }

    /// Returns the places in which links are looked for, if they are given.
    fn table(&self, purpose: Purpose) -> Result<Option<Table>, InvalidOption> {
        let (groups, attributes) = (self.texts("groups"), self.texts("attributes"));
        if groups.is_none() && attributes.is_none() {
            return Ok(None);
        }
        let all = Group::ALL.map(|group| (group.name(), group));
        let groups = match groups {
            Some(names) => names.iter().map(|text| named("groups", text, &all)).collect::<Result<_, _>>()?,
            None if purpose == Purpose::Mail => [&Group::DEFAULT[..], &Group::MAIL].concat(),
            None => Group::DEFAULT.to_vec(),
        };
        let row = |text: &String| -> Result<Row, InvalidOption> {
            text.parse().map_err(|error| invalid("attributes", &format!("{text:?}: {error}")))
        };
        let rows = attributes.unwrap_or_default().iter().map(row).collect::<Result<_, _>>()?;
        Ok(Some(Table::of_groups(&groups, rows)))
    }
}
