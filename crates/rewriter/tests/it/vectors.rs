//! Documents, and what becomes of them: `fixtures/rewrite`.

use absolve_testing::fixtures;

use absolve_base::{Layer, Profile};
use absolve_links::{DocumentType, Group, Patterns, Table};
use absolve_resolver::Standard;
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of};
use absolve_rewriter::settings::{RelativeLinks, UrlMap};
use absolve_rewriter::{BaseElement, FeedBase, Options, SameDocument, Spelling};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// What other programs get wrong, each under the name of what is wrong there.
#[test]
fn failures_of_peers() -> Outcome {
    check_all("peers.json", 91)
}

/// The smallest edit: how many bytes go and how many come.
#[test]
fn smallest_edits() -> Outcome {
    check_all("edits.json", 47)
}

#[test]
fn xml() -> Outcome {
    check_all("xml.json", 69)
}

#[test]
fn other_documents() -> Outcome {
    check_all("documents.json", 45)
}

#[test]
fn object_data_resolves_at_the_base_of_the_document() -> Outcome {
    check_all("objects.json", 19)
}

#[test]
fn places_that_are_easily_missed() -> Outcome {
    check_all("places.json", 16)
}

#[test]
fn items_of_feeds_are_read_at_the_feed_or_at_their_links() -> Outcome {
    check_all("feeds.json", 35)
}

#[test]
fn markdown() -> Outcome {
    check_all("markdown.json", 58)
}

#[test]
fn json_feeds() -> Outcome {
    check_all("json-feeds.json", 27)
}

#[test]
fn roots_images_and_maps() -> Outcome {
    check_all("urls.json", 88)
}

fn check_all(file: &str, count: usize) -> Outcome {
    let path = fixtures().join("rewrite").join(file);
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path)?)?;
    let failures: Vec<String> =
        cases.iter().filter_map(|case| check(case).err().map(|error| format!("{}: {error}", case["name"]))).collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
    assert_eq!(cases.len(), count);
    Ok(())
}

fn check(case: &Value) -> Outcome {
    let text = |key: &str| case[key].as_str();
    let encoding = text("charset").and_then(|label| Encoding::for_label(label.as_bytes())).unwrap_or(UTF_8);
    let bytes = |key: &str| encode(text(key).unwrap_or_default(), encoding, case["mark"] == true);
    let document = bytes("document");
    let expected = if case["expected"].is_null() { document.clone() } else { bytes("expected") };
    let label = text("label").or(text("charset").filter(|_| case["unlabelled"].is_null()));
    let options = match (options(case), text("error")) {
        (Err(error), Some(words)) if error.to_string().contains(words) => return Ok(()),
        (Ok(_), Some(_)) => return Err("it is no error".into()),
        (options, _) => options?,
    };

    let mut report = Report::default();
    let edits = edits_of(&entity(case, &document, label)?, &options, &mut report);
    let output = edits.splice(&document);
    if output != expected {
        return Err(format!("{:?}", encoding.decode(&output).0).into());
    }
    let removed: usize = edits.iter().map(|(range, _)| range.len()).sum();
    let inserted: usize = edits.iter().map(|(_, text)| text.len()).sum();
    for (key, seen) in [("removed", removed), ("inserted", inserted)] {
        if case[key].as_u64().is_some_and(|wanted| wanted != seen as u64) {
            return Err(format!("{seen} bytes {key}").into());
        }
    }
    for (key, seen) in [("mapped", report.counts.mapped), ("kept", report.counts.kept)] {
        if case[key].as_u64().is_some_and(|wanted| wanted != seen) {
            return Err(format!("{seen} {key}").into());
        }
    }
    if case["inverse"] == true {
        let inverse = UrlMap::new(options.map.pairs().map(|(from, to)| (to, from)))?;
        let inverse = Options { map: inverse, relative_links: RelativeLinks::Keep, ..Options::default() };
        let back = edits_of(&entity(case, &output, label)?, &inverse, &mut Report::default()).splice(&output);
        if back != document {
            return Err(format!("the inverse gives {:?}", encoding.decode(&back).0).into());
        }
    }
    if let Some(wanted) = case["findings"].as_array() {
        let found: Vec<Value> = report.findings.iter().map(|finding| finding.code.name().into()).collect();
        if *wanted != found {
            return Err(format!("{found:?}").into());
        }
    }
    let again = edits_of(&entity(case, &output, label)?, &options, &mut Report::default());
    if !again.is_empty() {
        return Err(format!("a second run changes {again:?}").into());
    }
    Ok(())
}

