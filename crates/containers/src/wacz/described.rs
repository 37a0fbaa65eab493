//! What the list of the files of a WACZ says of them, and whether they are so.

use absolve_framing::{PACKAGE, PACKAGE_DIGEST, Package, is_digest_of};
use absolve_rewriter::{Code, Finding};

use crate::wacz::members::{Zip, is_named_as_archive, text_of};

/// Returns a finding for each archive that the list names and the ZIP file has not, or has empty.
pub(super) fn absent(zip: &mut Zip<'_>) -> Vec<Finding> {
    let Some((package, _)) = package_of(zip) else { return Vec::new() };
    let is_absent =
        |path: &&str| zip.by_name(path).is_ok_and(|member| member.size() == 0) || zip.index_for_name(path).is_none();
    let finding = |path: &str| {
        let why = format!("{PACKAGE} names it, but the package has nothing of it");
        Finding { record: path.to_owned(), ..Finding::new(Code::MemberUnread, why) }
    };
    package.paths().filter(|path| is_named_as_archive(path)).filter(is_absent).map(finding).collect()
}

/// Returns a finding if files do not have the sizes and digests that the package declares. What cannot be read is reported elsewhere.
pub(super) fn wrong_digests(zip: &mut Zip<'_>) -> Option<Finding> {
    let (package, text) = package_of(zip)?;
    let is_wrong = |path: &&str| {
        zip.by_name(path).is_ok_and(|mut member| package.describes(path, &mut member).is_ok_and(|is_right| !is_right))
    };
    let mut wrong: Vec<&str> = package.paths().filter(is_wrong).collect();
    let digest = text_of(zip, PACKAGE_DIGEST).ok().filter(|digest| !digest.is_empty());
    wrong.extend(digest.filter(|digest| !is_digest_of(digest.as_bytes(), text.as_bytes())).map(|_| PACKAGE));
    let first = wrong.first()?;
    let files = match wrong.len() - 1 {
        0 => format!("{first} does"),
        1 => format!("{first} and 1 more file do"),
        more => format!("{first} and {more} more files do"),
    };
    let message = format!(
        "{files} not have the size and the digest that the package declares: the package is damaged, or was made wrongly"
    );
    Some(Finding::new(Code::PackageDigest, message))
}

/// Returns the list of files, and its text.
fn package_of(zip: &mut Zip<'_>) -> Option<(Package, String)> {
    let text = text_of(zip, PACKAGE).ok()?;
    Some((Package::parse(text.as_bytes()).ok()?, text))
}
