//! Options as keyword arguments of Python.

use std::borrow::Cow;
use std::sync::LazyLock;
use std::time::SystemTime;

use absolve_containers::{ArchiveOptions, Digests, HttpHeaders, record_date};
use absolve_rewriter::settings::{Detail, MessageUrl, Patterns, RelativeLinks, Row, Table, UrlMap, charset};
use absolve_rewriter::{
    BaseElement, BaseError, FeedBase, Group, HeaderFields, Options, Profile, Purpose, SameDocument, Signatures,
    Spelling, Standard,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::option_error;

/// The names of all options for documents.
const DOCUMENT_OPTIONS: [&str; 18] = [
    "standard",
    "precedence",
    "base_element",
    "root",
    "images_url",
    "map",
    "relative_links",
    "same_document",
    "feed_base",
    "groups",
    "attributes",
    "keep",
    "spelling",
    "purpose",
    "headers",
    "signatures",
    "message_url",
    "charset",
];

/// The names of the options for web archives.
const ARCHIVE_OPTIONS: [&str; 2] = ["http_headers", "digests"];

/// The settings without options. Most calls would spend more time on making the table of links than on their document.
static DEFAULT: LazyLock<Settings> = LazyLock::new(Settings::default);

/// What keyword arguments set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) options: ArchiveOptions,
    pub(crate) charset: Option<&'static str>,
}

impl Settings {
    /// Returns the settings for one document. `own` are the names of the other arguments of the function.
    ///
    /// Errors name the option, and list what it can be.
    pub(crate) fn of_documents(arguments: Option<&Bound<'_, PyDict>>, own: &[&str]) -> PyResult<Cow<'static, Self>> {
        match arguments {
            None => Ok(Cow::Borrowed(&DEFAULT)),
            Some(_) => Self::read(arguments, &[own, &DOCUMENT_OPTIONS].concat()).map(Cow::Owned),
        }
    }

    /// Returns the settings for files of any type, with the same errors.
    pub(crate) fn of_files(arguments: Option<&Bound<'_, PyDict>>, own: &[&str]) -> PyResult<Self> {
        Self::read(arguments, &[own, &DOCUMENT_OPTIONS, &ARCHIVE_OPTIONS].concat())
    }

    fn read(arguments: Option<&Bound<'_, PyDict>>, known: &[&str]) -> PyResult<Self> {
        let Some(arguments) = arguments else { return Ok(DEFAULT.clone()) };
        for name in arguments.keys() {
            let name: String = name.extract()?;
            if name == "base" {
                return Err(option_error(misnamed_base(arguments)?));
            }
            if !known.contains(&&*name) {
                let known = known.join(", ");
                return Err(option_error(format!("unexpected keyword argument {name:?}; options are {known}")));
            }
        }
        let mut settings = DEFAULT.clone();
        let documents = &mut settings.options.documents;
        let given = Given(arguments);
        if given.value("purpose", &Purpose::NAMED)? == Some(Purpose::Mail) {
            *documents = std::mem::take(documents).for_mail();
        }
        set(&mut documents.rules.standard, given.value("standard", &Standard::ALL.map(|one| (one.name(), one)))?);
        set(&mut documents.rules.profile, given.value("precedence", &Profile::ALL.map(|one| (one.name(), one)))?);
        set(&mut documents.base_element, given.value("base_element", &BaseElement::NAMED)?);
        set(&mut documents.relative_links, given.value("relative_links", &RelativeLinks::NAMED)?);
        set(&mut documents.same_document, given.value("same_document", &SameDocument::NAMED)?);
        set(&mut documents.feed_base, given.value("feed_base", &FeedBase::NAMED)?);
        set(&mut documents.spelling, given.value("spelling", &Spelling::NAMED)?);
        set(&mut documents.header_fields, given.value("headers", &HeaderFields::NAMED)?);
        set(&mut documents.signatures, given.value("signatures", &Signatures::NAMED)?);
        set(&mut settings.options.http_headers, given.value("http_headers", &HttpHeaders::NAMED)?);
        set(&mut settings.options.digests, given.value("digests", &Digests::NAMED)?);
        settings.options.documents.message_url = given.message_url()?;
        given.places(&mut settings.options.documents)?;
        given.urls(&mut settings.options.documents)?;
        if let Some(patterns) = given.texts("keep")? {
            let invalid = |error| option_error(format!("keep: {error}"));
            settings.options.documents.keep = Patterns::new(patterns).map_err(invalid)?;
        }
        settings.charset = given.charset()?;
        Ok(settings)
    }

    /// Returns the settings for reports with the base of each document.
    pub(crate) fn with_bases(mut self) -> Self {
        self.options.documents.detail = Detail::Documents;
        self
    }
}

/// Returns what was meant by an argument named `base`: the URL of the document, or the BASE element.
fn misnamed_base(arguments: &Bound<'_, PyDict>) -> PyResult<String> {
    let value: Option<String> = arguments.get_item("base")?.and_then(|value| value.extract().ok());
    let is_url = value.is_some_and(|value| value.contains([':', '/']));
    let meant =
        if is_url { "the URL of the document is url" } else { "what becomes of the BASE element is base_element" };
    Ok(format!("unexpected keyword argument \"base\"; {meant}"))
}

fn set<T>(place: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *place = value;
    }
}

