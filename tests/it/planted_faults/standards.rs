//! Targets by another standard than the one in the options.

use super::fault::{Fault, Files, Flags, Mutation, Original, Rules};

const RFC_1630: Flags = &["--url", "http://a/b/c/d;p?q", "--standard", "rfc1630"];
const RFC_1808: Flags = &["--url", "http://a/b/c/d;p?q", "--standard", "rfc1808"];
const DRAFT_1996: Flags = &["--url", "http://a/b/c/d;p?q", "--standard", "draft1996"];
const RFC_2396: Flags = &["--url", "http://a/b/c/d;p?q", "--standard", "rfc2396"];
const RFC_3986: Flags = &["--url", "http://a/b/c/d;p?q", "--standard", "rfc3986"];
const WHATWG: Flags = &["--url", "http://a/b/c/d;p?q"];
const TARGET: Rules = &["target"];

const UP: &str = "<a href=\"../../../g\">";
const QUERY: &str = "<a href=\"?y\">";
const PARAMETERS: &str = "<a href=\";x\">";
const EMPTY_QUERY: &str = "<a href=\"g?\">";
const EMPTY_FRAGMENT: &str = "<a href=\"g#\">";
const BACKSLASHES: &str = "<a href=\"x\\y\">";
const SAME_SCHEME: &str = "<a href=\"http:g\"><a href=h>";
const SLASHES: &str = "<base href=\"magic://a/b/c//d/e/f\"><a href=\"/g\">";
const NO_HOST: &str = "<a href=\"///g\">";
const NO_QUERY: &str = "<a href=\"?\">";
const DOTS_AT_END: &str = "<a href=\"g/.\">";
const DOTS_IN_ROOT: &str = "<a href=\"/./g\">";

const fn page(text: &'static str, flags: Flags) -> Original {
    Original { files: Files::Text("page.html", text), flags }
}

const fn wrong(name: &'static str, original: Original, right: &'static str, wrong: &'static str) -> Fault {
    Fault::instead(name, original, right, wrong, TARGET)
}

const fn told(name: &'static str, original: Original, flags: Flags, rules: Rules) -> Fault {
    Fault::new(name, original, Mutation::Options(flags), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    wrong("rfc1808: too many `..` dropped as browsers do", page(UP, RFC_1808), "http://a/../g", "http://a/g"),
    wrong("draft1996: too many `..` dropped", page(UP, DRAFT_1996), "http://a/../g", "http://a/g"),
    wrong("rfc2396: too many `..` dropped", page(UP, RFC_2396), "http://a/../g", "http://a/g"),
    wrong("rfc3986: too many `..` left", page(UP, RFC_3986), "http://a/g", "http://a/../g"),
    wrong("rfc1808: parameters as a segment", page(PARAMETERS, RFC_1808), "http://a/b/c/d;x", "http://a/b/c/;x"),
    wrong("rfc2396: parameters as a component", page(PARAMETERS, RFC_2396), "http://a/b/c/;x", "http://a/b/c/d;x"),
    wrong(
        "rfc2396: a query after the page, as in RFC 3986",
        page(QUERY, RFC_2396),
        "http://a/b/c/?y",
        "http://a/b/c/d;p?y",
    ),
    wrong(
        "rfc3986: a query after the folder, as in RFC 2396",
        page(QUERY, RFC_3986),
        "http://a/b/c/d;p?y",
        "http://a/b/c/?y",
    ),
    wrong("rfc1630: a query after the page", page(QUERY, RFC_1630), "http://a/b/c/?y", "http://a/b/c/d;p?y"),
    wrong(
        "rfc1630: the root of the host instead of the slash",
        page(SLASHES, RFC_1630),
        "\"magic://a/b/c//d/g\"",
        "\"magic://a/g\"",
    ),
    wrong(
        "rfc1630: the last slash kept before a dot",
        page(DOTS_AT_END, RFC_1630),
        "http://a/b/c/g",
        "http://a/b/c/g/",
    ),
    wrong("rfc1808: dots of an absolute path removed", page(DOTS_IN_ROOT, RFC_1808), "http://a/./g", "http://a/g"),
    wrong("rfc3986: dots of an absolute path left", page(DOTS_IN_ROOT, RFC_3986), "http://a/g", "http://a/./g"),
    wrong(
        "rfc1808: an empty host passed over as browsers do",
        page(NO_HOST, RFC_1808),
        "\"http://a/g\"",
        "\"http://g\"",
    ),
    wrong("draft1996: an empty host passed over", page(NO_HOST, DRAFT_1996), "\"http://a/g\"", "\"http://g\""),
    wrong("rfc1808: an empty query as a query", page(NO_QUERY, RFC_1808), "http://a/b/c/d;p?q", "http://a/b/c/d;p?"),
    wrong("rfc3986: an empty query dropped", page(EMPTY_QUERY, RFC_3986), "http://a/b/c/g?", "http://a/b/c/g"),
    wrong("rfc3986: an empty fragment dropped", page(EMPTY_FRAGMENT, RFC_3986), "http://a/b/c/g#", "http://a/b/c/g"),
    wrong("rfc3986: a backslash as a slash", page(BACKSLASHES, RFC_3986), "http://a/b/c/x\\y", "http://a/b/c/x/y"),
    Fault::instead(
        "rfc3986: a scheme alone resolved",
        page(SAME_SCHEME, RFC_3986),
        "\"http:g\"",
        "\"http://a/b/c/g\"",
        &["kept"],
    ),
    Fault::instead(
        "whatwg: a scheme alone left",
        page(SAME_SCHEME, WHATWG),
        "\"http://a/b/c/g\"",
        "\"http:g\"",
        &["relative"],
    ),
    told("whatwg read by rfc1808", page(UP, WHATWG), RFC_1808, TARGET),
    told("whatwg read by rfc2396", page(QUERY, WHATWG), RFC_2396, TARGET),
    told("rfc2396 read by rfc3986", page(QUERY, RFC_2396), RFC_3986, TARGET),
    told("rfc1808 read by rfc1630", page(PARAMETERS, RFC_1808), RFC_1630, TARGET),
    told("rfc3986 read by whatwg", page(SAME_SCHEME, RFC_3986), WHATWG, &["relative"]),
];
