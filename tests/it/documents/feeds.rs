//! The items of feeds, read at the URL of the feed or at their own.

use std::fs;

use absolve_testing::fixtures;
use serde_json::Value;

use crate::support::{Outcome, argument, folder_with, run};

const URL: [&str; 2] = ["--url", "http://h/d/feed.xml"];
const RSS: &str = "<rss><channel><item><link>/posts/a/</link><description>&lt;img src=\"fig.png\"> &lt;a href=\"#fn1\"></description>\
                   </item></channel></rss>";

#[test]
fn verify_proves_every_vector() -> Outcome {
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(fixtures().join("rewrite/feeds.json"))?)?;
    for case in &cases {
        let folder = folder_with(&[("feed.xml", case["document"].as_str().unwrap_or_default())])?;
        let (feed, output) = (folder.path().join("feed.xml"), folder.path().join("new.xml"));
        let (feed, output) = (argument(&feed), argument(&output));
        let mut flags = URL.to_vec();
        for (key, option) in [("feed-base", "--feed-base"), ("same-document", "--same-document")] {
            flags.extend(case[key].as_str().into_iter().flat_map(|value| [option, value]));
        }
        let (status, _, told) = run(&[&["rewrite", feed, "-o", output], &*flags].concat())?;
        assert_eq!(status, 0, "{}: {told}", case["name"]);
        assert_eq!(fs::read_to_string(output)?, case["expected"].as_str().unwrap_or_default());
        let (status, found, told) = run(&[&["verify", feed, output], &*flags].concat())?;
        assert_eq!((status, &*found), (0, ""), "{}: {told}", case["name"]);
    }
    Ok(())
}

#[test]
fn verify_takes_the_base_of_items_from_the_summary() -> Outcome {
    let folder = folder_with(&[("feed.rss", RSS)])?;
    let [feed, output, summary] = ["feed.rss", "new.rss", "summary.json"].map(|name| folder.path().join(name));
    let [feed, output, summary] = [&feed, &output, &summary].map(|path| argument(path));
    let rewrite = ["rewrite", feed, "-o", output, "--feed-base", "item", "--summary", summary];
    assert_eq!(run(&[&rewrite, &URL[..]].concat())?.0, 0);
    assert_eq!(run(&["verify", feed, output, "--like", summary])?.0, 0);
    let (status, found, _) = run(&[&["verify", feed, output], &URL[..]].concat())?;
    assert_eq!(status, 1);
    assert!(found.contains("target") && found.contains("http://h/d/fig.png"), "{found}");
    Ok(())
}

#[test]
fn links_and_check_list_the_targets_of_items() -> Outcome {
    let folder = folder_with(&[("feed.rss", RSS)])?;
    let feed = folder.path().join("feed.rss");
    let feed = argument(&feed);
    let (_, listed, told) = run(&[&["links", feed, "--json", "--feed-base", "item"], &URL[..]].concat())?;
    let links: Vec<Value> = listed.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let targets: Vec<_> = links.iter().map(|link| (&link["target"], &link["layer"])).collect();
    assert_eq!(targets[1], (&"http://h/posts/a/fig.png".into(), &"parent-document".into()));
    // One to the document itself means the page of the item.
    assert_eq!(*targets[2].0, "http://h/posts/a/#fn1");
    assert!(!told.contains("feed-base"), "{told}");
    let (status, found, told) = run(&[&["check", feed], &URL[..]].concat())?;
    assert!(status == 1 && found.contains("img@src: fig.png"), "{found}");
    assert!(told.contains("feed-base: 1 reference in items resolved against the URL of the feed"), "{told}");
    assert_eq!(run(&[&["base", feed, "--feed-base", "item"], &URL[..]].concat())?.0, 0);
    Ok(())
}

#[test]
fn rewrite_names_the_option_where_the_bases_differ() -> Outcome {
    let folder = folder_with(&[("feed.rss", RSS), ("other.rss", &RSS.replace("fig.png", "/fig.png"))])?;
    let told = |name: &str, more: &[&str]| -> Result<String, Box<dyn std::error::Error>> {
        let feed = folder.path().join(name);
        Ok(run(&[&["rewrite", argument(&feed), "--dry-run"], &URL[..], more].concat())?.2)
    };
    let hint =
        "1 link in items of feeds read at the URL of the feed; --feed-base item reads them at those of the items";
    assert!(told("feed.rss", &[])?.contains(hint));
    assert!(!told("feed.rss", &["--feed-base", "item"])?.contains("--feed-base"));
    assert!(!told("other.rss", &[])?.contains("feed-base"));
    Ok(())
}

