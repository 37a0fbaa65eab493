//! Problems in SARIF 2.1.0, the format of code scanning.

use std::collections::BTreeMap;
use std::io::{self, Write};

use absolve_files::shown_json;
use absolve_rewriter::internal::{escaped, url_below};
use serde_json::{Value, json};

use crate::commands::check::problem::{MAPPED, Problem, RELATIVE, UNREADABLE};
use crate::commands::listing::Event;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const FINDINGS: &str = "the document could not be read completely; docs/findings.md explains the code";

/// Writes one log with one run. Its results are written as they come, so memory does not grow with them.
pub(crate) struct Sarif<'o> {
    output: &'o mut dyn Write,
    results: u64,
    /// The rules of the results, each with its description.
    rules: BTreeMap<&'static str, &'static str>,
    /// That files could not be read, or none.
    failures: Vec<Value>,
}

impl<'o> Sarif<'o> {
    pub(crate) fn new(output: &'o mut dyn Write) -> Self {
        Self { output, results: 0, rules: BTreeMap::new(), failures: Vec::new() }
    }

    pub(crate) fn write(&mut self, event: Event<'_>) -> io::Result<()> {
        match (event, Problem::of(event)) {
            (Event::Stopped(why), _) => {
                self.failures.push(json!({ "level": "error", "message": { "text": why } }));
                self.finish()
            }
            (Event::End, _) => self.finish(),
            (Event::Failed(_), Some(problem)) => {
                self.failures.push(json!({
                    "level": "error",
                    "message": { "text": problem.text() },
                    "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&problem) } } }],
                }));
                Ok(())
            }
            (_, Some(problem)) => self.add(&problem),
            (_, None) => Ok(()),
        }
    }

    /// Writes what stands before the results.
    fn begin(&mut self) -> io::Result<()> {
        if self.results == 0 {
            write!(self.output, "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"results\":[")?;
        }
        Ok(())
    }

    fn add(&mut self, problem: &Problem<'_>) -> io::Result<()> {
        self.begin()?;
        self.rules.insert(problem.rule, description(problem.rule));
        let separator = if self.results == 0 { "" } else { "," };
        self.results += 1;
        write!(self.output, "{separator}\n{}", shown_json(&result(problem).to_string()))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        let rules = self.rules.iter().map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
        let tool = json!({ "driver": {
            "name": "absolve",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules.collect::<Vec<_>>(),
        }});
        let invocation = json!({
            "executionSuccessful": self.failures.is_empty(),
            "toolExecutionNotifications": self.failures,
        });
        writeln!(
            self.output,
            "],\n\"columnKind\":\"utf16CodeUnits\",\n\"tool\":{tool},\n\"invocations\":[{}]}}]}}",
            shown_json(&invocation.to_string())
        )
    }
}

fn description(rule: &str) -> &'static str {
    match rule {
        RELATIVE => "a link is relative, so it means nothing elsewhere",
        MAPPED => "a link leads to what --map leads elsewhere",
        UNREADABLE => "a file could not be read",
        "out-of-reach" => "no reader elsewhere can follow a link",
        _ => FINDINGS,
    }
}

/// Returns a result. Its region is the line if the column in characters is not sure; columns of absolve are bytes.
fn result(problem: &Problem<'_>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(problem) } });
    if let Some(position) = problem.position {
        physical["region"] = json!({ "startLine": position.line });
        if let Some(column) = problem.utf_16_column {
            physical["region"]["startColumn"] = column.into();
        }
    }
    let mut location = json!({ "physicalLocation": physical });
    if !problem.inner.is_empty() {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": problem.inner }]);
    }
    json!({
        "ruleId": problem.rule,
        "level": "error",
        "message": { "text": problem.text() },
        "locations": [location],
    })
}

/// Returns the file as a URI reference: relative below the repository, so that services find it in a change.
fn uri(problem: &Problem<'_>) -> String {
    let path = problem.path_in_repository();
    if path.is_absolute() {
        return url_below("file:///", &path);
    }
    let segments = path.components().map(|segment| escaped(segment.as_os_str().as_encoded_bytes(), b""));
    let uri = segments.collect::<Vec<_>>().join("/");
    // Else the first segment would be a scheme.
    let has_scheme = uri.split('/').next().is_some_and(|first| first.contains(':'));
    if has_scheme { format!("./{uri}") } else { uri }
}
