#![no_main]
//! Any text as a template: its source keeps its lines, and rendering it ends, with a text or an error at a line.

use hieratic_budget::{Budget, Limits};
use hieratic_ruby::{Alone, Ruby, Trim, check_template, compile};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if text.len() > 4000 {
        return;
    }
    for mode in ["", "-", "%", "<>", ">", "%-", "%<>"] {
        let source = compile(text, Trim::parse(mode));
        assert!(source.lines().count() >= text.lines().count(), "{mode}: {source}");
    }
    let limits = Limits { steps: 20_000, bytes: 16 << 20, ..Limits::default() };
    let mut host = Alone { budget: Budget::new(limits) };
    let rendered = Ruby::new().render(&mut host, text, "x.erb", None);
    if let Err(error) = check_template(text, "x.erb") {
        assert!(rendered.is_err(), "{error:?}");
    }
});
