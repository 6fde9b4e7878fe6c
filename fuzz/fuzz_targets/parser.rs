#![no_main]
//! A manifest, a script or a template: it is read or refused; what is read can be dumped and validated, and everything
//! said of it can be shown.

use hieratic_puppet_validator::{Options as Rules, Strict, validate};
use hieratic_diagnostics::Source;
use hieratic_diagnostics::render::{Style, human};
use hieratic_puppet_syntax::{Options, parse, pn};

libfuzzer_sys::fuzz_target!(|input: (bool, bool, &str)| {
    let (epp, tasks, text) = input;
    let source = Source::new("site.pp", text);
    let parsed = parse(&source, &Options { epp, tasks });
    assert!(parsed.program.is_some() || !parsed.problems.is_empty());
    let mut problems = parsed.problems;
    if let Some(program) = &parsed.program {
        assert!(!pn::dump(program).is_empty());
        assert!(!pn::dump_pretty(program).is_empty());
        problems.extend(validate(program, &Rules { strict: Strict::Error, tasks, epp, ..Rules::default() }));
    }
    for problem in &problems {
        let _ = human(&problem.diagnostic(&source), &Style::default());
    }
});
