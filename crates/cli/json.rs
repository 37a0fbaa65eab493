//! JSON objects. Their field names are stable: some may be added, none renamed.

use std::path::Path;

use absolve_base::Base;
use absolve_rewriter::Counts;
use absolve_rewriter::internal::Part;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use crate::wording;

/// An object that begins with the path; one that is not UTF-8 comes in base64 as well.
pub(crate) fn with_path(path: &Path) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("path".into(), path.to_string_lossy().into());
    if path.to_str().is_none() {
        let bytes = path.as_os_str().as_encoded_bytes();
        object.insert("path_base64".into(), BASE64_STANDARD.encode(bytes).into());
    }
    object
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
    let mut object = with_path(path);
    extend(
        &mut object,
        json!({
            "record": record,
            "part": part.path,
            "media_type": part.document_type.media_type(),
            "base": base.url.as_ref().map(|url| url.as_str()),
            "layer": base.layer.name(),
            "declared": declared.collect::<Vec<_>>(),
        }),
    );
    object.into()
}

/// The fields of the summary that count links.
pub(crate) fn counts(counts: &Counts) -> Value {
    json!({
        "documents": counts.documents,
        "links": counts.links,
        "rewritten": counts.rewritten,
        "absolute": counts.absolute,
        "same_document": counts.same_document,
        "kept": counts.kept,
        "unresolved": counts.unresolved,
    })
}

/// Adds the fields of `more`, an object.
pub(crate) fn extend(object: &mut Map<String, Value>, more: Value) {
    if let Value::Object(more) = more {
        object.extend(more);
    }
}
