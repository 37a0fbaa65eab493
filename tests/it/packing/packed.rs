//! A packed page is a message that others read without a complaint, in which every embedded file is found by what leads
//! to it, byte for byte.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::support::cascade::rules_of;
use crate::support::{Outcome, argument};
use absolve_base::Profile;
use absolve_files::{Entry, Selection, collect, inspect_one};
use absolve_links::DocumentType;
use absolve_packer::{Embedded, Format, Packed, PlainText, Request, Tree, pack};
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of, links_of};
use absolve_rewriter::{ListedLink, Options};
use absolve_testing::{corpus, files, fixtures, print_line, temporary_folder};
use data_encoding::HEXLOWER;
use mail_parser::{MessageParser, MessagePart, MimeHeaders};
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::Url;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// The folders, the pages in them, and the links to embedded files.
const FOLDERS: [(&str, usize, usize); 5] = [
    ("html-apache2-ko", 58, 0),
    ("html-docbook-xsl-latin1", 1085, 1085),
    ("html-nokogiri-sjis", 9, 0),
    ("html-phpdoc-base", 23, 68),
    ("html-postgresql-doc", 1169, 1172),
];

#[test]
#[ignore = "long: pages of the corpora"]
fn pages_of_the_corpora() -> Outcome {
    for (name, pages, links) in FOLDERS {
        if let Some(folder) = corpus(name) {
            let seen = check_pages(&folder)?;
            print_line(&format!("{name}: {seen:?} pages and links to embedded files"));
            assert_eq!(seen, (pages, links), "{name}");
        }
    }
    Ok(())
}

#[test]
fn pages_of_the_fixtures() -> Outcome {
    assert_eq!(check_pages(&fixtures().join("pack"))?, (1, 16));
    assert_eq!(check_pages(&fixtures().join("site"))?, (3, 9));
    Ok(())
}

/// Packs each page of a folder in both formats, and answers how many there are and how many links lead to embedded files.
fn check_pages(folder: &Path) -> Result<(usize, usize), Box<dyn std::error::Error>> {
    let messages = temporary_folder()?;
    let entries = entries(folder);
    let (mut all, mut links) = (Vec::new(), 0);
    for page in pages(folder)? {
        let mail = packed(folder, &entries, &page, Format::Eml)?;
        let web = packed(folder, &entries, &page, Format::Mhtml)?;
        for profile in [Profile::Layered, Profile::Rfc2557] {
            check_links(&mail, &web, profile).map_err(|why| format!("{}: {why}", page.display()))?;
        }
        check_styles(&mail, &web).map_err(|why| format!("{}: {why}", page.display()))?;
        links += web.embedded.iter().map(|file| file.links).sum::<usize>();
        for packed in [mail, web] {
            let digests = check_files(folder, &packed)?;
            check_rewriting(&packed.message);
            fs::write(messages.path().join(all.len().to_string()), &packed.message)?;
            all.push((packed.embedded, digests));
        }
    }
    check_with_python(messages.path(), &all)?;
    Ok((all.len() / 2, links))
}

pub(crate) fn pages(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_page = |path: &PathBuf| {
        path.extension().is_some_and(|extension| ["html", "xhtml"].map(Some).contains(&extension.to_str()))
    };
    Ok(files(folder)?.into_iter().filter(is_page).collect())
}

const URL: &str = "https://docs.example/a-b/long/enough/to/be/folded/in/a/header/field/of/a/message/";

pub(crate) fn entries(folder: &Path) -> Vec<Entry> {
    let mut selection = Selection::default();
    selection.url = Some(URL.to_owned());
    collect(folder, &selection).entries
}

pub(crate) fn packed(folder: &Path, entries: &[Entry], page: &Path, format: Format) -> Result<Packed, Failure> {
    let entry = entries.iter().find(|entry| entry.source == page).ok_or("no entry")?;
    let mut request = Request::new(format);
    if format == Format::Eml {
        request.plain_text = PlainText::Alternative;
    }
    let tree = Tree::new(folder)?;
    Ok(inspect_one(entry, entries, &|entity| pack(entity, &entry.path, &tree, &request))?.ok_or("no page")??)
}

