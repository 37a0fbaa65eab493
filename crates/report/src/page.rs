//! The page: its frame, and the order of its sections.

pub(crate) mod documents;
pub(crate) mod findings;
pub(crate) mod hosts;
pub(crate) mod picture;
pub(crate) mod summary;

use std::io::{self, Write};

use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::facts::{Facts, Kind};
use crate::state::{LEAST_DETAIL_BYTES, PAGE_BYTES, State};
use crate::text::Found;

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// Writes the page. What the rows open gets the room that the rest leaves.
pub(crate) fn write(kind: Kind, facts: &Facts, mut state: State, output: &mut dyn Write) -> io::Result<()> {
    let head = head(kind, facts);
    let sections = html! {
        (summary::section(kind, facts, &state))
        (findings::section(kind, facts, &state))
        (hosts::section(kind, &state.hosts))
    };
    let end = end();
    let fixed = head.0.len() + sections.0.len() + end.0.len() + documents::FRAME_BYTES;
    let room = PAGE_BYTES.saturating_sub(fixed);
    state.rows.shrink_to(room.saturating_sub(LEAST_DETAIL_BYTES));
    let mut room = room - state.rows.bytes();
    for details in &mut state.details {
        details.end_with(&state.rows);
        details.shrink_to(room);
        room -= details.bytes();
    }
    output.write_all(head.0.as_bytes())?;
    output.write_all(sections.0.as_bytes())?;
    documents::write(kind, facts, &state, output)?;
    output.write_all(end.0.as_bytes())?;
    output.flush()
}

/// Returns the head and the begin of the body. Its policy lets the style and the script of the page run, by their digests, and
/// nothing else.
fn head(kind: Kind, facts: &Facts) -> Markup {
    let digest = |text: &str| BASE64.encode(&Sha256::digest(text));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(concat!("absolve ", env!("CARGO_PKG_VERSION")));
                title { (kind.name()) " " (Found(&facts.title)) }
                style { (PreEscaped(STYLE)) }
            }
        }
    }
    .without_end("</html>")
}

/// Returns the end of the page, with its script.
fn end() -> Markup {
    html! {
        footer {
            p { "Made by absolve " (env!("CARGO_PKG_VERSION")) ". This page is self-contained and makes no network requests." }
        }
        script { (PreEscaped(SCRIPT)) }
    }
}

trait WithoutEnd {
    fn without_end(self, end: &str) -> Self;
}

impl WithoutEnd for Markup {
    /// Returns the markup without an end tag: what follows stands within that element.
    fn without_end(self, end: &str) -> Self {
        Self(self.0.strip_suffix(end).map(str::to_owned).unwrap_or(self.0))
    }
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rewrite => "absolve rewrite",
            Self::Verify => "absolve verify",
            Self::Check => "absolve check",
        }
    }

    /// What became of the links that [`Counts::rewritten`](absolve_rewriter::Counts) counts.
    pub(crate) const fn changed(self) -> &'static str {
        match self {
            Self::Rewrite => "made absolute",
            Self::Verify => "changed and proven",
            Self::Check => "relative",
        }
    }

    pub(crate) const fn unresolved(self) -> &'static str {
        match self {
            Self::Check => "relative, without a target",
            _ => "left relative",
        }
    }

    pub(crate) const fn absolute(self) -> &'static str {
        match self {
            Self::Rewrite => "absolute before",
            Self::Verify => "unchanged",
            Self::Check => "absolute",
        }
    }

    pub(crate) const fn findings(self) -> &'static str {
        match self {
            Self::Verify => "Differences",
            _ => "Findings",
        }
    }
}
