//! What becomes of links in documents.

/// How references to the document itself are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// They are kept: they work wherever the document is.
    #[default]
    Keep,
    /// They are made absolute like the others.
    Absolute,
}

impl SameDocument {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("keep", Self::Keep), ("absolute", Self::Absolute)];
}

/// How relative links are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RelativeLinks {
    /// They are made absolute.
    #[default]
    Absolute,
    /// They are kept: only absolute ones change, by a map.
    Keep,
}

impl RelativeLinks {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("absolute", Self::Absolute), ("keep", Self::Keep)];
}

/// How the BASE element is handled when no link needs it any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BaseElement {
    /// It is kept, and made absolute if it is relative.
    #[default]
    Keep,
    /// It loses its `href`.
    Remove,
    /// It is put into a comment.
    Comment,
}

impl BaseElement {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 3] =
        [("keep", Self::Keep), ("remove", Self::Remove), ("comment", Self::Comment)];
}

/// How targets are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// In the characters of the base and the reference.
    #[default]
    AsWritten,
    /// In ASCII: other characters, spaces and controls are escaped, except in placeholders.
    Ascii,
}

impl Spelling {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("as-written", Self::AsWritten), ("ascii", Self::Ascii)];
}

/// What references in the content of an item of a feed are resolved against, unless an `xml:base` in the item applies. No
/// standard decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FeedBase {
    /// The base of the feed.
    #[default]
    Feed,
    /// The URL of the item: of its page.
    Item,
}

impl FeedBase {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("feed", Self::Feed), ("item", Self::Item)];

    /// Returns the other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Feed => Self::Item,
            Self::Item => Self::Feed,
        }
    }
}

/// What the documents are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// For anything.
    #[default]
    Any,
    /// Mail: no URL applies to the message, and it is read on another computer. Placeholders count as absolute.
    Mail,
}

impl Purpose {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("any", Self::Any), ("mail", Self::Mail)];
}
