//! Web archives whose names do not say what they are.

use std::fs;

use crate::support::stops::{containers, gzip};
use crate::support::{Outcome, argument, folder_with, run};

/// The names of documents say less than the first bytes of a file that was named itself.
#[test]
fn a_file_that_was_named_itself_is_read_as_the_web_archive_that_it_is() -> Outcome {
    for (name, bytes) in containers(3)?.into_iter().filter(|(name, _)| ["a.arc", "a.warc"].contains(name)) {
        for (other, bytes) in [("a.txt", bytes.clone()), ("a.html", bytes.clone()), ("b.html", gzip(&bytes)?)] {
            let folder = folder_with(&[])?;
            let (input, output) = (folder.path().join(other), folder.path().join("out"));
            fs::write(&input, bytes)?;
            let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output), "--warc", "sidecar"])?;
            assert!(status == 0 && says.contains("3 conversions written"), "{name}, {other}: {says}");
            let (status, links, _) = run(&["links", argument(&input)])?;
            assert!(status == 0 && links.lines().count() == 3, "{name}, {other}: {links}");
            let (status, _, says) = run(&["verify", argument(&input), argument(&output), "--warc", "sidecar"])?;
            assert_eq!(status, 0, "{name}, {other}: {says}");
        }
    }
    Ok(())
}

/// In a folder nothing but text is opened for that, and a page is never taken for something else without a word.
#[test]
fn a_web_archive_with_the_name_of_a_page_is_reported_in_a_folder() -> Outcome {
    for (name, bytes) in containers(3)?.into_iter().filter(|(name, _)| ["a.arc", "a.warc"].contains(name)) {
        let folder = folder_with(&[("in/page.html", "<a href=b>")])?;
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        fs::write(input.join("a.html"), &bytes)?;
        let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/d/"];
        let (status, _, says) = run(&arguments)?;
        let finding = "a.html: not-its-type: it begins like a web archive, not like what its name says; give it a name that ends in";
        assert!(status == 0 && says.contains(&format!("{finding} {}", &name[1..])), "{says}");
        assert_eq!(fs::read(output.join("a.html"))?, bytes);
        let (status, _, says) = run(&["verify", argument(&input), argument(&output), "--url", "http://h/d/"])?;
        assert_eq!(status, 0, "{says}");
    }
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    fs::create_dir(&input)?;
    for (_, bytes) in containers(3)?.into_iter().filter(|(name, _)| *name == "a.warc") {
        fs::write(input.join("plain.txt"), &bytes)?;
        fs::write(input.join("gzip.txt"), gzip(&bytes)?)?;
    }
    let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 0 && says.contains("6 conversions written"), "{says}");
    Ok(())
}
