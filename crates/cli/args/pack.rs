//! The arguments of `absolve pack`.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use absolve_packer::{ContentBase, CssImages, Embed, Header, HeaderError, PlainText};
use clap::Args;
use clap::builder::TypedValueParser;

use crate::args::input::SourceArguments;
use crate::args::options::{LAST_SECOND, LinkArguments};
use crate::args::values::described;

#[derive(Debug, Args)]
pub(crate) struct PackArguments {
    /// The document: an HTML or XHTML file; several become a digest, or an mbox
    #[arg(value_name = "DOCUMENT", required = true)]
    pub(crate) documents: Vec<PathBuf>,

    /// FILE.eml for mail programs, FILE.mhtml for browsers, FILE.mbox, or -
    ///
    /// Of several documents, FILE.eml is a digest, and FILE.mbox has a message for each. `-` is FILE.eml on standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// The site folder of the document [default: its folder]
    ///
    /// Nothing outside it is embedded. `--url`, `--urls` and `--layout` apply to this folder.
    #[arg(long, value_name = "FOLDER", help_heading = "Input")]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) source: SourceArguments,

    #[command(flatten)]
    pub(crate) links: LinkArguments,

    /// What to embed of the files that the document loads from the folder
    #[arg(long, value_name = "WHAT", default_value = "all", value_parser = embeds(), help_heading = "Message")]
    pub(crate) embed: Embed,

    /// How to embed images and fonts that CSS names, in .eml
    ///
    /// Mail programs show `data:` URLs there, and no parts.
    #[arg(long, value_name = "HOW", default_value = "data", value_parser = css_images(), help_heading = "Message")]
    #[arg(hide_short_help = true)]
    pub(crate) css_images: CssImages,

    /// Add a plain text alternative, with links as <URL:...>
    #[arg(long, help_heading = "Message")]
    text: bool,

    /// Declare the base in Content-Base as well, for programs that implement only RFC 2110
    #[arg(long, help_heading = "Message", hide_short_help = true)]
    content_base: bool,

    #[command(flatten)]
    header: HeaderArguments,

    /// The maximum length of the message in bytes, as in 25M [default: 25M for .eml, 1 GiB for .mhtml]
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = "Message", hide_short_help = true)]
    pub(crate) max_size: Option<u64>,

    /// Replace an existing output
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// Print errors only
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,
}

/// The header of the message.
#[derive(Debug, Args)]
struct HeaderArguments {
    /// The sender, as in `Ann <ann@example.org>`
    ///
    /// A message without one is a draft, which mail programs open for editing.
    #[arg(long, value_name = "ADDRESS", help_heading = "Message")]
    from: Option<String>,

    /// A recipient [can be repeated]
    #[arg(long, value_name = "ADDRESS", help_heading = "Message")]
    to: Vec<String>,

    /// The subject [default: the title of the document]
    #[arg(long, value_name = "TEXT", help_heading = "Message")]
    subject: Option<String>,

    /// The date, as in 2026-11-21T10:00:00Z [default: now, or SOURCE_DATE_EPOCH; a draft has none]
    #[arg(long, value_name = "DATE", hide_short_help = true, help_heading = "Message")]
    date: Option<String>,

    /// The current time of a reproducible build, in seconds since 1970
    #[arg(long, hide = true, env = "SOURCE_DATE_EPOCH", value_parser = clap::value_parser!(i64).range(0..=LAST_SECOND as i64))]
    source_date_epoch: Option<i64>,

    /// The message id [default: derived from the contents; a draft has none]
    #[arg(long, value_name = "ID", hide_short_help = true, help_heading = "Message")]
    message_id: Option<String>,
}

impl PackArguments {
    pub(crate) const fn has_message_id(&self) -> bool {
        self.header.message_id.is_some()
    }

    pub(crate) const fn plain_text(&self) -> PlainText {
        if self.text { PlainText::Alternative } else { PlainText::No }
    }

    pub(crate) const fn content_base(&self) -> ContentBase {
        if self.content_base { ContentBase::Yes } else { ContentBase::No }
    }

    /// Returns the header, dated now unless it is a draft or a date was given.
    ///
    /// # Errors
    ///
    /// The option with an invalid value, and why it is invalid.
    pub(crate) fn header(&self) -> Result<Header, String> {
        let HeaderArguments { from, to, subject, date, source_date_epoch, message_id } = &self.header;
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

fn embeds() -> impl TypedValueParser<Value = Embed> {
    described(Embed::NAMED, &[("all", "Images, styles and fonts, and what the styles load")])
}

fn css_images() -> impl TypedValueParser<Value = CssImages> {
    let data = "As data: URLs in the page, up to 256 KiB each";
    described(CssImages::NAMED, &[("data", data), ("cid", "As parts, by cid:")])
}

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
