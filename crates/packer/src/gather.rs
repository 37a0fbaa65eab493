//! What a document loads from its folder, and what that loads itself.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_base::establish;
use absolve_links::{Document, DocumentType};
use absolve_rewriter::{
    Code, Counts, Entity, Finding, ListedLink, Listing, Options, Pin, Report, Status, links_of, rewrite, url_below,
};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::loads::{is_base, loads};
use crate::place::{Place, place_of};
use crate::tree::Unavailable;
use crate::{Embed, Format, PackError, Request, Tree};

/// The root of a folder whose URL nobody knows, to find files by the links to them. It is never written.
const FOLDER: &str = "http://folder.invalid/";

/// A file within the message.
#[derive(Debug)]
pub(crate) struct Resource {
    /// Below the folder.
    pub(crate) path: PathBuf,
    /// Its URL without a fragment, in ASCII, if it is known.
    pub(crate) location: Option<String>,
    pub(crate) content_id: String,
    pub(crate) media_type: &'static str,
    /// The name of its charset, if it is a text that needs one.
    pub(crate) charset: Option<&'static str>,
    pub(crate) bytes: Vec<u8>,
    /// Whether those are not the ones of the file.
    is_changed: bool,
    /// How many links lead to it.
    pub(crate) links: usize,
}

/// The files that were found so far.
#[derive(Debug)]
pub(crate) struct Gathering<'g> {
    tree: &'g Tree,
    request: &'g Request,
    /// With the table of what is loaded.
    loading: Options,
    /// The same for all files of a message, and for no other message.
    seed: Sha256,
    /// What was looked for: the index of the resource, if it is one.
    known: HashMap<String, Option<usize>>,
    /// Bytes that the message may still have.
    room: u64,
    /// Links that tell the digest of what they lead to, with the document they stand in.
    pins: Vec<(PathBuf, Pin)>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) counts: Counts,
    pub(crate) findings: Vec<(PathBuf, Finding)>,
}

/// A link to something that is loaded.
#[derive(Debug)]
struct Load {
    link: ListedLink,
    place: Place,
    /// Behind the path of the file, with its `#`.
    fragment: String,
}

/// A file that is to be embedded.
#[derive(Debug)]
struct FoundFile {
    path: PathBuf,
    media_type: &'static str,
    bytes: Vec<u8>,
}

impl<'g> Gathering<'g> {
    pub(crate) fn new(page: &Entity<'_>, tree: &'g Tree, request: &'g Request) -> Self {
        let mut loading = request.options.clone();
        loading.table = loads(&loading.table);
        Self {
            tree,
            request,
            loading,
            seed: Sha256::new_with_prefix(page.bytes),
            known: HashMap::new(),
            room: request.max_bytes,
            pins: Vec::new(),
            resources: Vec::new(),
            counts: Counts::default(),
            findings: Vec::new(),
        }
    }

    /// The bytes of a document with its links made absolute, or leading to parts of the message. What it loads is among
    /// the resources then.
    pub(crate) fn rewritten(&mut self, document: &Entity<'_>, path: &Path) -> Result<Vec<u8>, PackError> {
        self.spend(document.bytes.len() as u64, path)?;
        let targets = match self.request.embed {
            Embed::None => HashMap::new(),
            Embed::All | Embed::Images => self.targets(document, path)?,
        };
        let to_parts = targets.len() as u64;
        let (mut report, mut bytes) = (Report::default(), Vec::new());
        rewrite(&document.clone().with_targets(targets), &self.request.options, &mut report, &mut bytes);
        report.counts.rewritten = report.counts.rewritten.saturating_sub(to_parts);
        self.counts += report.counts;
        self.findings.extend(report.findings.into_iter().map(|finding| (path.to_owned(), finding)));
        self.pins.extend(report.pins.into_iter().map(|pin| (path.to_owned(), pin)));
        Ok(bytes)
    }

    /// Rewrites the resources that have links of their own, and finds those that they load.
    pub(crate) fn finish_resources(&mut self) -> Result<(), PackError> {
        let mut next = 0;
        while let Some(Resource { path, location, media_type, bytes, .. }) = self.resources.get_mut(next) {
            if let Some(document_type) = DocumentType::of_media_type(media_type) {
                let (path, bytes) = (path.clone(), std::mem::take(bytes));
                let entity = Entity::bare_file(&bytes, document_type);
                let entity = match location {
                    Some(url) => entity.retrieved_from(url, "Content-Location"),
                    None => entity,
                };
                let rewritten = self.rewritten(&entity, &path)?;
                self.resources[next].is_changed = rewritten != bytes;
                self.resources[next].bytes = rewritten;
            }
            next += 1;
        }
        self.tell_pins();
        Ok(())
    }

    /// Tells which files change although a link allows them by their digest only.
    fn tell_pins(&mut self) {
        for (path, Pin { byte, url }) in &self.pins {
            let is_pinned = |resource: &&Resource| {
                let id = url.strip_prefix("cid:");
                resource.location.as_ref() == Some(url) || id == Some(&*resource.content_id)
            };
            if let Some(changed) = self.resources.iter().filter(is_pinned).find(|resource| resource.is_changed) {
                let message = format!("the link pins the bytes of {}, which change", changed.path.display());
                self.findings.push((path.clone(), Finding::new(Code::Integrity, message).at(*byte)));
            }
        }
    }

