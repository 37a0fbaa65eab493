//! What symbolic links lead to has another URL there.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{Outcome, argument, folder_with, run, run_in};

const URL: &str = "http://h/";

/// `a` with documents, and links to them from elsewhere.
fn tree() -> Result<tempfile::TempDir, Box<dyn std::error::Error>> {
    let folder = folder_with(&[
        ("in/a/p.html", "<a href=x.html>"),
        ("in/a/absolute.html", "<a href=http://o/>"),
        ("in/a/i.png", "image"),
        ("in/a/sub/q.html", "<a href=../x.html>"),
        ("in/b/own.html", "<a href=x.html>"),
        ("elsewhere.html", "<a href=x.html>"),
    ])?;
    let input = folder.path().join("in");
    for (target, link) in [
        ("../a/p.html", "b/p.html"),
        ("../a/absolute.html", "b/absolute.html"),
        ("../a/i.png", "b/i.png"),
        ("../missing.html", "b/missing.html"),
        ("p.html", "a/alias.html"),
        ("../../elsewhere.html", "b/outside.html"),
        ("../../a/i.png", "a/sub/i.png"),
        ("a", "c"),
        ("..", "a/around"),
    ] {
        symlink(target, input.join(link))?;
    }
    Ok(folder)
}

fn read(output: &Path, path: &str) -> String {
    let file = output.join(path);
    let kind = if file.is_symlink() { "link: " } else { "" };
    fs::read_to_string(file).map_or_else(|error| error.to_string(), |text| format!("{kind}{text}"))
}

#[test]
fn links_that_change_their_meaning_through_a_symbolic_link_are_reported() -> Outcome {
    let folder = tree()?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", URL])?;
    assert_eq!(status, 0, "{told}");
    let kept: Vec<&str> = told.lines().filter(|line| line.contains("symlink-kept")).collect();
    let [around, file, of_folder] = kept[..] else { return Err(told.into()) };
    assert!(around.contains("a/around: ") && around.contains(&format!("the folder {}: ", input.display())), "{around}");
    assert!(
        file.contains("b/p.html: ") && file.contains(&format!("a symbolic link to {}/a/p.html: ", input.display())),
        "{file}"
    );
    assert!(
        of_folder.contains("c: ")
            && of_folder.contains(&format!("a symbolic link to the folder {}/a: ", input.display())),
        "{of_folder}"
    );
    assert!(told.contains("b/outside.html: symlink-outside"), "{told}");
    assert_eq!(read(&output, "b/p.html"), "link: <a href=http://h/a/x.html>");
    let (_, _, told) = run(&["rewrite", argument(&input), "--dry-run"])?;
    assert!(!told.contains("symlink-kept"), "nothing is made absolute: {told}");
    Ok(())
}

#[test]
fn what_links_lead_to_becomes_files_of_their_own() -> Outcome {
    let folder = tree()?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let copy = ["--url", URL, "--symlinks", "copy"];
    let (status, _, told) = run(&[&["rewrite", argument(&input), "-o", argument(&output)], &copy[..]].concat())?;
    assert_eq!(status, 0, "{told}");
    for (path, text) in [
        ("a/p.html", "<a href=http://h/a/x.html>"),
        ("b/p.html", "<a href=http://h/b/x.html>"),
        ("a/alias.html", "<a href=http://h/a/x.html>"),
        ("b/absolute.html", "<a href=http://o/>"),
        ("c/p.html", "<a href=http://h/c/x.html>"),
        ("c/sub/q.html", "<a href=http://h/c/x.html>"),
        ("c/i.png", "image"),
        ("c/sub/i.png", "image"),
        ("b/i.png", "link: image"),
        ("a/sub/i.png", "link: image"),
    ] {
        assert_eq!(read(&output, path), text, "{path}");
    }
    for link in ["b/missing.html", "b/outside.html", "a/around", "c/around"] {
        assert!(output.join(link).is_symlink(), "{link}");
    }
    assert!(told.contains("a/around: symlink-kept") && told.contains("c/around: symlink-kept"), "{told}");
    let (status, out, told) = run(&[&["verify", argument(&input), argument(&output)], &copy[..]].concat())?;
    assert_eq!(status, 0, "{out}{told}");
    let (status, _, told) = run(&["verify", argument(&input), argument(&output), "--url", URL])?;
    assert_eq!(status, 1, "links were to be kept: {told}");
    Ok(())
}

