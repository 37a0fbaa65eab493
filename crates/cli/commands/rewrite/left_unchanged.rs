//! What `absolve rewrite` left unchanged, in words, and the option that would change it.

use absolve_files::RunReport;
use absolve_rewriter::settings::RelativeLinks;
use absolve_rewriter::{Code, Counts, Options, SameDocument, Signatures};

use crate::args::rewrite::RewriteArguments;
use crate::commands::rewrite::destination::is_one_file;
use crate::messages::count;

/// Findings about what was left unchanged, each with what it counts and the option that would change that.
const BY_OPTION: [(Code, [&str; 2], &str); 6] = [
    (Code::LocalCopy, ["document", "with links to local copies"], LAYOUT_HINT),
    (Code::Signed, ["part", "under a signature or encrypted"], "--break-signatures changes them too"),
    (Code::RecordDigest, ["record", "with another digest than declared"], "--ignore-digests changes them too"),
    (Code::CharsetNeeded, ["document", "with links that decide about the charset"], "--charset declares it"),
    (Code::UnknownType, ["file", "of unknown type"], "--type sets it"),
    (
        Code::SymlinkKept,
        ["symbolic link", "to documents"],
        "in a folder, --symlinks copy writes the documents as files of their own",
    ),
];

/// What to do about links to local copies, where no layout was given.
const LAYOUT_HINT: &str = "--urls or --layout gives the URLs of the copies";

/// Returns a line for each kind of thing that was left unchanged.
pub(crate) fn lines(arguments: &RewriteArguments, options: &Options, report: &RunReport) -> Vec<String> {
    let counts = &report.counts;
    let mut lines = Vec::new();
    if counts.same_document > 0 && options.same_document == SameDocument::Keep {
        let links = count(counts.same_document, "link");
        lines.push(format!("{links} to the same document left unchanged; --same-document absolute changes them too"));
    }
    if counts.kept > 0 {
        lines.push(format!("{} kept: {}", count(counts.kept, "link"), kept(options, report)));
    }
    if counts.other_at_item > 0 {
        let links = count(counts.other_at_item, "link");
        lines.push(format!(
            "{links} in items of feeds read at the URL of the feed; --feed-base item reads them at those of the items"
        ));
    }
    for (code, [noun, more], option) in BY_OPTION {
        let has_layout = option == LAYOUT_HINT && arguments.input.source.names_tool();
        let option = if has_layout { "--urls gives the URLs of the copies" } else { option };
        let helps = code != Code::UnknownType || report.wants_type;
        if let Some(found) = report.findings.get(code.name()).filter(|_| helps) {
            lines.push(format!("{} {more} left unchanged; {option}", count(*found, noun)));
        }
    }
    if arguments.input.source.unwrap_wayback.is_some() && counts.unwrapped == 0 && report.files_resumed == 0 {
        lines.push(
            "--unwrap-wayback: no link was unwrapped, because no document with such links is known to be from a web archive; \
             =PREFIX, such as =https://web.archive.org/web/, does so in all documents"
                .to_owned(),
        );
    }
    if !options.map.is_empty() && counts.mapped == 0 && report.files_resumed == 0 {
        lines.push("--map: no link that was absolute before leads to what it names".to_owned());
    }
    if report.archives.other_responses > 0 {
        let responses = count(report.archives.other_responses, "response");
        lines.push(format!("{responses} with a status other than 2xx left unchanged"));
    }
    if !report.unread.is_empty() {
        let files = count(report.unread.len() as u64, "file");
        lines.push(format!("{files} of unknown type copied unread; --include with --type reads them"));
        let names = report.unread.iter().filter(|_| arguments.messages.verbose);
        lines.extend(names.map(|path| format!("{}: copied unread", path.display())));
    }
    if report.deliveries > 0 {
        let files = count(report.deliveries, "file");
        lines.push(format!("{files} in tmp of a Maildir left out: messages that are not delivered yet"));
    }
    lines.extend(lacking_base(arguments, options, report));
    lines
}

