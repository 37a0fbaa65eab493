//! The arguments that decide where some links lead: below a root, to other images, elsewhere by a map.

use std::fs::File;

use absolve_files::folder_url;
use absolve_rewriter::settings::{FolderUrl, RelativeLinks, UrlMap};
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
    root: Option<FolderUrl>,

    /// The URL of the folder that embedded images resolve against in place of the retrieval URL
    ///
    /// Such as that of the raw files of a repository. With --root, an image that begins with a slash is below the folder that is to this URL
    /// what the root is to --url.
    #[arg(long, value_name = "URL", value_parser = images_url, hide_short_help = true, help_heading = "Base")]
    images_url: Option<FolderUrl>,

    /// Let what leads to FROM lead to TO, also where a link was absolute before [can be repeated]
    ///
    /// `http://old.example/docs=https://new.example` maps http://old.example/docs, what is below it, and its queries and fragments. The longest
    /// FROM decides. FILE.csv has FROM and TO in each row.
    #[arg(long, value_name = "FROM=TO|FILE.csv", value_parser = mapping, hide_short_help = true, help_heading = "Links")]
    map: Vec<Mapping>,

    /// Leave relative links as they are: change only what --map covers
    #[arg(long, requires = "map", hide_short_help = true, help_heading = "Links")]
    map_only: bool,
}

/// Two URLs, or the name of a file.
type Mapping = (String, Option<String>);

fn mapping(text: &str) -> Result<Mapping, &'static str> {
    let is_scheme = |start: &str| start.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let begins_url = |to: &str| to.trim_start().split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
    let mut pairs = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    match pairs.find(|(_, to)| begins_url(to)) {
        Some((from, to)) => Ok((from.to_owned(), Some(to.to_owned()))),
        None if begins_url(text) => Err("it has to be FROM=TO, two URLs with a scheme and a host"),
        None => Ok((text.to_owned(), None)),
    }
}

impl UrlArguments {
    /// Sets the options; the map is read from its files.
    pub(crate) fn set(&self, options: &mut Options) -> Result<(), Stop> {
        let mut pairs = Vec::new();
        for mapping in &self.map {
            match mapping {
                (from, Some(to)) => pairs.push((from.clone(), to.clone())),
                (path, None) => pairs.extend(read_pairs(path)?),
            }
        }
        options.map = UrlMap::new(pairs).or_else(|error| usage_error(format!("--map: {error}")))?;
        options.relative_links = if self.map_only { RelativeLinks::Keep } else { RelativeLinks::Absolute };
        (options.root, options.images_url) = (self.root.clone(), self.images_url.clone());
        Ok(())
    }
}

fn images_url(text: &str) -> Result<FolderUrl, BaseError> {
    folder_url(text.trim()).parse()
}

/// Reads the pairs of a CSV file, whose first row may name its columns.
fn read_pairs(path: &str) -> Result<Vec<(String, String)>, Stop> {
    let fault = |why: String| Stop::Usage(format!("--map {path}: {why}"));
    let unreadable =
        |error| fault(format!("{error}; it has to be FROM=TO, or a CSV file with FROM and TO in each row"));
    let file = File::open(path).map_err(unreadable)?;
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(file);
    let mut pairs = Vec::new();
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| fault(error.to_string()))?;
        let place = || row.position().map_or_else(String::new, |at| format!("line {} (byte {})", at.line(), at.byte()));
        let columns = row.iter().collect::<Vec<_>>();
        let [from, to] = columns[..] else {
            return Err(fault(format!("{} has {} columns, not FROM and TO with a comma between", place(), row.len())));
        };
        if number == 0 && from.eq_ignore_ascii_case("from") && to.eq_ignore_ascii_case("to") {
            continue;
        }
        UrlMap::new([(from, to)]).map_err(|error| fault(format!("{}: {error}", place())))?;
        pairs.push((from.to_owned(), to.to_owned()));
    }
    if pairs.is_empty() { Err(fault("it has no row with FROM and TO".to_owned())) } else { Ok(pairs) }
}
