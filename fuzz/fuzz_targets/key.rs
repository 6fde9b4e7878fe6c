#![no_main]
//! A lookup key.

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(key) = hieratic_hiera::Key::parse(text) {
        let _ = (key.module(), key.segments().len());
    }
});
