//! Options as keyword arguments of Python.

use std::borrow::Cow;
use std::sync::LazyLock;
use std::time::SystemTime;

use absolve_containers::{ArchiveOptions, Digests, HttpHeaders, record_date};
use absolve_rewriter::internal::{self, InvalidOption, OPTIONS, OptionValue, Shape, named_options};
use absolve_rewriter::settings::Detail;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::option_error;

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
            Some(_) => Self::read(arguments, &[own, &document_options()].concat()).map(Cow::Owned),
        }
    }

    /// Returns the settings for files of any type, with the same errors.
    pub(crate) fn of_files(arguments: Option<&Bound<'_, PyDict>>, own: &[&str]) -> PyResult<Self> {
        Self::read(arguments, &[own, &document_options(), &ARCHIVE_OPTIONS].concat())
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
        let given = Given(arguments);
        let mut settings = DEFAULT.clone();
        let mut values = Vec::new();
        for (name, shape) in OPTIONS {
            values.extend(given.value(name, shape)?.map(|value| (name, value)));
        }
        (settings.options.documents, settings.charset) =
            named_options(settings.options.documents, &values).map_err(invalid)?;
        set(&mut settings.options.http_headers, given.named("http_headers", &HttpHeaders::NAMED)?);
        set(&mut settings.options.digests, given.named("digests", &Digests::NAMED)?);
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

    /// Returns the value of an option, in the form that it has.
    fn value(&self, name: &str, shape: Shape) -> PyResult<Option<OptionValue>> {
        Ok(match shape {
            Shape::Text => self.text(name)?.map(OptionValue::Text),
            Shape::Texts => self.texts(name)?.map(OptionValue::Texts),
            Shape::Pairs => self.pairs(name)?.map(OptionValue::Pairs),
        })
    }

    fn named<T: Copy>(&self, name: &'static str, values: &[(&'static str, T)]) -> PyResult<Option<T>> {
        self.text(name)?.map(|text| named(name, &text, values)).transpose()
    }

    fn pairs(&self, name: &str) -> PyResult<Option<Vec<(String, String)>>> {
        let Some(map) = self.get(name)? else { return Ok(None) };
        match map.cast::<PyDict>().ok().map(|map| map.items().extract()) {
            Some(Ok(pairs)) => Ok(Some(pairs)),
            _ => wrong_type(name, "a dict of str to str", &map),
        }
    }
}

fn wrong_type<T>(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    Err(option_error(format!("{name} must be {expected}, not {}", value.get_type().name()?)))
}

/// Returns the value with a name. The error lists all names.
pub(crate) fn named<T: Copy>(option: &'static str, text: &str, values: &[(&'static str, T)]) -> PyResult<T> {
    internal::named(option, text, values).map_err(invalid)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err passes")]
fn invalid(error: InvalidOption) -> PyErr {
    option_error(error.message(error.name))
}

fn document_options() -> [&'static str; OPTIONS.len()] {
    OPTIONS.map(|(name, _)| name)
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
