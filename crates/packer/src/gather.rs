//! The files that a document loads from its folder, and those that they load themselves.

mod choice;
mod loads;
mod place;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_base::establish;
use absolve_links::{DocumentType, holds_placeholder};
use absolve_rewriter::internal::{Entity, Retrieval, declares_base, links_of, url_below};
use absolve_rewriter::results::Position;
use absolve_rewriter::{Code, Finding, ListedLink, Listing, Options, Status};

use crate::error::PackError;
use crate::gather::choice::{Choice, choices};
use crate::gather::loads::loads;
use crate::gather::place::{FolderPlace, place_of};
use crate::request::{Embed, Format, Request};
use crate::resource::{EmbeddedLink, Resource};
use crate::tree::{Tree, Unavailable};

/// The URL of a folder without one, to find files by their links. It is never written.
pub(crate) const FOLDER: &str = "http://folder.invalid/the-folder-of-the-document/";

/// The files to embed, and the links to them.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// The links of the document.
    pub(crate) embedded_links: Vec<EmbeddedLink>,
    pub(crate) files: Vec<Resource>,
    /// Findings on files that cannot be embedded, with the path of the file that links to them.
    pub(crate) findings: Vec<(PathBuf, Finding)>,
    /// The relative links of images that lose to an embedded one of the same image.
    pub(crate) candidates: u64,
}

/// Finds the files that the document at `path` loads.
///
/// # Errors
///
/// If the message would be too long.
pub(crate) fn gather(page: &Entity<'_>, path: &Path, tree: &Tree, request: &Request) -> Result<Gathered, PackError> {
    let mut loading = request.options.clone();
    loading.table = loads(&loading.table);
    let gathered = Gathered::default();
    let mut gathering = Gathering {
        tree,
        request,
        loading,
        known: HashMap::new(),
        by_path: HashMap::new(),
        room: request.max_bytes,
        gathered,
    };
    gathering.spend(page.bytes.len() as u64, path)?;
    if request.embed == Embed::None {
        return Ok(gathering.gathered);
    }
    gathering.gathered.embedded_links = gathering.embedded_links(page, path)?;
    let mut next = 0;
    while let Some(file) = gathering.gathered.files.get_mut(next) {
        let file = std::mem::take(file);
        let looked = tree.look(&file, &mut |document| {
            Ok((gathering.embedded_links(document, &file.path)?, leaves_links(document, request)))
        });
        let (embedded_links, leaves_links) = looked.unwrap_or(Ok((Vec::new(), false)))?;
        // Relative links would resolve to other targets there.
        let location = file.location.filter(|_| !leaves_links);
        gathering.gathered.files[next] = Resource { path: file.path, location, leaves_links, embedded_links, ..file };
        next += 1;
    }
    Ok(gathering.gathered)
}

/// Returns whether a saved document has links whose original targets are not known.
pub(crate) fn leaves_links(document: &Entity<'_>, request: &Request) -> bool {
    let is_left = |link: &ListedLink| matches!(link.status, Status::Unresolved(_));
    document.is_saved() && links_of(document, &document.parts[0], &request.options).links.iter().any(is_left)
}

/// Returns a target for a header field: without its fragment, and only if it is ASCII.
pub(crate) fn location(target: &str) -> Option<String> {
    let location = &target[..target.find('#').unwrap_or(target.len())];
    location.bytes().all(|byte| byte.is_ascii_graphic()).then(|| location.to_owned())
}

struct Gathering<'g> {
    tree: &'g Tree,
    request: &'g Request,
    /// With the table of places that load files.
    loading: Options,
    /// Targets that were looked up, with the index of the file if it is embedded.
    known: HashMap<String, Option<usize>>,
    /// The files by path, where one file with several URLs is embedded once.
    by_path: HashMap<PathBuf, usize>,
    /// The remaining bytes of the message.
    room: u64,
    gathered: Gathered,
}

/// A link to a loaded file.
#[derive(Debug)]
struct ResourceLink {
    link: ListedLink,
    place: FolderPlace,
    fragment: String,
}

