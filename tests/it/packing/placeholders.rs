//! What a mail service replaces stays as it is, and is reported; links that no recipient can follow are named.

use std::fs;

use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{fixtures, long_rounds};

const URL: [&str; 2] = ["--url", "https://news.example/2026/11/issue.html"];
const FOR_MAIL: [&str; 2] = ["--for", "mail"];

/// The placeholders of mail services, each with the service and the page of its documentation.
fn placeholders() -> Result<Vec<[String; 3]>, Box<dyn std::error::Error>> {
    let mut table = csv::Reader::from_path(fixtures().join("newsletter/placeholders.csv"))?;
    table.deserialize().map(|row| row.map_err(Into::into)).collect()
}

#[test]
fn each_stays_and_is_reported_once() -> Outcome {
    let placeholders = placeholders()?;
    assert_eq!(placeholders.len(), 39);
    let lines = placeholders.iter().map(|[text, ..]| {
        // Some stay only if they are the whole reference.
        let more = if text.starts_with(['-', '_']) { "" } else { "/a b.png?c=d" };
        format!("<a href=\"{text}\"><img src='{text}{more}'></a><p style=\"background: url('{text}')\">\n")
    });
    let page: String = lines.collect();
    let folder = folder_with(&[("in.html", &page)])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    let rewrite = ["rewrite", "--verbose", argument(&input), "-o", argument(&output)];
    let (status, _, messages) = run(&[&rewrite[..], &URL, &FOR_MAIL].concat())?;
    assert_eq!((status, fs::read_to_string(&output)?), (0, page), "{messages}");
    let (checked, listed, messages_of_check) = run(&[&["check", argument(&input)][..], &URL, &FOR_MAIL].concat())?;
    assert_eq!((checked, &*listed), (0, ""), "{messages_of_check}");
    for messages in [&messages, &messages_of_check] {
        let reported: Vec<&str> = messages.lines().filter(|line| line.contains(": placeholder: ")).collect();
        assert_eq!(reported.len(), 39, "{messages}");
        for ([text, ..], line) in placeholders.iter().zip(reported) {
            let end = format!(": placeholder: {text} stays for the mail service to replace (3 references)");
            assert!(line.ends_with(&end), "{line}");
        }
    }
    let (status, differences, messages) =
        run(&[&["verify", argument(&input), argument(&output)][..], &URL, &FOR_MAIL].concat())?;
    assert_eq!((status, &*differences), (0, ""), "{messages}");
    assert!(messages.contains("117 links: 0 changed"), "{messages}");
    Ok(())
}

/// Without the purpose nothing but the marks of templates is a placeholder; some of a mail service begin with `#`.
#[test]
fn elsewhere_they_are_links() -> Outcome {
    let placeholders = placeholders()?;
    let page: String = placeholders.iter().map(|[text, ..]| format!("<a href=\"{text}\">\n")).collect();
    let folder = folder_with(&[("in.html", &page)])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    let (_, _, messages) = run(&[&["rewrite", argument(&input), "-o", argument(&output)], &URL[..]].concat())?;
    let summary = "39 links: 27 made absolute, 0 absolute before, 3 to the same document, 9 kept";
    assert!(messages.contains(summary) && !messages.contains("placeholder: "), "{messages}");
    let (status, _, messages) = run(&[&["verify", argument(&input), argument(&output)], &URL[..]].concat())?;
    assert_eq!(status, 0, "{messages}");
    Ok(())
}

#[test]
fn the_page_about_email_has_each_with_its_source() -> Outcome {
    let page = fs::read_to_string(fixtures().join("../docs/email.md"))?;
    for [text, service, source] in placeholders()? {
        let cell = format!("`{}` ([{service}]({source}))", text.replace('|', "\\|"));
        assert!(page.contains(&cell), "{cell}");
    }
    Ok(())
}

#[test]
fn what_only_looks_like_one_is_a_link() -> Outcome {
    let page = "<a href='%E4%F6.html'><a href='a[b].html'><a href='%20a%20'><a href='[x'><a href='100%.html'>\
        <a href='[slug].html'><a href='{3F25}.png'><a href='-a-b'><a href='__a__.py'>";
    let folder = folder_with(&[("in.html", page)])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    let rewrite = ["rewrite", argument(&input), "-o", argument(&output)];
    let (status, _, messages) = run(&[&rewrite[..], &URL, &FOR_MAIL].concat())?;
    assert!(status == 0 && messages.contains("9 links: 9 made absolute"), "{messages}");
    let (status, ..) = run(&[&["verify", argument(&input), argument(&output)][..], &URL, &FOR_MAIL].concat())?;
    assert_eq!(status, 0);
    Ok(())
}

