//! Extended attributes that contain the URL a file was retrieved from. Copying a file may lose them.

use std::fs;
use std::path::Path;

use absolve_rewriter::internal::{Discover, Discovery, Retrieval, UrlSource, is_page_url};

use crate::discover::property_list::first_text;
use crate::limits::ZONE_BYTES;

/// Returns the URLs in the extended attributes of a file and in its `Zone.Identifier`, if `discovery` includes these.
pub(crate) fn retrievals_of(file: Option<&Path>, discovery: &Discovery) -> Vec<Retrieval> {
    let Some(file) = file.filter(|_| discovery.discover == Discover::Attributes) else { return Vec::new() };
    let origin = attribute(file, "user.xdg.origin.url").and_then(|value| String::from_utf8(value).ok());
    let by_curl = attribute(file, "user.creator").is_some_and(|creator| creator == b"curl");
    let origin_source = if by_curl { UrlSource::RequestedUrl } else { UrlSource::OriginUrl };
    // Programs that copy files from macOS prefix the name with `user.`.
    let where_froms = ["com.apple.metadata:kMDItemWhereFroms", "user.com.apple.metadata:kMDItemWhereFroms"];
    // The first string is the URL of the file, the second that of the referring page.
    let where_from = where_froms.iter().find_map(|name| first_text(&attribute(file, name)?));
    let candidates =
        [(origin_source, origin), (UrlSource::WhereFroms, where_from), (UrlSource::ZoneIdentifier, host_url(file))];
    let retrieval = |(source, url): (UrlSource, Option<String>)| {
        let url = url?.trim_matches(['\0', ' ', '\n', '\r']).to_owned();
        is_page_url(&url).then_some(Retrieval { source, url })
    };
    candidates.into_iter().filter_map(retrieval).collect()
}

fn attribute(file: &Path, name: &str) -> Option<Vec<u8>> {
    xattr::get(file, name).ok().flatten()
}

/// Returns the `HostUrl` of the NTFS stream `Zone.Identifier`, which is a separate file on other file systems.
fn host_url(file: &Path) -> Option<String> {
    let mut name = file.file_name()?.to_owned();
    name.push(":Zone.Identifier");
    let beside = file.with_file_name(name);
    // Reading a FIFO might never end.
    let is_readable = fs::symlink_metadata(&beside).is_ok_and(|found| found.is_file() && found.len() <= ZONE_BYTES);
    let text = is_readable.then(|| fs::read(&beside).ok()).flatten()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    text.lines().find_map(|line| line.trim().strip_prefix("HostUrl=").map(str::to_owned))
}
