//! Reads every file whose name is on standard input and tells which are refused.

use hieratic_diagnostics::Source;
use std::io::Read;

fn main() {
    let mut names = String::new();
    let _ = std::io::stdin().read_to_string(&mut names);
    let texts: Vec<(String, String)> =
        names.lines().map(|n| (n.to_owned(), std::fs::read_to_string(n).unwrap_or_default())).collect();
    let start = std::time::Instant::now();
    let mut bad = 0;
    for (name, text) in &texts {
        let source = Source::new(name.as_str(), text.as_str());
        let parsed = hieratic_syntax::parse(&source, &Default::default());
        if parsed.program.is_none() {
            bad += 1;
            if let Some(problem) = parsed.problems.iter().find(|p| p.severity == hieratic_diagnostics::Severity::Error)
            {
                println!("{name}: {} {:?}", problem.message, problem.position(&source));
            }
        }
    }
    eprintln!("{} files, {bad} refused, {:?}", texts.len(), start.elapsed());
}