/// A million different ones would be as many lines, and as many texts in memory.
#[test]
fn many_are_summed_up() -> Outcome {
    let page: String = (0..1000).map(|number| format!("<a href='[x{number}]'><a href='[y]'>")).collect();
    let folder = folder_with(&[("in.html", &page)])?;
    let (status, _, messages) = run(&["check", argument(&folder.path().join("in.html")), "--for", "mail"])?;
    assert_eq!((status, messages.lines().count()), (0, 102), "{messages}");
    assert!(messages.contains(": [y] stays for the mail service to replace (1000 references)\n"), "{messages}");
    assert!(messages.contains(": 901 references with still other placeholders, which stay"), "{messages}");
    Ok(())
}

/// Each link that no recipient can follow is named on its line, with the reason.
#[test]
fn check_says_why_nobody_can_follow_a_link() -> Outcome {
    let links = [
        ("file:///home/ada/a.png", "a file of one computer"),
        ("http://localhost:3000/", "the computer of the reader"),
        ("http://[::1]/", "the computer of the reader"),
        ("http://10.1.2.3/", "a private address"),
        ("http://172.16.0.9:8080/a", "a private address"),
        ("https://192.168.178.1/", "a private address"),
        ("http://[fd00::1]/", "a private address"),
        ("http://169.254.1.1/", "a reserved address"),
        ("http://[fe80::1]/", "a reserved address"),
        ("http://nas.local/", "a name of local networks"),
        ("http://wiki.internal/", "a name of local networks"),
        ("http://shop.test/", "a name of local networks"),
        ("http://nas.home.arpa/", "a name of local networks"),
        ("http://intranet/", "a name of local networks"),
        ("http:///x", "no host"),
        ("https://", "no host"),
        ("htps://shop.example/", "a misspelt scheme"),
        ("http//shop.example/", "a misspelt scheme"),
        ("https:/shop.example/", "a misspelt scheme"),
        ("mailt:ada@news.example", "a misspelt scheme"),
    ];
    let page: String = links.iter().map(|(link, _)| format!("<a href=\"{link}\">\n")).collect();
    let folder = folder_with(&[("in.html", &format!("{page}<a href=\"https://shop.example/\">"))])?;
    let input = folder.path().join("in.html");
    let (status, listed, messages) = run(&[&["check", argument(&input)][..], &URL, &FOR_MAIL].concat())?;
    let expected: String = links
        .iter()
        .zip(1..)
        .map(|((link, why), line)| {
            format!("{}:{line}:10: a@href: {link} (no reader elsewhere can follow it: {why})\n", input.display())
        })
        .collect();
    assert_eq!((status, &*listed), (1, &*expected));
    assert!(
        messages.ends_with("2 links relative in 1 document; 20 links that no reader elsewhere can follow\n"),
        "{messages}"
    );
    let output = folder.path().join("out.html");
    let rewrite = ["rewrite", argument(&input), "-o", argument(&output)];
    let (status, _, messages) = run(&[&rewrite[..], &URL, &FOR_MAIL].concat())?;
    assert_eq!((status, messages.matches(": out-of-reach: ").count()), (0, 7), "{messages}");
    assert!(
        messages.contains(":4:10: out-of-reach: 4 references that no reader elsewhere can follow: a private address\n")
    );
    let (status, differences, _) =
        run(&[&["verify", argument(&input), argument(&output)][..], &URL, &FOR_MAIL].concat())?;
    assert_eq!((status, &*differences), (0, ""));
    assert_eq!(run(&[&["check", argument(&input)], &URL[..]].concat())?.0, 1);
    Ok(())
}

