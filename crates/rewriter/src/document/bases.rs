//! The base of each scope of a document.

pub(crate) mod before_base;
pub(crate) mod feed_items;

use absolve_base::{Base, Caution, Declaration, Declared, Layer, Profile, Rules, Verdict, establish};
use absolve_links::{Document, Scan, Scope, first_placeholder, inserted_bytes, placeholders};
use absolve_resolver::{ReferenceKind, Standard, strip};

use crate::document::given::{Root, resolve_below, root_of, roots};
use crate::document::placeholder::is_kept;
use crate::entity::part::Part;
use crate::entity::siblings::lender::{Lender, Lent};
use crate::entity::siblings::{BaseUse, finding_parts};
use crate::finding::{Code, Finding};
use crate::options::{FeedBase, Options, Purpose};
use crate::provenance::marks::{CommentedBase, SavedBase};
use crate::provenance::urls::without_login;

/// Returns what is declared outside the document of a part: by its headers, by the document that lends its base, and by its
/// retrieval URLs.
pub(crate) fn declared_outside(part: &Part, base_use: BaseUse, options: &Options) -> Vec<Declaration> {
    let found_by = |declared| if base_use == BaseUse::Parts { finding_parts(declared) } else { declared };
    let mut declared = found_by(part.declarations());
    if let Lent::By(lender) = &part.lent {
        declared.extend(lent_by(lender, &part.retrievals, &found_by, options));
    }
    declared
}

/// Returns the base of a document as the declaration of a part that it links, or its BASE if the value of that is unknown.
fn lent_by(
    lender: &Lender,
    retrievals: &[Declaration],
    found_by: &dyn Fn(Vec<Declaration>) -> Vec<Declaration>,
    options: &Options,
) -> Option<Declaration> {
    let Lender { path, element, headers, around } = lender;
    let lent = |value: String| Declaration::new(Layer::ParentDocument, value, format!("part {path}"));
    if let Some(unknown) = element.as_ref().filter(|value| is_unknown(value, options)) {
        return Some(lent(unknown.clone()));
    }
    let mut declared = headers.as_ref().map_or_else(Vec::new, |headers| headers.declarations(0));
    declared.extend(retrievals.iter().cloned());
    declared = found_by(declared);
    declared.extend(around.as_ref().and_then(|around| lent_by(around, retrievals, found_by, options)));
    declared.extend(element.as_ref().map(|value| Declaration::new(Layer::Element, value, "")));
    Some(lent(establish(declared, options.rules).url?.to_string()))
}

/// Returns the bases of a document, in the order of [`Scan::scopes`]. `None` for a scope without links, or whose base
/// is declared by a placeholder or an entity. `None` altogether if the bases are many times as long as the document.
/// `declared` are the declarations outside it.
pub(crate) fn of_scopes(
    document: &Document<'_>,
    scan: &Scan,
    part: &Part,
    declared: &[Declaration],
    options: &Options,
    feed_base: FeedBase,
) -> Option<Vec<Option<Base>>> {
    let is_unknown_parent = |one: &Declaration| one.layer == Layer::ParentDocument && is_unknown(&one.value, options);
    if matches!(part.lent, Lent::Unclear(_)) || declared.iter().any(is_unknown_parent) {
        return Some(vec![None; scan.scopes.len()]);
    }
    // A program that saves a page may disable its BASE.
    let saved = match part.saved.as_ref().and_then(|saved| saved.base.as_ref()) {
        Some(SavedBase::Commented(CommentedBase { value, byte })) => {
            Some(Declaration::new(Layer::Element, value, format!("byte {byte}, in a comment")))
        }
        _ => None,
    };
    let saved = saved.filter(|_| own(document, scan).is_none_or(|base| is_idle(&base)));
    let is_for_images = declared.iter().any(|one| one.layer == Layer::Images);
    let roots = roots(part, options.images_url.as_ref().filter(|_| is_for_images), options);
    let source = Source { document, scan, declared, saved, roots, options, feed_base };
    let mut room = inserted_bytes(document.bytes().len());
    let mut bases: Vec<Option<Base>> = Vec::with_capacity(scan.scopes.len());
    for index in 0..scan.scopes.len() {
        let base = of_scope(&source, index, &bases);
        room = room.checked_sub(base.as_ref().map_or(0, length))?;
        bases.push(base);
    }
    before_base::declare(scan, &mut bases);
    Some(bases)
}

/// What the bases of a document are established from.
struct Source<'s> {
    document: &'s Document<'s>,
    scan: &'s Scan,
    declared: &'s [Declaration],
    /// The BASE that a program which saved the document has disabled.
    saved: Option<Declaration>,
    roots: Vec<Root>,
    options: &'s Options,
    feed_base: FeedBase,
}

impl Source<'_> {
    /// Returns the value of a declaration. One that begins with a slash is below the root, if the user gives one.
    fn below_root(&self, around: impl FnOnce() -> Option<Base>, value: String) -> String {
        if self.roots.is_empty() {
            return value;
        }
        let Some(around) = around() else { return value };
        let declared = strip(&value);
        let root = root_of(&self.roots, &around, &declared, self.options.rules.standard);
        let mut below = String::new();
        let found = root.and_then(|root| root.url.as_ref());
        let found = found.map(|root| resolve_below(root, &declared, self.options.purpose, &mut below));
        if let Some(Ok(())) = found { below } else { value }
    }
}

