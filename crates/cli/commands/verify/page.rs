//! The page of `absolve verify --report`.

use std::io;
use std::path::Path;

use absolve_containers::FileType;
use absolve_files::{Entry, EntryKind};
use absolve_report::{Document, Facts, Verdict};
use absolve_rewriter::Counts;

use crate::commands::html_report::HtmlReport;
use crate::commands::verify::found::{Compared, Found};
use crate::messages::place_of;

/// Adds a row for each file.
pub(crate) fn add_files(page: &HtmlReport, compared: &[Compared<'_>]) {
    for (place, Compared { entry, verdict }) in compared.iter().enumerate() {
        let is_file = !matches!(entry.kind, EntryKind::Folder | EntryKind::Symlink(_));
        if !is_file && verdict.differences.is_empty() {
            continue;
        }
        let name = page.name(&entry.source);
        let mut row = Document::new(&name, type_of(entry));
        row.findings = verdict.differences.iter().map(|difference| difference.rule.name()).collect();
        let counts = verdict.counts;
        row.counts = Counts {
            links: counts.links,
            rewritten: counts.proven,
            absolute: counts.links.saturating_sub(counts.proven + counts.by_found_url),
            ..row.counts
        };
        page.collector.add_document(place, row);
    }
}

/// Adds the differences, and writes the page.
pub(crate) fn finish(page: HtmlReport, mut facts: Facts, differences: &[Found]) -> io::Result<()> {
    for Found { path, position, difference } in differences {
        *facts.findings.entry(difference.rule.name().to_owned()).or_default() += 1;
        let place = place_of(Path::new(&*page.name(path)), &difference.record, &difference.part, *position);
        let texts = [("was", &difference.original), ("is", &difference.rewritten), ("should be", &difference.expected)];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        let texts: String = texts.map(|(what, text)| format!("; {what} {text}")).collect();
        page.collector.add_finding(difference.rule.name(), &place, &format!("{}{texts}", difference.message));
    }
    let (verdict, first) = match differences.is_empty() && facts.errors.is_empty() {
        true => (Verdict::Good, "All of it holds."),
        false => (Verdict::Bad, "Not all of it holds."),
    };
    facts.verdict = verdict;
    facts.sentences.insert(0, first.to_owned());
    page.finish(&facts)
}

fn type_of(entry: &Entry) -> &'static str {
    match entry.file_type() {
        Ok(Some(FileType::Document(document_type))) => document_type.media_type(),
        Ok(Some(FileType::Message)) => "message/rfc822",
        Ok(Some(FileType::Mailbox)) => "application/mbox",
        Ok(Some(FileType::WARC)) => "application/warc",
        Ok(Some(FileType::ARC)) => "application/x-arc",
        Ok(Some(FileType::Wacz)) => "application/wacz",
        _ => "",
    }
}
