#![no_main]
//! A type expression: what is parsed prints, and prints the same when it is parsed again.

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(parsed) = hieratic_puppet_types::parse(text) {
        let printed = parsed.to_string();
        if let Ok(again) = hieratic_puppet_types::parse(&printed) {
            assert_eq!(printed, again.to_string());
        }
    }
});
