//! Names in archives: links to other names, and messages whose names contain their sizes.

use std::fs;
use std::path::Path;

use crate::bundles::made::{
    Failure, Odd, PAGE, odd, odd_zip, posix_tar_of, tar_header, tar_of, untarred, unzipped, zip_of,
};
use crate::support::{Outcome, argument, folder_with, run, run_in};
use absolve_testing::temporary_folder;
use tar::EntryType;
use zip::CompressionMethod;

pub(crate) const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

/// Its size.
const OLD: &str = "1.M2P3.host,S=60:2,S";
/// Its size with the absolute link.
const NEW: &str = "1.M2P3.host,S=69:2,S";

/// Rewrites an archive, and verifies the output. Returns it, and what both reported.
pub(crate) fn rewritten(name: &str, archive: &[u8]) -> Result<(Vec<u8>, String, String), Failure> {
    let folder = temporary_folder()?;
    let (input, output) = (folder.path().join(name), folder.path().join("out").join(name));
    fs::write(&input, archive)?;
    let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"])?;
    assert_eq!(status, 0, "{name}: {says}");
    let (_, found, _) = run(&["verify", argument(&input), argument(&output), "--url", "http://h/"])?;
    Ok((fs::read(&output)?, says, found))
}

/// A tar of these files in a Maildir, and of what follows them.
fn tar_with(files: &[(&str, &str)], after: &[Vec<u8>]) -> Result<Vec<u8>, Failure> {
    let members = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    let mut archive = tar_header("new", EntryType::Directory, "")?;
    let files = tar_of(&members, &tar::Header::new_gnu())?;
    archive.extend(&files[..files.len() - 1024]);
    after.iter().for_each(|header| archive.extend(header));
    archive.resize(archive.len() + 1024, 0);
    Ok(archive)
}

