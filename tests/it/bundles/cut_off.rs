//! Tar files that are cut off, or that end without the blocks that mark an end.

use std::fs;

use crate::bundles::made::{Failure, PAGE, gzip, tar_header, tar_of};
use crate::support::{Outcome, argument, run};
use absolve_testing::temporary_folder;

/// Two pages: headers at 0 and 1024, contents up to 522 and 1546, the end at 2048.
fn tar() -> Result<Vec<u8>, Failure> {
    tar_of(&vec![("a.html".into(), PAGE.to_vec()), ("b.html".into(), PAGE.to_vec())], &tar::Header::new_gnu())
}

#[test]
fn a_tar_without_the_rest_of_its_last_block_is_refused() -> Outcome {
    let folder = temporary_folder()?;
    let whole = tar()?;
    let long_name = tar_header("././@LongLink", tar::EntryType::GNULongName, "")?;
    let whole_until = |end: usize| (whole[..end].to_vec(), if end < 1024 { 0 } else { 1024 });
    let without_member = ([&whole[..2048], &long_name].concat(), 2560);
    for (archive, byte) in [522, 600, 1023, 1546, 2047].map(whole_until).into_iter().chain([without_member]) {
        for (name, bytes) in [("a.tar", archive.clone()), ("a.tgz", gzip(&archive)?)] {
            let (input, output) = (folder.path().join(name), folder.path().join(format!("b-{name}")));
            fs::write(&input, bytes)?;
            let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"])?;
            let why = format!("it is cut off: byte {byte} begins a member that is not there");
            assert!(status == 2 && !output.exists() && says.contains(&why), "{name}: {} {says}", archive.len());
        }
    }
    Ok(())
}

#[test]
fn a_tar_that_may_be_cut_off_between_two_members_is_a_finding() -> Outcome {
    let folder = temporary_folder()?;
    let whole = tar()?;
    for (end, is_whole) in [(1024, false), (2048, false), (2560, true), (3072, true)] {
        for name in ["a.tar", "a.tgz"] {
            let [input, output, other] = ["", "b-", "c-"].map(|prefix| folder.path().join(format!("{prefix}{name}")));
            let bytes = &whole[..end];
            fs::write(&input, if name == "a.tgz" { gzip(bytes)? } else { bytes.to_vec() })?;
            let (_, _, checked) = run(&["check", argument(&input)])?;
            let to = ["-o", argument(&output), "--url", "http://h/", "--force"];
            let (status, _, says) = run(&[&["rewrite", argument(&input)], &to[..]].concat())?;
            let finding =
                format!("{name}: member-unread: no block of zeros marks its end; if it is cut off at byte {end}");
            assert_eq!(says.contains(&finding) && checked.contains(&finding), !is_whole, "{says}{checked}");
            let (_, found, _) = run(&["verify", argument(&input), argument(&output), "--url", "http://h/"])?;
            assert!(status == 0 && found.is_empty(), "{name}: {end} {says}{found}");
            if name == "a.tar" {
                // Each page has room for the longer link in its block.
                let written = fs::read(&output)?;
                assert_eq!(written.len(), end);
                fs::write(&other, [&written, &[0; 512][..]].concat())?;
                let (status, found, _) = run(&["verify", argument(&input), argument(&other), "--url", "http://h/"])?;
                assert!(status == 1 && found.contains("what follows its last member differs"), "{end}: {found}");
            }
        }
    }
    Ok(())
}
