//! Resolution around placeholders: what stands in one is no part of a path.

use absolve_links::placeholders;
use absolve_resolver::{BaseUrl, Unresolvable};
use url::Url;

use crate::document::placeholder::texts_of_placeholders;
use crate::options::Purpose;
use crate::report::Cause;

/// Characters that no standard changes in a path, and none takes for a part of a scheme.
const STAND_INS: [&str; 5] = ["~", "!", "_", "=", ","];

/// Resolves a reference into `target`. Each placeholder for this purpose counts as one character of a name, whatever it
/// contains.
pub(crate) fn resolve_around(
    base: &BaseUrl,
    reference: &str,
    purpose: Purpose,
    target: &mut String,
) -> Result<(), Cause> {
    let (mut texts, mut inside, mut end) = (Vec::new(), Vec::new(), 0);
    for range in placeholders(reference, purpose) {
        texts.push(&reference[end..range.start]);
        end = range.end;
        inside.push(&reference[range]);
    }
    if inside.is_empty() {
        base.resolve_into(reference, target).map_err(cause)?;
        return check_readable(reference, target);
    }
    texts.push(&reference[end..]);
    let is_free =
        |stand_in: &&str| !base.as_str().contains(*stand_in) && texts.iter().all(|text| !text.contains(*stand_in));
    let stand_in = STAND_INS.into_iter().find(is_free).ok_or(Cause::LostPlaceholder)?;
    let resolved = base.resolve(&texts.join(stand_in)).map_err(cause)?;
    check_readable(reference, &resolved)?;
    // Dot segments behind a host of its own stay, and are removed by who reads them.
    let is_whole = |url: &str| url.matches(stand_in).count() == inside.len();
    if !is_whole(&resolved) || Url::parse(&resolved).is_ok_and(|url| !is_whole(url.as_str())) {
        return Err(Cause::LostPlaceholder);
    }
    for (text, placeholder) in resolved.split(stand_in).zip(inside.iter().chain([&""])) {
        target.push_str(text);
        target.push_str(placeholder);
    }
    // One that the base opens may end in the reference.
    if texts_of_placeholders(target, purpose) == [texts_of_placeholders(base.as_str(), purpose), inside].concat() {
        return Ok(());
    }
    target.clear();
    Err(Cause::LostPlaceholder)
}

/// Returns the target of a reference on its own; `None` if it has none, or one that no reader takes.
///
/// ```
/// use absolve_rewriter::internal::target_of;
/// use absolve_rewriter::{BaseUrl, Standard};
/// let base = BaseUrl::parse("https://example.org/", Standard::Whatwg)?;
/// assert_eq!(target_of(&base, "x").as_deref(), Some("https://example.org/x"));
/// assert_eq!(target_of(&base, "//h:99999/"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn target_of(base: &BaseUrl, reference: &str) -> Option<String> {
    let target = base.resolve(reference).ok()?;
    check_readable(reference, &target).ok().map(|()| target)
}

/// Reports a target that no reader takes. At a readable base, only a reference with its own authority leads to one.
fn check_readable(reference: &str, target: &str) -> Result<(), Cause> {
    let is_unreadable = brings_authority(reference) && Url::parse(target).is_err();
    if is_unreadable { Err(Cause::UnreadableTarget) } else { Ok(()) }
}

/// Returns whether a reference has an authority, in any spelling of `//host`, or a scheme.
fn brings_authority(reference: &str) -> bool {
    let mut bytes = reference.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte > b' ');
    let start = (bytes.next(), bytes.next());
    matches!(start, (Some(b'/' | b'\\'), Some(b'/' | b'\\'))) || reference.contains(':')
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
    use crate::options::Purpose;
    use crate::report::Cause;

    fn resolved(reference: &str, purpose: Purpose) -> Result<String, Cause> {
        let base = BaseUrl::parse("http://h/d/f/", Standard::Whatwg).expect("it is a base");
        let mut target = String::new();
        resolve_around(&base, reference, purpose, &mut target).map(|()| target)
    }

    #[test]
    fn dot_segments_within_a_placeholder_stay() {
        for (reference, expected) in [
            ("/p/{{../../id}}", Ok("http://h/p/{{../../id}}")),
            ("../i/{{../../lang}}/{{ a\\b }}{{c}}.png", Ok("http://h/d/i/{{../../lang}}/{{ a\\b }}{{c}}.png")),
            ("x/${../../y}/../z", Err(Cause::LostPlaceholder)),
            ("~!/{{ a~ ? '../b' : c }}?d", Ok("http://h/d/f/~!/{{ a~ ? '../b' : c }}?d")),
            ("//{{host}}/../x", Ok("http://{{host}}/../x")),
            ("//h/{{x}}/../y", Err(Cause::LostPlaceholder)),
            ("//{{ host }}/%%a%%", Ok("http://{{ host }}/%%a%%")),
            ("//[{{ host }}/", Err(Cause::UnreadableTarget)),
            ("../p/{{ ../a|b: ", Ok("http://h/d/p/{{ ../a|b: ")),
            ("~!_=,{{x}}", Err(Cause::LostPlaceholder)),
            ("a/../b", Ok("http://h/d/f/b")),
        ] {
            let expected = expected.map(str::to_owned);
            assert_eq!(resolved(reference, Purpose::Any), expected, "{reference}");
            assert_eq!(resolved(reference, Purpose::Mail), expected, "{reference}");
        }
    }

    #[test]
    fn dot_segments_do_not_remove_placeholders_of_mail_services() {
        for (reference, of_page, in_mail) in [
            ("z/[x]/../q", "http://h/d/f/z/q", None),
            ("z/{x/../q}", "http://h/d/f/z/q}", Some("http://h/d/f/z/{x/../q}")),
            ("../[[a/../b]]?c=$[d]$", "http://h/d/b]]?c=$[d]$", Some("http://h/d/[[a/../b]]?c=$[d]$")),
            ("a[b].png/../c", "http://h/d/f/c", Some("http://h/d/f/c")),
            ("//[::1]/x", "http://[::1]/x", Some("http://[::1]/x")),
        ] {
            assert_eq!(resolved(reference, Purpose::Any).as_deref(), Ok(of_page), "{reference}");
            let in_mail = in_mail.ok_or(Cause::LostPlaceholder);
            assert_eq!(resolved(reference, Purpose::Mail).as_deref().map_err(|cause| *cause), in_mail, "{reference}");
        }
    }
}
