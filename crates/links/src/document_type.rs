//! Types of documents.

/// A type of document in which links are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentType {
    /// `text/html`.
    Html,
    /// `text/css`.
    Css,
    /// XML of any kind: XHTML, SVG, feeds.
    Xml,
    /// `text/plain`.
    Text,
    /// `text/markdown` (RFC 7763): CommonMark, with the extensions of GitHub.
    Markdown,
    /// `application/feed+json`: JSON Feed 1.0 and 1.1.
    JsonFeed,
    /// `application/speculationrules+json`: the rules that a header field `Speculation-Rules` names.
    SpeculationRules,
    /// The value of a header field that contains references (RFC 2557, section 4.2; RFC 2369; RFC 5064).
    Field,
}

impl DocumentType {
    /// Returns the type of a document by its file extension.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!(DocumentType::of_extension("HTM"), Some(DocumentType::Html));
    /// assert_eq!(DocumentType::of_extension("png"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        const XML: [&str; 17] = [
            "xhtml", "xht", "svg", "xml", "rss", "atom", "rdf", "opml", "owl", "mml", "kml", "xspf", "osdx", "dita",
            "ditamap", "dbk", "docbook",
        ];
        let is_one_of = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(extension));
        if is_one_of(&["html", "htm", "shtml", "shtm", "phtml"]) {
            Some(Self::Html)
        } else if is_one_of(&["css"]) {
            Some(Self::Css)
        } else if is_one_of(&XML) {
            Some(Self::Xml)
        } else if is_one_of(&["txt"]) {
            Some(Self::Text)
        } else if is_one_of(&["md", "markdown", "mdown", "mkd"]) {
            Some(Self::Markdown)
        } else {
            None
        }
    }

    /// Returns the type of a document by its media type, given without parameters.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!(DocumentType::of_media_type("Text/HTML"), Some(DocumentType::Html));
    /// assert_eq!(DocumentType::of_media_type("image/svg+xml"), Some(DocumentType::Xml));
    /// assert_eq!(DocumentType::of_media_type("image/png"), None);
    /// ```
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        match &*media_type.trim().to_ascii_lowercase() {
            "text/html" | "text/x-amp-html" | "text/watch-html" => Some(Self::Html),
            "text/css" => Some(Self::Css),
            "text/plain" => Some(Self::Text),
            "text/markdown" | "text/x-markdown" => Some(Self::Markdown),
            "application/feed+json" => Some(Self::JsonFeed),
            "application/speculationrules+json" => Some(Self::SpeculationRules),
            "text/xml" | "application/xml" | "text/x-opml" => Some(Self::Xml),
            other if other.ends_with("+xml") => Some(Self::Xml),
            _ => None,
        }
    }

    /// Returns the type of a document by its first bytes: HTML if it begins like HTML, XML if it begins with an XML
    /// declaration or the root element of a common vocabulary, a JSON Feed if it is JSON with its version, speculation rules if it is
    /// JSON that begins with a list of them. Behind the code of a template, any tag begins HTML.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!(DocumentType::of_content(b"\n<!doctype html><p>"), Some(DocumentType::Html));
    /// assert_eq!(DocumentType::of_content(b"<?xml version='1.0'?><rss>"), Some(DocumentType::Xml));
    /// assert_eq!(DocumentType::of_content(br#"{"version": "https://jsonfeed.org/version/1.1""#), Some(DocumentType::JsonFeed));
    /// assert_eq!(DocumentType::of_content(b"<%@ page %>\n<% x(); %><h2>"), Some(DocumentType::Html));
    /// assert_eq!(DocumentType::of_content(b"<?php class X {} // no markup"), None);
    /// assert_eq!(DocumentType::of_content(b"plain text"), None);
    /// ```
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        const HTML: [&[u8]; 5] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<title"];
        const XML: [&[u8]; 7] = [b"<rss", b"<feed", b"<rdf:rdf", b"<opml", b"<svg", b"<math", b"<!doctype"];
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        let is_xml = bytes.starts_with(b"<?xml");
        let (behind, has_code) = behind_prolog(bytes);
        let is_one_of = |beginnings: &[&[u8]]| {
            let begins = |beginning: &&[u8]| {
                behind.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
            };
            beginnings.iter().any(begins)
        };
        if is_one_of(&HTML) {
            Some(Self::Html)
        } else if is_xml || is_one_of(&XML) {
            Some(Self::Xml)
        } else if let Some(json) = json_of(bytes) {
            Some(json)
        } else if has_code && begins_tag(behind) {
            Some(Self::Html)
        } else {
            bytes.starts_with(b"<!--").then_some(Self::Html)
        }
    }

    /// Returns whether a document begins with code of a template, behind which HTML may follow.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert!(DocumentType::begins_with_code(b"<%@ page %><p>") && !DocumentType::begins_with_code(b"<p><% x %>"));
    /// ```
    pub fn begins_with_code(bytes: &[u8]) -> bool {
        begins_with_code(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start())
    }

    /// Returns the type of a document or of a fragment by its first bytes: as [`of_content`](Self::of_content), and HTML if it begins
    /// with an element of the MIME Sniffing Standard (section 7.1).
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!(DocumentType::of_fragment(b"<p>Some text"), Some(DocumentType::Html));
    /// assert_eq!(DocumentType::of_fragment(b"<process/>"), None);
    /// ```
    pub fn of_fragment(bytes: &[u8]) -> Option<Self> {
        const ELEMENTS: [&[u8]; 11] =
            [b"<script", b"<iframe", b"<h1", b"<div", b"<font", b"<table", b"<a", b"<style", b"<b", b"<br", b"<p"];
        let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        let begins = |element: &&[u8]| {
            let end = start.get(element.len()).filter(|_| start[..element.len()].eq_ignore_ascii_case(element));
            end.is_some_and(|end| b" \t\r\n>".contains(end))
        };
        Self::of_content(bytes).or_else(|| ELEMENTS.iter().any(begins).then_some(Self::Html))
    }

    /// The media type that says nothing of a content: the name of its file does.
    pub const UNTYPED: &str = "application/octet-stream";

    /// Returns the type that the name of a file says, if [the content can confirm it](Self::may_be_that_of).
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!(["a.HTM", "a.css", "a"].map(DocumentType::of_file_name), [Some(DocumentType::Html), None, None]);
    /// ```
    pub fn of_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Self::of_extension(extension.trim()).filter(|named| matches!(named, Self::Html | Self::Xml))
    }

    /// Returns whether a content may have this type: markup often begins with any element.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert!(DocumentType::Html.may_be_that_of(b"<center>") && !DocumentType::Html.may_be_that_of(b"<rss>"));
    /// ```
    pub fn may_be_that_of(self, content: &[u8]) -> bool {
        match Self::of_content(content) {
            None => content.trim_ascii_start().starts_with(b"<"),
            found => found == Some(self),
        }
    }

    /// All types of files.
    pub const ALL: [Self; 7] =
        [Self::Html, Self::Css, Self::Xml, Self::Text, Self::Markdown, Self::JsonFeed, Self::SpeculationRules];

    /// Returns the name used on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_links::DocumentType::Html.name(), "html");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Css => "css",
            Self::Xml => "xml",
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::JsonFeed => "json-feed",
            Self::SpeculationRules => "speculation-rules",
            Self::Field => "field",
        }
    }

    /// Returns the type of files with this name.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!((DocumentType::named("css"), DocumentType::named("png")), (Some(DocumentType::Css), None));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Returns the media type.
    ///
    /// ```
    /// assert_eq!(absolve_links::DocumentType::Css.media_type(), "text/css");
    /// ```
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html",
            Self::Css => "text/css",
            Self::Xml => "application/xml",
            Self::Text | Self::Field => "text/plain",
            Self::Markdown => "text/markdown",
            Self::JsonFeed => "application/feed+json",
            Self::SpeculationRules => "application/speculationrules+json",
        }
    }
}

