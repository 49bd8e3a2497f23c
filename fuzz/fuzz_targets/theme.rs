//! See `endpaper_fuzz::TARGETS`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| endpaper_fuzz::run("theme", bytes));
