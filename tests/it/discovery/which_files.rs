//! Which files of an input are read, and as what.

use std::fs;

use crate::support::{Outcome, argument, folder_with, run};

const URL: &str = "http://h/";

#[test]
fn a_type_is_for_files_without_an_extension_too() -> Outcome {
    let page = "no markup at its start <a href=x>";
    let folder = folder_with(&[
        ("in/page", page),
        ("in/a.html", page),
        ("in/page.php?id=1", page),
        ("in/page.1", page),
        ("in/x.gz", page),
        ("in/x.js", page),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let made = ["rewrite", argument(&input), "-o", argument(&output), "--url", URL, "--type", "html"];
    let (status, _, told) = run(&made)?;
    assert!(status == 0 && told.contains("4 documents, 4 links: 4 made absolute"), "{told}");
    for (name, is_read) in [("page", true), ("page.1", true), ("x.gz", false), ("x.js", false)] {
        assert_eq!(fs::read_to_string(output.join(name))?.contains(URL), is_read, "{name}");
    }
    Ok(())
}
