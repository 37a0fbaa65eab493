//! Laws of bases.

use absolve_base::{
    Base, Declaration, Layer, Profile, Rules, Verdict, ascii_host, declarations_in_header, establish,
    url_of_field_value,
};
use absolve_framing::header_fields;
use absolve_resolver::{BaseUrl, Standard};

/// Checks any header: its fields are in it, and they establish at most one base, declared by one of them. Returns the
/// number of declarations.
pub fn of_heading(heading: &[u8]) -> usize {
    fields_stand_in(heading);
    value_is_plain(heading);
    let mut declarations = declarations_in_header(heading, 0);
    // The heading ends at the first empty line.
    if let Some(around) = memchr::memmem::find(heading, b"\n\n") {
        declarations.extend(declarations_in_header(&heading[around..], 1));
    }
    let text = String::from_utf8_lossy(heading);
    let element = text.lines().next().unwrap_or_default();
    declarations.push(Declaration::new(Layer::Element, element, "here"));
    for standard in Standard::ALL {
        for profile in Profile::ALL {
            let rules = Rules { standard, profile };
            base_is_one_of(&declarations, &establish(declarations.clone(), rules), rules);
        }
    }
    declarations.len()
}

fn fields_stand_in(heading: &[u8]) {
    let mut end = 0;
    for field in header_fields(heading) {
        assert!(field.start >= end && field.value.start > field.start, "fields overlap");
        end = field.value.end;
        assert!(end <= heading.len(), "a field ends behind its heading");
    }
}

/// Checks that no white space is left in a value, however it is wrapped.
fn value_is_plain(raw: &[u8]) {
    let url = url_of_field_value(raw);
    assert!(!url.contains(char::is_whitespace), "{url:?}");
    let once = ascii_host(&url).into_owned();
    assert_eq!(ascii_host(&once), once, "a host in ASCII stays");
}

fn base_is_one_of(declarations: &[Declaration], base: &Base, rules: Rules) {
    assert_eq!(base.declared.len(), declarations.len(), "each declaration is judged");
    let used: Vec<_> = base.declared.iter().filter(|declared| declared.verdict == Verdict::Used).collect();
    match &base.url {
        None => assert!(base.layer == Layer::None && used.is_empty(), "{base:?}"),
        Some(url) => {
            assert!(used.iter().any(|used| used.declaration.layer == base.layer), "{base:?}");
            let again = BaseUrl::parse(url.as_str(), rules.standard);
            assert_eq!(again.as_ref().map(BaseUrl::as_str), Ok(url.as_str()), "a base is a base");
            assert!(url.as_str().bytes().all(|byte| byte.is_ascii_graphic()), "{url} cannot be written everywhere");
        }
    }
}