impl Gathering<'_> {
    fn embedded_links(&mut self, document: &Entity<'_>, path: &Path) -> Result<Vec<EmbeddedLink>, PackError> {
        let mut embedded_links = Vec::new();
        for Choice { links, start, candidates } in self.choices(document, path) {
            for link in links {
                if let Some(file) = self.file(&link, path)? {
                    let start = start.unwrap_or(link.link.start);
                    embedded_links.push(EmbeddedLink { start, fragment: link.fragment, file });
                    self.gathered.candidates += candidates;
                    break;
                }
            }
        }
        // Images of one element may change places.
        embedded_links.sort_by_key(|link| link.start);
        Ok(embedded_links)
    }

    /// Returns the links of a document to the files that it loads: of an image for mail programs, those from which one is
    /// taken.
    fn choices(&mut self, document: &Entity<'_>, path: &Path) -> Vec<Choice> {
        let links = self.resource_links(document, path);
        match self.request.format {
            Format::Eml => choices(links, &document.document(&document.parts[0]), &self.loading.table),
            Format::Mhtml => links.into_iter().map(Choice::of).collect(),
        }
    }

    /// Returns the links of a document to the files that it loads. If its URL is not known, or its links lead to local
    /// copies, they are resolved from file to file.
    fn resource_links(&mut self, document: &Entity<'_>, path: &Path) -> Vec<ResourceLink> {
        let part = &document.parts[0];
        let url = establish(part.declarations(), self.loading.rules).url.filter(|_| !document.is_saved());
        let url = url.map(|url| url.to_string());
        let here = url_below(FOLDER, path);
        let in_folder = Entity::bare_file(document.bytes, part.document_type).retrieved_from(Retrieval::given(&here));
        let Listing { links, findings, .. } = links_of(document, part, &self.loading);
        let listing_in_folder = links_of(&in_folder, &in_folder.parts[0], &self.loading);
        let is_cut_off = |finding: &Finding| finding.code == Code::OutputTooLarge;
        let cut_off = findings.into_iter().chain(listing_in_folder.findings).filter(is_cut_off);
        self.gathered.findings.extend(cut_off.map(|finding| (path.to_owned(), finding)));
        let resource_link = |(link, link_in_folder): (ListedLink, ListedLink)| {
            let (target, from) = match &url {
                Some(url) => (&link.target, url),
                None => (&link_in_folder.target, &here),
            };
            let is_kept = matches!(link.status, Status::SameDocument | Status::Kept);
            // A placeholder is replaced when the message is sent.
            let is_unknown = holds_placeholder(&link.reference);
            // No program rewrites such references to local copies.
            let is_elsewhere = document.is_saved() && link.reference.trim_start().starts_with(['/', '\\']);
            let is_base = declares_base(&link.element, &link.attribute);
            let target = target.as_ref().filter(|_| !is_kept && !is_unknown && !is_elsewhere && !is_base);
            let fragment = target.and_then(|target| Some(target[target.find('#')?..].to_owned())).unwrap_or_default();
            ResourceLink {
                place: target.map_or(FolderPlace::Unknown, |target| place_of(target, path, from)),
                fragment,
                link,
            }
        };
        links.into_iter().zip(listing_in_folder.links).map(resource_link).collect()
    }

    /// Returns the index of the file that a link loads, if it is embedded.
    fn file(&mut self, link: &ResourceLink, path: &Path) -> Result<Option<usize>, PackError> {
        let location = link.link.target.as_deref().and_then(location);
        let paths = match &link.place {
            FolderPlace::Elsewhere | FolderPlace::Unknown => return Ok(None),
            FolderPlace::Outside => &[][..],
            FolderPlace::Within(paths) => paths,
        };
        let key = match (&location, &link.place) {
            (Some(location), _) => location.clone(),
            (None, FolderPlace::Within(paths)) if !paths.is_empty() => format!("{paths:?}"),
            (None, _) => link.link.reference.clone(),
        };
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let file = match self.find(link, paths, path)? {
            None => None,
            Some((path, ..)) if self.by_path.contains_key(&path) => self.by_path.get(&path).copied(),
            Some((path, bytes, media_type)) => {
                self.spend(bytes.len() as u64, &path)?;
                // A browser looks for each URL, and the links of a document resolve against its own.
                let is_document = DocumentType::of_media_type(media_type).is_some();
                if location.is_none() || (self.request.format == Format::Eml && !is_document) {
                    self.by_path.insert(path.clone(), self.gathered.files.len());
                }
                self.gathered.files.push(Resource { path, location, media_type, bytes, ..Resource::default() });
                Some(self.gathered.files.len() - 1)
            }
        };
        self.known.insert(key, file);
        Ok(file)
    }

    /// Returns the path, bytes and type of the file that a link loads, if it is to be embedded. The last of `paths` has
    /// no query after its name.
    fn find(&mut self, link: &ResourceLink, paths: &[PathBuf], path: &Path) -> Result<Option<Found>, PackError> {
        let media_type = paths.last().and_then(|path| media_type_of(path));
        let kind = media_type.and_then(kind_of);
        if kind == Some(ResourceKind::StyleOrFont) && self.request.embed == Embed::Images {
            return Ok(None);
        }
        let read = match link.place {
            // Other files are not read.
            FolderPlace::Within(_) => self.tree.read(paths, if kind.is_some() { self.room } else { 0 }),
            _ => Err(Unavailable::Outside),
        };
        let (code, why) = match (read, media_type.filter(|_| kind.is_some())) {
            (Ok((found, bytes)), Some(media_type)) => return Ok(Some((found, bytes, media_type))),
            (Ok(_) | Err(Unavailable::TooLong(_)), None) => {
                (Code::ResourceType, "is no image, style or font by its name".to_owned())
            }
            (Err(Unavailable::Missing), _) => (Code::ResourceMissing, "is no file of the folder".to_owned()),
            (Err(Unavailable::Outside), _) => (Code::ResourceOutside, "leads out of the folder".to_owned()),
            (Err(Unavailable::Unreadable(error)), _) => (Code::ResourceUnreadable, format!("cannot be read: {error}")),
            (Err(Unavailable::TooLong(bytes)), Some(_)) => {
                let path = paths.last().map_or(path, PathBuf::as_path);
                return self.spend(bytes, path).map(|()| None);
            }
        };
        let left = if link.link.target.is_some() { "absolute" } else { "unchanged" };
        let message = format!("{} {why}; the link is left {left}", link.link.reference.trim());
        let position = Some(Position { line: link.link.line, column: link.link.column });
        let finding = Finding { position, ..Finding::new(code, message).at(link.link.start) };
        self.gathered.findings.push((path.to_owned(), finding));
        Ok(None)
    }

    /// Subtracts bytes from the budget of the message.
    fn spend(&mut self, bytes: u64, path: &Path) -> Result<(), PackError> {
        let limit = self.request.max_bytes;
        self.room = self.room.checked_sub(bytes).ok_or_else(|| {
            let path = Some(path.to_owned());
            PackError::TooLong { bytes: (limit - self.room).saturating_add(bytes), limit, path }
        })?;
        Ok(())
    }
}

type Found = (PathBuf, Vec<u8>, &'static str);

/// Returns the type by the name of a file; mirrors append the query of a URL.
fn media_type_of(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_string_lossy();
    let type_by_name = |name: &str| mime_guess::from_path(name).first_raw();
    type_by_name(&name).or_else(|| type_by_name(name.split('?').next()?))
}

/// The role of a file in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResourceKind {
    Image,
    StyleOrFont,
}

fn kind_of(media_type: &str) -> Option<ResourceKind> {
    const FONTS: [&str; 4] = ["font/", "application/font-", "application/x-font-", "application/vnd.ms-fontobject"];
    if media_type.starts_with("image/") {
        Some(ResourceKind::Image)
    } else if media_type == "text/css" || FONTS.iter().any(|font| media_type.starts_with(font)) {
        Some(ResourceKind::StyleOrFont)
    } else {
        None
    }
}