/// The keyword arguments of a call. `None` is as if an argument was not given.
struct Given<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Given<'_, 'py> {
    fn get(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }

    fn text(&self, name: &str) -> PyResult<Option<String>> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        value.extract().map(Some).or_else(|_| wrong_type(name, "a str", &value))
    }

    /// Returns a list of texts. One text alone would be taken for a list of its characters, and is refused.
    fn texts(&self, name: &str) -> PyResult<Option<Vec<String>>> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        value.extract().map(Some).or_else(|_| wrong_type(name, "a list of str", &value))
    }

    fn value<T: Copy>(&self, name: &str, values: &[(&'static str, T)]) -> PyResult<Option<T>> {
        self.text(name)?.map(|text| named(name, &text, values)).transpose()
    }

    fn charset(&self) -> PyResult<Option<&'static str>> {
        let Some(label) = self.text("charset")? else { return Ok(None) };
        charset(&label).map(Some).map_err(|error| option_error(format!("charset: {error}")))
    }

    fn message_url(&self) -> PyResult<Option<MessageUrl>> {
        let Some(url) = self.text("message_url")? else { return Ok(None) };
        url.parse().map(Some).map_err(|error| option_error(format!("message_url: {error}")))
    }

    /// Sets the URLs that some references resolve below, and where targets lead instead.
    fn urls(&self, options: &mut Options) -> PyResult<()> {
        for (name, place) in [("root", &mut options.root), ("images_url", &mut options.images_url)] {
            let url = self.text(name)?.map(|url| url.parse()).transpose();
            *place = url.map_err(|error: BaseError| option_error(format!("{name}: {error}")))?;
        }
        if let Some(map) = self.get("map")? {
            let pairs = map.cast::<PyDict>().ok().map(|map| map.items().extract());
            let pairs: Vec<(String, String)> = match pairs {
                Some(Ok(pairs)) => pairs,
                _ => return wrong_type("map", "a dict of str to str", &map),
            };
            options.map = UrlMap::new(pairs).map_err(|error| option_error(format!("map: {error}")))?;
        }
        Ok(())
    }

    /// Sets the places in which links are looked for.
    fn places(&self, options: &mut Options) -> PyResult<()> {
        let (groups, attributes) = (self.texts("groups")?, self.texts("attributes")?);
        if groups.is_none() && attributes.is_none() {
            return Ok(());
        }
        let all = Group::ALL.map(|group| (group.name(), group));
        let groups = match groups {
            Some(names) => names.iter().map(|text| named("groups", text, &all)).collect::<PyResult<_>>()?,
            None if options.purpose == Purpose::Mail => [&Group::DEFAULT[..], &Group::MAIL].concat(),
            None => Group::DEFAULT.to_vec(),
        };
        let row = |text: String| -> PyResult<Row> {
            text.parse().map_err(|error| option_error(format!("attributes: {text:?}: {error}")))
        };
        let rows = attributes.unwrap_or_default().into_iter().map(row).collect::<PyResult<_>>()?;
        options.table = Table::of_groups(&groups, rows);
        Ok(())
    }
}

fn wrong_type<T>(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    Err(option_error(format!("{name} must be {expected}, not {}", value.get_type().name()?)))
}

/// Returns the value with a name.
///
/// The error lists all names.
pub(crate) fn named<T: Copy>(option: &str, text: &str, values: &[(&'static str, T)]) -> PyResult<T> {
    let found = values.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        option_error(format!("{option} must be one of {}, not {text:?}", names.join(", ")))
    })
}

/// Returns a number of threads, which has the limits of the command.
pub(crate) fn threads(number: isize) -> PyResult<usize> {
    let in_range = |number: &usize| (1..=256).contains(number);
    let found = usize::try_from(number).ok().filter(in_range);
    found.ok_or_else(|| option_error(format!("threads must be a number from 1 to 256, not {number}")))
}

/// Returns the date of records that are added to web archives.
pub(crate) fn date(date: &Bound<'_, PyAny>) -> PyResult<SystemTime> {
    let text = date.str()?.to_string();
    let message = "date must be a number of seconds from 1970 up to the year 9999, or a text like 2024-01-01T00:00:00Z";
    record_date(&text).ok_or_else(|| option_error(format!("{message}, not {text}")))
}
