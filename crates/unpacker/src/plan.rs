//! From a message to its files.

use absolve_rewriter::internal::{Contents, Entity, Leaf, MESSAGE_BASE};
use absolve_rewriter::results::Done;
use absolve_rewriter::{Finding, Options, Signatures};

use crate::address::{Addresses, urls};
use crate::names::names;
use crate::root::roots;

/// What becomes of each part of a message: which are files, of which names, and which of them is the document.
#[derive(Debug)]
pub struct Plan<'m> {
    pub(crate) contents: Contents<'m>,
    pub(crate) options: Options,
    /// The URL of each leaf.
    pub(crate) urls: Vec<Option<String>>,
    pub(crate) names: Vec<Option<String>>,
    pub(crate) addresses: Addresses,
    pub(crate) root: Option<usize>,
}

/// Plans the files of a message.
///
/// The parts of multiparts and nested messages become files of one folder. Those are named as their header proposes, by
/// their `Content-Location` or their `Content-ID`; the names are safe in any folder, and each is different.
///
/// ```
/// use absolve_rewriter::internal::Entity;
/// use absolve_rewriter::Options;
/// let message = Entity::message(b"Content-Location: http://h/../con.php\nContent-Type: text/html\n\n");
/// assert_eq!(absolve_unpacker::plan(&message, &Options::default()).name(0), Some("_con.php.html"));
/// ```
pub fn plan<'m>(message: &Entity<'m>, options: &Options) -> Plan<'m> {
    let mut contents = Contents::of(message);
    for finding in &mut contents.findings {
        if finding.done == Done::LeftUnchanged {
            finding.done = Done::NotUnpacked;
        }
        finding.position = None;
    }
    let mut options = options.clone();
    // A file has no signature.
    options.signatures = Signatures::Break;
    let (composite_roots, root) = roots(&contents);
    let urls = urls(&contents, &composite_roots, options.rules);
    let names = names(&contents, root, &urls);
    let addresses = Addresses::new(&contents, &composite_roots, options.rules);
    Plan { contents, options, urls, names, addresses, root }
}

impl Plan<'_> {
    /// Returns the index of the document that readers of the message show; `None` if the message has no leaf.
    ///
    /// It is the root of a multipart/related, the last page of a multipart/alternative, the first page of others; without
    /// a page, the first leaf.
    pub fn root(&self) -> Option<usize> {
        self.root.filter(|root| self.names[*root].is_some())
    }

    /// Returns the leaves of the message, in its order.
    pub fn leaves(&self) -> &[Leaf] {
        &self.contents.leaves
    }

    /// Returns the name of a file; `None` if its leaf cannot be decoded.
    pub fn name(&self, leaf: usize) -> Option<&str> {
        self.names[leaf].as_deref()
    }

    /// Returns the URL of a leaf by its `Content-Location`, if that has a base and its charset is known.
    pub fn location(&self, leaf: usize) -> Option<&str> {
        let url = self.urls[leaf].as_deref().filter(|url| !url.starts_with(MESSAGE_BASE));
        url.filter(|_| self.contents.has_known_charset(leaf))
    }

    /// Returns whether the message ends before the closing delimiter of a multipart, which a finding reports: its last part may
    /// be incomplete.
    pub fn is_cut_off(&self) -> bool {
        self.contents.is_cut_off
    }

    /// Returns which parts of the message were left unread, with the reasons.
    pub fn findings(&self) -> &[Finding] {
        &self.contents.findings
    }
}
