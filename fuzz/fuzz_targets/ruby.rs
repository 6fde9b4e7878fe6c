#![no_main]
//! Any text as Ruby: it ends, with a value or an error that can be shown, in bounded steps and memory, and touches nothing outside.

use hieratic_budget::{Budget, Limits};
use hieratic_ruby::{Alone, Ruby};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if text.len() > 4000 {
        return;
    }
    let limits = Limits { steps: 20_000, bytes: 16 << 20, ..Limits::default() };
    let mut host = Alone { budget: Budget::new(limits) };
    if let Err(error) = Ruby::new().inspect(&mut host, text, "x.rb") {
        assert!(!error.to_string().is_empty());
    }
});
