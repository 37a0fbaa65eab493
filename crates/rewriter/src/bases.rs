//! The base of each scope of a document.

use absolve_base::{Base, Caution, Declaration, Layer, Rules, Verdict, establish};
use absolve_links::{Document, Scan, Scope};

use crate::{Code, Finding};

/// The bases of a document, in the order of [`Scan::scopes`]. `None` for a scope in which nothing stands, or whose
/// base the document does not tell.
pub(crate) fn of_scopes(
    document: &Document<'_>,
    scan: &Scan,
    outside: &[Declaration],
    rules: Rules,
) -> Vec<Option<Base>> {
    let declare = |layer, link: usize| {
        let link = &scan.links[link];
        let value = document.reference(link).text().to_owned();
        Declaration { layer, value, place: format!("byte {}", link.range.start).into() }
    };
    let mut bases: Vec<Option<Base>> = Vec::with_capacity(scan.scopes.len());
    for (index, scope) in scan.scopes.iter().enumerate() {
        let base = match *scope {
            Scope::Document => {
                let element = scan.base.map(|link| declare(Layer::Element, link));
                Some(establish(element.into_iter().chain(outside.iter().cloned()).collect(), rules))
            }
            Scope::Outside if scan.links.iter().any(|link| link.scope == index) => {
                Some(establish(outside.to_vec(), rules))
            }
            Scope::Codebase { link, within } => {
                Some(establish(around(&bases[within]).chain([declare(Layer::Codebase, link)]).collect(), rules))
            }
            Scope::XmlBase { link, within } => {
                let own = declare(Layer::XmlBase { depth: 0 }, link);
                Some(establish(around(&bases[within]).chain([own]).collect(), rules))
            }
            Scope::Nested { base, within } => {
                let parent = around(&bases[within])
                    .map(|declaration| Declaration { layer: Layer::ParentDocument, ..declaration });
                let element = base.map(|link| declare(Layer::Element, link));
                Some(establish(parent.chain(element).collect(), rules))
            }
            _ => None,
        };
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
    for declared in &base.declared {
        let is_rejected = matches!(
            declared.verdict,
            Verdict::NoBaseOutwards
                | Verdict::NotAbsolute
                | Verdict::Unreadable
                | Verdict::UnfitScheme
                | Verdict::Contradicted
        );
        if is_rejected {
            let declaration = &declared.declaration;
            let (layer, place, why) = (declaration.layer, &declaration.place, declared.verdict.why());
            let message = format!("{layer} at {place} declares {:?}: {why}", declaration.value);
            findings.push(Finding::new(Code::BaseRejected, message));
        }
    }
    findings
}
