//! What several tests need.

pub(crate) mod cascade;
pub(crate) mod corpora;
pub(crate) mod derived;
pub(crate) mod made_mail;
pub(crate) mod mail_readers;
pub(crate) mod packing;
pub(crate) mod places;
pub(crate) mod second_opinion;
pub(crate) mod stops;
pub(crate) mod targets;
pub(crate) mod trees;
pub(crate) mod unpacking;
pub(crate) mod warc;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::{fs, io, iter, thread};

use absolve::Streams;
use absolve_containers::{ArchiveOptions, ContainerReader, Rewriting, StreamError, StreamReport, rewrite_container};
use absolve_rewriter::Finding;
use absolve_rewriter::internal::Event;
use absolve_testing::temporary_folder;

pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A folder of the corpora, and what is in it.
pub(crate) struct Corpus {
    pub(crate) name: &'static str,
    /// Documents that are read.
    pub(crate) documents: usize,
    pub(crate) links: usize,
    /// Links that become absolute at one base for all.
    pub(crate) edits: usize,
}

const fn holding(name: &'static str, documents: usize, links: usize, edits: usize) -> Corpus {
    Corpus { name, documents, links, edits }
}

/// The corpora, all but those of resolution.
pub(crate) const CORPORA: [Corpus; 24] = [
    holding("css-parsing-tests", 5081, 29, 23),
    holding("fuzz-lol-html", 288, 865, 105),
    holding("html-apache2-ko", 58, 5087, 3725),
    holding("html-docbook-xsl-latin1", 1098, 17_146, 16_022),
    holding("html-nokogiri-sjis", 10, 243, 7),
    holding("html-phpdoc-base", 27, 1315, 764),
    holding("html-postgresql-doc", 1173, 29_869, 27_962),
    holding("html5lib-tests", 6805, 1, 0),
    holding("mail-cpython-email", 91, 0, 0),
    holding("mail-enmime", 139, 16, 0),
    holding("mail-imaptest-mbox", 204, 0, 0),
    holding("mail-mikel", 131, 122, 0),
    holding("mail-stalwart", 198, 22, 0),
    holding("mhtml-distill", 4, 2, 2),
    holding("mhtml-testim-small", 3, 239, 2),
    holding("peer-juice", 151, 35, 14),
    holding("peer-monolith", 19, 20, 18),
    holding("peer-premailer", 5, 22, 2),
    holding("wacz-py-wacz", 0, 0, 0),
    holding("warc-aut-blackbook", 380, 81_880, 77_981),
    holding("warc-commons-wget", 27, 890, 448),
    holding("warc-jwarc", 1, 83, 11),
    holding("warc-warcio", 5, 46, 38),
    holding("wpt-srcset-css", 57, 436, 112),
];

/// Runs the program as a process.
pub(crate) fn absolve(arguments: &[&str]) -> io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_absolve")).args(arguments).output()
}

/// Runs the command and answers its exit status, standard output and standard error. It runs in this process, unless `-` names
/// the standard streams of a process.
pub(crate) fn run(arguments: &[&str]) -> io::Result<(i32, String, String)> {
    if arguments.contains(&"-") {
        return printed(&absolve(arguments)?);
    }
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let line = ["absolve"].iter().chain(arguments).map(OsString::from);
    let status = absolve::run_with(line, &Streams::to(&mut output, &mut errors));
    Ok((status.into(), text(&output), text(&errors)))
}

fn printed(output: &Output) -> io::Result<(i32, String, String)> {
    Ok((output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns what `work` makes of each item, on a thread for each processor.
pub(crate) fn on_all_processors<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let waiting = Mutex::new(items.iter());
    let next = || waiting.lock().expect("no thread panics with it").next();
    let one = || iter::from_fn(next).map(&work).collect::<Vec<R>>();
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the work panicked")).collect()
    })
}

/// The same in a folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> io::Result<(i32, String, String)> {
    printed(&Command::new(env!("CARGO_BIN_EXE_absolve")).args(arguments).current_dir(folder).output()?)
}

/// The same with something on standard input.
pub(crate) fn run_with(arguments: &[&str], input: &[u8]) -> io::Result<(i32, String, String)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"));
    let piped = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    match child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input)) {
        // A program that refuses its arguments does not read.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written?,
    }
    printed(&child.wait_with_output()?)
}

/// A path as an argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// A folder with files in it.
pub(crate) fn folder_with(files: &[(&str, &str)]) -> io::Result<tempfile::TempDir> {
    let folder = temporary_folder()?;
    for (path, text) in files {
        let path = folder.path().join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(folder)
}

/// Rewrites an mbox with the default options.
pub(crate) fn rewrite_mbox(
    mbox: impl Read,
    output: &mut dyn Write,
    findings: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    let mut events = |event: Event| {
        if let Event::Finding(finding) = event {
            findings(finding);
        }
    };
    let (reader, options) = (ContainerReader::Mailbox(Box::new(mbox)), ArchiveOptions::default());
    rewrite_container(reader, Rewriting::default(), output, &options, &mut events)
}
