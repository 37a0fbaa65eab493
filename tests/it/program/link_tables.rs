//! `absolve links` as a table: JSON, CSV and Parquet say the same.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::stops::interrupted;
use crate::support::warc::{HTML, record, response};
use crate::support::{Outcome, argument, folder_with, run};

const PAGE: &[u8] =
    b"<link rel=' next  page' href=b><a href='/c?x&amp;y' rel=nofollow>The\n <b>&lt;next&gt;</b> page</a>";
const LINKS: &str = "Link: </style.css>; rel=preload; as=style, <x,y>; title=\"a, <b>; rel=no\"; rel=\"up  first\"; rel=no,\r\n \
                     <#z>; anchor=\"/other\"; rel=me\r\n";

/// Returns the archive: a redirection, a page whose response has links, an image, a resource.
fn archive() -> Vec<u8> {
    let resource = "WARC-Target-URI: http://h/r\r\nContent-Type: text/html\r\n";
    [
        response(1, "http://h/d/a#f", "301 Moved", "Location: ../b\r\nContent-Type: text/html\r\n", b"<a href=x>"),
        response(2, "http://h/d/b", "200 OK", &format!("{HTML}{LINKS}"), PAGE),
        response(3, "http://h/i.png", "200 OK", "Content-Type: image/png\r\nLink: <p>; rel=canonical\r\n", b"\x89PNG"),
        record("resource", 4, resource, b"<a href=s>"),
    ]
    .concat()
}

fn json_of(arguments: &[&str]) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let (status, out, errors) = run(&[&["links", "--format", "json"], arguments].concat())?;
    assert_eq!((status, &*errors), (0, ""));
    Ok(out.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn text<'v>(link: &'v Value, name: &str) -> &'v str {
    link[name].as_str().unwrap_or("null")
}

#[test]
fn a_link_has_its_page_its_record_and_what_is_said_of_it() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, archive())?;
    let links = json_of(&[argument(&path)])?;
    let of = |names: &[&str]| -> Vec<String> {
        links.iter().map(|link| names.iter().map(|name| text(link, name)).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(
        of(&["record", "element", "attribute", "reference", "target", "status"]),
        [
            "1 http location ../b http://h/b#f kept",
            "2 http link /style.css http://h/style.css kept",
            "2 http link x,y http://h/d/x,y kept",
            "2 http link #z http://h/d/b#z kept",
            "2 link href b http://h/d/b relative",
            "2 a href /c?x&y http://h/c?x&y relative",
            "3 http link p http://h/p kept",
            "4 a href s http://h/s relative",
        ]
    );
    assert_eq!(of(&["rel"]), ["null", "preload", "up first", "me", "next page", "nofollow", "canonical", "null"]);
    assert_eq!(of(&["text"])[4..], ["null", "The <next> page", "null", ""]);
    assert_eq!(of(&["anchor"])[2..4], ["null", "http://h/other"]);
    assert_eq!(of(&["url"])[..2], ["http://h/d/a#f", "http://h/d/b"]);
    assert_eq!(links[1]["line"], 3);
    for link in &links {
        let id = format!("<urn:uuid:00000000-0000-0000-0000-{:0>12}>", text(link, "record"));
        assert_eq!((text(link, "date"), text(link, "record_id")), ("2020-01-01T00:00:00Z", &*id));
    }
    // The bytes of a field are those of the response.
    let block = format!("HTTP/1.1 200 OK\r\n{HTML}{LINKS}");
    let (start, end) =
        (links[2]["start"].as_u64().unwrap_or(0) as usize, links[2]["end"].as_u64().unwrap_or(0) as usize);
    assert_eq!(&block[start..end], "x,y");
    let (status, out, _) = run(&["check", argument(&path)])?;
    assert_eq!((status, out.lines().count(), out.contains("http@")), (1, 3, false));
    Ok(())
}

#[test]
fn dates_of_arc_records_are_dates_of_warc() -> Outcome {
    let block = "HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n";
    let record = format!("http://h/d/ 127.0.0.1 20080430204825 text/html {}\n{block}\n", block.len());
    let version = "filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 InternetArchive\nURL IP-address Archive-date \
                   Content-type Archive-length\n\n";
    let folder = folder_with(&[("a.arc", &format!("{version}{record}"))])?;
    let links = json_of(&[argument(&folder.path().join("a.arc"))])?;
    assert_eq!((text(&links[0], "target"), text(&links[0], "date")), ("http://h/x", "2008-04-30T20:48:25Z"));
    assert_eq!(text(&links[0], "record_id"), "null");
    Ok(())
}

#[test]
fn fields_that_are_malformed_or_in_thousands() -> Outcome {
    let fields = [
        "Location: \r\n",
        "Link:\r\nLink: ,,;;,\r\nLink: <\r\nLink: no\r\n",
        "Link: <a\r\nLink: <b>; rel=\"open\r\nLink: <c>; rel=\"\\\"\\\r\nLink: <d>;;=;rel;, <e\r\n",
        &"Link: <f>; rel=x\r\n".repeat(5_000),
        &format!("Link: {}\r\n", "<g>,".repeat(5_000)),
        "Link: <\u{e9}\u{ff}>; rel=\u{e9}\r\nLink: <http://[>\r\n",
    ]
    .concat();
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, response(1, "http://h/", "200 OK", &fields, b"\x89PNG"))?;
    let links = json_of(&[argument(&path)])?;
    let references: Vec<&str> = links.iter().map(|link| text(link, "reference")).collect();
    assert_eq!(references[..3], ["b", "c", "d"]);
    assert_eq!(references[3..].iter().filter(|reference| **reference == "f").count(), 5_000);
    assert_eq!(references[3..].iter().filter(|reference| **reference == "g").count(), 5_000);
    assert_eq!(references[10_003..], ["\u{e9}\u{ff}", "http://["]);
    Ok(())
}

