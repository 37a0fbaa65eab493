//! The members of gzip in which records and mailboxes stand, and the ids of records.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use super::archives::{archive, raw, read};
use super::fault::{Fault, Files, Mutation, Original, Rules, replaced};
use crate::support::warc::member;

const RECORD: Rules = &["record"];

const APPENDED: Original = Original { files: Files::Made("a.warc.gz", compressed), flags: &[] };
const DERIVED: Original = Original { files: Files::Made("a.warc.gz", compressed), flags: &["--warc", "resource"] };
const PLAIN: Original = Original { files: Files::Made("a.warc", || archive().concat()), flags: &[] };
const PLAIN_DERIVED: Original = Original { files: PLAIN.files, flags: DERIVED.flags };
const MBOX: Original = Original {
    files: Files::Made("a.mbox.gz", || {
        member(b"From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\n\n<URL:x>\n\n").unwrap_or_default()
    }),
    flags: &[],
};

/// Records 1 and 2 of what is derived are the first two of the archive; a conversion is the last of what is appended to.
const COPIED: usize = 1;
const CONVERSION: usize = 9;
const RESOURCE: usize = 3;

fn compressed() -> Vec<u8> {
    archive().iter().flat_map(|record| member(record).unwrap_or_default()).collect()
}

const fn fault(name: &'static str, original: Original, mutate: fn(&[u8]) -> Vec<u8>) -> Fault {
    Fault::new(name, original, Mutation::Bytes(mutate), RECORD)
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("framing: the time in the heading of a conversion", APPENDED, |honest| with_time(honest, CONVERSION)),
    fault("framing: a conversion with the name of a file", APPENDED, |honest| with_name(honest, CONVERSION)),
    fault("framing: a conversion in two members", APPENDED, |honest| in_two(honest, CONVERSION)),
    fault("framing: a zero before a conversion", APPENDED, |honest| behind_zero(honest, CONVERSION)),
    fault("framing: an empty member before a conversion", APPENDED, |honest| behind_nothing(honest, CONVERSION)),
    fault("framing: a zero at the end", APPENDED, |honest| [honest, b"\0"].concat()),
    fault("framing: an empty member at the end", APPENDED, |honest| [honest, &anew(b"")].concat()),
    fault("framing, derived: a record that stays compressed anew", DERIVED, |honest| {
        with(honest, COPIED, |member| anew(&unpacked(member)))
    }),
    fault("framing, derived: the time in the heading of a record that stays", DERIVED, |honest| {
        with_time(honest, COPIED)
    }),
    fault("framing, derived: a resource with the name of a file", DERIVED, |honest| with_name(honest, RESOURCE)),
    fault("framing, derived: a resource in two members", DERIVED, |honest| in_two(honest, RESOURCE)),
    fault("framing, derived: a zero before a resource", DERIVED, |honest| behind_zero(honest, RESOURCE)),
    fault("framing, derived: an empty member before the warcinfo", DERIVED, |honest| behind_nothing(honest, 0)),
    fault("framing, derived: the time in the heading of the warcinfo", DERIVED, |honest| with_time(honest, 0)),
    fault("framing, derived: a zero at the end", DERIVED, |honest| [honest, b"\0"].concat()),
    fault("framing, mbox: the time in its heading", MBOX, |honest| with_time(honest, 0)),
    fault("framing, mbox: in two members", MBOX, |honest| in_two(honest, 0)),
    Fault::new(
        "framing, mbox: a zero at the end",
        MBOX,
        Mutation::Bytes(|honest| [honest, b"\0"].concat()),
        &["record", "unread"],
    ),
    fault("ids: that of a conversion", PLAIN, |honest| with_id(honest, CONVERSION)),
    fault("ids: that of the warcinfo before conversions", PLAIN, |honest| with_id(honest, CONVERSION - 1)),
    fault("ids: the run", PLAIN, |honest| with_run(honest, CONVERSION - 1)),
    fault("ids: two conversions have the other's", PLAIN, with_ids_exchanged),
    fault("ids, derived: that of a resource", PLAIN_DERIVED, |honest| with_id(honest, RESOURCE)),
    fault("ids, derived: that of the metadata of a resource", PLAIN_DERIVED, |honest| with_id(honest, RESOURCE + 1)),
    fault("ids, derived: that of the warcinfo", PLAIN_DERIVED, |honest| with_id(honest, 0)),
    fault("ids, derived: the run", PLAIN_DERIVED, |honest| with_run(honest, 0)),
    fault("ids, derived: that of the last metadata", PLAIN_DERIVED, |honest| {
        let last = raw(honest).len() - 1;
        with_id(honest, last)
    }),
];

