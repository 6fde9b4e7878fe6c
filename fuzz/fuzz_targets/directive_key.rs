#![no_main]
//! A key of a map: a directive, a strategy, a name or plain; what is wrong has its place in the key.

use hieratic_directives::PlusKey;

libfuzzer_sys::fuzz_target!(|text: &str| {
    for key in [text.to_owned(), format!("+{text}"), format!("+/{text}"), format!("+?include{text}")] {
        match PlusKey::parse(&key) {
            Ok(PlusKey::Directive(directive)) => {
                assert!(key.starts_with('+'));
                // What a key says can be said again.
                let _ = (directive.is_empty(), directive.pointer.len(), directive.dots);
            }
            Ok(_) => {}
            Err(fault) => assert!(key[fault.at..].starts_with(&fault.escape), "{fault:?} in {key:?}"),
        }
    }
});
