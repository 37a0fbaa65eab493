//! `absolve unpack` of messages that are damaged or hostile, and what it refuses.

use std::fs;

use crate::support::unpacking::{files, multipart, related, unpack};
use crate::support::{Outcome, argument, folder_with, run, run_with};
use absolve_testing::IN_FULL;

#[test]
fn names_lead_nowhere_else_and_replace_nothing() -> Outcome {
    let long = format!("Content-Type: image/png; name=\"{}.png\"", "n".repeat(10_000));
    let part = |header: &str| format!("{header}\nContent-Type: image/png");
    let headers = [
        part("Content-Location: ../../etc/passwd"),
        part("Content-Location: file:///C:/con.txt"),
        part("Content-Location: ..%2f..%2f.ssh%2fid"),
        part("Content-Disposition: inline; filename=\"/etc/shadow\""),
        part("Content-Disposition: inline; filename=\"..\\\\..\\\\autoexec.bat\""),
        part("Content-Disposition: inline; filename=\".htaccess\""),
        part("Content-Disposition: inline; filename=\"LPT1\""),
        part("Content-Disposition: attachment; filename*=utf-8''na%C3%AFve%0D%0A%E2%80%AE.png"),
        part("Content-Disposition: attachment; filename*0=\"long\"; filename*1=\"er.png\""),
        part("Content-Disposition: attachment; filename=\"=?utf-8?Q?gr=C3=BC=C3=9Fe.png?=\""),
        part("Content-ID: <../lamp@h>"),
        part("Content-Location: A.PNG"),
        part("Content-Location: a.png"),
        part("Content-Location: a.png"),
        long,
    ];
    let parts: Vec<(&str, &str)> = headers.iter().map(|header| (&**header, "x")).collect();
    let run = unpack(&multipart("mixed", &parts), "a.eml", &[])?;
    let names: Vec<&str> = run.names().into_iter().filter(|name| name.len() < 100).collect();
    let expected = [
        "A.PNG",
        "_.htaccess.png",
        "_LPT1.png",
        "_con.txt.png",
        "a-2.png",
        "a-3.png",
        "autoexec.bat",
        "grüße.png",
        "id.png",
        "lamp.png",
        "longer.png",
        "naïve___.png",
        "passwd.png",
        "shadow.png",
    ];
    assert_eq!((run.status, names), (0, expected.to_vec()), "{}", run.stderr);
    assert_eq!(run.files.len(), 15);
    Ok(())
}

/// Not to `Mär z.pd f` and `__文.txt`.
#[test]
fn names_in_several_pieces_are_joined() -> Outcome {
    let parts = [
        "Content-Disposition: attachment;\n filename=\"=?UTF-8?B?TcOkcg==?=\n =?UTF-8?B?ei5wZA==?=\n\t=?UTF-8?Q?f?=\"",
        "Content-Disposition: attachment;\n filename*0*=UTF-8''%e4%b8;\n filename*1*=%ad%e6%96%87;\n filename*2=\".txt\"",
    ];
    let run = unpack(&multipart("mixed", &parts.map(|header| (header, "x"))), "a.eml", &[])?;
    assert_eq!((run.status, run.names()), (0, vec!["März.pdf", "中文.txt"]), "{}", run.stderr);
    Ok(())
}

/// Such as `i.php` and `j.aspx`.
#[test]
fn no_image_gets_a_name_that_servers_execute() -> Outcome {
    let part = |header: &str| format!("{header}\nContent-Type: image/png");
    let headers =
        ["Content-Location: http://h/i.php?x", "Content-Location: http://h/j.aspx", "Content-Location: http://h/k.jpg"];
    let headers = headers.map(part).into_iter().chain([part("Content-Disposition: attachment; filename=l.cgi")]);
    let parts: Vec<String> = headers.collect();
    let parts: Vec<(&str, &str)> = parts.iter().map(|header| (&**header, "x")).collect();
    let run = unpack(&related("<img src=http://h/i.php?x>", &parts), "a.eml", &[])?;
    assert_eq!(run.names(), ["i.php.png", "j.aspx.png", "k.jpg", "l.cgi.png", "page.html"], "{}", run.stderr);
    assert!(String::from_utf8_lossy(&run.files["page.html"]).contains("<img src=i.php.png>"), "{}", run.stderr);
    Ok(())
}

