//! The list of a WACZ of the pages to begin with (`pages/pages.jsonl`).

use std::io::{BufRead, BufReader, Read};

use absolve_framing::{PAGES, StartPage};
use absolve_rewriter::results::Done;
use absolve_rewriter::{Code, Finding};

use crate::limits::{DESCRIPTION_BYTES, PAGE_BYTES};
use crate::stream::{ReadSeek, StreamError};
use crate::wacz::described::wrong_digests;
use crate::wacz::members::open;

/// Passes the pages of the list to `found`, in order, with findings if files of the package do not have their digests, or some lines are not pages.
pub(crate) fn each_page(
    file: Box<dyn ReadSeek + '_>,
    found: &mut dyn FnMut(Result<StartPage, Finding>),
) -> Result<(), StreamError> {
    let mut zip = open(file)?;
    wrong_digests(&mut zip).into_iter().for_each(|finding| found(Err(finding)));
    let Ok(member) = zip.by_name(PAGES) else { return Ok(()) };
    let mut lines = BufReader::new(member.take(DESCRIPTION_BYTES));
    let (mut damaged, mut line) = (0_u64, Vec::new());
    let end = loop {
        line.clear();
        match lines.by_ref().take(PAGE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) => break None,
            Ok(_) if line.trim_ascii().is_empty() => {}
            Ok(_) => match StartPage::of_line(&line) {
                Some(page) => page.into_iter().for_each(|page| found(Ok(page))),
                None => damaged += 1,
            },
            Err(error) => break Some(error),
        }
    };
    let of_lines = (damaged > 0).then(|| format!("{damaged} lines of {PAGES} are not pages; they are passed over"));
    let is_cut = end.is_none() && lines.get_ref().limit() == 0;
    let of_limit = is_cut
        .then(|| format!("{PAGES} is longer than {} MiB; what is behind is passed over", DESCRIPTION_BYTES >> 20));
    let of_end = end.map(|error| format!("{PAGES} cannot be read to its end: {error}")).or(of_limit);
    let finding = |message| Finding { done: Done::AsSaid, ..Finding::new(Code::ArchiveIndex, message) };
    of_lines.into_iter().chain(of_end).for_each(|message| found(Err(finding(message))));
    Ok(())
}