/// Says which links are kept: some by options, some by findings.
fn kept(options: &Options, report: &RunReport) -> String {
    let has = |code: Code| report.findings.contains_key(code.name());
    let counts = &report.counts;
    let why = [
        (counts.kept_placeholders > 0, "placeholders such as {{x}}"),
        (counts.kept_bases > 0 && has(Code::Mirror), "a BASE that wget emptied"),
        (counts.kept_bases > 0 && !has(Code::Mirror), "the BASE of a saved page"),
        (has(Code::BaseNotPortable), "links to parts of the same message"),
        (options.relative_links == RelativeLinks::Keep, "relative links, by --map-only"),
        (!options.keep.is_empty(), "what --keep matches"),
        (options.local_files.is_some(), "links to files of the input, by --keep-local"),
        (has(Code::Signed), "signed or encrypted parts"),
        (options.signatures == Signatures::KeepAll && has(Code::Dkim), "messages with a signature, by --keep-dkim"),
        (Code::all().any(|code| code.leaves_unread() && has(code)), "what the warnings name"),
        (!report.errors.is_empty(), "files with errors"),
    ];
    let why: Vec<&str> = why.into_iter().filter_map(|(is_so, why)| is_so.then_some(why)).collect();
    if why.is_empty() { "they work only as they are written".to_owned() } else { why.join(", or ") }
}

/// Returns an error message if no link was made absolute because no base is known.
pub(crate) fn lacks_base(arguments: &RewriteArguments, options: &Options, report: &RunReport) -> Option<String> {
    const OTHER_CAUSES: [Code; 5] =
        [Code::OpaqueBase, Code::BaseNotPortable, Code::NoTarget, Code::LocalCopy, Code::UnreadableTarget];
    let Counts { rewritten, unresolved, .. } = report.counts;
    let source = &arguments.input.source;
    let has_source = source.url.is_some() || source.urls.is_some() || source.scheme.is_some();
    let is_mirror = !has_source && report.findings.contains_key(Code::Mirror.name());
    let is_other = !is_mirror && OTHER_CAUSES.iter().any(|code| report.findings.contains_key(code.name()));
    let is_wanted = report.wants_url || report.wants_message_url;
    let lacks_base = is_wanted && unresolved > 0 && rewritten == 0 && report.files_resumed == 0 && !is_other;
    let links = count(unresolved, "relative link");
    let has_layout = is_one_file(&arguments.input) || is_mirror || arguments.input.source.names_tool();
    let mirror = if has_layout { "" } else { ", or --layout if it is a mirror" };
    let of_files = match source.url {
        Some(_) => {
            "the BASE of the document is unknown, such as a placeholder, or the file is a copy beside a saved page"
                .to_owned()
        }
        None => format!("{URL_HINT}{mirror}"),
    };
    let of_messages = match options.message_url {
        Some(_) => "the messages declare none that can be used".to_owned(),
        None => MESSAGE_URL_HINT.to_owned(),
    };
    let why = [report.wants_url.then_some(of_files), report.wants_message_url.then_some(of_messages)];
    let why = why.into_iter().flatten().collect::<Vec<_>>().join("; ");
    lacks_base.then(|| format!("{links} left unchanged, because no base is known: {why}"))
}

/// Names the options that give a base, where one would help: messages of an mbox were not retrieved from a URL.
fn lacking_base(arguments: &RewriteArguments, options: &Options, report: &RunReport) -> Option<String> {
    let source = &arguments.input.source;
    let has_source = source.url.is_some() || source.urls.is_some();
    let is_url_hinted = report.wants_url
        && !report.findings.contains_key(Code::LocalCopy.name())
        && report.counts.rewritten > 0
        && !has_source;
    let is_message_hinted =
        report.wants_message_url && options.message_url.is_none() && lacks_base(arguments, options, report).is_none();
    let hints = [(is_url_hinted, URL_HINT), (is_message_hinted, MESSAGE_URL_HINT)];
    let hints: Vec<&str> = hints.into_iter().filter_map(|(is_hinted, hint)| is_hinted.then_some(hint)).collect();
    let links = count(report.counts.unresolved, "link");
    (!hints.is_empty()).then(|| format!("{links} left relative; {}", hints.join("; ")))
}

/// What to do about a missing base.
pub(crate) const URL_HINT: &str = "give the URL that the input was retrieved from with --url";

/// What to do about messages of a mailbox that declare no base.
const MESSAGE_URL_HINT: &str = "--message-url gives a base to messages that declare none";
