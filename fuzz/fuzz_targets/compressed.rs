#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    absolve_laws::mailboxes::compressed(bytes).expect("it is in memory");
});
