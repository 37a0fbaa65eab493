//! What was typed.

use std::path::PathBuf;

use absolve_resolver::Standard;
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};

use crate::input_args::{InputArguments, SourceArguments};
use crate::option_args::OptionArguments;
use crate::pack_args::PackArguments;
use crate::trail_args::{InPlaceArguments, RevertArguments, WhenArgument};

/// Make every relative link of a body of documents absolute, and change no other byte.
///
/// For each document the base URL is established first: the document's own BASE element, else the URL it was
/// retrieved from. Then each reference is resolved, and the bytes of those references are changed and no others.
#[derive(Debug, Parser)]
#[command(name = "absolve", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make links absolute
    Rewrite(RewriteArguments),
    /// List the links that are relative; exit 1 if there are any
    Check(ListArguments),
    /// List all links with their targets and bases
    Links(ListArguments),
    /// Show why each document has the base it has
    Base(ListArguments),
    /// Prove that only links changed, and that each means what it meant
    Verify(VerifyArguments),
    /// Resolve references; from standard input, one a line, when none is given
    Resolve(ResolveArguments),
    /// Take in-place runs back, by the journal that --journal has kept of them
    Revert(RevertArguments),
    /// Make one message of a document, with its images, styles and fonts, for mail programs or browsers
    Pack(PackArguments),
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 done; 1 a document could not be read or written; 2 wrong use, or the run \
                        could not go on. Findings are told on standard error and are no failure.")]
#[command(group = ArgGroup::new("written").args(["output", "summary", "report"]).multiple(true))]
pub(crate) struct RewriteArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// Where the result goes: for one file a file or `-`, otherwise a folder that is made with the same layout
    ///
    /// A new folder is filled as PATH.partial and renamed once at the end, so that what is there is complete.
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Change the input itself, file by file; each is the old or the new one at any moment
    #[arg(long, conflicts_with_all = ["output", "dry_run"])]
    pub(crate) in_place: bool,

    #[command(flatten)]
    pub(crate) in_place_arguments: InPlaceArguments,

    /// Read and count, and write nothing
    #[arg(long, conflicts_with = "output")]
    pub(crate) dry_run: bool,

    /// Show what would change as a unified diff on standard output, for `patch -p0` and `git apply -p0`
    ///
    /// Of compressed files and archives there is none; they are told on standard error.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Colour the diff; NO_COLOR turns `auto` off
    #[arg(long, value_name = "WHEN", default_value = "auto", requires = "diff")]
    pub(crate) color: WhenArgument,

    /// Write into an output that exists, and replace files that --summary and --report name
    #[arg(long, requires = "written")]
    pub(crate) force: bool,

    /// Continue an interrupted run; files it had done are not done again
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,

    /// Leave out of the output what does not change
    #[arg(long, requires = "output")]
    pub(crate) only_changed: bool,

    /// What is written of a web archive (WARC): itself with conversions behind it, the conversions only, or a derived one
    #[arg(long, value_name = "WHAT", default_value = "append")]
    pub(crate) warc: WarcArgument,

    /// The date of the records that are added to web archives, in seconds since 1970 [default: now]
    #[arg(long, value_name = "SECONDS", env = "SOURCE_DATE_EPOCH")]
    pub(crate) warc_date: Option<u64>,

    /// Write the counts to FILE as one JSON object
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,

    /// Write a row for each document to FILE as CSV: its base, its links, and digests before and after
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) telling: TellingArguments,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 done; 1 a document could not be read, or `check` found a relative link, or \
                        with --for mail one that no reader elsewhere can follow; 2 wrong use.")]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// One JSON object a line instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Say nothing on standard output or standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The options are those with which `absolve rewrite` was run: --like reads them from its summary. Exit status: 0 all of it holds; \
                        1 something differs, or could not be read; 2 wrong use."
)]
pub(crate) struct VerifyArguments {
    /// What was rewritten: a file or a folder
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: PathBuf,

    /// What became of it
    #[arg(value_name = "REWRITTEN")]
    pub(crate) rewritten: PathBuf,

    #[command(flatten)]
    pub(crate) source: SourceArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// The JSON of `absolve rewrite --summary FILE`: everything is verified with the options recorded there
    #[arg(long, value_name = "SUMMARY")]
    pub(crate) like: Option<PathBuf>,

    /// The output holds only what changed
    #[arg(long)]
    pub(crate) only_changed: bool,

    /// What was written of web archives (WARC)
    #[arg(long, value_name = "WHAT", default_value = "append")]
    pub(crate) warc: WarcArgument,

    /// One JSON object for each difference instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Say nothing on standard output or standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 done; 1 a reference has no target; 2 wrong use.")]
pub(crate) struct ResolveArguments {
    /// The references; without any, standard input is read, one reference a line
    #[arg(value_name = "REF")]
    pub(crate) references: Vec<String>,

    /// The base URL; without one, only absolute references have a target
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,

    /// The rules of resolution, or `all` for a table of all of them
    #[arg(long, value_name = "NAME", default_value = "whatwg", value_parser = standards_and_all())]
    pub(crate) standard: String,

    /// Show the components of each reference, and what the grammars of 1995 and 1996 make of it
    #[arg(long)]
    pub(crate) components: bool,

    /// One JSON object a line instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TellingArguments {
    /// Tell errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Tell all findings, not only the first ones
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    /// Show a progress bar on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: ProgressArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArgument {
    /// When standard error is a terminal
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WarcArgument {
    /// The archive byte for byte, and conversions of the records whose links change behind it
    Append,
    /// The conversions only, as an archive of their own
    Sidecar,
    /// A derived archive for replay: resources in the place of the responses whose links change
    Resource,
}

fn standards_and_all() -> PossibleValuesParser {
    PossibleValuesParser::new(Standard::ALL.map(Standard::name).into_iter().chain(["all"]))
}
