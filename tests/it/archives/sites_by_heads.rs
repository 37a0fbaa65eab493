//! `absolve unpack` reads heads of records first: what they do not show counts all the same.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use fastrand::Rng;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::warc::{HTML, member, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::{rounds, temporary_folder};

type Failure = Box<dyn std::error::Error>;

/// What a run over members printed, and the files of the site.
type Site = (i32, String, BTreeMap<String, Vec<u8>>);

fn unpacked(members: &[Vec<u8>], name: &str) -> Result<Site, Failure> {
    let outer = temporary_folder()?;
    let (archive, site) = (outer.path().join(name), outer.path().join("site"));
    fs::write(&archive, members.concat())?;
    let (status, _, stderr) = run(&["unpack", argument(&archive), "-o", argument(&site), "--verbose"])?;
    let mut files = BTreeMap::new();
    if site.exists() {
        for path in absolve_testing::files(&site)? {
            files.insert(path.strip_prefix(&site)?.to_string_lossy().replace('\\', "/"), fs::read(&path)?);
        }
        let verified = run(&["verify", argument(&archive), argument(&site)])?;
        assert!(verified.1.is_empty(), "{verified:?}");
    }
    Ok((status, stderr.replace(argument(outer.path()), ""), files))
}

/// Returns bytes that gzip cannot make fewer.
fn noise(random: &mut Rng, length: usize) -> Vec<u8> {
    (0..length).map(|_| random.u8(..)).collect()
}

/// The last capture is damaged where its head does not show it: the one before it counts, and links lead there.
#[test]
fn damage_in_a_body_is_found_before_links_lead_to_it() -> Outcome {
    let mut random = Rng::with_seed(36);
    let image = |number, body: &[u8]| response(number, "http://h/i.png", "200 OK", "Content-Type: image/png\r\n", body);
    let (before, last) = (noise(&mut random, 9_000), noise(&mut random, 9_000));
    let page = response(1, "http://h/", "200 OK", HTML, b"<img src=i.png><img src=gone.png>");
    let gone = response(2, "http://h/gone.png", "200 OK", "Content-Type: image/png\r\n", &last);
    let mut members = [member(&page)?, member(&gone)?, member(&image(3, &before))?, member(&image(4, &last))?];
    for damaged in [1, 3] {
        members[damaged][6_000] ^= 4;
    }
    let (status, stderr, files) = unpacked(&members, "a.warc.gz")?;
    assert_eq!((status, stderr.matches("record-damaged").count()), (1, 2), "{stderr}");
    assert!(files["h/i.png"] == before && !files.contains_key("h/gone.png"), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&files["h/index.html"]), "<img src=i.png><img src=http://h/gone.png>");
    assert!(stderr.contains("2 files, "), "{stderr}");
    Ok(())
}

/// Whichever bit of a member is flipped, the site is that of the others.
#[test]
fn a_flipped_bit_costs_its_record() -> Outcome {
    let mut random = Rng::with_seed(39);
    let pages = |name: &str| format!("<a href=0>0</a><a href=1>1</a><a href=2>2</a><img src=i.png>{name}");
    let mut members = Vec::new();
    for number in 0..6 {
        let (url, body) = (format!("http://h/{}", number % 3), pages(&number.to_string()));
        members.push(member(&response(number, &url, "200 OK", HTML, body.repeat(100).as_bytes()))?);
        let image = noise(&mut random, 4_000);
        members.push(member(&response(
            10 + number,
            "http://h/i.png",
            "200 OK",
            "Content-Type: image/png\r\n",
            &image,
        ))?);
    }
    let contents = |mut site: Site| {
        site.2.retain(|path, _| path.contains('/'));
        site.2
    };
    let whole = contents(unpacked(&members, "a.warc.gz")?);
    for round in 0..rounds(400) {
        // The header has neither a length nor a checksum.
        let (mut damaged, which) = (members.clone(), random.usize(..members.len()));
        let at = random.usize(10..damaged[which].len());
        damaged[which][at] ^= 1 << random.u8(..8);
        let mut others = members.clone();
        others.remove(which);
        let (found, expected) = (unpacked(&damaged, "a.warc.gz")?, contents(unpacked(&others, "a.warc.gz")?));
        let is_certain = found.0 == 1 && found.1.contains("record-damaged");
        assert!(
            is_certain && contents(found) == expected && expected.len() == whole.len(),
            "round {round}: {which} {at}"
        );
    }
    Ok(())
}

/// A record within a record, with the length in front of it by which the outer one seems to end there.
#[test]
fn a_record_that_is_made_to_look_like_the_next_one_is_a_part_of_its_own() -> Outcome {
    let mut random = Rng::with_seed(38);
    let fields = "Content-Type: application/gzip\r\n";
    let hidden = member(&response(7, "http://h/hidden", "200 OK", HTML, b"hidden"))?;
    let outer = |length: u32, noise: &[u8]| {
        let body = [noise, &length.to_le_bytes(), &hidden, noise].concat();
        response(1, "http://h/outer", "200 OK", fields, &body)
    };
    let noise = noise(&mut random, 3_000);
    let length = outer(0, &noise).len();
    let records = [outer(length as u32, &noise), response(2, "http://h/", "200 OK", HTML, b"<a href=hidden>")];
    let mut members = Vec::new();
    for record in &records {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
        encoder.write_all(record)?;
        members.push(encoder.finish()?);
    }
    let (status, stderr, files) = unpacked(&members, "a.warc.gz")?;
    assert_eq!((status, files.len()), (0, 4), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&files["h/index.html"]), "<a href=http://h/hidden>");
    Ok(())
}

/// Archives come out the same, compressed or not, whatever their records have for bodies.
#[test]
fn compressed_archives_become_the_same_sites() -> Outcome {
    let mut random = Rng::with_seed(37);
    for round in 0..rounds(60) {
        let (mut plain, mut packed) = (Vec::new(), Vec::new());
        for number in 0..random.u32(1..9) {
            let url = format!("http://h/{}", random.usize(..4));
            let mut body = noise(&mut random, 3_000);
            // An archive that was captured itself.
            body.extend(packed.iter().flatten());
            let (status, fields) = [
                ("200 OK", "Content-Type: application/gzip\r\n"),
                ("200 OK", ""),
                ("200 OK", HTML),
                ("404 Not Found", HTML),
                ("301 Moved", "Location: /0\r\n"),
            ][random.usize(..5)];
            let record = response(number, &url, status, fields, &body);
            packed.push(member(&record)?);
            plain.push(record);
        }
        let ((status, _, mut files), (whole, _, expected)) =
            (unpacked(&packed, "a.warc.gz")?, unpacked(&plain, "a.warc")?);
        let list = String::from_utf8(files.remove("urls.csv").unwrap_or_default())?;
        files.insert("urls.csv".to_owned(), list.replace("a.warc.gz", "a.warc").into_bytes());
        let same = |path: &str| path == "index.html" || files.get(path) == expected.get(path);
        assert!(status == whole && expected.keys().all(|path| same(path)), "round {round}");
    }
    Ok(())
}
