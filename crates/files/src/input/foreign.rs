//! Formats that are not read, and what makes files of them that are.

use absolve_rewriter::{Code, Finding};
use memchr::memmem;

/// A format that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// What a file of it is.
    name: &'static str,
    /// The command that converts it.
    command: &'static str,
}

impl Foreign {
    /// Returns the format of files with this extension, which are text: folders of programs have many of them.
    pub(crate) fn of_text(extension: &str) -> Option<Self> {
        TEXTS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(extension)).map(|(_, found)| found)
    }

    /// Returns the format of files with this extension, which hold pages or mail.
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        BY_EXTENSION.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(extension)).map(|(_, found)| found)
    }

    /// Returns the format of a file by its first bytes.
    pub(crate) fn of_start(start: &[u8]) -> Option<Self> {
        let lines = || start.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let is_ruled = || lines().next().is_some_and(|line| line.len() > 70 && line.iter().all(|byte| *byte == b'='));
        match start {
            [0xCF, 0xAD, 0x12, 0xFE, ..] => Some(OUTLOOK_EXPRESS),
            [b'2', b' ', b'M', ..] if lines().nth(1).is_some_and(|line| line.starts_with(b"\x01\x02")) => Some(DBOX),
            [b'b', b'p', b'l', b'i', b's', b't', ..] if memmem::find(start, b"WebMainResource").is_some() => {
                Some(SAFARI)
            }
            [b'=', ..] if is_ruled() && lines().nth(1).is_some_and(|line| line.starts_with(b"Date:")) => Some(LISTSERV),
            _ => None,
        }
    }

    /// Reports a file of this format.
    pub(crate) fn finding(self) -> Finding {
        let Self { name, command } = self;
        let what =
            format!("it is {name}, which is not read, and left unchanged; convert it first, as with `{command}`");
        Finding::new(Code::UnknownType, what)
    }
}

const fn foreign(name: &'static str, command: &'static str) -> Foreign {
    Foreign { name, command }
}

const SAFARI: Foreign = foreign("a web archive of Safari", "textutil -convert html FILE");
const OUTLOOK_EXPRESS: Foreign = foreign("a mailbox of Outlook Express", "undbx FILE FOLDER");
/// As Dovecot 2.3 writes it: a line with the length of the headers of messages, and before each message a header with a mark.
const DBOX: Foreign = foreign("a mailbox of Dovecot (dbox)", "doveadm backup maildir:FOLDER");
/// Messages with a line of 73 equals signs before each.
const LISTSERV: Foreign = foreign("an archive of LISTSERV", "ls2mail < FILE > FILE.mbox");

const TEXTS: [(&str, Foreign); 3] = [
    ("rst", foreign("reStructuredText", "rst2html FILE FILE.html")),
    ("adoc", foreign("AsciiDoc", "asciidoctor FILE")),
    ("asciidoc", foreign("AsciiDoc", "asciidoctor FILE")),
];

const BY_EXTENSION: [(&str, Foreign); 3] = [
    ("har", foreign("an HTTP Archive (HAR)", "har2warc FILE FILE.warc.gz")),
    ("webarchive", SAFARI),
    ("dbx", OUTLOOK_EXPRESS),
];
