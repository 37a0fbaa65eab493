//! The names of files: what a message proposes, made safe, each once.

use absolve_rewriter::{Contents, Leaf};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::limits::NAME_BYTES;
use crate::safe_name::{Taken, safe_name, shortened};

/// Returns the name of each leaf that becomes a file; that of the document is chosen first.
pub(crate) fn names(contents: &Contents<'_>, root: Option<usize>, urls: &[Option<String>]) -> Vec<Option<String>> {
    let mut taken = Taken::default();
    let mut names = vec![None; contents.leaves.len()];
    let others = (0..names.len()).filter(|leaf| Some(*leaf) != root);
    for index in root.into_iter().chain(others).filter(|leaf| contents.is_readable(*leaf)) {
        let leaf = &contents.leaves[index];
        let otherwise = || if Some(index) == root { "index".to_owned() } else { format!("part-{}", leaf.path) };
        let proposals = [leaf.file_name.clone(), urls[index].as_deref().and_then(name_in_url), name_in_id(leaf)];
        let name = proposals.into_iter().flatten().find_map(|name| safe_name(&name)).unwrap_or_else(otherwise);
        names[index] = Some(taken.take(&with_extension(&name, &leaf.media_type)));
    }
    names
}

/// Returns the media type of a leaf: of an untyped one, by its name.
pub(crate) fn media_type<'l>(leaf: &'l Leaf, name: &str) -> &'l str {
    match &*leaf.media_type {
        "application/octet-stream" => mime_guess::from_path(name).first_raw().unwrap_or("application/octet-stream"),
        declared => declared,
    }
}

/// Returns the last segment of the path of a URL, decoded; of a folder, the name that servers give its page.
fn name_in_url(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let name = match url.path_segments() {
        Some(mut segments) => segments.next_back().filter(|name| !name.is_empty()).unwrap_or("index").to_owned(),
        None => before_at(url.path()).to_owned(),
    };
    Some(percent_decode_str(&name).decode_utf8_lossy().into_owned())
}

fn name_in_id(leaf: &Leaf) -> Option<String> {
    leaf.content_id.as_deref().map(|id| before_at(id).to_owned())
}

fn before_at(id: &str) -> &str {
    id.split_once('@').map_or(id, |(before, _)| before)
}

/// Returns a name with an extension by which servers and programs find the media type.
fn with_extension(name: &str, media_type: &str) -> String {
    match extension_of(media_type).filter(|_| !fits(name, media_type)) {
        Some(extension) => shortened(&format!("{name}.{extension}"), NAME_BYTES),
        None => name.to_owned(),
    }
}

/// Returns whether a file of this name is shown as this type, or as another one that shows the same.
fn fits(name: &str, media_type: &str) -> bool {
    let mut found = mime_guess::from_path(name).iter_raw();
    match is_by_name(media_type) {
        true => found.any(|found| found == media_type),
        false => found.next().is_some_and(|found| !is_by_name(found)),
    }
}

/// Returns whether servers and browsers find a type by the name alone. That of other images, say, the bytes show.
fn is_by_name(media_type: &str) -> bool {
    const TYPES: [&str; 5] = ["text/html", "application/xhtml+xml", "text/css", "image/svg+xml", "text/javascript"];
    TYPES.contains(&media_type)
}

/// Returns the usual extension of a media type; `None` if any may be right.
fn extension_of(media_type: &str) -> Option<&'static str> {
    Some(match media_type {
        "application/octet-stream" => return None,
        "text/html" => "html",
        "text/plain" => "txt",
        "text/javascript" => "js",
        "image/jpeg" | "image/jpg" | "image/pjpeg" => "jpg",
        _ => match mime_guess::get_mime_extensions_str(media_type) {
            Some(extensions) => extensions.first()?,
            // A report on a delivery, say.
            None if media_type.starts_with("text/") || media_type.starts_with("message/") => "txt",
            None => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::with_extension;

    #[test]
    fn extensions_follow_the_media_type() {
        for (name, media_type, expected) in [
            ("lamp", "image/gif", "lamp.gif"),
            ("lamp.jpg", "image/png", "lamp.jpg"),
            ("lamp.png", "image/svg+xml", "lamp.png.svg"),
            ("lamp.svg", "image/png", "lamp.svg.png"),
            ("page.php", "text/html", "page.php.html"),
            ("page.htm", "text/html", "page.htm"),
            ("style", "text/css", "style.css"),
            ("README", "text/plain", "README.txt"),
            ("page.html", "text/plain", "page.html.txt"),
            ("a.c", "text/plain", "a.c"),
            ("invoice.pdf", "application/octet-stream", "invoice.pdf"),
            ("part-2", "application/octet-stream", "part-2"),
            ("part-2", "application/x-nobody-knows", "part-2"),
            ("part-2", "message/delivery-status", "part-2.txt"),
        ] {
            assert_eq!(with_extension(name, media_type), expected);
        }
        assert_eq!(with_extension(&"x".repeat(120), "text/html"), format!("{}.html", "x".repeat(115)));
    }
}
