//! Hard links in tar files, whose contents are those of another member.

use std::fs;

use crate::bundles::made::{tar_header, tar_of};
use crate::support::{Outcome, argument, run};
use absolve_testing::temporary_folder;
use tar::EntryType;

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

/// A page or a message may be the second name of contents that are not read.
#[test]
fn an_unread_second_name_of_a_document_is_a_finding() -> Outcome {
    let folder = temporary_folder()?;
    let [input, output] = ["a.tar", "b.tar"].map(|name| folder.path().join(name));
    for (first, link, is_unread) in [
        ("a.dat", "b.html", true),
        ("a.css", "b.html", true),
        ("md/tmp/1700000000.M1P2.host", "md/new/1700000000.M1P2.host", true),
        ("md/backup/1.M1P2.host:2,S", "md/cur/1.M1P2.host:2,S", false),
        ("md/new/1700000000.M1P2.host", "md/cur/1700000000.M1P2.host:2,S", false),
        ("a.eml", "md/cur/1.M1P2.host:2,S", false),
        ("a", "a.eml", false),
        ("a.html", "b.htm", false),
        ("a.html", "b.dat", false),
        ("a.png", "b.jpg", false),
    ] {
        let files = [(first, MESSAGE), ("c.html", "<a href=http://h/x>"), ("md/new/2", ""), ("md/cur/2", "")];
        let members = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).to_vec();
        let mut archive = tar_of(&members, &tar::Header::new_gnu())?;
        archive.splice(archive.len() - 1024..archive.len() - 1024, tar_header(link, EntryType::Link, first)?);
        fs::write(&input, archive)?;
        let finding = format!("a.tar/{link}: member-unread: it is a hard link to {first}, whose contents are not read");
        let (status, _, says) =
            run(&["rewrite", argument(&input), "-o", argument(&output), "--force", "--url", "http://h/"])?;
        assert!(status == 0 && says.contains(&finding) == is_unread, "{link}: {says}");
        let (status, found, _) = run(&["verify", argument(&input), argument(&output), "--url", "http://h/"])?;
        assert_eq!((status, &*found), (0, ""), "{link}");
        let (status, _, says) = run(&["check", argument(&output)])?;
        assert_eq!((status, says.contains("member-unread")), (i32::from(is_unread), is_unread), "{link}: {says}");
    }
    Ok(())
}
