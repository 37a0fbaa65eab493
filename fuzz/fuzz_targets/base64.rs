#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::messages::base64(bytes);
    absolve_rewriter::laws::edits_in_base64(bytes);
});
