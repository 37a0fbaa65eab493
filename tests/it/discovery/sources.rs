//! Where pages say that they were retrieved from, and whom of those who say so to believe.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::targets::links;
use crate::support::warc::response;
use crate::support::{Outcome, argument, folder_with, run};
use absolve_rewriter::internal::UrlSource;
use absolve_testing::{fixtures, print_line, temporary_folder};
use serde_json::Value;

#[test]
fn each_program_in_its_own_format() -> Outcome {
    let folder = fixtures().join("discovery");
    let cases = fs::read_to_string(folder.join("expected.tsv"))?;
    let mut count = 0;
    for case in cases.lines().skip(1) {
        let [file, flags, base, place, targets, findings] = case.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("no row of six: {case}").into());
        };
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let file = folder.join(file);
        let shown = shown(&file, &flags)?;
        assert_eq!(shown["base"].as_str().unwrap_or("-"), base, "{case}");
        assert_eq!(declared(&shown, true).first().map_or("-", |(place, _)| place), place, "{case}");
        assert_eq!(links(&file, &flags)?, targets, "{case}");
        let told: Vec<String> = findings_of(&file, &flags)?.into_keys().collect();
        assert_eq!(if told.is_empty() { "-".to_owned() } else { told.join(",") }, findings, "{case}");
        count += 1;
    }
    assert_eq!(count, 41);
    Ok(())
}

/// The most trusted one first. The mark of lynx brings a BASE, and a frame needs a page beside it.
const SOURCES: [UrlSource; 17] = [
    UrlSource::Url,
    UrlSource::HttrackCache,
    UrlSource::SingleFile,
    UrlSource::SavePageWe,
    UrlSource::Monolith,
    UrlSource::MarkOfTheWeb,
    UrlSource::WebScrapBook,
    UrlSource::MaoXian,
    UrlSource::Wayback,
    UrlSource::Pywb,
    UrlSource::Warc2zim,
    UrlSource::Httrack,
    UrlSource::OriginUrl,
    UrlSource::WhereFroms,
    UrlSource::ZoneIdentifier,
    UrlSource::RequestedUrl,
    UrlSource::Layout,
];

#[test]
fn of_two_neighbours_in_trust_the_higher_one_wins_and_both_are_shown() -> Outcome {
    let mut pairs = 0;
    for pair in SOURCES.windows(2) {
        let folder =
            folder_with(&[("layout.example/at/page.html", ""), ("layout.example/plain", "<!DOCTYPE html><p>x")])?;
        let mut page = Page { text: "<html>".to_owned(), flags: vec!["--scheme", "http"] };
        if pair.iter().any(|source| (UrlSource::OriginUrl..=UrlSource::RequestedUrl).contains(source)) {
            page.flags.extend(["--discover", "attributes"]);
        }
        let is_there = evidence(pair[0], folder.path(), &mut page)? && evidence(pair[1], folder.path(), &mut page)?;
        if !is_there {
            print_line(&format!("skipped: {} and {}: no extended attributes here", pair[0].name(), pair[1].name()));
            continue;
        }
        fs::write(folder.path().join("layout.example/at/page.html"), page.text + "<body><a href=/x>x</a></html>")?;
        let shown = shown(folder.path(), &page.flags)?;
        let (used, not_used) = (declared(&shown, true), declared(&shown, false));
        assert_eq!(
            used.iter().map(|(place, _)| &**place).collect::<Vec<_>>(),
            [shown_as(pair[0])],
            "{pair:?}: {shown}"
        );
        assert_eq!(
            not_used.iter().map(|(place, _)| &**place).collect::<Vec<_>>(),
            [shown_as(pair[1])],
            "{pair:?}: {shown}"
        );
        let (_, drawn, told) = run(&[&["base", "--all", argument(folder.path())], &page.flags[..]].concat())?;
        assert!(pair.iter().all(|source| drawn.contains(&format!("retrieval at {}", shown_as(*source)))), "{drawn}");
        assert!(drawn.contains("a more trusted source gives the URL"), "{drawn}");
        assert!(told.contains("url-conflict"), "{pair:?}: {told}");
        assert_eq!(findings_of(folder.path(), &page.flags)?.get("url-conflict"), Some(&1), "{pair:?}");
        pairs += 1;
    }
    assert!(pairs == 16 || pairs == 11, "{pairs} pairs");
    assert!(SOURCES.is_sorted() && UrlSource::Urls < SOURCES[0]);
    Ok(())
}

