//! Resolution around placeholders: what stands in one is no part of a path.

use absolve_resolver::{BaseUrl, Unresolvable};

use crate::document::placeholder::placeholders;
use crate::options::Purpose;
use crate::report::Cause;

/// Characters that no standard changes in a path, and none takes for a part of a scheme.
const STAND_INS: [&str; 5] = ["~", "!", "_", "=", ","];

/// Resolves a reference into `target`. Each placeholder counts as one character of a name, whatever it contains.
pub(crate) fn resolve_around(base: &BaseUrl, reference: &str, target: &mut String) -> Result<(), Cause> {
    let (mut texts, mut inside, mut end) = (Vec::new(), Vec::new(), 0);
    for range in placeholders(reference, Purpose::Any) {
        texts.push(&reference[end..range.start]);
        end = range.end;
        inside.push(&reference[range]);
    }
    if inside.is_empty() {
        return base.resolve_into(reference, target).map_err(cause);
    }
    texts.push(&reference[end..]);
    let is_free =
        |stand_in: &&str| !base.as_str().contains(*stand_in) && texts.iter().all(|text| !text.contains(*stand_in));
    let stand_in = STAND_INS.into_iter().find(is_free).ok_or(Cause::LostPlaceholder)?;
    let resolved = base.resolve(&texts.join(stand_in)).map_err(cause)?;
    if resolved.matches(stand_in).count() != inside.len() {
        return Err(Cause::LostPlaceholder);
    }
    for (text, placeholder) in resolved.split(stand_in).zip(inside.into_iter().chain([""])) {
        target.push_str(text);
        target.push_str(placeholder);
    }
    Ok(())
}

fn cause(unresolvable: Unresolvable) -> Cause {
    match unresolvable {
        Unresolvable::OpaqueBase => Cause::OpaqueBase,
        _ => Cause::NoTarget,
    }
}

#[cfg(test)]
mod tests {
    use absolve_resolver::{BaseUrl, Standard};

    use super::resolve_around;
    use crate::report::Cause;

    #[test]
    fn dot_segments_within_a_placeholder_removed_parts_of_it() {
        let base = BaseUrl::parse("http://h/d/f/", Standard::Whatwg).expect("it is a base");
        for (reference, expected) in [
            ("/p/{{../../id}}", Ok("http://h/p/{{../../id}}")),
            ("../i/{{../../lang}}/{{ a\\b }}{{c}}.png", Ok("http://h/d/i/{{../../lang}}/{{ a\\b }}{{c}}.png")),
            ("x/${../../y}/../z", Err(Cause::LostPlaceholder)),
            ("~!/{{ a~ ? '../b' : c }}?d", Ok("http://h/d/f/~!/{{ a~ ? '../b' : c }}?d")),
            ("//{{host}}/../x", Ok("http://{{host}}/../x")),
            ("~!_=,{{x}}", Err(Cause::LostPlaceholder)),
            ("a/../b", Ok("http://h/d/f/b")),
        ] {
            let mut target = String::new();
            let resolved = resolve_around(&base, reference, &mut target).map(|()| &*target);
            assert_eq!(resolved, expected, "{reference}");
        }
    }
}
