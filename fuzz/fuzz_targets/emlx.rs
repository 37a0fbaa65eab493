#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::mailboxes::emlx(bytes).expect("a temporary file is written");
});