#[test]
fn links_without_a_scheme_or_a_valid_host_are_reported() -> Outcome {
    let links = [
        ("localhost:3000/preview", "the computer of the reader"),
        ("127.0.0.1:8000/x", "the computer of the reader"),
        ("http://localhost.localdomain/", "the computer of the reader"),
        ("shop.example:8080/x", "no scheme"),
        ("%7B%7Bunsubscribe%7D%7D", "a percent-encoded placeholder"),
        ("http:// shop.example/x", "no valid host or port"),
        ("https://shop example/", "no valid host or port"),
        ("https://shop.example:99999/", "no valid host or port"),
        ("http://256.1.1.1/", "no valid host or port"),
    ];
    for (link, why) in links {
        let folder = folder_with(&[("in.html", &format!("<a href=\"{link}\">"))])?;
        let input = folder.path().join("in.html");
        let (status, listed, _) = run(&[&["check", argument(&input)][..], &URL, &FOR_MAIL].concat())?;
        let expected = format!(":1:10: a@href: {link} (no reader elsewhere can follow it: {why})\n");
        assert!(status == 1 && listed.ends_with(&expected), "{listed}");
    }
    let folder = folder_with(&[("in.html", "<a href=tel:12345><a href=sms:12345?body=a><a href=com.example.app:/x>")])?;
    let input = folder.path().join("in.html");
    assert_eq!(run(&[&["check", argument(&input)][..], &URL, &FOR_MAIL].concat())?.0, 0);
    Ok(())
}

/// The rewriter and the verifier, which have code of their own, find the same placeholders in any text.
#[test]
fn verify_agrees_on_any_text_in_marks() -> Outcome {
    const MARKS: [&str; 20] =
        ["[", "]", "[[", "]]", "{", "}", "{{", "}}", "%", "%%", "$", "$[", "]$", "#", "##", "::", ":", "-", "__", "${"];
    const TEXTS: [&str; 6] = ["ab", "b2", "x_y", ".p", "/", "/../"];
    const WITHIN: [&str; 10] = ["{% ", " %}", " ", ", ", "'", "{{ ", " }}", "<%", "<?= ", " ?>"];
    const OF_EXPRESSIONS: [&str; 14] =
        ["$", "$!", "$!{", "}", "@", "@{", "@(", ")", "<#", "<@", ">", "!*", "*!", "X.y"];
    let of_values = [&MARKS[..], &TEXTS].concat();
    let of_expressions = [&OF_EXPRESSIONS[..], &TEXTS].concat();
    let of_lists = [&MARKS[6..8], &MARKS[19..], &MARKS[5..6], &TEXTS, &WITHIN].concat();
    for (seed, pieces, before, after) in [
        (20, &of_values, "<a href=\"", "\"></a>\n"),
        (21, &of_lists, "<img srcset=\"", "\">\n"),
        (22, &of_lists, "<p style=\"a:url('", "')\"></p>\n"),
        (23, &of_lists, "<a ping=\"", "\"></a>\n"),
        (24, &of_expressions, "<a href=\"", "\"></a>\n"),
        (25, &of_lists, "<p style=\"a:url(", ")\"></p>\n"),
    ] {
        let mut random = fastrand::Rng::with_seed(seed);
        let references = (0..long_rounds(40_000, 100_000)).map(|_| {
            let pieces: String = (0..random.usize(1..9)).map(|_| pieces[random.usize(..pieces.len())]).collect();
            format!("{before}{pieces}{after}")
        });
        agree_on(&references.collect::<String>())?;
    }
    Ok(())
}

fn agree_on(page: &str) -> Outcome {
    let folder = folder_with(&[("in.html", page)])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    for flags in [&FOR_MAIL[..], &["--for", "mail", "--same-document", "absolute"], &[]] {
        let rewrite = ["rewrite", "--force", argument(&input), "-o", argument(&output)];
        let (status, _, messages) = run(&[&rewrite[..], &URL, flags].concat())?;
        assert_eq!(status, 0, "{messages}");
        let (status, differences, messages) =
            run(&[&["verify", argument(&input), argument(&output)][..], &URL, flags].concat())?;
        assert_eq!((status, differences.lines().next()), (0, None), "{messages}");
    }
    Ok(())
}

/// White space or quotes in a placeholder make a bad URL of an unquoted one, which CSS drops.
#[test]
fn keeps_placeholders_in_unquoted_urls_of_css() -> Outcome {
    const FIRST: &str = "<style>a{b:url({{ img }}/x.png);c:url(";
    let page = |base: &str| {
        let urls =
            ["i/{{ img }}.png);c:url(", "i/<%= x %>)}</style><p style=\"d:url(", "i/{% url 'a' %}.png);e:url(x y)\">"];
        urls.iter().fold(FIRST.to_owned(), |page, url| format!("{page}{base}{url}"))
    };
    let folder = folder_with(&[("in.html", &page(""))])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    let rewrite = ["rewrite", argument(&input), "-o", argument(&output)];
    let (status, _, messages) = run(&[&rewrite[..], &URL, &FOR_MAIL].concat())?;
    assert_eq!((status, fs::read_to_string(&output)?), (0, page("https://news.example/2026/11/")), "{messages}");
    assert!(messages.contains(":1:16: placeholder: {{ img }} stays"), "{messages}");
    let (status, differences, messages) =
        run(&[&["verify", argument(&input), argument(&output)][..], &URL, &FOR_MAIL].concat())?;
    assert!(status == 0 && messages.contains("4 links: 3 changed"), "{differences}{messages}");
    Ok(())
}

