//! WAT: the links that another tool found in captured pages.

use std::fs;

use serde_json::{Value, json};

use crate::support::warc::{HTML, record, response};
use crate::support::{Outcome, argument, folder_with, run};

const PAGE: &str = "<base href='http://b.example/x/'><link rel='stylesheet' href='s.css'><a href='p?a&amp;b=&quot;1&quot;' rel=nofollow>\
                    P\u{e4}ge &lt;1></a><img src=//i.example/i.png><form action=f></form><a href='#top'>top</a><iframe src=i.html></iframe>";

/// Returns the metadata of that page, in the form of Common Crawl.
fn metadata() -> Value {
    json!({
        "Container": {"Filename": "a.warc.gz", "Compressed": true, "Offset": "0"},
        "Envelope": {
            "Format": "WARC",
            "WARC-Header-Metadata": {
                "WARC-Type": "response", "WARC-Date": "2020-01-01T00:00:00Z", "WARC-Target-URI": "http://h.example/d/a.html",
                "WARC-Record-ID": "<urn:uuid:00000000-0000-0000-0000-000000000001>",
            },
            "Payload-Metadata": {
                "Actual-Content-Type": "application/http; msgtype=response",
                "HTTP-Response-Metadata": {
                    "Response-Message": {"Status": "200", "Version": "HTTP/1.1", "Reason": "OK"},
                    "Headers": {"Content-Type": "text/html; charset=iso-8859-1", "Link": "<c>; rel=canonical"},
                    "HTML-Metadata": {
                        "Head": {
                            "Base": "http://b.example/x/",
                            "Link": [{"path": "LINK@/href", "rel": "stylesheet", "url": "s.css"}],
                        },
                        "Links": [
                            {"path": "A@/href", "url": "p?a&b=\"1\"", "text": "P\u{e4}ge <1>", "rel": "nofollow"},
                            {"path": "IMG@/src", "url": "//i.example/i.png"},
                            {"path": "FORM@/action", "url": "f", "method": "get"},
                            {"path": "A@/href", "url": "#top", "text": "top"},
                            {"path": "IFRAME@/src", "url": "i.html"},
                        ],
                    },
                },
            },
        },
    })
}

fn wat_of(number: u32, json: &str) -> Vec<u8> {
    let fields = "WARC-Target-URI: http://h.example/d/a.html\r\nContent-Type: application/json\r\n";
    record("metadata", number, fields, json.as_bytes())
}

/// All columns but `path`, `record` and those of bytes.
const SAME: &str = "part,element,attribute,reference,target,status,base,layer,out_of_reach,url,date,record_id,text,rel,anchor,\
                    source_host,target_host";

#[test]
fn metadata_have_the_rows_of_their_pages() -> Outcome {
    let folder = folder_with(&[])?;
    let (warc, wat) = (folder.path().join("a.warc"), folder.path().join("a.warc.wat"));
    let headers = format!("{HTML}Link: <c>; rel=canonical\r\n").replace("text/html", "text/html; charset=utf-8");
    fs::write(&warc, response(1, "http://h.example/d/a.html", "200 OK", &headers, PAGE.as_bytes()))?;
    fs::write(&wat, wat_of(7, &metadata().to_string()))?;
    let rows = |path| run(&["links", "--format", "csv", "--columns", SAME, argument(path)]);
    let (status, of_page, errors) = rows(&warc)?;
    assert_eq!((status, of_page.lines().count(), &*errors), (0, 9, ""));
    assert_eq!(rows(&wat)?, (0, of_page, String::new()));
    let edges = |path| run(&["links", "--graph", "hosts", argument(path)]);
    assert_eq!(edges(&warc)?, edges(&wat)?);
    let (_, out, _) =
        run(&["links", "--format", "csv", "--columns", "record,start,end,written,line,column", argument(&wat)])?;
    assert!(out.lines().skip(1).all(|row| row == "1,0,0,,0,0"), "{out}");
    Ok(())
}

