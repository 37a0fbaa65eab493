//! The arguments that decide where some links lead: below a root, to other images, elsewhere by a map.

use std::fs;
use std::path::{Path, PathBuf};

use absolve_files::folder_url;
use absolve_rewriter::settings::{ImagesUrl, RelativeLinks, RootUrl, UrlMap};
use absolve_rewriter::{BaseError, Options};
use clap::Args;
use csv::{ReaderBuilder, Trim};

use crate::outcome::{Stop, usage_error};

#[derive(Debug, Args)]
pub(crate) struct UrlArguments {
    /// Resolve references that begin with one slash below this URL
    ///
    /// `/x` is the URL and `x`: for a site that moved below a prefix, or a README in which `/docs` means the repository. A declared base
    /// with another host than the retrieval URL wins.
    #[arg(long, value_name = "URL", hide_short_help = true, help_heading = "Base")]
    root: Option<RootUrl>,

    /// The URL of the folder that embedded images resolve against in place of the retrieval URL
    ///
    /// Such as that of the raw files of a repository. With --root, an image that begins with a slash is below the folder that is to this URL
    /// what the root is to --url.
    #[arg(long, value_name = "URL", value_parser = images_url, hide_short_help = true, help_heading = "Base")]
    pub(crate) images_url: Option<ImagesUrl>,

    /// Let what leads to FROM lead to TO, also where a link was absolute before [can be repeated]
    ///
    /// `http://old.example/docs=https://new.example` maps http://old.example/docs, what is below it, and its queries and fragments. The longest
    /// FROM decides. FILE.csv has FROM and TO in each row.
    #[arg(long, value_name = "FROM=TO|FILE.csv", value_parser = Mapping::parse, help_heading = "Links")]
    map: Vec<Mapping>,

    /// Leave relative links as they are: change only what --map covers
    #[arg(long, requires = "map", hide_short_help = true, help_heading = "Links")]
    map_only: bool,
}

/// Where what begins with a URL leads instead.
#[derive(Clone, Debug)]
enum Mapping {
    Pair(String, String),
    File(PathBuf),
}

impl Mapping {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let is_scheme = |start: &str| start.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        let begins_url = |to: &str| to.trim_start().split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
        let mut pairs = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
        match pairs.find(|(_, to)| begins_url(to)) {
            Some((from, to)) => Ok(Self::Pair(from.to_owned(), to.to_owned())),
            None if begins_url(text) => Err("it has to be FROM=TO, two URLs with a scheme and a host"),
            None => Ok(Self::File(text.into())),
        }
    }
}

impl UrlArguments {
    /// Sets the options; the map is read from its files.
    pub(crate) fn complete(&self, options: &mut Options) -> Result<(), Stop> {
        let mut pairs = Vec::new();
        for mapping in &self.map {
            match mapping {
                Mapping::Pair(from, to) => pairs.push((from.clone(), to.clone())),
                Mapping::File(path) => pairs.extend(read_pairs(path)?),
            }
        }
        options.map = UrlMap::new(pairs).or_else(|error| usage_error(format!("--map: {error}")))?;
        Ok(())
    }

    /// Sets the options that need no file.
    pub(crate) fn set(&self, options: &mut Options) {
        options.root.clone_from(&self.root);
        options.images_url.clone_from(&self.images_url);
        options.relative_links = if self.map_only { RelativeLinks::Keep } else { RelativeLinks::Absolute };
    }
}

fn images_url(text: &str) -> Result<ImagesUrl, BaseError> {
    folder_url(text.trim()).parse()
}

/// Reads the pairs of a CSV file, whose first row may name its columns.
fn read_pairs(path: &Path) -> Result<Vec<(String, String)>, Stop> {
    let fault = |why: String| Stop::Usage(format!("--map {}: {why}", path.display()));
    let unreadable =
        |error| fault(format!("{error}; it has to be FROM=TO, or a CSV file with FROM and TO in each row"));
    let bytes = fs::read(path).map_err(unreadable)?;
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(&*bytes);
    let mut pairs = Vec::new();
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| fault(error.to_string()))?;
        let place = || {
            let start = row.position().map_or(0, |position| position.byte() as usize);
            // The position is that of the empty lines in front of it.
            let before = bytes[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let line = bytes[..start + before].iter().filter(|byte| **byte == b'\n').count() + 1;
            format!("line {line} (byte {})", start + before)
        };
        let columns = row.iter().collect::<Vec<_>>();
        let [from, to] = columns[..] else {
            return Err(fault(format!("{} has {} columns, not FROM and TO", place(), row.len())));
        };
        if number == 0 && from.eq_ignore_ascii_case("from") && to.eq_ignore_ascii_case("to") {
            continue;
        }
        UrlMap::new([(from, to)]).map_err(|error| fault(format!("{}: {error}", place())))?;
        pairs.push((from.to_owned(), to.to_owned()));
    }
    if pairs.is_empty() { Err(fault("it has no row with FROM and TO".to_owned())) } else { Ok(pairs) }
}
