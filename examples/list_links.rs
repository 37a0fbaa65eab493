//! Lists the links of an HTML file: `cargo run --example list_links FILE URL`.

use std::io::Write;

use absolve_links::{Document, DocumentType, Table};
use absolve_resolver::{BaseUrl, Standard};

fn list(html: &[u8], url: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let base = BaseUrl::parse(url, Standard::Whatwg)?;
    let document = Document::new(html, DocumentType::Html);
    let scan = document.scan(&Table::default())?;
    let mut lines = Vec::new();
    for link in &scan.links {
        let reference = document.reference(link);
        let target = base.resolve(reference.text())?;
        lines.push(format!("{:?} {} -> {target}", link.range, reference.text()));
    }
    Ok(lines)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(url)) = (arguments.next(), arguments.next()) else { return Err("FILE URL".into()) };
    for line in list(&std::fs::read(file)?, &url)? {
        writeln!(std::io::stdout(), "{line}")?;
    }
    Ok(())
}

#[test]
fn lists_links() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(list(b"<a href=x>", "http://h/")?, ["8..9 x -> http://h/x"]);
    Ok(())
}
