//! Properties of containers that are read as streams.

use std::io::{self, Read};
use std::sync::LazyLock;

use absolve_containers::{
    ArchiveOptions, Broken, ContainerReader, Rewriting, StreamReport, WarcOutput, inspect_container, rewrite_container,
};
use absolve_framing::ArchiveFormat;
use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Reasons, Report, Retrieval, edits_of};
use flate2::Compression;
use flate2::read::{GzEncoder, MultiGzDecoder};

use crate::annotations;
use crate::options::{OPTIONS, RUNS, RunOptions, run};
use crate::rewritten::verified;
use crate::rewritten::verified::End;

/// Checks any bytes as an mbox: without changes the copy is equal, a second run changes nothing, both have the same
/// messages, and the verifier accepts the result. Returns the number of messages.
pub fn mbox(bytes: &[u8]) -> usize {
    let rewritten = |bytes: &[u8]| {
        let mut output = Vec::new();
        let (reader, options) = (ContainerReader::Mailbox(Box::new(bytes)), ArchiveOptions::default());
        let report = rewrite_container(reader, Rewriting::default(), &mut output, &options, &mut |_| {}).ok();
        report.map(|report| (report, output))
    };
    // Damaged input, such as gzip, is not rewritten.
    let Some((report, output)) = rewritten(bytes) else { return 0 };
    check_report(&report);
    assert!(report.changed > 0 || output == bytes, "an mbox without changes is another");
    let Some((second, again)) = rewritten(&output) else { panic!("what was written cannot be read") };
    assert!(second.changed == 0 && again == output, "a second run changes something");
    assert_eq!(second.records, report.records, "the number of messages");
    let mut seen = 0;
    let count = |number: &str, _: &Entity<'_>| usize::from(!number.is_empty());
    let mut options = ArchiveOptions::default();
    options.documents = OPTIONS.clone();
    let mailbox = || ContainerReader::Mailbox(Box::new(bytes));
    let inspected = inspect_container(mailbox(), &count, &options, &mut |is_message| {
        seen += is_message;
        Ok(())
    });
    let is_whole = inspected.is_ok_and(|inspected| inspected.is_whole() && inspected.records == report.records);
    assert!(is_whole && seen as u64 <= report.records, "{seen} messages seen");
    check_mailbox(bytes, &output, &RUNS[0]);
    report.records as usize
}

/// Checks that the verifier accepts what a run makes of any bytes as an mbox. Returns the number of changed messages.
pub(crate) fn mailbox_of_run(bytes: &[u8], run: &RunOptions) -> usize {
    let mut output = Vec::new();
    let reader = ContainerReader::Mailbox(Box::new(bytes));
    let report = rewrite_container(reader, Rewriting::default(), &mut output, &run.archives, &mut |_| {});
    let Ok(report) = report else { return 0 };
    check_mailbox(bytes, &output, run);
    report.changed as usize
}

fn check_mailbox(bytes: &[u8], output: &[u8], run: &RunOptions) {
    verified::mbox(bytes, output, run, |message| reasons_of(ContainerReader::Mailbox(Box::new(bytes)), message, run));
}

/// Returns the reasons of the rewriter for the links of one record.
fn reasons_of(reader: ContainerReader<'_>, record: &str, run: &RunOptions) -> Vec<Reasons> {
    let mut reasons = Vec::new();
    let of_record =
        |number: &str, entity: &Entity<'_>| (number == record).then(|| Reasons::of(entity, run.documents()));
    let _ = inspect_container(reader, &of_record, &run.archives, &mut |found| {
        reasons.extend(found);
        Ok(())
    });
    reasons
}

/// Checks any bytes as a web archive: the archive is kept and conversions are added once; a sidecar has the same ones,
/// and a derived archive can be read; the verifier accepts each. Returns the number of changed documents.
pub fn warc(bytes: &[u8]) -> usize {
    let [append, sidecar, resource] = &*FORMS;
    let Some((report, appended)) = archive(bytes, append) else { return 0 };
    check_report(&report);
    annotations::check_archive(bytes);
    assert!(appended.starts_with(bytes), "the archive has changed");
    assert!(report.changed > 0 || appended == bytes, "an archive without changes is another");
    let Some((_, again)) = archive(&appended, append) else { panic!("what was written cannot be read") };
    assert!(again == appended, "a second run adds something");
    check_archive(bytes, &appended, append, &report);
    for form in [sidecar, resource] {
        if let Some((report, written)) = archive(bytes, form) {
            check_archive(bytes, &written, form, &report);
            archive(&written, append);
        }
    }
    report.changed as usize
}

/// Checks that the verifier accepts what a run makes of any bytes as a web archive. Returns the number of changed documents.
pub(crate) fn archive_of_run(bytes: &[u8], run: &RunOptions) -> usize {
    let Some((report, written)) = archive(bytes, run) else { return 0 };
    check_archive(bytes, &written, run, &report);
    report.changed as usize
}

/// A run without flags in each form of the output.
static FORMS: LazyLock<[RunOptions; 3]> = LazyLock::new(|| {
    [WarcOutput::Append, WarcOutput::Sidecar, WarcOutput::Resource].map(|output| run("", output, |_| {}))
});