/// Returns what the command calls a source.
fn shown_as(source: UrlSource) -> &'static str {
    if source == UrlSource::Url { "--url" } else { source.name() }
}

#[test]
fn the_documented_order_of_the_sources_is_theirs() -> Outcome {
    let text = fs::read_to_string(fixtures().join("../docs/precedence.md"))?;
    let section =
        text.split("\n## ").find(|section| section.starts_with("Sources of the retrieval URL")).unwrap_or_default();
    let mut rows: String = section.lines().filter(|line| line.starts_with("| ")).collect();
    for source in UrlSource::all() {
        // What stands in brackets distinguishes two sources with one name.
        let name = source.name().split_once(" (").map_or(source.name(), |(_, what)| what.trim_end_matches(')'));
        let name = name.trim_start_matches("the mark of ");
        let at = rows.find(name).ok_or(format!("{name:?} is not where it belongs"))?;
        rows.drain(..at + name.len());
    }
    assert!(UrlSource::all().is_sorted());
    Ok(())
}

/// A saved page has a URL in its header, and its file may have others.
#[test]
fn the_header_of_a_saved_page_has_its_rank_among_the_sources() -> Outcome {
    let page = "Snapshot-Content-Location: http://snapshot.example/\nContent-Type: text/html\n\n<a href=x>";
    let cached = "20:22:33\t9/9\t---M--\t200\tadded ('OK')\tmultipart/related\tdate:x\thttp://cache.example/a\tm/h.example/a.mhtml\t(from )\n";
    let folder = folder_with(&[
        ("m/h.example/a.mhtml", page),
        ("m/hts-cache/new.txt", cached),
        ("list.csv", "h.example/a.mhtml,http://list.example/\n"),
    ])?;
    let archive =
        response(1, "http://record.example/a.mhtml", "200 OK", "Content-Type: message/rfc822\r\n", page.as_bytes());
    fs::write(folder.path().join("a.warc"), archive)?;
    let (mirror, list) = (folder.path().join("m"), folder.path().join("list.csv"));
    let list = argument(&list);
    for (input, flags, expected) in [
        (&mirror, &["--urls", list][..], ["--urls", "Snapshot-Content-Location"]),
        (&mirror, &["--url", "http://url.example/"], ["--url", "Snapshot-Content-Location"]),
        (&mirror, &[], ["Snapshot-Content-Location", "hts-cache/new.txt"]),
        (&folder.path().join("a.warc"), &[], ["Snapshot-Content-Location", "WARC-Target-URI"]),
    ] {
        let (_, out, told) = run(&[&["base", argument(input), "--json"], flags].concat())?;
        let shown: Value = serde_json::from_str(out.lines().next().ok_or("nothing is shown")?)?;
        let all = shown["declared"].as_array().ok_or("nothing declared")?;
        let places: Vec<_> = all.iter().map(|declared| declared["where"].as_str().unwrap_or_default()).collect();
        assert_eq!(places[..2], expected, "{shown}");
        assert!(told.contains(&format!("url-conflict: {} declares", expected[0])), "{told}");
    }
    Ok(())
}

struct Page {
    text: String,
    flags: Vec<&'static str>,
}

