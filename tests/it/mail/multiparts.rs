//! Multiparts with signatures among their parts, or with a transfer encoding.

use std::fs;

use crate::support::{Outcome, argument, folder_with, run, run_in};
use absolve_testing::IN_FULL;

/// A message of these parts, each with its fields and its text.
fn multipart(fields: &str, parts: &[&str]) -> String {
    let parts: String = parts.iter().map(|part| format!("--b\n{part}\n")).collect();
    format!("Content-Base: http://h/\n{fields}\n\n{parts}--b--\n")
}

const MIXED: &str = "Content-Type: multipart/mixed; boundary=b";
const BODY: &str = "Content-Type: text/html\n\n<a href=body>";
const REPORT: &str = "Content-Type: text/html; name=report.html\nContent-Disposition: attachment; filename=report.html\n\n<a href=report>";

/// Rewrites a message, verifies what comes out, and returns that with the findings.
fn rewritten(message: &str, options: &[&str]) -> Result<(String, String), Box<dyn std::error::Error>> {
    let folder = folder_with(&[("a.eml", message)])?;
    let (written, _, log) = run_in(folder.path(), &[&["rewrite", "a.eml", "-o", "b.eml"], options].concat())?;
    let (status, found, verified) = run_in(folder.path(), &[&["verify", "a.eml", "b.eml"], options].concat())?;
    assert_eq!((status, &*found), (written, ""), "{message}\n{verified}");
    Ok((fs::read_to_string(folder.path().join("b.eml"))?, log))
}

/// A report that changes would have an invalid signature.
#[test]
fn an_attachment_with_a_detached_signature_stays() -> Outcome {
    for (fields, is_sure) in [
        ("Content-Type: application/pgp-signature; name=report.html.asc", true),
        ("Content-Disposition: attachment; filename=\"report.html.sig\"", true),
        ("Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=REPORT.HTML.p7s", true),
        ("Content-Type: application/x-pkcs7-signature; name=smime.p7s", false),
        ("Content-Type: application/pgp-signature", false),
    ] {
        let message = multipart(MIXED, &[BODY, REPORT, &format!("{fields}\n\nSIGNATURE")]);
        let (output, log) = rewritten(&message, &[])?;
        assert!(output.contains("<a href=report>") && log.contains(": signed: "), "{fields}: {output}{log}");
        // A signature of another name may be that of any part.
        assert_eq!(output.contains("<a href=http://h/body>"), is_sure, "{fields}: {output}");
        let (output, _) = rewritten(&message, &["--break-signatures"])?;
        assert!(output.contains("http://h/body") && output.contains("http://h/report"), "{output}");
    }
    // What is no signature of the report covers nothing.
    let key = "Content-Disposition: attachment; filename=key.asc\n\nKEY";
    let (output, log) = rewritten(&multipart(MIXED, &[BODY, REPORT, key]), &[])?;
    assert!(output.contains("http://h/report") && !log.contains("signed"), "{output}{log}");
    Ok(())
}

#[test]
fn a_signed_message_within_a_message_stays() -> Outcome {
    let inner = "Content-Type: message/rfc822; name=m.eml\n\nContent-Type: text/html\n\n<a href=inner>";
    let signature = "Content-Type: application/pkcs7-signature; name=m.eml.p7s\n\nSIGNATURE";
    let (output, _) = rewritten(&multipart(MIXED, &[BODY, inner, signature]), &[])?;
    assert!(output.contains("<a href=inner>") && output.contains("http://h/body"), "{output}");
    let signed = "Content-Type: multipart/x-signed; boundary=b";
    let (output, log) = rewritten(&multipart(signed, &[BODY, signature]), &[])?;
    assert!(output.contains("<a href=body>") && log.contains(": signed: "), "{output}{log}");
    let by_google = format!("X-Google-DKIM-Signature: v=1\n{}", multipart(MIXED, &[BODY]));
    let (output, log) = rewritten(&by_google, &[])?;
    assert!(output.contains("http://h/body") && log.contains(": dkim: "), "{output}{log}");
    let (output, _) = rewritten(&by_google, &["--keep-dkim"])?;
    assert!(output.contains("<a href=body>"), "{output}");
    Ok(())
}

