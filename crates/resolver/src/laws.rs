//! The short way for plain references is the long way: the law, which needs the inside of this crate.

use alloc::string::String;

use crate::base_url::BaseUrl;
use crate::standard::Standard;

#[cfg(test)]
mod tests;

/// The law on any bytes: the first line is a base, the rest a reference. Answers how many targets there were.
pub fn short_way_is_the_long_way(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let (base, reference) = text.split_once('\n').unwrap_or(("http://h/d/", &text));
    compared(base, reference, |_| true)
}

/// The same of one reference. Answers how many of its targets `are` such.
fn compared(base: &str, reference: &str, are: impl Fn(&str) -> bool) -> usize {
    let mut count = 0;
    for standard in Standard::ALL {
        let Ok(base) = BaseUrl::parse(base, standard) else { continue };
        let mut long = String::new();
        let outcome = base.resolve_fully(reference, &mut long).map(|()| long);
        assert_eq!(base.resolve(reference), outcome, "{standard}: {reference:?} at {base}");
        count += usize::from(outcome.is_ok_and(|target| are(&target)));
    }
    count
}
