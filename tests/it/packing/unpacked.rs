//! What was packed comes out again: every file byte for byte, and a page whose links lead where they led.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::packing::packed::{Failure, entries, packed, pages};
use crate::support::Outcome;
use absolve_files::{Entry, Selection, collect, inspect_one};
use absolve_links::DocumentType;
use absolve_packer::{Format, Packed, Request, Tree, pack};
use absolve_rewriter::internal::{Entity, links_of};
use absolve_rewriter::{ListedLink, Options};
use absolve_testing::{corpus, fixtures, print_line, temporary_folder};
use absolve_unpacker::{Plan, plan};
use data_encoding::BASE64;
use mail_parser::{MessageParser, MessagePart};

/// The folders, and the messages made of their pages, two of each.
const FOLDERS: [(&str, usize); 5] = [
    ("html-apache2-ko", 116),
    ("html-docbook-xsl-latin1", 2170),
    ("html-nokogiri-sjis", 18),
    ("html-phpdoc-base", 46),
    ("html-postgresql-doc", 2338),
];

#[test]
#[ignore = "long: pages of the corpora"]
fn pages_of_the_corpora() -> Outcome {
    for (name, messages) in FOLDERS {
        if let Some(folder) = corpus(name) {
            let seen = check_pages(&folder)?;
            print_line(&format!("{name}: {seen:?}"));
            assert_eq!(seen.messages, messages, "{name}");
        }
    }
    Ok(())
}

#[test]
fn pages_of_the_fixtures() -> Outcome {
    for (name, messages, files) in [("pack", 2, 1), ("site", 6, 0)] {
        let seen = check_pages(&fixtures().join(name))?;
        assert!(seen.messages == messages && seen.files >= files && seen.links > 0, "{name}: {seen:?}");
    }
    Ok(())
}

/// What was checked.
#[derive(Debug, Default)]
struct Seen {
    messages: usize,
    /// The files besides the pages.
    files: usize,
    /// The links between files.
    links: u64,
}

fn check_pages(folder: &Path) -> Result<Seen, Failure> {
    let entries = entries(folder);
    let mut seen = Seen::default();
    for page in pages(folder)? {
        for format in [Format::Eml, Format::Mhtml] {
            let packed = packed(folder, &entries, &page, format)?;
            check(folder, &packed, format, &mut seen).map_err(|why| format!("{}: {why}", page.display()))?;
        }
    }
    Ok(seen)
}

fn check(folder: &Path, packed: &Packed, format: Format, seen: &mut Seen) -> Outcome {
    absolve_laws::packing::unpacking::message(&packed.message);
    let entity = Entity::message(&packed.message);
    let plan = plan(&entity, &Options::default());
    let parsed = MessageParser::new().parse(&packed.message).ok_or("no message")?;
    let is_leaf = |part: &&MessagePart<'_>| part.sub_parts().is_none();
    let parts: Vec<_> = parsed.parts.iter().filter(is_leaf).collect();
    if parts.len() != plan.leaves().len() {
        return Err(format!("{} leaves, and {} parts", plan.leaves().len(), parts.len()).into());
    }
    // As mail-parser reads it, and as it was packed.
    for (index, part) in parts.iter().enumerate().filter(|(index, _)| !is_document(&plan, *index)) {
        let file = plan.file(index).ok_or("no file")?;
        if *file.bytes != *part.contents() {
            return Err(format!("{} is not what its part contains", file.name).into());
        }
    }
    for embedded in &packed.embedded {
        let has_id = |index: &usize| plan.leaves()[*index].content_id.as_ref() == Some(&embedded.content_id);
        let Some(index) = (0..plan.leaves().len()).find(has_id).filter(|index| !is_document(&plan, *index)) else {
            continue;
        };
        let file = plan.file(index).ok_or("no file")?;
        if *file.bytes != *fs::read(folder.join(&embedded.path))? {
            return Err(format!("{} is not {}", file.name, embedded.path.display()).into());
        }
        seen.files += 1;
    }
    seen.messages += 1;
    seen.links += check_single(&plan)?;
    check_packed_again(&plan, format)
}

