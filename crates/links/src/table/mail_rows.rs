//! The rows for mail: AMP for Email and MJML.

use super::row::{Grammar, Group, Row, When};
use super::rows::{holding, of, url, when};

const fn amp(element: &'static str, attribute: &'static str) -> Row {
    of(Group::Amp, url(element, attribute, "AMP"))
}

const fn mjml(element: &'static str, attribute: &'static str) -> Row {
    of(Group::Mjml, url(element, attribute, "MJML"))
}

/// The rows. Bindings (`[src]`) are expressions, and `mj-include` names a file that MJML reads.
pub(super) static ROWS: [Row; 32] = [
    amp("amp-img", "src"),
    amp("amp-anim", "src"),
    amp("amp-list", "src"),
    amp("amp-state", "src"),
    amp("amp-autocomplete", "src"),
    holding(Grammar::Srcset, amp("amp-img", "srcset")),
    holding(Grammar::Srcset, amp("amp-anim", "srcset")),
    amp("form", "action-xhr"),
    mjml("mj-image", "src"),
    mjml("mj-image", "href"),
    holding(Grammar::Srcset, mjml("mj-image", "srcset")),
    mjml("mj-button", "href"),
    mjml("mj-section", "background-url"),
    mjml("mj-wrapper", "background-url"),
    mjml("mj-hero", "background-url"),
    mjml("mj-carousel", "left-icon"),
    mjml("mj-carousel", "right-icon"),
    mjml("mj-carousel-image", "src"),
    mjml("mj-carousel-image", "href"),
    mjml("mj-carousel-image", "thumbnails-src"),
    mjml("mj-social-element", "src"),
    mjml("mj-social-element", "href"),
    mjml("mj-navbar", "base-url"),
    when(When::WithoutBaseUrl, mjml("mj-navbar-link", "href")),
    mjml("mj-accordion", "icon-wrapped-url"),
    mjml("mj-accordion", "icon-unwrapped-url"),
    mjml("mj-accordion-element", "icon-wrapped-url"),
    mjml("mj-accordion-element", "icon-unwrapped-url"),
    mjml("mj-font", "href"),
    mjml("mj-class", "src"),
    mjml("mj-class", "href"),
    mjml("mj-class", "background-url"),
];