/// Lets one more say where the page was retrieved from; `false` where that cannot be.
fn evidence(source: UrlSource, folder: &Path, page: &mut Page) -> Result<bool, Box<dyn std::error::Error>> {
    let file = folder.join("layout.example/at/page.html");
    let mut write = |text: &str| page.text.push_str(text);
    match source {
        UrlSource::Url => page.flags.extend(["--url", "http://url.example/"]),
        UrlSource::HttrackCache => {
            fs::create_dir(folder.join("hts-cache"))?;
            let row = "20:22:33\t9/9\t---M--\t200\tadded ('OK')\ttext/html\tdate:x\thttp://cache.example/a\tm/layout.example/at/page.html\t(from )\n";
            fs::write(folder.join("hts-cache/new.txt"), row)?;
        }
        UrlSource::SingleFile => write("<!--\n Page saved with SingleFile \n url: http://single-file.example/ \n-->"),
        UrlSource::SavePageWe => write("<meta name=\"savepage-url\" content=\"http://save-page.example/\">"),
        UrlSource::Monolith => {
            write("<!-- Saved from http://monolith.example/ at 2026-11-20T09:58:56Z using monolith v2.12.0 -->")
        }
        UrlSource::MarkOfTheWeb => write("<!-- saved from url=(0019)http://web.example/ -->"),
        UrlSource::WebScrapBook => write("<html data-scrapbook-source=\"http://scrapbook.example/\">"),
        UrlSource::MaoXian => write("<!-- OriginalSrc: http://maoxian.example/ -->"),
        UrlSource::Wayback => write(
            "<script>__wm.wombat(\"http://wayback.example/\",\"20080102030405\",\"https://web.archive.org/\");</script>",
        ),
        UrlSource::Pywb => write(
            "<!-- WB Insert -->\n<script>\n  wbinfo.url = \"http://pywb.example/\";\n  wbinfo.request_ts = \"2026\";\n  \
             wbinfo.prefix = decodeURI(\"http://replay.example/c/\");\n  wbinfo.mod = \"mp_\";\n</script>",
        ),
        UrlSource::Warc2zim => write(
            "<!-- WB Insert -->\n<script>\nwombatSetup.getWombatInfo(\n    current_url,\n    \"zim.example\",\n    \"http\",\n    \
             \"http://zim.example/\",\n</script>",
        ),
        UrlSource::Httrack => {
            write("<!-- Mirrored from httrack.example/a by HTTrack Website Copier/3.x [XR&CO'2014], x -->")
        }
        UrlSource::ZoneIdentifier => {
            let text = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=http://zone.example/\r\n";
            fs::write(folder.join("layout.example/at/page.html:Zone.Identifier"), text)?;
        }
        UrlSource::Layout => page.flags.extend(["--layout", "wget"]),
        _ => return Ok(attribute(source, &file).is_ok()),
    }
    Ok(true)
}

/// As curl, Chromium and Finder note it.
fn attribute(source: UrlSource, file: &Path) -> Outcome {
    if source == UrlSource::WhereFroms {
        let bytes = b"bplist00\xA2\x01\x02\x5F\x10\x16http://finder.example/\x5F\x10\x18http://referrer.example/\
            \x08\x0B$\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0?";
        xattr::set(file, "user.com.apple.metadata:kMDItemWhereFroms", bytes)?;
        return Ok(());
    }
    if source == UrlSource::RequestedUrl {
        xattr::set(file, "user.creator", b"curl")?;
    }
    xattr::set(file, "user.xdg.origin.url", b"http://attribute.example/")?;
    Ok(())
}

#[test]
fn what_is_given_for_one_file_replaces_what_is_given_for_all() -> Outcome {
    let folder = folder_with(&[
        ("in/a.html", "<a href=x>"),
        ("in/b.html", "<a href=x>"),
        ("urls.csv", "a.html,http://h/d/a\n"),
    ])?;
    let (input, urls) = (folder.path().join("in"), folder.path().join("urls.csv"));
    let flags = ["--url", "http://all.example/", "--urls", argument(&urls)];
    assert_eq!(links(&input, &flags)?, "http://h/d/x http://all.example/x");
    assert_eq!(findings_of(&input, &flags)?, BTreeMap::new());
    Ok(())
}

#[test]
fn equal_folders_are_no_conflict() -> Outcome {
    let page = "<!-- saved from url=(0030)http://H.example/caf\u{e9}/a?b/c#d/ --><body><a href=/x>";
    let folder = folder_with(&[("a.html", page)])?;
    let file = folder.path().join("a.html");
    for (url, conflicts) in [
        ("http://h.example/caf%c3%a9/", 0),
        ("http://h.example:80/caf%C3%A9/other.html", 0),
        ("http://user:secret@h.example/caf%c3%a9/", 0),
        ("https://h.example/caf%c3%a9/", 1),
        ("http://h.example/caf%c3%a9", 1),
        ("http://h.example/caf%c3%a9/a/", 1),
    ] {
        let found = findings_of(&file, &["--url", url])?;
        assert_eq!(found.get("url-conflict").copied().unwrap_or(0), conflicts, "{url}");
    }
    let (_, _, told) = run(&["base", argument(&file), "--url", "http://user:secret@other.example/"])?;
    assert!(told.contains("url-conflict") && !told.contains("secret"), "{told}");
    Ok(())
}