/// Returns the base of one scope; `outer` are those of the scopes before it.
fn of_scope(source: &Source<'_>, index: usize, outer: &[Option<Base>]) -> Option<Base> {
    let Source { document, scan, declared, saved, options, feed_base, .. } = source;
    let rules = options.rules;
    // What a link declares, if there is one; `None` if that is unknown.
    let outside = |own| establish(declared.iter().cloned().chain(own).collect(), rules);
    let known = |layer, link: Option<usize>| {
        let Some(link) = link.map(|link| &scan.links[link]) else { return Some(None) };
        let value = document.reference(link).text().to_owned();
        let place = || format!("byte {}", link.range.start);
        let around = || outer.get(link.scope).cloned().unwrap_or_else(|| Some(outside(None)));
        let declaration = |value| Some(Declaration::new(layer, source.below_root(around, value), place()));
        (!is_unknown(&value, options)).then(|| declaration(value))
    };
    let within = |index: usize, own| establish(around(&outer[index]).chain(own).collect(), rules);
    let in_parent = |index: usize, own| establish(parent(&outer[index]).chain(own).collect(), rules);
    Some(match scan.scopes[index] {
        Scope::Document if saved.is_some() => outside(saved.clone()),
        Scope::Document => outside(known(Layer::Element, scan.base)?),
        Scope::Outside if scan.links.iter().any(|link| link.scope == index) => outside(None),
        Scope::Codebase { link, within: around } => within(around, known(Layer::Codebase, Some(link))?),
        Scope::ObjectData { codebase, within } => {
            return outer[if is_data_in_codebase(rules) { codebase } else { within }].clone();
        }
        Scope::XmlBase { link, within: around } => match known(Layer::XmlBase { depth: 0 }, Some(link)) {
            None if rules.profile != Profile::Browser => return None,
            own => within(around, own.flatten()),
        },
        Scope::Item { is_unclear: true, .. } if *feed_base == FeedBase::Item => return None,
        Scope::Item { link, within: around, .. } => {
            let own = known(Layer::Item, link.filter(|_| *feed_base == FeedBase::Item))?;
            let of_item = own.map(|own| in_parent(around, Some(own))).filter(feed_items::is_url_of_item);
            of_item.unwrap_or_else(|| within(around, None))
        }
        Scope::CustomProperty { within } => return outer[within].clone(),
        Scope::Nested { base, within } => in_parent(within, known(Layer::Element, base)?),
        Scope::BeforeBase { is_certain, document, around } => {
            let is_early = is_certain && before_base::applies(&outer[around], rules);
            return outer[if is_early { around } else { document }].clone();
        }
        _ => return None,
    })
}

/// Returns whether the `data` of an object resolves against its `codebase`, as in HTML 4 (section 13.3.1). The HTML
/// Standard and browsers have no `codebase`.
fn is_data_in_codebase(rules: Rules) -> bool {
    rules.standard != Standard::Whatwg && rules.profile != Profile::Browser
}

/// Returns the value of the BASE of a document, if it has one.
pub(crate) fn own(document: &Document<'_>, scan: &Scan) -> Option<String> {
    Some(document.reference(&scan.links[scan.base?]).text().to_owned())
}

/// Returns whether a BASE changes nothing: browsers write `.` when they save a page, wget empties it.
pub(crate) fn is_idle(base: &str) -> bool {
    ["", ".", "./"].contains(&base.trim())
}

/// Returns the base of a document whose own declaration is a placeholder or an entity, or which has that of another one, which is
/// not known; `outside` applies without it.
pub(crate) fn unknown(document: &Document<'_>, scan: &Scan, lent: &Lent, mut outside: Base) -> Base {
    let lent_value = outside.declared.iter().position(|one| one.declaration.layer == Layer::ParentDocument);
    let lent_value = lent_value.map(|at| outside.declared.remove(at).declaration);
    let declaration = match (lent, scan.base.map(|base| &scan.links[base]), lent_value) {
        (Lent::Unclear(why), ..) => Declaration::new(Layer::ParentDocument, "", why.why()),
        (_, _, Some(lent)) => lent,
        (_, Some(link), None) => {
            let place = format!("byte {}", link.range.start);
            Declaration::new(Layer::Element, document.reference(link).text(), place)
        }
        (_, None, None) => Declaration::new(Layer::Element, "", "an entity"),
    };
    for declared in &mut outside.declared {
        if declared.verdict == Verdict::Used {
            declared.verdict = Verdict::Outranked(declaration.layer);
        }
    }
    outside.declared.insert(0, Declared { declaration, url: None, verdict: Verdict::Unknown });
    Base { url: None, layer: Layer::None, ..outside }
}

