//! References that begin with one slash below a root, and images at a URL of their own.

use encoding_rs::{Encoding, UTF_8};
use url::{Origin, Position, Url};

use super::joined::joined;
use super::{Base, stripped, target};
use crate::settings::{Settings, Standard};

/// A URL below which references that begin with one slash resolve, if their base has one of these servers.
pub(crate) struct Root {
    pub(crate) base: Base,
    servers: Vec<Origin>,
}

impl Root {
    fn of<'u>(url: &str, standard: Standard, servers: impl IntoIterator<Item = &'u str>) -> Self {
        Self { base: Base::new(standard, url.to_owned()), servers: servers.into_iter().filter_map(server).collect() }
    }
}

fn server(url: &str) -> Option<Origin> {
    Url::parse(url).ok().map(|url| url.origin()).filter(Origin::is_tuple)
}

/// Returns the roots of the references of a document.
pub(crate) fn roots(retrieval: Option<&str>, settings: &Settings) -> Vec<Root> {
    let own = settings.root.as_deref();
    own.into_iter().map(|own| Root::of(own, settings.standard, [own].into_iter().chain(retrieval))).collect()
}

/// Returns the roots of its images: first that of the images themselves, which is as far above their folder as the root is above that of
/// the document.
pub(crate) fn roots_of_images(retrieval: Option<&str>, settings: &Settings) -> Vec<Root> {
    let mut roots = roots(retrieval, settings);
    if let (Some(images), Some(root)) = (&settings.images_url, &settings.root) {
        let path = |url: &str| url[..url.find(['?', '#']).unwrap_or(url.len())].rfind('/').map_or(0, |slash| slash + 1);
        let folder = settings.images_of.as_deref().or(retrieval).map_or("", |url| &url[..path(url)]);
        let below = folder.strip_prefix(&**root).unwrap_or_default();
        let above = images.strip_suffix(below).filter(|above| above.ends_with('/')).unwrap_or(images);
        roots.insert(0, Root::of(above, settings.standard, [&**images]));
    }
    roots
}

/// Returns the URL that images have in place of the retrieval URL.
pub(crate) fn images_url(retrieval: Option<&str>, settings: &Settings) -> Option<String> {
    let images = settings.images_url.as_ref()?;
    let below = settings.images_of.as_ref().map_or(Some(""), |of| retrieval?.strip_prefix(&**of))?;
    Some(format!("{images}{below}"))
}

/// Returns the root of a reference at a base, or without any.
pub(crate) fn root_of<'r>(
    roots: &'r [Root],
    base: Option<&str>,
    reference: &str,
    standard: Standard,
) -> Option<&'r Root> {
    let fits = |root: &&Root| base.is_some_and(|base| server(base).is_some_and(|base| root.servers.contains(&base)));
    let root = if base.is_some() { roots.iter().find(fits) } else { roots.last() };
    root.filter(|_| begins_with_one_slash(reference, standard))
}

fn begins_with_one_slash(reference: &str, standard: Standard) -> bool {
    let text = if standard == Standard::Whatwg { stripped(reference) } else { reference.into() };
    let mut characters = text.chars();
    let is_slash = |character| character == '/' || (character == '\\' && standard == Standard::Whatwg);
    characters.next().is_some_and(is_slash) && !characters.next().is_some_and(|next| matches!(next, '/' | '\\'))
}

/// Resolves a reference that begins with one slash below a root.
pub(crate) fn below(standard: Standard, root: &str, reference: &str, encoding: &'static Encoding) -> Option<String> {
    if standard == Standard::Whatwg {
        let root = joined(None, root, UTF_8)?;
        let at_server = joined(Some(&root), reference, encoding)?;
        return target(standard, root.as_str(), &format!(".{}", &at_server[Position::BeforePath..]));
    }
    let at_server = target(standard, root, reference)?;
    let path = at_server.split_once("://").and_then(|(_, rest)| Some(&rest[rest.find("/")? + 1..]))?;
    Some(format!("{root}{}", path.trim_start_matches("../")))
}