#[test]
fn a_page_without_marks_has_no_findings() -> Outcome {
    let folder =
        folder_with(&[("a.html", "<!DOCTYPE html><!-- A comment. --><title>x</title><a href=http://h/>x</a>")])?;
    for flags in [&[][..], &["--url", "http://h/"], &["--discover", "attributes"], &["--scheme", "http"]] {
        assert_eq!(findings_of(folder.path(), flags)?, BTreeMap::new(), "{flags:?}");
    }
    Ok(())
}

#[test]
fn nothing_is_looked_for_when_nothing_is_to_be_discovered() -> Outcome {
    let folder = fixtures().join("discovery");
    let flags = ["--discover", "nothing", "--url", "http://told.example/"];
    for line in run(&[&["base", "--json", argument(&folder)], &flags[..]].concat())?.1.lines() {
        let shown: Value = serde_json::from_str(line)?;
        let all = [declared(&shown, true), declared(&shown, false)].concat();
        assert!(all.iter().all(|(place, _)| place == "--url" || place.starts_with("byte ")), "{line}");
    }
    assert_eq!(findings_of(&folder, &flags)?, BTreeMap::new());
    Ok(())
}

/// `clash.html` is the copy of `/clash`, and the copy of `/clash.html` is called `clash-2.html`.
#[test]
fn a_mirror_whose_links_were_kept_has_the_links_of_the_server() -> Outcome {
    let row = |url: &str, file: &str| {
        format!("1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttp://h.example{url}\tm/h.example{file}\t(from )\r\n")
    };
    let list = row("/", "/index.html") + &row("/clash", "/clash.html") + &row("/clash.html", "/clash-2.html");
    let pages =
        [("h.example/index.html", "<a href=clash.html>"), ("h.example/clash.html", ""), ("h.example/clash-2.html", "")];
    for (command, target) in [("-q", "http://h.example/clash"), ("-q -K4", "http://h.example/clash.html")] {
        let command = format!("http://h.example/ -O m {command}\r\nFile generated automatically\r\n");
        let cache = [("hts-cache/new.txt", &*list), ("hts-cache/doit.log", &command)];
        let folder = folder_with(&[&pages[..], &cache].concat())?;
        assert_eq!(links(folder.path(), &[])?, target, "{command}");
    }
    Ok(())
}

/// What `absolve base` shows of a document, or the first page of a folder.
fn shown(input: &Path, flags: &[&str]) -> Result<Value, Box<dyn std::error::Error>> {
    let (_, out, _) = run(&[&["base", "--json", argument(input)], flags].concat())?;
    let line = out.lines().find(|line| line.contains(".html\"")).unwrap_or_default();
    Ok(serde_json::from_str(line)?)
}

/// Who declares what, of those who won or of the others.
fn declared(shown: &Value, is_used: bool) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = shown["declared"].as_array().into_iter().flatten();
    let wanted = all.filter(|declared| declared["used"] == is_used);
    wanted.map(|declared| (text(&declared["where"]), text(&declared["value"]))).collect()
}

/// How often each finding is reported.
fn findings_of(input: &Path, flags: &[&str]) -> Result<BTreeMap<String, u64>, Box<dyn std::error::Error>> {
    let folder = temporary_folder()?;
    let summary = folder.path().join("summary.json");
    let arguments = ["rewrite", "--dry-run", "--quiet", argument(input), "--summary", argument(&summary)];
    run(&[&arguments[..], flags].concat())?;
    let summary: Value = serde_json::from_slice(&fs::read(summary)?)?;
    let findings = summary["findings"].as_object().into_iter().flatten();
    Ok(findings.map(|(code, count)| (code.clone(), count.as_u64().unwrap_or_default())).collect())
}
