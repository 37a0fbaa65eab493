//! What is around the contents of members.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;

use crate::bundles::made::{Failure, Odd, PAGE, gzip, odd, odd_zip, tar_of, zip_of};
use crate::support::warc::{HTML, response};
use crate::support::{Outcome, argument, run, run_in};
use absolve_testing::temporary_folder;
use absolve_verifier::{Bundle, verify_bundle};
use flate2::read::GzDecoder;
use tempfile::TempDir;
use zip::CompressionMethod;

/// An archive and its output in a folder.
struct Run {
    folder: TempDir,
    name: &'static str,
}

impl Run {
    fn of(name: &'static str, archive: &[u8]) -> Result<Self, Failure> {
        let made = Self { folder: temporary_folder()?, name };
        let [input, output] = made.paths();
        fs::write(&input, archive)?;
        let to = ["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"];
        let (status, _, says) = run(&to)?;
        assert!(status == 0 && says.contains("1 file changed"), "{says}");
        Ok(made)
    }

    fn paths(&self) -> [PathBuf; 2] {
        ["", "out-"].map(|prefix| self.folder.path().join(format!("{prefix}{}", self.name)))
    }

    fn written(&self) -> std::io::Result<Vec<u8>> {
        fs::read(&self.paths()[1])
    }

    /// Returns the exit status of `verify` if the output has these bytes.
    fn verify(&self, bytes: &[u8]) -> Result<i32, Failure> {
        let [input, output] = self.paths();
        fs::write(&output, bytes)?;
        Ok(run(&["verify", argument(&input), argument(&output), "--url", "http://h/"])?.0)
    }
}

/// A ZIP with something at each kind of place: a program in front, an extra field, sizes after a member, bytes behind its end.
fn zip() -> Vec<u8> {
    let picture = Odd { bytes: b"GIF89a".to_vec(), flags: 8, ..odd(b"a.gif") };
    let page = Odd { extra: b"UT\x05\0\x03time\x99".to_vec(), is_long: true, ..odd(b"b.html") };
    [b"#!/bin/sh\nexec unzip $0\n", &*odd_zip(&[picture, page]), b"behind"].concat()
}

#[test]
fn verify_finds_damage_around_the_contents_of_members() -> Outcome {
    let made = Run::of("a.zip", &zip())?;
    let whole = made.written()?;
    assert_eq!(made.verify(&whole)?, 0);
    let find = |bytes: &[u8]| memchr::memmem::rfind(&whole, bytes).ok_or("not there");
    let (header, list, end) = (find(b"PK\x03\x04")?, find(b"PK\x01\x02")?, find(b"PK\x05\x06")?);
    let mut cases = 0;
    // In front; flags, checksum, name, field and size of a local header; sizes after a member; in the list; at the end.
    let (after, extra) = (header - 12, header + 35);
    let places = [5, header + 6, header + 14, header + 30, extra + 4, extra + 24, after, list + 6, list + 36, end + 30];
    for at in places.into_iter().chain([whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        assert_eq!(made.verify(&damaged)?, 1, "byte {at} of {}", whole.len());
        cases += 1;
    }
    let mut uncommented = whole[..end + 22].to_vec();
    uncommented[end + 20] = 0;
    for damaged in [[&*whole, b"x"].concat(), whole[..end + 29].to_vec(), uncommented] {
        assert_eq!(made.verify(&damaged)?, 1, "{} bytes", damaged.len());
        cases += 1;
    }
    assert_eq!(cases, 14);
    Ok(())
}

/// A long end record belongs to archives of 4 GiB and more.
#[test]
fn verify_finds_a_long_end_record_that_nothing_needs() -> Outcome {
    let made = Run::of("a.zip", &odd_zip(&[odd(b"a.gif"), odd(b"b.html")]))?;
    let whole = made.written()?;
    let end = memchr::memmem::rfind(&whole, b"PK\x05\x06").ok_or("no end")?;
    let start = memchr::memmem::find(&whole, b"PK\x01\x02").ok_or("no list")?;
    let long = [
        b"PK\x06\x06",
        &44_u64.to_le_bytes()[..],
        &[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &2_u64.to_le_bytes().repeat(2),
        &((end - start) as u64).to_le_bytes(),
        &(start as u64).to_le_bytes(),
        b"PK\x06\x07\0\0\0\0",
        &(end as u64).to_le_bytes(),
        &[1, 0, 0, 0],
    ]
    .concat();
    let mut longer = whole.clone();
    longer.splice(end..end, long);
    let statuses = [whole, longer].map(|bytes| made.verify(&bytes));
    assert_eq!(statuses.into_iter().collect::<Result<Vec<_>, _>>()?, [0, 1]);
    Ok(())
}

/// Any other byte is one that is compared, or that keeps the archive from being read.
#[test]
fn each_byte_around_the_contents_of_members_is_verified() -> Outcome {
    let made = Run::of("a.zip", &zip())?;
    let [original, output] = made.paths();
    let original = Bundle::open(&File::open(original)?)?;
    let whole = made.written()?;
    let contents = memchr::memmem::find(&whole, b"<a href=http://h/x>").ok_or("no page")?;
    let [mut different, mut unreadable] = [0, 0];
    for at in (0..whole.len()).filter(|at| !(contents..contents + 19).contains(at)) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&output, damaged)?;
        match Bundle::open(&File::open(&output)?) {
            Err(_) => unreadable += 1,
            Ok(rewritten) => {
                let is_read = rewritten.copy_member(1, &mut Vec::new()).is_ok();
                let verdict = verify_bundle(&original, &rewritten, &BTreeSet::from([1]))?;
                assert!(!verdict.differences.is_empty() || !is_read, "byte {at} of {}", whole.len());
                different += 1;
            }
        }
    }
    assert_eq!([different, unreadable], [241, 74]);
    Ok(())
}

