//! What a page says of the bytes of a stylesheet, and that it is reported when they change.

use crate::support::{Outcome, argument, folder_with, run};

#[test]
fn a_pinned_stylesheet_that_changes_is_reported() -> Outcome {
    let folder = folder_with(&[
        (
            "in/a.html",
            "<link rel=stylesheet href=changes.css integrity=sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC><link rel=stylesheet href=stays.css integrity=sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC>",
        ),
        ("in/b.html", "<link rel=stylesheet href=changes.css>"),
        ("in/changes.css", "a{b:url(c)}"),
        ("in/stays.css", "a{}"),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let (status, _, errors) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"])?;
    assert_eq!(status, 0, "{errors}");
    let told: Vec<&str> = errors.lines().filter(|line| line.contains("integrity")).collect();
    assert_eq!(
        told,
        [format!(
            "{}:1:27: integrity: its integrity hash covers http://h/changes.css, which changes in this run",
            input.join("a.html").display()
        )]
    );
    Ok(())
}