#[test]
fn an_absolute_link_of_an_item_is_a_base_without_that_of_the_feed() -> Outcome {
    let folder = folder_with(&[("feed.rss", &RSS.replace("/posts", "http://h/posts"))])?;
    let [feed, output] = ["feed.rss", "new.rss"].map(|name| folder.path().join(name));
    let (status, _, told) = run(&["rewrite", argument(&feed), "-o", argument(&output)])?;
    assert!(status == 1 && told.contains("feed-base") && told.contains("no-base"), "{told}");
    let (status, _, told) =
        run(&["rewrite", argument(&feed), "-o", argument(&output), "--feed-base", "item", "--force"])?;
    assert_eq!(status, 0, "{told}");
    assert!(fs::read_to_string(&output)?.contains("http://h/posts/a/fig.png"));
    assert_eq!(run(&["verify", argument(&feed), argument(&output), "--feed-base", "item"])?.0, 0);
    Ok(())
}

/// A link that is composed of pieces, or has an `xml:base` of its own, is not read, so what resolves against it stays.
#[test]
fn the_content_of_an_item_whose_link_is_unclear_stays() -> Outcome {
    let rss = |link: &str| {
        format!("<rss><channel><item>{link}<description>&lt;img src=\"i.png\"></description></item></channel></rss>")
    };
    for link in [
        "<link xml:base=\"http://b/c/\">p/</link>",
        "<link>http://b/?a=1<![CDATA[&b=2]]></link>",
        "<link>posts/<!-- c -->3/</link>",
        "<link><![CDATA[posts/]]><![CDATA[3/]]></link>",
    ] {
        let folder = folder_with(&[("feed.xml", &rss(link))])?;
        let (feed, output) = (folder.path().join("feed.xml"), folder.path().join("new.xml"));
        let flags = [&URL[..], &["--feed-base", "item"]].concat();
        let (_, _, told) = run(&[&["rewrite", argument(&feed), "-o", argument(&output)], &*flags].concat())?;
        let new = fs::read_to_string(&output)?;
        assert!(
            new.contains("src=\"i.png\"") && told.contains(": feed-base: 1 reference left relative"),
            "{link}: {told}{new}"
        );
        let (status, found, told) = run(&[&["verify", argument(&feed), argument(&output)], &*flags].concat())?;
        assert_eq!((status, &*found), (0, ""), "{link}: {told}");
        // By default it is read at the feed.
        run(&[&["rewrite", "--force", argument(&feed), "-o", argument(&output)], &URL[..]].concat())?;
        assert!(fs::read_to_string(&output)?.contains("src=\"http://h/d/i.png\""), "{link}");
    }
    Ok(())
}

#[test]
fn the_order_of_the_attributes_of_a_link_does_not_matter() -> Outcome {
    for link in [
        "<link xlink:href=\"xh/\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" rel=\"alternate\" href=\"http://b/p/\"/>",
        "<link rel=\"alternate\" href=\"http://b/p/\" xlink:href=\"xh/\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"/>",
    ] {
        let atom = format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>{link}<content type=\"html\">&lt;img src=\"i.png\"></content></entry></feed>"
        );
        let folder = folder_with(&[("feed.xml", &atom)])?;
        let (feed, output) = (folder.path().join("feed.xml"), folder.path().join("new.xml"));
        run(&[&["rewrite", argument(&feed), "-o", argument(&output), "--feed-base", "item"], &URL[..]].concat())?;
        assert!(fs::read_to_string(&output)?.contains("src=\"http://b/p/i.png\""), "{link}");
    }
    Ok(())
}

/// The second one too, although what is composed is reported once; and what stands in a codebase.
#[test]
fn the_content_of_each_item_with_an_unclear_link_stays() -> Outcome {
    for link in ["<link>p/<?i?>q</link>", "<link>p/<![CDATA[]]>q</link>", "<link xml:base=\"http://b/c/\">p/</link>"] {
        let content = "&lt;img src=\"i.png\">&lt;object codebase=\"e/\" archive=\"g\">";
        let item = format!("<item>{link}<description>{content}</description></item>");
        let feed = format!("<rss><channel>{item}{item}</channel></rss>");
        let (new, messages) = rewritten(&feed, &[&URL[..], &["--feed-base", "item"]].concat())?;
        assert_eq!(new.matches(content).count(), 2, "{link}: {messages}");
    }
    Ok(())
}

