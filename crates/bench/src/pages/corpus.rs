//! Documents to measure on.

use std::io::Read;
use std::path::Path;
use std::{fs, io};

use absolve_links::DocumentType;
use flate2::read::MultiGzDecoder;

use crate::corpora::files;

/// The HTML documents of one source.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) name: &'static str,
    pub(crate) documents: Vec<Vec<u8>>,
}

impl Corpus {
    pub(crate) fn bytes(&self) -> usize {
        self.documents.iter().map(Vec::len).sum()
    }
}

/// Returns the folders and archives below `root` that exist, and the names of those that do not.
pub(super) fn load(root: &Path) -> io::Result<(Vec<Corpus>, Vec<&'static str>)> {
    let (mut found, mut absent) = (Vec::new(), Vec::new());
    for (name, path) in [
        ("postgresql-doc", "html-postgresql-doc"),
        ("docbook-xsl", "html-docbook-xsl-latin1"),
        ("apache2-ko", "html-apache2-ko"),
        ("phpdoc", "html-phpdoc-base"),
        ("juice (mail)", "peer-juice"),
        ("browser tests of srcset, CSS and UTF-16", "wpt-srcset-css"),
        ("blackbook (WARC)", "warc-aut-blackbook"),
    ] {
        let path = root.join(path);
        if !path.exists() {
            absent.push(name);
            continue;
        }
        let mut documents = Vec::new();
        for file in files(&path)? {
            if is_html(&file) {
                documents.push(fs::read(&file)?);
            } else if file.to_string_lossy().ends_with(".warc.gz") {
                documents.extend(html_responses(&file)?);
            }
        }
        found.push(Corpus { name, documents });
    }
    found.push(Corpus { name: "CSS and srcset (made)", documents: (0..50).map(page_with_css_and_srcset).collect() });
    Ok((found, absent))
}

/// Returns a page as shops and magazines have them: a stylesheet in it, backgrounds in attributes, images in several sizes.
fn page_with_css_and_srcset(number: usize) -> Vec<u8> {
    let mut page = format!(
        "<!doctype html><html><head><title>Page {number}</title><link rel=stylesheet href=main.css>\n<style>\n"
    );
    for rule in 0..60 {
        page.push_str(&format!(
            ".card-{rule} > .head {{ color: #3{rule:02}; margin: 0 auto; background: no-repeat url(\"img/{number}/bg-{rule}.png\") }}\n\
             .card-{rule}:hover {{ border: 1px solid rgba(0, 0, 0, .{rule}); transition: opacity .2s ease-in-out }}\n"
        ));
    }
    page.push_str("</style></head><body>\n");
    for item in 0..80 {
        page.push_str(&format!(
            "<div class=\"card card-{item}\" style=\"background-image: url('img/{item}.jpg'); width: 50%\"><a href=\"/item/{item}\">\
             <img src=\"img/{item}-320.jpg\" srcset=\"img/{item}-320.jpg 320w, img/{item}-640.jpg 640w,\n img/{item}-960.jpg 960w\" \
             sizes=\"(max-width: 600px) 100vw, 50vw\" alt=\"Item {item}\"></a><p>A few words on item {item}, as they stand \
             below pictures, no more than a line or two.</p></div>\n"
        ));
    }
    page.push_str("</body></html>\n");
    page.into_bytes()
}

fn is_html(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.and_then(DocumentType::of_extension) == Some(DocumentType::Html)
}

/// Returns the bodies of the HTML responses of a WARC file, parsed as simply as a benchmark may.
fn html_responses(file: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut archive = Vec::new();
    MultiGzDecoder::new(fs::File::open(file)?).read_to_end(&mut archive)?;
    let mut bodies = Vec::new();
    let mut rest = &archive[..];
    while let Some(end) = memchr::memmem::find(rest, b"\r\n\r\n") {
        let header = String::from_utf8_lossy(&rest[..end]).to_ascii_lowercase();
        let length = header.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
        let Some(length) = length else { break };
        let content = &rest[end + 4..(end + 4 + length).min(rest.len())];
        if header.contains("warc-type: response")
            && let Some(head_end) = memchr::memmem::find(content, b"\r\n\r\n")
            && String::from_utf8_lossy(&content[..head_end]).to_ascii_lowercase().contains("text/html")
        {
            bodies.push(content[head_end + 4..].to_vec());
        }
        rest = rest.get(end + 4 + length + 4..).unwrap_or_default();
    }
    Ok(bodies)
}
