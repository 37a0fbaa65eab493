//! The table: each row finds its link, and the documentation lists the rows.

use absolve_links::{Document, DocumentType, Edits, Grammar, Group, Place, ResolvesIn, Row, Syntax, Table, When};
use absolve_testing::root;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const ROWS: usize = 514;

/// Finds, edits and reads back the link of each row, under each of its conditions, in HTML, in XML or in JSON.
#[test]
fn every_row_finds_its_link() -> Outcome {
    let table = Table::of_groups(&Group::ALL, Vec::new());
    let mut documents = 0;
    for (index, row) in table.rows().iter().enumerate() {
        for condition in conditions(row) {
            let front_matter = || format!("---\n{}: found\n---\n", row.attribute);
            let other = match row.syntax {
                Syntax::Json if row.element == "speculationrules" => Some((json(row), DocumentType::SpeculationRules)),
                Syntax::Json => Some((json(row), DocumentType::JsonFeed)),
                Syntax::FrontMatter => Some((front_matter(), DocumentType::Markdown)),
                _ => None,
            };
            if let Some((text, document_type)) = other {
                check(&table, index, &text, document_type)?;
                documents += 1;
                continue;
            }
            if row.syntax == Syntax::Any {
                check(&table, index, &html(row, &condition), DocumentType::Html)?;
                documents += 1;
            }
            check(&table, index, &xml(row, &condition), DocumentType::Xml)?;
            documents += 1;
        }
    }
    assert_eq!((table.rows().len(), documents), (ROWS, 1058));
    Ok(())
}

#[track_caller]
fn check(table: &Table, row: usize, text: &str, document_type: DocumentType) -> Outcome {
    let document = Document::new(text.as_bytes(), document_type);
    let scan = document.scan(table).map_err(|refusal| format!("{text}: {refusal}"))?;
    let [link] = &scan.links[..] else { return Err(format!("{text}: {:?}", scan.links).into()) };
    let reference = document.reference(link);
    assert_eq!(reference.text(), "found", "{text}");
    let is_nested = table.rows()[row].grammar == Grammar::Html;
    let is_of_row = matches!(link.place, Place::Attribute { row: found, .. } if usize::from(found) == row);
    assert!(is_of_row || is_nested, "{text} is found by another row");
    let mut edits = Edits::default();
    reference.edit_to("http://h/found", &mut edits);
    let changed = edits.splice(text.as_bytes());
    assert_eq!(String::from_utf8_lossy(&changed), text.replace("found", "http://h/found"));
    let document = Document::new(&changed, document_type);
    let scan = document.scan(table)?;
    assert_eq!((document.reference(&scan.links[0]).text(), scan.links.len()), ("http://h/found", 1), "{text}");
    Ok(())
}

fn conditions(row: &Row) -> Vec<String> {
    match row.when {
        When::Holds(names, values) => {
            names.iter().flat_map(|name| values.iter().map(move |value| format!(" {name}='{value}'"))).collect()
        }
        When::Lists(name, values) => values.iter().map(|value| format!(" {name}='x {value}'")).collect(),
        _ => vec![String::new()],
    }
}

fn value(row: &Row) -> &'static str {
    match row.grammar {
        Grammar::Css => "background:url(found)",
        Grammar::Refresh => "0;url=found",
        Grammar::KeyValue => "name=x;action-uri=found",
        Grammar::Html => "&lt;p>&lt;a href=\"found\">",
        _ => "found",
    }
}

fn html(row: &Row, condition: &str) -> String {
    let element = if row.element == "*" { "x-any" } else { &*row.element };
    format!("<{element} {}='{}'{condition}>", row.attribute, value(row))
}

/// Returns a feed with the link of a row.
fn json(row: &Row) -> String {
    if row.element == "speculationrules" {
        return format!("{{\"prefetch\":[{{\"where\":{{\"{}\":[\"found\"]}}}}]}}", row.attribute);
    }
    let object = format!("{{\"{}\":{:?}}}", row.attribute, value(row).replace("&lt;", "<"));
    let members = match &*row.element {
        "feed" => object[1..object.len() - 1].to_owned(),
        "item" => format!("\"items\":[{object}]"),
        "attachment" => format!("\"items\":[{{\"attachments\":[{object}]}}]"),
        name => format!("\"{name}s\":[{object}]"),
    };
    format!("{{{members},\"version\":\"https://jsonfeed.org/version/1.1\"}}")
}