/// What closes a placeholder behind its value would move away when a link before it becomes longer.
#[test]
fn closes_a_placeholder_in_its_value_only() -> Outcome {
    let between = format!("<a href=q title='{}'>", "z".repeat(130));
    let page = [
        format!("<img srcset=\"{{{{ a 1x, b.png 2x\">{between}<p title=\"}}}}\">"),
        format!("<style>a{{b:url('{{{{ c', 'd')}}</style>{between}}}}}"),
        "<img srcset=\"{{ a, {% b %}, c.png 2x }}, d.png 3x\">".to_owned(),
    ];
    let folder = folder_with(&[("a.html", &page.join("\n"))])?;
    let path = |name: &str| folder.path().join(name);
    for (from, to) in [("a.html", "b.html"), ("b.html", "c.html")] {
        let (from, to) = (path(from), path(to));
        let run = run(&[&["rewrite", argument(&from), "-o", argument(&to)][..], &URL].concat())?;
        assert_eq!(run.0, 0, "{}", run.2);
    }
    let (once, twice) = (fs::read_to_string(path("b.html"))?, fs::read_to_string(path("c.html"))?);
    assert_eq!(once, twice);
    let becomes = [
        "{{ a 1x, https://news.example/2026/11/b.png 2x",
        "{% b %}, c.png 2x }}, https://news.example/2026/11/d.png 3x",
    ];
    assert!(becomes.iter().all(|part| once.contains(part)), "{once}");
    let (status, differences, _) =
        run(&[&["verify", argument(&path("a.html")), argument(&path("b.html"))][..], &URL].concat())?;
    assert_eq!((status, &*differences), (0, ""));
    Ok(())
}

/// The text of a message does not leave out the link of a placeholder.
#[test]
fn a_packed_text_has_them() -> Outcome {
    let folder =
        folder_with(&[("in.html", "<p>Enough? <a href=\"[unsubscribe]\">Unsubscribe</a> <a href=\"{$x}\">X</a></p>")])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.eml"));
    let (status, _, messages) = run(&["pack", argument(&input), "-o", argument(&output), "--text"])?;
    let message = fs::read_to_string(&output)?;
    assert!(status == 0 && message.contains("<URL:[unsubscribe]>"), "{messages}{message}");
    assert!(message.contains("<URL:{$x}>") && message.contains("<a href=\"[unsubscribe]\">"), "{message}");
    Ok(())
}

/// With `--for mail`, `[unsubscribe]` does not become a file of the site.
#[test]
fn unpacked_they_stay_placeholders() -> Outcome {
    let html = "<base href=\"sub/\"><img src=\"../a.png\"><a href=\"[unsubscribe]\">x</a><a href=\"%UNSUB%\">y</a>";
    let folder = folder_with(&[("in.html", html), ("a.png", "1")])?;
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    let (input, message, out, single) = (path("in.html"), path("in.eml"), path("out"), path("one.html"));
    let (status, _, messages) = run(&[&["pack", &input, "-o", &message][..], &URL].concat())?;
    assert_eq!(status, 0, "{messages}");
    for output in [["-o", &out], ["--single", &single]] {
        let (status, _, messages) = run(&[&["unpack", &message][..], &output, &FOR_MAIL].concat())?;
        assert_eq!((status, messages.matches("placeholder: ").count()), (0, 2), "{messages}");
    }
    for page in [path("out/issue.html"), single] {
        let page = fs::read_to_string(page)?;
        assert!(page.contains("<a href=\"[unsubscribe]\">x</a><a href=\"%UNSUB%\">y</a>"), "{page}");
    }
    let page = fs::read_to_string(path("out/issue.html"))?;
    assert!(page.starts_with("<base><img src=\"a.png\">"), "{page}");
    let (status, _, messages) = run(&[&["check", &message][..], &FOR_MAIL].concat())?;
    assert_eq!(status, 0, "{messages}");
    let (again, rewritten) = (path("again.eml"), [&["rewrite", &message][..], &FOR_MAIL].concat());
    let (status, _, messages) = run(&[&rewritten[..], &["-o", &again]].concat())?;
    assert_eq!((status, fs::read(&again)?), (0, fs::read(&message)?), "{messages}");
    Ok(())
}

