#![no_main]
//! A program: it ends, with a value or an error that can be shown, and touches nothing outside.

use hieratic::budget::{Budget, Limits};
use hieratic::puppet_eval::Options;
use hieratic::{Code, Facts};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let options = Options { budget: Budget::new(Limits { steps: 2000, ..Limits::default() }), ..Options::default() };
    let evaluation = Code::new(None, Facts::named("a.example.com"), options).evaluate("site.pp", text);
    let report = evaluation.report();
    assert!(report.error.is_some() || report.string.is_some());
});
