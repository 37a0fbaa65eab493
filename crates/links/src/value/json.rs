//! JSON as slices of its text.
//!
//! serde_json says where the members of objects and the elements of arrays stand.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Error};

use crate::value::wrapping::Wrapping;

/// Returns a text, and the value in it.
///
/// # Errors
///
/// Returns the byte of the error if the bytes are not JSON in UTF-8.
pub(crate) fn whole(bytes: &[u8]) -> Result<(&str, &str), usize> {
    let text = str::from_utf8(bytes).map_err(|error| error.valid_up_to())?;
    let value: &RawValue = serde_json::from_str(text).map_err(|error| byte_of(&error, text))?;
    Ok((text, value.get()))
}

/// Returns the text of a string of JSON; that of other values is what is written.
pub(crate) fn text_of(json: &str) -> Cow<'_, str> {
    let inside = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(json);
    if inside.contains('\\') { Wrapping::JsonString.decode(inside).0.into() } else { inside.into() }
}

/// Returns the byte of an error.
fn byte_of(error: &Error, text: &str) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    (lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)).min(text.len())
}

/// Calls `visit` with the name and the value of each member of an object, or with each element of an array without a name; never for other
/// values of JSON.
pub(crate) fn each<'j>(json: &'j str, visit: impl FnMut(&'j str, &'j str)) {
    // What is no object or array is an error here; the text as a whole is JSON.
    let _ = Deserializer::from_str(json).deserialize_any(Each(visit));
}

struct Each<F>(F);

impl<'j, F: FnMut(&'j str, &'j str)> Visitor<'j> for Each<F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'j>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some((name, value)) = members.next_entry::<&RawValue, &RawValue>()? {
            (self.0)(name.get(), value.get());
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'j>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element::<&RawValue>()? {
            (self.0)("", element.get());
        }
        Ok(())
    }
}
