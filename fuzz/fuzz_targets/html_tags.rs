#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_links::laws::tags_are_those_of_html5ever(bytes);
    absolve_links::laws::common_tags_hold_the_same_links(bytes);
});