/// Every link to an embedded file leads to its part: by `cid:` in the one message, by a location in the other, for this
/// program and for a browser. What only the other embeds is in the page of the one, or is a candidate of an image.
fn check_links(mail: &Packed, web: &Packed, profile: Profile) -> Result<(), String> {
    let by_id: HashMap<&str, &Embedded> = mail.embedded.iter().map(|file| (&*file.content_id, file)).collect();
    let mut by_cid = 0;
    for (_, link) in links(&mail.message, profile) {
        let Some(id) = link.reference.strip_prefix("cid:") else { continue };
        let id = &id[..id.find('#').unwrap_or(id.len())];
        by_id.get(id).ok_or_else(|| format!("no part is {id}"))?;
        by_cid += 1;
    }
    if by_cid != mail.embedded.iter().map(|file| file.links).sum::<usize>() {
        return Err(format!("{by_cid} links by cid"));
    }
    let (locations, mut found) = (locations(&web.message), HashMap::new());
    for (base, link) in links(&web.message, profile) {
        let Some(target) = link.target else { continue };
        let location = target[..target.find('#').unwrap_or(target.len())].to_owned();
        if web.embedded.iter().all(|file| file.location.as_ref() != Some(&location)) {
            continue;
        }
        // As a browser does it: both URLs parsed, without fragments, and only absolute locations.
        let mut url = base.as_ref().ok_or("no location")?.join(&link.reference).map_err(|error| error.to_string())?;
        url.set_fragment(None);
        if !locations.contains(&url) {
            return Err(format!("a browser looks for {url}"));
        }
        let is_candidate = link.attribute == "srcset";
        let (links, others) = found.entry(location).or_insert((0, 0));
        *links += 1;
        *others += usize::from(!is_candidate);
    }
    for file in &web.embedded {
        let (links, others) = found.get(file.location.as_deref().ok_or("no location")?).copied().unwrap_or_default();
        // Links that load nothing may lead to it as well.
        if links < file.links {
            return Err(format!("{links} links to {file:?}"));
        }
        let in_mail = mail.embedded.iter().map(|file| &file.path).chain(mail.within.iter().map(|file| &file.path));
        if others > 0 && !in_mail.into_iter().any(|path| *path == file.path) {
            return Err(format!("{} is not in the mail", file.path.display()));
        }
    }
    Ok(())
}

/// The styles in the page of the mail are the rules of the linked styles, in the same order, each for the same media.
fn check_styles(mail: &Packed, web: &Packed) -> Result<(), String> {
    let (mail, web) = (rules_of(&mail.message), rules_of(&web.message));
    let (mail, web) = (mail.unwrap_or_default(), web.unwrap_or_default());
    for (found, expected) in mail.iter().zip(&web) {
        if found != expected {
            return Err(format!("a rule is {found:?} in the mail, and {expected:?}"));
        }
    }
    if mail.len() == web.len() { Ok(()) } else { Err(format!("{} rules in the mail, of {}", mail.len(), web.len())) }
}

/// The links of a message but for those of its plain text, each with the location of its part.
fn links(message: &[u8], profile: Profile) -> Vec<(Option<Url>, ListedLink)> {
    let mut options = Options::default();
    options.rules.profile = profile;
    let entity = Entity::message(message);
    let mut links = Vec::new();
    for part in entity.parts.iter().filter(|part| ["html", "css", "xml"].contains(&part.document_type.name())) {
        let values: Vec<_> =
            part.declarations().into_iter().filter_map(|declared| Url::parse(&declared.value).ok()).collect();
        let base = values.into_iter().next();
        links.extend(links_of(&entity, part, &options).links.into_iter().map(|link| (base.clone(), link)));
    }
    links
}

/// The locations of the parts of a message that are absolute URLs, as mail-parser reads them.
fn locations(message: &[u8]) -> Vec<Url> {
    let message = MessageParser::new().parse(message).unwrap_or_default();
    let location = |part: &MessagePart<'_>| {
        let location: String = part.content_location()?.split_whitespace().collect();
        Url::parse(&location).ok()
    };
    message.parts.iter().filter_map(location).collect()
}

/// mail-parser finds all parts, none of them in doubt, and files come out as they are in the folder, but for links of styles.
/// Their digests.
fn check_files(folder: &Path, packed: &Packed) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut digests = Vec::new();
    let message = MessageParser::new().parse(&packed.message).ok_or("no message")?;
    assert!(message.parts.iter().all(|part| !part.is_encoding_problem));
    let is_leaf = |part: &&MessagePart<'_>| part.sub_parts().is_none();
    let bodies = message.parts.iter().filter(is_leaf).count();
    assert!((1..=2).contains(&(bodies - packed.embedded.len())), "{bodies}");
    for file in &packed.embedded {
        let part = message.parts.iter().find(|part| part.content_id() == Some(&file.content_id)).ok_or("no part")?;
        let original = fs::read(folder.join(&file.path))?;
        let expected = rewritten(&original, &file.media_type, file.location.as_deref());
        // By id, links of styles lead to other parts, which stand where the links led.
        let mut found = String::from_utf8_lossy(part.contents()).into_owned();
        for other in packed.embedded.iter().filter(|_| expected != original) {
            found = found.replace(&format!("cid:{}", other.content_id), other.location.as_deref().unwrap_or_default());
        }
        let is_found = part.contents() == expected || found.as_bytes() == expected;
        assert!(is_found, "{}", file.path.display());
        digests.push(HEXLOWER.encode(&Sha256::digest(part.contents())));
    }
    Ok(digests)
}

