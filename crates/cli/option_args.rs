//! What was typed of the links: how they are read and written.

use absolve_base::{Profile, Rules};
use absolve_containers::{ArchiveOptions, Digests, HttpHeaders};
use absolve_links::{Group, Row, Table};
use absolve_resolver::Standard;
use absolve_rewriter::{BaseElement, HeaderFields, Options, Purpose, SameDocument, Signatures, Spelling};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use regex::{Regex, RegexSet};

/// How the links of documents are read and written.
#[derive(Debug, Args)]
pub(crate) struct LinkArguments {
    /// The rules of resolution: today's browsers by default, because that is what archived pages are read with
    #[arg(long, value_name = "NAME", default_value = "whatwg", value_parser = standards())]
    standard: String,

    /// Which declarations of a base count
    #[arg(long, value_name = "PROFILE", default_value = "layered", value_parser = profiles())]
    precedence: String,

    /// What becomes of `#top` and of empty references: kept by default, because they work wherever the document goes
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    same_document: SameDocumentArgument,

    /// What becomes of the BASE element: kept by default, and made absolute when it is not [default: keep; in mail: remove]
    ///
    /// It stays in any case while some link that is left as it is needs it.
    #[arg(long, alias = "base", value_name = "WHAT")]
    base_element: Option<BaseArgument>,

    /// The groups of places where links are looked for; `absolve links` tells what each finds
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', default_value = "core,legacy,social",
          value_parser = groups())]
    groups: Vec<String>,

    /// One more place where links are looked for, as in `amp-img@srcset=srcset` [can be repeated]
    #[arg(long = "attr", value_name = "ELEMENT@ATTRIBUTE=GRAMMAR")]
    attributes: Vec<Row>,

    /// Keep references that match: placeholders of systems that nobody else knows, as in `^\[` [can be repeated]
    #[arg(long, value_name = "REGEX", value_parser = regex)]
    keep: Vec<String>,

    /// How targets are spelled: in the characters of the document by default [default: as-written; in mail: ascii]
    #[arg(long, value_name = "HOW")]
    spelling: Option<SpellingArgument>,
}

/// The same, and what becomes of the messages and archives that documents stand in.
#[derive(Debug, Args)]
pub(crate) struct OptionArguments {
    #[command(flatten)]
    links: LinkArguments,

    /// What the documents are for: `mail` stands for `--spelling ascii --base-element remove`, unless those say otherwise, and tells of
    /// links that no reader elsewhere can follow
    #[arg(long = "for", value_name = "PURPOSE")]
    purpose: Option<PurposeArgument>,

    /// Make references in header fields of messages absolute as well, `Content-Location` above all
    #[arg(long)]
    headers: bool,

    /// Change signed and encrypted parts of messages too, although that makes their signatures worthless
    #[arg(long)]
    break_signatures: bool,

    /// Leave messages with a DKIM or ARC signature as they are, because any change breaks it
    #[arg(long, conflicts_with = "break_signatures")]
    keep_dkim: bool,

    /// Let `Content-Base` and `Content-Location` of HTTP responses in web archives declare a base, as RFC 2068 had it
    #[arg(long)]
    http_headers: bool,

    /// Change records of web archives too whose digests are not those of what they hold: they are damaged, or were changed
    #[arg(long)]
    ignore_digests: bool,

    /// Keep links to files that are part of the input, so that the copy can be browsed offline
    #[arg(long, requires = "url")]
    pub(crate) keep_local: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PurposeArgument {
    Mail,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SameDocumentArgument {
    Keep,
    Absolute,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SpellingArgument {
    AsWritten,
    /// Escape what is not ASCII, spaces and controls
    Ascii,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BaseArgument {
    Keep,
    /// Take its href away
    Remove,
    /// Put it into a comment, or take its href away where a comment would break the document
    Comment,
}

impl LinkArguments {
    /// The options they stand for, of documents that are for `purpose`.
    pub(crate) fn options(&self, purpose: Purpose) -> Options {
        let mut options = match purpose {
            Purpose::Mail => Options::default().for_mail(),
            Purpose::Any => Options::default(),
        };
        options.rules = Rules {
            standard: self.standard.parse().unwrap_or_default(),
            profile: self.precedence.parse().unwrap_or_default(),
        };
        let is_named = |group: &Group| self.groups.iter().any(|name| name == group.name());
        let groups: Vec<Group> = Group::ALL.into_iter().filter(is_named).collect();
        options.table = Table::of_groups(&groups, self.attributes.clone());
        // Each was checked when it was read.
        options.keep = RegexSet::new(&self.keep).unwrap_or_default();
        options.spelling = match self.spelling {
            Some(SpellingArgument::AsWritten) => Spelling::AsWritten,
            Some(SpellingArgument::Ascii) => Spelling::Ascii,
            None => options.spelling,
        };
        options.same_document = match self.same_document {
            SameDocumentArgument::Keep => SameDocument::Keep,
            SameDocumentArgument::Absolute => SameDocument::Absolute,
        };
        options.base_element = match self.base_element {
            Some(BaseArgument::Keep) => BaseElement::Keep,
            Some(BaseArgument::Remove) => BaseElement::Remove,
            Some(BaseArgument::Comment) => BaseElement::Comment,
            None => options.base_element,
        };
        options
    }
}

impl OptionArguments {
    /// The options they stand for.
    pub(crate) fn options(&self) -> ArchiveOptions {
        let mut options = self.links.options(self.purpose.map_or(Purpose::Any, |PurposeArgument::Mail| Purpose::Mail));
        options.header_fields = if self.headers { HeaderFields::Absolute } else { HeaderFields::Keep };
        options.signatures = match (self.break_signatures, self.keep_dkim) {
            (true, _) => Signatures::Break,
            (false, true) => Signatures::KeepAll,
            (false, false) => Signatures::Keep,
        };
        let mut options = ArchiveOptions::from(options);
        options.http_headers = if self.http_headers { HttpHeaders::Count } else { HttpHeaders::Ignore };
        options.digests = if self.ignore_digests { Digests::Ignore } else { Digests::Heed };
        options
    }
}

fn regex(text: &str) -> Result<String, regex::Error> {
    Regex::new(text).map(|_| text.to_owned())
}

fn standards() -> PossibleValuesParser {
    PossibleValuesParser::new(Standard::ALL.map(Standard::name))
}

fn groups() -> PossibleValuesParser {
    PossibleValuesParser::new(Group::ALL.map(Group::name))
}

fn profiles() -> PossibleValuesParser {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name))
}
