//! Messages that cannot be read, or not whole, files that are none, and texts that are left out: nothing passes as if it were all.

use std::fs;

use crate::support::unpacking::{multipart, related, unpack};
use crate::support::{Outcome, argument, folder_with, run};

/// No file is written for any, and the exit status is 1.
#[test]
fn messages_that_are_left_unread_become_no_files() -> Outcome {
    let entry = "From a@b Thu Jan  1 00:00:00 1998\n";
    let inner = format!("From: a@b\nContent-Type: text/html\n\n<p>one\n{entry}Subject: two\n\n<p>two\n");
    for (name, text, code) in [
        ("a.mbox", format!("{entry}{inner}"), "message-separator"),
        ("a.emlx", "5\nFrom: a@b\n\nx".to_owned(), "message-structure"),
    ] {
        let folder = folder_with(&[(name, &*text)])?;
        let path = |name: &str| folder.path().join(name);
        let (message, out, list) = (path(name), path("out"), path("list.json"));
        let arguments = ["unpack", argument(&message), "--message", "1", "--summary", argument(&list)];
        let (status, _, stderr) = run(&[&arguments[..], &["-o", argument(&out)]].concat())?;
        assert!(status == 1 && stderr.contains("nothing in it can be unpacked"), "{name}: {status} {stderr}");
        assert!(stderr.contains(code) && !out.exists(), "{name}: {stderr}");
        let list: serde_json::Value = serde_json::from_slice(&fs::read(list)?)?;
        assert_eq!((&list["findings"][0]["code"], list["files"].as_array().map(Vec::len)), (&code.into(), Some(0)));
        let (status, _, stderr) = run(&["unpack", argument(&message), "--single", argument(&out), "--message", "1"])?;
        assert!(status == 1 && !out.exists(), "{name}: {status} {stderr}");
    }
    Ok(())
}

/// The exit status is 1 where the last file is incomplete.
#[test]
fn a_message_that_is_cut_off_is_reported() -> Outcome {
    let image = ("Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64", &*"QUJD".repeat(1000));
    let whole = related("<img src=a.png>", &[image]);
    let inner = String::from_utf8(multipart("mixed", &[("Content-Type: text/plain", "x")]))?.replace("--b--", "");
    let inner = inner.replace("boundary=b", "boundary=c").replace("--b", "--c");
    let in_closed = multipart("mixed", &[(inner.trim_end(), "")]);
    for (message, status, files) in [(&whole[..], 0, 2), (&whole[..2000], 1, 2), (&in_closed, 0, 1)] {
        let run = unpack(message, "a.eml", &[])?;
        assert_eq!((run.status, run.files.len()), (status, files), "{}", run.stderr);
        assert_eq!(run.stderr.contains("its closing delimiter is missing"), message != whole, "{}", run.stderr);
    }
    Ok(())
}

/// None becomes a file `index.txt`.
#[test]
fn files_that_are_not_messages_are_not_unpacked() -> Outcome {
    const MARKUP: &str = "not-its-type: it begins with markup, not with the header of a message";
    for (text, status, why) in [
        ("", 2, "is not a message: it is empty"),
        ("<html><p>a <a href=x>", 2, MARKUP),
        ("\u{FEFF}<!DOCTYPE html>", 2, MARKUP),
        ("\n  <?xml version='1.0'?><a/>", 2, MARKUP),
    ] {
        for name in ["a.eml", "a.mhtml"] {
            let run = unpack(text.as_bytes(), name, &[])?;
            assert!(run.status == status && run.stderr.contains(why), "{text}: {} {}", run.status, run.stderr);
            assert!(run.files.is_empty());
        }
    }
    let run = unpack(b"Subject: x\n\n<html>", "a.eml", &[])?;
    assert_eq!((run.status, run.files.len()), (0, 1), "{}", run.stderr);
    Ok(())
}

/// `Price 1020 left` would be wrong, and so would a text without the rest.
#[test]
fn the_text_of_a_page_keeps_groups_and_captions() -> Outcome {
    let html = "Price 10<hr>20 left<dl><div><dt>Low<dd>2</div></dl><table><caption>Tides</caption><tr><td>1</table>";
    let folder = folder_with(&[("a.html", html), ("b.html", "<p>x<svg><text>axis</text></svg>")])?;
    let pack = |name: &str| run(&["pack", argument(&folder.path().join(name)), "--text", "-o", "-"]);
    let (status, message, stderr) = pack("a.html")?;
    let text = "Price 10\r\n\r\n---\r\n\r\n20 left\r\n\r\nLow\r\n  2\r\n\r\nTides\r\n1\r\n";
    assert!(status == 0 && message.contains(text) && !stderr.contains("plain-text"), "{message}{stderr}");
    let (status, message, stderr) = pack("b.html")?;
    assert!(status == 0 && message.contains("\r\n\r\nx\r\n"), "{message}");
    assert!(stderr.contains("plain-text: texts in drawings (SVG) that are not in the text"), "{stderr}");
    Ok(())
}
