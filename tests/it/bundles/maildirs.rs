//! Maildirs without their empty folders.

use zip::CompressionMethod;

use crate::bundles::made::{PAGE, tar_of, untarred, unzipped, zip_of};
use crate::bundles::names::{MESSAGE, rewritten};
use crate::support::{Outcome, folder_with, run_in};

#[test]
fn pages_of_an_archive_in_folders_named_like_those_of_a_maildir_are_pages() -> Outcome {
    let members = ["cur/index.html", "new/index.html", "new/a.htm"].map(|name| (name.to_owned(), PAGE.to_vec()));
    let (_, says, found) = rewritten("a.zip", &zip_of(&members.to_vec(), CompressionMethod::Stored)?)?;
    assert!(says.contains("3 files changed") && found.is_empty(), "{says}{found}");
    Ok(())
}

/// In `new`, names have no flags, and a list without folders does not contain an empty `cur`.
#[test]
fn a_maildir_with_new_messages_only_is_read() -> Outcome {
    let message = ("Mail/new/1700000000.M2P3.host,S=60".to_owned(), MESSAGE.as_bytes().to_vec());
    let page = ("new/1700000000.page.html".to_owned(), PAGE.to_vec());
    for (name, archive) in [
        ("a.zip", zip_of(&vec![page.clone(), message.clone()], CompressionMethod::Stored)?),
        ("a.tar", tar_of(&vec![page, message], &tar::Header::new_gnu())?),
    ] {
        let (output, says, found) = rewritten(name, &archive)?;
        assert!(says.contains("2 files changed") && found.is_empty(), "{name}: {says}{found}");
        let written = if name == "a.tar" { untarred(&output)? } else { unzipped(&output)? };
        assert_eq!(written[1].0, "Mail/new/1700000000.M2P3.host,S=69", "{name}");
    }
    let folder = folder_with(&[("in/new/1700000000.M2P3.host,S=60", MESSAGE), ("in/new/1700000000", MESSAGE)])?;
    let (status, _, says) = run_in(folder.path(), &["rewrite", "in", "-o", "out"])?;
    assert!(status == 0 && folder.path().join("out/new/1700000000.M2P3.host,S=69").exists(), "{says}");
    Ok(())
}
