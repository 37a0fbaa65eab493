//! The rows for AMP, and for MJML, a language for the sources of mail.

use super::row::{Grammar, Group, When};
use super::rows::{Rows, holding, of, url, when};

const fn amp(elements: &'static str, attributes: &'static str) -> Rows {
    of(Group::Amp, url(elements, attributes, "AMP"))
}

const fn mjml(elements: &'static str, attributes: &'static str) -> Rows {
    of(Group::Mjml, url(elements, attributes, "MJML"))
}

/// Elements of AMP with a `src`.
const AMP_SRC: &str = "amp-img amp-anim amp-video amp-audio amp-iframe amp-video-iframe amp-list amp-state amp-autocomplete \
    amp-ad amp-embed amp-3d-gltf amp-animation amp-bodymovin-animation amp-date-picker amp-google-document-embed \
    amp-install-serviceworker amp-next-page amp-playbuzz amp-render amp-script amp-story-animation amp-story-bookend \
    amp-story-page-attachment amp-story-shopping-config amp-story-social-share";

/// Images of a story.
const AMP_STORY: &str = "publisher-logo-src poster-portrait-src poster-square-src poster-landscape-src entity-logo-src entity-url \
    background-audio bookend-config-src";

/// The rows. Bindings (`[src]`) are expressions, and `mj-include` names a file that MJML reads.
pub(super) static ROWS: [Rows; 25] = [
    amp(AMP_SRC, "src"),
    holding(Grammar::Srcset, amp("amp-img amp-anim", "srcset")),
    amp("amp-video amp-iframe amp-video-iframe amp-ima-video", "poster"),
    amp("amp-video amp-audio", "artwork"),
    amp("form", "action-xhr verify-xhr"),
    amp("amp-story", AMP_STORY),
    amp("amp-story-page", "background-audio"),
    amp("amp-story-page-attachment amp-story-page-outlink", "cta-image cta-image-2"),
    amp("amp-analytics amp-call-tracking", "config"),
    amp("amp-ima-video", "data-src data-tag data-poster"),
    amp("amp-install-serviceworker", "data-iframe-src data-no-service-worker-fallback-shell-url"),
    amp("amp-web-push", "helper-iframe-url permission-dialog-url service-worker-url service-worker-scope"),
    amp("amp-user-notification", "data-show-if-href data-dismiss-href"),
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
