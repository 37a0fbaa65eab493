//! Properties of unpacked messages.

use std::collections::{HashMap, HashSet};
use std::iter;

use absolve_links::DocumentType;
use absolve_rewriter::internal::{Child, Contents, Entity, Leaf, Part, links_of};
use absolve_rewriter::{Code, ListedLink, Status};
use absolve_unpacker::{File, Plan, UnpackError, plan};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::options::OPTIONS;
use crate::rewritten::check_outside;

/// Checks any bytes as a message to unpack: each leaf is a file or has a finding, names are safe and different, and links
/// lead to the files of the parts that they led to, or are absolute as before. Returns the number of files and of links
/// between them.
pub fn message(bytes: &[u8]) -> usize {
    let entity = Entity::message(bytes);
    let plan = plan(&entity, &OPTIONS);
    let names = check_names(&plan);
    let mut found = names.len();
    for (index, leaf) in plan.leaves().iter().enumerate() {
        let Some(file) = plan.file(index) else {
            assert!(plan.findings().iter().any(|finding| finding.part == leaf.path), "part {} is lost", leaf.path);
            continue;
        };
        found += file.local as usize;
        let part = entity.parts.iter().find(|part| part.path == leaf.path);
        if let Some(part) = part.filter(|part| part.document_type != DocumentType::Field) {
            check_document(&plan, &names, &entity, (index, part), &file);
        }
    }
    match plan.single() {
        Ok(single) => assert!(plan.root().is_some() && single.embedded < plan.leaves().len() as u64),
        Err(error) => assert!(error != UnpackError::TooLong || bytes.len() > 4096, "a short message makes a long page"),
    }
    found
}

/// Returns the leaves by their names.
fn check_names<'p>(plan: &'p Plan<'_>) -> HashMap<&'p str, usize> {
    let mut names = HashMap::new();
    let mut folded = HashSet::new();
    for index in 0..plan.leaves().len() {
        let Some(name) = plan.name(index) else { continue };
        let is_forbidden = |character: char| character.is_control() || "/\\:*?\"<>|".contains(character);
        let is_safe = !name.is_empty() && name.len() <= 120 && !name.contains(is_forbidden);
        assert!(is_safe && !name.starts_with(['.', '-', ' ']) && !name.ends_with(['.', ' ']), "{name:?}");
        assert!(folded.insert(name.to_lowercase()), "{name:?} is there twice");
        names.insert(name, index);
    }
    names
}

fn check_document(
    plan: &Plan<'_>,
    names: &HashMap<&str, usize>,
    entity: &Entity<'_>,
    (leaf, part): (usize, &Part),
    file: &File<'_>,
) {
    let has = |code: Code| file.findings.iter().any(|finding| finding.code == code);
    if has(Code::OutputTooLarge) || has(Code::CharsetOutside) || has(Code::TransferEncoding) {
        return;
    }
    let document = entity.document(part);
    let bare = Entity::bare_file(&file.bytes, part.document_type).with_charset(document.encoding().name());
    let before = links_of(entity, part, &OPTIONS).links;
    let after = links_of(&bare, &bare.parts[0], &OPTIONS).links;
    let what = format!("part {} as {}", part.path, file.name);
    let contents = Contents::of(entity);
    assert_eq!(before.len(), after.len(), "{what}: the number of links");
    let guessed = if contents.has_known_charset(leaf) { Vec::new() } else { targets_by_guess(entity, part) };
    for (index, (old, new)) in before.iter().zip(&after).enumerate() {
        let guess = guessed.get(index).and_then(Option::as_deref);
        check_link(plan, &contents, names, (old, new, guess), &what);
    }
    check_outside(document.bytes(), &before, &file.bytes, &after, &what);
}

