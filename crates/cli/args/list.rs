//! The arguments of the commands that list: `absolve check`, `links` and `base`.

use std::path::{Path, PathBuf};

use absolve_table::{Counted, LinkColumns, Nodes};
use clap::{Args, ValueEnum};

use crate::args::input::InputArguments;
use crate::args::options::OptionArguments;
use crate::args::report::ReportArguments;
use crate::outcome::{Stop, usage_error};

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) list: ListArguments,

    /// How to write what is found
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json", help_heading = "Output")]
    format: CheckFormat,

    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

/// A format of what `check` finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// `path:line:column: message`, as compilers print it
    Text,
    /// One JSON object a line, with all properties of the link; `--json` is short for it
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

impl CheckArguments {
    pub(crate) const fn format(&self) -> CheckFormat {
        if self.list.json { CheckFormat::Json } else { self.format }
    }
}

#[derive(Debug, Args)]
pub(crate) struct LinksArguments {
    #[command(flatten)]
    pub(crate) list: ListArguments,

    /// How to write the links; `--json` is short for `--format json`
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json", help_heading = "Output")]
    format: LinksFormat,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Replace an existing output
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) force: bool,

    /// List only these columns, in this order, as in `url,target`
    ///
    /// For CSV, JSON and Parquet. What no column needs is not computed.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Output")]
    columns: Vec<String>,

    /// Sum up the links as the edges of a graph of pages, hosts or domains
    ///
    /// An edge has its number of links, those with `nofollow`, and the first and last date of their pages. Beyond a limit, edges are
    /// sorted in temporary files.
    #[arg(long, value_name = "NODES", conflicts_with = "columns", help_heading = "Output")]
    graph: Option<GraphNodes>,

    /// With --graph: count links from a page, host or domain to itself as well
    #[arg(long, requires = "graph", hide_short_help = true, help_heading = "Output")]
    internal: bool,

    /// Count the links between hosts, the most frequent first
    ///
    /// The host of a page is that of the URL it was retrieved from. Memory grows with the number of pairs of hosts.
    #[arg(long, conflicts_with_all = ["columns", "graph"], hide_short_help = true, help_heading = "Output")]
    pub(crate) unique_hosts: bool,
}

/// What the nodes of a graph are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphNodes {
    /// URLs without fragments
    Pages,
    /// Hosts
    Hosts,
    /// Domains that someone can register, by the Public Suffix List
    Domains,
}

/// A format of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinksFormat {
    /// One a line, for people
    Text,
    /// One JSON object a line
    Json,
    /// A table for spreadsheets; a cell that could be a formula begins with an apostrophe
    Csv,
    /// A table for data frames and databases
    Parquet,
    /// With --graph hosts or domains: the two text files of Common Crawl's web graphs, whose names begin with that of `-o`
    Webgraph,
    /// With --graph: GraphML, for programs that draw and measure graphs
    Graphml,
}

impl LinksArguments {
    pub(crate) const fn format(&self) -> LinksFormat {
        if self.list.json { LinksFormat::Json } else { self.format }
    }

    /// Returns the columns, all by default.
    pub(crate) fn columns(&self) -> Result<LinkColumns, Stop> {
        match &*self.columns {
            [] => Ok(LinkColumns::default()),
            names => LinkColumns::named(names.iter().map(|name| name.trim())).or_else(usage_error),
        }
    }

    /// Returns what the links are edges of, if they are to be.
    pub(crate) fn counted(&self) -> Option<(Nodes, Counted)> {
        let nodes = match self.graph {
            None => return self.unique_hosts.then_some((Nodes::Hosts, Counted::EveryRow)),
            Some(GraphNodes::Pages) => Nodes::Pages,
            Some(GraphNodes::Hosts) => Nodes::Hosts,
            Some(GraphNodes::Domains) => Nodes::Domains,
        };
        Some((nodes, if self.internal { Counted::BetweenAndWithin } else { Counted::Between }))
    }

    /// Refuses formats that do not go with the other options, or that the program was built without.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        let format = self.format();
        match format {
            LinksFormat::Webgraph if !matches!(self.graph, Some(GraphNodes::Hosts | GraphNodes::Domains)) => {
                usage_error("--format webgraph needs --graph hosts or --graph domains")
            }
            LinksFormat::Webgraph if self.output.as_deref().is_none_or(|path| path == Path::new("-")) => {
                usage_error("--format webgraph writes two files; give -o PREFIX")
            }
            LinksFormat::Graphml if self.graph.is_none() => usage_error("--format graphml needs --graph"),
            LinksFormat::Text if !self.columns.is_empty() => {
                usage_error("--columns is for tables; give --format csv, json or parquet")
            }
            _ => {
                self.columns()?;
                format.check()
            }
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct BaseArguments {
    #[command(flatten)]
    pub(crate) list: ListArguments,

    /// Draw the base of each document, not only counts
    ///
    /// For one file, that is so in any case.
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(crate) all: bool,
}

/// The arguments that they share.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// Print one JSON object a line instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Print errors only
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,
}