    /// What the links become that lead to parts of the message, by their first bytes.
    fn targets(&mut self, document: &Entity<'_>, path: &Path) -> Result<HashMap<usize, String>, PackError> {
        let mut targets = HashMap::new();
        for load in self.loads_of(document, path) {
            let Some(index) = self.resource(&load, path)? else { continue };
            let resource = &mut self.resources[index];
            resource.links += 1;
            // A browser finds the part by what the link means anyway.
            if self.request.format == Format::Eml || resource.location.is_none() {
                targets.insert(load.link.start, format!("cid:{}{}", resource.content_id, load.fragment));
            }
        }
        Ok(targets)
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
        self.findings.extend(findings.into_iter().filter(is_cut_off).map(|finding| (path.to_owned(), finding)));
        let links_in_folder = links_of(&in_folder, &in_folder.parts[0], &self.loading).links;
        let load = |(link, link_in_folder): (ListedLink, ListedLink)| {
            let (target, from) = match &url {
                Some(url) => (&link.target, url),
                None => (&link_in_folder.target, &here),
            };
            let is_load = !is_base(&link) && !matches!(link.status, Status::SameDocument | Status::Kept);
            let target = target.as_ref().filter(|_| is_load)?;
            let fragment = target.find('#').map_or("", |hash| &target[hash..]).to_owned();
            Some(Load { place: place_of(target, path, from), fragment, link })
        };
        links.into_iter().zip(links_in_folder).filter_map(load).collect()
    }

    /// The index of the resource that a link loads, if the message holds it.
    fn resource(&mut self, load: &Load, path: &Path) -> Result<Option<usize>, PackError> {
        let location = load.link.target.as_deref().and_then(location);
        let paths = match &load.place {
            Place::Elsewhere => return Ok(None),
            Place::Outside => &[][..],
            Place::Within(paths) => paths,
        };
        let key = location.clone().unwrap_or_else(|| format!("{paths:?} {}", load.link.reference));
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let found = self.find(load, paths, path)?.map(|FoundFile { path, media_type, bytes }| {
            let charset = charset_of(media_type, &bytes);
            let content_id = content_id(&self.seed, &key);
            self.resources.push(Resource {
                path,
                location,
                content_id,
                media_type,
                charset,
                bytes,
                is_changed: false,
                links: 0,
            });
            self.resources.len() - 1
        });
        self.known.insert(key, found);
        Ok(found)
    }

    /// The path, the type and the bytes of the file that a link loads, if it is to be embedded.
    fn find(&mut self, load: &Load, paths: &[PathBuf], path: &Path) -> Result<Option<FoundFile>, PackError> {
        // The last one has no query behind its name.
        let media_type = paths.last().and_then(|path| mime_guess::from_path(path).first_raw());
        let is_wanted = media_type.is_none_or(|media_type| match kind_of(media_type) {
            Some(Kind::Image) => true,
            Some(Kind::StyleOrFont) => self.request.embed == Embed::All,
            None => true,
        });
        if !is_wanted {
            return Ok(None);
        }
        let read = match load.place {
            Place::Within(_) => self.tree.read(paths, self.room),
            _ => Err(Unavailable::Outside),
        };
        let (code, why) = match (read, media_type.filter(|media_type| kind_of(media_type).is_some())) {
            (Ok((found, bytes)), Some(media_type)) => {
                self.spend(encoded_bytes(bytes.len()), &found)?;
                return Ok(Some(FoundFile { path: found, media_type, bytes }));
            }
            (Ok(_), None) => (Code::ResourceType, "is no image, style or font by its name".to_owned()),
            (Err(Unavailable::Missing), _) => (Code::ResourceMissing, "is no file of the folder".to_owned()),
            (Err(Unavailable::Outside), _) => (Code::ResourceOutside, "leads out of the folder".to_owned()),
            (Err(Unavailable::Unreadable(error)), _) => (Code::ResourceUnreadable, format!("cannot be read: {error}")),
            (Err(Unavailable::TooLong(bytes)), _) => {
                let so_far = self.request.max_bytes - self.room;
                let (bytes, limit) = (so_far + encoded_bytes(bytes as usize), self.request.max_bytes);
                return Err(PackError::TooLong { bytes, limit, path: paths.last().cloned() });
            }
        };
        let left = if load.link.target.is_some() { "absolute" } else { "as it is" };
        let message = format!("{} {why}; the link is left {left}", load.link.reference.trim());
        self.findings.push((path.to_owned(), Finding::new(code, message).at(load.link.start)));
        Ok(None)
    }

    /// Takes bytes off what the message may have.
    fn spend(&mut self, bytes: u64, path: &Path) -> Result<(), PackError> {
        let limit = self.request.max_bytes;
        self.room = self.room.checked_sub(bytes).ok_or_else(|| {
            let path = Some(path.to_owned());
            PackError::TooLong { bytes: limit - self.room + bytes, limit, path }
        })?;
        Ok(())
    }
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

/// A target as it stands in a header field: without its fragment, and only if it is ASCII.
pub(crate) fn location(target: &str) -> Option<String> {
    let location = &target[..target.find('#').unwrap_or(target.len())];
    location.bytes().all(|byte| byte.is_ascii_graphic()).then(|| location.to_owned())
}

/// The same in every run, so that the same input makes the same message.
fn content_id(seed: &Sha256, key: &str) -> String {
    let digest = seed.clone().chain_update(key).finalize();
    format!("{}@absolve.invalid", &HEXLOWER.encode(&digest)[..32])
}

/// The charset of a text that is not ASCII.
fn charset_of(media_type: &str, bytes: &[u8]) -> Option<&'static str> {
    let document_type = DocumentType::of_media_type(media_type)?;
    (!bytes.is_ascii()).then(|| Document::new(bytes, document_type).encoding().name())
}

/// About as many as a file takes in base64.
const fn encoded_bytes(bytes: usize) -> u64 {
    bytes as u64 * 4 / 3
}