/// The same for a tar, with its padding and all that follows the last member. The name and size of a page that changes may be another.
#[test]
fn each_byte_around_the_contents_of_members_of_a_tar_is_verified() -> Outcome {
    let files =
        [("a.gif".into(), b"GIF89a".to_vec()), ("b.html".into(), PAGE.to_vec()), ("c.gif".into(), vec![1; 512])];
    let tar = tar_of(&Vec::from(files), &tar::Header::new_ustar())?;
    let made = Run::of("a.tar", &tar)?;
    let [original, output] = made.paths();
    let original = Bundle::open(&File::open(original)?)?;
    let whole = made.written()?;
    let contents = 3 * 512..3 * 512 + memchr::memchr(0, &whole[3 * 512..]).ok_or("no padding")?;
    for at in (0..whole.len()).filter(|at| !contents.contains(at)) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&output, damaged)?;
        if let Ok(rewritten) = Bundle::open(&File::open(&output)?) {
            let verdict = verify_bundle(&original, &rewritten, &BTreeSet::from([1]))?;
            assert!(!verdict.differences.is_empty(), "byte {at} of {}", whole.len());
        }
    }
    fs::write(&output, &whole)?;
    let verdict = verify_bundle(&original, &Bundle::open(&File::open(&output)?)?, &BTreeSet::from([1]))?;
    assert!(verdict.differences.is_empty(), "{:?}", verdict.differences);
    Ok(())
}

#[test]
fn verify_finds_another_compression_of_a_tar() -> Outcome {
    let tar = tar_of(&vec![("a.html".into(), PAGE.to_vec())], &tar::Header::new_gnu())?;
    let made = Run::of("a.tgz", &gzip(&tar)?)?;
    let whole = made.written()?;
    let mut plain = Vec::new();
    GzDecoder::new(&*whole).read_to_end(&mut plain)?;
    let statuses = [whole, zstd::encode_all(&*plain, 0)?, plain].map(|bytes| made.verify(&bytes));
    assert_eq!(statuses.into_iter().collect::<Result<Vec<_>, _>>()?, [0, 1, 1]);
    Ok(())
}

/// In each form. In a bundle, a file cannot be left out, so that an archive without conversions stays, as does an ARC.
#[test]
fn web_archives_in_bundles_are_verified() -> Outcome {
    let page = |number, body: &[u8]| response(number, "http://h/d/", "200 OK", HTML, body);
    let arc =
        b"filedesc://a.arc 0.0.0.0 20200101000000 text/plain 76\n1 0 x\nURL IP-address Archive-date Content-type \
                Archive-length\n\nhttp://h/d/ 1.2.3.4 20200101000000 text/html 10\n<a href=x>\n";
    let members = vec![
        ("none.warc".to_owned(), page(1, b"<p>")),
        ("some.warc".to_owned(), [page(1, b"<p>"), page(2, b"<a href=y>")].concat()),
        ("a.arc".to_owned(), arc.to_vec()),
        ("a.html".to_owned(), PAGE.to_vec()),
    ];
    let bundles = [
        ("a.zip", zip_of(&members, CompressionMethod::Stored)?),
        ("a.tar", tar_of(&members, &tar::Header::new_gnu())?),
    ];
    for (name, bundle) in bundles {
        for form in ["append", "sidecar", "resource"] {
            let folder = temporary_folder()?;
            fs::write(folder.path().join(name), &bundle)?;
            let options = ["--warc", form, "--url", "http://h/"];
            let run =
                |command: &str, more: &[&str]| run_in(folder.path(), &[&[command, name], more, &options].concat());
            let (_, _, says) = run("rewrite", &["-o", "out"])?;
            assert!(says.contains(&format!("cannot write {name}/a.arc")), "{name} {form}: {says}");
            let (status, found, says) = run("verify", &["out"])?;
            assert!((status, &*found) == (0, ""), "{name} {form}: {found}{says}");
            // In the original, the second archive has a link without a conversion.
            let (_, found, _) = run("verify", &[name])?;
            assert!(found.contains("some.warc") && !found.contains("none.warc"), "{name} {form}: {found}");
        }
    }
    Ok(())
}
