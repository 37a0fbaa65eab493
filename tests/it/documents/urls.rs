//! Roots, images at a URL of their own, and maps: what the command makes of them, and what it says.

use std::fs;

use absolve_testing::fixtures;
use serde_json::Value;

use crate::support::{Outcome, argument, folder_with, run};

const MAP: [&str; 2] = ["--map", "http://old.example/=https://new.example/d/"];

#[test]
fn the_command_gives_every_vector_and_verify_proves_it() -> Outcome {
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(fixtures().join("rewrite/urls.json"))?)?;
    let failures: Vec<String> =
        cases.iter().filter_map(|case| check(case).err().map(|error| format!("{}: {error}", case["name"]))).collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
    Ok(())
}

fn check(case: &Value) -> Outcome {
    let text = |key: &str| case[key].as_str();
    let name = format!("page.{}", text("type").unwrap_or("html"));
    let document = text("document").unwrap_or_default();
    let folder = folder_with(&[(&name, document)])?;
    let [page, output, summary] = [&name, "new", "summary.json"].map(|name| folder.path().join(name));
    let [page, output, summary] = [&page, &output, &summary].map(|path| argument(path));
    let flags: Vec<String> = flags(case);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (status, _, said) = run(&[&["rewrite", page, "-o", output, "--summary", summary], &*flags].concat())?;
    if let Some(words) = text("error") {
        return if status == 2 && said.contains(words) { Ok(()) } else { Err(format!("{status}: {said}").into()) };
    }
    let expected = text("expected").unwrap_or(document);
    let written = fs::read_to_string(output)?;
    if written != expected {
        return Err(written.into());
    }
    let counts: Value = serde_json::from_slice(&fs::read(summary)?)?;
    let mapped = case["mapped"].as_u64().unwrap_or_default();
    if counts["mapped"] != mapped || said.contains(&format!("{mapped} mapped")) != (mapped > 0) {
        return Err(format!("{counts}: {said}").into());
    }
    for flags in [&["--like", summary][..], &*flags] {
        let (status, found, said) = run(&[&["verify", page, output], flags].concat())?;
        if (status, &*found) != (0, "") {
            return Err(format!("verify: {found}{said}").into());
        }
    }
    Ok(())
}

/// Returns the flags of a vector.
fn flags(case: &Value) -> Vec<String> {
    let mut flags = Vec::new();
    let mut add = |name: &str, value: &str| flags.extend([format!("--{name}"), value.to_owned()]);
    for name in ["root", "images-url", "standard", "spelling", "same-document"] {
        case[name].as_str().into_iter().for_each(|value| add(name, value));
    }
    let url = case["url"].as_str().unwrap_or("http://h/d/page.html");
    Some(url).filter(|url| !url.is_empty()).into_iter().for_each(|url| add("url", url));
    case["keep"].as_array().into_iter().flatten().filter_map(Value::as_str).for_each(|value| add("keep", value));
    let of_object = case["map"].as_object().into_iter().flatten().map(|(from, to)| (from.as_str(), to.as_str()));
    let of_list = case["map"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| (pair[0].as_str().unwrap_or_default(), pair[1].as_str()));
    of_object.chain(of_list).for_each(|(from, to)| add("map", &format!("{from}={}", to.unwrap_or_default())));
    flags.extend((case["map-only"] == true).then(|| "--map-only".to_owned()));
    flags
}

#[test]
fn a_map_is_read_from_csv_and_errors_name_the_line() -> Outcome {
    let page = "<a href=http://a/x><a href='http://b/y'>";
    let folder = folder_with(&[
        ("a.html", page),
        ("map.csv", "\u{feff}From, To\n\nhttp://a/,\"http://c/\"\nhttp://b,http://d\n"),
    ])?;
    let [page, map] = ["a.html", "map.csv"].map(|name| folder.path().join(name));
    let (page, map) = (argument(&page), argument(&map));
    let (status, out, said) = run(&["rewrite", page, "-o", "-", "--map", map])?;
    assert_eq!((status, &*out), (0, "<a href=http://c/x><a href='http://d/y'>"), "{said}");
    for (rows, words) in [
        ("http://a/\n", "line 1 (byte 0) has 1 columns, not FROM and TO"),
        ("http://a/,http://b/\n,x\n", "line 2 (byte 20): links cannot be resolved against \"\""),
        ("http://a/,http://b/,\n", "has 3 columns"),
        ("from,to\n", "it has no row with FROM and TO"),
        ("http://a/,http://b/\nhttp://a,http://c/\n", "leads to both \"http://b/\" and \"http://c/\""),
    ] {
        fs::write(map, rows)?;
        let (status, _, said) = run(&["rewrite", page, "-o", "-", "--map", map])?;
        assert!(status == 2 && said.contains(words), "{status}: {said}");
    }
    fs::write(map, b"http://a/,http://b/\nhttp://\xE9/,http://c/\n")?;
    let (status, _, said) = run(&["check", page, "--map", map])?;
    assert!(status == 2 && said.contains("map.csv") && said.contains("byte: 20"), "{status}: {said}");
    for (map, words) in [("none.csv", "a CSV file with FROM and TO"), ("http://a/=b", "two URLs"), ("a=b", "a=b")] {
        let (status, _, said) = run(&["links", page, "--map", map])?;
        assert!(status == 2 && said.contains(words), "{status}: {said}");
    }
    Ok(())
}

