//! Says which mistakes in code the analysis finds: `mutants ENVIRONMENT < mutants.jsonl`.
//!
//! Each line of the input has `file` and `text`, the text of the file with a mistake. Each line of the output has the `id` of the
//! input, and the findings that the file does not have without the mistake.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::BufRead;
use std::path::Path;

use hieratic_diagnostics::{Severity, Source};
use hieratic_lint::{BufferCheck, EnvironmentProgram, Options, Session};
use serde_json::{Value, json};

fn findings(program: &EnvironmentProgram, alone: &BufferCheck, file: &str, text: &str) -> BTreeSet<String> {
    let tree = hieratic_puppet_syntax::parse(&Source::new(file, text), &Default::default()).program;
    let mut found = tree.map_or_else(Vec::new, |tree| program.analyze_edited(Path::new(file), &tree));
    found.extend(alone.check(Path::new(file), text));
    let is_counted = |finding: &&hieratic_lint::Finding| finding.severity() != Severity::Note;
    found
        .iter()
        .filter(is_counted)
        .map(|finding| format!("{} {}", finding.rule.id(), finding.diagnostic.message))
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("no folder")?;
    let mut session = Session::new(Options::for_paths([&folder]));
    session.check(&());
    let views = session.views();
    let program = views.first().ok_or("no environment")?.program();
    let alone = session.buffer_check();
    for line in std::io::stdin().lock().lines() {
        let one: Value = serde_json::from_str(&line?)?;
        let (file, text) = (one["file"].as_str().ok_or("no file")?, one["text"].as_str().ok_or("no text")?);
        let before = findings(&program, &alone, file, &std::fs::read_to_string(file)?);
        let after = findings(&program, &alone, file, text);
        let new: Vec<&String> = after.difference(&before).collect();
        println!("{}", json!({"id": one["id"], "found": new}));
    }
    Ok(())
}
