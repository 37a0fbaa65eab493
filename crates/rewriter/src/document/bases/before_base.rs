//! The base of what browsers load before they read the BASE: the one around the document.

use absolve_base::{Base, Profile, Rules, Verdict};
use absolve_links::{Scan, Scope};

/// Returns whether this base around a document applies to what all browsers load before they read the BASE.
pub(crate) fn applies(around: &Option<Base>, rules: Rules) -> bool {
    rules.profile != Profile::Drafts && around.as_ref().is_some_and(|base| base.url.is_some())
}

/// Notes in the declarations of a document that what stands before its BASE has another base.
pub(super) fn declare(scan: &Scan, bases: &mut [Option<Base>]) {
    let is_early = |scope: &Scope| matches!(scope, Scope::BeforeBase { is_certain: true, document: 0, .. });
    let Some(index) = scan.scopes.iter().position(is_early) else { return };
    let early = bases[index].as_ref().and_then(|base| Some(base.url.as_ref()?.as_str().to_owned()));
    let Some(document) = bases[0].as_mut().filter(|base| base.url.as_ref().map(|url| url.as_str()) != early.as_deref())
    else {
        return;
    };
    let is_around = |verdict: Verdict| matches!(verdict, Verdict::Outranked(_));
    if let Some(around) = document.declared.iter_mut().find(|one| one.url == early && is_around(one.verdict)) {
        around.verdict = Verdict::BeforeBase;
    }
}
