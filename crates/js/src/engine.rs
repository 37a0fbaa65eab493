//! Options that were read once, and what is done with data by them.

use absolve_links::DocumentType;
use absolve_rewriter::Options;
use absolve_rewriter::internal::{Entity, Kind, Report, base_of, edits_of, links_of, plan, retrieval_url};
use absolve_rewriter::results::Edits;
use absolve_rewriter::settings::Detail;
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::data::Input;
use crate::error::Failure;
use crate::offsets::Offsets;
use crate::options::{named_value, options};
use crate::results;

/// The name of messages among the types of data.
const MESSAGE: &str = "message";

/// Makes links absolute by its options. `kind` is the name of the type of the data.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine {
    options: Options,
    /// The same, for reports with the base of each document.
    reporting: Options,
    charset: Option<&'static str>,
}

#[wasm_bindgen]
impl Engine {
    /// Returns the engine of a JSON object of options.
    ///
    /// # Errors
    ///
    /// If an option has an unknown name or a wrong value.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str) -> Result<Self, JsValue> {
        let (options, charset) = options(json)?;
        let reporting = Options { detail: Detail::Documents, ..options.clone() };
        Ok(Self { options, reporting, charset })
    }

    /// Returns a document with absolute links; nothing if it stays as it is.
    ///
    /// # Errors
    ///
    /// If there is no such kind, or the URL cannot be a base.
    pub fn rewrite(&self, input: &Input, kind: &str, url: Option<String>) -> Result<JsValue, JsValue> {
        let entity = self.entity(input, kind, url.as_deref())?;
        Ok(content(input, &edits_of(&entity, &self.options, &mut Report::default())))
    }

    /// Returns what [`Engine::rewrite`] returns, and the JSON of the report on it.
    ///
    /// # Errors
    ///
    /// As [`Engine::rewrite`].
    pub fn page(&self, input: &Input, kind: &str, url: Option<String>) -> Result<Vec<JsValue>, JsValue> {
        let entity = self.entity(input, kind, url.as_deref())?;
        let (edits, report) = plan(&entity, &self.reporting).finish();
        Ok(vec![content(input, &edits), results::page(&report).to_string().into()])
    }

    /// Returns the changes of [`Engine::rewrite`], as JSON.
    ///
    /// # Errors
    ///
    /// As [`Engine::rewrite`].
    pub fn edits(&self, input: &Input, kind: &str, url: Option<String>) -> Result<String, JsValue> {
        let entity = self.entity(input, kind, url.as_deref())?;
        let plan = plan(&entity, &self.options);
        Ok(results::list(results::edits(plan.edits(), Offsets::new(input.text()))))
    }

    /// Returns the links of a document, as JSON.
    ///
    /// # Errors
    ///
    /// As [`Engine::rewrite`].
    pub fn links(&self, input: &Input, kind: &str, url: Option<String>) -> Result<String, JsValue> {
        let entity = self.entity(input, kind, url.as_deref())?;
        // Those in a message are offsets in a part, which is decoded.
        let mut offsets = Offsets::new(input.text().filter(|_| kind != MESSAGE));
        let listings = entity.parts.iter().map(|part| links_of(&entity, part, &self.options));
        let links = listings.flat_map(|listing| listing.links).map(|link| results::link(&link, &mut offsets));
        Ok(results::list(links))
    }

    /// Returns the base of each document, as JSON.
    ///
    /// # Errors
    ///
    /// As [`Engine::rewrite`].
    pub fn bases(&self, input: &Input, kind: &str, url: Option<String>) -> Result<String, JsValue> {
        let entity = self.entity(input, kind, url.as_deref())?;
        let documents = entity.parts.iter().filter(|part| part.document_type != DocumentType::Field);
        let bases = documents.map(|part| results::base(part, &base_of(&entity, part, &self.options)));
        Ok(results::list(bases))
    }

    /// Returns the contents of the files of a message, behind the JSON that says what they are.
    ///
    /// # Errors
    ///
    /// If the URL cannot be a base.
    pub fn unpack(&self, input: &Input, url: Option<String>) -> Result<Vec<JsValue>, JsValue> {
        let entity = self.entity(input, MESSAGE, url.as_deref())?;
        let plan = absolve_unpacker::plan(&entity, &self.options);
        let mut findings = [&entity.findings[..], plan.findings()].concat();
        let (mut files, mut contents) = (Vec::new(), Vec::new());
        for (index, leaf) in plan.leaves().iter().enumerate() {
            let Some(file) = plan.file(index) else { continue };
            files.push(json!({ "name": file.name, "mediaType": leaf.media_type, "part": leaf.path }));
            findings.extend(file.findings);
            contents.push(file.bytes.into_owned().into());
        }
        let document = plan.root().and_then(|root| plan.name(root));
        let about =
            json!({ "document": document, "files": files, "findings": results::findings(&findings) }).to_string();
        Ok([about.into()].into_iter().chain(contents).collect())
    }
}

impl Engine {
    fn entity<'d>(&self, input: &'d Input, kind: &str, url: Option<&str>) -> Result<Entity<'d>, Failure> {
        let kind = named_value("type", kind, &Kind::named().collect::<Vec<_>>())?;
        if let Some(url) = url {
            retrieval_url(url, self.options.rules)?;
        }
        Ok(kind.entity(input.bytes(), input.charset().or(self.charset), url, &self.options))
    }
}

fn content(input: &Input, edits: &Edits) -> JsValue {
    if edits.is_empty() { JsValue::UNDEFINED } else { input.result(edits.splice(input.bytes())) }
}
