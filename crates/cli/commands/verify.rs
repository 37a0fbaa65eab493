//! `absolve verify`: proves that only links changed, and that each means what it meant.

pub(crate) mod bundle;
mod captures;
pub(crate) mod explain;
pub(crate) mod found;
pub(crate) mod maildir;
pub(crate) mod nothing;
pub(crate) mod page;
pub(crate) mod site;
pub(crate) mod tree;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use absolve_containers::{ArchiveOptions, date_of};
use absolve_files::{Collection, Column, Entry, EntryKind, RunEvent, folder_url, is_temporary, shown, shown_json};
use absolve_report::{Facts, Kind};
use absolve_rewriter::Options;
use absolve_rewriter::internal::url_below;
use absolve_rewriter::settings::MessageUrl;
use absolve_verifier::{Counts, Difference, LocalUrls, Rule, Settings, Verdict};
use rayon::prelude::*;
use serde_json::json;

use crate::args::input::InputArguments;
use crate::args::verify::VerifyArguments;
use crate::args::{Arguments, Command};
use crate::commands::html_report::{HtmlReport, command_line, unlisted, unwritten};
use crate::commands::rewrite::side_files::{self, leave_out};
use crate::commands::verify::bundle::Bundles;
use crate::commands::verify::explain::{IN_MIRROR, explained};
use crate::commands::verify::found::{Compared, Found, in_file};
use crate::commands::verify::maildir::Messages;
use crate::commands::verify::nothing::refuse_nothing;
use crate::commands::verify::site::OfSite;
use crate::commands::verify::tree::{
    Trees, differs, is_of_run, is_only_bytes, is_sidecar, unexpected, verify_entry, verify_unexpected,
};
use crate::inputs::{check_url, is_pipe, open, root_of_list};
use crate::json::with_path;
use crate::messages::{count, print_errors, warn_finding};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::progress::{self, Bar};
use crate::recorded;
use crate::streams::{Stream, Streams};
use crate::wording::file_error;

pub(crate) fn run(arguments: &VerifyArguments, typed: &[OsString], streams: &Streams<'_>) -> Result<Outcome, Stop> {
    match &arguments.like {
        Some(summary) => match recorded::like(summary, typed)? {
            (Arguments { command: Command::Verify(arguments), .. }, written) => {
                verify_either(&arguments, &written, typed, streams)
            }
            _ => usage_error("--like goes with verify only"),
        },
        None => verify_either(arguments, &[], typed, streams),
    }
}

/// Verifies a site that was unpacked, or else the output of a rewrite.
fn verify_either(
    arguments: &VerifyArguments,
    written: &[PathBuf],
    typed: &[OsString],
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    let Some(archives) = site::archives_of(arguments)? else {
        return match arguments.at {
            Some(_) => usage_error("--at goes with web archives and the folder that unpack made of them"),
            None => verify(arguments, written, typed, streams),
        };
    };
    let options = arguments.archive_options();
    let settings = settings(&options, LocalUrls::default());
    let wayback = arguments.source.discovery().wayback;
    let found = site::verify_site(&archives, &arguments.rewritten, (arguments.at, &wayback), &settings)?;
    report_site(arguments, found, &options.documents, streams)
}