#[test]
fn an_existing_folder_is_only_written_into_when_forced() -> Outcome {
    let folder = folder_with(&[("out/a.png", "old"), ("out/mine", "mine"), ("elsewhere", "precious")])?;
    let path = |name: &str| folder.path().join(name);
    fs::write(
        path("m.eml"),
        related("<img src=a.png>", &[("Content-Type: image/png\nContent-Location: a.png", "new")]),
    )?;
    let out = path("out");
    let arguments = ["unpack", argument(&path("m.eml")), "-o", argument(&out)].map(str::to_owned);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (status, _, stderr) = run(&arguments)?;
    assert!(status == 2 && stderr.contains("out exists; --force writes into it"), "{stderr}");
    let (status, _, stderr) = run(&[&arguments[..], &["--force"]].concat())?;
    assert_eq!(status, 0, "{stderr}");
    let found = files(&out)?;
    assert_eq!(found.keys().collect::<Vec<_>>(), ["a.png", "mine", "page.html"]);
    assert_eq!(found["a.png"], b"new");
    #[cfg(unix)]
    {
        fs::remove_file(out.join("a.png"))?;
        std::os::unix::fs::symlink(path("elsewhere"), out.join("a.png"))?;
        let (status, _, stderr) = run(&[&arguments[..], &["--force"]].concat())?;
        assert!(status == 1 && stderr.contains("it exists and is not a file"), "{stderr}");
        assert_eq!(fs::read(path("elsewhere"))?, b"precious");
    }
    let single =
        ["unpack", argument(&path("m.eml")), "--single", argument(&path("m.eml")), "--force"].map(str::to_owned);
    let (status, _, stderr) = run(&single.each_ref().map(String::as_str))?;
    assert!(status == 2 && stderr.contains("m.eml is the input; name another file"), "{stderr}");
    // The hint is not `--in-place changes it`.
    let (status, _, stderr) = run(&["unpack", argument(&path("m.eml")), "-o", argument(&path("m.eml"))])?;
    assert!(status == 2 && stderr.contains("m.eml is the input; name a new folder"), "{stderr}");
    let list = argument(&out.join("list.json")).to_owned();
    let (status, _, stderr) = run(&[&arguments[..], &["--force", "--summary", &list]].concat())?;
    assert!(status == 2 && stderr.contains("list.json belongs to the output"), "{stderr}");
    let (status, _, stderr) = run(&["unpack", argument(&path("m.eml")), "-o", argument(folder.path()), "--force"])?;
    assert!(status == 2 && stderr.contains("lies within the output"), "{stderr}");
    fs::create_dir(path("other.partial"))?;
    let (status, _, stderr) = run(&["unpack", argument(&path("m.eml")), "-o", argument(&path("other"))])?;
    assert!(status == 2 && stderr.contains("other.partial is left from an interrupted run; remove it"), "{stderr}");
    Ok(())
}

