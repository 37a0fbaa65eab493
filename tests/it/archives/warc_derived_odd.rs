//! Derived archives of what is odd, long, broken, or holds documents in documents.

use std::fs;
use std::time::Instant;

use crate::support::derived::{derive, id};
use crate::support::warc::{HTML, compressed, decompressed, member, record, records, response};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{IN_FULL, print_line};

const URL: &str = "http://h/d/page";
const PAGE: &[u8] = b"<a href=x>";

fn page(number: u32) -> Vec<u8> {
    response(number, URL, "200 OK", HTML, PAGE)
}

#[test]
fn archives_that_break_off() -> Outcome {
    let pages: Vec<_> = (1..=4).map(page).collect();
    let plain = pages.concat();
    let members: Vec<_> = pages.iter().map(|page| member(page)).collect::<Result<_, _>>()?;
    let members = members.concat();
    for (name, input) in [
        ("within a block", &plain[..plain.len() - 10]),
        ("within a heading", &plain[..plain.len() - pages[3].len() + 20]),
        ("within a member", &members[..members.len() - 20]),
        ("within the end of a member", &members[..members.len() - 4]),
    ] {
        let derived = derive("a.warc", input, &[])?;
        assert_eq!(derived.counts(["resources", "errors"]), [3, 1], "{name}: {}", derived.told);
        assert!(derived.status == 1 && derived.told.contains("record 4: record-cut-off"), "{name}: {}", derived.told);
        assert_eq!(derived.records()?.len(), 8, "{name}");
        let left_out =
            if name.ends_with("member") { "lacks the unreadable end" } else { "bytes that are not a record" };
        assert!(derived.told.contains(left_out), "{name}: {}", derived.told);
    }
    Ok(())
}

/// The digest of the input is that of all of it, even of what could not be read.
#[test]
fn the_digest_of_an_archive_that_cannot_be_read_to_its_end() -> Outcome {
    use sha2::Digest;
    let input = [&member(&page(1))?[..], b"no gzip", &[b'x'; 300_000]].concat();
    let derived = derive("a.warc.gz", &input, &[])?;
    assert_eq!((derived.counts(["resources", "errors"]), derived.status), ([1, 1], 1), "{}", derived.told);
    let sha256 = data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(&input));
    let records = derived.records()?;
    let last = String::from_utf8_lossy(&records[records.len() - 1].block);
    assert!(last.ends_with(&format!("absolve-input-sha256: {sha256}\r\n")), "{last}");
    Ok(())
}

#[test]
fn what_is_not_a_record_is_left_out_and_reported() -> Outcome {
    let kept = response(2, URL, "404 Not Found", HTML, b"");
    let input = [&page(1)[..], b"garbage\r\nmore\r\n\r\n", &kept, b"\r\n\r\n", &page(3)].concat();
    for (name, input) in [("a.warc", input.clone()), ("a.warc.gz", member(&input)?)] {
        let derived = derive(name, &input, &[])?;
        assert_eq!(derived.counts(["resources", "not-its-type", "errors"]), [2, 2, 1], "{}", derived.told);
        assert!(derived.told.contains("13 bytes that are not a record"), "{}", derived.told);
        let out = derived.records()?;
        assert!(out.len() == 7 && out[3].raw == kept, "{} records", out.len());
    }
    Ok(())
}

/// Zeros between members belong to none of them.
#[test]
fn zeros_between_members_are_left_out() -> Outcome {
    let kept = member(&response(2, URL, "404 Not Found", HTML, b""))?;
    let derived = derive("a.warc.gz", &[&member(&page(1))?[..], &[0; 100], &kept].concat(), &[])?;
    assert_eq!(derived.counts(["resources", "errors"]), [1, 0], "{}", derived.told);
    let at = memchr::memmem::find(&derived.out, &kept).ok_or("the member has changed")?;
    assert!(!derived.out[..at].ends_with(&[0; 8]) && derived.records()?.len() == 5);
    Ok(())
}

