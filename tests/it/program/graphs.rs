//! `absolve links --graph`: links summed up as edges.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::support::warc::{HTML, record, response};
use crate::support::{Outcome, argument, folder_with, run};

/// Returns an archive of pages on three hosts, two of one domain, from two dates, with links of every kind.
fn archive() -> Vec<u8> {
    let page = |number, url: &str, date: &str, html: &str| {
        let record = response(number, url, "200 OK", HTML, html.as_bytes());
        String::from_utf8_lossy(&record).replace("2020-01-01T00:00:00Z", date).into_bytes()
    };
    let first = "<base href=http://a.example.co.uk/d/><a href=x>1</a><a href=//b.example.co.uk/ rel='NoFollow me'>2</a>\
                 <a href=//b.example.co.uk/#f>3</a><a href=mailto:a@b.example>4</a><a href=data:,x>5</a><img src=//c.example/i.png>\
                 <a href='http://[::1]/'>6</a><a href='http://%zz/'>7</a>";
    let second = "<a href=HTTP://B.example.co.uk:80/>1</a><a href=http://user@c.example/ rel=nofollow>2</a>";
    let link = "Link: <http://d.example/>; rel=up; anchor=\"http://c.example/s\"\r\n";
    [
        page(1, "http://a.example.co.uk/p", "2020-01-01T00:00:00Z", first),
        page(2, "http://a.example.co.uk/q#f", "2021-06-01T00:00:00.5Z", second),
        page(3, "http://c.example/", "never", "<a href=http://a.example.co.uk/>x</a>"),
        response(4, "http://c.example/r", "301 Moved", &format!("Location: http://d.example/\r\n{link}"), b""),
        record("resource", 5, "WARC-Target-URI: urn:x:y\r\nContent-Type: text/html\r\n", b"<a href=http://h/>"),
    ]
    .concat()
}

#[test]
fn references_that_mean_their_document_are_in_no_edge() -> Outcome {
    let page = "<base href=http://b.example/><form action=''><button formaction=' '></button></form><img src='' usemap='#m'>\
                <svg><use href='#i'/></svg><p style='filter:url(#f)'><a href='#t'>t</a>";
    let folder = folder_with(&[("a.html", page)])?;
    let path = folder.path().join("a.html");
    let edges = edges_of(&json_of(&["--url", "http://a.example/", "--graph", "hosts", argument(&path)])?);
    assert_eq!(edges, ["a.example b.example 1 0 null null"]);
    Ok(())
}

fn json_of(arguments: &[&str]) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let (status, out, errors) = run(&[&["links", "--json"], arguments].concat())?;
    assert_eq!(status, 0, "{errors}");
    Ok(out.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// Returns the edges as text: source, target, links, nofollow, first and last date.
fn edges_of(rows: &[Value]) -> Vec<String> {
    let cell = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let names = ["source", "target", "links", "nofollow", "first", "last"];
    rows.iter().map(|row| names.map(|name| cell(&row[name])).join(" ")).collect()
}

#[test]
fn edges_are_the_sums_of_links() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, archive())?;
    let (first, second) = ("2020-01-01T00:00:00Z", "2021-06-01T00:00:00Z");
    let hosts = edges_of(&json_of(&["--graph", "hosts", argument(&path)])?);
    let expected = [
        format!("a.example.co.uk [::1] 1 0 {first} {first}"),
        format!("a.example.co.uk b.example.co.uk 3 1 {first} {second}"),
        format!("a.example.co.uk c.example 2 1 {first} {second}"),
        "c.example a.example.co.uk 1 0 null null".to_owned(),
        format!("c.example d.example 2 0 {first} {first}"),
    ];
    assert_eq!(hosts, expected);
    let domains = edges_of(&json_of(&["--graph", "domains", "--internal", argument(&path)])?);
    let expected = [
        format!("c.example d.example 2 0 {first} {first}"),
        "c.example example.co.uk 1 0 null null".to_owned(),
        format!("example.co.uk [::1] 1 0 {first} {first}"),
        format!("example.co.uk c.example 2 1 {first} {second}"),
        format!("example.co.uk example.co.uk 4 1 {first} {second}"),
    ];
    assert_eq!(domains, expected);
    let pages = edges_of(&json_of(&["--graph", "pages", argument(&path)])?);
    assert!(
        pages.contains(&format!("http://a.example.co.uk/p http://b.example.co.uk/ 2 1 {first} {first}")),
        "{pages:?}"
    );
    assert!(
        pages.contains(&format!("http://a.example.co.uk/q http://b.example.co.uk/ 1 0 {second} {second}")),
        "{pages:?}"
    );
    assert!(pages.contains(&format!("http://c.example/s http://d.example/ 1 0 {first} {first}")), "{pages:?}");
    Ok(())
}

/// What a database makes of the rows of links is what the program makes.
#[test]
fn edges_of_hosts_are_those_of_the_rows() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, archive())?;
    let mut sums: BTreeMap<(String, String), u64> = BTreeMap::new();
    for row in json_of(&["--columns", "source_host,target_host,element,anchor", argument(&path)])? {
        let host = |name: &str| row[name].as_str().map(str::to_owned);
        if row["element"] == "base" {
            continue;
        }
        let source = row["anchor"].as_str().map(|_| "c.example".to_owned()).or(host("source_host"));
        if let Some(pair) = source.zip(host("target_host")).filter(|(source, target)| source != target) {
            *sums.entry(pair).or_default() += 1;
        }
    }
    let edges = json_of(&["--graph", "hosts", argument(&path)])?;
    let edges: BTreeMap<(String, String), u64> = edges
        .iter()
        .map(|edge| {
            let text = |name: &str| edge[name].as_str().unwrap_or_default().to_owned();
            ((text("source"), text("target")), edge["links"].as_u64().unwrap_or(0))
        })
        .collect();
    assert_eq!((edges.len(), edges), (5, sums));
    Ok(())
}

