//! More planted faults: for each format, by kinds of what is wrong. [`crate::planted_faults`] says what a fault is.

mod archives;
mod documents;
mod folders;
mod mailboxes;
mod messages;
mod packages;
mod pages;

use std::collections::HashSet;

use absolve_testing::print_line;

use crate::planted_faults::fault::Fault;
use crate::planted_faults::{TABLES as OTHERS, failures};

const TABLES: [&[Fault]; 7] = [
    pages::FAULTS,
    documents::FAULTS,
    messages::FAULTS,
    mailboxes::FAULTS,
    archives::FAULTS,
    packages::FAULTS,
    folders::FAULTS,
];

#[test]
fn there_are_many_more_and_no_two_are_one() {
    let faults: Vec<&Fault> = TABLES.into_iter().flatten().collect();
    let names: HashSet<&str> = OTHERS.iter().chain(&TABLES).copied().flatten().map(|fault| fault.name).collect();
    let others: usize = OTHERS.iter().map(|table| table.len()).sum();
    assert_eq!((faults.len(), names.len()), (FAULTS, others + FAULTS));
}

const FAULTS: usize = 396;

/// Those that are not found yet.
const MISSED: &[&str] = &["tar, white space: in the padding of a page", "tar, white space: in the padding of a file"];

#[test]
fn verify_names_each_fault_of_pages() {
    assert_each_is_named(pages::FAULTS);
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
fn verify_names_each_fault_of_mailboxes() {
    assert_each_is_named(mailboxes::FAULTS);
}

#[test]
fn verify_names_each_fault_of_archives() {
    assert_each_is_named(archives::FAULTS);
}

#[test]
fn verify_names_each_fault_of_packages() {
    assert_each_is_named(packages::FAULTS);
}

#[test]
fn verify_names_each_fault_of_folders() {
    assert_each_is_named(folders::FAULTS);
}

fn assert_each_is_named(faults: &[Fault]) {
    let mut failures = failures(faults);
    let is_named = |name: &&str| failures.iter().all(|(failed, _)| failed != name);
    let mended =
        MISSED.iter().filter(|name| faults.iter().any(|fault| fault.name == **name)).filter(|name| is_named(name));
    mended.for_each(|name| print_line(&format!("no longer missed: {name}")));
    failures.retain(|(name, _)| !MISSED.contains(name));
    assert!(failures.is_empty(), "{failures:#?}");
}
