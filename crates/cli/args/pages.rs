//! What `--help` and the man pages say at their end: examples, and the exit status.

use std::fmt::Write;

use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};

/// The colours of the help and of errors. NO_COLOR turns them off.
pub(crate) const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The end of the help of a command.
#[derive(Debug)]
pub(crate) struct Page {
    /// The subcommand; empty for the command itself.
    pub(crate) command: &'static str,
    pub(crate) examples: [Example; 3],
    pub(crate) exit_status: &'static str,
}

/// What somebody wants, and what to type for it.
#[derive(Debug)]
pub(crate) struct Example {
    pub(crate) purpose: &'static str,
    pub(crate) line: &'static str,
}

const fn example(purpose: &'static str, line: &'static str) -> Example {
    Example { purpose, line }
}

impl Page {
    /// Returns the page of a subcommand, or of the command itself.
    pub(crate) fn of(command: &str) -> Option<&'static Self> {
        PAGES.iter().find(|page| page.command == command)
    }

    /// Returns the text below the options.
    pub(crate) fn text(&self) -> StyledStr {
        let (header, literal) = (STYLES.get_header(), STYLES.get_literal());
        let mut text = StyledStr::new();
        let mut write = |part: &str| {
            let _ = text.write_str(part);
        };
        write(&format!("{header}Examples:{header:#}\n"));
        for Example { purpose, line } in &self.examples {
            write(&format!("  {purpose}:\n    {literal}{line}{literal:#}\n"));
        }
        write(&format!("\n{header}Exit status:{header:#}\n  {}", self.exit_status));
        text
    }
}

pub(crate) const PAGES: [Page; 10] = [
    Page {
        command: "",
        examples: [
            example("Make a saved site absolute", "absolve rewrite site -o out --url https://example.org/docs/"),
            example("See whether a newsletter has relative links", "absolve check newsletter.eml"),
            example("See why a page has the base it has", "absolve base page.html"),
        ],
        exit_status: "0 done; 1 something failed or was found; 2 usage error.",
    },
    Page {
        command: "rewrite",
        examples: [
            example(
                "Make a saved site absolute, in a copy",
                "absolve rewrite site -o out --url https://example.org/docs/",
            ),
            example(
                "See what would change first",
                "absolve rewrite page.html --dry-run --diff --url https://example.org/",
            ),
            example(
                "Make a mailbox absolute, by the bases in its headers",
                "absolve rewrite list.mbox.gz -o out.mbox.gz",
            ),
        ],
        exit_status: "0 done; 1 a document could not be read or written, or no link was made absolute because no base is known; \
                      2 usage error, or the run could not go on. Warnings go to stderr; they do not affect the exit status.",
    },
    Page {
        command: "check",
        examples: [
            example("Check a site that is published elsewhere", "absolve check public --exclude node_modules"),
            example("Check a newsletter before it is sent", "absolve check --for mail newsletter.eml"),
            example("Allow the placeholders of a mail system", "absolve check newsletter.html --keep '^@'"),
        ],
        exit_status: "0 no link is relative; 1 one is, or, with --for mail, one that recipients cannot follow, or a document could \
                      not be read completely; 2 usage error, an input is missing, or none of its files is a document.",
    },
    Page {
        command: "links",
        examples: [
            example("List the links of a page", "absolve links page.html --url https://example.org/"),
            example("Make a table of those of a web archive", "absolve links crawl.warc.gz --format csv -o links.csv"),
            example("Count them by hosts", "absolve links crawl.warc.gz --unique-hosts --format csv"),
        ],
        exit_status: "0 done; 1 a document could not be read; 2 usage error, an input is missing, or none of its files is a \
                      document.",
    },
    Page {
        command: "base",
        examples: [
            example(
                "See why a page has the base it has",
                "absolve base page.html --url https://example.org/docs/page.html",
            ),
            example("Count the pages of a folder by the source of their bases", "absolve base site"),
            example("Draw the bases of all of them", "absolve base site --all"),
        ],
        exit_status: "0 done; 1 a document could not be read; 2 usage error, an input is missing, or none of its files is a \
                      document.",
    },
    Page {
        command: "verify",
        examples: [
            example("Prove a run by its options", "absolve verify site out --url https://example.org/docs/"),
            example("Prove a run by what it recorded with --summary", "absolve verify site out --like run.json"),
            example("Prove a derived web archive", "absolve verify crawl.warc.gz out.warc.gz --warc resource"),
        ],
        exit_status: "0 all of it holds; 1 something differs or could not be read; 2 usage error, or no file is a document.",
    },
    Page {
        command: "resolve",
        examples: [
            example("Resolve as browsers do", "absolve resolve --base https://example.org/a/b ../c '?d'"),
            example("Compare the standards", "absolve resolve --base http://a/b/c/d;p?q --standard all ../../../g"),
            example(
                "See the components of a reference",
                "absolve resolve --components --standard rfc1808 'Talk:Foo;a?b#c'",
            ),
        ],
        exit_status: "0 done; 1 a reference has no target; 2 usage error.",
    },
    Page {
        command: "revert",
        examples: [
            example("Undo a run in place", "absolve revert site.journal"),
            example("See first which files can be reverted", "absolve revert --dry-run site.journal"),
            example("Undo it in a script", "absolve revert --quiet site.journal"),
        ],
        exit_status: "0 done; 1 a file is neither as the run left it nor as it was before, and is skipped; 2 usage error, or the \
                      journal is damaged, and nothing was done.",
    },
    Page {
        command: "pack",
        examples: [
            example("Make a draft of a page", "absolve pack page.html -o page.eml --url https://example.org/page.html"),
            example("Make one file of a page, for browsers", "absolve pack page.html -o page.mhtml"),
            example("Make a draft of each page", "absolve pack issues/*.html --root issues -o drafts.mbox"),
        ],
        exit_status: "0 done; 1 the document could not be read, the message could not be written or would be too long; 2 usage \
                      error. Warnings go to stderr; they do not affect the exit status.",
    },
    Page {
        command: "unpack",
        examples: [
            example("Make a folder of a page that a browser saved", "absolve unpack page.mhtml -o page"),
            example("Make one page of a newsletter", "absolve unpack issue.eml --single issue.html"),
            example("Unpack one message of a mailbox", "absolve unpack list.mbox --message 3 -o letter"),
        ],
        exit_status: "0 done; 1 a part could not be read completely, or a file could not be written; 2 usage error, or the input is \
                      no message. Other warnings go to stderr; they do not affect the exit status.",
    },
];
