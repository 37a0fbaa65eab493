//! The rule: which base applies, and why.

use std::borrow::Cow;

use absolve_resolver::{BaseUrl, Components, ReferenceKind, RelativeUse, Server, Standard, strip};

use crate::ascii::ascii_url;
use crate::layer::{Field, Layer};
use crate::profile::Profile;

/// What one layer says the base is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The place that declares it.
    pub layer: Layer,
    /// The declared text, decoded from the way it was written.
    pub value: String,
    /// Where it stands, in words: `byte 57`, `--url`.
    pub place: Cow<'static, str>,
}

/// By which rules a base is established.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The standard by which relative declarations are resolved, and references later.
    pub standard: Standard,
    /// The declarations that count.
    pub profile: Profile,
}

/// The base of a document, with the reason for it.
#[derive(Clone, Debug)]
pub struct Base {
    /// The base, or `None` when every reference is taken as absolute.
    pub url: Option<BaseUrl>,
    /// The layer that won; [`Layer::None`] without a base.
    pub layer: Layer,
    /// What every layer declared, innermost first, and what became of it.
    pub declared: Vec<Declared>,
    /// What should be known of the base before it is used.
    pub cautions: Vec<Caution>,
}

/// A declaration, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// What was declared.
    pub declaration: Declaration,
    /// The absolute URL it means, when it means one.
    pub url: Option<String>,
    /// What became of it.
    pub verdict: Verdict,
}

/// Why a declaration won or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It is the base.
    Used,
    /// A layer further in declares one as well.
    Outranked(Layer),
    /// It is relative, and no layer further out gives a base for it.
    NoBaseOutwards,
    /// The field must hold an absolute URL.
    NotAbsolute,
    /// It is not a URL.
    Unreadable,
    /// Its scheme can hold no relative reference: `data:`, `javascript:`.
    UnfitScheme,
    /// The same field stands twice in one heading with different values.
    Contradicted,
    /// The profile in force does not look there.
    OutsideProfile,
    /// It is a placeholder, or an entity of the document; what it will be is not known here.
    Unknown,
}

/// Something to know of an established base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Caution {
    /// It means nothing elsewhere (`file:`, `cid:`, ...): good for matching, never written into a document.
    NotPortable,
    /// The retrieval URL held a user name or password, which was dropped.
    CredentialsDropped,
    /// A declared base holds a user name or password.
    Credentials,
    /// `;type=d` at an ftp URL: relative references need a trailing slash instead (draft-06 section 5.3).
    DirectoryType,
    /// The fields of one heading name different URLs.
    Disagreement,
}

/// The base that `declarations` establish together.
///
/// The innermost usable one wins (draft-fielding-uri-url-00e section 5). The fold runs from the outermost
/// inwards, so that a relative declaration is resolved against what stands outside it: an absolute one
/// replaces the base so far, an unusable one changes nothing.
///
/// ```
/// use absolve_base::{Declaration, Layer, Rules, establish};
/// let declare = |layer, value: &str| Declaration { layer, value: value.into(), place: "here".into() };
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
    /// The base, if it may be written into documents: one that means the same everywhere.
    ///
    /// ```
    /// use absolve_base::{Declaration, Layer, Rules, establish};
    /// let file = Declaration { layer: Layer::Retrieval, value: "file:///home/a".into(), place: "here".into() };
    /// let base = establish(vec![file], Rules::default());
    /// assert!(base.url.is_some() && base.portable().is_none());
    /// ```
    pub fn portable(&self) -> Option<&BaseUrl> {
        self.url.as_ref().filter(|url| is_portable(url.components().scheme))
    }
}

impl Verdict {
    /// The reason in words.
    ///
    /// ```
    /// assert_eq!(absolve_base::Verdict::Unreadable.why(), "it is not a URL");
    /// ```
    pub const fn why(self) -> &'static str {
        match self {
            Self::Used => "the innermost usable declaration",
            Self::Outranked(Layer::Retrieval) => "something that is trusted more tells the URL",
            Self::Outranked(_) => "a layer further in declares a base",
            Self::NoBaseOutwards => "it is relative and no layer further out gives a base",
            Self::NotAbsolute => "this field must hold an absolute URL",
            Self::Unreadable => "it is not a URL",
            Self::UnfitScheme => "its scheme has no relative references",
            Self::Contradicted => "the field stands twice with different values",
            Self::OutsideProfile => "the precedence profile does not look here",
            Self::Unknown => "what it will be is not known here",
        }
    }
}

