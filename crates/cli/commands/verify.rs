//! `absolve verify`: proves that only links changed, and that each means what it meant.

pub(crate) mod bundle;
pub(crate) mod explain;
pub(crate) mod maildir;
pub(crate) mod page;
pub(crate) mod tree;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use absolve_containers::{ArchiveOptions, FileType};
use absolve_files::{Entry, EntryKind, RunEvent, folder_url, is_temporary, shown, shown_json};
use absolve_links::Document;
use absolve_report::{Facts, Kind};
use absolve_resolver::Standard;
use absolve_rewriter::{MessageUrl, Options, Position, Positions, url_below};
use absolve_verifier::{Counts, Difference, LocalUrls, Rule, Settings, literal};
use rayon::prelude::*;
use serde_json::json;

use crate::args::input::InputArguments;
use crate::args::verify::VerifyArguments;
use crate::args::{Arguments, Command};
use crate::commands::html_report::{HtmlReport, unlisted, unwritten};
use crate::commands::rewrite::side_files::{self, leave_out};
use crate::commands::verify::bundle::Bundles;
use crate::commands::verify::explain::{IN_MIRROR, explained};
use crate::commands::verify::maildir::Messages;
use crate::commands::verify::page::Compared;
use crate::commands::verify::tree::{
    Trees, is_of_run, is_only_bytes, is_sidecar, unexpected, verify_entry, verify_unexpected,
};
use crate::inputs::{check_url, is_pipe, open, root_of_list};
use crate::json::{extend, with_path};
use crate::messages::{count, print_errors};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::progress::{self, Bar};
use crate::recorded;
use crate::streams::{Stream, Streams};

