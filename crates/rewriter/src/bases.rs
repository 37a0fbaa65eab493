//! The base of each scope of a document.

use absolve_base::{Base, Caution, Declaration, Declared, Layer, Verdict, establish};
use absolve_links::{Document, Scan, Scope};

use crate::judge::is_kept;
use crate::limits::inserted_bytes;
use crate::{Code, Finding, Options};

/// The bases of a document, in the order of [`Scan::scopes`]. `None` for a scope in which nothing stands, or whose
/// base nobody knows: the document does not tell it, or a placeholder does.
pub(crate) fn of_scopes(
    document: &Document<'_>,
    scan: &Scan,
    outside: &[Declaration],
    options: &Options,
) -> Vec<Option<Base>> {
    let declare = |layer, link: usize| {
        let link = &scan.links[link];
        let value = document.reference(link).text().to_owned();
        let place = format!("byte {}", link.range.start).into();
        (!is_kept(&value, options)).then_some(Declaration { layer, value, place })
    };
    let established = |declarations: Vec<Declaration>| Some(establish(declarations, options.rules));
    let within = |own: Declaration, outer: &Option<Base>| established(around(outer).chain([own]).collect());
    let mut room = inserted_bytes(document);
    let mut bases: Vec<Option<Base>> = Vec::with_capacity(scan.scopes.len());
    for (index, scope) in scan.scopes.iter().enumerate() {
        let base = match *scope {
            _ if room == 0 => None,
            Scope::Document => match scan.base.map(|link| declare(Layer::Element, link)) {
                Some(None) => None,
                element => established(element.flatten().into_iter().chain(outside.iter().cloned()).collect()),
            },
            Scope::Outside if scan.links.iter().any(|link| link.scope == index) => established(outside.to_vec()),
            Scope::Codebase { link, within: outer } => {
                declare(Layer::Codebase, link).and_then(|own| within(own, &bases[outer]))
            }
            Scope::XmlBase { link, within: outer } => {
                declare(Layer::XmlBase { depth: 0 }, link).and_then(|own| within(own, &bases[outer]))
            }
            Scope::Nested { base, within: outer } => {
                let parent = around(&bases[outer])
                    .map(|declaration| Declaration { layer: Layer::ParentDocument, ..declaration });
                match base.map(|link| declare(Layer::Element, link)) {
                    Some(None) => None,
                    element => established(parent.chain(element.flatten()).collect()),
                }
            }
            _ => None,
        };
        // A base remembers what was declared, more than once.
        let length = base.as_ref().and_then(|base| base.url.as_ref()).map_or(0, |url| 4 * url.as_str().len());
        room = room.saturating_sub(length);
        bases.push(base);
    }
    bases
}

/// The base of the scope around, as one declaration. One more `xml:base` may stand within.
fn around(base: &Option<Base>) -> impl Iterator<Item = Declaration> {
    base.iter().filter_map(|base| {
        let layer = match base.layer {
            Layer::XmlBase { depth } => Layer::XmlBase { depth: depth + 1 },
            layer => layer,
        };
        Some(Declaration { layer, value: base.url.as_ref()?.to_string(), place: "around it".into() })
    })
}

/// What is worth telling of a base.
pub(crate) fn findings(base: &Base) -> Vec<Finding> {
    let mut findings = Vec::new();
    for caution in &base.cautions {
        findings.push(match caution {
            Caution::NotPortable => Finding::new(
                Code::BaseNotPortable,
                "the base means nothing elsewhere and is not written into the document",
            ),
            Caution::CredentialsDropped => {
                Finding::new(Code::BaseCredentials, "the user name and password of the retrieval URL were dropped")
            }
            Caution::Credentials => Finding::new(Code::BaseCredentials, "the declared base holds a user name"),
            Caution::DirectoryType => Finding::new(
                Code::BaseDirectoryType,
                "the ftp base names a directory by `;type=d`; references resolve as if it were a file",
            ),
            Caution::Disagreement => {
                Finding::new(Code::BaseDisagreement, "the fields of one heading declare different bases")
            }
            _ => continue,
        });
    }
    findings.extend(base.declared.iter().filter_map(rejection));
    findings
}

/// The first declaration that cannot be used of those of stretches of a document, and how many more there are.
pub(crate) fn inner_findings(scan: &Scan, bases: &[Option<Base>]) -> Option<Finding> {
    let is_inner = |scope: &Scope| !matches!(scope, Scope::Document | Scope::Outside);
    let inner =
        scan.scopes.iter().zip(bases).filter(|(scope, _)| is_inner(scope)).filter_map(|(_, base)| base.as_ref());
    // What stands around it was told there.
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
            | Verdict::UnfitScheme
            | Verdict::Contradicted
    );
    is_rejected.then(|| {
        let declaration = &declared.declaration;
        let (layer, place, why) = (declaration.layer, &declaration.place, declared.verdict.why());
        Finding::new(Code::BaseRejected, format!("{layer} at {place} declares {:?}: {why}", declaration.value))
    })
}