/// Among them are responses whose target is of the archive itself, and those that have none.
#[test]
fn responses_without_a_url_are_listed_and_reported() -> Outcome {
    let block = format!("HTTP/1.1 200 OK\r\n{HTML}Link: <s>; rel=up\r\n\r\n<a href=x>");
    let of = |number: u32, target: &str| {
        let fields = format!("{target}Content-Type: application/http; msgtype=response\r\n");
        record("response", number, &fields, block.as_bytes())
    };
    let target = |uri: &str| format!("WARC-Target-URI: {uri}\r\n");
    let log = "WARC-Target-URI: metadata://wget/log\r\nContent-Type: text/html\r\n";
    let archive = [
        of(1, &target("metadata:x")),
        of(2, ""),
        of(3, &target("h/no-scheme")),
        of(4, &target("urn:a:b")),
        response(5, "dns:h", "301 Moved", "Location: /y\r\n", b""),
        record("resource", 6, log, b"<a href=z>"),
    ];
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, archive.concat())?;
    let (status, out, said) = run(&["links", "--json", argument(&path)])?;
    let links: Vec<Value> = out.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let rows: Vec<String> =
        links.iter().map(|link| format!("{} {}", text(link, "record"), text(link, "reference"))).collect();
    assert_eq!((status, rows), (0, ["1 s", "2 s", "3 s", "3 x", "4 s", "5 /y"].map(str::to_owned).to_vec()), "{said}");
    assert!(links.iter().all(|link| link["target"].is_null() && link["status"] == "unresolved"), "{out}");
    for (number, why) in [
        (1, "its WARC-Target-URI \"metadata:x\" is not the URL of a document"),
        (2, "it has no WARC-Target-URI"),
        (3, "its WARC-Target-URI \"h/no-scheme\" has no scheme"),
        (4, "its WARC-Target-URI \"urn:a:b\" is not the URL of a document"),
    ] {
        assert!(said.contains(&format!("record {number}: record-url: {why}")), "{said}");
    }
    assert_eq!(said.matches("record-url").count(), 4, "{said}");
    let (status, _, said) = run(&["check", argument(&path)])?;
    assert!(
        status == 1 && said.ends_with("1 link relative in 1 document; 4 findings above left something unread\n"),
        "{said}"
    );
    Ok(())
}

/// A field of links of three bytes each is not listed in memory as a whole.
#[test]
fn the_list_of_a_header_is_bounded() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, response(1, "http://h/", "200 OK", &format!("Link: {}\r\n", "<>,".repeat(200_000)), b"\x89PNG"))?;
    let (status, out, errors) = run(&["links", argument(&path)])?;
    assert_eq!(status, 0);
    assert!((50_000..200_000).contains(&out.lines().count()), "{}", out.lines().count());
    assert!(errors.contains("output-too-large"), "{errors}");
    Ok(())
}

