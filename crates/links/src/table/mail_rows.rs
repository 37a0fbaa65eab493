//! The rows for mail: AMP for Email and MJML.

use super::row::{Grammar, Group, When};
use super::rows::{Rows, holding, of, url, when};

const fn amp(elements: &'static str, attributes: &'static str) -> Rows {
    of(Group::Amp, url(elements, attributes, "AMP"))
}

const fn mjml(elements: &'static str, attributes: &'static str) -> Rows {
    of(Group::Mjml, url(elements, attributes, "MJML"))
}

/// The rows. Bindings (`[src]`) are expressions, and `mj-include` names a file that MJML reads.
pub(super) static ROWS: [Rows; 15] = [
    amp("amp-img amp-anim amp-list amp-state amp-autocomplete", "src"),
    holding(Grammar::Srcset, amp("amp-img amp-anim", "srcset")),
    amp("form", "action-xhr"),
    mjml("mj-image", "src href"),
    holding(Grammar::Srcset, mjml("mj-image", "srcset")),
    mjml("mj-button", "href"),
    mjml("mj-section mj-wrapper mj-hero", "background-url"),
    mjml("mj-carousel", "left-icon right-icon"),
    mjml("mj-carousel-image", "src href thumbnails-src"),
    mjml("mj-social-element", "src href"),
    mjml("mj-navbar", "base-url"),
    when(When::WithoutBaseUrl, mjml("mj-navbar-link", "href")),
    mjml("mj-accordion mj-accordion-element", "icon-wrapped-url icon-unwrapped-url"),
    mjml("mj-font", "href"),
    mjml("mj-class", "src href background-url"),
];