#[test]
fn every_command_names_what_is_mapped() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=http://old.example/x><a href=http://c/>")])?;
    let [page, output, summary, report, table] =
        ["a.html", "b.html", "s.json", "r.html", "r.csv"].map(|name| folder.path().join(name));
    let [page, output, summary, report, table] = [&page, &output, &summary, &report, &table].map(|path| argument(path));
    let (_, links, _) = run(&[&["links", "--json", page], &MAP[..]].concat())?;
    assert!(links.contains("\"target\":\"https://new.example/d/x\",\"status\":\"mapped\""), "{links}");
    let (status, found, said) = run(&[&["check", page], &MAP[..]].concat())?;
    assert!(
        status == 1
            && found.contains("a@href: http://old.example/x")
            && said.contains("1 absolute link that --map covers"),
        "{found}{said}"
    );
    assert!(run(&[&["check", page, "--format", "sarif"], &MAP[..]].concat())?.1.contains("\"ruleId\":\"mapped-link\""));
    let (_, diff, _) = run(&[&["rewrite", page, "--dry-run", "--diff"], &MAP[..]].concat())?;
    assert!(diff.contains("+<a href=https://new.example/d/x>"), "{diff}");
    for (file, words) in [(report, "absolute before, and mapped"), (table, ",mapped\n")] {
        let rewrite = ["rewrite", page, "-o", output, "--force", "--summary", summary, "--report", file];
        assert_eq!(run(&[&rewrite, &MAP[..]].concat())?.0, 0);
        assert!(fs::read_to_string(file)?.contains(words), "{file}");
    }
    assert_eq!(run(&["verify", page, output, "--like", summary])?.0, 0);
    assert_eq!(run(&["verify", page, output])?.0, 1);
    let (_, _, said) = run(&[&["rewrite", output, "--dry-run"], &MAP[..]].concat())?;
    assert!(said.contains("--map: no link that was absolute before leads to what it names"), "{said}");
    Ok(())
}

#[test]
fn an_in_place_map_is_undone() -> Outcome {
    let before = "<a href=http://old.example/x>";
    let folder = folder_with(&[("a.html", before)])?;
    let [page, journal] = ["a.html", "j.jsonl"].map(|name| folder.path().join(name));
    let [page, journal] = [&page, &journal].map(|path| argument(path));
    assert_eq!(run(&[&["rewrite", page, "-i", "--journal", journal], &MAP[..]].concat())?.0, 0);
    assert_eq!(fs::read_to_string(page)?, "<a href=https://new.example/d/x>");
    assert_eq!(run(&[&["rewrite", page, "-i"], &MAP[..]].concat())?.0, 0);
    assert_eq!(fs::read_to_string(page)?, "<a href=https://new.example/d/x>");
    assert_eq!(run(&["revert", journal])?.0, 0);
    assert_eq!(fs::read_to_string(page)?, before);
    Ok(())
}

#[test]
fn images_of_a_folder_are_as_far_below_as_their_documents() -> Outcome {
    let page = "<img src=a.png><img src=/b.png><a href=/c>";
    let folder = folder_with(&[("site/x.html", page), ("site/sub/y.html", page)])?;
    let [site, output, summary] = ["site", "new", "s.json"].map(|name| folder.path().join(name));
    let flags = ["--url", "http://h/o/docs", "--root", "http://h/o", "--images-url", "http://raw/o/docs"];
    let rewrite = ["rewrite", argument(&site), "-o", argument(&output), "--summary", argument(&summary)];
    assert_eq!(run(&[&rewrite, &flags[..]].concat())?.0, 0);
    let expected =
        |at: &str| format!("<img src=http://raw/o/docs/{at}a.png><img src=http://raw/o/b.png><a href=http://h/o/c>");
    assert_eq!(fs::read_to_string(output.join("x.html"))?, expected(""));
    assert_eq!(fs::read_to_string(output.join("sub/y.html"))?, expected("sub/"));
    let (status, found, _) = run(&["verify", argument(&site), argument(&output), "--like", argument(&summary)])?;
    assert_eq!((status, &*found), (0, ""));
    let (status, _, said) = run(&["links", argument(&site), "--images-url", "http://raw/o/docs"])?;
    assert!(status == 2 && said.contains("give that with --url"), "{said}");
    let (_, base, _) = run(&[&["base", argument(&site.join("x.html"))], &flags[..]].concat())?;
    for line in ["root at the options: http://h/o/", "images-url at the options: http://raw/o/docs/"] {
        assert!(base.contains(line), "{base}");
    }
    Ok(())
}

#[test]
fn links_to_parts_of_a_message_are_not_mapped() -> Outcome {
    let message = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\
                   Content-Location: http://old.example/\n\n<img src=i.png><img src=http://old.example/i.png><a href=x>\n\
                   --b\nContent-Type: image/png\nContent-Location: http://old.example/i.png\n\n.\n--b--\n";
    let folder = folder_with(&[("a.mhtml", message)])?;
    let [page, output, fields] = ["a.mhtml", "b.mhtml", "c.mhtml"].map(|name| folder.path().join(name));
    let [page, output, fields] = [&page, &output, &fields].map(|path| argument(path));
    assert_eq!(run(&[&["rewrite", page, "-o", output], &MAP[..]].concat())?.0, 0);
    let image = "<img src=http://old.example/i.png>";
    assert!(fs::read_to_string(output)?.contains(&format!("{image}{image}<a href=https://new.example/d/x>")));
    assert_eq!(run(&[&["verify", page, output], &MAP[..]].concat())?.0, 0);
    assert_eq!(run(&[&["rewrite", page, "-o", fields, "--headers"], &MAP[..]].concat())?.0, 0);
    assert_eq!(fs::read_to_string(fields)?.matches("https://new.example/d/i.png").count(), 3);
    let (status, found, _) = run(&[&["verify", page, fields, "--headers"], &MAP[..]].concat())?;
    assert_eq!((status, &*found), (0, ""));
    Ok(())
}