pub(crate) fn run(arguments: &VerifyArguments, typed: &[OsString], streams: &Streams<'_>) -> Result<Outcome, Stop> {
    match &arguments.like {
        Some(summary) => match recorded::like(summary, typed)? {
            (Arguments { command: Command::Verify(arguments), .. }, written) => {
                verify(&arguments, &written, typed, streams)
            }
            _ => usage_error("--like goes with verify only"),
        },
        None => verify(arguments, &[], typed, streams),
    }
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
    let mut options = arguments.options.options();
    let input = InputArguments { inputs: vec![arguments.original.clone()], source: arguments.source.clone() };
    check_url(&input, options.documents.rules)?;
    let shown = progress::if_terminal(arguments.quiet, streams);
    let mut collection = open(&input, &arguments.options, &mut options.documents, shown)?;
    written.iter().try_for_each(|file| leave_out(file, &mut collection))?;
    collection.decide_types();
    let is_written_into = !arguments.original.is_dir() && arguments.rewritten.is_dir();
    let name = arguments.original.file_name().filter(|_| is_written_into);
    let rewritten = &*name.map_or_else(|| arguments.rewritten.clone(), |name| arguments.rewritten.join(name));
    if rewritten.exists() && arguments.original.is_dir() != rewritten.is_dir() {
        return usage_error("a folder can only be verified against a folder, and a file against a file");
    }
    let is_bundle = collection.entries.first().is_some_and(|entry| matches!(entry.kind, EntryKind::Bundle(_)));
    let bundles = if is_bundle && rewritten.exists() {
        let opened = Bundles::open(&arguments.original, rewritten, &collection.entries);
        Some(opened.or_else(|error| usage_error(format!("{} cannot be compared: {error}", rewritten.display())))?)
    } else {
        None
    };
    let messages = Messages::list(rewritten, &collection.entries);
    let trees = Trees {
        rewritten,
        messages: &messages,
        is_folder: arguments.original.is_dir(),
        only_changed: arguments.only_changed,
        warc: arguments.warc,
        revisits: &Mutex::default(),
    };
    // Of an archive without conversions there is no sidecar.
    let may_be_absent = |entry: &Entry| !trees.is_folder && is_sidecar(entry, &trees).unwrap_or_default();
    if !rewritten.exists() && !collection.entries.iter().any(may_be_absent) {
        return usage_error(format!("{} does not exist", rewritten.display()));
    }
    let root = arguments.source.url.as_deref().map(|url| folder_url(url).to_owned());
    let root = root.or_else(|| root_of_list(&collection.entries)).filter(|_| arguments.options.keep_local);
    let url_of = |entry: &Entry| root.as_deref().map(|root| url_below(root, &entry.path));
    let local: LocalUrls = collection.entries.iter().filter_map(url_of).collect();
    let settings = settings(&options, local);
    let page = side_files::page(&arguments.report, &input, Some(rewritten))?
        .map(|file| HtmlReport::begin(Kind::Verify, &input.inputs, file));
    let bar = Bar::over(&collection.entries, shown);
    let verify_one = |entry: &Entry| {
        let verdict = match (&bundles, entry.member()) {
            (Some(bundles), Some(index)) => bundles.verify_member(entry, index, &trees, &settings),
            (Some(bundles), None) => bundles.verify(),
            (None, _) => verify_entry(entry, &trees, &settings),
        };
        if entry.kind != EntryKind::Folder {
            bar.note(RunEvent::Progress(entry.size));
            bar.note(RunEvent::FileDone);
        }
        verdict
    };
    // Archives are verified in the order of the run, because revisits refer to earlier records.
    let (archives, others): (Vec<_>, Vec<_>) =
        collection.entries.iter().enumerate().partition(|(_, entry)| is_of_run(entry, &trees));
    for (_, entry) in &archives {
        let mut revisits = trees.revisits.lock().unwrap_or_else(PoisonError::into_inner);
        // What cannot be read is reported when it is compared.
        let _ = File::open(&entry.source).and_then(|file| revisits.add_archive(&file));
    }
    let of_place = |(place, entry)| (place, verify_one(entry));
    let (mut verdicts, of_others): (Vec<_>, Vec<_>) =
        rayon::join(|| archives.into_iter().map(of_place).collect(), || others.into_par_iter().map(of_place).collect());
    verdicts.extend(of_others);
    verdicts.sort_by_key(|(place, _)| *place);
    let verdicts = verdicts.into_iter().map(|(_, verdict)| verdict);
    bar.clear();
    let mut total = Total::default();
    let mut found: Vec<(&Entry, Vec<Difference>)> = Vec::new();
    let mut counts = Vec::new();
    for (entry, verdict) in collection.entries.iter().zip(verdicts) {
        match verdict {
            Ok(verdict) => {
                total.counts += verdict.counts;
                counts.push(verdict.counts);
                found.push((entry, verdict.differences));
            }
            Err(error) => {
                let message = format!("cannot be compared: {error}");
                counts.push(Counts::default());
                found.push((entry, vec![Difference::new(Rule::Unread, message)]));
            }
        }
    }
    total.left = explained(&mut found, &collection.entries, &options)?;
    total.counts.by_found_url += total.left.remove(IN_MIRROR).unwrap_or_default();
    let compared = found.iter().zip(counts).map(|((entry, found), counts)| Compared {
        entry,
        counts,
        rules: found.iter().map(|difference| difference.rule.name()).collect(),
    });
    let compared: Vec<Compared<'_>> = if page.is_some() { compared.collect() } else { Vec::new() };
    let mut differences: Vec<Found> = found.into_iter().flat_map(|(entry, found)| in_file(entry, found)).collect();
    let is_written = |path: &PathBuf| written.iter().any(|file| file.canonicalize().ok() == path.canonicalize().ok());
    let unexpected =
        unexpected(&collection, &trees).into_iter().filter(|path| !is_temporary(path) && !is_written(path));
    differences.extend(unexpected.filter_map(|path| {
        let original = path.strip_prefix(rewritten).ok().map(|below| arguments.original.join(below));
        let difference = verify_unexpected(&path, original.filter(|file| !is_written(file)).as_deref())?;
        Some(Found { path, position: None, difference })
    }));
    let printed = print(arguments, &differences, &total, &streams.output);
    printed.map_err(|error| unlisted(error.into(), &arguments.report))?;
    print_errors(&collection.errors, streams);
    let holds = differences.is_empty() && collection.errors.is_empty();
    let is_document = |entry: &Entry| matches!(entry.file_type(), Ok(Some(_)));
    if holds && !collection.entries.iter().any(is_document) && collection.maildirs().is_empty() {
        let original = arguments.original.display();
        return usage_error(format!("no document was compared: no file of {original} is one"));
    }
    total.only_bytes = collection.entries.iter().filter(|entry| is_only_bytes(entry, &trees)).count() as u64;
    let line = closing_line(&total, &options.documents, differences.len());
    if !arguments.quiet {
        line.lines().for_each(|line| streams.warn(line));
    }
    if let Some(page) = page {
        let mut facts = Facts::default();
        let first = if holds { "All of it holds." } else { "Not all of it holds." };
        facts.sentences = [first].into_iter().chain(line.lines()).map(str::to_owned).collect();
        facts.errors = collection.errors.iter().map(ToString::to_string).collect();
        facts.left = total.left;
        page::write(page, arguments, typed, &compared, &differences, facts)
            .or_else(|error| unwritten(arguments.report.report.as_deref(), &error))?;
    }
    Ok(if holds { Outcome::Done } else { Outcome::Failed })
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
        standard: match options.rules.standard {
            Standard::Whatwg => absolve_verifier::Standard::Whatwg,
            Standard::Rfc1630 => absolve_verifier::Standard::Literal(literal::Standard::Rfc1630),
            Standard::Rfc1808 => absolve_verifier::Standard::Literal(literal::Standard::Rfc1808),
            Standard::Draft1996 => absolve_verifier::Standard::Literal(literal::Standard::Draft1996),
            Standard::Rfc2396 => absolve_verifier::Standard::Literal(literal::Standard::Rfc2396),
            Standard::Rfc3986 => absolve_verifier::Standard::Literal(literal::Standard::Rfc3986),
        },
        profile: options.rules.profile,
        table: options.table.clone(),
        same_document: options.same_document,
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
    }
}

