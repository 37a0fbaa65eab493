//! The values of options: by the names that the libraries give them, with what the help says of some.

use std::convert::Infallible;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns the parser of an option that has one of these values.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    described(values, &[])
}

/// Does the same, with a help for some of the names.
pub(crate) fn described<T: Clone + Send + Sync + 'static, I: IntoIterator<Item = (&'static str, T)>>(
    values: I,
    helps: &[(&'static str, &'static str)],
) -> impl TypedValueParser<Value = T> + use<T, I> {
    let values: Vec<(&str, T)> = values.into_iter().collect();
    let possible = values.iter().map(|(name, _)| match helps.iter().find(|(described, _)| described == name) {
        Some((_, help)) => PossibleValue::new(*name).help(*help),
        None => PossibleValue::new(*name),
    });
    let parser = PossibleValuesParser::new(possible.collect::<Vec<_>>());
    parser.try_map(move |name| {
        let found = values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).ok_or("it is none of the possible values")
    })
}

/// Returns a pasted URL without the space or the line end behind it, which would be part of the name of a folder.
pub(crate) fn trimmed(url: &str) -> Result<String, Infallible> {
    Ok(url.trim().to_owned())
}
