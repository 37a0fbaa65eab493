//! The table of `--unique-hosts`: how many links lead from which host to which.

use std::cmp::Reverse;
use std::collections::HashMap;

use url::Url;

use crate::commands::listing::{Event, Writer};
use crate::commands::table::{Cell, Column, Kind, Presence, TableWriter};

/// The columns of the table.
pub(crate) const COLUMNS: &[Column] = &[
    Column { name: "page_host", kind: Kind::Text, presence: Presence::Always },
    Column { name: "target_host", kind: Kind::Text, presence: Presence::Always },
    Column { name: "links", kind: Kind::Number, presence: Presence::Always },
];

/// Returns a writer that counts links by their hosts, and writes them at the end, the most frequent first. Memory grows with the pairs
/// of hosts, not with the links.
pub(crate) fn host_table<'w>(mut table: Box<dyn TableWriter + 'w>) -> Box<Writer<'w>> {
    let mut counts: HashMap<String, HashMap<String, u64>> = HashMap::new();
    // The last page and its host: many links of one page follow each other.
    let mut last: (Option<String>, String) = (None, String::new());
    Box::new(move |event| match event {
        Event::Link(row) => {
            if last.0.as_deref() != row.url {
                last = (row.url.map(str::to_owned), host_of(row.url));
            }
            let of_page = counts.entry(last.1.clone()).or_default();
            *of_page.entry(host_of(row.link.target.as_deref())).or_default() += 1;
            Ok(())
        }
        Event::End => {
            let mut pairs: Vec<(Reverse<u64>, &String, &String)> = Vec::new();
            for (page, targets) in &counts {
                pairs.extend(targets.iter().map(|(target, links)| (Reverse(*links), page, target)));
            }
            pairs.sort_unstable();
            for (Reverse(links), page, target) in pairs {
                table.write(&[Cell::text(page), Cell::text(target), Cell::Number(links)])?;
            }
            table.finish()
        }
        _ => Ok(()),
    })
}

/// Returns the host of a URL in the form of the URL Standard; empty if it has none.
fn host_of(url: Option<&str>) -> String {
    let url = url.and_then(|url| Url::parse(url).ok());
    url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned()
}