fn is_document(plan: &Plan<'_>, index: usize) -> bool {
    DocumentType::of_media_type(&plan.leaves()[index].media_type).is_some()
}

/// In the single page, there are the bytes of a file wherever the page in the folder leads to the file. How many links do.
fn check_single(plan: &Plan<'_>) -> Result<u64, Failure> {
    let root = plan.root().ok_or("no page")?;
    let page = plan.file(root).ok_or("no page")?;
    let single = plan.single()?;
    let files: HashMap<&str, usize> =
        (0..plan.leaves().len()).filter_map(|index| Some((plan.name(index)?, index))).collect();
    let document_type = DocumentType::of_media_type(&plan.leaves()[root].media_type).ok_or("no page")?;
    let (in_folder, within) = (links(&page.bytes, document_type), links(&single.bytes, document_type));
    if in_folder.len() != within.len() {
        return Err("the single page has other links".into());
    }
    let mut embedded = 0;
    for (link, within) in in_folder.iter().zip(&within) {
        let Some(data) = within.reference.strip_prefix("data:").filter(|_| !link.reference.starts_with("data:")) else {
            continue;
        };
        let name = &link.reference[..link.reference.find('#').unwrap_or(link.reference.len())];
        let name = percent_encoding::percent_decode_str(name).decode_utf8()?;
        let index = *files.get(&*name).ok_or("no file of the name")?;
        let data = &data[..data.find('#').unwrap_or(data.len())];
        let (_, data) = data.split_once(";base64,").ok_or("no base64")?;
        if !is_document(plan, index) && *BASE64.decode(data.as_bytes())? != *plan.file(index).ok_or("no file")?.bytes {
            return Err(format!("{name} is other within the page").into());
        }
        embedded += 1;
    }
    if embedded == page.local || page.local > single.local { Ok(page.local) } else { Err("a link is lost".into()) }
}

fn links(bytes: &[u8], document_type: DocumentType) -> Vec<ListedLink> {
    let entity = Entity::bare_file(bytes, document_type);
    links_of(&entity, &entity.parts[0], &Options::default()).links
}

/// Packed again, the unpacked folder gives a message with the same files and a page with the same links.
fn check_packed_again(plan: &Plan<'_>, format: Format) -> Outcome {
    let folder = temporary_folder()?;
    let mut contents = Vec::new();
    for index in 0..plan.leaves().len() {
        let file = plan.file(index).ok_or("no file")?;
        fs::write(folder.path().join(file.name), &file.bytes)?;
        if !is_document(plan, index) {
            contents.push(file.bytes.into_owned());
        }
    }
    let name = plan.root().and_then(|root| plan.name(root)).ok_or("no page")?;
    let entries = collect(folder.path(), &Selection::default()).entries;
    let entry = entries.iter().find(|entry: &&Entry| entry.path == Path::new(name)).ok_or("no entry")?;
    let tree = Tree::new(folder.path())?;
    let pack = |entity: &Entity<'_>| pack(entity, &entry.path, &tree, &Request::new(format));
    let again = inspect_one(entry, &entries, &pack)?.ok_or("no page")??;
    let is_binary = |file: &&absolve_packer::Embedded| DocumentType::of_media_type(&file.media_type).is_none();
    let mut packed_again: Vec<Vec<u8>> = Vec::new();
    for file in again.embedded.iter().filter(is_binary) {
        packed_again.push(fs::read(folder.path().join(&file.path))?);
    }
    contents.sort_unstable();
    packed_again.sort_unstable();
    if contents != packed_again {
        return Err(format!("{} files, and {} packed again", contents.len(), packed_again.len()).into());
    }
    let entity = Entity::message(&again.message);
    let again = absolve_unpacker::plan(&entity, &Options::default());
    let page = |plan: &Plan<'_>| plan.root().and_then(|root| plan.file(root)).map(|file| file.bytes.into_owned());
    if page(plan) == page(&again) { Ok(()) } else { Err("the page is other when it is packed again".into()) }
}
