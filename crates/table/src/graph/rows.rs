//! The edges of a record, in the thread that found its links.

use std::collections::HashMap;
use std::mem;

use absolve_containers::seconds;
use absolve_rewriter::internal::{LinkRow, declares_base};

use crate::graph::edge::{Counted, Edges, Sums};
use crate::graph::node::Nodes;
use crate::links::{Locate, Page};
use crate::rows::LinkRows;

/// The links of a record as edges.
#[derive(Debug)]
pub struct EdgeRows {
    nodes: Nodes,
    counted: Counted,
    /// The node of the page, its date, and its edges.
    source: Option<String>,
    date: Option<i64>,
    of_page: HashMap<String, Sums>,
    edges: Edges,
}

impl EdgeRows {
    /// Returns edges between these nodes.
    pub fn new(nodes: Nodes, counted: Counted) -> Self {
        Self { nodes, counted, source: None, date: None, of_page: HashMap::new(), edges: Edges::default() }
    }

    fn node(&self, url: Option<&str>) -> Option<String> {
        let node = url.and_then(|url| self.nodes.of(url));
        if self.counted == Counted::EveryRow { Some(node.unwrap_or_default()) } else { node }
    }

    fn end_page(&mut self) {
        let of_page = mem::take(&mut self.of_page);
        if let Some(source) = self.source.take().filter(|_| !of_page.is_empty()) {
            let of_source = self.edges.by_source.entry(source).or_default();
            of_page.into_iter().for_each(|(target, sums)| of_source.entry(target).or_default().add(sums));
        }
    }
}

impl LinkRows for EdgeRows {
    type Rows = Edges;

    fn begin(&mut self, page: &Page<'_>) {
        self.end_page();
        self.source = self.node(page.url);
        self.date = page.date.and_then(seconds);
    }

    fn add(&mut self, link: &LinkRow<'_>, _at: &mut dyn Locate) {
        let is_row = self.counted == Counted::EveryRow;
        // A pattern is no page, and its host may be none.
        let is_pattern = || (&*link.element, link.attribute) == ("speculationrules", "href_matches");
        if !is_row && (declares_base(&link.element, link.attribute) || is_pattern()) {
            return;
        }
        let target = self.node(link.target);
        // The `anchor` of a `Link` field is where the link leads from.
        let anchor = link.anchor.filter(|_| !is_row).map(|anchor| self.node(Some(anchor)));
        let (is_known, left_out) = (anchor.as_ref().unwrap_or(&self.source).is_some(), &mut self.edges.left_out);
        let target = match target {
            _ if !is_known => return left_out.without_source += 1,
            None => return left_out.without_target += 1,
            Some(target) => target,
        };
        if self.counted == Counted::Between && anchor.as_ref().unwrap_or(&self.source).as_ref() == Some(&target) {
            return left_out.within += 1;
        }
        let is_nofollow = |rel: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("nofollow"));
        let nofollow = u64::from(link.rel.is_some_and(is_nofollow));
        let sums = Sums { links: 1, nofollow, dates: self.date.map(|date| (date, date)) };
        let of_source = match anchor.flatten() {
            Some(anchor) => self.edges.by_source.entry(anchor).or_default(),
            None => &mut self.of_page,
        };
        of_source.entry(target).or_default().add(sums);
    }

    fn finish(mut self) -> Edges {
        self.end_page();
        self.edges
    }
}
