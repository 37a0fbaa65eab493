//! The arguments that name the input and its URLs.

use std::path::PathBuf;

use absolve_containers::FileType;
use absolve_files::{Layout, Symlinks};
use absolve_rewriter::internal::{ArchivePrefix, Discover, Discovery, Scheme, WaybackLinks};
use absolve_rewriter::settings::charset;
use clap::builder::{TypedValueParser, UnknownArgumentValueParser};
use clap::{ArgGroup, Args};

use crate::args::values::{described, one_of, trimmed};

#[derive(Clone, Debug, Args)]
pub(crate) struct InputArguments {
    /// Files or folders; `-` is standard input
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) source: SourceArguments,
}

/// Where the input was retrieved from, and which of its files are read.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("urls_of_files").args(["url", "urls"]).multiple(true))]
pub(crate) struct SourceArguments {
    /// The URL that the input was retrieved from
    ///
    /// For a folder, it is the URL of the folder or of a page in it. `https://example.org/docs/` and `https://example.org/docs/index.html` mean the same: a last segment with
    /// the extension of a page (.html, .htm, .xhtml, .php, .asp and others) is dropped; any other one names the folder. The
    /// path of each file below the folder is appended, percent-encoded.
    #[arg(long, value_name = "URL", value_parser = trimmed, help_heading = "Base")]
    pub(crate) url: Option<String>,

    #[arg(long, hide = true, value_parser = UnknownArgumentValueParser::suggest_arg("--url"))]
    base_url: Option<String>,

    /// A list of files and their URLs: CSV, a CDX or a wget log
    ///
    /// CSV has a path and a URL in each row; JSON Lines and CDXJ are read as well. Paths are relative to the folder. Files that are not listed get their URL from --url. Redirections (3xx) are ignored.
    #[arg(long, value_name = "FILE", help_heading = "Base")]
    pub(crate) urls: Option<PathBuf>,

    /// Which tool made this mirror
    ///
    /// In a mirror, links lead to the copies. A link to a file of the mirror becomes the URL of that file; if that is not certain, the link is left unchanged. A mirror has a folder for each host; with --url it is that of one host.
    #[arg(long, value_name = "TOOL", default_value = "auto", value_parser = layouts(), help_heading = "Base")]
    pub(crate) layout: Layout,

    /// Names of files in a folder that have the URL of their folder, as a server sends them: index.html
    ///
    /// In such a file, `?x=1` means the folder with a query.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = file_name, hide_short_help = true, help_heading = "Base")]
    pub(crate) directory_index: Vec<String>,

    /// The scheme of a mirror whose folders and comments do not contain it
    #[arg(long, value_name = "SCHEME", value_parser = one_of(Scheme::ALL.map(|one| (one.name(), one))))]
    #[arg(hide_short_help = true, help_heading = "Base")]
    pub(crate) scheme: Option<Scheme>,

    /// Where to find the URLs of files that --url and --urls do not give
    #[arg(long, value_name = "WHERE", default_value = "marks", value_parser = discovers(), hide_short_help = true)]
    #[arg(help_heading = "Base")]
    pub(crate) discover: Discover,

    /// In documents from the Wayback Machine and other web archives, point links to the archived sites instead of the archive
    ///
    /// Their URLs show that they are from there, and in pages the script of the Wayback Machine. Arquivo.pt, the UK and the Australian archive
    /// are known, and hosts with copies under /web/. PREFIX is what precedes the timestamp in the URLs of another archive, such as
    /// https://archive.example/coll/.
    #[arg(long, value_name = "PREFIX", num_args = 0..=1, require_equals = true, value_parser = archive_prefix)]
    #[arg(hide_short_help = true, help_heading = "Base")]
    pub(crate) unwrap_wayback: Option<Option<ArchivePrefix>>,

    /// Read all documents as this type, and files with unknown extensions [default: by name, then by content]
    ///
    /// In a folder, images, scripts and other files that are not documents by their names are read only with --include.
    #[arg(long = "type", value_name = "TYPE", value_parser = one_of(FileType::named()))]
    #[arg(help_heading = "Input", hide_short_help = true)]
    pub(crate) file_type: Option<FileType>,

    /// The charset from the HTTP header; it takes precedence over <meta>, but not over a byte order mark
    #[arg(long, value_name = "CHARSET", value_parser = charset, help_heading = "Input", hide_short_help = true)]
    pub(crate) charset: Option<&'static str>,

    /// Read only matching files as documents [can be repeated]
    ///
    /// They are read whatever their extension, and the others are copied. Globs are those of .gitignore, relative to the input: `*.html` matches at any depth, `/*.html` at the top only, and
    /// `old` or `old/` everything in folders of that name; `*.{css,svg}` matches both. The last glob that matches decides; `!` negates one.
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub(crate) include: Vec<String>,

    /// Do not read matching files [can be repeated]
    ///
    /// They are copied. As in `--exclude node_modules`; see --include.
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub(crate) exclude: Vec<String>,

    /// How to treat symbolic links within a folder
    #[arg(long, value_name = "WHAT", default_value = "keep", value_parser = symlinks(), help_heading = "Input")]
    #[arg(hide_short_help = true)]
    pub(crate) symlinks: Symlinks,

    /// Number of threads, 1 to 256 [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    #[arg(help_heading = "Input", hide_short_help = true)]
    pub(crate) jobs: Option<u16>,
}

impl SourceArguments {
    /// Returns how to discover URLs that the user did not give.
    pub(crate) fn discovery(&self) -> Discovery {
        Discovery {
            discover: self.discover,
            scheme: self.scheme,
            wayback: self.unwrap_wayback.clone().map_or(WaybackLinks::Keep, WaybackLinks::Unwrap),
        }
    }

    /// Returns whether the user named the tool that made the mirror.
    pub(crate) const fn names_tool(&self) -> bool {
        matches!(self.layout, Layout::Wget | Layout::Httrack)
    }
}

/// Returns what precedes the timestamp in the URLs of an archive.
pub(crate) fn archive_prefix(url: &str) -> Result<ArchivePrefix, &'static str> {
    ArchivePrefix::new(url.trim()).ok_or("it has to be a URL up to the timestamp, such as https://archive.example/web/")
}

/// Returns the name of a file, which contains no wildcards and no folder.
fn file_name(name: &str) -> Result<String, &'static str> {
    let name = name.trim();
    let is_name = !name.is_empty() && !name.contains(['/', '\\', '*', '?']);
    if is_name { Ok(name.to_owned()) } else { Err("it has to be the name of a file, such as index.html") }
}

fn layouts() -> impl TypedValueParser<Value = Layout> {
    let auto =
        "wget, if its log, the names of files or their originals (.orig) show that it converted the links; else none";
    let root = "No mirror; --url is the URL of the folder";
    described(Layout::NAMED, &[("auto", auto), ("root", root), ("wget", "wget with --convert-links")])
}

fn symlinks() -> impl TypedValueParser<Value = Symlinks> {
    let copy = "Write the documents they point to as files of their own, with links that are right for their URLs";
    described(Symlinks::NAMED, &[("copy", copy), ("keep", "Keep them as links")])
}

fn discovers() -> impl TypedValueParser<Value = Discover> {
    let marks = "In comments that programs write into the pages they save, and in the list of HTTrack";
    let attributes = "There, and in extended attributes: user.xdg.origin.url, kMDItemWhereFroms, Zone.Identifier";
    described(Discover::NAMED, &[("marks", marks), ("attributes", attributes)])
}