/// Verifies; the files `written` by the run besides its output are not compared.
fn verify(
    arguments: &VerifyArguments,
    written: &[PathBuf],
    typed: &[OsString],
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    if [&arguments.original, &arguments.rewritten].iter().any(|file| file.as_os_str() == "-" || is_pipe(file)) {
        return usage_error(
            "verify reads both files more than once; name them instead of standard input (-) or a pipe",
        );
    }
    let mut options = arguments.archive_options();
    let input = InputArguments { inputs: vec![arguments.original.clone()], source: arguments.source.clone() };
    check_url(&input, options.documents.rules)?;
    let shown = progress::if_terminal(arguments.quiet, streams);
    let mut collection = open(&input, &arguments.options, &mut options.documents, shown)?;
    written.iter().try_for_each(|file| leave_out(file, &mut collection))?;
    collection.decide_types();
    let rewritten = &*counterpart_of(arguments)?;
    let bundles = Bundles::of(&arguments.original, rewritten, &collection.entries);
    let trees = Trees {
        rewritten,
        messages: &Messages::list(rewritten, &collection.entries),
        column: if arguments.original.is_dir() { Column::Folder } else { Column::File },
        only_changed: arguments.only_changed,
        form: arguments.warc,
        settings: &settings(&options, local_urls(arguments, &collection)),
        revisits: &Mutex::default(),
    };
    // Of an archive without conversions there is no sidecar.
    let may_be_absent = |entry: &Entry| trees.column == Column::File && is_sidecar(entry, &trees).unwrap_or_default();
    if !rewritten.exists() && !collection.entries.iter().any(may_be_absent) {
        return usage_error(format!("{} does not exist", rewritten.display()));
    }
    let page = side_files::page(&arguments.report, &input, Some(rewritten))?
        .map(|file| HtmlReport::begin(Kind::Verify, &input.inputs, file));
    let mut compared = compared(&collection.entries, bundles.as_ref(), &trees, &Bar::over(&collection.entries, shown));
    let mut left = explained(&mut compared, &collection.entries, &options)?;
    let mut counts = Counts::default();
    compared.iter().for_each(|compared| counts += compared.verdict.counts);
    counts.by_found_url += left.remove(IN_MIRROR).unwrap_or_default();
    page.iter().for_each(|page| page::add_files(page, &compared));
    let mut differences: Vec<Found> = compared.into_iter().flat_map(in_file).collect();
    differences.extend(in_other_files(arguments, written, &collection, &trees));
    let only_bytes = collection.entries.iter().filter(|entry| is_only_bytes(entry, &trees)).count() as u64;
    let total = Total { counts, left, only_bytes };
    let printed = print(arguments, &differences, &total, &streams.output);
    printed.map_err(|error| unlisted(error.into(), &arguments.report))?;
    print_errors(&collection.errors, streams);
    let holds = differences.is_empty() && collection.errors.is_empty();
    if holds {
        refuse_nothing(&input, arguments, &collection, &total.counts)?;
    }
    let line = closing_line(&total, &options.documents, differences.len());
    line.lines().filter(|_| !arguments.quiet).for_each(|line| streams.warn(line));
    if let Some(page) = page {
        let facts = facts(arguments, typed, &line, &collection, total);
        page::finish(page, facts, &differences)
            .or_else(|error| unwritten(arguments.report.report.as_deref(), &error))?;
    }
    Ok(if holds { Outcome::Done } else { Outcome::Failed })
}

/// Prints what was found of an unpacked site.
fn report_site(
    arguments: &VerifyArguments,
    found: OfSite,
    options: &Options,
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    let OfSite { counts, differences, findings, errors } = found;
    let total = Total { counts, ..Total::default() };
    print(arguments, &differences, &total, &streams.output)?;
    print_errors(&errors, streams);
    findings.iter().for_each(|(path, finding)| warn_finding(path, finding, streams));
    closing_line(&total, options, differences.len())
        .lines()
        .filter(|_| !arguments.quiet)
        .for_each(|line| streams.warn(line));
    let holds = differences.is_empty() && findings.is_empty() && errors.is_empty();
    Ok(if holds { Outcome::Done } else { Outcome::Failed })
}

/// Returns what the original is compared with: in a folder, a file of its name.
fn counterpart_of(arguments: &VerifyArguments) -> Result<PathBuf, Stop> {
    let VerifyArguments { original, rewritten, .. } = arguments;
    let name = original.file_name().filter(|_| !original.is_dir() && rewritten.is_dir());
    let counterpart = name.map_or_else(|| rewritten.clone(), |name| rewritten.join(name));
    if counterpart.exists() && original.is_dir() != counterpart.is_dir() {
        return usage_error("a folder can only be verified against a folder, and a file against a file");
    }
    Ok(counterpart)
}

