#![no_main]
//! A program: it ends, with a value or an error that can be shown, and touches nothing outside.

use hieratic::puppet::Options;
use hieratic::{Code, Facts};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let options = Options { step_limit: 2000, ..Options::default() };
    let evaluation = Code::new(None, Facts::named("a.example.com"), options).evaluate("site.pp", text);
    let report = evaluation.report();
    assert!(report.error.is_some() || report.string.is_some());
});
