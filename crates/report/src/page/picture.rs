//! The layers of a base as nested boxes, as the drafts draw them.

use absolve_base::{Declared, Layer, Verdict};
use maud::{Markup, html};

use crate::text::Found;

/// The boxes, from the inside out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ring {
    Document,
    Headers,
    Retrieval,
    None,
}

impl Ring {
    const fn of(layer: Layer) -> Self {
        match layer {
            Layer::Header { .. } => Self::Headers,
            Layer::Retrieval => Self::Retrieval,
            Layer::None => Self::None,
            _ => Self::Document,
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Document => "1 · embedded in the document",
            Self::Headers => "2 · headers around it",
            Self::Retrieval => "3 · URL it was retrieved from",
            Self::None => "4 · no base",
        }
    }
}

/// Returns the boxes, with what each declares and why it counts or not.
pub(crate) fn boxes(declared: &[Declared]) -> Markup {
    let inner = ring(Ring::Document, declared, html! {});
    let inner = ring(Ring::Headers, declared, inner);
    let inner = ring(Ring::Retrieval, declared, inner);
    let is_won = !declared.iter().any(|declared| declared.verdict == Verdict::Used);
    html! {
        div.box {
            (inner)
            p { (Ring::None.title()) }
            @if is_won { p.used { "nothing else declares one: each reference is taken as absolute" } }
        }
    }
}

fn ring(ring: Ring, declared: &[Declared], inner: Markup) -> Markup {
    let mut here = declared.iter().filter(|declared| Ring::of(declared.declaration.layer) == ring).peekable();
    html! {
        div.box {
            (inner)
            p { (ring.title()) @if here.peek().is_none() { " – nothing declared" } }
            @for declared in here { (declaration(declared)) }
        }
    }
}

fn declaration(declared: &Declared) -> Markup {
    let Declared { declaration, url, verdict } = declared;
    let url = url.as_deref().filter(|url| *url != declaration.value);
    html! {
        p class=[(*verdict == Verdict::Used).then_some("used")] {
            @if *verdict == Verdict::Used { b { "used: " } }
            (declaration.layer.name()) " at " (Found(&declaration.place.to_string())) ": " code { (Found(&declaration.value)) }
            @if let Some(url) = url { " = " code { (Found(url)) } }
            @if *verdict != Verdict::Used { i { " not used: " (verdict.why()) } }
        }
    }
}
