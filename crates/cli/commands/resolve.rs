//! `absolve resolve`: resolves references.

use std::io::{self, BufRead, BufWriter, Write};

use absolve_files::{shown, shown_json};
use absolve_resolver::{
    BaseUrl, Components, Grammar, Production, RelativeUse, Server, Standard, Unresolvable, resolve_without_base,
};
use absolve_rewriter::internal::retrieval_url;
use absolve_rewriter::settings::Rules;
use serde_json::{Value, json};

use crate::args::resolve::ResolveArguments;
use crate::json::joined;
use crate::outcome::{Outcome, Stop, usage_error};
use crate::streams::Streams;

pub(crate) fn run(arguments: &ResolveArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let is_wanted = |standard: &Standard| ["all", standard.name()].contains(&&*arguments.standard);
    let standards: Vec<Standard> = Standard::ALL.into_iter().filter(is_wanted).collect();
    let bases = bases(arguments.base.as_deref(), &standards)?;
    let mut out = BufWriter::new(&streams.output);
    let mut outcome = Outcome::Done;
    let mut rows = Vec::new();
    let mut resolve = |reference: &str| -> io::Result<()> {
        let targets: Vec<_> =
            standards.iter().zip(&bases).map(|(standard, base)| target(*standard, base.as_ref(), reference)).collect();
        if targets.iter().any(Result::is_err) {
            outcome = Outcome::Failed;
        }
        if arguments.json {
            for (standard, target) in standards.iter().zip(&targets) {
                writeln!(out, "{}", shown_json(&object(arguments, reference, *standard, target).to_string()))?;
            }
        } else if standards.len() > 1 {
            rows.push(row(reference, &targets));
        } else {
            match &targets[0] {
                Ok(target) => writeln!(out, "{}", shown(target))?,
                Err(why) => {
                    out.flush()?;
                    streams.fail(&format!("{reference:?} has no target: {why}"));
                }
            }
        }
        if arguments.components && !arguments.json {
            standards.iter().try_for_each(|standard| write_components(&mut out, reference, *standard))?;
        }
        Ok(())
    };
    if arguments.references.is_empty() {
        for line in io::stdin().lock().lines() {
            resolve(&line?)?;
        }
    } else {
        arguments.references.iter().try_for_each(|reference| resolve(reference))?;
    }
    if !rows.is_empty() {
        write_table(&mut out, &standards, &rows)?;
    }
    out.flush()?;
    Ok(outcome)
}

fn bases(text: Option<&str>, standards: &[Standard]) -> Result<Vec<Option<BaseUrl>>, Stop> {
    let Some(text) = text else { return Ok(vec![None; standards.len()]) };
    let parse = |standard: &Standard| match BaseUrl::parse(text, *standard) {
        Ok(base) => Ok(Some(base)),
        Err(why) => {
            let error = retrieval_url(text, Rules { standard: *standard, ..Rules::default() }).err();
            usage_error(format!("--base: {}", error.map_or_else(|| why.to_string(), |error| error.to_string())))
        }
    };
    standards.iter().map(parse).collect()
}

fn target(standard: Standard, base: Option<&BaseUrl>, reference: &str) -> Result<String, Unresolvable> {
    match base {
        Some(base) => base.resolve(reference),
        None => resolve_without_base(reference, standard),
    }
}

/// References in rows, standards in columns.
fn write_table(out: &mut impl Write, standards: &[Standard], rows: &[Vec<String>]) -> io::Result<()> {
    let mut header = vec!["reference".to_owned()];
    header.extend(standards.iter().map(|standard| standard.name().to_owned()));
    let table: Vec<&Vec<String>> = std::iter::once(&header).chain(rows).collect();
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    for row in &table {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// A reference and its targets, as they stand in the table.
fn row(reference: &str, targets: &[Result<String, Unresolvable>]) -> Vec<String> {
    let named = if reference.is_empty() { "(empty)" } else { reference };
    let cell = |target: &Result<String, Unresolvable>| match target {
        Ok(target) => shown(target).into_owned(),
        Err(_) => "(no target)".to_owned(),
    };
    std::iter::once(shown(named).into_owned()).chain(targets.iter().map(cell)).collect()
}

fn write_components(out: &mut impl Write, reference: &str, standard: Standard) -> io::Result<()> {
    writeln!(out, "  components by {standard}")?;
    for (name, component) in named(&Components::split(reference, standard)) {
        if let Some(component) = component {
            writeln!(out, "    {name:<10} {}", shown(component))?;
        }
    }
    let components = Components::split(reference, standard);
    if let Some(authority) = components.authority {
        let server = Server::split(authority);
        for (name, part) in
            [("user", server.user), ("password", server.password), ("host", Some(server.host)), ("port", server.port)]
        {
            if let Some(part) = part {
                writeln!(out, "      {name:<8} {}", shown(part))?;
            }
        }
    }
    if let Some(scheme) = components.scheme {
        writeln!(out, "    relative references with this scheme: {}", RelativeUse::of(scheme).name())?;
    }
    for (name, productions) in grammars(reference) {
        let names: Vec<_> = productions.into_iter().map(Production::name).collect();
        writeln!(out, "    {name:<10} {}", if names.is_empty() { "no match".to_owned() } else { names.join(", ") })?;
    }
    Ok(())
}

fn named<'c>(components: &Components<'c>) -> [(&'static str, Option<&'c str>); 6] {
    [
        ("scheme", components.scheme),
        ("authority", components.authority),
        ("path", Some(components.path)),
        ("params", components.params),
        ("query", components.query),
        ("fragment", components.fragment),
    ]
}

fn grammars(reference: &str) -> [(&'static str, Vec<Production>); 2] {
    [("draft-06", Grammar::Draft06.productions(reference)), ("draft-00e", Grammar::Draft00e.productions(reference))]
}

fn object(
    arguments: &ResolveArguments,
    reference: &str,
    standard: Standard,
    target: &Result<String, Unresolvable>,
) -> Value {
    let fields = json!({
        "reference": reference,
        "base": arguments.base,
        "standard": standard.name(),
        "target": target.as_ref().ok(),
        "why": target.as_ref().err().map(ToString::to_string),
    });
    if !arguments.components {
        return fields;
    }
    let components = named(&Components::split(reference, standard));
    let components = components.into_iter().map(|(name, part)| (name, json!(part))).collect();
    let names = |found: Vec<Production>| found.into_iter().map(Production::name).collect::<Value>();
    let grammar: Value = grammars(reference).into_iter().map(|(name, found)| (name, names(found))).collect();
    joined([fields, components, json!({ "grammar": grammar })])
}
