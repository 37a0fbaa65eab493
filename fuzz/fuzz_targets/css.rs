#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::documents::css(bytes);
    absolve_links::laws::finds_what_cssparser_finds(bytes);
});
