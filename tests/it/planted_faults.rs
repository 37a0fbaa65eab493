//! `absolve verify` finds what is wrong: each fault is an honest output with one thing changed, and the rule that it
//! breaks is named.

pub(crate) mod archives;
mod bases;
mod charsets;
mod derived;
mod documents;
pub(crate) mod fault;
mod framing;
mod links;
mod mailboxes;
mod markup;
mod messages;
mod odd;
mod standards;
mod transfer;
mod trees;

use std::collections::HashSet;

use crate::support::{Outcome, run};
use fault::{Fault, Plant};
use serde_json::Value;

pub(crate) const TABLES: [&[Fault]; 14] = [
    markup::FAULTS,
    links::FAULTS,
    charsets::FAULTS,
    bases::FAULTS,
    standards::FAULTS,
    documents::FAULTS,
    messages::FAULTS,
    transfer::FAULTS,
    mailboxes::FAULTS,
    archives::FAULTS,
    derived::FAULTS,
    framing::FAULTS,
    trees::FAULTS,
    odd::FAULTS,
];

#[test]
fn there_are_many_faults_and_no_two_are_one() {
    let faults: Vec<&Fault> = TABLES.into_iter().flatten().collect();
    let names: HashSet<&str> = faults.iter().map(|fault| fault.name).collect();
    assert_eq!((names.len(), faults.len()), (FAULTS, FAULTS));
}

const FAULTS: usize = 505;

#[test]
fn verify_names_each_fault_of_markup() {
    assert_each_is_named(markup::FAULTS);
}

#[test]
fn verify_names_each_fault_of_links() {
    assert_each_is_named(links::FAULTS);
}

#[test]
fn verify_names_each_fault_of_charsets() {
    assert_each_is_named(charsets::FAULTS);
}

#[test]
fn verify_names_each_fault_of_bases() {
    assert_each_is_named(bases::FAULTS);
}

#[test]
fn verify_names_each_fault_of_standards() {
    assert_each_is_named(standards::FAULTS);
}

#[test]
fn verify_names_each_fault_of_documents() {
    assert_each_is_named(documents::FAULTS);
}

#[test]
fn verify_names_each_fault_of_messages() {
    assert_each_is_named(messages::FAULTS);
}

#[test]
fn verify_names_each_fault_of_transfer() {
    assert_each_is_named(transfer::FAULTS);
}

#[test]
fn verify_names_each_fault_of_mailboxes() {
    assert_each_is_named(mailboxes::FAULTS);
}

#[test]
fn verify_names_each_fault_of_archives() {
    assert_each_is_named(archives::FAULTS);
}

#[test]
fn verify_names_each_fault_of_derived() {
    assert_each_is_named(derived::FAULTS);
}

#[test]
fn verify_names_each_fault_of_framing() {
    assert_each_is_named(framing::FAULTS);
}

#[test]
fn verify_names_each_fault_of_trees() {
    assert_each_is_named(trees::FAULTS);
}

#[test]
fn verify_names_each_fault_of_odd() {
    assert_each_is_named(odd::FAULTS);
}

pub(crate) fn assert_each_is_named(faults: &[Fault]) {
    let failure = |fault: &Fault| is_named(fault).err().map(|error| format!("{}: {error}", fault.name));
    let failures: Vec<String> = faults.iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "{} faults:\n{}", failures.len(), failures.join("\n"));
}

/// The honest half comes first: rewriting changes links, planting changes its output, and a link to a wrong target leads
/// elsewhere.
fn is_named(fault: &Fault) -> Outcome {
    let plant = Plant::of(fault)?;
    let (status, told, counts) = run(&plant.arguments("verify", fault.original.flags))?;
    if status != 0 || !told.is_empty() || counts.is_empty() {
        return Err(format!("the honest output gives {status}: {told}{counts}").into());
    }
    let is_of_target = fault.rules == ["target"];
    let honest = if is_of_target { plant.targets()? } else { Vec::new() };
    let flags = plant.plant()?;
    if is_of_target && flags == fault.original.flags && plant.targets()? == honest {
        return Err(format!("its links lead where they led: {honest:?}").into());
    }
    let (status, told, counts) = run(&plant.arguments("verify", flags))?;
    if status != 1 || counts.is_empty() {
        return Err(format!("planted, it gives {status}: {told}{counts}").into());
    }
    let (_, objects, _) = run(&[plant.arguments("verify", flags), vec!["--json"]].concat())?;
    let mut differences = objects.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
    let counts = differences.pop().filter(|last| last["counts"]["differences"] == differences.len());
    counts.ok_or_else(|| format!("the last line has no counts: {objects}"))?;
    let names = |difference: &&Value| fault.rules.iter().any(|rule| difference["rule"] == *rule);
    let named: Vec<&Value> = differences.iter().filter(names).collect();
    let in_text = |rule: &&str| told.lines().any(|line| line.contains(&format!(": {rule}: ")));
    if named.is_empty() || !fault.rules.iter().any(in_text) || told.lines().count() != differences.len() {
        return Err(format!("not one of {:?}:\n{told}{objects}", fault.rules).into());
    }
    if !named.iter().any(|difference| stands_there(difference, fault)) {
        return Err(format!("not at {:?}:\n{objects}", fault.place).into());
    }
    Ok(())
}

fn stands_there(difference: &Value, fault: &Fault) -> bool {
    fault.place.iter().all(|(field, expected)| {
        let found = difference[*field].to_string();
        let found = found.trim_matches('"');
        found == *expected || *field == "path" && found.ends_with(expected)
    })
}