/// Returns the length of a base and of all its declarations, in bytes.
fn length(base: &Base) -> usize {
    let declared =
        |declared: &Declared| declared.declaration.value.len() + declared.url.as_ref().map_or(0, String::len);
    base.url.as_ref().map_or(0, |url| 2 * url.as_str().len()) + base.declared.iter().map(declared).sum::<usize>()
}

/// Returns whether a declared value begins with a placeholder, built-in or by option, or has one in front of its query: references
/// may remove a part of it.
fn is_unknown(value: &str, options: &Options) -> bool {
    let is_absolute = options.rules.standard.kind_of(value) == ReferenceKind::Absolute;
    let query = value.find(['?', '#']).unwrap_or(value.len());
    let is_address = |start: usize| value[..start].ends_with("//") && value[start..].starts_with('[');
    let holds_one =
        || placeholders(value, options.purpose).any(|range| range.start < query && !is_address(range.start));
    first_placeholder(value, Purpose::Any).is_some() || (!is_absolute && is_kept(value, options)) || holds_one()
}

/// Returns the base of the outer scope as one declaration, one more `xml:base` outwards.
fn around(base: &Option<Base>) -> impl Iterator<Item = Declaration> {
    base.iter().filter_map(|base| {
        let layer = match base.layer {
            Layer::XmlBase { depth } => Layer::XmlBase { depth: depth + 1 },
            layer => layer,
        };
        Some(Declaration::new(layer, base.url.as_ref()?.to_string(), "around it"))
    })
}

/// Returns the base of the outer scope as that of the document around.
fn parent(base: &Option<Base>) -> impl Iterator<Item = Declaration> {
    around(base).map(|declaration| Declaration { layer: Layer::ParentDocument, ..declaration })
}

/// Returns the findings of a base.
pub(crate) fn findings(base: &Base) -> Vec<Finding> {
    let mut findings = Vec::new();
    for caution in &base.cautions {
        findings.push(match caution {
            Caution::NotPortable => Finding::new(
                Code::BaseNotPortable,
                "the base is not valid elsewhere (file:, cid:) and is not written into the document",
            ),
            Caution::CredentialsDropped => {
                Finding::new(Code::BaseCredentials, "the user name and password of the retrieval URL were dropped")
            }
            Caution::Credentials => credentials(),
            Caution::DirectoryType => Finding::new(
                Code::BaseDirectoryType,
                "the ftp base names a directory by `;type=d`; references resolve as if it were a file",
            ),
            Caution::Disagreement => {
                Finding::new(Code::BaseDisagreement, "the fields of one header declare different bases")
            }
            _ => continue,
        });
    }
    findings.extend(base.declared.iter().filter_map(rejection));
    findings
}

fn credentials() -> Finding {
    Finding::new(Code::BaseCredentials, "the declared base holds a user name")
}

/// Returns a finding for a user name in a base of inner scopes, unless the first base, whose findings were reported, holds one, and one
/// for the first rejected declaration of inner scopes, with the number of further ones.
pub(crate) fn inner_findings(scan: &Scan, bases: &[Option<Base>]) -> Vec<Finding> {
    let mut hold_user = bases.iter().flatten().map(|base| base.cautions.contains(&Caution::Credentials));
    let is_reported = hold_user.next().unwrap_or_default();
    let of_user = (!is_reported && hold_user.any(|holds| holds)).then(credentials);
    of_user.into_iter().chain(inner_rejections(scan, bases)).collect()
}

fn inner_rejections(scan: &Scan, bases: &[Option<Base>]) -> Option<Finding> {
    let repeats = |scope: &Scope| {
        matches!(scope, Scope::ObjectData { .. } | Scope::BeforeBase { .. } | Scope::CustomProperty { .. })
    };
    let is_outer = |scope: &Scope| matches!(scope, Scope::Document | Scope::Outside) || repeats(scope);
    let inner =
        scan.scopes.iter().zip(bases).filter(|(scope, _)| !is_outer(scope)).filter_map(|(_, base)| base.as_ref());
    // Outer declarations were reported there.
    let mut rejections = inner.filter_map(|base| base.declared.first().and_then(rejection));
    let first = rejections.next()?;
    Some(match rejections.count() {
        0 => first,
        more => Finding { message: format!("{}; and {more} more", first.message), ..first },
    })
}

fn rejection(declared: &Declared) -> Option<Finding> {
    let is_rejected = matches!(
        declared.verdict,
        Verdict::NoBaseOutwards
            | Verdict::NotAbsolute
            | Verdict::Unreadable
            | Verdict::UnknownCharset
            | Verdict::UnfitScheme
            | Verdict::Contradicted
    );
    is_rejected.then(|| {
        let declaration = &declared.declaration;
        let (layer, place, why) = (declaration.layer, &declaration.place, declared.verdict.why());
        let value = match layer {
            Layer::Retrieval => without_login(&declaration.value),
            _ => declaration.value.as_str().into(),
        };
        let is_emptied = layer == Layer::Element && value.trim().is_empty();
        let by_wget = if is_emptied { "; wget empties it where it makes links lead to copies" } else { "" };
        Finding::new(Code::BaseRejected, format!("{layer} at {place} declares {value:?}: {why}{by_wget}"))
    })
}
