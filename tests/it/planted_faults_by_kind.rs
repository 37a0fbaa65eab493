//! More planted faults: for each format, by kinds of what is wrong. [`crate::planted_faults`] says what a fault is.

mod archives;
mod documents;
mod folders;
mod mailboxes;
mod messages;
mod packages;
mod pages;

use std::collections::HashSet;

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
const MISSED: &[&str] = &[
    "page in ASCII, case: a host",
    "page in ASCII, case: a scheme",
    "page in ASCII, escape: written out",
    "page in ASCII, target: a port",
    "derived by kind, time: of the metadata of a resource",
    "derived by kind, header: the version of the metadata of a resource",
    "derived by kind, header: the type of the metadata of a resource",
    "derived by kind, header: the type of the warcinfo",
    "WARC by kind, added: a second type",
    "WARC by kind, added: a second URL",
    "WARC by kind, added: a second length",
    "WARC by kind, added: a second digest",
    "derived by kind, added: a second type",
    "derived by kind, added: a second URL",
    "emlx, length: in another width",
    "emlx, length: with a zero",
    "tar, white space: in the padding of a page",
    "tar, white space: in the padding of a file",
];

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
    failures.retain(|(name, _)| !MISSED.contains(name));
    assert!(failures.is_empty(), "{failures:#?}");
}