fn judge(declaration: &Declaration, outwards: Option<&BaseUrl>, rules: Rules) -> Result<BaseUrl, Verdict> {
    if !rules.profile.looks_at(declaration.layer) {
        return Err(Verdict::OutsideProfile);
    }
    // No standard has white space within a URL, and all readers ignore it.
    let value = &*strip(&declaration.value);
    let must_be_absolute = rules.profile.needs_absolute(declaration.layer);
    let is_absolute = rules.standard.kind_of(value) == ReferenceKind::Absolute;
    let absolute = match (is_absolute, outwards) {
        (true, _) => Cow::Borrowed(value),
        _ if must_be_absolute => return Err(Verdict::NotAbsolute),
        (false, Some(outwards)) => Cow::Owned(outwards.resolve(value).map_err(|_| Verdict::NoBaseOutwards)?),
        // `http:a/b` is absolute where nothing stands outside it.
        (false, None) if BaseUrl::parse(value, rules.standard).is_ok() => Cow::Borrowed(value),
        (false, None) => return Err(Verdict::NoBaseOutwards),
    };
    let scheme = absolute.split(':').next().unwrap_or_default();
    if ["data", "javascript"].iter().any(|unfit| scheme.eq_ignore_ascii_case(unfit)) {
        return Err(Verdict::UnfitScheme);
    }
    let ascii = ascii_url(&absolute).ok_or(Verdict::Unreadable)?;
    let base = BaseUrl::parse(&ascii, rules.standard).map_err(|_| Verdict::Unreadable)?;
    match declaration.layer {
        Layer::Retrieval => without_credentials(base).ok_or(Verdict::Unreadable),
        _ => Ok(base),
    }
}

/// The same field of the same heading, with another value.
fn contradict(one: &Declaration, other: &Declaration) -> bool {
    matches!(one.layer, Layer::Header { .. }) && one.layer == other.layer && one.value != other.value
}

/// Any two fields of the same heading with different URLs. A relative `Content-Location` says where the document is
/// below the base, not another base (RFC 2110, section 4.2).
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
    if !is_portable(components.scheme) {
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

fn is_portable(scheme: Option<&str>) -> bool {
    const MEANINGLESS_ELSEWHERE: [&str; 8] =
        ["file", "cid", "mid", "thismessage", "about", "blob", "mhtml", "filesystem"];
    let scheme = scheme.unwrap_or_default();
    !MEANINGLESS_ELSEWHERE.iter().any(|name| name.eq_ignore_ascii_case(scheme))
        && RelativeUse::of(scheme) != RelativeUse::Never
}

fn has_credentials(components: Components<'_>) -> bool {
    components.authority.is_some_and(|authority| Server::split(authority).user.is_some())
}

/// The same base without a user name and a password.
fn without_credentials(base: BaseUrl) -> Option<BaseUrl> {
    let authority = base.components().authority.filter(|authority| authority.contains('@'));
    let Some((login, _)) = authority.and_then(|authority| authority.rsplit_once('@')) else { return Some(base) };
    let text = base.as_str().replacen(&format!("//{login}@"), "//", 1);
    BaseUrl::parse(&text, base.standard()).ok()
}

impl Profile {
    /// Whether a relative value of this layer is rejected.
    fn needs_absolute(self, layer: Layer) -> bool {
        match layer {
            Layer::Header { field, .. } => field.must_be_absolute() || self == Self::Rfc2557,
            _ => false,
        }
    }

    /// Whether the declarations of this layer count.
    fn looks_at(self, layer: Layer) -> bool {
        match (self, layer) {
            (Self::Layered, _) => true,
            (Self::Rfc2557, Layer::Header { field, .. }) => field == Field::ContentLocation,
            (Self::Browser, Layer::Header { .. } | Layer::XmlBase { .. }) => false,
            _ => true,
        }
    }
}
