#![no_main]
//! Every way to write text in a manifest: quotes, interpolation, heredocs with their switches, templates. Whatever stands
//! in them is read or refused, and what is refused has its place in the text.

use hieratic_diagnostics::Source;
use hieratic_diagnostics::render::{Style, human};
use hieratic_puppet_syntax::{Options, parse};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let manifests = [
        format!("'{text}'"),
        format!("\"{text}\""),
        format!("\"${{{text}}}\""),
        format!("@(END)\n{text}\n  | END\n"),
        format!("@(\"END\":json/nrtsuL$)\n{text}\n  |- END\n"),
        format!("[@(\"A\"/), @({text})]\n{text}\nA\n{text}\n"),
        format!("/{text}/"),
    ];
    for manifest in &manifests {
        look(manifest, false);
    }
    look(&format!("<%- | {text} | -%>\n<%= {text} -%>{text}<%# {text} %>"), true);
});

fn look(text: &str, epp: bool) {
    let source = Source::new("site.pp", text);
    let parsed = parse(&source, &Options { epp, tasks: false });
    assert!(parsed.program.is_some() || !parsed.problems.is_empty());
    for problem in &parsed.problems {
        let fits = problem.span.start <= problem.span.end && problem.span.end as usize <= text.len();
        assert!(fits, "{problem:?} is outside of {text:?}");
        let _ = human(&problem.diagnostic(&source), &Style::default());
    }
}