/// Returns the targets of the links of a part at bases of unknown characters, by which parts are found and which are nowhere written.
fn targets_by_guess(entity: &Entity<'_>, part: &Part) -> Vec<Option<String>> {
    let entity = entity.clone().finding_parts();
    let parts = entity.parts.iter().filter(|one| one.path == part.path);
    parts.flat_map(|part| links_of(&entity, part, &OPTIONS).links).map(|link| link.target).collect()
}

fn check_link(
    plan: &Plan<'_>,
    contents: &Contents<'_>,
    names: &HashMap<&str, usize>,
    (old, new, guess): (&ListedLink, &ListedLink, Option<&str>),
    what: &str,
) {
    // The characters that the URL Standard ignores (section 4.4).
    let reference = old.reference.trim_matches(|character| character <= ' ').replace(['\t', '\n', '\r'], "");
    let id = reference.get(..4).filter(|scheme| scheme.eq_ignore_ascii_case("cid:")).map(|_| {
        let end = reference.find('#').unwrap_or(reference.len());
        percent_decode_str(&reference[4..end]).decode_utf8_lossy().into_owned()
    });
    let is_base = old.element == "base" || ["codebase", "xml:base"].contains(&&*old.attribute);
    let has_id = |leaf: usize| plan.leaves()[leaf].content_id == id;
    if new.reference == old.reference {
        let leads_to_part = id.is_some() && names.values().any(|leaf| has_id(*leaf));
        assert!(!leads_to_part || is_base || old.status == Status::Kept, "{what}: {old:?} leads to a part");
        return;
    }
    if new.status == Status::Absolute {
        let is_target = old.target.as_ref() == Some(&new.reference) || old.document_type == DocumentType::Text;
        return assert!(is_target || is_at_base(old, &new.reference), "{what}: {old:?} became {new:?}");
    }
    if is_base {
        return assert_eq!(new.reference, "", "{what}: {old:?}");
    }
    let end = new.reference.find('#').unwrap_or(new.reference.len());
    let name = percent_decode_str(&new.reference[..end]).decode_utf8_lossy().into_owned();
    let leaf = *names.get(&*name).unwrap_or_else(|| panic!("{what}: {old:?} became {new:?}, which is no file"));
    let is_right = match (&id, &old.target) {
        (Some(id), _) => addresses(contents, leaf).any(|(of_part, _)| of_part.as_ref() == Some(id)),
        (None, Some(target)) => addresses(contents, leaf).any(|(_, url)| {
            url.is_some_and(|url| [Some(&**target), guess].iter().flatten().any(|to| is_alike(&url, to)))
        }),
        (None, None) => true,
    };
    assert!(is_right, "{what}: {old:?} became {new:?}, but the part is {:?}", plan.location(leaf));
}

/// Returns whether a link, which in the message led to a part by a base of unknown characters, has this target at the base that is
/// written. The part is no file.
fn is_at_base(link: &ListedLink, target: &str) -> bool {
    let url = || Url::parse(link.base.as_deref()?).ok()?.join(&link.reference).ok();
    link.status == Status::Kept && link.target.is_none() && url().is_some_and(|url| Url::parse(target) == Ok(url))
}

/// Returns the ids and URLs of a leaf and of all composites around it, whose root it may be.
fn addresses(contents: &Contents<'_>, leaf: usize) -> impl Iterator<Item = (Option<String>, Option<String>)> {
    let url = |part| contents.url(part, OPTIONS.rules);
    let Leaf { content_id, composite, .. } = &contents.leaves[leaf];
    let around = iter::successors(*composite, |composite| contents.composites[*composite].around);
    let around = around.map(move |index| (contents.composites[index].content_id.clone(), url(Child::Composite(index))));
    iter::once((content_id.clone(), url(Child::Leaf(leaf)))).chain(around)
}

/// Returns whether two URLs are one, regardless of fragments.
fn is_alike(one: &str, other: &str) -> bool {
    let without_fragment = |url: &str| {
        let mut url = Url::parse(url).ok()?;
        url.set_fragment(None);
        Some(url)
    };
    one == other || without_fragment(one) == without_fragment(other)
}
