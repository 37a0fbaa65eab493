#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_rewriter::laws::marks_stand_in_the_page(bytes);
    absolve_files::laws::any_bytes_are_a_list_of_httrack(bytes);
});
