//! What keeps a run from its end: it is killed, or the system fails it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::warc::{HTML, response};
use absolve_testing::{print_line, temporary_folder};

/// Interrupts a run, as Ctrl-C does, that has waited for standard input for a while. Shells let what they run in the background
/// ignore that, and GNU env takes it back.
#[cfg(unix)]
pub(crate) fn interrupted(arguments: &[&str]) -> io::Result<Option<i32>> {
    const PROGRAM: &str = env!("CARGO_BIN_EXE_absolve");
    const HEED: [&str; 2] = ["env", "--default-signal=INT"];
    let is_gnu = Command::new(HEED[0]).args([HEED[1], "true"]).output().is_ok_and(|output| output.status.success());
    let mut command = Command::new(if is_gnu { HEED[0] } else { PROGRAM });
    let mut child = command
        .args(if is_gnu { &[HEED[1], PROGRAM][..] } else { &[] })
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    sleep(Duration::from_millis(300));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
    // Its input does not end before it does.
    let _input = child.stdin.take();
    Ok(child.wait()?.code())
}

/// Something that happens to a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    /// It is killed after a while.
    Killed(Duration),
    /// There is no folder for temporary files.
    NoTemporaryFolder,
    /// No file may have more blocks of 512 bytes; writing fails.
    ShortFiles(u32),
    /// All memory together may have so many mebibytes.
    LittleMemory(u32),
    /// The same as short files, and the system kills whoever writes more.
    KilledByShortFiles(u32),
}

impl Stop {
    /// Runs the program; returns its exit status, none if it is killed, and its messages.
    pub(crate) fn run(self, arguments: &[&str]) -> io::Result<(Option<i32>, String)> {
        let program = env!("CARGO_BIN_EXE_absolve");
        let mut command = Command::new(program);
        match self {
            Self::Killed(_) => {}
            Self::NoTemporaryFolder => drop(command.env("TMPDIR", "/no/folder/for/temporary/files")),
            Self::ShortFiles(blocks) => command = limited("trap '' XFSZ; ulimit -f", blocks),
            Self::LittleMemory(mebibytes) => command = limited("ulimit -v", mebibytes << 10),
            Self::KilledByShortFiles(blocks) => command = limited("ulimit -c 0; ulimit -f", blocks),
        }
        let mut child =
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        if let Self::Killed(delay) = self {
            sleep(delay);
            child.kill()?;
        }
        let Output { status, stderr, .. } = child.wait_with_output()?;
        Ok((status.code(), String::from_utf8_lossy(&stderr).into_owned()))
    }
}

fn limited(limit: &str, number: u32) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit} {number}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_absolve")]);
    command
}

/// Runs a script of sh in which file systems can be mounted that nobody else sees; `None`, and a word about it, where the
/// system does not allow that.
pub(crate) fn with_mounts(script: &str, arguments: &[&str]) -> io::Result<Option<Output>> {
    let unshared = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_absolve")]);
        command
    };
    let folder = temporary_folder()?;
    let tried = unshared("mount -t tmpfs -o size=64k none \"$1\"").arg(folder.path()).output();
    if !tried.is_ok_and(|output| output.status.success()) {
        print_line("skipped: no file system can be mounted (unshare, mount)");
        return Ok(None);
    }
    unshared(script).args(arguments).output().map(Some)
}

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

/// An mbox that compression leaves long.
pub(crate) fn mbox(messages: u32) -> String {
    let mut random = fastrand::Rng::with_seed(9);
    let message = |_| {
        let text: String = (0..40).map(|_| random.alphanumeric()).collect();
        format!("From a@b Thu Jan  1 00:00:00 1998\n{MESSAGE}{text}\n\n")
    };
    (0..messages).map(message).collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// One container of each kind, each with links that become absolute: names and bytes.
pub(crate) fn containers(records: u32) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    let page = |number: u32| format!("<a href=x{number}>{}", "text ".repeat(40));
    let warc: Vec<u8> = (1..=records)
        .flat_map(|number| response(number, "http://h/d/", "200 OK", HTML, page(number).as_bytes()))
        .collect();
    let of_arc = |number: u32| {
        let block = format!("HTTP/1.1 200 OK\r\n{HTML}\r\n{}", page(number));
        format!("http://h/d/{number} 1.2.3.4 20200101000000 text/html {}\n{block}\n", block.len())
    };
    let arc = format!(
        "filedesc://a.arc 0.0.0.0 20200101000000 text/plain 69\n1 0 absolve\n\
         URL IP-address Archive-date Content-type Archive-length\n\n{}",
        (1..=records).map(of_arc).collect::<String>()
    );
    let mut wacz = ZipWriter::new(io::Cursor::new(Vec::new()));
    wacz.start_file("archive/a.warc", SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored))?;
    wacz.write_all(&warc)?;
    let mbox = mbox(records);
    Ok(vec![
        ("a.arc", arc.into_bytes()),
        ("a.mbox.gz", gzip(mbox.as_bytes())?),
        ("a.mbox", mbox.into_bytes()),
        ("a.wacz", wacz.finish()?.into_inner()),
        ("a.warc.gz", gzip(&warc)?),
        ("a.warc", warc),
    ])
}

/// A tree of all kinds of containers, a Maildir, pages and what is no document, with permissions of their own.
pub(crate) fn tree_of_all_kinds(folder: &Path, records: u32) -> io::Result<()> {
    for name in ["", "mail", "mail/cur", "mail/new", "mail/tmp", "private"] {
        fs::create_dir_all(folder.join(name))?;
    }
    for (name, bytes) in containers(records)? {
        fs::write(folder.join(name), bytes)?;
    }
    for number in 0..8 {
        fs::write(folder.join(format!("private/{number}.html")), "<a href=b>text\n".repeat(number * 200 + 1))?;
        fs::write(folder.join(format!("mail/cur/{number}.host,S={}:2,S", MESSAGE.len())), MESSAGE)?;
    }
    fs::write(folder.join("image.png"), [7; 5_000])
}
