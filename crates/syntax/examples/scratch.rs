//! scratch
use hieratic_diagnostics::{Severity, Source};
use hieratic_syntax::{Options, parse, pn};
use std::io::Write;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let epp = args.get(2).is_some_and(|a| a == "epp");
    let tasks = args.get(2).is_some_and(|a| a == "tasks");
    for line in text.lines() {
        let code: String = serde_json::from_str(line).unwrap();
        let source = Source::new("f", code);
        let parsed = parse(&source, &Options { epp, tasks });
        let mut warnings = vec![];
        let mut error = None;
        for p in &parsed.problems {
            let (l, c) = p.position(&source);
            let s = format!("{l}:{c}: {}", p.message);
            if p.severity == Severity::Error { error = Some(s); break; }
            warnings.push(s);
        }
        let s = match (error, parsed.program) {
            (Some(e), _) => e,
            (None, Some(p)) => pn::dump(&p),
            _ => "NOTHING".into(),
        };
        writeln!(out, "{}", serde_json::to_string(&(s, warnings)).unwrap()).unwrap();
    }
}
