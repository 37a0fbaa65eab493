//! What was typed of a message.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use absolve_packer::{ContentBase, Embed, Header, HeaderError, PlainText};
use clap::{Args, ValueEnum};

use crate::input_args::SourceArguments;
use crate::option_args::LinkArguments;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done; 1 the document could not be read, or the message not be written, or it would be too \
                        long; 2 wrong use. Findings are told on standard error and are no failure."
)]
pub(crate) struct PackArguments {
    /// The document: a file with HTML or XHTML
    #[arg(value_name = "DOCUMENT")]
    pub(crate) document: PathBuf,

    /// The message: FILE.eml for mail programs, FILE.mhtml or FILE.mht for browsers
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// The folder that the document is a page of; nothing outside it is embedded [default: the folder it is in]
    ///
    /// With it, --url, --urls and --layout tell of this folder what they tell of a folder elsewhere.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) source: SourceArguments,

    #[command(flatten)]
    pub(crate) links: LinkArguments,

    /// What becomes part of the message of what the document loads from the folder
    #[arg(long, value_name = "WHAT", default_value = "all")]
    pub(crate) embed: EmbedArgument,

    /// Add a plain text for readers without HTML, with the links in it written as <URL:...>
    #[arg(long)]
    text: bool,

    /// Tell the base by Content-Base as well, for readers that know RFC 2110 only
    #[arg(long)]
    content_base: bool,

    #[command(flatten)]
    heading: HeadingArguments,

    /// The greatest length of the message, in bytes, as in 25M [default: 25M for .eml, 1 GiB for .mhtml]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_size: Option<u64>,

    /// Write into an output that exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Tell errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Without a sender the message is a draft, which mail programs open for editing.
#[derive(Debug, Args)]
struct HeadingArguments {
    /// Who sends it, as in `Ann <ann@example.org>`; without a sender it is a draft, which mail programs open for editing
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,

    /// Who receives it [can be repeated]
    #[arg(long, value_name = "ADDRESS")]
    to: Vec<String>,

    /// The subject [default: the title of the document]
    #[arg(long, value_name = "TEXT")]
    subject: Option<String>,

    /// The date, as in 2026-11-21T10:00:00Z [default: now, or what SOURCE_DATE_EPOCH says; a draft has none]
    #[arg(long, value_name = "DATE")]
    date: Option<String>,

    /// What builds that are to be repeated take for now, in seconds since 1970
    #[arg(long, hide = true, env = "SOURCE_DATE_EPOCH", value_parser = clap::value_parser!(i64).range(0..=LAST_SECOND))]
    source_date_epoch: Option<i64>,

    /// The message id [default: made of the contents; a draft has none]
    #[arg(long, value_name = "ID")]
    message_id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmbedArgument {
    /// Images, styles and fonts, and what the styles load
    All,
    Images,
    None,
}

impl PackArguments {
    pub(crate) const fn embed(&self) -> Embed {
        match self.embed {
            EmbedArgument::All => Embed::All,
            EmbedArgument::Images => Embed::Images,
            EmbedArgument::None => Embed::None,
        }
    }

    pub(crate) const fn plain_text(&self) -> PlainText {
        if self.text { PlainText::Alternative } else { PlainText::No }
    }

    pub(crate) const fn content_base(&self) -> ContentBase {
        if self.content_base { ContentBase::Yes } else { ContentBase::No }
    }

    /// The heading, of this moment unless it is a draft or another one was told.
    ///
    /// # Errors
    ///
    /// What cannot stand there, with the option that says so.
    pub(crate) fn heading(&self) -> Result<Header, String> {
        let HeadingArguments { from, to, subject, date, source_date_epoch, message_id } = &self.heading;
        let named = |option: &'static str| move |error: HeaderError| format!("--{option}: {error}");
        let mut heading = Header::default();
        if let Some(from) = from {
            heading = heading.with_from(from).map_err(named("from"))?;
        }
        for to in to {
            heading = heading.with_to(to).map_err(named("to"))?;
        }
        if let Some(subject) = subject {
            heading = heading.with_subject(subject).map_err(named("subject"))?;
        }
        if let Some(id) = message_id {
            heading = heading.with_message_id(id).map_err(named("message-id"))?;
        }
        match date {
            Some(date) => heading.with_date(date).map_err(named("date")),
            None if heading.is_draft() => Ok(heading),
            None => Ok(heading.at_second(source_date_epoch.unwrap_or_else(now))),
        }
    }
}

/// Of the year 9999, the last one with four digits.
const LAST_SECOND: i64 = 253_402_300_799;

/// Seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// `1000`, `500k`, `25M`, `1G`: powers of a thousand.
fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((end, 'k' | 'K')) => (&text[..end], 1_000),
        Some((end, 'm' | 'M')) => (&text[..end], 1_000_000),
        Some((end, 'g' | 'G')) => (&text[..end], 1_000_000_000),
        _ => (text, 1),
    };
    let bytes = number.parse().ok().and_then(|number: u64| number.checked_mul(unit));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "it is a number of bytes, as in 25M".to_owned())
}
