//! The base of each scope of a document.

use absolve_base::{Base, Caution, Declaration, Layer, Rules, Verdict, establish};
use absolve_links::{Document, Scan, Scope};

use crate::{Code, Finding};

/// The bases of a document, in the order of [`Scan::scopes`]. `None` for a scope in which nothing stands.
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
    let inside = |own: Option<Declaration>| {
        let element = scan.base.map(|link| declare(Layer::Element, link));
        establish(own.into_iter().chain(element).chain(outside.iter().cloned()).collect(), rules)
    };
    let scopes = scan.scopes.iter().enumerate().map(|(index, scope)| match scope {
        Scope::Document => Some(inside(None)),
        Scope::Codebase(link) => Some(inside(Some(declare(Layer::Codebase, *link)))),
        _ if scan.links.iter().any(|link| link.scope == index) => Some(establish(outside.to_vec(), rules)),
        _ => None,
    });
    scopes.collect()
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