const HOSTILE: &str = "<a href='=cmd|x' rel='@x'>=1+1</a><a href=-x>&#xD800;\0\x01\x1b[31m\u{202e}</a><a href='a\"b,c\r\nd'>, \"\r\n'</a>\
                       <a href=\"'x\">+\t-</a><a href=y\0z>w</a>";

#[test]
fn csv_has_the_same_rows() -> Outcome {
    let folder = folder_with(&[("a.html", HOSTILE)])?;
    let page = folder.path().join("a.html");
    let links = json_of(&["--url", "http://h/", argument(&page)])?;
    let (status, out, _) = run(&["links", "--format", "csv", "--url", "http://h/", argument(&page)])?;
    assert_eq!(status, 0);
    assert!(!out.contains('\0'));
    let mut reader = csv_of(&out);
    let names = reader.remove(0);
    assert_eq!((&*names[0], names.len(), reader.len()), ("path", 25, links.len()));
    for (row, link) in reader.iter().zip(&links) {
        for (name, cell) in names.iter().zip(row) {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']), "{name}: {cell}");
            let plain = cell.strip_prefix('\'').unwrap_or(cell);
            let expected = match &link[&**name] {
                Value::String(text) => text.replace('\0', "\u{FFFD}"),
                Value::Null if name == "out_of_reach" => "false".to_owned(),
                Value::Null => String::new(),
                other => other.to_string(),
            };
            assert_eq!(plain, expected, "{name}");
        }
    }
    Ok(())
}

/// Reads CSV as RFC 4180 defines it.
fn csv_of(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => cell.extend(characters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    rows
}

#[test]
fn hosts_are_counted() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    let page = b"<a href=x><a href=http://O.example:81/a><a href=//o.example/><a href=mailto:a@b>";
    fs::write(&path, [response(1, "http://h/d/", "200 OK", HTML, page), archive()].concat())?;
    let all = json_of(&[argument(&path)])?.len() as u64;
    let rows = json_of(&["--unique-hosts", argument(&path)])?;
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    let expected = [("h", 9), ("o.example", 2), ("", 1)]
        .map(|(target, links)| format!("{{\"page_host\":\"h\",\"target_host\":\"{target}\",\"links\":{links}}}"));
    assert_eq!((rows, all), (expected.to_vec(), 12));
    let (_, text, _) = run(&["links", "--unique-hosts", argument(&path)])?;
    assert_eq!(text, "h\th\t9\nh\to.example\t2\nh\t(no host)\t1\n");
    Ok(())
}

#[test]
fn a_table_is_written_whole_or_not_at_all() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=x>"), ("in/t.dat", "x")])?;
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    let (input, page, output, data) = (path("in"), path("in/a.html"), path("out.csv"), path("in/t.dat"));
    let links = |more: &[&str]| run(&[&["links", "--format", "csv"], more].concat());
    assert_eq!(links(&[&data, "-o", &output])?.0, 2);
    assert!(!Path::new(&output).exists(), "no document, and yet a table");
    assert_eq!(links(&[&input, "-o", &output])?, (0, String::new(), String::new()));
    let written = fs::read_to_string(&output)?;
    assert_eq!(written.lines().count(), 2);
    let (status, _, errors) = links(&[&input, "-o", &output])?;
    assert!(status == 2 && errors.contains("exists; --force replaces it"), "{errors}");
    assert_eq!(links(&[&input, "-o", &output, "--force", "--quiet"])?.0, 0);
    assert_eq!(fs::read_to_string(&output)?, written);
    for input in [&input, &page] {
        let (status, _, errors) = links(&[input, "-o", &page, "--force"])?;
        assert!(status == 2 && errors.contains("is an input; name another file"), "{errors}");
    }
    assert_eq!(links(&[&input, "-o", &path("no/out.csv")])?.0, 2);
    assert_eq!(fs::read_dir(folder.path())?.count(), 2, "a temporary file was left");
    assert_eq!(run(&["links", "--json", "--format", "csv", &input])?.0, 2);
    assert_eq!(links(&[&input, "-o", "-"])?.1, written);
    assert_eq!(run(&["links", "--quiet", &input])?.1, run(&["links", &input])?.1);
    Ok(())
}

