//! Text and HTML of made messages.

use std::sync::LazyLock;

use fastrand::Rng;

const HOSTS: [&str; 6] = [
    "www.example.com",
    "news.example.net",
    "shop.example.org",
    "cdn.example.com:8080",
    "lists.example.edu",
    "example.info",
];
const FOLDERS: [&str; 7] = ["news", "img", "2026", "archive", "products", "a", "campaign-spring"];
const FILES: [&str; 6] = ["index.html", "read.php", "banner.png", "photo.jpg", "view", "terms.html"];

static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "the a of to in and we you our your for with this that on at from by new more week news offer summer winter order \
     number please account meeting garden kitchen market train station question answer release version patch review \
     failure memory server network café naïve Größe façade señor Ærø 東京 привет — now later always never between \
     under report letter window yellow simple careful"
        .split_ascii_whitespace()
        .collect()
});

/// The target of the links of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    Relative,
    Absolute,
}

pub(super) fn word(random: &mut Rng) -> &'static str {
    WORDS[random.usize(..WORDS.len())]
}

pub(super) fn words(random: &mut Rng, count: usize) -> String {
    (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

pub(super) fn host(random: &mut Rng) -> &'static str {
    HOSTS[random.usize(..HOSTS.len())]
}

/// Returns some folders, each followed by a slash.
pub(super) fn folders(random: &mut Rng) -> String {
    (0..random.usize(..4)).map(|_| format!("{}/", FOLDERS[random.usize(..FOLDERS.len())])).collect()
}

fn link(random: &mut Rng, links: Links) -> String {
    let path = folders(random) + FILES[random.usize(..FILES.len())];
    let query = if random.u8(..3) == 0 { format!("?id={}&amp;from=mail", random.u32(..)) } else { String::new() };
    match (links, random.u8(..4)) {
        (Links::Absolute, _) => format!("https://{}/{path}{query}", host(random)),
        (Links::Relative, 0) => format!("/{path}{query}"),
        (Links::Relative, 1) => format!("../{path}{query}"),
        (Links::Relative, _) => format!("{path}{query}"),
    }
}

/// Returns lines of about 72 characters at most, some quoted, some beginning like separator lines.
pub(super) fn text(random: &mut Rng, length: usize) -> String {
    let mut text = String::with_capacity(length + 100);
    while text.len() < length {
        match random.u8(..40) {
            0 => text.push_str("From "),
            1..10 => text.push_str("> "),
            10..14 => text.push('\n'),
            _ => {}
        }
        let count = random.usize(3..11);
        text.push_str(&words(random, count));
        text.push('\n');
    }
    text
}

/// Returns a newsletter as shops send them: tables, styles in attributes, many images and links.
pub(super) fn html(random: &mut Rng, length: usize, links: Links) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\">\n\
         <title>{}</title>\n<style>.head {{ color: #333; margin: 0 auto }} a:hover {{ color: #06c }}</style>\n\
         </head><body bgcolor=\"#ffffff\">\n<p><a href=\"{}\">View in your browser</a></p>\n\
         <table width=\"600\" cellpadding=\"0\" cellspacing=\"0\">\n",
        words(random, 5),
        link(random, links)
    );
    while html.len() < length {
        row(random, links, &mut html);
    }
    html.push_str("</table>\n</body></html>\n");
    html
}

fn row(random: &mut Rng, links: Links, html: &mut String) {
    html.push_str("<tr><td style=\"padding: 8px 16px; font-family: Arial, sans-serif; font-size: 14px\">\n");
    html.push_str(&match random.u8(..3) {
        0 => format!(
            "<a href=\"{}\"><img src=\"{}\" width=\"{}\" alt=\"{}\"></a>\n",
            link(random, links),
            link(random, links),
            random.u16(20..600),
            words(random, 3)
        ),
        1 => format!(
            "<p>{} <a href=\"{}\" style=\"color: #06c\">{}</a> {}.</p>\n",
            words(random, 20),
            link(random, links),
            words(random, 2),
            words(random, 25)
        ),
        _ => format!(
            "<h2 class=\"head\">{}</h2>\n<p>{}.<br>\n{}.</p>\n",
            words(random, 4),
            words(random, 30),
            words(random, 30)
        ),
    });
    html.push_str("</td></tr>\n");
}
