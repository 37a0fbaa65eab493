//! The library in three functions: `cargo run --example library FILE URL` prints an HTML file with absolute links, then its
//! links; of a message (`FILE.eml`) the message with absolute links.

use std::io::Write;

use absolve_rewriter::{BaseError, DocumentType, Rewriter};

fn absolutize(html: &str, url: &str) -> Result<String, BaseError> {
    let page = Rewriter::default().html(html, url)?;
    Ok(page.into_text().into_owned())
}

fn list(html: &[u8], url: &str) -> Result<Vec<(String, Option<String>)>, BaseError> {
    let listing = Rewriter::default().links(html, DocumentType::Html, url)?;
    Ok(listing.links.into_iter().map(|link| (link.reference, link.target)).collect())
}

fn rewrite_message(message: &[u8]) -> Result<Vec<u8>, BaseError> {
    let message = Rewriter::default().message(message, None)?;
    Ok(message.into_bytes().into_owned())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout();
    match &arguments[..] {
        [file] if file.ends_with(".eml") => out.write_all(&rewrite_message(&std::fs::read(file)?)?)?,
        [file, url] => {
            let html = std::fs::read_to_string(file)?;
            writeln!(out, "{}", absolutize(&html, url)?)?;
            for (reference, target) in list(html.as_bytes(), url)? {
                writeln!(out, "{reference} -> {}", target.as_deref().unwrap_or("(no target)"))?;
            }
        }
        _ => return Err("FILE URL, or FILE.eml".into()),
    }
    Ok(())
}

#[test]
fn a_base_counts_before_the_url() -> Result<(), BaseError> {
    let html = "<base href=/b/><a href=x>";
    assert_eq!(absolutize(html, "http://h/")?, "<base href=http://h/b/><a href=http://h/b/x>");
    assert_eq!(list(html.as_bytes(), "http://h/")?[1], ("x".to_owned(), Some("http://h/b/x".to_owned())));
    let message = b"Content-Type: text/html\nContent-Base: http://h/\n\n<a href=x>";
    assert!(rewrite_message(message)?.ends_with(b"<a href=http://h/x>"));
    Ok(())
}