/// A record without line ends behind it, or with a part of them, gets them, so that another can stand behind it.
#[test]
fn line_ends_are_added_where_they_are_missing() -> Outcome {
    let mut kept = response(2, URL, "404 Not Found", HTML, b"ends with one\n");
    kept.truncate(kept.len() - 4);
    for (line_ends, behind) in [("", vec![]), ("\r", vec![]), ("\n\r\n\r\n", page(3)), ("\r\n\r", page(3))] {
        let derived = derive("a.warc", &[&page(1)[..], &kept, line_ends.as_bytes(), &behind].concat(), &[])?;
        let resources = if behind.is_empty() { 1 } else { 2 };
        assert_eq!(derived.counts(["resources", "errors"]), [resources, 0], "{line_ends:?}: {}", derived.told);
        assert!(derived.records()?[3].raw == [&kept[..], b"\r\n\r\n"].concat(), "{line_ends:?}");
    }
    Ok(())
}

/// What is made of a record whose version is none names one that readers know.
#[test]
fn a_version_that_is_none_is_not_passed_on() -> Outcome {
    let odd = String::from_utf8_lossy(&page(1)).replace("WARC/1.1", "WARC/x.y of mine");
    let derived = derive("a.warc", odd.as_bytes(), &[])?;
    assert_eq!(derived.counts(["resources", "errors"]), [1, 0], "{}", derived.told);
    assert!(derived.records()?.iter().all(|record| record.raw.starts_with(b"WARC/1.0\r\n")));
    Ok(())
}

#[test]
fn a_record_over_the_limit_is_copied_whole() -> Outcome {
    let start = Instant::now();
    let long = response(2, "http://h/film", "200 OK", HTML, &vec![b' '; 129 << 20]);
    let (first, last) = (page(1), page(3));
    let plain = [&first[..], &long, &last].concat();
    let gzip = if IN_FULL { [member(&first)?, member(&long)?, member(&last)?].concat() } else { Vec::new() };
    for (name, input) in [("a.warc", plain), ("a.warc.gz", gzip)].into_iter().take(if IN_FULL { 2 } else { 1 }) {
        let derived = derive(name, &input, &[])?;
        assert_eq!(derived.counts(["resources", "message-too-long", "errors"]), [2, 1, 0], "{}", derived.told);
        let out = derived.records()?;
        assert!(out.len() == 7 && out[3].raw == long, "{} records", out.len());
        if name.ends_with(".gz") {
            let begins = memchr::memmem::find_iter(&derived.out, b"\x1f\x8b\x08\0").count();
            assert_eq!(begins, 7, "a member for each record");
        }
    }
    let heading = String::from_utf8_lossy(&page(2)).replace("Content-Length: 5", "Content-Length: 3000000005");
    let cut = derive("a.warc", &[&first[..], heading.as_bytes(), &vec![b' '; 9 << 20]].concat(), &[])?;
    assert_eq!((cut.status, cut.counts(["resources", "message-too-long"])), (1, [1, 1]), "{}", cut.told);
    assert_eq!(cut.records()?.len(), 4, "what breaks off is left out");
    print_line(&format!("records over the limit: {:?}", start.elapsed()));
    Ok(())
}

/// Records that have no ids get ones of their own.
#[test]
fn two_visits_without_ids_stay_two() -> Outcome {
    let visit = |number: u32, date: &str| {
        let text = String::from_utf8_lossy(&page(number)).replace("2020-01-01", date);
        text.replace(&format!("WARC-Record-ID: {}\r\n", id(number)), "")
    };
    let derived = derive("a.warc", [visit(1, "2020-01-01"), visit(2, "2021-01-01")].concat().as_bytes(), &[])?;
    assert_eq!(derived.counts(["resources", "errors"]), [2, 0], "{}", derived.told);
    let out = derived.records()?;
    assert!(out[1].field("WARC-Record-ID") != out[3].field("WARC-Record-ID"));
    assert_eq!(out[3].field("WARC-Date"), "2021-01-01T00:00:00Z");
    Ok(())
}

