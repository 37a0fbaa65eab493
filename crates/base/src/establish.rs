//! Establishes the base of a document from all declarations.

use std::borrow::Cow;

use absolve_options::Profile;
use absolve_resolver::{BaseUrl, Components, ReferenceKind, Standard, is_no_place, is_portable, strip};

use crate::ascii::ascii_url;
use crate::layer::{Field, Layer};
use crate::source::{Place, Retrieval, UrlSource};

/// A base that one layer declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The layer that declares it.
    pub layer: Layer,
    /// The declared text, decoded.
    pub value: String,
    /// Where it is.
    pub place: Place,
    /// Whether its characters are certain.
    pub charset: Charset,
}

impl Declaration {
    /// Returns a declaration whose characters are certain.
    ///
    /// ```
    /// use absolve_base::{Charset, Declaration, Layer};
    /// assert_eq!(Declaration::new(Layer::Retrieval, "http://h/", "here").charset, Charset::Known);
    /// ```
    pub fn new(layer: Layer, value: impl Into<String>, place: impl Into<Place>) -> Self {
        Self { layer, value: value.into(), place: place.into(), charset: Charset::Known }
    }

    /// Returns the source of a retrieval URL.
    ///
    /// ```
    /// use absolve_base::{Declaration, Layer, UrlSource};
    /// assert_eq!(Declaration::new(Layer::Retrieval, "http://h/", UrlSource::Url).source(), Some(UrlSource::Url));
    /// ```
    pub const fn source(&self) -> Option<UrlSource> {
        match self.place {
            Place::Source(source) => Some(source),
            Place::Text(_) | Place::Field { .. } => None,
        }
    }
}

impl From<Retrieval> for Declaration {
    fn from(Retrieval { source, url }: Retrieval) -> Self {
        Self::new(Layer::Retrieval, url, source)
    }
}

/// Whether the charset of a declared text is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// It is, or the text is ASCII.
    #[default]
    Known,
    /// Its bytes are not UTF-8, and nothing names their charset; the text is a guess.
    Unknown,
}

/// The rules for establishing a base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The standard for resolving relative declarations, and later references.
    pub standard: Standard,
    /// The profile, which decides which declarations count.
    pub profile: Profile,
}

/// The base of a document, and the reasons for it.
#[derive(Clone, Debug)]
pub struct Base {
    /// The base, or `None` if every reference is interpreted as an absolute URL.
    pub url: Option<BaseUrl>,
    /// The layer that declared it, or [`Layer::None`] without a base.
    pub layer: Layer,
    /// All declarations, innermost first, each with its verdict.
    pub declared: Vec<Declared>,
    /// Warnings about the base.
    pub cautions: Vec<Caution>,
}

/// A declaration and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The declaration.
    pub declaration: Declaration,
    /// The absolute URL that it resolves to, if any.
    pub url: Option<String>,
    /// Whether it is used, or why not.
    pub verdict: Verdict,
}

/// Whether a declaration is used, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It is the base.
    Used,
    /// It is the base of the references that its layer is for.
    OfSome(Layer),
    /// The BASE is the base, and this one that of what browsers load before they read it.
    BeforeBase,
    /// An inner layer declares a base as well.
    Outranked(Layer),
    /// It is relative, and no outer layer declares a base for it.
    NoBaseOutwards,
    /// It is relative, and its field must contain an absolute URL.
    NotAbsolute,
    /// It is not a URL.
    Unreadable,
    /// Its bytes are not UTF-8, so that nobody knows its characters.
    UnknownCharset,
    /// Its scheme does not allow relative references: `data:`, `javascript:`.
    UnfitScheme,
    /// It is a `Content-Location` that names its part within the message (`cid:`), or is no place (`about:`).
    NoPlace,
    /// The same field occurs twice in one header, with different values.
    Contradicted,
    /// The profile excludes its layer.
    OutsideProfile,
    /// It contains a placeholder or an entity whose value is unknown.
    Unknown,
}

/// A warning about an established base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Caution {
    /// It is meaningless elsewhere (`file:`, `cid:`, ...). It is used for matching, and never written into a document.
    NotPortable,
    /// The retrieval URL contained a user name or password, which was removed.
    CredentialsDropped,
    /// A declared base contains a user name or password.
    Credentials,
    /// It is an ftp URL with `;type=d`. Relative references need a trailing slash instead (draft-06 section 5.3).
    DirectoryType,
    /// The fields of one header declare different URLs.
    Disagreement,
}

