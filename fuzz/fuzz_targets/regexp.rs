#![no_main]
//! A regular expression and a text to search.

libfuzzer_sys::fuzz_target!(|input: (&str, &str)| {
    if let Ok(regexp) = hieratic_ruby_regexp::Regexp::new(input.0) {
        let _ = regexp.is_match(input.1);
    }
});