/// Ctrl-C leaves no `.absolve-*.tmp` in the folder of the table.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_half_table() -> Outcome {
    let folder = folder_with(&[("old.csv", "old")])?;
    for name in ["new.csv", "old.csv"] {
        let output = folder.path().join(name);
        let links = ["links", "-", "--type", "html", "--format", "csv", "--force", "-o", argument(&output)];
        assert_eq!(interrupted(&links)?, None, "it ended before the signal");
    }
    let files: Vec<_> = fs::read_dir(folder.path())?.collect::<Result<_, _>>()?;
    assert_eq!((files.len(), &*fs::read_to_string(folder.path().join("old.csv"))?), (1, "old"), "{files:?}");
    Ok(())
}

#[test]
fn a_table_of_nothing_is_none_or_a_whole_one() -> Outcome {
    let folder = folder_with(&[("in/t.dat", "x"), ("page/a.html", "<p>")])?;
    let path = |name: &str| folder.path().join(name);
    let (data, page) = (path("in/t.dat"), path("page/a.html"));
    let formats = ["text", "json", "csv", "parquet"];
    for format in formats.iter().filter(|format| **format != "parquet" || cfg!(feature = "parquet")) {
        let links = ["links", "--format", format];
        let (output, whole) = (path(&format!("none.{format}")), path(&format!("whole.{format}")));
        for more in [&[][..], &["--unique-hosts"]] {
            let (status, out, _) = run(&[&links[..], &[argument(&data)], more].concat())?;
            assert!(status == 2 && (out.is_empty() || (*format == "csv" && out.lines().count() == 1)), "{out}");
            let (status, ..) = run(&[&links[..], &[argument(&data), "-o", argument(&output)], more].concat())?;
            assert!(status == 2 && !output.exists(), "{format}");
        }
        // A document without links is a table without rows.
        assert_eq!(run(&[&links[..], &[argument(&page), "-o", argument(&whole)]].concat())?.0, 0);
        let written = fs::read(whole)?;
        match *format {
            "csv" => assert!(written.starts_with(b"path,") && written.ends_with(b"\n")),
            "parquet" => assert!(written.starts_with(b"PAR1") && written.ends_with(b"PAR1")),
            _ => assert!(written.is_empty()),
        }
    }
    Ok(())
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_needs_its_feature() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x>")])?;
    let (status, out, errors) = run(&["links", "--format", "parquet", argument(folder.path())])?;
    assert_eq!((status, &*out), (2, ""));
    assert!(errors.contains("--features parquet"), "{errors}");
    Ok(())
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_same_rows() -> Outcome {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let folder = folder_with(&[
        ("in/a.html", HOSTILE),
        ("in/b.html", &"<a href=x>y</a>".repeat(70_000)),
        ("in/c.html", "<a href=z>"),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out.parquet"));
    let links = json_of(&["--url", "http://h/", argument(&input)])?;
    let parquet = ["links", "--format", "parquet", "--url", "http://h/", argument(&input), "-o", argument(&output)];
    assert_eq!(run(&parquet)?.0, 0);
    let reader = SerializedFileReader::new(fs::File::open(&output)?)?;
    assert_eq!(reader.metadata().num_row_groups(), 2);
    let mut rows = 0;
    for (row, link) in reader.get_row_iter(None)?.zip(&links) {
        for (name, field) in row?.get_column_iter() {
            let value = match field {
                Field::Str(text) => Value::from(&**text),
                Field::Long(number) => Value::from(*number),
                Field::Bool(flag) => Value::from(*flag),
                _ => Value::Null,
            };
            let expected = if name == "out_of_reach" { &Value::Bool(false) } else { &link[name] };
            assert_eq!(&value, expected, "{name}");
        }
        rows += 1;
    }
    assert_eq!(rows, links.len());
    Ok(())
}

#[test]
fn responses_without_a_type_are_read_if_they_begin_like_html() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    let page =
        |number, start: &str| response(number, "http://h/", "200 OK", "", format!("{start}<a href=x>").as_bytes());
    fs::write(&path, [page(1, " <P class=a>"), page(2, "<pre>"), page(3, "<table>")].concat())?;
    let (_, out, _) = run(&["links", "--format", "csv", "--columns", "record,target", argument(&path)])?;
    assert_eq!(out, "record,target\n1,http://h/x\n3,http://h/x\n");
    Ok(())
}
