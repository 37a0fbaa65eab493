//! The arguments that decide how links are read and written.

use absolve_base::{Profile, Rules};
use absolve_containers::{ArchiveOptions, Digests, HttpHeaders, WarcOutput};
use absolve_links::{Group, InvalidPattern, Patterns, Row, Table};
use absolve_resolver::Standard;
use absolve_rewriter::settings::MessageUrl;
use absolve_rewriter::{BaseElement, FeedBase, HeaderFields, Options, Purpose, SameDocument, Signatures, Spelling};
use clap::Args;
use clap::builder::TypedValueParser;

use crate::args::urls::UrlArguments;
use crate::args::values::{described, one_of};

/// The last second that a date may have: of the year 9999, the last one with four digits.
pub(crate) const LAST_SECOND: u64 = 253_402_300_799;

/// How the links of documents are read and written.
#[derive(Debug, Args)]
pub(crate) struct LinkArguments {
    /// The standard to resolve by: that of today's browsers by default, because archived pages are read with those
    #[arg(long, value_name = "NAME", default_value = "whatwg", value_parser = standards(), hide_short_help = true, help_heading = "Links")]
    standard: Standard,

    /// Which declarations of a base count, and in which order
    #[arg(long, value_name = "PROFILE", default_value = "layered", value_parser = profiles())]
    #[arg(help_heading = "Base", hide_short_help = true)]
    precedence: Profile,

    /// How to treat `#top` and empty references: kept by default, because they work wherever the document goes
    #[arg(long, value_name = "WHAT", default_value = "keep", value_parser = one_of(SameDocument::NAMED))]
    #[arg(hide_short_help = true, help_heading = "Links")]
    same_document: SameDocument,

    /// How to treat the BASE element [default: keep; for mail: remove]
    ///
    /// It is made absolute if it is kept. It is always kept while a link that is left unchanged needs it.
    #[arg(long, alias = "base", value_name = "WHAT", value_parser = base_elements(), hide_short_help = true)]
    #[arg(help_heading = "Links")]
    base_element: Option<BaseElement>,

    /// The groups of elements and attributes to search for links [default: core,legacy,social; for mail: amp and mjml, too]
    ///
    /// `absolve links` lists what they find.
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', value_parser = groups(), hide_short_help = true)]
    #[arg(help_heading = "Links")]
    groups: Vec<Group>,

    /// Another attribute to search for links, as in `amp-img@srcset=srcset` [can be repeated]
    ///
    /// In XML, a namespace may stand in braces before a name, as in `{urn:x}item@href=url`, and `:text` names the text of an element, as in
    /// `{urn:x}loc:text=url`. The grammars are in `docs/links.md`.
    #[arg(long = "attr", value_name = "ELEMENT@ATTRIBUTE=GRAMMAR", hide_short_help = true, help_heading = "Links")]
    attributes: Vec<Row>,

    /// Leave matching references unchanged [can be repeated]
    ///
    /// Such as placeholders of your mail system: `^~`. Those in double braces, `{{x}}`, are left unchanged in any case, and with
    /// `--for mail` those of known mail services. The syntax is that of Rust's regex; `\w`, `(?i)` and the like know ASCII letters only.
    #[arg(long, value_name = "REGEX", value_parser = regex, help_heading = "Links")]
    keep: Vec<String>,

    /// How to spell URLs [default: as-written; for mail: ascii]
    #[arg(long, value_name = "HOW", value_parser = spellings(), hide_short_help = true, help_heading = "Links")]
    spelling: Option<Spelling>,
}

/// What documents are for.
#[derive(Debug, Args)]
pub(crate) struct PurposeArguments {
    /// What the documents are for
    ///
    /// `mail` sets `--spelling ascii --base-element remove`, unless those are given, reads AMP and the sources of mail (.mjml, .hbs,
    /// .liquid, .njk), keeps the placeholders of mail services, and reports these and links that recipients cannot follow.
    #[arg(long = "for", value_name = "PURPOSE", value_parser = purposes(), help_heading = "Mail")]
    purpose: Option<Purpose>,
}

/// How the links of documents are read and written, with options for messages and archives.
#[derive(Debug, Args)]
pub(crate) struct OptionArguments {
    #[command(flatten)]
    links: LinkArguments,

    #[command(flatten)]
    purpose: PurposeArguments,

    #[command(flatten)]
    pub(crate) urls: UrlArguments,

    /// The URL of messages that declare no base, or `archived-at`
    ///
    /// For messages of an mbox or a Maildir, too. With `archived-at` it is the URL in the `Archived-At` field of each (RFC 5064): that of
    /// its copy in an archive, where its author did not write it. It is the last source of a base.
    #[arg(long, value_name = "URL", help_heading = "Mail", hide_short_help = true)]
    message_url: Option<MessageUrl>,

    /// What relative links in the items of feeds (RSS, Atom, JSON Feed) are read at: the URL of the feed, or the link of the item
    ///
    /// An `xml:base` in the item counts in any case. A finding says where the links of an item differ between both.
    #[arg(long, value_name = "WHAT", default_value = "feed", value_parser = one_of(FeedBase::NAMED))]
    #[arg(hide_short_help = true, help_heading = "Base")]
    feed_base: FeedBase,

