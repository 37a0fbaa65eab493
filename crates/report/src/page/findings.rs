//! The findings by code: what each means, what to do, and where it is.

use maud::{Markup, html};

use crate::explanation::{Span, explanation, words_and_code};
use crate::facts::{Facts, Kind};
use crate::state::{Place, State};
use crate::text::{Found, count, largest_first, number};

pub(crate) fn section(kind: Kind, facts: &Facts, state: &State) -> Markup {
    let codes = largest_first(&facts.findings);
    html! {
        @if !codes.is_empty() {
            section.page #findings aria-labelledby="findings-heading" {
                h2 #findings-heading { (kind.findings()) }
                @if !facts.advice.is_empty() { p { (spans(&words_and_code(&facts.advice))) } }
                @for (code, amount) in codes { (group(code, amount, state)) }
            }
        }
    }
}

fn group(code: &str, amount: u64, state: &State) -> Markup {
    let places = state.places.get(code).map_or(&[][..], |places| places);
    let documents = state.totals.findings.get(code).copied().unwrap_or_default();
    let rest = amount.saturating_sub(places.len() as u64);
    html! {
        article.finding {
            h3 { code { (Found(code)) } " " span { (number(amount)) } }
            @if let Some(explained) = explanation(code) {
                p.what { (spans(&explained.sentence)) }
                @if !explained.more.is_empty() { p { (spans(&explained.more)) } }
            }
            @if let Some(message) = one_message(places) { p.message { (Found(message)) } }
            ul.places {
                @for place in places {
                    li {
                        code { (Found(&place.place)) }
                        @if one_message(places).is_none() { " " span { (Found(&place.message)) } }
                    }
                }
            }
            @if rest > 0 { p.rest { "and " (number(rest)) " more" @if documents == 0 { "." } } }
            @if documents > 0 {
                p.rest { a.all href="#documents" data-find=(code) { "Show " (count(documents, "document")) " in the table" } }
            }
        }
    }
}

/// Returns the message, if all places have the same.
fn one_message(places: &[Place]) -> Option<&str> {
    let first = &*places.first()?.message;
    (places.len() > 1 && places.iter().all(|place| place.message == first)).then_some(first)
}

fn spans(spans: &[Span]) -> Markup {
    html! {
        @for span in spans {
            @match span {
                Span::Text(text) => (text),
                Span::Code(code) => code { (code) },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::one_message;
    use crate::state::Place;

    #[test]
    fn a_message_that_all_places_have_is_written_once() {
        let places = |messages: &[&str]| -> Vec<Place> {
            messages.iter().map(|message| Place { place: "a.html".into(), message: (*message).into() }).collect()
        };
        for (messages, expected) in [
            (&["one", "one"][..], Some("one")),
            (&["one", "one", "one"], Some("one")),
            (&["one", "one", "two"], None),
            (&["one"], None),
            (&[], None),
        ] {
            assert_eq!(one_message(&places(messages)), expected, "{messages:?}");
        }
    }
}
