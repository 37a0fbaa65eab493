//! One case: its form, and what is wrong with what the program makes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use absolve_testing::{root, temporary_folder};
use data_encoding::BASE64;
use serde::Deserialize;
use serde_json::Value;

use super::archive::{Archive, zipped};
use crate::support::{argument, run};

type Failure = Box<dyn std::error::Error>;

/// A case as it stands in a file. Paths begin with `in/`, the input, or `out`, what the command writes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// The program and its version in which the right value was seen, or the section of the text that states it.
    source: String,
    files: BTreeMap<String, Content>,
    command: Vec<String>,
    #[serde(default)]
    status: i32,
    /// The codes of all findings that the command reports.
    #[serde(default)]
    findings: BTreeSet<String>,
    /// Texts in standard output or standard error.
    #[serde(default)]
    says: Vec<String>,
    /// Written files that differ from their inputs, null if there is none. All others are equal to their inputs.
    #[serde(default)]
    expected: BTreeMap<String, Option<Content>>,
    /// Texts in written files.
    #[serde(default)]
    contains: BTreeMap<String, Vec<String>>,
    /// With `links … --json`: the reference, its target (null without one) and its status, in the order of the list.
    links: Option<Vec<Value>>,
    /// Options of `verify`, which has to agree with the output. Absent where the command does not rewrite.
    verify: Option<Vec<String>>,
    /// A written file, a text that stands in it once, and what stands there after a fault. `verify` has to reject each.
    #[serde(default)]
    faults: Vec<(String, String, String)>,
}

/// The content of a file.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Content {
    Text(String),
    /// Lines without their line feeds; one follows each.
    Lines(Vec<String>),
    Base64 {
        base64: String,
    },
    /// Records of a WARC or an ARC, whose lengths are computed.
    Archive(Archive),
    /// Members of a ZIP file, which are not compressed.
    Zip {
        zip: BTreeMap<String, Self>,
    },
}

impl Content {
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        Ok(match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Lines(lines) => lines.iter().flat_map(|line| [line.as_bytes(), b"\n"]).collect::<Vec<_>>().concat(),
            Self::Base64 { base64 } => BASE64.decode(base64.as_bytes())?,
            Self::Archive(archive) => archive.bytes()?,
            Self::Zip { zip } => {
                let members = zip.iter().map(|(path, content)| Ok((&**path, content.bytes()?)));
                zipped(&members.collect::<Result<Vec<_>, Failure>>()?)?
            }
        })
    }
}

