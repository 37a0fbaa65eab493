#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::streams::mbox(bytes);
    absolve_containers::laws::records_are_the_mbox(bytes);
});
