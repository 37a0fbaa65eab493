//! The hosts that links lead to.

use maud::{Markup, html};

use crate::facts::Kind;
use crate::hosts::{Hosts, all, is_new};
use crate::text::{Found, count, heads, number};

pub(crate) fn section(kind: Kind, hosts: &Hosts) -> Markup {
    let top = hosts.top();
    let most = top.shown.first().map_or(1, |(_, counts)| all(*counts).max(1));
    let made = if kind == Kind::Check { "would be made absolute" } else { "made absolute" };
    html! {
        @if !top.shown.is_empty() {
            section.page #hosts aria-labelledby="hosts-heading" {
                h2 #hosts-heading { "Target hosts" }
                p {
                    @if top.is_full { "More than " }
                    (count(top.hosts, "host")) " in all. "
                    @if top.new > 0 {
                        em.new { "new" } " marks those that no link named before, in full: " (number(top.new)) "."
                    } @else {
                        "Each of them was named by an absolute link before."
                    }
                    @if top.links_not_shown > 0 {
                        " The table has the " (number(top.shown.len() as u64)) " with the most links; "
                        (count(top.links_not_shown, "link")) " to others are not in it."
                    }
                    @if top.beyond > 0 {
                        " There are too many hosts to count each: " @if top.is_full { "more than " }
                        (count(top.beyond, "host")) ", with " (count(top.uncounted, "link"))
                        " together, could not be in the table, whatever links each has."
                    }
                }
                div.scroll tabindex="0" role="group" aria-labelledby="hosts-heading" {
                    table.hosts {
                        thead {
                            tr {
                                (heads(&["Host", "Links", "absolute before", made]))
                                td {}
                            }
                        }
                        tbody {
                            @for (host, counts) in &top.shown {
                                tr {
                                    th scope="row" { (Found(host)) @if is_new(*counts) { " " em.new { "new" } } }
                                    td { (number(all(*counts))) }
                                    td { (number(counts.absolute)) }
                                    td { (number(counts.rewritten)) }
                                    td {
                                        svg viewBox="0 0 100 10" preserveAspectRatio="none" width="100%" height="8" aria-hidden="true" {
                                            rect.plain width=(format!("{:.3}", 100.0 * all(*counts) as f64 / most as f64)) height="10" {}
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
