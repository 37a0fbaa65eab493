#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::documents::srcset(bytes);
    absolve_laws::documents::delimiters::any(bytes, &absolve_laws::documents::delimiters::IN_SRCSET);
});