/// Returns the URLs of the files that `--keep-local` leaves links to.
fn local_urls(arguments: &VerifyArguments, collection: &Collection) -> LocalUrls {
    let root = arguments.source.url.as_deref().map(|url| folder_url(url).to_owned());
    let root = root.or_else(|| root_of_list(&collection.entries)).filter(|_| arguments.options.keep_local);
    let url_of = |entry: &Entry| root.as_deref().map(|root| url_below(root, &entry.path));
    collection.entries.iter().filter_map(url_of).collect()
}

/// Compares all entries. Archives are verified in the order of the run, because revisits refer to earlier records.
fn compared<'e>(
    entries: &'e [Entry],
    bundles: Option<&io::Result<Bundles>>,
    trees: &Trees<'_>,
    bar: &Bar,
) -> Vec<Compared<'e>> {
    let (archives, others): (Vec<_>, Vec<_>) =
        entries.iter().enumerate().partition(|(_, entry)| is_of_run(entry, trees));
    for (_, entry) in &archives {
        let mut revisits = trees.revisits.lock().unwrap_or_else(PoisonError::into_inner);
        // What cannot be read is reported when it is compared.
        let _ = File::open(&entry.source).and_then(|file| revisits.add_archive(&file));
    }
    let compare = |(place, entry): (usize, &'e Entry)| {
        let verdict = match (bundles, entry.member()) {
            (Some(Ok(bundles)), Some(index)) => bundles.verify_member(entry, index, trees),
            (Some(Ok(bundles)), None) => bundles.verify(),
            // It is reported once.
            (Some(Err(_)), Some(_)) => Ok(Verdict::default()),
            (Some(Err(error)), None) => Ok(differs(Rule::Unread, &format!("it cannot be read: {error}"))),
            (None, _) => verify_entry(entry, trees),
        };
        if entry.kind != EntryKind::Folder {
            bar.note(RunEvent::Progress(entry.attributes.size));
            bar.note(RunEvent::FileDone);
        }
        let unread = |error| differs(Rule::Unread, &format!("cannot be compared: {error}"));
        (place, Compared { entry, verdict: verdict.unwrap_or_else(unread) })
    };
    let (mut compared, of_others): (Vec<_>, Vec<_>) =
        rayon::join(|| archives.into_iter().map(compare).collect(), || others.into_par_iter().map(compare).collect());
    compared.extend(of_others);
    compared.sort_by_key(|(place, _)| *place);
    bar.clear();
    compared.into_iter().map(|(_, compared)| compared).collect()
}

/// Returns the differences of files that are the counterpart of no entry.
fn in_other_files(
    arguments: &VerifyArguments,
    written: &[PathBuf],
    collection: &Collection,
    trees: &Trees<'_>,
) -> impl Iterator<Item = Found> {
    let is_written = |path: &PathBuf| written.iter().any(|file| file.canonicalize().ok() == path.canonicalize().ok());
    let unexpected = unexpected(collection, trees).into_iter();
    unexpected.filter(move |path| !is_temporary(path) && !is_written(path)).filter_map(move |path| {
        let original = path.strip_prefix(trees.rewritten).ok().map(|below| arguments.original.join(below));
        let difference = verify_unexpected(&path, original.filter(|file| !is_written(file)).as_deref())?;
        Some(Found { path, position: None, difference })
    })
}

/// What was verified.
#[derive(Debug, Default)]
struct Total {
    counts: Counts,
    /// The links that were left relative, by the reason that the rewriter gives.
    left: BTreeMap<String, u64>,
    /// The web archives whose records were not read.
    only_bytes: u64,
}