#[test]
fn links_in_no_edge_are_counted() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, archive())?;
    let (status, _, errors) = run(&["links", "--graph", "hosts", argument(&path)])?;
    let said = "4 links in no edge: 3 to targets without a host, 1 from a node to itself, which --internal counts\n";
    assert_eq!((status, errors.lines().last()), (0, Some(said.trim_end())));
    let page = folder.path().join("p.html");
    fs::write(&page, "<a href=http://h/><a href=x>")?;
    let (status, out, errors) = run(&["links", "--graph", "pages", argument(&page)])?;
    assert_eq!((status, &*out), (0, ""));
    assert!(errors.ends_with("2 links in no edge: 2 on pages without a URL that has a host\n"), "{errors}");
    Ok(())
}

/// Vertices are numbered in the order of their reversed names, edges are pairs of numbers in their order.
#[test]
fn web_graphs_are_two_files_like_those_of_common_crawl() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, archive())?;
    let prefix = folder.path().join("g");
    let arguments =
        ["links", "--quiet", "--graph", "hosts", "--format", "webgraph", "-o", argument(&prefix), argument(&path)];
    assert_eq!(run(&arguments)?, (0, String::new(), String::new()));
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    let vertices = "0\t[::1]\n1\texample.c\n2\texample.d\n3\tuk.co.example.a\n4\tuk.co.example.b\n";
    assert_eq!(read("g-vertices.txt")?, vertices);
    assert_eq!(read("g-edges.txt")?, "1\t2\n1\t3\n3\t0\n3\t1\n3\t4\n");
    assert_eq!(run(&arguments)?.0, 2, "it exists");
    Ok(())
}

#[test]
fn graphml_has_all_nodes_and_edges() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    let odd = response(1, "http://h/?a&b", "200 OK", HTML, b"<a href='?\"&<>'>x</a>");
    fs::write(&path, [archive(), odd].concat())?;
    let (status, out, _) = run(&["links", "--graph", "pages", "--format", "graphml", argument(&path)])?;
    assert_eq!(status, 0);
    assert!(out.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns="), "{out}");
    assert!(
        out.contains("<edge source=\"http://h/?a&amp;b\" target=\"http://h/?%22&amp;%3C%3E\"><data key=\"links\">1<"),
        "{out}"
    );
    let edges = json_of(&["--graph", "pages", argument(&path)])?;
    assert_eq!(out.matches("<edge ").count(), edges.len());
    let mut nodes: Vec<&str> = edges
        .iter()
        .flat_map(|edge| ["source", "target"].map(|name| edge[name].as_str().unwrap_or_default()))
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(out.matches("<node ").count(), nodes.len());
    Ok(())
}

#[test]
fn what_does_not_go_together_is_refused() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x>")])?;
    let page = folder.path().join("a.html");
    for (arguments, why) in [
        (&["--format", "webgraph"][..], "--format webgraph needs --graph hosts or --graph domains"),
        (&["--format", "webgraph", "--graph", "pages"], "--format webgraph needs --graph hosts or --graph domains"),
        (&["--format", "webgraph", "--graph", "hosts"], "--format webgraph writes two files; give -o PREFIX"),
        (&["--format", "graphml"], "--format graphml needs --graph"),
        (&["--columns", "url"], "--columns is for tables; give --format csv, json or parquet"),
        (&["--columns", "url,href", "--json"], "no column is named \"href\"; there are path, "),
        (&["--columns", "url,url", "--json"], "the column url appears twice"),
        (&["--columns", "url", "--graph", "hosts"], "cannot be used with"),
        (&["--internal"], "--graph"),
    ] {
        let (status, out, errors) = run(&[&["links", argument(&page)], arguments].concat())?;
        assert!(status == 2 && out.is_empty() && errors.contains(why), "{arguments:?}: {errors}");
    }
    Ok(())
}

/// A column is the same whichever others there are.
#[test]
fn columns_are_those_of_the_whole_table() -> Outcome {
    let folder = folder_with(&[("p.html", "<base href=/x/>\n<a href=y rel=me>z</a>")])?;
    let (archive_path, page) = (folder.path().join("a.warc"), folder.path().join("p.html"));
    fs::write(&archive_path, archive())?;
    let inputs = [argument(&archive_path), argument(&page)];
    let all = json_of(&inputs)?;
    let names: Vec<String> = all[0].as_object().map(|row| row.keys().cloned().collect()).unwrap_or_default();
    assert_eq!((names.len(), all.len()), (23, 16));
    for name in &names {
        let rows = json_of(&[&["--columns", name], &inputs[..]].concat())?;
        let expected: Vec<&Value> = all.iter().map(|row| &row[name]).collect();
        assert_eq!(rows.iter().map(|row| &row[name]).collect::<Vec<_>>(), expected, "{name}");
        assert!(rows.iter().all(|row| row.as_object().is_some_and(|row| row.len() == 1)), "{name}");
    }
    let (_, csv, _) = run(&[&["links", "--format", "csv", "--columns", "anchor"], &inputs[..]].concat())?;
    assert_eq!(csv.lines().filter(|line| *line == "\"\"").count(), all.len() - 1, "{csv}");
    Ok(())
}
