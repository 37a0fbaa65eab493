//! The files that a document loads from its folder, and those that they load themselves.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_base::establish;
use absolve_links::DocumentType;
use absolve_rewriter::{
    Code, Entity, Finding, ListedLink, Listing, Options, Status, holds_placeholder, links_of, url_below,
};

use crate::loads::{is_base, loads};
use crate::place::{Place, place_of};
use crate::tree::Unavailable;
use crate::{Embed, PackError, Request, Tree};

/// A folder whose URL nobody knows, to find files by the links to them. It is never written.
const FOLDER: &str = "http://folder.invalid/the-folder-of-the-document/";

/// A link to a file of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    /// Its first byte in its document.
    pub(crate) start: usize,
    /// What it has behind the path of the file, with its `#`.
    pub(crate) fragment: String,
    /// The index of the file.
    pub(crate) file: usize,
}

/// A file that is to be in the message.
#[derive(Debug)]
pub(crate) struct LoadedFile {
    /// Below the folder.
    pub(crate) path: PathBuf,
    /// Its URL without a fragment, in ASCII, if it is known.
    pub(crate) location: Option<String>,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Its own links to files of the message.
    pub(crate) leads: Vec<Lead>,
}

/// What is to be in a message besides its document.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// The links of the document.
    pub(crate) leads: Vec<Lead>,
    pub(crate) files: Vec<LoadedFile>,
    /// What cannot be there, with the path of the file whose link leads to it.
    pub(crate) findings: Vec<(PathBuf, Finding)>,
}

/// Finds the files that the document at `path` loads.
///
/// # Errors
///
/// When they are too long.
pub(crate) fn gather(page: &Entity<'_>, path: &Path, tree: &Tree, request: &Request) -> Result<Gathered, PackError> {
    let mut loading = request.options.clone();
    loading.table = loads(&loading.table);
    let gathered = Gathered::default();
    let mut gathering = Gathering { tree, request, loading, known: HashMap::new(), room: request.max_bytes, gathered };
    gathering.spend(page.bytes.len() as u64, path)?;
    if request.embed == Embed::None {
        return Ok(gathering.gathered);
    }
    gathering.gathered.leads = gathering.leads(page, path)?;
    let mut next = 0;
    while let Some(file) = gathering.gathered.files.get_mut(next) {
        let (path, bytes) = (file.path.clone(), std::mem::take(&mut file.bytes));
        if let Some(document) = document_of(file.media_type, file.location.as_deref(), &bytes) {
            gathering.gathered.files[next].leads = gathering.leads(&document, &path)?;
        }
        gathering.gathered.files[next].bytes = bytes;
        next += 1;
    }
    Ok(gathering.gathered)
}

/// A file as a document with links, if it is one.
pub(crate) fn document_of<'b>(media_type: &str, location: Option<&str>, bytes: &'b [u8]) -> Option<Entity<'b>> {
    let document = Entity::bare_file(bytes, DocumentType::of_media_type(media_type)?);
    Some(match location {
        Some(url) => document.retrieved_from(url, "Content-Location"),
        None => document,
    })
}

/// A target as it stands in a header field: without its fragment, and only if it is ASCII.
pub(crate) fn location(target: &str) -> Option<String> {
    let location = &target[..target.find('#').unwrap_or(target.len())];
    location.bytes().all(|byte| byte.is_ascii_graphic()).then(|| location.to_owned())
}

struct Gathering<'g> {
    tree: &'g Tree,
    request: &'g Request,
    /// With the table of what is loaded.
    loading: Options,
    /// What was looked for: the index of the file, if it is to be in the message.
    known: HashMap<String, Option<usize>>,
    /// Bytes that the message may still have.
    room: u64,
    gathered: Gathered,
}

/// A link to something that is loaded.
struct Load {
    link: ListedLink,
    place: Place,
    fragment: String,
}