#[test]
fn what_is_no_message_is_refused() -> Outcome {
    let folder =
        folder_with(&[("a.html", "<p>"), ("d/x", ""), ("letter.txt", "Subject: x\nFrom: a@h\nReceived: y\n\nText")])?;
    let path = |name: &str| folder.path().join(name);
    let out = path("out");
    for (name, why) in [
        ("a.html", "is not a message; unpack reads .eml, .mhtml and mbox"),
        ("d", "is a folder; name one message in it"),
        ("missing.eml", "missing.eml"),
    ] {
        let (status, _, stderr) = run(&["unpack", argument(&path(name)), "-o", argument(&out)])?;
        assert!(status == 2 && stderr.contains(why) && !out.exists(), "{name}: {stderr}");
    }
    let (status, _, stderr) = run(&["unpack", argument(&path("letter.txt")), "-o", argument(&out)])?;
    assert_eq!(
        (status, files(&out)?.keys().map(String::as_str).collect::<Vec<_>>()),
        (0, vec!["index.txt"]),
        "{stderr}"
    );
    let (status, _, stderr) = run(&["unpack", argument(&path("letter.txt"))])?;
    assert!(status == 2 && stderr.contains("--output <FOLDER>"), "{stderr}");
    let second = path("second");
    let (status, _, stderr) = run_with(&["unpack", "-", "-o", argument(&second)], &related("<p>", &[]))?;
    assert_eq!((status, files(&second)?.len()), (0, 1), "{stderr}");
    let (status, _, stderr) = run_with(&["unpack", "-", "-o", argument(&path("third"))], b"no message at all")?;
    assert!(status == 2 && stderr.contains("- is not a message"), "{stderr}");
    Ok(())
}

#[test]
fn what_is_damaged_is_named() -> Outcome {
    let encoded =
        |encoding: &str| format!("Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: {encoding}");
    for (header, body, status, stderr, bytes) in [
        (encoded("base64"), "QUJD*REVG", 1, "part 2: transfer-encoding: its base64 is damaged", Some("ABCDEF")),
        (
            encoded("x-own"),
            "QUJD",
            1,
            "part 2: byte 209: transfer-encoding: its transfer encoding is unknown or malformed; no file is made of it",
            None,
        ),
        (encoded("base64"), "QUJDREVG", 0, "", Some("ABCDEF")),
        (
            encoded("quoted-printable"),
            "=41=ZZ=\n=\t\nB=4",
            0,
            "part 2: message-repaired: its quoted-printable has 2 `=` that begin no escape, and stay",
            Some("A=ZZB=4"),
        ),
    ] {
        let run = unpack(&related("<p>", &[(&header, body)]), "a.eml", &[])?;
        assert_eq!(
            (run.status, run.files.get("a.png").map(Vec::as_slice)),
            (status, bytes.map(str::as_bytes)),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains(stderr), "{}", run.stderr);
    }
    let whole = related("<img src=a.png>", &[(&encoded("base64"), &"QUJD".repeat(1000))]);
    let run = unpack(&whole[..2000], "a.eml", &[])?;
    assert!(run.stderr.contains("message-repaired: its closing delimiter is missing"), "{}", run.stderr);
    assert!(run.files["a.png"].starts_with(b"ABCABC"), "{}", run.stderr);
    for (parameter, why) in [
        ("", "its header does not declare its boundary"),
        ("; boundary=b", "no delimiter line with its boundary follows"),
    ] {
        let run = unpack(format!("Content-Type: multipart/mixed{parameter}\n\nx").as_bytes(), "a.eml", &[])?;
        let is_named = run.stderr.contains(why) && run.stderr.contains("nothing in it can be unpacked");
        assert!(run.status == 1 && is_named, "{}", run.stderr);
    }
    Ok(())
}

/// The time is that of the parts, not of their pairs.
#[test]
fn thousands_of_parts_with_one_name_and_one_id() -> Outcome {
    const PARTS: usize = if IN_FULL { 2_000 } else { 300 };
    let part = ("Content-Type: image/gif; name=a.gif\nContent-ID: <i>\nContent-Location: a.gif", "");
    let page = "<img src=cid:i><img src=a.gif>".repeat(PARTS);
    let run = unpack(&related(&page, &vec![part; PARTS]), "a.eml", &["--quiet"])?;
    assert_eq!((run.status, run.files.len(), &*run.stderr), (0, PARTS + 1, ""));
    assert!(run.files.contains_key(&*format!("a-{PARTS}.gif")));
    Ok(())
}