/// Establishes the base of a document from all its `declarations`.
///
/// The innermost usable one wins (draft-fielding-uri-url-00e section 5). The fold runs from the outermost to the
/// innermost declaration. A relative one is resolved against the base so far, an absolute one replaces it, and an
/// unusable one changes nothing.
///
/// ```
/// use absolve_base::{Declaration, Layer, Rules, establish};
/// let declare = |layer, value| Declaration::new(layer, value, "here");
/// let base = establish(
///     vec![declare(Layer::Element, "../"), declare(Layer::Retrieval, "http://a/b/c/d.html")],
///     Rules::default(),
/// );
/// assert_eq!(base.url.map(|url| url.to_string()).as_deref(), Some("http://a/b/"));
/// assert_eq!(base.layer, Layer::Element);
/// ```
pub fn establish(mut declarations: Vec<Declaration>, rules: Rules) -> Base {
    declarations.sort_by_key(|declaration| declaration.layer);
    let mut base = Base { url: None, layer: Layer::None, declared: Vec::new(), cautions: Vec::new() };
    if declarations.iter().any(|one| declarations.iter().any(|other| disagree(one, other, rules))) {
        base.cautions.push(Caution::Disagreement);
    }
    let contradicted: Vec<Layer> = declarations
        .iter()
        .filter(|one| declarations.iter().any(|other| contradict(one, other)))
        .map(|declaration| declaration.layer)
        .collect();
    for declaration in declarations.into_iter().rev() {
        let judged = match contradicted.contains(&declaration.layer) {
            true => Err(Verdict::Contradicted),
            false => judge(&declaration, base.url.as_ref(), rules),
        };
        let (url, verdict) = match judged {
            Ok(url) => {
                let text = url.as_str().to_owned();
                base.url = Some(url);
                base.layer = declaration.layer;
                (Some(text), Verdict::Used)
            }
            Err(verdict) => (None, verdict),
        };
        base.declared.push(Declared { declaration, url, verdict });
    }
    base.declared.reverse();
    let outer = base.declared.iter_mut().skip_while(|declared| declared.verdict != Verdict::Used).skip(1);
    for declared in outer.filter(|declared| matches!(declared.verdict, Verdict::Used | Verdict::NoBaseOutwards)) {
        declared.verdict = Verdict::Outranked(base.layer);
    }
    base.cautions.extend(cautions(&base));
    base
}

impl Base {
    /// Returns the base if it may be written into documents, because it has the same meaning everywhere.
    ///
    /// ```
    /// use absolve_base::{Declaration, Layer, Rules, establish};
    /// let file = Declaration::new(Layer::Retrieval, "file:///home/a", "here");
    /// let base = establish(vec![file], Rules::default());
    /// assert!(base.url.is_some() && base.portable().is_none());
    /// ```
    pub fn portable(&self) -> Option<&BaseUrl> {
        self.url.as_ref().filter(|url| is_portable(url.scheme()))
    }
}

impl Verdict {
    /// Returns the reason for messages.
    ///
    /// ```
    /// assert_eq!(absolve_base::Verdict::Unreadable.why(), "it is not a URL");
    /// ```
    pub const fn why(self) -> &'static str {
        match self {
            Self::Used => "the innermost usable declaration",
            Self::OfSome(Layer::Root) => "only for references that begin with one slash",
            Self::OfSome(_) => "only for embedded images",
            Self::BeforeBase => {
                "only for style sheets, scripts, images and frames that browsers load before they read the BASE"
            }
            Self::Outranked(Layer::Retrieval) => "a more trusted source gives the URL",
            Self::Outranked(_) => "a layer further in declares a base",
            Self::NoBaseOutwards => "it is relative and no layer further out gives a base",
            Self::NotAbsolute => "this field must hold an absolute URL",
            Self::Unreadable => "it is not a URL",
            Self::UnknownCharset => "its bytes are not UTF-8, and nothing names their charset",
            Self::UnfitScheme => "its scheme has no relative references",
            Self::NoPlace => "it is the name of the part, and no place",
            Self::Contradicted => "the field appears twice with different values",
            Self::OutsideProfile => "the precedence profile does not look here",
            Self::Unknown => "its value is unknown",
        }
    }
}

