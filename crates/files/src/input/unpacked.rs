//! Unpacked sites: the list of their files has the URL of each link between them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use absolve_base::Rules;
use absolve_framing::bundle::{normal, os_path};
use absolve_rewriter::internal::{LocalCopies, decode_percent, slashed};

/// The URLs of the files of an unpacked site, by their paths. Links to URLs that redirect have queries behind the path.
#[derive(Debug, Default)]
pub(crate) struct UnpackedSite {
    urls: HashMap<String, String>,
    /// The paths without queries, by URL.
    paths: HashMap<String, String>,
}

/// An unpacked site as one of its files sees it, by the path of that.
#[derive(Clone, Debug)]
pub(crate) struct UnpackedFile {
    pub(crate) site: Arc<UnpackedSite>,
    path: String,
}

impl UnpackedSite {
    pub(crate) fn new(urls: &HashMap<String, String>) -> Self {
        let paths = urls.iter().filter(|(path, _)| !path.contains('?'));
        let paths = paths.map(|(path, url)| (url.clone(), path.clone())).collect();
        Self { urls: urls.clone(), paths }
    }

    /// Returns the file that was retrieved from a URL.
    pub(crate) fn file(self: &Arc<Self>, url: &str) -> Option<UnpackedFile> {
        Some(UnpackedFile { site: self.clone(), path: self.paths.get(url)?.clone() })
    }
}

impl UnpackedFile {
    fn url(&self, reference: &str) -> Option<&String> {
        let (path, query) = reference.find('?').map_or((reference, ""), |mark| reference.split_at(mark));
        let folder = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        let path = slashed(&normal(&folder.join(os_path(&decode_percent(path)))))?;
        self.site.urls.get(&format!("{path}{query}"))
    }
}

impl LocalCopies for UnpackedFile {
    fn contains(&self, path: &str) -> bool {
        self.url(path).is_some()
    }

    fn url_of(&self, path: &str, _: Rules) -> Option<String> {
        self.url(path).cloned()
    }
}
