//! How many documents have their base from where, and which are odd.

use std::collections::BTreeMap;
use std::io::{self, Write};

use absolve_base::{Base, Declared, Layer, Verdict};
use absolve_files::shown;

use crate::messages::count;
use crate::wording::place;

/// How many documents without a base, and how many with an odd one, are named.
const NAMED: usize = 20;

/// Where the base of one document comes from.
#[derive(Debug)]
pub(crate) struct BaseSource {
    name: String,
    source: String,
    is_none: bool,
    /// The declarations that cannot be used, and why.
    unfit: Vec<String>,
}

/// Returns where the base of a document comes from.
pub(crate) fn source_of(name: &str, base: &Base) -> BaseSource {
    let used = base.declared.iter().find(|declared| declared.verdict == Verdict::Used);
    let source = match (base.layer, used) {
        (Layer::None, _) => "no base".to_owned(),
        (Layer::Retrieval, Some(used)) => format!("{} ({})", base.layer, place(&used.declaration.place)),
        (layer, _) => layer.to_string(),
    };
    let is_unfit = |declared: &&Declared| {
        !matches!(declared.verdict, Verdict::Used | Verdict::Outranked(_) | Verdict::OutsideProfile | Verdict::NoPlace)
    };
    let line = |declared: &Declared| {
        let declaration = &declared.declaration;
        format!(
            "{} at {}: {}: {}",
            declaration.layer,
            place(&declaration.place),
            declaration.value,
            declared.verdict.why()
        )
    };
    let unfit = base.declared.iter().filter(is_unfit).map(line).collect();
    BaseSource { name: name.to_owned(), source, is_none: base.layer == Layer::None, unfit }
}

/// Counts documents by the source of their base. Of odd ones, the first are kept.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    documents: u64,
    by_source: BTreeMap<String, u64>,
    without: Named,
    unfit: Named,
}

impl Summary {
    pub(crate) fn add(&mut self, base: BaseSource) {
        self.documents += 1;
        *self.by_source.entry(base.source).or_default() += 1;
        for line in base.unfit {
            self.unfit.add(format!("{}: {line}", base.name));
        }
        if base.is_none {
            self.without.add(base.name);
        }
    }

    pub(crate) fn write_to(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut sources: Vec<(&String, &u64)> = self.by_source.iter().collect();
        sources.sort_by_key(|(_, documents)| std::cmp::Reverse(**documents));
        let width = sources.first().map_or(0, |(_, documents)| documents.to_string().len());
        writeln!(output, "{}, by the source of their base:", count(self.documents, "document"))?;
        for (source, documents) in sources {
            writeln!(output, "  {documents:>width$}  {}", shown(source))?;
        }
        // If all documents lack one, none is odd.
        if self.without.found < self.documents {
            self.without.write_to("no base", output)?;
        }
        self.unfit.write_to("declarations that cannot be used", output)
    }
}

/// The first of many lines, and how many there are.
#[derive(Debug, Default)]
struct Named {
    found: u64,
    first: Vec<String>,
}

impl Named {
    fn add(&mut self, line: String) {
        self.found += 1;
        if self.first.len() < NAMED {
            self.first.push(line);
        }
    }

    fn write_to(&self, title: &str, output: &mut dyn Write) -> io::Result<()> {
        if self.first.is_empty() {
            return Ok(());
        }
        writeln!(output, "\n{title}:")?;
        self.first.iter().try_for_each(|line| writeln!(output, "  {}", shown(line)))?;
        match self.found - self.first.len() as u64 {
            0 => Ok(()),
            more => writeln!(output, "  and {more} more; --all draws each"),
        }
    }
}