/// Returns a document with the link of a row, and with every namespace of the table.
fn xml(row: &Row, condition: &str) -> String {
    const NAMESPACES: [(&str, &str); 27] = [
        ("xlink", "http://www.w3.org/1999/xlink"),
        ("v", "urn:schemas-microsoft-com:vml"),
        ("o", "urn:schemas-microsoft-com:office:office"),
        ("r", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
        ("atom", "http://www.w3.org/2005/Atom"),
        ("rss", "http://purl.org/rss/1.0/"),
        ("content", "http://purl.org/rss/1.0/modules/content/"),
        ("media", "http://search.yahoo.com/mrss/"),
        ("itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd"),
        ("wfw", "http://wellformedweb.org/CommentAPI/"),
        ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
        ("opml", "http://opml.org/spec2"),
        ("thr", "http://purl.org/syndication/thread/1.0"),
        ("app", "http://www.w3.org/2007/app"),
        ("podcast", "https://podcastindex.org/namespace/1.0"),
        ("psc", "http://podlove.org/simple-chapters"),
        ("googleplay", "http://www.google.com/schemas/play-podcasts/1.0"),
        ("sitemap", "http://www.sitemaps.org/schemas/sitemap/0.9"),
        ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
        ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
        ("opensearch", "http://a9.com/-/spec/opensearch/1.1/"),
        ("moz", "http://www.mozilla.org/2006/browser/search/"),
        ("kml", "http://www.opengis.net/kml/2.2"),
        ("xspf", "http://xspf.org/ns/0/"),
        ("docbook", "http://docbook.org/ns/docbook"),
        ("xi", "http://www.w3.org/2001/XInclude"),
        ("other", "urn:other"),
    ];
    let declarations: String = NAMESPACES.map(|(prefix, uri)| format!(" xmlns:{prefix}='{uri}'")).concat();
    // Languages without a namespace.
    if let Some((root, local)) =
        row.element.split_once(':').filter(|(root, _)| ["dita", "browserconfig"].contains(root))
    {
        let (local, attribute) = (local.replace('*', "any"), &row.attribute);
        return format!("<{root}><{local} {attribute}='{}'/></{root}>", value(row));
    }
    let is_in_namespace = row.attribute.contains(':');
    let element = match &*row.element {
        "*" if is_in_namespace => "other:any",
        "*" => "any",
        element => element,
    };
    let root = |inner: &str| format!("<html xmlns='http://www.w3.org/1999/xhtml'{declarations}>{inner}</html>");
    match (&*row.attribute, &*row.element) {
        ("", _) => root(&format!("<{element}{condition}>{}</{element}>", value(row))),
        (attribute, "?xml-stylesheet") => format!("<?xml-stylesheet {attribute}='{}'?>{}", value(row), root("")),
        (attribute, _) => root(&format!("<{element} {attribute}='{}'{condition}/>", value(row))),
    }
}

/// `docs/links.md` is generated from the table by `UPDATE_DOCS=1 cargo test -p absolve-links`.
#[test]
fn the_page_of_the_documentation_is_the_table() -> Outcome {
    let path = root().join("docs/links.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page)?;
    }
    let written = std::fs::read_to_string(&path)?;
    assert!(written == page, "docs/links.md is outdated; UPDATE_DOCS=1 generates it");
    Ok(())
}

fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for group in Group::ALL {
        let is_on = match group {
            _ if Group::DEFAULT.contains(&group) => "on by default",
            Group::Amp => "on with `--for mail`, and in documents of AMP",
            _ if Group::MAIL.contains(&group) => "on with `--for mail`",
            _ => "off by default",
        };
        page.push_str(&format!("\n## `{}`, {is_on}\n\n", group.name()));
        page.push_str(
            "| element | attribute | holds | only when | resolves against | in | from |\n|---|---|---|---|---|---|---|\n",
        );
        for row in Table::of_groups(&[group], Vec::new()).searched() {
            let when = match row.when {
                When::Holds(names, values) => format!("{} is {}", names.join(" or "), values.join(", ")),
                When::Lists(name, values) => format!("{name} lists {}", values.join(", ")),
                When::WithoutBaseUrl => "its navbar has no `base-url`, which MJML puts before it".to_owned(),
                _ => String::new(),
            };
            let resolves_in = match row.resolves_in {
                ResolvesIn::Codebase => "codebase",
                ResolvesIn::DocumentOrCodebase => "document; by HTML 4 codebase",
                ResolvesIn::Outside => "outside",
                ResolvesIn::Around => "around",
                _ => "document",
            };
            let attribute = if row.attribute.is_empty() { "(text)" } else { &row.attribute };
            let syntax = match row.syntax {
                Syntax::Xml => "XML",
                Syntax::Json => "JSON",
                Syntax::FrontMatter => "Markdown",
                _ => "all",
            };
            let (element, grammar, source) = (&row.element, row.grammar.name(), row.source);
            page.push_str(&format!(
                "| {element} | {attribute} | {grammar} | {when} | {resolves_in} | {syntax} | {source} |\n"
            ));
        }
    }
    page
}

const INTRODUCTION: &str = "\
# Links