#[test]
fn verify_sees_that_a_signed_attachment_changed() -> Outcome {
    let message = multipart(MIXED, &[REPORT, "Content-Type: application/pgp-signature; name=report.html.asc\n\nS"]);
    let folder = folder_with(&[("a.eml", &message), ("b.eml", &message.replace("=report>", "=http://h/report>"))])?;
    let (status, found, _) = run_in(folder.path(), &["verify", "a.eml", "b.eml"])?;
    assert!(status == 1 && found.contains("a body without links to change differs"), "{found}");
    Ok(())
}

/// Readers of mail ignore that encoding, where it was not applied.
#[test]
fn a_multipart_with_a_transfer_encoding_is_read_where_it_has_none() -> Outcome {
    let quoted = "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"quoted\">";
    let plain = "Content-Type: text/plain\n\n=====\n<URL:plain>";
    let nested = format!("Content-Type: multipart/alternative; boundary=c\n\n--c\n{quoted}\n--c--");
    for encoding in ["quoted-printable", "base64", "Base64 (not applied)"] {
        let fields = format!("{MIXED}\nContent-Transfer-Encoding: {encoding}");
        for parts in [&[BODY, quoted, plain][..], &[BODY, &nested, plain]] {
            let (output, log) = rewritten(&multipart(&fields, parts), &[])?;
            assert!(log.contains(": message-repaired: it is a multipart") && log.contains(" 3 made absolute"), "{log}");
            assert!(
                output.contains("=http://h/body>") && output.contains("<a href=3D\"http://h/quoted\">"),
                "{output}"
            );
        }
    }
    Ok(())
}

#[test]
fn a_multipart_that_is_or_may_be_encoded_stays() -> Outcome {
    let coded = "Content-Type: text/html\n\n<a href=3D\"x\">";
    let typed = "Content-Type: text/html; charset=3Dutf-8\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg=3D=3D";
    let broken = "Content-Type: text/html\n\n<p><URL:x=\ny>";
    for (encoding, part) in
        [("quoted-printable", coded), ("quoted-printable", typed), ("quoted-printable", broken), ("x-uuencode", BODY)]
    {
        let message = multipart(&format!("{MIXED}\nContent-Transfer-Encoding: {encoding}"), &[BODY, part]);
        let (output, log) = rewritten(&message, &[])?;
        assert!(output == message && log.contains(": transfer-encoding: a multipart body"), "{part}: {output}{log}");
        let folder = folder_with(&[("a.eml", &message), ("b.eml", &message.replace("=body>", "=http://h/body>"))])?;
        assert_eq!(run_in(folder.path(), &["verify", "a.eml", "b.eml"])?.0, 1, "{message}");
    }
    Ok(())
}

/// The rewriter and the verifier, which have code of their own, agree on what is signed and what is encoded.
#[test]
fn verify_agrees_on_any_multipart() -> Outcome {
    let mut random = fastrand::Rng::with_seed(70);
    let messages: Vec<(String, String)> = (0..if IN_FULL { 20_000 } else { 400 })
        .map(|number| {
            (format!("in/{number}.eml"), format!("Content-Base: http://h/\n{}", any_multipart(&mut random, 0)))
        })
        .collect();
    let files: Vec<(&str, &str)> = messages.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = folder_with(&files)?;
    for options in [&[][..], &["--break-signatures"]] {
        let (status, _, log) =
            run_in(folder.path(), &[&["rewrite", "in", "-o", "out", "--force", "-q"], options].concat())?;
        assert_eq!(status, 0, "{log}");
        let (status, found, log) = run_in(folder.path(), &[&["verify", "in", "out"], options].concat())?;
        assert_eq!((status, &*found), (0, ""), "{log}");
    }
    Ok(())
}