fn entity<'e>(case: &Value, document: &'e [u8], label: Option<&str>) -> Result<Entity<'e>, Box<dyn std::error::Error>> {
    let document_type = DocumentType::named(case["type"].as_str().unwrap_or("html")).ok_or("the type is unknown")?;
    let mut entity = Entity::bare_file(document, document_type);
    entity.parts[0].charset = label.map(str::to_owned);
    let url = case["url"].as_str().unwrap_or("http://h/d/page.html");
    if url.is_empty() {
        return Ok(entity);
    }
    let entity = entity.retrieved_from(Retrieval::given(url));
    assert_eq!(entity.parts[0].declarations()[0].layer, Layer::Retrieval);
    Ok(entity)
}

fn options(case: &Value) -> Result<Options, Box<dyn std::error::Error>> {
    let mut options = Options::default();
    if let Some(groups) = case["groups"].as_array() {
        let groups: Vec<Group> = Group::ALL.into_iter().filter(|group| groups.contains(&group.name().into())).collect();
        options.table = Table::of_groups(&groups, Vec::new());
    }
    if let Some(rows) = case["attr"].as_array() {
        let rows = rows.iter().filter_map(|row| row.as_str()?.parse().ok()).collect();
        options.table = Table::of_groups(&Group::DEFAULT, rows);
    }
    if let Some(keep) = case["keep"].as_array() {
        options.keep = Patterns::new(keep.iter().filter_map(Value::as_str))?;
    }
    if let Some(standard) = case["standard"].as_str() {
        options.rules.standard = Standard::named(standard).ok_or("the standard is unknown")?;
    }
    options.root = case["root"].as_str().map(str::parse).transpose()?;
    options.images_url = case["images-url"].as_str().map(str::parse).transpose()?;
    options.map = UrlMap::new(pairs(&case["map"]))?;
    if case["map-only"] == true {
        options.relative_links = RelativeLinks::Keep;
    }
    if case["precedence"] == "browser" {
        options.rules.profile = Profile::Browser;
    }
    if case["same-document"] == "absolute" {
        options.same_document = SameDocument::Absolute;
    }
    if case["feed-base"] == "item" {
        options.feed_base = FeedBase::Item;
    }
    if case["spelling"] == "ascii" {
        options.spelling = Spelling::Ascii;
    }
    options.base_element = match case["base"].as_str() {
        Some("remove") => BaseElement::Remove,
        Some("comment") => BaseElement::Comment,
        _ => BaseElement::Keep,
    };
    Ok(options)
}

/// Returns the pairs of a map: of an object, or of a list of lists.
fn pairs(map: &Value) -> Vec<(&str, &str)> {
    let of_object = map.as_object().into_iter().flatten().map(|(from, to)| (&**from, to));
    let of_list = map.as_array().into_iter().flatten().filter_map(|pair| Some((pair[0].as_str()?, &pair[1])));
    of_object.chain(of_list).filter_map(|(from, to)| Some((from, to.as_str()?))).collect()
}

fn encode(text: &str, encoding: &'static Encoding, with_mark: bool) -> Vec<u8> {
    let marked = if with_mark { format!("\u{FEFF}{text}") } else { text.to_owned() };
    if encoding == UTF_16LE {
        marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        marked.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        encoding.encode(&marked).0.into_owned()
    }
}