impl Case {
    /// Runs the case; returns what is wrong.
    pub(crate) fn problems(&self) -> Result<Vec<String>, Failure> {
        let folder = temporary_folder()?;
        let folder = folder.path();
        for (path, content) in &self.files {
            let path = folder.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, content.bytes()?)?;
        }
        let mut problems = Vec::new();
        if self.source.is_empty() {
            problems.push("it has no source".to_owned());
        }
        let (status, output, errors) = self.run(folder, &self.command)?;
        if status != self.status {
            problems.push(format!("the status is {status}: {output}{errors}"));
        }
        let found = codes_in(&errors)?;
        if found != self.findings {
            problems.push(format!("the findings are {found:?}: {errors}"));
        }
        let unsaid = self.says.iter().filter(|text| !output.contains(*text) && !errors.contains(*text));
        problems.extend(unsaid.map(|text| format!("{text:?} is not said in: {output}{errors}")));
        if let Some(links) = &self.links {
            problems.extend(differing_links(links, &output)?);
        }
        problems.extend(self.differing_files(folder)?);
        if let Some(options) = &self.verify
            && problems.is_empty()
        {
            problems.extend(self.unverified(folder, options)?);
        }
        Ok(problems)
    }

    fn run(&self, folder: &Path, arguments: &[String]) -> io::Result<(i32, String, String)> {
        let is_path =
            |text: &str| ["in", "out"].iter().any(|start| *start == text.split(['/', '.']).next().unwrap_or(""));
        let placed = |text: &String| match is_path(text) {
            true => argument(&folder.join(text)).to_owned(),
            false => text.clone(),
        };
        let arguments: Vec<String> = arguments.iter().map(placed).collect();
        run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn differing_files(&self, folder: &Path) -> Result<Vec<String>, Failure> {
        let mut problems = Vec::new();
        for (path, content) in &self.expected {
            let content = content.as_ref().map(Content::bytes).transpose()?;
            match fs::read(folder.join(path)) {
                Ok(bytes) if content.as_ref() == Some(&bytes) => {}
                Err(_) if content.is_none() => {}
                Ok(bytes) => problems.push(format!("{path} is\n{}", String::from_utf8_lossy(&bytes))),
                Err(why) => problems.push(format!("{path}: {why}")),
            }
        }
        for (path, texts) in &self.contains {
            let written = fs::read(folder.join(path)).unwrap_or_default();
            let written = String::from_utf8_lossy(&written);
            let absent = texts.iter().filter(|text| !written.contains(*text));
            problems.extend(absent.map(|text| format!("{path} does not contain {text:?}:\n{written}")));
        }
        let is_rewritten = self.command.first().is_some_and(|verb| verb == "rewrite") && folder.join("out").is_dir();
        for (path, content) in self.files.iter().filter(|_| is_rewritten) {
            let written = path.replacen("in", "out", 1);
            if !self.expected.contains_key(&written) && fs::read(folder.join(&written)).ok() != Some(content.bytes()?) {
                problems.push(format!("{written} is absent or not equal to its input"));
            }
        }
        Ok(problems)
    }

    /// Returns whether `verify` rejects the output, and the faults that it does not find.
    fn unverified(&self, folder: &Path, options: &[String]) -> Result<Vec<String>, Failure> {
        let input = self.command.iter().find(|text| *text == "in" || text.starts_with("in/"));
        let output = self.command.iter().find(|text| text.starts_with("out"));
        let (Some(input), Some(output)) = (input, output) else { return Err("no input or no output".into()) };
        let verify = [&["verify".to_owned(), input.clone(), output.clone()], options].concat();
        let mut problems = Vec::new();
        let (status, found, errors) = self.run(folder, &verify)?;
        if status != 0 {
            problems.push(format!("verify: {status}: {found}{errors}"));
        }
        for (path, honest, planted) in &self.faults {
            let path = folder.join(path);
            let bytes = fs::read(&path)?;
            let text = String::from_utf8(bytes.clone())?;
            if text.matches(honest).count() != 1 {
                problems.push(format!("{honest:?} does not stand once in {}:\n{text}", path.display()));
                continue;
            }
            fs::write(&path, text.replace(honest, planted))?;
            let (status, found, _) = self.run(folder, &verify)?;
            if status != 1 {
                problems.push(format!("verify accepts {planted:?}: {status}: {found}"));
            }
            fs::write(&path, bytes)?;
        }
        Ok(problems)
    }
}

/// Returns the codes of the findings in messages, which are those that `docs/findings.md` has.
fn codes_in(messages: &str) -> io::Result<BTreeSet<String>> {
    let documented = fs::read_to_string(root().join("docs/findings.md"))?;
    let is_code = |piece: &&str| documented.contains(&format!("\n### `{piece}`\n"));
    Ok(messages.lines().filter_map(|line| line.split(": ").find(is_code)).map(str::to_owned).collect())
}

fn differing_links(expected: &[Value], listed: &str) -> Result<Option<String>, Failure> {
    let links = listed.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
    let shown =
        |link: &Value| Value::from(vec![link["reference"].clone(), link["target"].clone(), link["status"].clone()]);
    let found: Vec<Value> = links.iter().map(shown).collect();
    Ok((found != expected).then(|| format!("the links are {}", Value::from(found))))
}