/// A feed with one item, which has this link and these references.
fn feed_of(link: &str, references: &[&str]) -> String {
    let content: String = references.iter().map(|reference| format!("&lt;a href=\"{reference}\">")).collect();
    format!("<rss><channel><item>{link}<description>{content}</description></item></channel></rss>")
}

/// Rewrites and verifies a feed; returns what it becomes, and the messages.
fn rewritten(feed: &str, flags: &[&str]) -> Result<(String, String), Box<dyn std::error::Error>> {
    let folder = folder_with(&[("feed.rss", feed)])?;
    let (feed, output) = (folder.path().join("feed.rss"), folder.path().join("new.rss"));
    let (feed, output) = (argument(&feed), argument(&output));
    let messages = run(&[&["rewrite", feed, "-o", output], flags].concat())?.2;
    let (status, found, _) = run(&[&["verify", feed, output], flags].concat())?;
    assert_eq!((status, &*found), (0, ""));
    Ok((fs::read_to_string(output)?, messages))
}

#[test]
fn a_blank_text_is_no_link() -> Outcome {
    let feed = feed_of("<link> </link><guid>\n</guid><comments><![CDATA[ ]]></comments>", &["x"]);
    for choice in ["feed", "item"] {
        let (new, messages) =
            rewritten(&feed, &[&URL[..], &["--same-document", "absolute", "--feed-base", choice]].concat())?;
        assert_eq!(new, feed.replace("=\"x", "=\"http://h/d/x"));
        assert!(messages.contains("1 document, 1 link:"), "{messages}");
    }
    Ok(())
}

/// The tag in it is no part of an expression, whose end is elsewhere.
#[test]
fn a_link_between_marks_of_a_template_is_verified() -> Outcome {
    let feed = "<rss><channel><item><description>{{ &lt;a href=\"x\">y&lt;/a> }}</description></item></channel></rss>";
    assert!(rewritten(feed, &URL)?.0.contains("=\"http://h/d/x\""));
    Ok(())
}

#[test]
fn a_user_name_in_the_link_of_an_item_is_reported() -> Outcome {
    let feed = feed_of("<link>http://u:p@h/p/</link>", &["x"]);
    let (new, messages) = rewritten(&feed, &[&URL[..], &["--feed-base", "item"]].concat())?;
    assert!(new.contains("http://u:p@h/p/x") && messages.contains("base-credentials"), "{messages}");
    assert!(!rewritten(&feed, &URL)?.1.contains("base-credentials"));
    Ok(())
}

#[test]
fn what_makes_no_difference_is_not_reported() -> Outcome {
    let absolute = ["--same-document", "absolute"];
    for (link, references, flags) in [
        // No base is known.
        ("", &["x", "#f"][..], &["--feed-base", "item", "--same-document", "absolute"][..]),
        ("<link>/p/</link>", &["x", "#f"], &[&["--feed-base", "item"], &absolute[..]].concat()),
        // The same host, and the same URL.
        ("<link>http://H:80/p/</link>", &["/x"], &[&URL[..], &["--feed-base", "item"]].concat()),
        ("<link>http://H:80/p/</link>", &["/x"], &URL),
        // Nobody knows where the item is.
        ("<link>{{link}}</link>", &["x"], &URL),
    ] {
        let (_, messages) = rewritten(&feed_of(link, references), flags)?;
        assert!(!messages.contains("feed-base"), "{link} {flags:?}: {messages}");
    }
    let placeholder = feed_of("<link>{{link}}</link>", &["x", "y"]);
    let (new, messages) = rewritten(&placeholder, &[&URL[..], &["--feed-base", "item"]].concat())?;
    assert_eq!(new, placeholder);
    assert!(
        messages.contains("feed-base: 2 references left relative: the link of the item is a placeholder"),
        "{messages}"
    );
    assert!(!messages.contains("--url"), "{messages}");
    Ok(())
}

#[test]
fn html_of_atom_has_its_media_type_in_any_case_and_with_parameters() -> Outcome {
    for name in ["html", "HTML", "text/html", "TEXT/HTML; charset=utf-8", " text/html ;x=y"] {
        let atom = format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content type=\"{name}\">&lt;img src=\"i.png\"></content></entry></feed>"
        );
        assert!(rewritten(&atom, &URL)?.0.contains("http://h/d/i.png"), "{name}");
    }
    Ok(())
}
