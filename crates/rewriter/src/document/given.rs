//! Bases that the user gives for some references: for those that begin with one slash, and for embedded images.

use absolve_base::{Base, Declaration, Declared, Layer, Verdict, establish};
use absolve_resolver::{BaseUrl, Standard, strip};
use url::{Origin, Url};

use crate::document::placeholder_resolution::resolve_around;
use crate::entity::part::Part;
use crate::options::given_bases::FolderUrl;
use crate::options::{Options, Purpose};
use crate::report::Cause;

/// Where the user gives them.
const PLACE: &str = "the options";

/// The URL below which references that begin with one slash resolve, if their base has one of these servers.
#[derive(Debug)]
pub(crate) struct Root {
    base: Base,
    servers: Vec<Origin>,
}

/// Returns the roots of references in a part, if the user gives one: the first that fits applies, and the last one without a base. That of
/// images, if they have a URL, is to it what the other is to the retrieval URL.
pub(crate) fn roots(part: &Part, images: Option<&FolderUrl>, options: &Options) -> Vec<Root> {
    let retrieval = part.retrieval_url();
    let root = |root: &FolderUrl, urls: [Option<&str>; 2]| Root {
        base: establish(vec![Declaration::new(Layer::Root, root.as_str(), PLACE)], options.rules),
        servers: urls.into_iter().flatten().filter_map(server).collect(),
    };
    let Some(own) = &options.root else { return Vec::new() };
    let folder = options.images_of.as_ref().map(FolderUrl::as_str).or(retrieval).map_or("", folder);
    let below = folder.strip_prefix(own.as_str()).unwrap_or_default();
    let of_images = images.map(|images| root(&images.above(below), [Some(images.as_str()), None]));
    of_images.into_iter().chain([root(own, [Some(own.as_str()), retrieval])]).collect()
}

/// Returns a URL up to the last slash of its path.
fn folder(url: &str) -> &str {
    let path = &url[..url.find(['?', '#']).unwrap_or(url.len())];
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

fn server(url: &str) -> Option<Origin> {
    Url::parse(url).ok().map(|url| url.origin()).filter(Origin::is_tuple)
}

/// Returns the root of a reference, if that begins with one slash, and its base is not declared to be on another server.
pub(crate) fn root_of<'r>(roots: &'r [Root], base: &Base, reference: &str, standard: Standard) -> Option<&'r Base> {
    let last = roots.last()?;
    let reference = if standard == Standard::Whatwg { strip(reference) } else { reference.into() };
    let is_slash = |character: char| character == '/' || (character == '\\' && standard == Standard::Whatwg);
    reference.strip_prefix(is_slash).filter(|rest| !rest.starts_with(['/', '\\']))?;
    let root = match &base.url {
        Some(url) => server(url.as_str()).and_then(|server| roots.iter().find(|root| root.servers.contains(&server))),
        None => Some(last),
    };
    root.map(|root| &root.base)
}

/// Resolves a reference that begins with one slash below a root.
pub(crate) fn resolve_below(
    root: &BaseUrl,
    reference: &str,
    purpose: Purpose,
    target: &mut String,
) -> Result<(), Cause> {
    let path = root.components().path;
    let end = root.as_str().len() - path.len() + 1;
    let server = BaseUrl::parse(&root.as_str()[..end], root.standard()).map_err(|_| Cause::NoTarget)?;
    resolve_around(&server, reference, purpose, target)?;
    let below = target.get(end..).unwrap_or_default();
    // Some standards keep what leads above the root of a server.
    *target = [root.as_str(), below.trim_start_matches("../")].concat();
    Ok(())
}

/// Returns the declaration of the base of images.
pub(crate) fn declared_for_images(part: &Part, options: &Options) -> Option<Declaration> {
    let images = options.images_url.as_ref()?.as_str();
    let below = match &options.images_of {
        Some(folder) => part.retrieval_url()?.strip_prefix(folder.as_str())?,
        None => "",
    };
    Some(Declaration::new(Layer::Images, [images, below].concat(), PLACE))
}

/// Adds what the user gives for some references to the declarations of the base of a document.
pub(crate) fn declare(base: &mut Base, part: &Part, options: &Options) {
    let root = options.root.as_ref().map(|root| Declaration::new(Layer::Root, root.as_str(), PLACE));
    let roots = roots(part, None, options);
    for declaration in root.into_iter().chain(declared_for_images(part, options)) {
        let layer = declaration.layer;
        let is_used = match layer {
            Layer::Root => root_of(&roots, base, "/", options.rules.standard).is_some(),
            _ => base.layer > layer,
        };
        let verdict = if is_used { Verdict::OfSome(layer) } else { Verdict::Outranked(base.layer) };
        let place = base.declared.partition_point(|other| other.declaration.layer < layer);
        let url = Some(declaration.value.clone());
        base.declared.insert(place, Declared { declaration, url, verdict });
    }
}