/// The members of a file.
fn members(mut file: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while !file.is_empty() {
        let mut decoder = GzDecoder::new(file);
        let _ = decoder.read_to_end(&mut Vec::new());
        let rest = decoder.into_inner();
        found.push(file[..file.len() - rest.len()].to_vec());
        file = rest;
    }
    found
}

fn unpacked(member: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    let _ = GzDecoder::new(member).read_to_end(&mut content);
    content
}

/// As no member is compressed here or by the program.
fn anew(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(content).and_then(|()| encoder.finish()).unwrap_or_default()
}

fn with(honest: &[u8], number: usize, mutate: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut all = members(honest);
    all[number] = mutate(&all[number]);
    all.concat()
}

fn with_time(honest: &[u8], number: usize) -> Vec<u8> {
    with(honest, number, |member| [&member[..4], &[1], &member[5..]].concat())
}

fn with_name(honest: &[u8], number: usize) -> Vec<u8> {
    with(honest, number, |member| [&member[..3], &[8], &member[4..10], b"name\0", &member[10..]].concat())
}

fn in_two(honest: &[u8], number: usize) -> Vec<u8> {
    with(honest, number, |member| {
        let content = unpacked(member);
        let (one, other) = content.split_at(content.len() / 2);
        [self::member(one), self::member(other)].into_iter().flat_map(Result::unwrap_or_default).collect()
    })
}

fn behind_zero(honest: &[u8], number: usize) -> Vec<u8> {
    with(honest, number, |member| [b"\0", member].concat())
}

fn behind_nothing(honest: &[u8], number: usize) -> Vec<u8> {
    with(honest, number, |member| [&anew(b""), member].concat())
}

fn id(record: &[u8]) -> String {
    let text = String::from_utf8_lossy(record);
    let id = text.split("WARC-Record-ID: <urn:uuid:").nth(1).and_then(|rest| rest.get(..36));
    id.unwrap_or_default().to_owned()
}

/// The same with another last digit.
fn other(uuid: &str) -> String {
    format!("{}{}", &uuid[..uuid.len() - 1], if uuid.ends_with('0') { '1' } else { '0' })
}

fn with_id(honest: &[u8], number: usize) -> Vec<u8> {
    let mut all = raw(honest);
    let id = id(&all[number]);
    all[number] = replaced(&all[number], id.as_bytes(), other(&id).as_bytes());
    all.concat()
}

fn with_run(honest: &[u8], number: usize) -> Vec<u8> {
    let block = read(honest)[number].block.clone();
    let text = String::from_utf8_lossy(&block);
    let run = text.split("absolve-run: ").nth(1).and_then(|rest| rest.get(..36)).unwrap_or_default().to_owned();
    let mut all = raw(honest);
    all[number] = replaced(&all[number], run.as_bytes(), other(&run).as_bytes());
    all.concat()
}

fn with_ids_exchanged(honest: &[u8]) -> Vec<u8> {
    let mut all = raw(honest);
    let (one, other) = (id(&all[CONVERSION]), id(&all[CONVERSION + 1]));
    all[CONVERSION] = replaced(&all[CONVERSION], one.as_bytes(), other.as_bytes());
    all[CONVERSION + 1] = replaced(&all[CONVERSION + 1], other.as_bytes(), one.as_bytes());
    all.concat()
}
