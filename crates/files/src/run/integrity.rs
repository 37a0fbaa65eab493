//! Links with subresource integrity whose targets change in the run.

use std::collections::HashSet;

use absolve_links::DocumentType;
use absolve_rewriter::internal::PinnedLink;
use absolve_rewriter::{Code, Finding};

use crate::input::entry::Entry;
use crate::run::document_job::FileReport;

/// Reports links whose integrity hash covers a changed stylesheet.
pub(crate) fn report_broken_integrity(files: &[&Entry], reports: &mut [(usize, FileReport)]) {
    let is_changed_css =
        |(index, report): &&(usize, FileReport)| report.changed && files[*index].is_expected(DocumentType::Css);
    let changed: HashSet<&str> =
        reports.iter().filter(is_changed_css).filter_map(|(index, _)| Some(&*files[*index].retrieval()?.url)).collect();
    for (_, report) in reports {
        let links = std::mem::take(&mut report.report.pins);
        let broken = links.iter().filter(|link| changed.contains(&*link.url)).map(broken_integrity);
        report.report.findings.extend(broken);
    }
}

fn broken_integrity(link: &PinnedLink) -> Finding {
    let message = format!("its integrity hash covers {}, which changes in this run", link.url);
    Finding { position: link.position, ..Finding::new(Code::Integrity, message).at(link.byte) }
}
