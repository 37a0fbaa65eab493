//! The order of precedence, case by case.

use absolve_base::{Caution, Declaration, Layer, Profile, Rules, Verdict, declarations_in_header, establish};
use absolve_resolver::Standard;
use absolve_testing::fixtures;
use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn precedence() -> Outcome {
    let path = fixtures().join("base/precedence.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path)?)?;
    for case in &cases {
        let standard = Standard::named(text(case, "standard")).ok_or("the standard is unknown")?;
        let profile = Profile::named(text(case, "profile")).ok_or("the profile is unknown")?;
        let rules = Rules { standard, profile };
        let base = establish(declarations(case), rules);
        assert_eq!(base.url.as_ref().map(|url| url.as_str()), case["base"].as_str(), "{case}\n{:#?}", base.declared);
        assert_eq!(base.layer.name(), text(case, "layer"), "{case}");
        for (reference, target) in case["targets"].as_object().into_iter().flatten() {
            let found = base.url.as_ref().map_or_else(
                || absolve_resolver::resolve_without_base(reference, rules.standard),
                |url| url.resolve(reference),
            );
            assert_eq!(found.ok().as_deref(), target.as_str(), "{reference} in {case}");
        }
        for (layer, verdict) in case["verdicts"].as_object().into_iter().flatten() {
            let declared = base.declared.iter().find(|declared| declared.declaration.layer.name() == layer);
            assert_eq!(declared.map(|declared| verdict_name(declared.verdict)), verdict.as_str(), "{case}");
        }
        let cautions: Vec<_> = base.cautions.iter().map(|caution| caution_name(*caution)).collect();
        let expected: Vec<_> = case["cautions"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!(cautions, expected, "{case}");
    }
    assert_eq!(cases.len(), CASES);
    Ok(())
}

const CASES: usize = 50;

fn declarations(case: &Value) -> Vec<Declaration> {
    let declare = |layer, value: &str| Declaration::new(layer, value, "the test case");
    let mut declarations = Vec::new();
    declarations.extend(case["element"].as_str().map(|value| declare(Layer::Element, value)));
    for (depth, heading) in case["headings"].as_array().into_iter().flatten().enumerate() {
        declarations.extend(declarations_in_header(heading.as_str().unwrap_or_default().as_bytes(), depth));
    }
    declarations.extend(case["retrieval"].as_str().map(|value| declare(Layer::Retrieval, value)));
    declarations
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Used => "used",
        Verdict::Outranked(_) => "outranked",
        Verdict::NoBaseOutwards => "no-base-outwards",
        Verdict::NotAbsolute => "not-absolute",
        Verdict::Unreadable => "unreadable",
        Verdict::UnknownCharset => "unknown-charset",
        Verdict::UnfitScheme => "unfit-scheme",
        Verdict::NoPlace => "no-place",
        Verdict::Contradicted => "contradicted",
        Verdict::OutsideProfile => "outside-profile",
        _ => "unknown to this test",
    }
}

fn caution_name(caution: Caution) -> &'static str {
    match caution {
        Caution::NotPortable => "not-portable",
        Caution::CredentialsDropped => "credentials-dropped",
        Caution::Credentials => "credentials",
        Caution::DirectoryType => "directory-type",
        Caution::Disagreement => "disagreement",
        _ => "unknown to this test",
    }
}

#[test]
fn bases_that_mean_nothing_elsewhere_are_not_portable() -> Outcome {
    const ELSEWHERE: [&str; 8] = ["file", "cid", "mid", "thismessage", "about", "blob", "mhtml", "filesystem"];
    for (scheme, expected) in
        ELSEWHERE.map(|scheme| (scheme, true)).into_iter().chain([("http", false), ("https", false), ("ftp", false)])
    {
        let declared = format!("Content-Base: {scheme}://h/d/x\r\n");
        let base = establish(declarations_in_header(declared.as_bytes(), 0), Rules::default());
        assert_eq!(base.cautions.contains(&Caution::NotPortable), expected, "{scheme}: {:?}", base.url);
    }
    Ok(())
}