/// A ZIP with a symbolic link after these members.
fn zip_with_link(mut members: Vec<Odd>, name: &str, target: &str) -> Vec<u8> {
    members.push(Odd { bytes: target.as_bytes().to_vec(), ..odd(name.as_bytes()) });
    let mut archive = odd_zip(&members);
    let record = memchr::memmem::rfind(&archive, b"PK\x01\x02").unwrap_or_default();
    archive[record + 38..record + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
    archive
}

/// A page with two names has two URLs, and its links are right for one of them.
#[test]
fn another_name_of_a_page_is_a_finding() -> Outcome {
    let files = [("a/page.html", "<a href=x>"), ("same.html", "<a href=/x>")];
    let links = |entry_type, target| -> Result<Vec<u8>, Failure> {
        let same = tar_header("b/same.html", EntryType::Link, "same.html")?;
        tar_with(&files, &[tar_header("b/page.html", entry_type, target)?, same])
    };
    let zip = zip_with_link(vec![odd(b"a/page.html")], "b/page.html", "../a/page.html");
    for (name, archive, finding) in [
        ("hard.tar", links(EntryType::Link, "./a/page.html")?, "hard-link: a hard link to "),
        ("symbolic.tar", links(EntryType::Symlink, "../a/page.html")?, "symlink-kept: a symbolic link to "),
        ("symbolic.zip", zip, "symlink-kept: a symbolic link to "),
    ] {
        let (_, says, found) = rewritten(name, &archive)?;
        assert!(says.contains(&format!("{name}/b/page.html: {finding}")), "{says}");
        assert!(!says.contains("b/same.html") && found.is_empty(), "{says}{found}");
    }
    let folder = tar_with(&files, &[tar_header("b", EntryType::Symlink, "a")?])?;
    let (_, says, _) = rewritten("folder.tar", &folder)?;
    assert!(says.contains("folder.tar/b: symlink-kept: a symbolic link to the folder "), "{says}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_link_keeps_the_message_that_it_leads_to() -> Outcome {
    let old = format!("cur/{OLD}");
    let kept = format!("{OLD}: name-clash: a link leads to it; it keeps the name with its old size");
    let tar = |link| tar_with(&[(&old, MESSAGE)], &[link]);
    let message = Odd { bytes: MESSAGE.into(), ..odd(old.as_bytes()) };
    let zip = zip_with_link(vec![odd(b"new/"), message], "cur/2:2,S", OLD);
    for (name, archive) in [
        ("hard.tar", tar(tar_header("cur/2:2,S", EntryType::Link, &old)?)?),
        ("symbolic.tar", tar(tar_header("cur/2:2,S", EntryType::Symlink, OLD)?)?),
        ("symbolic.zip", zip),
    ] {
        let (output, says, found) = rewritten(name, &archive)?;
        assert!(says.contains(&kept) && says.contains("1 file changed"), "{says}");
        // The name is right for the link only.
        // A number of the comparison stood in place of the name.
        let whole = format!("{old}: file: its name contains another size behind \",S=\"\n");
        assert!(found.ends_with(&whole) && found.lines().count() == 1, "{found}");
        assert!(memchr::memmem::find(&output, NEW.as_bytes()).is_none(), "{name}");
    }
    let folder = folder_with(&[(&format!("in/{old}"), MESSAGE), ("in/new/.keep", "")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    std::os::unix::fs::symlink(OLD, input.join("cur/2:2,S"))?;
    let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 0 && says.contains(&kept) && output.join("cur/2:2,S").exists(), "{says}");
    Ok(())
}

#[test]
fn verify_finds_a_link_in_an_archive_whose_message_is_renamed() -> Outcome {
    let changed = MESSAGE.replace("=x", "=http://h/x");
    let [before, after] = [("cur/1.M2P3.host,S=1:2,S", MESSAGE), ("cur/1.M2P3.host,S=69:2,S", &*changed)];
    let linked = |entry_type, target: &str| -> Result<[Vec<u8>; 2], Failure> {
        let links = [tar_header("d/k", EntryType::Symlink, "../cur")?, tar_header("d/l", entry_type, target)?];
        Ok([tar_with(&[before], &links)?, tar_with(&[after], &links)?])
    };
    let zip = |(name, text): (&str, &str)| {
        let message = Odd { bytes: text.into(), ..odd(name.as_bytes()) };
        zip_with_link(vec![odd(b"new/"), message], "d/l", "../cur/1.M2P3.host,S=1:2,S")
    };
    let folder = temporary_folder()?;
    for (name, archives, is_lost) in [
        ("symbolic.tar", linked(EntryType::Symlink, "../cur/1.M2P3.host,S=1:2,S")?, true),
        ("through.tar", linked(EntryType::Symlink, "k/.././cur/1.M2P3.host,S=1:2,S")?, true),
        ("hard.tar", linked(EntryType::Link, "cur/1.M2P3.host,S=1:2,S")?, true),
        ("hard-through.tar", linked(EntryType::Link, "d/k/1.M2P3.host,S=1:2,S")?, true),
        ("symbolic.zip", [zip(before), zip(after)], true),
        ("nowhere.tar", linked(EntryType::Symlink, "../cur/1.M2P3.host,S=2:2,S")?, false),
        ("outside.tar", linked(EntryType::Symlink, "../../d/../cur/1.M2P3.host,S=1:2,S")?, false),
        ("folder.tar", linked(EntryType::Symlink, "k/.")?, false),
        ("circle.tar", linked(EntryType::Symlink, "l/1.M2P3.host,S=1:2,S")?, false),
    ] {
        let files = ["before", "after"].map(|side| folder.path().join(format!("{side}-{name}")));
        files.iter().zip(&archives).try_for_each(|(file, archive)| fs::write(file, archive))?;
        let (status, found, log) = run(&["verify", argument(&files[0]), argument(&files[1])])?;
        let lost = ": file: its link d/l leads nowhere, because what it led to has another name\n";
        let expected = if is_lost { format!("{}{lost}", files[0].display()) } else { String::new() };
        assert_eq!((status, found), (i32::from(is_lost), expected), "{log}");
    }
    Ok(())
}

/// Pages that are reached through a linked folder are reported, and messages that are keep their names.
#[cfg(unix)]
#[test]
fn links_through_linked_folders_are_followed() -> Outcome {
    const LINKS: [(&str, &str); 9] = [
        ("M2", "M"),
        ("M/k", "cur"),
        ("one", "M2/cur/1.M2P3.host,S=60:2,S"),
        ("d/two", "../M2/k/2.M2P3.host,S=60:2,S"),
        ("three", "d/three"),
        ("d/three", "../M/k/3.M2P3.host,S=60:2,S"),
        ("d2", "d/e"),
        ("page", "d2/page.html"),
        ("circle", "circle"),
    ];
    let folder = temporary_folder()?;
    let [input, output] = ["in", "out"].map(|name| folder.path().join(name));
    let names = ["1", "2", "3", "4"].map(|number| format!("M/cur/{number}.M2P3.host,S=60:2,S"));
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, MESSAGE)).collect();
    files.extend([("M/new/.keep", ""), ("d/e/page.html", "<a href=../x>")]);
    for (name, text) in &files {
        fs::create_dir_all(input.join(name).parent().unwrap_or(&input))?;
        fs::write(input.join(name), text)?;
    }
    LINKS.iter().try_for_each(|(name, target)| std::os::unix::fs::symlink(target, input.join(name)))?;
    let (_, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"])?;
    let findings = |says: &str, input: &str| -> Vec<String> {
        let lines = says.lines().filter(|line| line.contains(": name-clash: ") || line.contains(": symlink-kept: "));
        let mut lines: Vec<String> =
            lines.map(|line| line.split(": ").take(2).collect::<String>().replace(input, "")).collect();
        lines.sort();
        lines
    };
    let expected = findings(&says, argument(&input));
    assert_eq!(expected.len(), 5, "{says}");
    let links = LINKS.iter().map(|(name, target)| tar_header(name, EntryType::Symlink, target));
    let tar = tar_with(&files, &links.collect::<Result<Vec<_>, _>>()?)?;
    let (written, says, _) = rewritten("a.tar", &tar)?;
    assert_eq!(findings(&says, says.split("/M/").next().unwrap_or_default()), expected, "{says}");
    let unpacked = folder.path().join("unpacked");
    tar::Archive::new(&*written).unpack(&unpacked)?;
    for (name, _) in &LINKS[..8] {
        assert!(unpacked.join(name).exists() && output.join(name).exists(), "{name}");
    }
    Ok(())
}

/// Only their sizes make their names different, and both become the same size.
#[test]
fn two_messages_do_not_get_the_same_name() -> Outcome {
    let names = ["cur/1.M2P3.host,S=60:2,S", "cur/1.M2P3.host,S=61:2,S"];
    let members = names.map(|name| (name.to_owned(), MESSAGE.as_bytes().to_vec())).to_vec();
    let finding = "name-clash: the name of another message differs in its size only";
    let tar = tar_with(&[(names[0], MESSAGE), (names[1], MESSAGE)], &[])?;
    let with_folder = |method| zip_of(&[&[("new/x".to_owned(), Vec::new())], &members[..]].concat(), method);
    for (name, archive) in [("a.tar", tar), ("a.zip", with_folder(CompressionMethod::Stored)?)] {
        let (output, says, _) = rewritten(name, &archive)?;
        assert!(says.matches(finding).count() == 2 && says.contains("2 files changed"), "{says}");
        let written = if name == "a.tar" { untarred(&output)? } else { unzipped(&output)? };
        assert!(names.iter().all(|name| written.iter().any(|(found, _)| found == name)), "{written:?}");
    }
    for to in ["--in-place", "-o"] {
        let folder = folder_with(&[
            (&format!("in/{}", names[0]), MESSAGE),
            (&format!("in/{}", names[1]), MESSAGE),
            ("in/new/.keep", ""),
        ])?;
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        let in_place = to == "--in-place";
        let to = if in_place { vec![to] } else { vec![to, argument(&output)] };
        let (status, _, says) = run(&[&["rewrite", argument(&input)], &to[..]].concat())?;
        assert!(status == 0 && says.matches(finding).count() == 2, "{says}");
        let written = if in_place { &input } else { &output };
        assert!(names.iter().all(|name| written.join(name).exists()), "{says}");
    }
    Ok(())
}

/// The first is superseded. With a name of its own, it would be unpacked beside the other one.
#[test]
fn a_superseded_message_does_not_come_back() -> Outcome {
    let old = format!("cur/{OLD}");
    let finding = "name-clash: another member has its name, and does not get the same new one";
    let longer = MESSAGE.replace("=x", "=longer");
    let link = tar_header(&old, EntryType::Symlink, "../x")?;
    let one_more = [tar_header(&format!("./{old}"), EntryType::Regular, "")?];
    for (later, after, clashes) in [
        (&*longer, &[][..], 2),
        ("Subject: x\n\n", &[], 1),
        (MESSAGE, &[], 0),
        (&MESSAGE.replace("=x", "=y"), &[], 0),
        (MESSAGE, &[link], 2),
        (MESSAGE, &one_more, 2),
    ] {
        let tar = tar_with(&[(&old, MESSAGE), (&old, later)], after)?;
        let (output, says, found) = rewritten("a.tar", &tar)?;
        assert_eq!(
            (says.matches(finding).count(), found.is_empty()),
            (clashes, clashes == 0),
            "{later}: {says}{found}"
        );
        let name = if clashes == 0 { NEW } else { OLD };
        assert!(untarred(&output)?.iter().all(|(path, _)| path.ends_with(name)), "{later}: {says}");
        let folder = temporary_folder()?;
        fs::write(folder.path().join("a.tar"), &tar)?;
        let (_, _, says) = run(&["rewrite", argument(&folder.path().join("a.tar")), "--dry-run"])?;
        assert_eq!(says.matches(finding).count(), clashes, "{later}: {says}");
    }
    Ok(())
}

/// Beside another input, where a member goes is not its name in its archive.
#[test]
fn a_message_gets_its_new_size_beside_another_input() -> Outcome {
    let old = format!("cur/{OLD}");
    let folder = folder_with(&[(&format!("md/{old}"), MESSAGE), ("md/new/.keep", "")])?;
    fs::write(folder.path().join("a.tar"), tar_with(&[(&old, MESSAGE)], &[])?)?;
    let longer = MESSAGE.replace("=x", "=longer");
    fs::write(folder.path().join("b.tar"), tar_with(&[(&old, &longer)], &[])?)?;
    let (status, _, says) = run_in(folder.path(), &["rewrite", "a.tar", "b.tar", "md", "-o", "out"])?;
    assert!(status == 0 && !says.contains("name-clash") && says.contains("3 files changed"), "{says}");
    let output = folder.path().join("out");
    for (archive, name) in [("a.tar", NEW), ("b.tar", "1.M2P3.host,S=74:2,S")] {
        assert_eq!(untarred(&fs::read(output.join(archive))?)?[0].0, format!("cur/{name}"), "{archive}");
    }
    assert!(output.join("md/cur").join(NEW).exists(), "{says}");
    Ok(())
}

#[test]
fn verify_finds_names_that_part_or_join() -> Outcome {
    let names = ["S=60", "S=61", "S=69", "S=72"].map(|size| format!("cur/1.M2P3.host,{size}:2,S"));
    let [old, other, new, newer] = names.each_ref().map(|name| &**name);
    let (after, longer) = (MESSAGE.replace("=x", "=http://h/x"), MESSAGE.replace("=x", "=http://h/x23"));
    let folder = temporary_folder()?;
    let [one, two] = ["one.tar", "two.tar"].map(|name| folder.path().join(name));
    for (before, written, difference) in [
        ([old, old], [new, newer], "its members of the name cur/1.M2P3.host,S=60:2,S have different names"),
        (
            [old, other],
            [new, new],
            "its members cur/1.M2P3.host,S=60:2,S and cur/1.M2P3.host,S=61:2,S have the same name",
        ),
    ] {
        fs::write(&one, tar_with(&[(before[0], MESSAGE), (before[1], &MESSAGE.replace("=x", "=x23"))], &[])?)?;
        fs::write(&two, tar_with(&[(written[0], &after), (written[1], &longer)], &[])?)?;
        let (status, found, _) = run(&["verify", argument(&one), argument(&two)])?;
        assert!(status == 1 && found.contains(difference), "{found}");
    }
    Ok(())
}

/// Names in archives are bytes. Shown as characters, this one would be too long for a file.
#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_gets_the_new_size() -> Outcome {
    let name = |size: &str| [&b"cur/1."[..], &[0xe9; 70], b".host,S=", size.as_bytes(), b":2,\xff"].concat();
    let header = |size: &str, text: &str| {
        let mut header = tar::Header::new_gnu();
        header.as_mut_bytes()[..name(size).len()].copy_from_slice(&name(size));
        header.set_size(text.len() as u64);
        header.set_cksum();
        let mut member = [&header.as_bytes()[..], text.as_bytes()].concat();
        member.resize(1024, 0);
        member
    };
    let after = MESSAGE.replace("=x", "=http://h/x");
    let message = |size, text: &str| Odd { bytes: text.into(), ..odd(&name(size)) };
    for (file, before, expected) in [
        ("a.tar", tar_with(&[], &[header("60", MESSAGE)])?, tar_with(&[], &[header("69", &after)])?),
        ("a.zip", odd_zip(&[odd(b"new/"), message("60", MESSAGE)]), odd_zip(&[odd(b"new/"), message("69", &after)])),
    ] {
        let (output, says, found) = rewritten(file, &before)?;
        assert!(output == expected && found.is_empty(), "{file}: {says}{found}");
    }
    Ok(())
}

/// Records of pax that say nothing of the name, such as those of times, do not keep the old one.
#[test]
fn a_message_gets_its_new_size_in_a_tar_with_records() -> Outcome {
    let members = vec![("new/x".to_owned(), Vec::new()), (format!("cur/{OLD}"), MESSAGE.as_bytes().to_vec())];
    let (output, says, found) = rewritten("a.tar", &posix_tar_of(&members, &[("mtime", b"1.5")])?)?;
    assert_eq!((&*untarred(&output)?[1].0, &*found), (&*format!("cur/{NEW}"), ""), "{says}");
    Ok(())
}

/// The header of a tar has 100 bytes for a name.
#[test]
fn a_name_without_room_for_a_longer_size_is_a_finding() -> Outcome {
    for (length, is_kept) in [(99, false), (100, true)] {
        let text = format!("{MESSAGE}{}", " ".repeat(99 - MESSAGE.len()));
        let name = format!("cur/{}.M2P3.host,S=99:2,", "1".repeat(length - 22));
        assert_eq!((name.len(), text.len()), (length, 99));
        let (_, says, found) = rewritten("a.tar", &tar_with(&[(&name, &text)], &[])?)?;
        let finding = "name-clash: its header has no room for a longer name";
        assert_eq!((says.contains(finding), found.contains("another size")), (is_kept, is_kept), "{says}{found}");
    }
    Ok(())
}

/// A list without folders does not contain an empty `new`.
#[test]
fn a_maildir_without_new_messages_is_read() -> Outcome {
    for separator in [":", ";", "!"] {
        let name = format!("Mail/cur/1.M2P3.host{separator}2,S");
        let members = vec![(name, MESSAGE.as_bytes().to_vec())];
        let (output, says, found) = rewritten("a.zip", &zip_of(&members, CompressionMethod::Deflated)?)?;
        assert!(says.contains("1 file changed") && found.is_empty(), "{separator}: {says}{found}");
        assert!(unzipped(&output)?[0].1.ends_with(b"<a href=http://h/x>\n"), "{separator}");
    }
    Ok(())
}

/// Readers ignore a name in Unicode with the checksum of another name. It takes over no bytes of the other charset.
#[test]
fn a_name_in_unicode_gets_the_new_size_and_keeps_its_charset() -> Outcome {
    let name = |size: usize| [b"cur/1.M2P3.h\x94st,S=", size.to_string().as_bytes(), b":2,S"].concat();
    let field = |size: usize| {
        let mut crc = flate2::Crc::new();
        crc.update(&name(size));
        let path = format!("c\u{fc}r/1.M2P3.h\u{f6}st,S={size}:2,S");
        let length = 5 + path.len() as u16;
        [&[0x75, 0x70][..], &length.to_le_bytes(), &[1], &crc.sum().to_le_bytes(), path.as_bytes()].concat()
    };
    for flags in [0, 8] {
        let message = |size: usize, text: &str| Odd {
            flags,
            bytes: text.into(),
            extra: [&field(size)[..], &[0x55, 0x54, 1, 0, 7]].concat(),
            ..odd(&name(size))
        };
        let (output, says, found) = rewritten("a.zip", &odd_zip(&[odd(b"new/"), message(60, MESSAGE)]))?;
        let expected = odd_zip(&[odd(b"new/"), message(69, &MESSAGE.replace("=x", "=http://h/x"))]);
        assert!(output == expected && found.is_empty(), "{says}{found}");
    }
    Ok(())
}

#[test]
fn symbolic_links_in_an_archive_cannot_be_followed_on_request() -> Outcome {
    let folder = temporary_folder()?;
    let archive = folder.path().join("a.zip");
    fs::write(&archive, zip_of(&vec![("a.html".to_owned(), PAGE.to_vec())], CompressionMethod::Stored)?)?;
    let (archive, output) = (argument(&archive), folder.path().join("b.zip"));
    for command in [&["rewrite", archive, "-o", argument(&output)][..], &["links", archive], &["check", archive]] {
        let (status, _, says) = run(&[command, &["--symlinks", "copy"]].concat())?;
        assert!(status == 2 && says.contains("a.zip: --symlinks copy goes with folders"), "{says}");
    }
    assert!(!Path::new(&output).exists());
    Ok(())
}