impl Gathering<'_> {
    fn leads(&mut self, document: &Entity<'_>, path: &Path) -> Result<Vec<Lead>, PackError> {
        let mut leads = Vec::new();
        for load in self.loads_of(document, path) {
            if let Some(file) = self.file(&load, path)? {
                leads.push(Lead { start: load.link.start, fragment: load.fragment, file });
            }
        }
        Ok(leads)
    }

    /// The links of a document to what it loads. Where its URL is not known, or a program has made its links lead to
    /// copies, they are read as links from file to file.
    fn loads_of(&mut self, document: &Entity<'_>, path: &Path) -> Vec<Load> {
        let part = &document.parts[0];
        let url = establish(part.declarations(), self.loading.rules).url.filter(|_| !document.is_saved());
        let url = url.map(|url| url.to_string());
        let here = url_below(FOLDER, path);
        let in_folder = Entity::bare_file(document.bytes, part.document_type).retrieved_from(&here, "the folder");
        let Listing { links, findings, .. } = links_of(document, part, &self.loading);
        let is_cut_off = |finding: &Finding| finding.code == Code::OutputTooLarge;
        let cut_off = findings.into_iter().filter(is_cut_off).map(|finding| (path.to_owned(), finding));
        self.gathered.findings.extend(cut_off);
        let links_in_folder = links_of(&in_folder, &in_folder.parts[0], &self.loading).links;
        let load = |(link, link_in_folder): (ListedLink, ListedLink)| {
            let (target, from) = match &url {
                Some(url) => (&link.target, url),
                None => (&link_in_folder.target, &here),
            };
            let is_kept = matches!(link.status, Status::SameDocument | Status::Kept);
            // What a placeholder stands for is known when the message is sent.
            let is_unknown = holds_placeholder(&link.reference);
            // No program makes such references lead to copies.
            let is_elsewhere = document.is_saved() && link.reference.trim_start().starts_with(['/', '\\']);
            let target = target.as_ref().filter(|_| !is_kept && !is_unknown && !is_elsewhere && !is_base(&link))?;
            let fragment = target.find('#').map_or("", |hash| &target[hash..]).to_owned();
            Some(Load { place: place_of(target, path, from), fragment, link })
        };
        links.into_iter().zip(links_in_folder).filter_map(load).collect()
    }

    /// The index of the file that a link loads, if the message is to hold it.
    fn file(&mut self, load: &Load, path: &Path) -> Result<Option<usize>, PackError> {
        let location = load.link.target.as_deref().and_then(location);
        let paths = match &load.place {
            Place::Elsewhere => return Ok(None),
            Place::Outside => &[][..],
            Place::Within(paths) => paths,
        };
        let key = match (&location, &load.place) {
            (Some(location), _) => location.clone(),
            (None, Place::Within(paths)) => format!("{paths:?}"),
            (None, _) => load.link.reference.clone(),
        };
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let found = self.find(load, paths, path)?.map(|(path, bytes, media_type)| {
            self.gathered.files.push(LoadedFile { path, location, media_type, bytes, leads: Vec::new() });
            self.gathered.files.len() - 1
        });
        self.known.insert(key, found);
        Ok(found)
    }

    /// The path, the bytes and the type of the file that a link loads, if it is to be embedded. The last of `paths` has no query
    /// behind its name.
    fn find(&mut self, load: &Load, paths: &[PathBuf], path: &Path) -> Result<Option<Found>, PackError> {
        let media_type = paths.last().and_then(|path| media_type_of(path));
        let kind = media_type.and_then(kind_of);
        if kind == Some(Kind::StyleOrFont) && self.request.embed == Embed::Images {
            return Ok(None);
        }
        let read = match load.place {
            // What is not to be embedded is not read.
            Place::Within(_) => self.tree.read(paths, if kind.is_some() { self.room } else { 0 }),
            _ => Err(Unavailable::Outside),
        };
        let (code, why) = match (read, media_type.filter(|_| kind.is_some())) {
            (Ok((found, bytes)), Some(media_type)) => {
                self.spend(encoded_bytes(bytes.len() as u64), &found)?;
                return Ok(Some((found, bytes, media_type)));
            }
            (Ok(_) | Err(Unavailable::TooLong(_)), None) => {
                (Code::ResourceType, "is no image, style or font by its name".to_owned())
            }
            (Err(Unavailable::Missing), _) => (Code::ResourceMissing, "is no file of the folder".to_owned()),
            (Err(Unavailable::Outside), _) => (Code::ResourceOutside, "leads out of the folder".to_owned()),
            (Err(Unavailable::Unreadable(error)), _) => (Code::ResourceUnreadable, format!("cannot be read: {error}")),
            (Err(Unavailable::TooLong(bytes)), Some(_)) => {
                let path = paths.last().map_or(path, PathBuf::as_path);
                return self.spend(encoded_bytes(bytes), path).map(|()| None);
            }
        };
        let left = if load.link.target.is_some() { "absolute" } else { "as it is" };
        let message = format!("{} {why}; the link is left {left}", load.link.reference.trim());
        self.gathered.findings.push((path.to_owned(), Finding::new(code, message).at(load.link.start)));
        Ok(None)
    }

    /// Takes bytes off what the message may have.
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

/// The type that a name tells; mirrors put the query of a URL behind it.
fn media_type_of(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_string_lossy();
    let name = name.split('?').next().unwrap_or(&name);
    mime_guess::from_path(name).first_raw()
}

/// What a file is to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Image,
    StyleOrFont,
}

fn kind_of(media_type: &str) -> Option<Kind> {
    const FONTS: [&str; 4] = ["font/", "application/font-", "application/x-font-", "application/vnd.ms-fontobject"];
    if media_type.starts_with("image/") {
        Some(Kind::Image)
    } else if media_type == "text/css" || FONTS.iter().any(|font| media_type.starts_with(font)) {
        Some(Kind::StyleOrFont)
    } else {
        None
    }
}

/// About as many as a file takes in base64.
const fn encoded_bytes(bytes: u64) -> u64 {
    bytes.saturating_mul(4) / 3
}