/// A difference, and where it stands in the original.
pub(crate) struct Found {
    path: PathBuf,
    /// The line and column, in a file that is a document.
    position: Option<Position>,
    difference: Difference,
}

/// Returns the differences of an entry with their places.
fn in_file(entry: &Entry, differences: Vec<Difference>) -> Vec<Found> {
    let is_of_file = |difference: &Difference| difference.record.is_empty() && difference.part.is_empty();
    let has_position = differences.iter().any(|difference| is_of_file(difference) && difference.byte.is_some());
    let document = match has_position.then(|| entry.file_type()) {
        Some(Ok(Some(FileType::Document(document_type)))) => {
            fs::read(&entry.source).ok().map(|text| (text, document_type))
        }
        _ => None,
    };
    let document = document.as_ref().map(|(text, document_type)| Document::new(text, *document_type));
    let mut positions = document.as_ref().map(Positions::of_document);
    let found = |difference: Difference| {
        let byte = difference.byte.filter(|_| is_of_file(&difference));
        let position = byte.and_then(|byte| Some(positions.as_mut()?.at(byte)));
        Found { path: entry.source.clone(), position, difference }
    };
    differences.into_iter().map(found).collect()
}

/// Prints the differences to standard output, and as JSON the counts behind them.
fn print(arguments: &VerifyArguments, differences: &[Found], total: &Total, output: &Stream<'_>) -> io::Result<()> {
    if arguments.quiet {
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
    let mut object = with_path(path);
    let rest = json!({
        "record": difference.record,
        "part": difference.part,
        "byte": difference.byte,
        "rule": difference.rule.name(),
        "original": difference.original,
        "rewritten": difference.rewritten,
        "expected": difference.expected,
        "message": difference.message,
    });
    extend(&mut object, rest);
    object.into()
}

fn closing_line(total: &Total, options: &Options, differences: usize) -> String {
    let Counts { records, documents, links, proven, by_found_url, .. } = total.counts;
    let mut line = format!(
        "{}, {}, {}: {proven} changed, each proven to mean what it meant ({})",
        count(records, "record"),
        count(documents, "document"),
        count(links, "link"),
        options.rules.standard.name(),
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
