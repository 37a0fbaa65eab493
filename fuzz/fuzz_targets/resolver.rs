#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::references::any(bytes);
    absolve_resolver::laws::short_way_is_the_long_way(bytes);
});
