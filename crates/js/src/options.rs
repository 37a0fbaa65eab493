//! Options as an object of JSON, with the names of JavaScript.

use std::sync::LazyLock;

use absolve_rewriter::Options;
use absolve_rewriter::internal::{InvalidOption, OPTIONS, OptionValue, Shape, named, named_options};
use serde_json::Value;

use crate::error::Failure;

/// The options without any given. Their table of links takes longer to make than most documents to rewrite.
static DEFAULT: LazyLock<Options> = LazyLock::new(Options::default);

/// Returns the options in a JSON object, and the charset that the transport declared.
pub(crate) fn options(json: &str) -> Result<(Options, Option<&'static str>), Failure> {
    let Ok(Value::Object(object)) = serde_json::from_str(json) else {
        return Err(Failure::InvalidOption("options must be an object".to_owned()));
    };
    let mut values = Vec::new();
    for (name, value) in object {
        let known = OPTIONS.into_iter().find(|(option, _)| camel_case(option) == name);
        let Some((option, shape)) = known else {
            let known = OPTIONS.map(|(option, _)| camel_case(option)).join(", ");
            return Err(Failure::InvalidOption(format!(
                "there is no option {name:?}; options are {known}, and functions take url and type as well"
            )));
        };
        if !value.is_null() {
            values.push((option, option_value(&name, shape, value)?));
        }
    }
    Ok(named_options(DEFAULT.clone(), &values)?)
}

/// Returns the value with a name.
pub(crate) fn named_value<T: Copy>(
    option: &'static str,
    text: &str,
    values: &[(&'static str, T)],
) -> Result<T, Failure> {
    Ok(named(option, text, values)?)
}

impl From<InvalidOption> for Failure {
    fn from(error: InvalidOption) -> Self {
        Self::InvalidOption(error.message(&camel_case(error.name)))
    }
}

fn option_value(name: &str, shape: Shape, value: Value) -> Result<OptionValue, Failure> {
    let text = |value: Value| if let Value::String(text) = value { Some(text) } else { None };
    let (found, expected) = match (shape, value) {
        (Shape::Text, value) => (text(value).map(OptionValue::Text), "a string"),
        (Shape::Texts, Value::Array(values)) => {
            (values.into_iter().map(text).collect::<Option<_>>().map(OptionValue::Texts), "an array of strings")
        }
        (Shape::Pairs, Value::Object(object)) => {
            let pairs = object.into_iter().map(|(name, value)| Some((name, text(value)?)));
            (pairs.collect::<Option<_>>().map(OptionValue::Pairs), "an object of strings")
        }
        (Shape::Texts, _) => (None, "an array of strings"),
        (Shape::Pairs, _) => (None, "an object of strings"),
    };
    found.ok_or_else(|| Failure::InvalidOption(format!("{name} must be {expected}")))
}

/// Returns a name as JavaScript writes it: `base_element` is `baseElement`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |before, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        before + &initial.to_ascii_uppercase() + rest
    })
}
