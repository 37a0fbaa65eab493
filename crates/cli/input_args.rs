//! What was typed of the input: which files, and where they come from.

use std::path::PathBuf;

use absolve_containers::FileType;
use absolve_files::{Layout, Symlinks};
use absolve_rewriter::{Discover, Discovery, Scheme, WaybackLinks};
use clap::builder::{PossibleValuesParser, UnknownArgumentValueParser};
use clap::{Args, ValueEnum};
use encoding_rs::Encoding;

#[derive(Clone, Debug, Args)]
pub(crate) struct InputArguments {
    /// Files or folders; `-` is standard input
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) source: SourceArguments,
}

/// Where the input comes from, and what of it is read.
#[derive(Clone, Debug, Args)]
pub(crate) struct SourceArguments {
    /// The URL that the input was retrieved from; for a folder, the URL of the folder
    ///
    /// The path of a file below the folder is appended, percent-encoded.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    #[arg(long, hide = true, value_parser = UnknownArgumentValueParser::suggest_arg("--url"))]
    base_url: Option<String>,

    /// A file that tells the URL of each file: CSV with a path and a URL in each row, JSON Lines, CDX, CDXJ, a log of wget
    ///
    /// Paths are those below the folder; what it does not name has the URL that --url gives it. Rows of redirections
    /// (3xx) tell nothing.
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,

    /// Who has laid out the folder: a mirror with a folder for each host, whose links lead to the copies in it
    ///
    /// A link that names a file of the mirror becomes the URL of that file; where that is not known for sure, it stays.
    #[arg(long, value_name = "WHO", default_value = "root")]
    pub(crate) layout: LayoutArgument,

    /// The scheme of a mirror whose folders and comments do not tell it
    #[arg(long, value_name = "SCHEME")]
    pub(crate) scheme: Option<SchemeArgument>,

    /// Where the URL of a file is looked for that neither --url nor --urls tells
    #[arg(long, value_name = "WHERE", default_value = "marks")]
    pub(crate) discover: DiscoverArgument,

    /// In pages from the Wayback Machine, let links lead to what was archived, not to the archive
    #[arg(long)]
    pub(crate) unwrap_wayback: bool,

    /// Read documents as this type, and files whose names tell no type [default: by name, then by content]
    ///
    /// In a folder, images, scripts and other files that are no documents by their names are read with --include only.
    #[arg(long = "type", value_name = "TYPE", value_parser = file_types())]
    pub(crate) file_type: Option<String>,

    /// The charset of documents, as HTTP declared it: it overrides their <meta>, but not a byte order mark
    #[arg(long, value_name = "CHARSET", value_parser = charset)]
    pub(crate) charset: Option<&'static str>,

    /// Read only files that match as documents, whatever their names say; others are copied [can be repeated]
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Do not read files that match as documents; they are copied [can be repeated]
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// What becomes of symbolic links within a folder
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    pub(crate) symlinks: SymlinksArgument,

    /// Threads, 1 to 256 [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}

impl SourceArguments {
    /// How the URLs of files are found that nobody tells.
    pub(crate) fn discovery(&self) -> Discovery {
        Discovery {
            discover: match self.discover {
                DiscoverArgument::Marks => Discover::Marks,
                DiscoverArgument::Attributes => Discover::Attributes,
                DiscoverArgument::Nothing => Discover::Nothing,
            },
            scheme: self.scheme.map(|scheme| match scheme {
                SchemeArgument::Http => Scheme::Http,
                SchemeArgument::Https => Scheme::Https,
            }),
            wayback: if self.unwrap_wayback { WaybackLinks::Unwrap } else { WaybackLinks::Keep },
        }
    }

    /// Who has laid out the folder, if that tells URLs.
    pub(crate) const fn layout(&self) -> Option<Layout> {
        match self.layout {
            LayoutArgument::Root => None,
            LayoutArgument::Wget => Some(Layout::Wget),
            LayoutArgument::Httrack => Some(Layout::Httrack),
        }
    }

    /// What becomes of symbolic links within a folder.
    pub(crate) const fn symlinks(&self) -> Symlinks {
        match self.symlinks {
            SymlinksArgument::Copy => Symlinks::Copy,
            SymlinksArgument::Keep => Symlinks::Keep,
        }
    }

    /// The type named on the command line.
    pub(crate) fn file_type(&self) -> Option<FileType> {
        self.file_type.as_deref().and_then(|name| name.parse().ok())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArgument {
    /// The folder is that of --url
    Root,
    /// wget with --convert-links
    Wget,
    Httrack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SymlinksArgument {
    /// Documents that they lead to become files of their own, with links that are right for their URLs
    Copy,
    /// They stay links
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemeArgument {
    Http,
    Https,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiscoverArgument {
    /// In what programs write into the pages they save, and in the list that HTTrack keeps
    Marks,
    /// There, and in the attributes of files: user.xdg.origin.url, kMDItemWhereFroms, Zone.Identifier
    Attributes,
    Nothing,
}

/// Returns the name that the Encoding Standard has for a label.
fn charset(label: &str) -> Result<&'static str, String> {
    let encoding = Encoding::for_label(label.as_bytes());
    encoding
        .map(Encoding::name)
        .ok_or_else(|| "no charset has this name; give one as in windows-1252 or shift_jis".into())
}

fn file_types() -> PossibleValuesParser {
    PossibleValuesParser::new(FileType::ALL.map(FileType::name))
}
