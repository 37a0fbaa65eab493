#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::documents::css(bytes);
    absolve_laws::documents::delimiters::any(bytes, &absolve_laws::documents::delimiters::IN_CSS);
    absolve_links::laws::finds_what_cssparser_finds(bytes);
});
