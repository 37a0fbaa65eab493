//! What the messages of findings are made of, where a program may word them itself.

use absolve_base::{Retrieval, UrlSource};

/// What the message of a finding was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// The placeholder that it is about, so that findings about the same one can be reported together.
    Placeholder(KeptPlaceholder),
    /// The retrieval URLs that it is about.
    Conflict(Conflict),
    /// What a user can do about it.
    Remedy(Remedy),
}

/// A placeholder that was kept, and how many references begin with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPlaceholder {
    /// The placeholder, shortened if it is long.
    pub text: String,
    /// How many references begin with it.
    pub references: u64,
}

impl KeptPlaceholder {
    /// Returns the message about references in this number of documents.
    ///
    /// ```
    /// let placeholder = absolve_rewriter::results::KeptPlaceholder { text: "{{x}}".to_owned(), references: 3 };
    /// assert_eq!(placeholder.message(1), "{{x}} stays for the mail service to replace (3 references)");
    /// ```
    pub fn message(&self, documents: u64) -> String {
        let Self { text, references } = self;
        let plural = if *references == 1 { "" } else { "s" };
        let places = if documents > 1 { format!(" in {documents} documents") } else { String::new() };
        format!("{text} stays for the mail service to replace ({references} reference{plural}{places})")
    }
}

/// Two retrieval URLs of one document with different folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The one that counts.
    pub used: Retrieval,
    /// The other one.
    pub other: Retrieval,
}

impl Conflict {
    /// Returns the message, with these names of the sources.
    ///
    /// ```
    /// use absolve_rewriter::internal::{Retrieval, UrlSource};
    /// use absolve_rewriter::results::Conflict;
    /// let [used, other] = [UrlSource::Url, UrlSource::Monolith].map(|source| Retrieval { source, url: "http://h/".to_owned() });
    /// let message = Conflict { used, other }.message(UrlSource::name);
    /// assert_eq!(message, "the given URL declares the URL http://h/, the mark of monolith http://h/; the given URL counts");
    /// ```
    pub fn message(&self, name: impl Fn(UrlSource) -> &'static str) -> String {
        let Self { used, other } = self;
        let (one, another) = (name(used.source), name(other.source));
        format!("{one} declares the URL {}, {another} {}; {one} counts", used.url, other.url)
    }
}

/// What a user can do about a finding. Each program has its own options for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Name the type of the file.
    NameType,
    /// Name this place of references, without its grammar.
    NamePlace(String),
    /// Change records whose digests are wrong.
    IgnoreDigests,
    /// Name the scheme of URLs without one.
    NameScheme,
    /// Give a base to messages that declare none.
    GiveMessageUrl,
    /// Give this URL, if it is that of the files.
    GiveUrl(String),
    /// Give the URL of the folder of one host.
    GiveUrlOfHost,
    /// Give the log of wget.
    GiveLog,
    /// Read links as they are written, although a program seems to have converted them.
    ReadAsWritten,
    /// Read links as wget has converted them.
    ReadAsConverted,
    /// Write the documents that symbolic links lead to as files of their own.
    CopySymlinks,
    /// Unpack the archive first, and then do this.
    UnpackAndCopySymlinks,
}