    /// Make references in header fields of messages absolute as well, such as `Content-Location`
    #[arg(long, help_heading = "Mail", hide_short_help = true)]
    headers: bool,

    /// Change signed and encrypted parts of messages too, although that invalidates their signatures
    #[arg(long, help_heading = "Mail", hide_short_help = true)]
    break_signatures: bool,

    /// Leave messages with a DKIM or ARC signature unchanged, because any change invalidates it
    #[arg(long, conflicts_with = "break_signatures", help_heading = "Mail", hide_short_help = true)]
    keep_dkim: bool,

    /// Take `Content-Base` and `Content-Location` of HTTP responses in web archives as base declarations (RFC 2068)
    #[arg(long, help_heading = "Web archives", hide_short_help = true)]
    http_headers: bool,

    /// Change records of web archives even if their digests do not match; such records are damaged or were changed
    #[arg(long, help_heading = "Web archives", hide_short_help = true)]
    ignore_digests: bool,

    /// Leave links to files of the input unchanged
    ///
    /// So the copy can be browsed offline. With --url or --urls.
    #[arg(long, requires = "urls_of_files", help_heading = "Links", hide_short_help = true)]
    pub(crate) keep_local: bool,
}

impl LinkArguments {
    /// Returns the options for documents with this purpose.
    pub(crate) fn options(&self, purpose: Purpose) -> Options {
        let mut options = match purpose {
            Purpose::Mail => Options::default().for_mail(),
            Purpose::Any => Options::default(),
        };
        options.rules = Rules { standard: self.standard, profile: self.precedence };
        options.table = self.table(purpose);
        // The parser has checked each of them.
        options.keep = Patterns::new(&self.keep).unwrap_or_default();
        options.spelling = self.spelling.unwrap_or(options.spelling);
        options.same_document = self.same_document;
        options.base_element = self.base_element.unwrap_or(options.base_element);
        options
    }

    fn table(&self, purpose: Purpose) -> Table {
        let more = self.attributes.clone();
        match purpose {
            _ if !self.groups.is_empty() => Table::of_groups(&self.groups, more),
            Purpose::Mail => Table::of_groups(&[&Group::DEFAULT[..], &Group::MAIL].concat(), more),
            Purpose::Any => Table::of_groups(&Group::DEFAULT, more),
        }
    }
}

impl PurposeArguments {
    /// Returns the purpose.
    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose.unwrap_or_default()
    }
}

impl OptionArguments {
    /// Returns the options.
    pub(crate) fn options(&self) -> ArchiveOptions {
        let mut options = self.links.options(self.purpose.purpose());
        options.message_url.clone_from(&self.message_url);
        options.feed_base = self.feed_base;
        options.header_fields = if self.headers { HeaderFields::Absolute } else { HeaderFields::Keep };
        options.signatures = match (self.break_signatures, self.keep_dkim) {
            (true, _) => Signatures::Break,
            (false, true) => Signatures::KeepAll,
            (false, false) => Signatures::Keep,
        };
        let mut options = ArchiveOptions::from(options);
        options.http_headers = if self.http_headers { HttpHeaders::Count } else { HttpHeaders::Ignore };
        options.digests = if self.ignore_digests { Digests::Ignore } else { Digests::Check };
        options
    }
}

fn regex(text: &str) -> Result<String, InvalidPattern> {
    Patterns::new([text]).map(|_| text.to_owned())
}

fn standards() -> impl TypedValueParser<Value = Standard> {
    one_of(Standard::ALL.map(|one| (one.name(), one)))
}

fn groups() -> impl TypedValueParser<Value = Group> {
    one_of(Group::ALL.map(|one| (one.name(), one)))
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    one_of(Profile::ALL.map(|one| (one.name(), one)))
}

/// Without the option, documents are for anything.
fn purposes() -> impl TypedValueParser<Value = Purpose> {
    one_of(Purpose::NAMED.into_iter().filter(|(_, purpose)| *purpose != Purpose::Any))
}

fn base_elements() -> impl TypedValueParser<Value = BaseElement> {
    let comment = "Put it into a comment, or remove its href if a comment would break the document";
    described(BaseElement::NAMED, &[("remove", "Remove its href"), ("comment", comment)])
}

fn spellings() -> impl TypedValueParser<Value = Spelling> {
    described(Spelling::NAMED, &[("ascii", "Percent-encode spaces, controls and all that is not ASCII")])
}

/// Returns the parser of the outputs for a web archive.
pub(crate) fn warc_outputs() -> impl TypedValueParser<Value = WarcOutput> {
    let append = "The archive byte for byte, followed by conversions of the records whose links change";
    let resource = "A derived archive for replay: resources in place of the responses whose links change";
    let sidecar = "The conversions only, as an archive of their own";
    described(WarcOutput::NAMED, &[("append", append), ("sidecar", sidecar), ("resource", resource)])
}