The places that contain references, generated from `crates/links/src/table`. `--groups` selects groups, and
`--attr` [adds places](#more-places). In addition, `style` elements and stylesheets are scanned as CSS, and plain
text for `<URL:…>`, and in HTML, in the group `mjml`, the text of `mj-style` as CSS.

XML names have their conventional prefixes here. In a document, the namespace counts. `(text)` is the text of the element,
with character references decoded and CDATA sections included. `html` is a nested document. A place that resolves against
`outside` or `around` declares a base itself: `outside` is the base of the document without its BASE element, `around` the
base around the element.

In Markdown (CommonMark 0.31, with tables, footnotes and mathematics of GitHub), the destinations of links, images, definitions and autolinks are
links, and tags are read as HTML. Of several definitions of a label, the first counts. Code, mathematics and the text of images
stay, and so does front matter, but for the keys of the group `front-matter`: those in the first column, with their value in the same line.
`[[page]]`, a link of some wikis, is text, and reported. A backslash that escapes nothing is a slash in a URL, although renderers write `%5C`.

In JSON Feed, an element is an object, and an attribute a member of it: `feed` is the whole, `author` stands in `author` or `authors`. Only
strings count. Of several members with one name the last counts, as for nearly all readers. `id`, `content_text` and extensions (`_x`) hold
no links. What is not JSON in UTF-8 stays, with a finding.

In XML of a vocabulary that these tables do not have, `absolve` reports attributes `href`, `src` and `url` with relative references
(`unknown-vocabulary`). The namespace of an element determines its vocabulary. In a document without a namespace the root element does: `urlset` and
`sitemapindex` of sitemaps, `kml`, `OpenSearchDescription`, `browserconfig`, and those of DocBook 4 and DITA. The root elements of the last two are
common words, and DITA is specialised, so that `absolve` reports other such attributes there, too. The texts of sitemaps and the `template` of
OpenSearch have to be absolute URLs; relative ones are links nevertheless. Parameters such as `{searchTerms}`, and `$[name]` in KML, stay as they are.
The element `speculationrules` is an object in a `<script type=speculationrules>` or in a file of the type `application/speculationrules+json`.
Its `urls` and `href_matches` may be a string or an array, at any depth of `where`, `and`, `or` and `not`
([precedence.md](precedence.md#speculation-rules)).

Never links: `itemtype`, `javascript:`, `data:`, `cid:` and `mid:` URLs, `usemap=\"#m\"`, `url(#id)`,
`href=\"#id\"` and `xlink:href=\"#id\"` in SVG but for an `a`, an empty `action`, `formaction` or `src`, `@namespace`, `atom:id`,
the `cdbase` of MathML, the `ref` of RFC 4685, the `identifier` of XSPF, the `sourceHref` of KML, scripts, comments and placeholders. A `guid` counts
only with `isPermaLink=\"true\"`: RSS has that as the default, but most are mere names. The `value` of a `param` counts only
in the group `plugins`. Values in the namespace of the Mozilla Archive Format are literals, although they stand in `rdf:resource`. Bindings of AMP (`[src]`) are expressions, and the `path` of an `mj-include` is a file that MJML reads.

A document of AMP has a mark in its first tag: `<html ⚡>`, `<html amp>`, or one of `amp4ads`, `amp4email`, `⚡4ads` and `⚡4email`. In such a
document, the group `amp` is on with any `--groups`.

`absolve check` counts the relative references that it passes: those in groups that are off (`2 more links in data-src, with --groups
core,legacy,social,lazy`), and the inline scripts that import modules by relative references (`import \"./a.js\"` in a
`<script type=module>`, a `<script type=importmap>`). Scripts are never edited, except for speculation rules.

## More places

`--attr` adds a place, and can be repeated. The grammar is one of the column `holds`.

| `--attr` | place |
|---|---|
| `x-card@image=url` | the attribute `image` of the element `x-card`, in HTML and in XML without a namespace |
| `*@data-image=srcset` | the attribute `data-image` of any element |
| `loc:text=url` | the text of the element `loc`, in XML without a namespace |
| `atom:link@x=url`, `rss:guid:text=url` | a place in a vocabulary of these tables, by its prefix here |
| `{urn:example}item@href=url` | the attribute `href` of the element `item` in the namespace `urn:example`, whatever its prefix is in the document |
| `{urn:example}*@href=url` | the attribute `href` of any element in that namespace |
| `{urn:example}body:text=html` | the text of the element `body` in that namespace, which is HTML |
| `*@{urn:example}href=url` | the attribute `href` in that namespace, of any element |

As in the tables, case does not count.
";

/// Of two rows for one place, the second would never apply.
#[test]
fn no_row_appears_twice() {
    let table = Table::of_groups(&Group::ALL, Vec::new());
    let places: std::collections::HashSet<_> =
        table.rows().iter().map(|row| (&row.element, &row.attribute, row.when)).collect();
    assert_eq!(places.len(), table.rows().len());
}
