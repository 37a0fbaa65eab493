//! The law that the fast path for plain references equals the algorithm of the standard.

use alloc::string::String;

use crate::base_url::BaseUrl;
use crate::standard::Standard;

#[cfg(test)]
mod tests;

/// Checks the law on any bytes: the first line is a base, the rest a reference. Returns the number of targets.
pub fn short_way_is_the_long_way(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let (base, reference) = text.split_once('\n').unwrap_or(("http://h/d/", &text));
    compared(base, reference, |_| true)
}

/// Checks the law for one reference. Returns how many of its targets meet a condition.
fn compared(base: &str, reference: &str, meets: impl Fn(&str) -> bool) -> usize {
    let mut count = 0;
    for standard in Standard::ALL {
        let Ok(base) = BaseUrl::parse(base, standard) else { continue };
        let mut long = String::new();
        let outcome = base.resolve_fully(reference, &mut long).map(|()| long);
        assert_eq!(base.resolve(reference), outcome, "{standard}: {reference:?} at {base}");
        count += usize::from(outcome.is_ok_and(|target| meets(&target)));
    }
    count
}
