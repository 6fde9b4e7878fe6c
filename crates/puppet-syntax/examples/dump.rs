//! Writes the tree of each manifest in the notation of `puppet parser dump --format pn`, or what is wrong with it.
//!
//! The arguments are manifests (`.epp` files are read as templates), or `--list` and a file that names one on each line.

use std::error::Error;
use std::io::Write;

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::{Options, parse, pn};

fn main() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, list] = &files[..]
        && flag == "--list"
    {
        files = std::fs::read_to_string(list)?.lines().map(String::from).collect();
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for file in files {
        let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
        let source = Source::new(file.as_str(), text);
        let parsed = parse(&source, &Options { epp: file.ends_with(".epp"), tasks: false });
        writeln!(out, "--- {file}")?;
        match parsed.program {
            Some(program) => writeln!(out, "{}", pn::dump(&program))?,
            None => {
                for problem in parsed.problems.iter().filter(|problem| problem.severity == Severity::Error) {
                    let (line, column) = problem.position(&source);
                    writeln!(out, "{line}:{column}: {}", problem.message)?;
                }
            }
        }
    }
    Ok(())
}
