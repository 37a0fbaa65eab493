#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::streams::warc(bytes);
    absolve_containers::laws::records_are_the_warc(bytes);
    absolve_containers::laws::records_are_the_arc(bytes);
});