/// Checks any bytes as a web archive in gzip: it has the same content as the uncompressed archive.
pub fn warc_gzip(bytes: &[u8]) -> usize {
    let Ok(member) = gzip(bytes) else { return 0 };
    let changed = warc(&member);
    if !bytes.starts_with(b"WARC/") {
        return changed;
    }
    let plain = archive(bytes, &FORMS[0]).map(|(report, _)| (report.changed, report.records));
    let zipped = archive(&member, &FORMS[0]).map(|(report, _)| (report.changed, report.records));
    assert_eq!(plain, zipped, "compression changes what an archive holds");
    changed
}

fn archive(bytes: &[u8], run: &RunOptions) -> Option<(StreamReport, Vec<u8>)> {
    let mut out = Vec::new();
    let reader = ContainerReader::Archive(ArchiveFormat::Warc, Box::new(bytes));
    let rewriting = Rewriting { name: "fuzzed.warc", ..Rewriting::default() };
    let report = rewrite_container(reader, rewriting, &mut out, &run.archives, &mut |_| {}).ok()?;
    Some((report, out))
}

/// Checks that the verifier accepts the result of an archive.
fn check_archive(bytes: &[u8], written: &[u8], run: &RunOptions, report: &StreamReport) {
    // The verifier reads it as what it is, whatever its declared type.
    let mut start = Vec::new();
    let _ = MultiGzDecoder::new(bytes).take(11).read_to_end(&mut start);
    if bytes.starts_with(b"filedesc://") || start == b"filedesc://" {
        return;
    }
    // What holds no record at all is truncated to the verifier.
    let is_broken = report.broken != Broken::default() || report.records == 0;
    let end = if is_broken { End::Broken } else { End::Whole };
    let written = match run.form() {
        WarcOutput::Sidecar => (report.changed > 0).then_some(written),
        // If nothing is replaced, the derived archive would be the archive itself.
        WarcOutput::Resource if report.changed == 0 => Some(bytes),
        _ => Some(written),
    };
    verified::archive(bytes, written, run, end, |record| {
        reasons_of(ContainerReader::Archive(ArchiveFormat::Warc, Box::new(bytes)), record, run)
    });
}

fn check_report(report: &StreamReport) {
    assert!(report.failed.is_empty(), "a panic");
    assert!(report.changed <= report.records, "{report:?}");
}

const URL: &str = "http://h/d/page";

/// Checks the body of a response after the first byte, which selects its declared codings: the result is that of the
/// content that another reader decodes. Returns whether there is one.
pub fn http(bytes: &[u8]) -> usize {
    const CODINGS: [&str; 6] = [
        "Transfer-Encoding: chunked",
        "Content-Encoding: gzip",
        "Content-Encoding: deflate",
        "Content-Encoding: br",
        "Content-Encoding: zstd",
        "Transfer-Encoding: gzip, chunked",
    ];
    let Some((first, body)) = bytes.split_first() else { return 0 };
    let coding = usize::from(*first) % CODINGS.len();
    let response = response(CODINGS[coding], body);
    warc(&response);
    let content = match coding {
        0 => without_chunks(body),
        1 => gunzip(body).ok(),
        _ => return 0,
    };
    let expected = content.and_then(|content| rewritten(&content));
    let made = archive(&response, &FORMS[0]).map(|(_, output)| output[response.len()..].to_vec());
    if let (Some(expected), Some(made)) = (&expected, made) {
        let block = [&b"\r\n\r\n"[..], expected, b"\r\n\r\n"].concat();
        assert!(made.ends_with(&block), "{} is not made of the content", String::from_utf8_lossy(&made));
    }
    usize::from(expected.is_some())
}

fn response(coding: &str, body: &[u8]) -> Vec<u8> {
    let heading = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{coding}\r\n\r\n");
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n\
         WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: {URL}\r\nContent-Type: application/http\r\n\
         Content-Length: {}\r\n\r\n",
        heading.len() + body.len()
    );
    [record.as_bytes(), heading.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// Returns the content of a page with absolute links, if some change.
fn rewritten(content: &[u8]) -> Option<Vec<u8>> {
    let mut entity = Entity::bare_file(content, DocumentType::Html).retrieved_from(Retrieval::given(URL));
    entity.parts[0].charset = Some("utf-8".to_owned());
    let edits = edits_of(&entity, &OPTIONS, &mut Report::default());
    (!edits.is_empty()).then(|| edits.splice(content))
}

/// Joins chunks in the syntax of RFC 9112, without extensions.
fn without_chunks(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    loop {
        let end = memchr::memmem::find(body, b"\r\n")?;
        let digits = str::from_utf8(&body[..end]).ok()?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let length = usize::from_str_radix(digits, 16).ok()?;
        body = &body[end + 2..];
        if length == 0 {
            return Some(content);
        }
        content.extend_from_slice(body.get(..length)?);
        body = body[length..].strip_prefix(b"\r\n")?;
    }
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut member = Vec::new();
    GzEncoder::new(bytes, Compression::fast()).read_to_end(&mut member)?;
    Ok(member)
}

/// Returns the content of gzip, if it is no longer than a page.
fn gunzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    MultiGzDecoder::new(bytes).take(1 << 20).read_to_end(&mut content)?;
    Ok(content)
}