#[test]
fn the_same_bytes_whatever_the_number_of_threads() -> Outcome {
    let mut made = Vec::new();
    for number in 0..200 {
        made.push(response(number * 2, &format!("http://h/{number}/"), "200 OK", HTML, PAGE));
        let fields = format!("WARC-Target-URI: http://g/{number}/\r\nWARC-Refers-To: {}\r\n", id(number));
        made.push(record("revisit", number * 2 + 1, &fields, b""));
    }
    for (name, input) in compressed(&made)? {
        let one = derive(name, &input, &["--jobs", "1"])?;
        let eight = derive(name, &input, &["--jobs", "8"])?;
        assert!(one.out == eight.out && one.told.lines().count() == eight.told.lines().count(), "{name}");
        // Those of even numbers refer to a response that stands before them, the others to a revisit.
        assert_eq!(one.counts(["resources", "revisit", "errors"]), [300, 100, 0], "{name}: {}", one.told);
    }
    Ok(())
}

/// `--warc resource` of an ARC is refused, as an ARC holds no resources.
#[test]
fn an_arc_gives_no_conversions_in_the_place_of_resources() -> Outcome {
    let block = "HTTP/1.0 200 OK\nContent-Type: text/html\n\n<a href=x>";
    let line = format!("{URL} 127.0.0.1 20140216050221 text/html {}\n", block.len());
    let arc = format!("filedesc://a.arc 0.0.0.0 20140216050221 text/plain 2\n1\n\n{line}{block}\n");
    let folder = folder_with(&[("in/a.arc", &arc)])?;
    let (tree, file) = (folder.path().join("in"), folder.path().join("in/a.arc"));
    let (all, one) = (folder.path().join("all"), folder.path().join("one.warc"));
    for (input, output, expected) in [(&tree, &all, 1), (&file, &one, 2)] {
        let arguments = ["rewrite", argument(input), "-o", argument(output), "--warc", "resource"];
        let (status, _, told) = run(&arguments)?;
        assert!(status == expected && told.contains("an ARC holds no resources"), "{told}");
    }
    assert!(!one.exists() && fs::read(all.join("a.arc"))? == arc.as_bytes() && !all.join("a.arc.warc").exists());
    let (status, told, _) = run(&["verify", argument(&tree), argument(&all), "--warc", "resource"])?;
    assert_eq!(status, 0, "{told}");
    Ok(())
}

/// The URL of the record is the base around the parts of a message, and their own locations come first.
#[test]
fn messages_in_responses() -> Outcome {
    let parts = |location: &str| {
        format!(
            "--b\r\nContent-Type: text/html\r\n{location}\r\n<a href=x>\r\n\
             --b\r\nContent-Type: text/css\r\n\r\na{{b:url(y)}}\r\n--b--\r\n"
        )
    };
    let related = "Content-Type: multipart/related; boundary=b\r\n";
    let message = format!("Subject: x\r\n{related}\r\n{}", parts(""));
    let done = |text: &str| text.replace("href=x", "href=http://h/d/x").replace("url(y)", "url(http://h/d/y)");
    let other = parts("Content-Location: http://other/e/\r\n");
    for (name, headers, body, expected) in [
        ("parts", related, &parts(""), done(&parts(""))),
        ("parts of another place", related, &other, done(&other).replace("http://h/d/x", "http://other/e/x")),
        ("a message", "Content-Type: message/rfc822\r\n", &message, done(&message)),
    ] {
        let made = response(1, URL, "200 OK", headers, body.as_bytes());
        for flags in [&[][..], &["--warc", "sidecar"]] {
            let derived = match flags {
                [] => derive("a.warc", &made, &[])?.records()?,
                flags => {
                    let folder = folder_with(&[])?;
                    let (path, output) = (folder.path().join("a.warc"), folder.path().join("out"));
                    fs::write(&path, &made)?;
                    run(&[&["rewrite", argument(&path), "-o", argument(&output)], flags].concat())?;
                    records(&decompressed("", &fs::read(&output)?)?)?
                }
            };
            assert_eq!(derived.len(), if flags.is_empty() { 4 } else { 2 }, "{name}");
            assert_eq!(String::from_utf8_lossy(&derived[1].block), expected, "{name}");
            assert!(headers.contains(derived[1].field("Content-Type")), "{name}");
        }
        let again = derive("a.warc", &response(1, URL, "200 OK", headers, expected.as_bytes()), &[])?;
        assert_eq!(again.counts(["resources", "documents", "rewritten"]), [0, 2, 0], "{name}: {}", again.told);
    }
    Ok(())
}
