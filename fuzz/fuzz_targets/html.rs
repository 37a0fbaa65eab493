#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::documents::html(bytes);
    absolve_laws::documents::delimiters::any(bytes, &absolve_laws::documents::delimiters::IN_HTML);
    absolve_rewriter::laws::short_way_makes_the_same_edits(bytes);
});
