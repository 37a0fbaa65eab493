//! The layers of a base as nested boxes, as the drafts draw them.

use absolve_base::{Declared, Verdict};
use maud::{Markup, html};

use crate::text::Found;

/// The boxes, from the inside out.
const BOXES: [&str; 3] = ["embedded in the document", "headers around it", "URL it was retrieved from"];

/// Returns the boxes, with what each declares and why it counts or not.
pub(crate) fn boxes(declared: &[Declared]) -> Markup {
    let boxes = BOXES.iter().enumerate();
    let inner = boxes.fold(html! {}, |inner, (index, title)| boxed(index + 1, title, declared, &inner));
    let is_won = !declared.iter().any(|declared| declared.verdict == Verdict::Used);
    html! {
        div.box {
            (inner)
            p { "4 · no base" }
            @if is_won { p.used { "nothing else declares one: each reference is taken as absolute" } }
        }
    }
}

fn boxed(number: usize, title: &str, declared: &[Declared], inner: &Markup) -> Markup {
    let is_here = |declared: &&Declared| declared.declaration.layer.number_of_box() == number;
    let mut here = declared.iter().filter(is_here).peekable();
    html! {
        div.box {
            (inner)
            p { (number) " · " (title) @if here.peek().is_none() { " – nothing declared" } }
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
