//! What a run is asked to do with each document.

use absolve_base::Rules;
use absolve_links::Table;
use regex::RegexSet;

use crate::provenance::local_files::LocalFiles;

/// How documents are rewritten. The default is what the command does without flags.
///
/// ```
/// use absolve_rewriter::{Options, SameDocument};
/// assert_eq!(Options::default().same_document, SameDocument::Keep);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// What the documents are for.
    pub purpose: Purpose,
    /// The standard of resolution and the profile of precedence.
    pub rules: Rules,
    /// What becomes of empty and fragment-only references.
    pub same_document: SameDocument,
    /// What becomes of the BASE element.
    pub base_element: BaseElement,
    /// The places where references stand.
    pub table: Table,
    /// References that match stay as they are: placeholders that nobody else writes.
    pub keep: RegexSet,
    /// How targets are spelled.
    pub spelling: Spelling,
    /// Files of the input, links to which stay as they are.
    pub local_files: Option<LocalFiles>,
    /// What becomes of the signatures of messages.
    pub signatures: Signatures,
    /// What becomes of references in header fields.
    pub header_fields: HeaderFields,
    /// How much reports tell.
    pub detail: Detail,
}

impl Options {
    /// The same options for documents that are to be mailed: targets in ASCII, no BASE, because readers of mail do not
    /// heed it, and word of links that only their author can follow.
    ///
    /// ```
    /// use absolve_rewriter::{BaseElement, Options, Spelling};
    /// let options = Options::default().for_mail();
    /// assert_eq!((options.spelling, options.base_element), (Spelling::Ascii, BaseElement::Remove));
    /// ```
    #[must_use]
    pub fn for_mail(self) -> Self {
        Self { purpose: Purpose::Mail, spelling: Spelling::Ascii, base_element: BaseElement::Remove, ..self }
    }
}

/// What the documents are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// For anything.
    #[default]
    Any,
    /// They will be mailed: nothing applies to them from outside, and they are read elsewhere. What stands in for a
    /// placeholder is absolute then.
    Mail,
}

/// What becomes of references to the document they stand in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// They stay: they work wherever the document goes.
    #[default]
    Keep,
    /// They are made absolute like the others.
    Absolute,
}

/// What becomes of references in the header fields of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HeaderFields {
    /// They stay; relative ones are listed as kept.
    #[default]
    Keep,
    /// They are made absolute, and with the locations of parts the references to them.
    Absolute,
}

/// What becomes of the BASE element once it is not needed any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BaseElement {
    /// It stays, and is made absolute when it is not.
    #[default]
    Keep,
    /// It loses its `href`.
    Remove,
    /// It is put into a comment.
    Comment,
}

/// How targets are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// In the characters of the base and the reference.
    #[default]
    AsWritten,
    /// In ASCII: what is not, spaces and controls are escaped, but for placeholders.
    Ascii,
}

/// How much reports tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Counts and findings.
    #[default]
    Counts,
    /// Each document, with its base and digests.
    Documents,
}

/// What becomes of the signatures that edits would break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Signatures {
    /// What is signed or encrypted stays; signatures of servers (DKIM, ARC) are broken and told.
    #[default]
    Keep,
    /// All are broken.
    Break,
    /// All are kept, those of servers too.
    KeepAll,
}
