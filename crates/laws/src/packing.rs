//! Properties of packed messages.

pub mod unpacking;

use std::path::Path;
use std::sync::LazyLock;

use absolve_links::DocumentType;
use absolve_packer::{Embed, Format, PackError, PlainText, Request, Tree, pack};
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of};
use absolve_rewriter::{Code, Options};
use mail_parser::{MessageParser, MessagePart, MimeHeaders};

const URL: &str = "https://example.org/a-b/page.html";

/// Files that a page may load: `img/tile.png`, `styles/main.css`.
static TREE: LazyLock<Option<Tree>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/pack");
    Tree::new(&folder).ok()
});

/// Checks any bytes as a page to pack: the message can be parsed, with the rewritten page and each file in a part, and
/// it has no links left to rewrite. Returns the number of links.
pub fn page(html: &[u8]) -> usize {
    let tree = TREE.as_ref().expect("the fixtures are there");
    let page = Entity::bare_file(html, DocumentType::Html).retrieved_from(Retrieval::given(URL));
    let mut links = 0;
    for (format, embed) in [(Format::Eml, Embed::All), (Format::Eml, Embed::None), (Format::Mhtml, Embed::All)] {
        let mut request = Request::new(format);
        request.embed = embed;
        // The library that extracts texts panics on some input, which is caught; libFuzzer stops at any panic.
        if format == Format::Eml && !cfg!(fuzzing) {
            request.plain_text = PlainText::Alternative;
        }
        let packed = match pack(&page, "page.html".as_ref(), tree, &request) {
            // It is something else, by its first bytes.
            Err(PackError::Unread(finding)) if finding.code == Code::NotItsType => return 0,
            packed => packed.expect("it is a short page"),
        };
        let is_without_text = packed.findings.iter().any(|(_, finding)| finding.code == Code::PlainText);
        let has_text = request.plain_text == PlainText::Alternative && !is_without_text;
        check_parts(&packed.message, packed.embedded.len() + 1 + usize::from(has_text));
        if embed == Embed::None || format == Format::Mhtml {
            check_page(html, &packed.message);
        }
        let mut report = Report::default();
        // For mail, as it was packed: placeholders of mail services stay.
        let options = Options::default().for_mail();
        let edits = edits_of(&Entity::message(&packed.message), &options, &mut report);
        // Links stay relative that would change the charset of the page; the part of the message declares it.
        let stays = packed.findings.iter().any(|(_, finding)| finding.code == Code::CharsetNeeded);
        assert!(edits.is_empty() || stays, "rewriting changes the message: {edits:?} {:?}", report.findings);
        links += packed.counts.links as usize;
    }
    links
}

fn check_parts(message: &[u8], expected: usize) {
    let parsed = MessageParser::new().parse(message).expect("it is a message");
    let is_leaf = |part: &&MessagePart<'_>| part.sub_parts().is_none();
    assert_eq!(parsed.parts.iter().filter(is_leaf).count(), expected, "parts");
    let in_doubt = parsed.parts.iter().find(|part| part.is_encoding_problem);
    assert!(in_doubt.is_none(), "{:?}", in_doubt.map(|part| part.content_type()));
}

/// Checks that the document in the message is the rewritten one, except for its line ends.
fn check_page(html: &[u8], message: &[u8]) {
    let message = Entity::message(message);
    let is_page = |part: &&absolve_rewriter::internal::Part| part.document_type == DocumentType::Html;
    let found = message.parts.iter().find(is_page).map(|part| message.document(part).bytes().to_owned());
    let page = Entity::bare_file(html, DocumentType::Html).retrieved_from(Retrieval::given(URL));
    let expected = edits_of(&page, &Options::default().for_mail(), &mut Report::default()).splice(html);
    let is_expected = found.is_some_and(|found| found == expected || found == with_line_ends_of_mail(&expected));
    assert!(is_expected, "the page is not what rewriting makes of it");
}

fn with_line_ends_of_mail(text: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> =
        text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    lines.join(&b"\r\n"[..])
}