/// What rewriting makes of a file; the file itself, if it has no links.
fn rewritten(original: &[u8], media_type: &str, location: Option<&str>) -> Vec<u8> {
    let Some(document_type) = DocumentType::of_media_type(media_type) else { return original.to_owned() };
    let entity = Entity::bare_file(original, document_type);
    let entity = location.map_or(entity.clone(), |url| entity.retrieved_from(Retrieval::given(url)));
    edits_of(&entity, &Options::default().for_mail(), &mut Report::default()).splice(original)
}

/// Whatever a document is, its message keeps the laws.
#[test]
#[ignore = "long: documents of the corpora"]
fn any_document() -> Outcome {
    const FOLDERS: [(&str, usize); 5] = [
        ("fuzz-lol-html", 288),
        ("peer-juice", 79),
        ("peer-monolith", 12),
        ("peer-premailer", 3),
        ("wpt-srcset-css", 41),
    ];
    for (name, count) in FOLDERS {
        let Some(folder) = corpus(name) else { continue };
        let (mut seen, mut links) = (0, 0);
        for page in pages(&folder)? {
            links += absolve_laws::packing::page(&fs::read(page)?);
            seen += 1;
        }
        print_line(&format!("{name}: {seen} documents, {links} links"));
        assert!(seen == count && links > 0, "{name}: {seen} documents, {links} links");
    }
    Ok(())
}

/// Everything is absolute, so to make it absolute changes nothing.
fn check_rewriting(message: &[u8]) {
    let entity = Entity::message(message);
    let mut report = Report::default();
    let edits = edits_of(&entity, &Options::default(), &mut report);
    assert!(edits.is_empty(), "{:?}", report.findings);
    assert_eq!((report.counts.unresolved, report.counts.rewritten), (0, 0), "{:?}", report.findings);
}

/// What the packages of Python say of each file of a folder: whether anything is wrong, and the parts.
const READER: &str = "
import email, email.policy, hashlib, json, os, sys
folder = sys.argv[1]
for name in sorted(os.listdir(folder), key=int):
    with open(os.path.join(folder, name), 'rb') as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    parts = [part for part in message.walk() if not part.is_multipart()]
    print(json.dumps({
        'defects': [repr(defect) for part in message.walk() for defect in part.defects]
            + [repr(defect) for part in message.walk() for field in part.values() for defect in field.defects],
        'type': message.get_content_type(),
        'parts': [[
            (part['Content-ID'] or '').strip('<>'),
            ''.join((part['Content-Location'] or '').split()),
            part.get_content_type(),
            hashlib.sha256(part.get_payload(decode=True)).hexdigest(),
            len(part.get_payload(decode=True)),
        ] for part in parts],
    }))
";

fn check_with_python(messages: &Path, expected: &[(Vec<Embedded>, Vec<String>)]) -> Outcome {
    let output = match Command::new("python3").args(["-c", READER, argument(messages)]).output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            print_line("skipped: python3 is absent");
            return Ok(());
        }
        output => output?,
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Vec<Value> =
        String::from_utf8(output.stdout)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    assert_eq!(seen.len(), expected.len());
    for (index, (seen, (embedded, digests))) in seen.iter().zip(expected).enumerate() {
        assert_eq!(seen["defects"], Value::Array(Vec::new()), "message {index}");
        let is_mail = index % 2 == 0;
        assert_eq!(
            seen["type"],
            if is_mail { "multipart/alternative" } else { "multipart/related" },
            "message {index}"
        );
        let parts = seen["parts"].as_array().ok_or("no parts")?;
        for (file, digest) in embedded.iter().zip(digests) {
            let part = parts.iter().find(|part| part[0] == *file.content_id).ok_or("no part")?;
            assert_eq!(part[1], file.location.as_deref().unwrap_or_default());
            assert_eq!(part[2], *file.media_type);
            assert_eq!((&part[3], &part[4]), (&Value::from(&**digest), &Value::from(file.bytes)));
        }
    }
    Ok(())
}

/// Styles are rewritten, so they are compared here: what the message holds is what rewriting makes of the file.
#[test]
fn a_style_keeps_all_but_its_links() -> Outcome {
    let folder = fixtures().join("pack");
    let packed = packed(&folder, &entries(&folder), &folder.join("pages/lamp.html"), Format::Mhtml)?;
    let message = MessageParser::new().parse(&packed.message).ok_or("no message")?;
    let style =
        packed.embedded.iter().find(|file| file.path == Path::new("styles/more/inner.css")).ok_or("no style")?;
    let part = message.parts.iter().find(|part| part.content_id() == Some(&style.content_id)).ok_or("no part")?;
    let expected = fs::read_to_string(folder.join(&style.path))?.replace("../../", URL).replace(
        "../main",
        "https://docs.example/a-b/long/enough/to/be/folded/in/a/header/field/of/a/message/styles/main",
    );
    assert_eq!(part.text_contents(), Some(&*expected));
    Ok(())
}
