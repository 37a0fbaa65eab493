//! How archives are given: among other inputs, on standard input, under names that say something else.

use std::fs;
use std::path::Path;

use crate::bundles::made::{Failure, PAGE, gzip, odd, odd_zip, tar_of};
use crate::support::{Outcome, argument, folder_with, run, run_in, run_with};
use absolve_testing::temporary_folder;

fn tar() -> Result<Vec<u8>, Failure> {
    tar_of(&vec![("a.html".into(), PAGE.to_vec())], &tar::Header::new_gnu())
}

/// A ZIP whose list of members is damaged, a tar and a message that are cut off.
fn damaged() -> Result<[(&'static str, Vec<u8>); 3], Failure> {
    let mut zip = odd_zip(&[odd(b"a.html")]);
    let record = memchr::memmem::rfind(&zip, b"PK\x01\x02").ok_or("no record")?;
    zip[record] = 0;
    let message = gzip(b"Subject: x\nContent-Type: text/html\n\n<a href=x>\n")?;
    Ok([("a.zip", zip), ("a.tgz", gzip(&tar()?)?[..60].to_vec()), ("a.eml.gz", message[..40].to_vec())])
}

/// The run fails, and the output has the file as it is.
#[test]
fn a_damaged_file_among_several_is_copied() -> Outcome {
    let folder = folder_with(&[("b.html", "<base href=http://h/><a href=x>")])?;
    for (name, bytes) in damaged()? {
        fs::write(folder.path().join(name), &bytes)?;
        let inputs = ["rewrite", name, "b.html", "-o", "out"];
        let (status, _, says) = run_in(folder.path(), &inputs)?;
        assert!(status == 1 && says.contains(&format!("cannot read {name}")), "{name}: {says}");
        assert!(fs::read(folder.path().join("out").join(name))? == bytes, "{name}");
        fs::remove_dir_all(folder.path().join("out"))?;
        // Nothing of it alone.
        let output = format!("b-{name}");
        assert_ne!(run_in(folder.path(), &["rewrite", name, "-o", &output])?.0, 0, "{name}");
        assert!(!folder.path().join(output).exists(), "{name}");
    }
    Ok(())
}

#[test]
fn resume_reports_a_damaged_archive_again() -> Outcome {
    let folder = folder_with(&[("b.html", "<base href=http://h/><a href=x>")])?;
    for (name, bytes) in &damaged()?[..2] {
        fs::write(folder.path().join(name), bytes)?;
        let inputs = ["rewrite", name, "b.html", "-o", "out"];
        for more in [&[][..], &["--resume"]] {
            let (status, _, says) = run_in(folder.path(), &[&inputs[..], more].concat())?;
            assert!(status == 1 && says.contains(&format!("cannot read {name}")), "{name} {more:?}: {says}");
        }
        fs::remove_dir_all(folder.path().join("out"))?;
    }
    Ok(())
}

/// On standard input too. A ZIP cannot become `x.txt`.
#[test]
fn an_archive_is_not_written_under_the_name_of_another_type() -> Outcome {
    let folder = temporary_folder()?;
    let archives = [
        ("a.zip", odd_zip(&[odd(b"a.html")]), ".zip"),
        ("a.tar", tar()?, ".tar"),
        ("a.tgz", gzip(&tar()?)?, ".tar.gz"),
        ("a.tar.gz", gzip(&tar()?)?, ".tar.gz"),
    ];
    for (name, bytes, extension) in archives {
        let input = folder.path().join(name);
        fs::write(&input, &bytes)?;
        for to in ["b.zip", "b.tar", "b.tgz", "b.tar.gz", "b.tar.xz", "b.txt", "b.mbox", "b", "b.kept"] {
            let output = folder.path().join(to);
            let is_right = match to {
                "b.zip" | "b.tar" => to.ends_with(extension),
                "b.tgz" | "b.tar.gz" => extension == ".tar.gz",
                _ => !to.contains(".t") && to != "b.mbox",
            };
            for from in [argument(&input), "-"] {
                let command = ["rewrite", from, "-o", argument(&output), "--url", "http://h/"];
                let (status, _, says) = run_with(&command, if from == "-" { &bytes } else { b"" })?;
                assert_eq!((status == 0, output.exists()), (is_right, is_right), "{from} {to}: {says}");
                let advice = format!("give it a name that ends in {extension}");
                assert!(is_right || (status == 2 && says.contains(&advice)), "{from} {to}: {says}");
                if is_right {
                    fs::remove_file(&output)?;
                }
            }
        }
    }
    Ok(())
}

/// It names standard input only.
#[test]
fn verify_of_standard_input_does_not_blame_the_other_file() -> Outcome {
    let zip = odd_zip(&[odd(b"a.html")]);
    let (status, _, says) = run_with(&["verify", "-", "b.zip"], &zip)?;
    assert!(status == 2 && says.contains("standard input") && !says.contains("b.zip"), "{says}");
    Ok(())
}

fn rewritten(folder: &Path, name: &str, bytes: &[u8]) -> Result<(i32, bool, String), Failure> {
    let (input, output) = (folder.join(name), folder.join(format!("out-{name}")));
    fs::write(&input, bytes)?;
    let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    Ok((status, output.exists(), says))
}

/// It is not a file of unknown type, which would be no error.
#[test]
fn a_damaged_tar_is_refused() -> Outcome {
    let folder = temporary_folder()?;
    let mut wrong = tar()?;
    wrong[10] ^= 1;
    for (name, bytes) in [("a.tar", wrong.clone()), ("b.tgz", gzip(&wrong)?), ("c.tar", b"<p>".repeat(500))] {
        let (status, exists, says) = rewritten(folder.path(), name, &bytes)?;
        assert!(
            status == 2 && !exists && says.contains("not a tar file, or its first header is damaged"),
            "{name}: {says}"
        );
    }
    Ok(())
}

#[test]
fn an_empty_tar_is_a_tar_without_documents() -> Outcome {
    let folder = temporary_folder()?;
    let zeros = vec![0; 10240];
    for (name, bytes) in [("a.tar", zeros.clone()), ("b.tgz", gzip(&zeros)?), ("c.tar", Vec::new())] {
        let (status, exists, says) = rewritten(folder.path(), name, &bytes)?;
        assert!(status == 2 && exists && says.contains("no file of it is a document"), "{name}: {says}");
        assert!(fs::read(folder.path().join(format!("out-{name}")))? == bytes, "{name}");
    }
    Ok(())
}
