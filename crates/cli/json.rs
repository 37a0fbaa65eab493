//! JSON objects. Their field names are stable: some may be added, none renamed.

use std::path::Path;

use absolve_base::Base;
use absolve_rewriter::Counts;
use absolve_rewriter::internal::Part;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::wording;

/// Returns an object that begins with the path, before `fields`; one that is not UTF-8 comes in base64 as well.
pub(crate) fn with_path(path: &Path, fields: Value) -> Value {
    let mut object = json!({ "path": path.to_string_lossy() });
    if path.to_str().is_none() {
        object["path_base64"] = BASE64_STANDARD.encode(path.as_os_str().as_encoded_bytes()).into();
    }
    joined([object, fields])
}

/// The base of a part.
pub(crate) fn base(path: &Path, record: &str, part: &Part, base: &Base) -> Value {
    let declared = base.declared.iter().map(|declared| {
        json!({
            "layer": declared.declaration.layer.name(),
            "where": wording::place(&declared.declaration.place).to_string(),
            "value": declared.declaration.value,
            "url": declared.url,
            "used": declared.verdict == absolve_base::Verdict::Used,
            "why": declared.verdict.why(),
        })
    });
    with_path(
        path,
        json!({
            "record": record,
            "part": part.path,
            "media_type": part.document_type.media_type(),
            "base": base.url.as_ref().map(|url| url.as_str()),
            "layer": base.layer.name(),
            "declared": declared.collect::<Vec<_>>(),
        }),
    )
}

/// The fields of the summary that count links.
pub(crate) fn counts(counts: &Counts) -> Value {
    json!({
        "documents": counts.documents,
        "links": counts.links,
        "rewritten": counts.rewritten,
        "mapped": counts.mapped,
        "absolute": counts.absolute,
        "same_document": counts.same_document,
        "kept": counts.kept,
        "unresolved": counts.unresolved,
    })
}

/// Returns one object with the fields of all, in their order.
pub(crate) fn joined(objects: impl IntoIterator<Item = Value>) -> Value {
    let fields = objects.into_iter().filter_map(|object| match object {
        Value::Object(fields) => Some(fields),
        _ => None,
    });
    Value::Object(fields.flatten().collect())
}