#[test]
fn metadata_of_an_arc_have_a_page_and_a_date() -> Outcome {
    let folder = folder_with(&[])?;
    let wat = folder.path().join("a.arc.wat");
    let mut of_arc = metadata();
    let envelope = of_arc["Envelope"].as_object_mut().ok_or("no envelope")?;
    envelope.remove("WARC-Header-Metadata");
    let header =
        json!({"Target-URI": "<http://h.example/d/a.html>", "Date": "20080430204825", "IP-Address": "127.0.0.1"});
    envelope.insert("ARC-Header-Metadata".to_owned(), header);
    fs::write(&wat, wat_of(1, &of_arc.to_string()))?;
    let (_, out, _) = run(&["links", "--format", "csv", "--columns", "url,date,target", argument(&wat)])?;
    assert_eq!(out.lines().nth(2), Some("http://h.example/d/a.html,2008-04-30T20:48:25Z,http://b.example/x/"), "{out}");
    assert_eq!(out.lines().count(), 9);
    Ok(())
}

#[test]
fn metadata_without_a_url_are_of_that_of_their_record() -> Outcome {
    let folder = folder_with(&[])?;
    let wat = folder.path().join("a.warc.wat");
    let mut nameless = metadata();
    nameless["Envelope"].as_object_mut().ok_or("no envelope")?.remove("WARC-Header-Metadata");
    fs::write(&wat, wat_of(1, &nameless.to_string()))?;
    let (_, out, _) = run(&["links", "--format", "csv", "--columns", "url,target", argument(&wat)])?;
    assert_eq!(out.lines().nth(2), Some("http://h.example/d/a.html,http://b.example/x/"), "{out}");
    Ok(())
}

#[test]
fn broken_metadata_are_findings_and_the_rest_is_listed() -> Outcome {
    let folder = folder_with(&[])?;
    let wat = folder.path().join("a.warc.wat");
    let odd = json!({"Envelope": {"WARC-Header-Metadata": {"WARC-Target-URI": 3}, "Payload-Metadata": []}});
    let of_request = json!({"Envelope": {"WARC-Header-Metadata": {"WARC-Target-URI": "http://h/"},
        "Payload-Metadata": {"HTTP-Request-Metadata": {"Headers": {"Referer": "http://x/"}}}}});
    let strange = json!({"Envelope": {"WARC-Header-Metadata": {"WARC-Target-URI": "http://h/"}, "Payload-Metadata":
        {"HTTP-Response-Metadata": {"Headers": {"Location": ["/a\r\nLink: <evil>", 3]}, "HTML-Metadata": {"Links": [
            {"path": "A@/href", "url": "x\"><a href=evil>"}, {"path": "A onclick@/href", "url": "evil"}, {"url": "evil"}, 5,
            {"path": "STYLE/#text", "href": "b\".png</style><a href=evil>"}]}}}}});
    let records = [
        wat_of(1, "{\"Envelope\": {\"x\": "),
        wat_of(2, &odd.to_string()),
        wat_of(3, &of_request.to_string()),
        wat_of(4, &strange.to_string()),
        wat_of(5, "{\"a\": 1}"),
        wat_of(6, &format!("\u{feff}{}", metadata())),
    ];
    fs::write(&wat, records.concat())?;
    let (status, out, errors) = run(&["links", "--json", "--columns", "record,reference", argument(&wat)])?;
    let rows: Vec<Value> = out.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let of = |record: &str| -> Vec<&str> {
        rows.iter().filter(|row| row["record"] == record).filter_map(|row| row["reference"].as_str()).collect()
    };
    assert_eq!((status, of("6").len(), rows.len()), (0, 8, 11), "{out}");
    assert_eq!(of("4"), ["/a  Link: <evil>", "x\"><a href=evil>", "b\".png</style><a href=evil>"]);
    assert!(errors.contains("record 1: not-its-type: its JSON cannot be read: EOF while parsing"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    Ok(())
}