/// Returns whether the bytes begin with the signature of a common binary format.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 12] = [
        b"\x89PNG",
        b"GIF8",
        b"\xFF\xD8\xFF",
        b"%PDF-",
        b"PK\x03\x04",
        b"\x1F\x8B",
        b"\x7FELF",
        b"RIFF",
        b"wOFF",
        b"wOF2",
        b"\x28\xB5\x2F\xFD",
        b"BZh",
    ];
    BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning))
}

/// The beginning of the version that a JSON Feed states.
pub(crate) const JSON_FEED: &str = "https://jsonfeed.org/version/1";

/// Returns the type of a document that begins like an object in JSON: a feed states its version, and rules begin with a list of them.
fn json_of(bytes: &[u8]) -> Option<DocumentType> {
    const BYTES: usize = 2048;
    const RULES: [&[u8]; 2] = [b"{\"prefetch\":[{", b"{\"prerender\":[{"];
    if !bytes.starts_with(b"{") {
        return None;
    }
    let is_written = |byte: &u8| *byte != b'\\' && !byte.is_ascii_whitespace();
    let start: Vec<u8> = bytes.iter().take(BYTES).copied().filter(is_written).collect();
    if memchr::memmem::find(&start, format!("\"version\":\"{JSON_FEED}").as_bytes()).is_some() {
        return Some(DocumentType::JsonFeed);
    }
    RULES.iter().any(|rules| start.starts_with(rules)).then_some(DocumentType::SpeculationRules)
}

/// Skips an XML declaration, processing instructions, comments, and the code that templates of JSP, ASP, PHP and ColdFusion begin with.
/// Returns whether there is some.
fn behind_prolog(bytes: &[u8]) -> (&[u8], bool) {
    let (mut rest, mut has_code) = (bytes, false);
    loop {
        rest = rest.trim_ascii_start();
        let is_code = begins_with_code(rest);
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'%', ..] => b"%>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            _ if is_code => b">",
            _ => return (rest, has_code),
        };
        let behind = |at: usize| &rest[at + end.len()..];
        // A text in the code may contain the end.
        let is_before_markup = |at: &usize| !is_code || behind(*at).trim_ascii_start().starts_with(b"<");
        let Some(at) = memchr::memmem::find_iter(rest, end).find(is_before_markup) else { return (rest, has_code) };
        (rest, has_code) = (behind(at), has_code || is_code);
    }
}

/// Returns whether bytes begin with the code of a template: of PHP, of JSP or ASP, or with an element of ColdFusion or JSP.
pub(crate) fn begins_with_code(bytes: &[u8]) -> bool {
    const CODE: [&[u8]; 11] =
        [b"<?php", b"<?=", b"<? ", b"<?\n", b"<?\r", b"<%", b"<cf", b"</cf", b"<jsp:", b"<c:", b"<asp:"];
    CODE.iter().any(|mark| bytes.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark)))
}

/// Returns whether bytes begin with a tag or a doctype.
fn begins_tag(bytes: &[u8]) -> bool {
    matches!(bytes, [b'<', b'!' | b'/' | b'a'..=b'z' | b'A'..=b'Z', ..])
}

/// Returns whether the bytes begin like JSON. Templates begin like `{{`, `{%` and `{#`.
pub(crate) fn is_data(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match bytes.trim_ascii_start() {
        [b'{', second, ..] => !matches!(second, b'{' | b'%' | b'#'),
        start => matches!(start, [b'{' | b'[', ..]),
    }
}