/// Returns the options of a rewrite as the verifier has them.
fn settings(archives: &ArchiveOptions, local: LocalUrls) -> Settings {
    let options = &archives.documents;
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
        keep: options.keep.clone(),
        header_fields: options.header_fields,
        message_url: match &options.message_url {
            None => absolve_verifier::MessageUrl::None,
            Some(MessageUrl::Given(url)) => absolve_verifier::MessageUrl::Given(url.clone()),
            Some(MessageUrl::ArchivedAt) => absolve_verifier::MessageUrl::ArchivedAt,
        },
        signatures: options.signatures,
        local,
        http_headers: archives.http_headers,
        digests: archives.digests,
        record_date: archives.date.map(|_| date_of(archives)),
    }
}

/// Prints the differences to standard output, and as JSON the counts behind them.
fn print(arguments: &VerifyArguments, differences: &[Found], total: &Total, output: &Stream<'_>) -> io::Result<()> {
    if arguments.quiet && !arguments.json {
        return Ok(());
    }
    let mut out = BufWriter::new(output);
    for Found { path, position, difference } in differences {
        let line = match (arguments.json, position) {
            (true, _) => object(path, difference).to_string(),
            (false, None) => format!("{}: {difference}", path.display()),
            (false, Some(position)) => {
                format!("{}:{position}: {}", path.display(), Difference { byte: None, ..difference.clone() })
            }
        };
        writeln!(out, "{}", if arguments.json { shown_json(&line) } else { shown(&line) })?;
    }
    if arguments.json {
        let Counts { records, documents, links, proven, by_found_url, .. } = total.counts;
        let counts = json!({
            "records": records, "documents": documents, "links": links, "proven": proven, "by_found_url": by_found_url, "left": total.left,
            "differences": differences.len(),
        });
        writeln!(out, "{}", json!({ "counts": counts }))?;
    }
    out.flush()
}

fn object(path: &Path, difference: &Difference) -> serde_json::Value {
    let fields = json!({
        "record": difference.record,
        "part": difference.part,
        "byte": difference.byte,
        "rule": difference.rule.name(),
        "original": difference.original,
        "rewritten": difference.rewritten,
        "expected": difference.expected,
        "message": difference.message,
    });
    with_path(path, fields)
}

fn closing_line(total: &Total, options: &Options, differences: usize) -> String {
    let Counts { records, documents, links, proven, by_found_url, .. } = total.counts;
    let mut line = format!(
        "{}, {}, {}: {proven} changed, each proven to mean what it meant ({}{})",
        count(records, "record"),
        count(documents, "document"),
        count(links, "link"),
        options.rules.standard.name(),
        if options.map.is_empty() { "" } else { ", mapped" },
    );
    if by_found_url > 0 {
        line.push_str(&format!(
            ", {by_found_url} by the URL in a mark, a log or a mirror, which two versions cannot prove"
        ));
    }
    if !total.left.is_empty() {
        let reasons: Vec<String> = total.left.iter().map(|(why, number)| format!("{number} {why}")).collect();
        line.push_str(&format!(", {} left relative by rewrite", reasons.join(", ")));
    }
    match differences {
        0 => line.push_str("; nothing else differs"),
        number => line.push_str(&format!("; {}", count(number as u64, "difference"))),
    }
    if total.only_bytes > 0 {
        let archives = count(total.only_bytes, "web archive");
        line.push_str(&format!("\nof {archives} only the bytes were compared, not the records"));
        line.push_str(" (--warc resource compares those of a WACZ, --warc append those of an ARC)");
    }
    line
}

/// Returns what the page says of all files.
fn facts(
    arguments: &VerifyArguments,
    typed: &[OsString],
    closing_line: &str,
    collection: &Collection,
    total: Total,
) -> Facts {
    let mut facts = Facts::new(format!("{} and {}", arguments.original.display(), arguments.rewritten.display()));
    facts.sentences = closing_line.lines().map(str::to_owned).collect();
    facts.errors = collection.errors.iter().map(file_error).collect();
    facts.left = total.left;
    facts.advice =
        "If the options were not those of the run, give them as they were: `--like SUMMARY` reads them.".to_owned();
    facts.command = command_line(typed);
    facts.elsewhere = "absolve verify --json prints each difference.".to_owned();
    facts
}