fn any_multipart(random: &mut fastrand::Rng, depth: usize) -> String {
    const SUBTYPES: [&str; 8] = ["mixed", "mixed", "x", "alternative", "related", "signed", "x-signed", "digest"];
    let subtype = SUBTYPES[random.usize(..SUBTYPES.len())];
    let parts: String = (0..random.usize(1..5)).map(|_| format!("--b{depth}\n{}\n", any_part(random, depth))).collect();
    let encoding = any_encoding(random);
    format!("Content-Type: multipart/{subtype}; boundary=b{depth}\n{encoding}\n{parts}--b{depth}--\n")
}

fn any_encoding(random: &mut fastrand::Rng) -> &'static str {
    match random.usize(..12) {
        0 => "Content-Transfer-Encoding: quoted-printable\n",
        1 => "Content-Transfer-Encoding: base64\n",
        2 => "Content-Transfer-Encoding: 7bit\n",
        3 => "Content-Transfer-Encoding: x-any\n",
        _ => "",
    }
}

fn any_part(random: &mut fastrand::Rng, depth: usize) -> String {
    const NAMES: [&str; 10] = [
        "a.html",
        "A.html",
        "a.html.asc",
        "a.html.sig",
        "b.html",
        "b.html.p7s",
        "s.p7s",
        ".asc",
        "a.html.asc.sig",
        "=?utf-8?Q?a=2Ehtml?=",
    ];
    const TYPES: [&str; 6] = [
        "text/html",
        "text/plain",
        "application/pgp-signature",
        "application/x-pkcs7-signature",
        "application/octet-stream",
        "message/rfc822",
    ];
    if depth < 2 && random.usize(..5) == 0 {
        return any_multipart(random, depth + 1);
    }
    let mut name = || NAMES[random.usize(..NAMES.len())];
    let names =
        [format!("; name=\"{}\"", name()), format!("Content-Disposition: attachment; filename=\"{}\"\n", name())];
    let [named, disposed] = names.map(|name| if random.bool() { name } else { String::new() });
    let media_type = TYPES[random.usize(..TYPES.len())];
    let encoding = any_encoding(random);
    let body = match encoding {
        "Content-Transfer-Encoding: base64\n" => "PGEgaHJlZj14Pg==",
        "Content-Transfer-Encoding: quoted-printable\n" => "<a href=3D\"x\">=\n y",
        _ if media_type == "message/rfc822" => "Content-Type: text/html\n\n<a href=x>",
        _ if random.usize(..6) == 0 => "<a href=3D\"x\">=\n y",
        _ => "<a href=x> <URL:y>",
    };
    format!("Content-Type: {media_type}{named}\n{encoding}{disposed}\n{body}")
}

/// An inner part may be encoded by the multipart around it, or by one of its own: it is not known, so all of it stays.
#[test]
fn an_encoded_multipart_with_others_in_it_stays_if_they_have_escapes() -> Outcome {
    for inner in [
        "multipart/alternative; boundary=c\n\n--c\nContent-Type: text/html\n\n<a href=3D\"x\">\n--c--",
        "message/rfc822\n\nContent-Type: text/html\n\n<a href=3D\"x\">",
    ] {
        let message = format!(
            "MIME-Version: 1.0\nContent-Base: http://h/d/\nContent-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: quoted-printable\n\n--b\nContent-Type: {inner}\n--b--\n"
        );
        let folder = folder_with(&[("a.eml", &message)])?;
        let (input, output) = (folder.path().join("a.eml"), folder.path().join("b.eml"));
        let (_, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
        assert!(fs::read_to_string(&output)? == message && told.contains(": transfer-encoding: "), "{told}");
        assert_eq!(run(&["verify", argument(&input), argument(&output)])?.1, "");
    }
    let ends = "MIME-Version: 1.0\nContent-Base: http://h/d/\nContent-Type: multipart/mixed; boundary=b\n\
        Content-Transfer-Encoding: quoted-printable\n\n--b\nContent-Type: text/html\n\n<a href=\"x\">x</a> 1+1=\n--b--\n";
    let folder = folder_with(&[("a.eml", ends)])?;
    let (input, output) = (folder.path().join("a.eml"), folder.path().join("b.eml"));
    run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert_eq!(run(&["verify", argument(&input), argument(&output)])?.1, "");
    assert!(fs::read_to_string(&output)?.contains("href=\"http://h/d/x\""));
    Ok(())
}