/// What only looks like one is a link.
#[test]
fn expressions_of_templates_stay() -> Outcome {
    let kept = [
        "$!{x}",
        "$url",
        "$!url",
        "$order.url/a",
        "@Model.Url",
        "@item.Url",
        "@(Model.Url + 1)",
        "@{/path}",
        "!*URL*!",
        "<#if url??>a</#if>",
        "<@page>a</@page>",
        "$!{",
    ];
    let links = ["@ann", "@ann/status", "@ann.html", "@ann/a.B", "$5.html", "!x", "a$url", "$", "@", "@Ann", "@.B"];
    let page = |references: &[&str]| -> String {
        references.iter().map(|reference| format!("<a href='{reference}'></a>\n")).collect()
    };
    agree_on(&(page(&kept) + &page(&links)))?;
    let folder = folder_with(&[("in.html", &(page(&kept) + &page(&links)))])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    let rewrite = ["rewrite", "-v", argument(&input), "-o", argument(&output)];
    let (status, _, says) = run(&[&rewrite[..], &URL, &FOR_MAIL].concat())?;
    let written = fs::read_to_string(&output)?;
    assert!(status == 0 && written.starts_with(&page(&kept)), "{written}");
    assert_eq!(written.matches("href='https://news.example/2026/11/").count(), links.len(), "{written}");
    assert_eq!(says.matches(": placeholder: ").count(), kept.len(), "{says}");
    let (_, _, _) = run(&[&["rewrite", "--force", argument(&input), "-o", argument(&output)][..], &URL].concat())?;
    assert!(fs::read_to_string(&output)?.contains("href='https://news.example/2026/11/$url'"));
    Ok(())
}

/// 20 of the same would hide what matters.
#[test]
fn each_placeholder_of_a_run_is_one_line_after_all_others() -> Outcome {
    let page = "<a href='{{unsubscribe}}'><a href='{{unsubscribe}}'><a href='[y]'>";
    let pages: Vec<(String, String)> =
        (0..30).map(|number| (format!("in/{number:02}.html"), page.to_owned())).collect();
    let mut files: Vec<(&str, &str)> = pages.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.push(("in/last.html", "<a href='http://localhost/'>"));
    let folder = folder_with(&files)?;
    let (input, report) = (folder.path().join("in"), folder.path().join("summary.json"));
    let rewrite = ["rewrite", argument(&input), "--dry-run", "--summary", argument(&report), "--force"];
    let mut all = Vec::new();
    for jobs in ["1", "4"] {
        let (status, _, messages) = run(&[&rewrite[..], &URL, &FOR_MAIL, &["--jobs", jobs]].concat())?;
        let lines: Vec<String> = messages.lines().filter(|line| line.contains(".html:")).map(str::to_owned).collect();
        assert!(status == 0 && !messages.contains("more findings"), "{messages}");
        assert!(lines.len() == 3 && lines[0].contains("last.html:1:10: out-of-reach: "), "{messages}");
        let end = |references: u64| {
            format!("stays for the mail service to replace ({references} references in 30 documents)")
        };
        assert!(
            lines[1].ends_with(&format!("00.html:1:10: placeholder: {{{{unsubscribe}}}} {}", end(60))),
            "{messages}"
        );
        assert!(lines[2].ends_with(&format!("[y] {}", end(30))), "{messages}");
        assert!(fs::read_to_string(&report)?.contains("\"placeholder\":60"));
        all.push(lines);
    }
    assert_eq!(all[0], all[1]);
    let (_, _, messages) = run(&[&["check", argument(&input)], &URL[..], &FOR_MAIL].concat())?;
    assert_eq!(messages.lines().filter(|line| line.contains(": placeholder: ")).count(), 2, "{messages}");
    let (_, _, messages) = run(&[&rewrite[..], &URL, &FOR_MAIL, &["--verbose"]].concat())?;
    assert_eq!(messages.lines().filter(|line| line.contains(": placeholder: ")).count(), 60, "{messages}");
    Ok(())
}