fn judge(declaration: &Declaration, outwards: Option<&BaseUrl>, rules: Rules) -> Result<BaseUrl, Verdict> {
    if !counts_in(rules.profile, declaration.layer) {
        return Err(Verdict::OutsideProfile);
    }
    if declaration.charset == Charset::Unknown {
        return Err(Verdict::UnknownCharset);
    }
    // No standard allows white space within a URL, and all implementations ignore it.
    let value = &*strip(&declaration.value);
    if is_location(declaration.layer) && is_no_place(value) {
        return Err(Verdict::NoPlace);
    }
    let must_be_absolute = needs_absolute(declaration.layer, rules.profile);
    let is_absolute = rules.standard.kind_of(value) == ReferenceKind::Absolute;
    let absolute = match (is_absolute, outwards) {
        (true, _) => Cow::Borrowed(value),
        _ if must_be_absolute => return Err(Verdict::NotAbsolute),
        (false, Some(outwards)) => Cow::Owned(outwards.resolve(value).map_err(|_| Verdict::NoBaseOutwards)?),
        // Without an outer base, `http:a/b` is absolute.
        (false, None) if BaseUrl::parse(value, rules.standard).is_ok() => Cow::Borrowed(value),
        (false, None) => return Err(Verdict::NoBaseOutwards),
    };
    let scheme = absolute.split(':').next().unwrap_or_default();
    if ["data", "javascript"].iter().any(|unfit| scheme.eq_ignore_ascii_case(unfit)) {
        return Err(Verdict::UnfitScheme);
    }
    let parse = |text: &str| BaseUrl::parse(text, rules.standard).map_err(|_| Verdict::Unreadable);
    // Where its host is, the standard decides: of one slash, the URL Standard makes two.
    let base = parse(&absolute)?;
    let ascii = match ascii_url(base.as_str()).ok_or(Verdict::Unreadable)? {
        Cow::Borrowed(_) => None,
        Cow::Owned(ascii) => Some(ascii),
    };
    let base = ascii.map_or(Ok(base), |ascii| parse(&ascii))?;
    match declaration.layer {
        Layer::Retrieval => without_credentials(base).ok_or(Verdict::Unreadable),
        _ => Ok(base),
    }
}

const fn is_location(layer: Layer) -> bool {
    matches!(layer, Layer::Header { field: Field::ContentLocation, .. })
}

/// Returns whether these are the same field of the same header, with different values.
fn contradict(one: &Declaration, other: &Declaration) -> bool {
    matches!(one.layer, Layer::Header { .. }) && one.layer == other.layer && one.value != other.value
}

/// Returns whether these are fields of the same header with different URLs. A relative `Content-Location` is the place
/// of the document below the base, and no second base (RFC 2110, section 4.2).
fn disagree(one: &Declaration, other: &Declaration, rules: Rules) -> bool {
    let is_absolute = |value: &str| rules.standard.kind_of(value) == ReferenceKind::Absolute;
    match (one.layer, other.layer) {
        (Layer::Header { depth, .. }, Layer::Header { depth: other_depth, .. }) => {
            let differ = depth == other_depth && one.value != other.value;
            differ && (one.layer == other.layer || (is_absolute(&one.value) && is_absolute(&other.value)))
        }
        _ => false,
    }
}

fn cautions(base: &Base) -> Vec<Caution> {
    let mut cautions = Vec::new();
    let Some(url) = &base.url else { return cautions };
    let components = url.components();
    if !is_portable(url.scheme()) {
        cautions.push(Caution::NotPortable);
    }
    if has_credentials(components) {
        cautions.push(Caution::Credentials);
    }
    let lost_credentials = |declared: &Declared| {
        let value = &declared.declaration.value;
        declared.declaration.layer == Layer::Retrieval
            && declared.url.is_some()
            && value.contains('@')
            && BaseUrl::parse(value, url.standard()).is_ok_and(|given| has_credentials(given.components()))
    };
    if base.declared.iter().any(lost_credentials) {
        cautions.push(Caution::CredentialsDropped);
    }
    let is_directory = |text: &str| text.to_ascii_lowercase().ends_with(";type=d");
    if components.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("ftp"))
        && (is_directory(components.path)
            || components.params.is_some_and(|params| params.eq_ignore_ascii_case("type=d")))
    {
        cautions.push(Caution::DirectoryType);
    }
    cautions
}

fn has_credentials(components: Components<'_>) -> bool {
    components.authority.is_some_and(|authority| authority.as_bytes().contains(&b'@'))
}

/// Removes the user name and password of a base.
fn without_credentials(base: BaseUrl) -> Option<BaseUrl> {
    if !has_credentials(base.components()) {
        return Some(base);
    }
    let (login, _) = base.components().authority?.rsplit_once('@')?;
    let text = base.as_str().replacen(&format!("//{login}@"), "//", 1);
    BaseUrl::parse(&text, base.standard()).ok()
}

/// Returns whether a relative value of this layer is rejected.
fn needs_absolute(layer: Layer, profile: Profile) -> bool {
    match layer {
        Layer::Header { field, .. } => {
            field.must_be_absolute() || matches!(profile, Profile::Rfc2557 | Profile::Browser)
        }
        _ => false,
    }
}

/// Returns whether the declarations of this layer count.
fn counts_in(profile: Profile, layer: Layer) -> bool {
    match (profile, layer) {
        (Profile::Layered | Profile::Drafts, _) => true,
        (Profile::Rfc2557, Layer::Header { field, .. }) => field == Field::ContentLocation,
        // Chromium gives each part of a saved page the URL that its own header states.
        (Profile::Browser, Layer::Header { depth, field }) => depth == 0 && field == Field::ContentLocation,
        (Profile::Browser, Layer::XmlBase { .. }) => false,
        _ => true,
    }
}
