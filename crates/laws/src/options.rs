//! Options of the properties.

use std::mem::take;
use std::sync::LazyLock;
use std::time::SystemTime;

use absolve_containers::{ArchiveOptions, WarcOutput, date_of};
use absolve_rewriter::{BaseElement, FeedBase, HeaderFields, Options, Profile, SameDocument, Spelling, Standard};
use absolve_verifier::Settings;

/// The options of the command without flags; building their table takes longer than reading a short document.
pub(crate) static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);

/// The options of a run and those of its verification.
#[derive(Debug)]
pub struct RunOptions {
    /// Those of the command line.
    pub name: &'static str,
    pub(crate) archives: ArchiveOptions,
    pub(crate) settings: Settings,
}

/// Several that together have most flags; the first has none.
pub static RUNS: LazyLock<[RunOptions; 6]> = LazyLock::new(|| {
    [
        run("", WarcOutput::Append, |_| {}),
        run("--for mail --headers --warc resource", WarcOutput::Resource, |options| {
            *options = take(options).for_mail();
            options.header_fields = HeaderFields::Absolute;
        }),
        run("--base remove --same-document absolute --warc sidecar", WarcOutput::Sidecar, |options| {
            options.base_element = BaseElement::Remove;
            options.same_document = SameDocument::Absolute;
        }),
        run("--base comment --feed-base item", WarcOutput::Append, |options| {
            options.base_element = BaseElement::Comment;
            options.feed_base = FeedBase::Item;
        }),
        run("--spelling ascii --precedence browser --warc resource", WarcOutput::Resource, |options| {
            options.spelling = Spelling::Ascii;
            options.rules.profile = Profile::Browser;
        }),
        run("--precedence rfc2557 --standard rfc3986 --warc sidecar", WarcOutput::Sidecar, |options| {
            options.rules.standard = Standard::Rfc3986;
            options.rules.profile = Profile::Rfc2557;
        }),
    ]
});

pub(crate) fn run(name: &'static str, output: WarcOutput, change: impl FnOnce(&mut Options)) -> RunOptions {
    let mut archives = ArchiveOptions::default();
    change(&mut archives.documents);
    archives.output = output;
    archives.date = Some(SystemTime::UNIX_EPOCH);
    let settings = Settings { record_date: Some(date_of(&archives)), ..settings_of(&archives.documents) };
    RunOptions { name, archives, settings }
}

/// Returns the options of a rewrite as the verifier has them.
pub fn settings_of(options: &Options) -> Settings {
    Settings {
        purpose: options.purpose,
        standard: options.rules.standard,
        profile: options.rules.profile,
        table: options.table.clone(),
        same_document: options.same_document,
        relative_links: options.relative_links,
        map: options.map.pairs().collect(),
        root: options.root.as_ref().map(|root| root.as_str().to_owned()),
        images_url: options.images_url.as_ref().map(|images| images.as_str().to_owned()),
        images_of: options.images_of.as_ref().map(|folder| folder.as_str().to_owned()),
        base_element: options.base_element,
        feed_base: options.feed_base,
        spelling: options.spelling,
        header_fields: options.header_fields,
        ..Settings::default()
    }
}

impl RunOptions {
    pub(crate) const fn documents(&self) -> &Options {
        &self.archives.documents
    }

    pub(crate) const fn form(&self) -> WarcOutput {
        self.archives.output
    }
}