/// It would show what the links lead to as what becomes of the links.
#[test]
fn a_diff_of_copies_is_refused() -> Outcome {
    let folder = tree()?;
    let input = folder.path().join("in");
    let flags = ["--url", URL, "--symlinks", "copy", "--dry-run", "--diff"];
    let (status, out, told) = run(&[&["rewrite", argument(&input)], &flags[..]].concat())?;
    assert!(status == 2 && out.is_empty() && told.contains("--symlinks copy"), "{told}");
    Ok(())
}

#[test]
fn nothing_is_copied_in_place() -> Outcome {
    let folder = tree()?;
    let input = folder.path().join("in");
    let (status, _, told) = run(&["rewrite", argument(&input), "--in-place", "--url", URL, "--symlinks", "copy"])?;
    assert_eq!(status, 2, "{told}");
    let (_, _, told) = run(&["rewrite", argument(&input), "--in-place", "--url", URL])?;
    assert!(told.contains("b/p.html: symlink-kept"), "{told}");
    assert!(input.join("b/p.html").is_symlink());
    Ok(())
}

/// Its path leads out of the input and back, and the message keeps the name with its old size.
#[test]
fn an_absolute_link_keeps_the_message_that_it_leads_to() -> Outcome {
    const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    let folder = folder_with(&[
        ("in/cur/1.M2P3.host,S=60:2,S", MESSAGE),
        ("in/cur/2.M2P3.host,S=60:2,S", MESSAGE),
        ("in/cur/3.M2P3.host,S=60:2,S", MESSAGE),
        ("in/new/.keep", ""),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    symlink(input.join("cur/1.M2P3.host,S=60:2,S"), input.join("absolute"))?;
    symlink("../in/cur/2.M2P3.host,S=60:2,S", input.join("relative"))?;
    symlink(folder.path().join("elsewhere"), input.join("outside"))?;
    for to in [&["-o", argument(&output)][..], &["--in-place"]] {
        let (status, _, says) = run_in(folder.path(), &[&["rewrite", "in"], to].concat())?;
        assert!(status == 0 && says.matches("name-clash: a link leads to it").count() == 2, "{says}");
        assert_eq!(says.matches("points into the input by a path outside it").count(), 2, "{says}");
        assert!(says.contains("in/outside: symlink-outside: the symbolic link points outside the input"), "{says}");
        let written = if to.len() == 1 { &input } else { &output };
        assert!(written.join("cur/3.M2P3.host,S=69:2,S").exists(), "{says}");
        for link in ["absolute", "relative"] {
            assert!(input.join(link).exists(), "{link}: {says}");
        }
    }
    assert!(fs::read_to_string(input.join("absolute"))?.ends_with("<a href=http://h/x>\n"));
    Ok(())
}

/// A mirror has `page.html -> page.html.en`, and the page is not read.
#[test]
fn a_link_with_the_name_of_a_page_to_a_file_without_is_a_finding() -> Outcome {
    let folder =
        folder_with(&[("in/a.html", "<a href=x>"), ("in/page.html.en", "Text, and <a href=x>"), ("in/b", "")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    symlink("page.html.en", input.join("page.html"))?;
    symlink("b", input.join("c"))?;
    let (status, _, messages) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", URL])?;
    assert_eq!((status, messages.matches("symlink-kept").count()), (0, 1), "{messages}");
    assert!(messages.contains("page.html.en, which is not read, as its name is not that of a document"), "{messages}");
    Ok(())
}
