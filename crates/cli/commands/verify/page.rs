//! The page of `absolve verify --report`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use absolve_containers::FileType;
use absolve_files::{Entry, EntryKind};
use absolve_report::{Document, Facts, Verdict};
use absolve_rewriter::Counts;

use crate::args::verify::VerifyArguments;
use crate::commands::html_report::{HtmlReport, command_line};
use crate::commands::verify::Found;
use crate::messages::place_of;

/// What was compared of a file.
pub(crate) struct Compared<'c> {
    pub(crate) entry: &'c Entry,
    pub(crate) counts: absolve_verifier::Counts,
    /// The rules that do not hold.
    pub(crate) rules: Vec<&'static str>,
}

/// Writes the page; `line` has the counts in words.
pub(crate) fn write(
    page: HtmlReport,
    arguments: &VerifyArguments,
    typed: &[OsString],
    compared: &[Compared<'_>],
    differences: &[Found],
    facts: Facts,
) -> io::Result<()> {
    for (place, Compared { entry, counts, rules }) in compared.iter().enumerate() {
        let is_file = !matches!(entry.kind, EntryKind::Folder | EntryKind::Symlink);
        if !is_file && rules.is_empty() {
            continue;
        }
        let name = page.name(&entry.source);
        let mut row = Document::new(&name, type_of(entry));
        row.findings.clone_from(rules);
        row.counts = Counts {
            links: counts.links,
            rewritten: counts.proven,
            absolute: counts.links.saturating_sub(counts.proven + counts.by_found_url),
            ..row.counts
        };
        page.add_row(place, row);
    }
    let mut rules: BTreeMap<String, u64> = BTreeMap::new();
    for Found { path, position, difference } in differences {
        *rules.entry(difference.rule.name().to_owned()).or_default() += 1;
        let place = place_of(Path::new(&*page.name(path)), &difference.record, &difference.part, *position);
        let texts = [("was", &difference.original), ("is", &difference.rewritten), ("should be", &difference.expected)];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        let texts: String = texts.map(|(what, text)| format!("; {what} {text}")).collect();
        page.add_difference(difference.rule.name(), &place, &format!("{}{texts}", difference.message));
    }
    let holds = rules.is_empty() && facts.errors.is_empty();
    let mut facts = facts;
    facts.title = format!("{} and {}", arguments.original.display(), arguments.rewritten.display());
    facts.verdict = if holds { Verdict::Good } else { Verdict::Bad };
    facts.command = command_line(typed);
    facts.findings = rules;
    facts.elsewhere = "absolve verify --json prints each difference.".to_owned();
    page.finish(&facts)
}

fn type_of(entry: &Entry) -> &'static str {
    match entry.file_type() {
        Ok(Some(FileType::Document(document_type))) => document_type.media_type(),
        Ok(Some(FileType::Message)) => "message/rfc822",
        Ok(Some(FileType::MBOX)) => "application/mbox",
        Ok(Some(FileType::WARC)) => "application/warc",
        Ok(Some(FileType::ARC)) => "application/x-arc",
        Ok(Some(FileType::WACZ)) => "application/wacz",
        _ => "",
    }
}
