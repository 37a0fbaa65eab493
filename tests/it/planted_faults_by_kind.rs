//! More planted faults: for each format, by kinds of what is wrong. [`crate::planted_faults`] says what a fault is.

mod archives;
mod documents;
mod folders;
mod json_feeds;
mod mailboxes;
mod markdown;
mod messages;
mod packages;
mod pages;

use std::collections::HashSet;

use crate::planted_faults::fault::Fault;
use crate::planted_faults::{TABLES as OTHERS, assert_each_is_named};

const TABLES: [&[Fault]; 9] = [
    pages::FAULTS,
    documents::FAULTS,
    json_feeds::FAULTS,
    markdown::FAULTS,
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

const FAULTS: usize = 465;

#[test]
fn verify_names_each_fault_of_pages() {
    assert_each_is_named(pages::FAULTS);
}

#[test]
fn verify_names_each_fault_of_documents() {
    assert_each_is_named(documents::FAULTS);
}

#[test]
fn verify_names_each_fault_of_json_feeds() {
    assert_each_is_named(json_feeds::FAULTS);
}

#[test]
fn verify_names_each_fault_of_markdown() {
    assert_each_is_named(markdown::FAULTS);
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
