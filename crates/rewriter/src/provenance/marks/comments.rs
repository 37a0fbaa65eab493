//! Marks in comments.

use std::borrow::Cow;

use absolve_base::UrlSource;

use super::mark::{Mark, Unused, as_retrieved, local};
use crate::provenance::retrieval::{Saver, Scheme};

/// Returns the mark in a comment; `scheme` completes a URL without one.
pub(super) fn of_comment(comment: &str, scheme: Option<Scheme>) -> Option<Mark> {
    let text = comment.trim();
    let is_single_file =
        ["Page saved with SingleFile", "Archive processed by SingleFile"].iter().any(|start| text.starts_with(start));
    if is_single_file {
        let url = text.lines().find_map(|line| line.trim().strip_prefix("url:"))?;
        return Some(as_retrieved(UrlSource::SingleFile, url));
    }
    if let Some(rest) = text.strip_prefix("saved from url=(") {
        return of_the_web(rest);
    }
    if let Some(url) = text.strip_prefix("OriginalSrc:") {
        return Some(local(UrlSource::MaoXian, Saver::Extension, Ok(url)));
    }
    if text == "Added by HTTrack" {
        return Some(local(UrlSource::Httrack, Saver::Httrack, Err(Unused::Empty)));
    }
    if let Some((url, _)) = text.strip_prefix("Mirrored from ").and_then(|rest| rest.split_once(" by HTTrack ")) {
        let url = match scheme {
            _ if url.contains("://") => Ok(Cow::Borrowed(url)),
            Some(scheme) => Ok(format!("{}://{url}", scheme.name()).into()),
            None => Err(Unused::NoScheme),
        };
        return Some(local(UrlSource::Httrack, Saver::Httrack, url.as_deref().map_err(|why| *why)));
    }
    // `Saved from local source` marks a page that was a file before.
    let (url, program) = text.strip_prefix("Saved from ")?.split_once(" at ")?;
    program.contains(" using monolith").then(|| as_retrieved(UrlSource::Monolith, url))
}

/// Parses the mark of the web. The length is that of the URL in bytes or characters; with another one, the mark was
/// changed. A space in the URL belongs to it.
fn of_the_web(text: &str) -> Option<Mark> {
    let (length, url) = text.split_once(')')?;
    let url = url.trim();
    let length = length.parse().ok()?;
    let is_whole = [url.len(), url.chars().count()].contains(&length);
    // Chromium and QtWebEngine without a profile write that, too.
    if url == "about:internet" {
        return Some(local(UrlSource::MarkOfTheWeb, Saver::Browser, Err(Unused::Private)));
    }
    if ["about:srcdoc", "about:blank"].contains(&url) {
        return Some(local(UrlSource::MarkOfTheWeb, Saver::Browser, Err(Unused::Frame)));
    }
    // These are zones, not pages: written by authors, so that scripts may run, and by mail programs.
    const ZONES: [&str; 3] = ["about:internet", "http://internet.e-mail", "http://localhost"];
    if ZONES.iter().any(|zone| zone.eq_ignore_ascii_case(url.trim_end_matches('/'))) {
        return None;
    }
    let url = url.replace(' ', "%20");
    Some(local(UrlSource::MarkOfTheWeb, Saver::Browser, if is_whole { Ok(&url) } else { Err(Unused::OtherLength) }))
}

/// Returns the mark of `lynx -source -base`, which stands in front of all other bytes of the page.
pub(super) fn of_lynx(head: &[u8]) -> Option<Mark> {
    let (line, mut rest) = first_line(head.strip_prefix(b"<!-- X-URL: ")?)?;
    let url = line.strip_suffix(" -->")?;
    for start in ["<!-- Date: ", "<!-- Last-Modified: "] {
        rest = first_line(rest).filter(|(line, _)| line.starts_with(start)).map_or(rest, |(_, rest)| rest);
    }
    rest.starts_with(b"<BASE HREF=\"").then(|| as_retrieved(UrlSource::Lynx, url))
}

/// Returns the first line, and what follows it.
fn first_line(text: &[u8]) -> Option<(&str, &[u8])> {
    let end = memchr::memchr(b'\n', text)?;
    Some((str::from_utf8(&text[..end]).ok()?, &text[end + 1..]))
}
