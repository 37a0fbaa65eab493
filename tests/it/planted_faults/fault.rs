//! What a fault is, and how it is planted.

use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;
use serde_json::Value;
use tempfile::TempDir;
use url::Url;

use crate::support::{Outcome, argument, run};
use absolve_testing::temporary_folder;

pub(crate) type Failure = Box<dyn std::error::Error>;
pub(crate) type Flags = &'static [&'static str];
pub(crate) type Rules = &'static [&'static str];

/// An honest output with one thing wrong in it.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) original: Original,
    mutation: Mutation,
    /// Any of them may rightly be named.
    pub(crate) rules: Rules,
    /// Fields of the difference, and what they say.
    pub(crate) place: &'static [(&'static str, &'static str)],
}

/// What is rewritten, and with which flags.
#[derive(Clone, Copy)]
pub(crate) struct Original {
    pub(crate) files: Files,
    pub(crate) flags: Flags,
}

#[derive(Clone, Copy)]
pub(crate) enum Files {
    /// A file with a name.
    Text(&'static str, &'static str),
    Made(&'static str, fn() -> Vec<u8>),
    /// A folder that is filled.
    Folder(fn(&Path) -> Outcome),
}

pub(crate) enum Mutation {
    /// Where the first stands, once and no more, the second stands instead.
    Instead(&'static [u8], &'static [u8]),
    /// The same in a file of a folder.
    InFile(&'static str, &'static str, &'static str),
    Bytes(fn(&[u8]) -> Vec<u8>),
    Folder(fn(&Path) -> Outcome),
    /// The output is honest, but not under these flags.
    Options(Flags),
}

impl Fault {
    pub(crate) const fn new(name: &'static str, original: Original, mutation: Mutation, rules: Rules) -> Self {
        Self { name, original, mutation, rules, place: &[] }
    }

    /// Where the first text stands in the output, the second stands instead.
    pub(crate) const fn instead(
        name: &'static str,
        original: Original,
        from: &'static str,
        to: &'static str,
        rules: Rules,
    ) -> Self {
        Self::new(name, original, Mutation::Instead(from.as_bytes(), to.as_bytes()), rules)
    }

    /// The difference is reported with its place.
    pub(crate) const fn at(mut self, place: &'static [(&'static str, &'static str)]) -> Self {
        self.place = place;
        self
    }
}

/// An original and what honest rewriting makes of it, on the disk.
pub(crate) struct Plant<'f> {
    fault: &'f Fault,
    folder: TempDir,
    original: PathBuf,
    output: PathBuf,
}

impl<'f> Plant<'f> {
    pub(crate) fn of(fault: &'f Fault) -> Result<Self, Failure> {
        let folder = temporary_folder()?;
        let name = match fault.original.files {
            Files::Text(name, _) | Files::Made(name, _) => name,
            Files::Folder(_) => "tree",
        };
        let (original, output) = (folder.path().join("original").join(name), folder.path().join("output").join(name));
        for path in [&original, &output] {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
        }
        match fault.original.files {
            Files::Text(_, text) => fs::write(&original, text)?,
            Files::Made(_, make) => fs::write(&original, make())?,
            Files::Folder(fill) => {
                fs::create_dir(&original)?;
                fill(&original)?;
            }
        }
        let plant = Self { fault, folder, original, output };
        plant.rewrite()?;
        Ok(plant)
    }

    fn rewrite(&self) -> Outcome {
        let summary = self.folder.path().join("summary");
        let mut arguments = vec!["rewrite", argument(&self.original), "-o", argument(&self.output)];
        arguments.extend(["--quiet", "--warc-date", "1600000000", "--summary", argument(&summary)]);
        arguments.extend(self.fault.original.flags);
        let (status, _, told) = run(&arguments)?;
        let counts: Value = serde_json::from_slice(&fs::read(summary)?)?;
        if status != 0 || counts["rewritten"].as_u64().unwrap_or_default() == 0 {
            return Err(format!("rewriting gives {status}: {told}{counts}").into());
        }
        Ok(())
    }

    /// What is said to verify, or the like.
    pub(crate) fn arguments<'a>(&'a self, command: &'a str, flags: &[&'a str]) -> Vec<&'a str> {
        [&[command], flags, &[argument(&self.original), argument(&self.output)]].concat()
    }

    /// Where the links of the output lead: with today's standard, URLs as it reads them.
    pub(crate) fn targets(&self) -> Result<Vec<String>, Failure> {
        let flags = self.fault.original.flags;
        let listed: Vec<&str> = if flags.contains(&"--warc") { Vec::new() } else { flags.to_vec() };
        let (_, told, _) = run(&[&["links", "--json"], &listed[..], &[argument(&self.output)]].concat())?;
        let links = told.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
        let target = |link: &Value| {
            let target = link["target"].as_str().unwrap_or_default();
            let read = Url::parse(target).ok().filter(|_| !flags.contains(&"--standard"));
            read.map_or_else(|| target.to_owned(), String::from)
        };
        Ok(links.iter().map(target).collect())
    }

    /// Plants the fault into the output; returns the flags under which it shows.
    pub(crate) fn plant(&self) -> Result<&'f [&'static str], Failure> {
        match &self.fault.mutation {
            Mutation::Instead(from, to) => change(&self.output, |honest| instead(honest, from, to))?,
            Mutation::InFile(name, from, to) => {
                change(&self.output.join(name), |honest| instead(honest, from.as_bytes(), to.as_bytes()))?;
            }
            Mutation::Bytes(mutate) => change(&self.output, |honest| Ok(mutate(honest)))?,
            Mutation::Folder(mutate) => {
                let before = listing(&self.output)?;
                mutate(&self.output)?;
                if listing(&self.output)? == before {
                    return Err("the folder is as it was".into());
                }
            }
            Mutation::Options(flags) => return Ok(flags),
        }
        Ok(self.fault.original.flags)
    }
}

fn change(path: &Path, mutate: impl FnOnce(&[u8]) -> Result<Vec<u8>, Failure>) -> Outcome {
    let honest = fs::read(path)?;
    let planted = mutate(&honest)?;
    if planted == honest {
        return Err("the output is as it was".into());
    }
    Ok(fs::write(path, planted)?)
}

fn instead(bytes: &[u8], from: &[u8], to: &[u8]) -> Result<Vec<u8>, Failure> {
    let count = memmem::find_iter(bytes, from).count();
    if count != 1 {
        let [bytes, from] = [bytes, from].map(String::from_utf8_lossy);
        return Err(format!("{from:?} stands {count} times in:\n{bytes}").into());
    }
    Ok(replaced(bytes, from, to))
}

/// The bytes with the second in the place of each of the first.
pub(crate) fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let (mut out, mut done) = (Vec::new(), 0);
    for found in memmem::find_iter(bytes, from) {
        out.extend_from_slice(&bytes[done..found]);
        out.extend_from_slice(to);
        done = found + from.len();
    }
    out.extend_from_slice(&bytes[done..]);
    out
}

/// What a folder holds: names, and of each what it holds or where it leads.
fn listing(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            found.extend(listing(&path)?);
            found.push((path, Vec::new()));
        } else if kind.is_symlink() {
            found.push((path.clone(), fs::read_link(&path)?.into_os_string().into_encoded_bytes()));
        } else {
            found.push((path.clone(), fs::read(&path)?));
        }
    }
    found.sort();
    Ok(found)
}
