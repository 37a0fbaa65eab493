//! The verifier accepts what is made of generated documents, whatever the options.

use absolve_base::{Profile, Rules};
use absolve_laws::runs::settings_of;
use absolve_links::DocumentType;
use absolve_resolver::Standard;
use absolve_rewriter::internal::{Entity, Reasons, Report, Retrieval, edits_of};
use absolve_rewriter::settings::{RelativeLinks, UrlMap};
use absolve_rewriter::{BaseElement, Options, Purpose, SameDocument, Spelling};

use absolve_testing::documents::{Made, css, html};
use absolve_testing::rounds;
use absolve_verifier::{Difference, Rule, Surroundings, verify_document};

/// URLs that documents are retrieved from, some in unusual spellings.
const URLS: [&str; 8] = [
    "https://example.org/archive/2026/pages/page.html",
    "http://h/a;p/b?q=1&c#f",
    "HTTP://User@H.example:80/A/./b/",
    "http://h/it's/a,b/(c)/",
    "http://b\u{fc}cher.example/\u{fc}/",
    "http://h",
    "http://h/a:/b%%%25/c\"<d>/",
    "ftp://h/{{a}}/[b]/",
];

#[test]
fn over_all_options() {
    let (mut random, mut random_urls) = (fastrand::Rng::with_seed(33), fastrand::Rng::with_seed(34));
    let (mut changed, mut failures) = (0, Vec::new());
    let choices: Vec<Options> = (0..64)
        .map(|_| {
            let options = options(&mut random);
            with_urls(options, &mut random_urls)
        })
        .collect();
    for _ in 0..rounds(20_000) {
        let options = &choices[random.usize(..choices.len())];
        let (made, document_type) = match random.u8(..4) {
            0 => (css(&mut random), DocumentType::Css),
            _ => (html(&mut random), DocumentType::Html),
        };
        let url = URLS[random.usize(..URLS.len())];
        match check(&made, document_type, url, options) {
            Ok(is_changed) => changed += usize::from(is_changed),
            Err(difference) => failures.push(format!(
                "{difference}\n  {:?} at {url}, {:?}, {}, {:?}, {:?}, {:?}, {:?}",
                made.text,
                made.label,
                options.rules.standard,
                options.spelling,
                options.purpose,
                options.base_element,
                (&options.root, &options.images_url, options.map.pairs().count(), options.relative_links),
            )),
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    assert!(changed > rounds(7_500), "only {changed} changed");
}

fn options(random: &mut fastrand::Rng) -> Options {
    let standard = if random.bool() { Standard::Whatwg } else { Standard::ALL[random.usize(..5)] };
    let mut any = |one, other| if random.u8(..3) == 0 { other } else { one };
    let (is_mail, is_ascii, is_browser, resolves) =
        (any(false, true), any(false, true), any(false, true), any(false, true));
    Options {
        purpose: if is_mail { Purpose::Mail } else { Purpose::Any },
        rules: Rules { standard, profile: if is_browser { Profile::Browser } else { Profile::Layered } },
        same_document: if resolves { SameDocument::Absolute } else { SameDocument::Keep },
        base_element: [BaseElement::Keep, BaseElement::Comment, BaseElement::Remove][random.usize(..3)],
        spelling: if is_ascii { Spelling::Ascii } else { Spelling::AsWritten },
        ..Options::default()
    }
}

/// Adds URLs for some references, and a map of targets.
fn with_urls(options: Options, random: &mut fastrand::Rng) -> Options {
    let mut one_of = |urls: [&'static str; 2]| urls.get(random.usize(..6)).copied();
    let root = one_of(["https://root.example/p", "http://h/r/"]);
    let images = one_of(["https://i.example/i", "http://h/img/"]);
    let map = [
        ("http://h/", "https://z.example/m/"),
        ("http://h/a;p", "https://z.example"),
        ("https://example.org/archive/2026", "https://b\u{fc}cher.example/\u{fc}(x)'"),
        ("https://example.org/archive/", "http://example.org/new/"),
        ("http://h.example/A", "http://H.example/A/B"),
    ];
    let pairs = if random.u8(..3) == 0 { &map[..] } else { &[] };
    let keeps = !pairs.is_empty() && random.bool();
    Options {
        root: root.map(|url| url.parse().expect("it is a folder")),
        images_url: images.map(|url| url.parse().expect("it is a folder")),
        map: UrlMap::new(pairs.iter().copied()).expect("none of them chain"),
        relative_links: if keeps { RelativeLinks::Keep } else { RelativeLinks::Absolute },
        ..options
    }
}

/// Rewrites a document and verifies it. Returns whether it has changed, or what the verifier does not accept.
fn check(made: &Made, document_type: DocumentType, url: &str, options: &Options) -> Result<bool, String> {
    let mut entity = Entity::bare_file(&made.bytes, document_type).retrieved_from(Retrieval::given(url));
    entity.parts[0].charset = made.label.map(str::to_owned);
    let output = edits_of(&entity, options, &mut Report::default()).splice(&made.bytes);
    let around = Surroundings { retrieval: Some(url.to_owned()), ..Surroundings::default() };
    let verdict = verify_document(&made.bytes, &output, document_type, made.label, &around, &settings_of(options));
    let reasons = Reasons::of(&entity, options);
    let has_reason = |one: &Difference| {
        one.rule == Rule::Relative && one.byte.is_some_and(|byte| reasons.of_relative("", byte).is_some())
    };
    match verdict.differences.into_iter().find(|one| !has_reason(one)) {
        Some(difference) => Err(difference.to_string()),
        None => Ok(output != made.bytes),
    }
}
