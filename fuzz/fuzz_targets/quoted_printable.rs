#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::messages::quoted_printable(bytes);
    absolve_rewriter::laws::edits_in_quoted_printable(bytes);
    absolve_rewriter::laws::edits_in_lines(bytes);
});
