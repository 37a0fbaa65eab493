//! `absolve unpack` with archives that others made of archives: packages that name pages, and captures of replayed pages.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use crate::support::warc::{HTML, member, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::{rounds, temporary_folder};
use fastrand::Rng;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

type Failure = Box<dyn std::error::Error>;

/// A WACZ of an archive and its list of pages.
fn package(records: &[Vec<u8>], pages: &str) -> Result<Vec<u8>, Failure> {
    let archive: Result<Vec<_>, _> = records.iter().map(|record| member(record)).collect();
    let files = [
        ("archive/data.warc.gz", archive?.concat()),
        ("pages/pages.jsonl", pages.into()),
        ("datapackage.json", b"{}".into()),
    ];
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name, SimpleFileOptions::default())?;
        writer.write_all(&bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// Unpacks the archive `a.wacz` or `a.warc` of a folder, and returns the status, what was printed, and the texts of the files.
fn unpack(outer: &Path, name: &str, options: &[&str]) -> Result<(i32, String, BTreeMap<String, String>), Failure> {
    let (archive, site) = (outer.join(name), outer.join("site"));
    let (status, _, stderr) = run(&[&["unpack", argument(&archive), "-o", argument(&site)], options].concat())?;
    let mut files = BTreeMap::new();
    if site.exists() {
        for path in absolve_testing::files(&site)? {
            let below = path.strip_prefix(&site)?.to_string_lossy().replace('\\', "/");
            files.insert(below, String::from_utf8_lossy(&fs::read(&path)?).into_owned());
        }
    }
    Ok((status, stderr, files))
}

#[test]
fn a_package_says_where_to_begin() -> Outcome {
    let records = [
        response(1, "http://h/", "200 OK", HTML, b"1"),
        response(2, "http://h/a", "200 OK", HTML, b"2"),
        response(3, "http://h/old", "302 Found", "Location: /a\r\n", b""),
    ];
    let header = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All Pages\"}\n";
    let pages = [
        "{\"url\": \"http://h/a#top\", \"title\": \"A <page>\", \"ts\": \"2020-01-01T00:00:00Z\"}",
        "{\"url\": \"http://h/old\"}",
        "",
        "{\"url\": \"http://h/a#top\", \"title\": \"again\"}",
        "{\"url\": \"http://h/lost\", \"title\": \"gone\"}",
    ];
    let outer = temporary_folder()?;
    fs::write(outer.path().join("a.wacz"), package(&records, &(header.to_owned() + &pages.join("\n")))?)?;
    let (status, stderr, files) = unpack(outer.path(), "a.wacz", &[])?;
    assert_eq!(status, 0, "{stderr}");
    let index = &files["index.html"];
    let list = "<ul><li><a href=\"h/a.html#top\" title=\"http://h/a#top\">A &lt;page&gt;</a></li>\
        <li><a href=\"h/a.html?3\" title=\"http://h/old\">http://h/old</a></li></ul>";
    assert!(index.contains(list) && !index.contains("again") && !index.contains(">http://h/<"), "{index}");
    assert!(
        index.contains("1 pages to begin with that no archive has") && !stderr.contains("archive-index"),
        "{index}"
    );
    let (status, found, _) =
        run(&["verify", argument(&outer.path().join("a.wacz")), argument(&outer.path().join("site"))])?;
    assert_eq!(status, 0, "{found}");
    // What is damaged is passed over; without a page, the first one is a guess.
    let damaged = format!("{header}{{\"url\": 3}}\nnot JSON\n{}{{\"url\"", "x".repeat(3 << 20));
    for (pages, guesses) in [(format!("{damaged}\n{}", pages[0]), false), (damaged, true), (String::new(), true)] {
        let outer = temporary_folder()?;
        fs::write(outer.path().join("a.wacz"), package(&records, &pages)?)?;
        let (status, stderr, files) = unpack(outer.path(), "a.wacz", &[])?;
        assert_eq!((status, stderr.contains("archive-index: ")), (0, !pages.is_empty()), "{stderr}");
        assert_eq!(files["index.html"].contains(">http://h/<"), guesses, "{}", files["index.html"]);
    }
    Ok(())
}

/// Captures of copies count as captures of what was archived, at the time of that.
#[test]
fn copies_of_an_archive_become_the_archived_site() -> Outcome {
    let at = |kind: &str, url: &str| format!("https://web.archive.org/web/{kind}/{url}");
    // The original bytes, whose links are those of the site, and a page whose links lead to copies.
    let original = "<a href=/b>1</a><a href=../../c.png>2</a><a href=http://h/gone>3</a><a href=#f>4</a>";
    let page = "<a href=/web/2020/http://h/a/>1</a><a href=https://web.archive.org/web/2019im_/http://h/c.png>2</a><a href=#f>3</a>\
        <a href=../../../../c.png>4</a><a href=/web/20190101000000/http://h/gone#g>5</a><a href=https://web.archive.org/about>6</a>\
        <a href=/web/2020/http://h/old>7</a><script>__wm.wombat(\"http://h/b\",\"20200101000000\")</script>";
    let records = [
        response(1, &at("20200101000000id_", "http://h/a/"), "200 OK", HTML, original.as_bytes()),
        response(2, &at("20200101000000", "http://h/b"), "200 OK", HTML, page.as_bytes()),
        response(3, &at("2018", "http://h/b"), "200 OK", HTML, b"before"),
        response(4, &at("20200101000000im_", "http://h/c.png"), "200 OK", "Content-Type: image/png\r\n", b"PNG"),
        response(5, &at("2020", "http://h/old"), "302 Found", "Location: /web/20200101000000/http://h/b\r\n", b""),
        response(6, &at("2020", "http://h/b"), "302 Found", "Location: /web/20200101000000/http://h/b\r\n", b""),
    ];
    let outer = temporary_folder()?;
    fs::write(outer.path().join("a.warc"), records.concat())?;
    let (status, stderr, files) = unpack(outer.path(), "a.warc", &["--unwrap-wayback"])?;
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(
        files["h/a/index.html"],
        "<a href=../b.html>1</a><a href=../c.png>2</a><a href=http://h/gone>3</a><a href=#f>4</a>"
    );
    let expected = "<a href=a/index.html>1</a><a href=c.png>2</a><a href=#f>3</a><a href=c.png>4</a><a href=http://h/gone#g>5</a>\
        <a href=https://web.archive.org/about>6</a><a href=b.html?4>7</a>";
    assert_eq!(files["h/b.html"].split("<script>").next(), Some(expected));
    assert!(
        files["urls.csv"].contains("h/a/index.html,http://h/a/,2020-01-01T00:00:00Z,a.warc 1"),
        "{}",
        files["urls.csv"]
    );
    let (archive, site) = (outer.path().join("a.warc"), outer.path().join("site"));
    let verify = |options: &[&str]| run(&[&["verify", argument(&archive), argument(&site)], options].concat());
    let (status, found, _) = verify(&["--unwrap-wayback"])?;
    assert_eq!(status, 0, "{found}");
    let (status, found, _) = verify(&[])?;
    assert!(status == 1 && found.contains("--unwrap-wayback, give it as it was"), "{found}");
    for (from, to) in
        [("href=c.png>4", "href=b.html>4"), ("gone#g", "gone"), ("href=a/index.html>1", "href=http://h/a/>1")]
    {
        fs::write(site.join("h/b.html"), files["h/b.html"].replace(from, to))?;
        assert_eq!(verify(&["--unwrap-wayback"])?.0, 1, "{from}");
    }
    fs::write(site.join("h/b.html"), &files["h/b.html"])?;
    let (back, urls) = (outer.path().join("back"), site.join("urls.csv"));
    run(&["rewrite", argument(&site), "--urls", argument(&urls), "-o", argument(&back)])?;
    let expected = "<a href=http://h/a/>1</a><a href=http://h/c.png>2</a><a href=#f>3</a><a href=http://h/c.png>4</a>\
        <a href=http://h/gone#g>5</a><a href=https://web.archive.org/about>6</a><a href=http://h/old>7</a>";
    assert_eq!(fs::read_to_string(back.join("h/b.html"))?.split("<script>").next(), Some(expected));
    // At another time, and of an archive that has to be named.
    let outer = temporary_folder()?;
    let named = "http://archive.example/coll/2019id_/http://h/b";
    let records = [&records[2..3], &[response(7, named, "200 OK", HTML, b"named")]].concat();
    fs::write(outer.path().join("a.warc"), records.concat())?;
    for (options, expected) in [
        (&["--unwrap-wayback=http://archive.example/coll/"][..], "named"),
        (&["--unwrap-wayback=http://archive.example/coll/", "--at", "2018"], "before"),
        (&["--unwrap-wayback"], "before"),
    ] {
        let (status, stderr, files) = unpack(outer.path(), "a.warc", options)?;
        assert_eq!((status, &*files["h/b.html"]), (0, expected), "{options:?} {stderr}");
        fs::remove_dir_all(outer.path().join("site"))?;
    }
    Ok(())
}

/// What an archive has of copies becomes what an archive of the site itself becomes, byte for byte.
#[test]
fn copies_become_what_the_site_becomes() -> Outcome {
    const URLS: [&str; 7] =
        ["http://h/", "http://h/a", "http://h/d/", "http://h/d/a", "https://h/a", "http://o/a", "http://h/a?q=1"];
    const REFERENCES: [&str; 14] = [
        "a",
        "../a",
        "../../../a",
        "/a",
        "/d/a#f",
        "//o/a",
        "?q=1",
        "#f",
        "",
        ".",
        "http://o/a",
        "https://h/a",
        "gone",
        "mailto:x@h",
    ];
    const PLACES: [&str; 5] = [
        "<a href={}>",
        "<img srcset='{} 2x, {} 3x'>",
        "<p style='color:url({})'>",
        "<iframe srcdoc='<a href=\"{}\">'></iframe>",
        "<base href=\"{}\">",
    ];
    let mut random = Rng::with_seed(36);
    let copy = |kind: &str, url: &str| format!("https://web.archive.org/web/20200101000000{kind}/{url}");
    for round in 0..rounds(100) {
        let (mut of_site, mut originals, mut replayed) = (Vec::new(), Vec::new(), Vec::new());
        for (number, url) in (1..).zip(URLS) {
            let absolute = |reference: &str| Ok::<_, Failure>(url::Url::parse(url)?.join(reference)?.to_string());
            let (mut page, mut of_copy, mut of_absolute) = (String::new(), String::new(), String::new());
            for _ in 0..random.usize(..6) {
                let (place, reference) = (PLACES[random.usize(..5)], REFERENCES[random.usize(..14)]);
                page += &place.replace("{}", reference);
                // A replay server rewrites what leads to the web, and no base.
                let (place, target) = if place.starts_with("<base") {
                    (PLACES[0], absolute("a")?)
                } else {
                    (place, absolute(reference)?)
                };
                let is_kept = reference.is_empty() || reference.starts_with(['#', 'm']);
                of_absolute += &place.replace("{}", if is_kept { reference } else { &target });
                of_copy +=
                    &place.replace("{}", &if is_kept { reference.to_owned() } else { copy("", &target).split_off(23) });
            }
            if random.u8(..4) == 0 {
                continue;
            }
            let (status, fields) = if random.u8(..4) == 0 {
                ("302 Found", format!("Location: {}\r\n", absolute(REFERENCES[random.usize(..13)])?))
            } else {
                ("200 OK", HTML.to_owned())
            };
            let made = |url: &str, page: &str| response(number, url, status, &fields, page.as_bytes());
            of_site.push([made(url, &page), made(url, &of_absolute)]);
            originals.push(made(&copy("id_", url), &page));
            replayed.push(made(&copy("", url), &of_copy));
        }
        let sites: [Vec<_>; 2] = [0, 1].map(|which| of_site.iter().map(|pair| pair[which].clone()).collect());
        for (site, copies) in sites.iter().zip([originals, replayed]) {
            let mut made = Vec::new();
            for (records, options) in [(site, &[][..]), (&copies, &["--unwrap-wayback"])] {
                let outer = temporary_folder()?;
                fs::write(outer.path().join("a.warc"), records.concat())?;
                made.push(unpack(outer.path(), "a.warc", options)?.2);
                let (archive, site) = (outer.path().join("a.warc"), outer.path().join("site"));
                if site.exists() {
                    let (status, found, _) =
                        run(&[&["verify", argument(&archive), argument(&site)], options].concat())?;
                    assert_eq!(status, 0, "round {round}: {found}");
                }
            }
            assert_eq!(made[0], made[1], "round {round}");
        }
    }
    Ok(())
}

#[test]
fn archives_of_one_name_are_listed_with_their_folders() -> Outcome {
    let outer = temporary_folder()?;
    let (archives, site) = (outer.path().join("c"), outer.path().join("site"));
    for (number, folder) in (1..).zip(["a", "b"]) {
        fs::create_dir_all(archives.join(folder))?;
        let record = response(number, &format!("http://h/{folder}"), "200 OK", HTML, b"");
        fs::write(archives.join(folder).join("x.warc"), record)?;
    }
    let [first, second] = ["a", "b"].map(|folder| archives.join(folder).join("x.warc"));
    let (status, _, stderr) = run(&["unpack", argument(&first), argument(&second), "-o", argument(&site)])?;
    assert_eq!(status, 0, "{stderr}");
    let list = fs::read_to_string(site.join("urls.csv"))?;
    assert!(list.contains("h/a.html,http://h/a,2020-01-01T00:00:00Z,a/x.warc 1\n"), "{list}");
    assert!(list.contains("h/b.html,http://h/b,2020-01-01T00:00:00Z,b/x.warc 1\n"), "{list}");
    assert_eq!(run(&["verify", argument(&archives), argument(&site)])?.0, 0);
    Ok(())
}
